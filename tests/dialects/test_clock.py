"""Turn clock at tables of every published protocol: a client that overruns loses, in the words of its protocol.

Both sides of every conversation are judged by the watcher of the protocol: a server that ends a match in other words
has a finding.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from boardwire import dialects
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Monitor
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer
from boardwire.table import events as ev
from boardwire.table.policy import Policy
from boardwire.table.termination import Termination

MOVE_SECONDS: Final = 20
GAMES: Final = ("tris", "forza", "santorini", "eriantys")
DIALECTS: Final = [(name, game) for game in GAMES for name in dialects.of_game(game) if name != "native"]
FOR_THREE: Final = [(name, game) for name, game in DIALECTS if game in ("santorini", "eriantys")]
STAYS_CONNECTED: Final = {"santorini-actions", "santorini-actions/shipped"}
"""Dialects in which a client may play another match over the same connection."""


class Someone:
    """Plays at random; from question number `silent` on it does not answer."""

    def __init__(self, seed: int, silent: int = 0) -> None:
        self._luck = Random(seed)
        self._silent = silent
        self.asked = 0
        self.results: list[Result] = []

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        match notification:
            case Ask(decision=decision):
                self.asked += 1
                if not 0 < self._silent <= self.asked:
                    client.talk.tell(Answer(self._luck.choice(tuple(decision.choices))))
            case Over(result=result):
                self.results.append(result)


class Room:
    """A server with a turn clock, its clients, and a watcher of each conversation."""

    def __init__(self, dialect: str, game: str, people: list[Someone]) -> None:
        self.server = SimulatedServer(seed=3, policy=Policy(per_move=MOVE_SECONDS))
        self.pairs: list[tuple[SimulatedClient, SimulatedConnection, Monitor]] = []
        self.findings: list[Finding] = []
        group = WatcherGroup()
        for seat, someone in enumerate(people):
            seating = ClientOptions(f"p{seat}", len(people), {"mode": "expert"} if game == "eriantys" else {})
            client = SimulatedClient(dialect, someone, seating, self.server.clock)
            self.pairs.append((client, self.server.connect(dialect), Monitor(dialect, group, seat, self._record)))
            self.carry()

    def _record(self, record: Any) -> None:
        if isinstance(record, Finding):
            self.findings.append(record)

    def carry(self) -> None:
        """Exchange bytes until there are none."""
        busy = True
        while busy:
            busy = False
            for client, peer, monitor in self.pairs:
                now = self.server.clock.now()
                if upstream := client.take():
                    monitor.receive(Side.CLIENT, upstream, now)
                    peer.send(upstream)
                if downstream := peer.take():
                    monitor.receive(Side.SERVER, downstream, now)
                    client.receive(downstream)
                busy = busy or bool(upstream or downstream)
                if peer.closed and not client.closed:
                    monitor.close(Side.SERVER, now)
                    client.lose()

    def pass_time(self, seconds: int) -> None:
        """Let time pass in steps of a second, because clients that ping must be heard meanwhile."""
        for _ in range(seconds):
            self.server.clock.pass_time(1.0)
            self.carry()


@pytest.mark.parametrize("silent", [1, 3])
@pytest.mark.parametrize(("dialect", "game"), DIALECTS)
def test_a_client_that_overruns_its_time_loses(dialect: str, game: str, silent: int) -> None:
    people = [Someone(1, silent), Someone(2)]
    room = Room(dialect, game, people)
    (name,) = room.server.journal.names()
    room.pass_time(MOVE_SECONDS - 1)
    assert room.server.match(name).outcome is None
    room.pass_time(1)
    outcome = room.server.match(name).outcome
    assert outcome is not None
    assert (outcome.termination, outcome.winners, outcome.by) == (Termination.TIMED_OUT, (1,), 0)
    words = (Result.BROKEN_OFF, Result.BROKEN_OFF) if dialect == "tris-lines" else (Result.LOST, Result.WON)
    assert tuple(someone.results for someone in people) == tuple([word] for word in words)
    assert room.findings == []
    assert all(peer.closed for _, peer, _ in room.pairs) == (dialect not in STAYS_CONNECTED)


@pytest.mark.parametrize(("dialect", "game"), FOR_THREE)
def test_two_clients_play_on_after_the_third_overran(dialect: str, game: str) -> None:
    people = [Someone(1), Someone(2, 4), Someone(5)]
    room = Room(dialect, game, people)
    room.pass_time(MOVE_SECONDS)
    (name,) = room.server.journal.names()
    late = [event.seat for event in room.server.events(name) if isinstance(event, ev.TimedOut)]
    outcome = room.server.match(name).outcome
    assert late == [1]
    assert outcome is not None
    assert outcome.termination not in Termination.__members__.values()
    assert people[1].results == [Result.LOST]
    assert Result.WON in people[0].results + people[2].results
    assert room.findings == []
