"""Cached lines that name a user equal the codec's output."""

from __future__ import annotations

import pytest

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import encode
from boardwire.dialects.santorini_lobby.users import Users

NAMES = ("ann", 'Zoë "0}}"', "0")


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("ply", [0, 1, 10, 999])
def test_a_turn_change_equals_the_codecs_output(seat: int, ply: int) -> None:
    assert Users(NAMES).turn(seat, ply) == encode(wire.TurnChange(wire.User(NAMES[seat]), ply))


@pytest.mark.parametrize("seat", range(3))
def test_every_set_of_kinds_is_listed_in_the_programs_order_also_from_the_cache(seat: int) -> None:
    users = Users(NAMES)
    kinds = tuple(wire.ACTIONS.values())
    for chosen in (*range(1 << len(kinds)), *range(1 << len(kinds))):
        listed = tuple(wire.ActionName(kind) for n, kind in enumerate(kinds) if chosen >> n & 1)
        assert users.ready(seat, chosen) == encode(wire.ActionReady(wire.User(NAMES[seat]), listed))
