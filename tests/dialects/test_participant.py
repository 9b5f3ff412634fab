"""State of a participant, common to all dialects."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.dialects.participant import Participant
from boardwire.simulation.server import SimulatedServer
from boardwire.table.guest import Seated
from boardwire.table.match import Match


def begun() -> tuple[SimulatedServer, Match]:
    """Return a match of Tris in which seat 0 must decide."""
    server = SimulatedServer(seed=0)
    for _ in range(2):
        server.connect("tris-lines")
    return server, server.match()


def participant(server: SimulatedServer, match: Match) -> Participant[Any]:
    return Participant(server.connect("tris-lines").talk, Seated(match, 0))


def test_a_decision_is_put_once_until_the_position_changes() -> None:
    player = participant(*begun())
    assert player.take_question() is player.match.pending
    player.match = msgspec.structs.replace(player.match, seq=player.match.seq + 1)  # someone has chatted
    assert player.take_question() is None


def test_an_equal_decision_is_put_again_after_the_position_changed() -> None:
    player = participant(*begun())
    player.take_question()
    player.match = msgspec.structs.replace(player.match, moved=player.match.moved + 1)
    assert player.take_question() is player.match.pending


def test_a_player_returning_during_play_knows_the_names() -> None:
    server, match = begun()
    chairs = tuple(
        msgspec.structs.replace(chair, player=msgspec.structs.replace(chair.player, name=name))
        for chair, name in zip(match.chairs, ("ann", "bob"), strict=True)
        if chair.player is not None
    )
    assert participant(server, msgspec.structs.replace(match, chairs=chairs)).names == ("ann", "bob")


def test_names_are_not_fixed_while_the_table_waits() -> None:
    server = SimulatedServer(seed=0)
    server.connect("tris-lines")
    assert participant(server, server.match()).names == ()
