"""What a participant keeps for any dialect."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.dialects.participant import Participant
from boardwire.simulation.server import House
from boardwire.table.guest import Seated
from boardwire.table.match import Match


def begun() -> tuple[House, Match]:
    """A match of Tris in which seat 0 is asked."""
    house = House(seed=0)
    for _ in range(2):
        house.connect("tris-lines")
    return house, house.match()


def participant(house: House, match: Match) -> Participant[Any]:
    return Participant(house.connect("tris-lines").talk, Seated(match, 0))


def test_a_decision_is_put_once_until_the_play_changes() -> None:
    player = participant(*begun())
    assert player.question() is player.match.pending
    player.match = msgspec.structs.replace(player.match, seq=player.match.seq + 1)  # somebody has chatted
    assert player.question() is None


def test_the_same_decision_is_put_again_when_the_play_has_changed() -> None:
    player = participant(*begun())
    player.question()
    player.match = msgspec.structs.replace(player.match, moved=player.match.moved + 1)
    assert player.question() is player.match.pending


def test_whoever_comes_back_in_mid_play_knows_the_names() -> None:
    house, match = begun()
    chairs = tuple(
        msgspec.structs.replace(chair, player=msgspec.structs.replace(chair.player, name=name))
        for chair, name in zip(match.chairs, ("ann", "bob"), strict=True)
        if chair.player is not None
    )
    assert participant(house, msgspec.structs.replace(match, chairs=chairs)).names == ("ann", "bob")


def test_while_the_table_waits_nobody_has_a_name_that_stays() -> None:
    house = House(seed=0)
    house.connect("tris-lines")
    assert participant(house, house.match()).names == ()
