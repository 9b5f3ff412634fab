"""Matches that a node knows only by their summary."""

from __future__ import annotations

from boardwire.cluster.transport.messages import expand_summary, summarize
from boardwire.dialects.native import tell
from boardwire.table.events import Acted, Joined, Left, Opened, Player, Started
from boardwire.table.match import fold
from boardwire.table.policy import Leaving, Policy


def test_a_held_seat_is_announced_alike_from_a_match_and_from_its_summary() -> None:
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
    assert tell.kept(expand_summary(summarize(match)), 0) == tell.kept(match, 0)
