"""A client and a case, without sockets: our own client, or one that has a fault."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from boardwire import dialects
from boardwire.bots.bot import BUDGET
from boardwire.bots.house import BOTS
from boardwire.clients.checks.check import Finding
from boardwire.clinic.cases import Case, Goal
from boardwire.clinic.trial import Trial
from boardwire.dialects.dialect import Answer, Ask, Seating
from boardwire.errors import Malformed
from boardwire.testing.house import Client
from boardwire.testing.time import ManualClock

Change = Callable[[bytes], bytes]


class Examined:
    """A client under examination; `sends` and `hears` are its faults, `stays` keeps it from closing."""

    def __init__(self, dialect: str, case: Case, seed: int, sends: Change, hears: Change, stays: bool) -> None:
        self._luck = Random(seed)
        self._answers: list[Any] = []
        self._refused: list[Any] = []
        self._incoming: list[bytes | None] = []
        self._sends, self._hears, self._stays = sends, hears, stays
        self.clock = ManualClock()
        self.trial = Trial(
            dialect, case, self._incoming.append, lambda: self._incoming.append(None), wait=3.0, think=3.0, seed=seed
        )
        self.client = Client(
            dialects.dialect(dialect), self._hear, Seating("examinee", case.others + 1, case.settings), self.clock
        )

    def _hear(self, client: Client, news: Any) -> None:
        if isinstance(news, Ask):
            self._refused = self._refused if news.again else []
            left = [one for one in news.decision.choices if one not in self._refused] or list(news.decision.choices)
            bot = BOTS["random" if self._refused or self.trial.case.goal in (Goal.LOST, Goal.DRAWN) else "greedy"]

            choice = bot.choose(news.view, replace(news.decision, choices=left), self._luck.randrange, BUDGET)
            self._refused = [*self._refused, choice]
            client.talk.tell(Answer(choice))

    def run(self, most: int = 400_000) -> Finding:
        """Let time pass until there is a verdict."""
        gone = False
        for _ in range(most):
            if self.trial.found is not None:
                return self.trial.found
            if said := self.client.take():
                self.trial.hear(self._sends(said))
            while self._incoming and not self.client.closed:
                data = self._incoming.pop(0)
                if data is None:
                    if not self._stays:
                        self.client.lose()
                elif heard := self._hears(data):
                    try:
                        self.client.receive(heard)
                    except Malformed as error:
                        self.client.talk.tell(error)
                if said := self.client.take():
                    self.trial.hear(self._sends(said))
            if self.client.closed and not gone and not self._stays:
                gone = True
                self.trial.left()
            if not self._incoming or self.client.closed:
                self.trial.pass_time(0.01)
                self.clock.pass_time(0.01)
        raise AssertionError("no verdict")


def examine(
    dialect: str,
    case: Case,
    seed: int = 0,
    sends: Change = lambda data: data,
    hears: Change = lambda data: data,
    stays: bool = False,
) -> Finding:
    """What a case finds in a client, as often as it is to be tried."""
    attempt = 0
    while True:
        examined = Examined(dialect, case, seed + attempt, sends, hears, stays)
        verdict = examined.run()
        attempt += 1
        if not examined.trial.missed or attempt == case.tries:
            return verdict
