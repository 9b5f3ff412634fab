"""A match of which a node knows only the card: whoever has a seat there can come back."""

from __future__ import annotations

from boardwire.cluster.transport.messages import card, carded
from boardwire.dialects.native import tell
from boardwire.table.events import Acted, Joined, Left, Opened, Player, Started
from boardwire.table.match import fold
from boardwire.table.policy import Leaving, Policy


def test_a_seat_that_is_kept_at_another_node_is_told_to_whoever_comes_back() -> None:
    match = fold(
        [
            Opened(1.0, "m", "tris@1", 2, {}, Policy(Leaving.HOLDS, 60.0)),
            Joined(1.0, 0, Player("ann", "native")),
            Joined(2.0, 1, Player("bob", "native")),
            Started(2.0, {}),
            Acted(3.0, 0, 4),
            Left(4.0, 0),
        ]
    )
    assert tell.kept(carded(card(match)), 0) == tell.kept(match, 0)
