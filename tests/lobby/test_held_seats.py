"""Players return to their seats."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import (
    Depart,
    Enter,
    Introduce,
    Reclaim,
    Resume,
    Seek,
)
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Introduced

from ..table import toy
from ..table.doubles import NotedGuest
from .hall import HOLDS, Hall, by_name, seat_of, seek, table_of


def test_a_token_identifies_a_player_and_its_held_seats() -> None:
    hall = Hall()
    ann = NotedGuest()
    hall.lobby.do(ann, Introduce())
    (introduced,) = ann.take()
    assert isinstance(introduced, Introduced)
    assert introduced.held_seats == ()
    assert introduced.key == token_hash(introduced.token) != introduced.token
    player = Player("ann", key=introduced.key)
    hall.do(ann, Seek("tris", 2, player, policy=HOLDS))
    hall.guest(seek("bob"))
    other = NotedGuest()
    hall.lobby.do(other, Introduce(introduced.token))
    (again,) = other.take()
    assert isinstance(again, Introduced)
    assert (again.token, again.key) == (introduced.token, introduced.key)
    assert [(match.id, seat) for match, seat in again.held_seats] == [("match-1", 0)]
    hall.do(ann, cmd.Resign(0))
    hall.lobby.do(other, Introduce(introduced.token))
    assert other.take() == [Introduced(introduced.token, introduced.key, ())]


def test_a_player_returns_to_its_seat_with_its_key() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.lobby.disconnected(bob)
    hall.journal.answer_all()
    thief = NotedGuest()
    assert hall.do(thief, Resume("match-1", 1, "ANN")) == ["this seat belongs to another player"]
    assert hall.do(thief, Resume("match-1", 9, "BOB")) == ["seat 9 does not exist: this table has seats 0 to 1"]
    assert hall.do(thief, Resume("match-1", -1, "BOB")) == ["seat -1 does not exist: this table has seats 0 to 1"]
    assert thief.table is None
    again = NotedGuest()
    assert hall.do(again, Resume("match-1", 1, "BOB")) == ["Seated", ev.Returned(100.0, 1)]
    ann.take()
    hall.do(ann, cmd.Act(0, (4,)))
    assert again.heard() == [ev.Acted(100.0, 0, 4)]


@pytest.mark.parametrize("asked", [by_name("ann"), Reclaim(Player("ann", "old"))])
def test_a_return_by_name_waits_for_the_recovery(asked: Any) -> None:
    hall = Hall()
    for name in ("ann", "bob", "cleo", "dan"):
        hall.guest(by_name(name))
    lobby = hall.lobby = hall.new_lobby()
    lobby.find_unfinished()
    ann, gone, other = NotedGuest(), NotedGuest(), NotedGuest()
    assert hall.do(ann, asked) == hall.do(gone, asked, Depart()) == []
    assert hall.do(other, Depart()) == []
    assert lobby.recover_next()
    assert not lobby.recover_next()
    hall.journal.answer_all()
    assert (table_of(ann), seat_of(ann)) == ("match-1", 0)
    assert gone.take() == []
    assert len(lobby) == 2


def test_a_return_by_name_works_before_the_departure_is_stored() -> None:
    hall = Hall()
    ann, _ = hall.guest(by_name("ann")), hall.guest(by_name("bob"))
    hall.lobby.disconnected(ann)
    again = NotedGuest()
    assert hall.do(again, by_name("ann"))[0] == "Seated"
    assert (table_of(again), seat_of(again)) == ("match-1", 0)
    assert hall.lobby.table("match-1").match.chairs[0].away is None


def test_an_eliminated_player_does_not_return_by_name() -> None:
    hall = Hall()
    ann, *_ = [hall.guest(by_name(name, seats=3)) for name in ("ann", "bob", "cleo")]
    hall.do(ann, cmd.Act(0, (toy.DROP,)))
    hall.lobby.disconnected(ann)
    hall.journal.answer_all()
    again = hall.guest(by_name("ann", seats=3))
    assert table_of(again) == "match-2"
    assert hall.do(NotedGuest(), Reclaim(Player("ann", "old"))) == ["NotHeld"]


def test_a_guest_back_before_its_departure_is_stored_is_seated_first() -> None:
    hall = Hall()
    ann, _ = (hall.guest(Seek("toy", 3, Player(name))) for name in ("ann", "bob"))
    hall.lobby.do(ann, Depart())
    hall.lobby.do(ann, Enter("match-1", Player("ann")))
    ann.take()
    hall.journal.answer_all()
    assert ann.heard() == ["Seated", ev.Joined(100.0, 0, Player("ann"))]
