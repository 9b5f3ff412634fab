"""Waiting tables are merged when a seat becomes free."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.games.game import Outcome
from boardwire.lobby.requests import Attend, Depart, Enter, Seek
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Seated, Tie, Watching
from boardwire.table.match import Status, fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import APPEND_RETRY_SECONDS

from ..table import toy
from ..table.doubles import NotedBots, NotedGuest
from .hall import Hall, booked, seat_of, table_of


def seek(name: str, seats: int = 2, **more: Any) -> Seek:
    return Seek("toy", seats, Player(name), **more)


def apart(hall: Hall, ann: Seek, bob: Seek) -> tuple[NotedGuest, NotedGuest, NotedGuest]:
    """Return two guests at different tables, with a third one beside the first."""
    guests = hall.guest(ann), hall.guest(seek("ghost", ann.seats, ready=False)), hall.guest(bob)
    assert [table_of(guest) for guest in guests] == ["match-1", "match-1", "match-2"]
    return guests


def go(hall: Hall, guest: NotedGuest) -> None:
    hall.lobby.disconnected(guest)
    hall.journal.answer_all()


def test_two_meet_at_the_older_table_when_the_seat_between_them_becomes_free() -> None:
    hall = Hall()
    ann, ghost, bob = apart(hall, seek("ann"), seek("bob"))
    bob.take()
    go(hall, ghost)
    assert [(table_of(one), seat_of(one)) for one in (ann, bob)] == [("match-1", 0), ("match-1", 1)]
    seated, step = bob.take()
    assert isinstance(seated, Seated)
    assert (seated.match.id, seated.seat) == ("match-1", 1)
    assert [type(moment.event) for moment in step.moments] == [ev.Joined, ev.Started]
    assert fold(hall.journal.read("match-2")).outcome == Outcome("abandoned")
    assert [table.match.id for table in hall.lobby] == ["match-1"]


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        (Tie.NOTHING, Tie.TABLE, "match-2"),
        (Tie.TABLE, Tie.NOTHING, "match-1"),
        (Tie.NOTHING, Tie.SEAT, "match-2"),
        (Tie.NOTHING, Tie.COMPANY, "match-1"),
        (Tie.SEAT, Tie.COMPANY, "match-1"),
    ],
)
def test_guests_move_to_the_table_of_a_guest_that_cannot_move(first: Tie, second: Tie, place: str) -> None:
    hall = Hall()
    ann, ghost, bob = apart(hall, seek("ann", tie=first), seek("bob", tie=second))
    go(hall, ghost)
    assert (table_of(ann), table_of(bob)) == (place, place)
    assert [table.match.status for table in hall.lobby] == [Status.PLAYING]


@pytest.mark.parametrize(
    ("ann", "bob"),
    [
        (seek("ann", tie=Tie.TABLE), seek("bob", tie=Tie.TABLE)),
        (seek("ann", tie=Tie.SEAT), seek("bob", tie=Tie.SEAT)),
        (seek("ann"), seek("ann")),
        (seek("ann", wish=toy.Wish("red")), seek("bob", wish=toy.Wish("red"))),
    ],
    ids=["both stay", "both know the same seat", "one name", "one colour"],
)
def test_incompatible_guests_are_not_merged(ann: Seek, bob: Seek) -> None:
    hall = Hall()
    one, ghost, other = apart(hall, ann, bob)
    go(hall, ghost)
    assert (table_of(one), table_of(other)) == ("match-1", "match-2")
    assert [table.match.status for table in hall.lobby] == [Status.WAITING, Status.WAITING]


def test_name_wish_and_readiness_move_with_a_player() -> None:
    hall = Hall()
    ann, ghost, bob = apart(hall, seek("ann"), seek("", ready=False, wish=toy.Wish("red")))
    go(hall, ghost)
    assert (table_of(bob), seat_of(bob)) == ("match-1", 1)
    assert bob.table is not None
    assert bob.table.match.chairs[1].wish == toy.Wish("red")
    assert not bob.table.match.chairs[1].ready
    hall.do(bob, cmd.Ready(0, Player("bob")))  # said by the seat that it had before
    assert [player and player.name for player in bob.table.match.players] == ["ann", "bob"]
    assert ann.table is bob.table
    assert bob.table.match.status is Status.PLAYING


def test_one_of_several_goes_where_it_fills_the_table() -> None:
    hall = Hall()
    hall.guest(seek("a", 3)), hall.guest(seek("b", 3))
    ghost = hall.guest(seek("ghost", 3, ready=False))
    late = [hall.guest(seek(name, 3)) for name in ("c", "d")]
    go(hall, ghost)
    assert [table_of(one) for one in late] == ["match-1", "match-2"]
    assert hall.lobby.table("match-1").match.status is Status.PLAYING


def test_guests_that_know_each_other_move_together_or_not_at_all() -> None:
    hall = Hall()
    hall.guest(seek("a", 3)), hall.guest(seek("b", 3))
    ghost = hall.guest(seek("ghost", 3, ready=False))
    late = [hall.guest(seek(name, 3, tie=Tie.COMPANY)) for name in ("c", "d")]
    go(hall, ghost)
    assert [table_of(one) for one in late] == ["match-2", "match-2"], "one of them would have gone"


def test_an_attending_guest_that_knows_the_players_moves_with_them() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann", 3)), hall.guest(seek("eve", 3))
    ghost, bob = hall.guest(seek("ghost", 3, ready=False)), hall.guest(seek("bob", 3))
    zoe = hall.guest(Attend("toy", "", tie=Tie.COMPANY))
    assert table_of(zoe) == "match-2"
    zoe.take()
    go(hall, ghost)
    assert table_of(zoe) == table_of(ann) == table_of(bob) == "match-1"
    watching, step = zoe.take()
    assert isinstance(watching, Watching)
    assert [player and player.name for player in watching.match.players] == ["ann", "eve", None]
    assert [type(moment.event) for moment in step.moments] == [ev.Joined, ev.Started]


def test_an_attending_guest_moves_back_if_the_merge_cannot_be_stored() -> None:
    hall = Hall()
    hall.guest(seek("ann", 3)), hall.guest(seek("eve", 3))
    ghost, bob = hall.guest(seek("ghost", 3, ready=False)), hall.guest(seek("bob", 3))
    zoe, kim = (hall.guest(Attend("toy", "", tie=Tie.COMPANY)) for _ in range(2))
    hall.lobby.disconnected(ghost)
    hall.journal.answer()
    assert table_of(zoe) == table_of(kim) == table_of(bob) == "match-1", "on their way"
    zoe.take()
    hall.lobby.do(kim, Depart())
    hall.journal.fail()
    assert [table_of(one) for one in (zoe, kim, bob)] == ["match-2", None, "match-2"]
    (watching,) = zoe.take()
    assert isinstance(watching, Watching)
    assert watching.match is hall.lobby.table("match-2").match
    assert zoe not in hall.lobby.table("match-1").guests
    hall.clock.pass_time(APPEND_RETRY_SECONDS)
    hall.journal.answer_all()
    assert table_of(zoe) == table_of(bob) == "match-1", "it is tried again"


def test_a_merge_ends_a_table_where_only_bots_are_left() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    ann, ghost = hall.guest(seek("ann", 3)), hall.guest(seek("ghost", 3, ready=False))
    eve = hall.guest(seek("eve", 3, ready=False))
    bob = hall.guest(seek("bob", 3, bots=((0, bots.robot),)))
    assert table_of(bob) == "match-2"
    go(hall, ghost)
    assert table_of(ann) == table_of(eve) == table_of(bob) == "match-1"
    assert fold(hall.journal.read("match-2")).outcome == Outcome("abandoned")


def test_a_seat_that_is_given_up_while_another_waits_elsewhere_is_not_lost() -> None:
    """A second client with a taken name holds its seat until its leaving is stored; a third comes meanwhile."""
    hall = Hall(slow=True)
    ann = hall.guest(seek("ann", ready=True))
    hall.journal.answer_all()
    twin = hall.guest(seek("", ready=False))
    hall.journal.answer_all()
    hall.do(twin, cmd.Ready(1, Player("ann")))
    assert twin.table is not None, "the name is refused, the seat is still held"
    hall.lobby.disconnected(twin)
    bob = hall.guest(seek("bob"))
    assert table_of(bob) == "match-2"
    hall.journal.answer_all()
    assert table_of(ann) == table_of(bob) == "match-1"
    assert hall.lobby.table("match-1").match.status is Status.PLAYING


def test_a_guest_that_leaves_during_a_move_is_at_neither_table() -> None:
    hall = Hall(slow=True)
    ann, ghost, bob = apart(hall, seek("ann"), seek("bob"))
    hall.journal.answer_all()
    hall.lobby.disconnected(ghost)
    hall.journal.answer()  # the ghost has left: bob is on his way
    assert (table_of(bob), seat_of(bob)) == ("match-1", None)
    hall.do(bob, Depart())
    hall.journal.answer_all()
    assert bob.table is None
    assert hall.lobby.table("match-1").match.status is Status.OVER, "it had begun when he went"
    assert fold(hall.journal.read("match-2")).outcome == Outcome("abandoned")
    assert ann.table is not None


def test_a_guest_whose_move_cannot_be_stored_has_never_left() -> None:
    hall = Hall(slow=True)
    ann, ghost, bob = apart(hall, seek("ann"), seek("", ready=False))
    hall.journal.answer_all()
    hall.lobby.disconnected(ghost)
    bob.take()
    hall.journal.answer()
    hall.lobby.do(bob, cmd.Ready(0, Player("bob")))  # on the way
    cleo = hall.guest(Enter("match-2", Player("cleo"), ready=False))  # waits until it is known who is there
    hall.journal.fail()
    hall.journal.answer_all()
    assert (table_of(bob), seat_of(bob)) == ("match-2", 0)
    assert bob.heard() == [ev.Readied(100.0, 0, Player("bob")), ev.Joined(100.0, 1, Player("cleo"), None, False)]
    go(hall, cleo)
    hall.clock.pass_time(APPEND_RETRY_SECONDS)
    hall.journal.answer_all()
    assert table_of(ann) == table_of(bob) == "match-1", "it is tried again"


def test_a_full_server_merges_no_tables_until_a_match_is_over() -> None:
    hall = Hall(limit=1)
    ann, ghost, bob = apart(hall, seek("ann", ready=False), seek("bob"))
    eve, _ = hall.guest(Seek("tris", 2, Player("eve"))), hall.guest(Seek("tris", 2, Player("fay")))
    go(hall, ghost)
    assert (table_of(ann), table_of(bob)) == ("match-1", "match-2")
    hall.do(eve, cmd.Resign(0))
    hall.clock.pass_time(0.0)
    hall.journal.answer_all()
    assert table_of(ann) == table_of(bob) == "match-1"


def test_a_guest_that_joins_elsewhere_during_a_failed_move_stays_there() -> None:
    hall = Hall()
    ann, ghost, bob = apart(hall, seek("ann"), seek("bob"))
    hall.lobby.disconnected(ghost)
    hall.journal.answer()  # the seat is free, and bob is on the way
    assert table_of(bob) == "match-1"
    hall.lobby.do(bob, Depart())
    hall.lobby.do(bob, seek("bob", private=True))
    hall.journal.fail()
    hall.journal.answer_all()
    assert table_of(bob) == "match-3"
    assert [(table.match.id, table.guests) for table in hall.lobby] == [("match-1", (ann,)), ("match-3", (bob,))]


def test_a_guest_that_returns_to_the_merged_table_has_one_seat() -> None:
    hall = Hall()
    ann, ghost, bob = apart(hall, seek("ann", ready=False), seek("bob"))
    hall.lobby.disconnected(ghost)
    hall.journal.answer()
    hall.lobby.do(bob, Depart())
    hall.lobby.do(bob, Enter("match-1", Player("bob")))
    hall.journal.fail()
    hall.journal.answer_all()
    table = hall.lobby.table("match-1")
    assert (table_of(bob), booked(hall, bob), len(table.guests)) == ("match-1", 2, 2)
    assert [one.match.id for one in hall.lobby] == ["match-1"]
    assert table_of(ann) == "match-1"


@pytest.mark.parametrize("function", ["settle", "new"])
def test_a_fault_of_the_rules_during_a_merge_affects_no_guest(function: str) -> None:
    hall = Hall()
    ann, ghost, bob = apart(hall, seek("ann"), seek("bob"))
    hall.lobby.disconnected(ghost)
    with toy.broken(function):
        hall.journal.answer_all()
    assert [name for name, _ in hall.faults] == ["match-1", "match-2"]
    assert (table_of(ann), table_of(bob)) == ("match-1", "match-2")
    assert [table.match.status for table in hall.lobby] == [Status.WAITING] * 2


def test_a_table_whose_guests_are_on_the_way_is_not_filled_with_bots() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots, fill=5.0)
    ann, ghost, bob = apart(hall, seek("ann", ready=False), seek("bob", ready=False))
    hall.lobby.disconnected(ghost)
    hall.journal.answer()
    assert hall.lobby.table("match-2").held
    hall.clock.pass_time(5.0)
    hall.journal.answer_all()
    assert bots.seated == []
    assert [table.match.id for table in hall.lobby] == ["match-1"]
    assert (table_of(ann), table_of(bob)) == ("match-1", "match-1")


def test_a_guest_that_chose_its_clock_moves_only_to_a_table_with_the_same() -> None:
    def timed(name: str, bank: float, tie: Tie = Tie.TERMS) -> Seek:
        return seek(name, policy=Policy(Leaving.HOLDS, 120.0, bank), tie=tie)

    for bank, together in ((600.0, False), (180.0, True)):
        hall = Hall()
        ann, ghost, bob = apart(hall, timed("ann", bank, Tie.TABLE), timed("bob", 180.0))
        go(hall, ghost)
        assert (table_of(ann) == table_of(bob)) is together
