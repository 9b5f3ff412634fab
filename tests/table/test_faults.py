"""A fault in the rules of a game ends that match alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boardwire.errors import Refused
from boardwire.games import tris
from boardwire.games.game import Outcome
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Reclaim, Seek
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Refusal, Step
from boardwire.table.match import Status
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

from . import toy
from .doubles import NotedGuest

HOLDS = Policy(Leaving.HOLDS, grace=30.0)


class Broken:
    """Return a function of a game that raises an unexpected exception."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        raise KeyError("mortal")


class Server:
    """Lobby that records its faults."""

    def __init__(self, journal: MemoryJournal | None = None) -> None:
        self.faults: list[tuple[str, Exception]] = []
        self.journal = MemoryJournal() if journal is None else journal
        self.clock = ManualClock(100.0)
        self.lobby = Lobby(
            self.journal,
            self.clock,
            ScriptedDealer(seed=0),
            CountedNames(),
            report=lambda match, error: self.faults.append((match, error)),
        )

    def seat(self, policy: Policy = HOLDS, game: str = "tris", names: tuple[str, ...] = ("ann", "bob")) -> Any:
        guests = [NotedGuest() for _ in names]
        for guest, name in zip(guests, names, strict=True):
            self.lobby.do(guest, Seek(game, 2, Player(name, key=name), policy=policy))
        for guest in guests:
            guest.take()
        return guests

    def broken_off(self, match: str = "match-1") -> bool:
        """Whether a match ended by a fault that was reported once, and its table is no obstacle."""
        assert [name for name, _ in self.faults] == [match]
        ended = self.journal.read(match)[-1]
        return isinstance(ended, ev.Ended) and ended.outcome == Outcome(Termination.FAULT)


def ends(guest: NotedGuest) -> list[Outcome]:
    """Return the outcomes that a guest received."""
    steps = [notification for notification in guest.notification if isinstance(notification, Step)]
    return [moment.event.outcome for step in steps for moment in step.moments if isinstance(moment.event, ev.Ended)]


def test_a_move_that_breaks_the_rules_program_ends_the_match_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, bob = server.seat()
    watcher = NotedGuest()
    ann.table.watch(watcher)
    monkeypatch.setattr(tris, "apply", Broken())
    server.lobby.do(ann, cmd.Act(0, (4,)))
    refusal = ann.notification[0]
    assert isinstance(refusal, Refusal)
    assert str(refusal.reason) == "an internal error ended this match"
    assert ends(ann) == ends(bob) == ends(watcher) == [Outcome(Termination.FAULT)]
    assert server.broken_off()


def test_a_table_that_cannot_start_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    (ann,) = server.seat(names=("ann",))
    monkeypatch.setattr(tris, "new", Broken())
    bob = NotedGuest()
    server.lobby.do(bob, Seek("tris", 2, Player("bob"), policy=HOLDS))
    assert isinstance(bob.notification[0], Refusal)
    assert bob.table is None
    assert ends(ann) == [Outcome(Termination.FAULT)]
    assert server.broken_off()
    monkeypatch.undo()
    server.lobby.do(bob, Seek("tris", 2, Player("bob"), policy=HOLDS))
    assert bob.table is not None
    assert bob.table is not ann.table


def test_a_fault_during_a_departure_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, bob = server.seat()
    monkeypatch.setattr(tris, "forfeit", Broken())
    server.lobby.disconnected(bob)
    assert ends(ann) == [Outcome(Termination.FAULT)]
    assert server.broken_off()
    assert ann.table.seat_of(bob) is None


def test_a_fault_during_a_time_out_ends_the_match_and_stops_the_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, bob = server.seat(Policy(Leaving.HOLDS, 30.0, per_move=10.0))
    monkeypatch.setattr(tris, "forfeit", broken := Broken())
    server.clock.pass_time(11.0)
    assert ends(ann) == ends(bob) == [Outcome(Termination.FAULT)]
    assert server.broken_off()
    calls = broken.calls
    server.clock.pass_time(100.0)
    assert broken.calls == calls


def test_a_fault_while_a_timer_is_set_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, bob = server.seat()
    monkeypatch.setattr(tris, "forfeit", Broken())
    monkeypatch.setattr(
        "boardwire.table.decide._is_out", lambda match, seat: match.moves > 0 and tris.forfeit(match.position, 0)
    )
    server.lobby.disconnected(bob)
    server.lobby.do(ann, cmd.Act(0, (4,)))
    assert ends(ann) == [Outcome(Termination.FAULT)]
    assert server.broken_off()


def test_luck_that_fails_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, bob = server.seat(game="toy")
    monkeypatch.setattr(ScriptedDealer, "deal", Broken())
    server.lobby.do(ann, cmd.Act(0, (toy.LUCK,)))
    assert ends(ann) == ends(bob) == [Outcome(Termination.FAULT)]
    assert server.broken_off()


def test_commands_queued_behind_a_fault_are_refused_as_over(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, bob = server.seat()
    table = ann.table
    monkeypatch.setattr(tris, "apply", Broken())

    def tell(notification: Any) -> None:
        if isinstance(notification, Refusal):
            table.do(bob, cmd.Act(1, (3,)))

    ann.tell = tell
    table.do(ann, cmd.Act(0, (4,)))
    refusals = [notification for notification in bob.notification if isinstance(notification, Refusal)]
    assert [str(notification.reason) for notification in refusals] == ["the match is over"]
    assert table.match.status is Status.OVER
    assert len(server.faults) == 1


def test_a_fault_does_not_recur_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, _ = server.seat()
    monkeypatch.setattr(tris, "apply", Broken())
    server.lobby.do(ann, cmd.Act(0, (4,)))
    again = Server(server.journal)
    assert again.lobby.recover() == (0, 0)
    assert again.faults == []


def test_other_matches_go_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    ann, _ = server.seat()
    cyd, dan = server.seat(names=("cyd", "dan"))
    right: Callable[..., Any] = tris.apply
    monkeypatch.setattr(tris, "apply", Broken())
    server.lobby.do(ann, cmd.Act(0, (4,)))
    monkeypatch.setattr(tris, "apply", right)
    server.lobby.do(cyd, cmd.Act(0, (4,)))
    assert dan.table.match.moves == 1
    assert server.broken_off()


def test_a_refusal_is_no_fault() -> None:
    server = Server()
    ann, _ = server.seat()
    server.lobby.do(ann, cmd.Act(1, (4,)))
    assert isinstance(ann.notification[0].reason, Refused)
    assert server.faults == []
    assert ann.table.match.status is Status.PLAYING


def test_a_fault_when_a_player_returns_by_name_ends_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Server()
    players = [Player(name, "old") for name in ("ann", "bob")]
    ann, bob = NotedGuest(), NotedGuest()
    for guest, player in zip((ann, bob), players, strict=True):
        server.lobby.do(guest, Seek("tris", 2, player, policy=HOLDS))
    server.lobby.disconnected(ann)
    monkeypatch.setattr(tris, "sides", Broken())
    again = NotedGuest()
    server.lobby.do(again, Reclaim(players[0]))
    assert again.heard() == ["NotHeld"]
    assert ends(bob) == [Outcome(Termination.FAULT)]
    assert server.broken_off()
