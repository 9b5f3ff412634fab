"""A client in a case without sockets, with a monitor between it and the server."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, cast

from msgspec.structs import replace

from boardwire import dialects
from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.conformance import finding
from boardwire.conformance.client.case_run import CaseRun
from boardwire.conformance.client.cases import DEFAULT_GAME, Case, Goal, cases
from boardwire.conformance.client.examiner import ClientConnection, Examiner
from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Monitor, Record
from boardwire.conformance.server.check import CheckResult
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.dialects.dialect import Answer, Ask, ClientOptions
from boardwire.errors import Malformed
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient

from .faulty import Flawless

PATIENCE = 3.0
"""Timeout in seconds for replies and for the close of a connection."""
TICK = 0.01


class Examined:
    """A client under examination, with a fault."""

    def __init__(self, dialect: str, case: Case, seed: int, fault: Flawless, game: str = "") -> None:
        self._rng = Random(seed)
        self._refused: list[Any] = []
        self._incoming: list[bytes | None] = []
        self._fault = fault
        self._quiet = 0.0
        self._gone = False
        self.clock = ManualClock()
        self.records: list[Record] = []
        self._monitor = Monitor(dialect, WatcherGroup(), 1, self.records.append, think=PATIENCE)
        self._monitor.start(self.clock.now())
        self.case_run = self._begin(dialect, case, seed, game)
        fault.case_run = self.case_run
        settings = dict(case.settings)
        if not dialects.dialect(dialect).game:
            settings["game"] = game or DEFAULT_GAME
        self.client = SimulatedClient(
            dialect, self._hear, ClientOptions("examinee", case.others + 1, settings), self.clock
        )

    def _begin(self, dialect: str, case: Case, seed: int, game: str) -> CaseRun:
        return CaseRun(
            dialect,
            case,
            self._send,
            lambda: self._send(None),
            wait=PATIENCE,
            think=PATIENCE,
            seed=seed,
            game=game,
        )

    @property
    def verdict(self) -> CheckResult:
        """Return the result of the case."""
        assert self.case_run.result is not None, "it was run"
        return self.case_run.result

    @property
    def findings(self) -> list[finding.Finding]:
        """Return the monitor's findings about the client."""
        return [one for one in self.records if isinstance(one, finding.Finding) and one.side is Side.CLIENT]

    def _send(self, data: bytes | None) -> None:
        """Deliver bytes of the server; None: it closes."""
        self._incoming.append(data)

    def _hear(self, client: SimulatedClient, notification: Any) -> None:
        self._fault.tell(notification)
        if isinstance(notification, Ask) and self._fault.answers(notification):
            self._refused = self._refused if notification.again else []
            left = [one for one in notification.decision.choices if one not in self._refused] or list(
                notification.decision.choices
            )
            bot = BOTS["random" if self._refused or self.case_run.case.goal in (Goal.LOST, Goal.DRAWN) else "greedy"]
            choice = bot.choose(
                notification.view, replace(notification.decision, choices=left), self._rng.randrange, BUDGET
            )
            self._refused = [*self._refused, choice]
            client.talk.tell(Answer(choice))

    def run(self, max_ticks: int = 400_000) -> None:
        """Advance the clock until there is a result."""
        for _ in range(max_ticks):
            if self.case_run.result is not None:
                return
            self._speak()
            while self._incoming:
                self._receive(self._incoming.pop(0))
                self._speak()
            if self._fault.goes(self._quiet) and not self.client.closed:
                self.client.hang_up()
            if self.client.closed and not self._gone and not self._fault.stays():
                self._gone = True
                self._leave()
            if not self._incoming:
                self._pass_time()
        raise AssertionError("no verdict")

    def _leave(self) -> None:
        self._monitor.close(Side.CLIENT, self.clock.now())
        self.case_run.client_closed()

    def _speak(self) -> None:
        if (said := self._fault.says(self.client.take())) and not self._gone:
            self._monitor.receive(Side.CLIENT, said, self.clock.now())
            self.case_run.receive(said)

    def _receive(self, data: bytes | None) -> None:
        if data is None:
            self._monitor.close(Side.SERVER, self.clock.now())
        else:
            self._monitor.receive(Side.SERVER, data, self.clock.now())
        self._take(data)

    def _take(self, data: bytes | None) -> None:
        self._quiet = 0.0
        if data is None:
            if not self._fault.stays():
                self.client.lose()
            return
        heard = self._fault.hears(data)
        if not self.client.closed:
            try:
                self.client.receive(heard)
            except Malformed as error:
                self.client.talk.tell(error)

    def _pass_time(self) -> None:
        self._quiet += TICK
        self.case_run.pass_time(TICK)
        self.clock.pass_time(TICK)
        self._monitor.pass_time(self.clock.now(), PATIENCE)

    def watch_on(self) -> None:
        """Advance the clock after the result, and close the client's end if its match is over."""
        case = self.case_run.case
        for _ in range(int((max(PATIENCE, case.held * case.speed) + 1.0) / TICK)):
            self._pass_time()
        if self._fault.over is not None:
            self._monitor.close(Side.CLIENT, self.clock.now())


class ExaminedInSequence(Examined):
    """A client that gets its cases from an examiner."""

    def __init__(self, examiner: Examiner, dialect: str, fault: Flawless, game: str = "", seed: int = 1) -> None:
        assert examiner.next_case is not None, "there is a case to do"
        self._examiner = examiner
        super().__init__(dialect, examiner.next_case, seed, fault, game)

    def _begin(self, dialect: str, case: Case, seed: int, game: str) -> CaseRun:
        case_run = self._examiner.begin(cast("ClientConnection", self))
        assert case_run is not None
        return case_run

    def send(self, data: bytes) -> None:
        self._send(data)

    def end(self) -> None:
        self._send(None)

    def drop(self) -> None:
        """Do nothing: there is no socket."""

    def _pass_time(self) -> None:
        self._quiet += TICK
        self._examiner.pass_time(TICK)
        self.clock.pass_time(TICK)
        self._monitor.pass_time(self.clock.now(), PATIENCE)


def examine_all(
    dialect: str, fault: Callable[[str], Flawless] = Flawless, only: str = "", game: str = "", seed: int = 1
) -> list[CheckResult]:
    """Run all cases with a client like `boardwire check-client`; return the results. `seed` is the client's."""
    chosen = [case for case in cases(dialect, game) if only in case.name]
    examiner = Examiner(dialect, chosen, PATIENCE, PATIENCE, json=True, game=game)
    while not examiner.is_done:
        ExaminedInSequence(examiner, dialect, fault(dialect), game, seed).run()
        seed += 1
    return examiner.results()


def examine(dialect: str, case: Case, seed: int = 1, fault: Flawless | None = None, game: str = "") -> Examined:
    """Run a case and its repetitions; return the last run."""
    attempt = 0
    while True:
        examined = Examined(dialect, case, seed + attempt, fault or Flawless(dialect), game)
        examined.run()
        attempt += 1
        if not examined.case_run.missed or attempt == case.tries:
            return examined
