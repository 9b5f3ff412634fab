"""Order of asking for cards if several players may pick."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.dialects.santorini_actions.ask import picks_first
from boardwire.table.events import Player


@pytest.mark.parametrize(
    ("player", "first"),
    [
        (Player("ann", "santorini-lobby"), True),
        (Player("ann", "native"), True),
        (Player("ann", "santorini-actions"), False),
        (Player("ann", "santorini-actions/shipped"), False),
        (Player("greedy bot", "bot", "greedy"), False),  # it waits for people
        (Player("ann"), False),  # behind an adapter, which waits for this client
        (None, False),
    ],
)
def test_only_people_with_another_protocol_pick_before_an_original_client(player: Player | None, first: bool) -> None:
    client: Any = SimpleNamespace(match=SimpleNamespace(players=(player,)))
    assert picks_first(client, 0) is first
