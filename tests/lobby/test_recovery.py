"""Matches after a restart of the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from boardwire.games.game import Outcome
from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import (
    Enter,
    Introduce,
    Resume,
    Seek,
)
from boardwire.simulation.clock import ManualClock
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Introduced
from boardwire.table.match import Status, fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import APPEND_RETRY_SECONDS

from ..table.doubles import NotedBots, NotedGuest
from .hall import HOLDS, Hall, seat_of, seek, table_of


def test_after_a_restart_held_matches_are_open_for_their_players() -> None:
    hall = Hall()
    ann, _ = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.do(ann, cmd.Act(0, (4,)))
    position = hall.lobby.table("match-1").match.position
    assert hall.restart() == (1, 0)
    assert hall.lobby.table("match-1").match.position == position
    bob = NotedGuest()
    assert hall.do(bob, Resume("match-1", 1, "BOB")) == ["Seated", ev.Returned(100.0, 1)]
    assert hall.do(bob, cmd.Act(1, (0,))) == [ev.Acted(100.0, 1, 0)]


def test_after_a_restart_the_grace_of_every_seat_starts_anew_also_of_one_that_was_left_before() -> None:
    hall = Hall()
    guests = [hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))]
    for guest in guests:
        hall.lobby.disconnected(guest)
        hall.journal.answer_all()
    hall.clock = ManualClock(10_000.0)
    assert hall.restart() == (1, 0)
    hall.clock.pass_time(29.0)
    assert hall.lobby.table("match-1").match.status is Status.PLAYING
    assert hall.do(NotedGuest(), Resume("match-1", 1, "BOB"))[0] == "Seated"
    hall.clock.pass_time(0.9)
    assert hall.journal.held == []
    hall.clock.pass_time(0.1)
    hall.journal.answer_all()
    assert fold(hall.journal.read("match-1")).outcome == Outcome("stayed away", (1,), 0)


def test_a_match_without_returning_players_ends_after_a_restart() -> None:
    hall = Hall()
    guests = [hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))]
    for guest in guests:
        hall.lobby.disconnected(guest)
        hall.journal.answer_all()
    hall.restart()
    hall.clock.pass_time(30.0)
    hall.journal.answer_all()
    assert fold(hall.journal.read("match-1")).outcome == Outcome("stayed away", (1,), 0)
    assert len(hall.lobby) == 0


def test_after_a_restart_bots_sit_where_they_sat() -> None:
    bots = NotedBots()
    hall = Hall(bots=bots)
    hall.guest(seek("ann", policy=HOLDS, bots=((1, bots.robot),)))
    bots.seated.clear()
    assert hall.restart() == (1, 0)
    assert bots.seated == [("match-1", 1, bots.robot)]
    assert [chair.away for chair in hall.lobby.table("match-1").match.chairs] == [100.0, None]


def test_an_unreadable_match_does_not_stop_the_recovery() -> None:
    hall = Hall()
    hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    for name, rules, event in (("newer", 999, ev.Readied(0.0, 0, Player())), ("odd", 1, ev.Acted(0.0, 7, "?"))):
        opening = ev.Opened(0.0, name, f"tris@{rules}", 2, {}, HOLDS)
        hall.journal.store(name, opening, event)
    assert hall.restart() == (1, 0)
    found: list[tuple[str, str]] = []
    assert hall.lobby.recover(lambda match, error: found.append((match, type(error).__name__))) == (0, 0)
    assert found == [("newer", "Unavailable"), ("odd", "Malformed")]
    assert len(hall.journal.read("odd")) == 2  # it stays as it is


def test_after_a_restart_other_matches_are_closed_as_interrupted() -> None:
    hall = Hall()
    hall.guest(seek("ann")), hall.guest(seek("bob"))  # in mid-play, and ends when someone leaves
    hall.guest(seek("cyd", policy=HOLDS))  # not begun
    over = hall.guest(Seek("toy", 2, Player("dan")))
    hall.guest(Seek("toy", 2, Player("eve")))
    hall.do(over, cmd.Resign(0))
    assert hall.restart() == (0, 2)
    outcomes = [fold(hall.journal.read(f"match-{number}")).outcome for number in (1, 2, 3)]
    assert outcomes == [Outcome("interrupted"), Outcome("interrupted"), Outcome("resigned", (1,), 0)]
    assert (len(hall.lobby), hall.restart()) == (0, (0, 0))


def test_events_that_were_not_durable_are_lost_by_a_restart() -> None:
    hall = Hall()
    ann, bob = hall.guest(seek("ann", policy=HOLDS)), hall.guest(seek("bob"))
    hall.slow = True
    bob.take()
    hall.do(ann, cmd.Act(0, (4,)))
    assert bob.notification == []
    hall.restart()
    assert hall.lobby.table("match-1").match.moves == 0


def test_unfinished_matches_are_recovered_one_at_a_time_oldest_first() -> None:
    hall = Hall()
    for name in ("ann", "bob", "cleo"):
        hall.guest(seek(name, policy=HOLDS, private=True))
    pairs = [hall.guest(seek(name, policy=HOLDS)) for name in ("dan", "eve", "fay", "gus")]
    assert [table_of(guest) for guest in pairs] == ["match-4", "match-4", "match-5", "match-5"]
    lobby = hall.lobby = hall.new_lobby()
    lobby.find_unfinished()
    assert (len(lobby), lobby.recovery_counts) == (0, (0, 0)), "nothing is read yet"
    done = []
    while lobby.recover_next():
        done.append(lobby.recovery_counts)
    assert [*done, lobby.recovery_counts] == [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]
    hall.journal.answer_all()
    assert [table.match.id for table in lobby] == ["match-4", "match-5"]


def test_unfinished_matches_are_read_over_one_connection_which_is_closed_with_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall, seen = Hall(), list[str]()
    for name in ("ann", "bob", "cleo"):
        hall.guest(seek(name, policy=HOLDS, private=True))

    @contextmanager
    def reading() -> Iterator[Any]:
        seen.append("opened")
        yield hall.journal.read
        seen.append("closed")

    monkeypatch.setattr(hall.journal, "reading", reading)
    lobby = hall.lobby = hall.new_lobby()
    lobby.find_unfinished()
    while lobby.recover_next():
        seen.append("taken up")
    assert seen == ["opened", "taken up", "taken up", "closed"]


def test_matches_are_read_one_by_one_without_a_shared_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall()
    for name in ("ann", "bob"):
        hall.guest(seek(name, policy=HOLDS, private=True))

    def reading() -> Any:
        raise OSError("not now")

    monkeypatch.setattr(hall.journal, "reading", reading)
    lobby = hall.lobby = hall.new_lobby()
    assert lobby.recover() == (0, 2)


def test_a_named_match_is_recovered_at_once_and_only_once() -> None:
    hall = Hall()
    for name in ("ann", "bob", "cleo", "dan"):
        hall.guest(seek(name, policy=HOLDS))
    lobby = hall.lobby = hall.new_lobby()
    lobby.find_unfinished()
    dan = NotedGuest()
    assert hall.do(dan, Resume("match-2", 1, "DAN"))[0] == "Seated"
    assert [table.match.id for table in lobby] == ["match-2"]
    table = lobby.table("match-2")
    while lobby.recover_next():
        pass
    hall.journal.answer_all()
    assert lobby.recovery_counts == (2, 0)
    assert lobby.table("match-2") is table is dan.table
    assert fold(hall.journal.read("match-2")) == table.match


def test_a_token_is_answered_after_the_recovery() -> None:
    hall = Hall()
    token = "t" * 32
    seats = [
        Seek("tris", 2, Player(name, key=key), None, HOLDS) for name, key in (("ann", token_hash(token)), ("bob", ""))
    ]
    for one in seats:
        hall.guest(one)
    lobby = hall.lobby = hall.new_lobby()
    lobby.find_unfinished()
    ann, gone, new = NotedGuest(), NotedGuest(), NotedGuest()
    assert hall.do(ann, Introduce(token)) == hall.do(gone, Introduce(token)) == []
    assert hall.do(new, Introduce()) == ["Introduced"], "somebody new has no seats"
    lobby.disconnected(gone)
    assert not lobby.recover_next()
    (introduced,) = ann.take()
    assert isinstance(introduced, Introduced)
    assert [(match.id, seat) for match, seat in introduced.held_seats] == [("match-1", 0)]
    assert gone.take() == []


def test_a_player_back_before_its_absence_is_stored_is_present() -> None:
    hall = Hall()
    for name in ("ann", "bob"):
        hall.guest(seek(name, policy=HOLDS))
    hall.journal.held.clear()
    hall.lobby = hall.new_lobby()
    hall.lobby.recover()
    ann = NotedGuest()
    hall.lobby.do(ann, Resume("match-1", 0, "ANN"))
    hall.journal.fail()
    hall.journal.answer_all()
    assert seat_of(ann) == 0
    hall.clock.pass_time(APPEND_RETRY_SECONDS)
    hall.journal.answer_all()
    match = hall.lobby.table("match-1").match
    assert [chair.away is None for chair in match.chairs] == [True, False]


def test_recovery_leaves_a_match_that_another_process_has() -> None:
    hall = Hall()
    hall.guest(seek("ann"))
    hall.journal.held.clear()
    hall.lobby = hall.new_lobby()
    hall.lobby.recover()
    hall.journal.store("match-1", ev.Ended(100.0, Outcome("abandoned")))
    hall.journal.answer_all()
    assert fold(hall.journal.read("match-1")).outcome == Outcome("abandoned")
    assert ([match for match, _ in hall.faults], len(hall.lobby)) == (["match-1"], 0)


@pytest.mark.parametrize(("policy", "room"), [(Policy(Leaving.HOLDS, 60.0), False), (Policy(), True)])
def test_unrecovered_matches_count_toward_the_limit(policy: Policy, room: bool) -> None:
    hall = Hall(limit=2)
    for name in ("a", "b", "c", "d"):
        hall.guest(seek(name, policy=policy))
    hall.lobby = hall.new_lobby()
    hall.lobby.find_unfinished()
    ann, bob = NotedGuest(), NotedGuest()
    for _ in range(2):
        assert hall.lobby.full
        assert "at most 2 matches" in hall.do(ann, seek("ann"))[0]
        hall.lobby.recover_next()
        hall.journal.answer_all()
        assert hall.lobby.full is not room
        if room:
            break
    assert (hall.do(ann, seek("ann"))[0] == "Seated") is room
    assert (hall.do(bob, seek("bob"))[0] == "Seated") is room


def test_tables_merge_when_the_recovery_frees_room() -> None:
    hall = Hall(limit=2)
    hall.guest(seek("a")), hall.guest(seek("b"))
    hall.lobby = hall.new_lobby()
    hall.lobby.find_unfinished()
    ann, ghost, bob = (hall.guest(seek(name, ready=name != "ghost")) for name in ("ann", "ghost", "bob"))
    cid, dee = hall.guest(seek("cid", private=True)), NotedGuest()
    code = hall.lobby.table(str(table_of(cid))).match.setting.code
    hall.do(dee, Enter(str(table_of(cid)), Player("dee"), code))
    assert hall.lobby.full, "one is played, one is to be taken up"
    hall.lobby.disconnected(ghost)
    hall.journal.answer_all()
    assert table_of(ann) != table_of(bob)
    hall.lobby.recover_next()
    hall.clock.pass_time(0.0)
    hall.journal.answer_all()
    assert table_of(ann) == table_of(bob)
