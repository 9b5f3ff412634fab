"""Guests watch the table being filled before they take a seat."""

from __future__ import annotations

from boardwire.lobby.requests import (
    Attend,
    Enter,
    Open,
    Resume,
    Seek,
    Watch,
)
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Watching

from ..table.doubles import NotedBots, NotedGuest
from .hall import HOLDS, Hall, seat_of, seek, table_of


def test_a_guest_attends_the_oldest_table_that_waits_of_whatever_size() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 3, Player()))
    hall.guest(Seek("toy", 2, Player()))
    hall.guest(seek())
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("toy", "d")) == ["Watching"]
    assert table_of(zoe) == "match-1"


def test_a_guest_that_finds_no_table_watches_the_next_one_that_is_opened() -> None:
    hall = Hall()
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("tris", "d")) == ["NoTable"]
    hall.guest(seek(private=True))
    hall.guest(Seek("toy", 2, Player()))
    assert zoe.notification == []
    ann = hall.guest(seek("ann"))
    assert zoe.heard() == ["Watching", ev.Joined(100.0, 0, Player("ann", "d", key="ANN"))]
    assert table_of(zoe) == table_of(ann)
    hall.guest(seek())
    hall.guest(seek())
    assert table_of(zoe) == table_of(ann)


def test_a_guest_attends_only_tables_of_a_size_it_knows() -> None:
    hall = Hall()
    hall.guest(Seek("toy", 3, Player()))
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("toy", "d", (2,))) == ["NoTable"]
    hall.guest(Seek("toy", 3, Player(), fresh=True))
    assert zoe.take() == [], "nor is it brought to a new one that is too large"
    hall.guest(Seek("toy", 2, Player()))
    watching = zoe.take()[0]
    assert isinstance(watching, Watching)
    assert len(watching.match.chairs) == 2


def test_a_guest_is_not_brought_to_a_new_table_whose_seats_are_all_promised() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    zoe = hall.guest(Attend("tris", "d"))
    zoe.take()
    hall.guest(seek("ann", bots=((1, bots.robot),)))
    assert (zoe.take(), zoe.table) == ([], None)
    hall.guest(seek("bob", fresh=True))
    assert table_of(zoe) == "match-2"


def test_a_table_survives_an_attending_guest_that_leaves_before_its_opener_is_seated() -> None:
    hall = Hall()
    zoe = NotedGuest()
    hall.lobby.do(zoe, Attend("tris", "d"))
    tell = zoe.tell
    zoe.tell = lambda notification: (
        hall.lobby.disconnected(zoe) if isinstance(notification, Watching) else tell(notification)
    )
    hall.guest(seek("ann"))
    assert [table.match.id for table in hall.lobby] == ["match-1"]
    bob = hall.guest(seek("bob"))
    assert (table_of(bob), seat_of(bob)) == ("match-1", 1)


def test_attending_keeps_dialects_apart_where_tables_do() -> None:
    hall = Hall(own_tables=True)
    hall.guest(seek(dialect="lines"))
    zoe = NotedGuest()
    assert hall.do(zoe, Attend("tris", "objects")) == ["NoTable"]
    assert hall.do(NotedGuest(), Attend("tris", "lines")) == ["Watching"]
    hall.guest(seek(dialect="objects"))
    assert table_of(zoe) == "match-2"


def test_a_waiting_guest_that_opens_a_table_is_notified_once() -> None:
    hall = Hall()
    host, zoe = hall.guest(Attend("tris", "d")), hall.guest(Attend("tris", "d"))
    zoe.take()
    assert hall.do(host, Open(seek())) == ["Watching"]
    assert zoe.heard() == ["Watching"]


def test_an_attending_guest_that_opens_a_table_watches_it() -> None:
    hall = Hall()
    hall.guest(seek())
    host = hall.guest(Attend("tris", "d"))
    assert hall.do(host, Open(seek())) == ["Watching"]
    assert table_of(host) == "match-2"
    assert host not in hall.lobby.table("match-1").guests


def test_an_attending_guest_may_sit_down_at_its_table_or_at_another() -> None:
    hall = Hall()
    hall.guest(seek("ann"))
    hall.guest(seek("bob", private=True))
    near, far = hall.guest(Attend("tris", "d")), hall.guest(Attend("tris", "d"))
    assert hall.do(far, Enter("match-2", Player("cyd"), "CODE1"))[0] == "Seated"
    assert hall.do(near, seek("dan"))[0] == "Seated"
    assert (table_of(near), table_of(far)) == ("match-1", "match-2")
    far.take()
    hall.do(near, cmd.Chat(1, "hello"))
    assert far.notification == []


def test_an_attending_guest_that_moves_on_is_notified_of_one_table_only() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.lobby.disconnected(ann)
    hall.journal.answer_all()
    waiting = hall.guest(seek("cyd"))
    requests = (Watch("match-1"), Resume("match-1", 0, "ANN"), Attend("toy", "d"), Attend("tris", "d"))
    for request, table in zip(requests, ("match-1", "match-1", None, "match-2"), strict=True):
        guest = hall.guest(Attend("tris", "d"), request)
        assert table_of(guest) == table
        assert hall.lobby.table("match-2").guests.count(guest) == (table == "match-2")
        hall.lobby.disconnected(guest)
        hall.journal.answer_all()
    assert hall.lobby.table("match-2").guests == (waiting,)


def test_a_guest_that_took_a_seat_no_longer_waits_for_a_table() -> None:
    hall = Hall()
    ann = hall.guest(Attend("tris", "d"), seek("ann", private=True))
    assert table_of(ann) == "match-1"
    ann.take()
    hall.guest(seek("bob"))
    assert (table_of(ann), ann.notification) == ("match-1", [])


def test_a_guest_that_is_gone_waits_for_no_table() -> None:
    hall = Hall()
    zoe = hall.guest(Attend("tris", "d"))
    hall.lobby.disconnected(zoe)
    zoe.take()
    hall.guest(seek())
    assert (zoe.notification, zoe.table) == ([], None)
