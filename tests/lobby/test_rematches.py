"""Rematches with the same players."""

from __future__ import annotations

import pytest

from boardwire.lobby.requests import (
    Depart,
    Enter,
    Rematch,
    Watch,
)
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import RematchWanted, Watching
from boardwire.table.match import Status

from ..table.doubles import NotedBots, NotedGuest
from .hall import HOLDS, Hall, seat_of, seek, table_of


def test_a_rematch_begins_when_all_want_it_and_another_one_moves_first() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.do(ann, cmd.Resign(0))
    bob.take()
    hall.lobby.do(ann, Rematch())
    assert ann.take()[-1] == bob.take()[-1] == RematchWanted((0,))
    heard = hall.do(bob, Rematch())
    assert "Seated" in heard
    assert table_of(ann) == table_of(bob) == "match-2"
    assert (seat_of(ann), seat_of(bob)) == (1, 0)
    match = hall.lobby.table("match-2").match
    assert (match.status, match.setting.policy) == (Status.PLAYING, HOLDS)
    assert len(hall.lobby) == 1


def test_a_rematch_against_a_bot_begins_at_once() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    ann = hall.guest(seek("ann", bots=((1, bots.robot),)))
    hall.do(ann, cmd.Resign(0), Rematch())
    assert (table_of(ann), seat_of(ann)) == ("match-2", 1)
    assert bots.seated[-1] == ("match-2", 0, bots.robot)


@pytest.mark.parametrize("slow", [False, True])
def test_spectators_follow_to_the_rematch(slow: bool) -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", private=True)), hall.guest(Enter("match-1", Player("bob"), "CODE1"))
    zoe, joe = hall.guest(Watch("match-1", "CODE1")), hall.guest(Watch("match-1", "CODE1"))
    hall.do(ann, cmd.Resign(0))
    hall.do(joe, Depart())
    hall.slow = slow
    hall.do(ann, Rematch())
    zoe.take()
    hall.do(bob, Rematch())
    assert (table_of(zoe), seat_of(zoe), table_of(joe)) == ("match-2", None, None)
    hall.journal.answer_all()
    told_of = zoe.take()
    assert isinstance(told_of[0], Watching)
    assert told_of[0].match.id == "match-2"
    assert (table_of(ann), table_of(bob)) == ("match-2", "match-2")
    assert [table.match.id for table in hall.lobby] == ["match-2"]
    hall.slow = False
    hall.do(bob, cmd.Act(0, (4,)))
    assert ev.Acted(100.0, 0, 4) in zoe.heard()


def test_there_is_no_rematch_without_the_other_player() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann")), hall.guest(seek("bob"))
    hall.do(ann, cmd.Resign(0))
    hall.lobby.disconnected(bob)
    assert hall.do(ann, Rematch()) == ["RematchWanted"]
    assert len(hall.lobby) == 1


def test_a_rematch_needs_a_finished_match_of_ones_own() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann")), hall.guest(seek("bob"))
    zoe = hall.guest(Watch("match-1"))
    for guest in (ann, zoe, NotedGuest()):
        assert hall.do(guest, Rematch()) == ["you have no finished match to rematch"]
    hall.do(ann, cmd.Resign(0))
    assert hall.do(zoe, Rematch()) == ["you have no finished match to rematch"]
