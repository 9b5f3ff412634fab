"""Our own clients, for protocols whose only programs are ours: native, and the document's eriantys-messages."""

from __future__ import annotations

from random import Random
from typing import Any

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.games.santorini.actions import Move
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient

from .client import BROKEN_OFF, DRAWN, LOST, WON

RESULTS = {Result.WON: WON, Result.LOST: LOST, Result.DRAWN: DRAWN, Result.BROKEN_OFF: BROKEN_OFF}


class Own:
    """The same connection as a `StrictClient` has."""

    fault = ""

    def __init__(self, door: str, name: str, seats: int, luck: Random, settings: dict[str, str], clock: ManualClock):
        self.name, self.result, self._luck = name, "", luck
        self._client = SimulatedClient(door, self._hear, ClientOptions(name, seats, settings), clock)
        self.take, self.receive, self.lose = self._client.take, self._client.receive, self._client.lose

    @property
    def closed(self) -> bool:
        return self._client.closed

    def idle(self) -> None:
        """Its timers go by the clock."""

    def _hear(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(self._choice(notification)))
        elif isinstance(notification, Over):
            self.result = RESULTS[notification.result]

    def _choice(self, ask: Ask) -> Any:
        choices = list(ask.decision.choices)
        self._luck.shuffle(choices)
        moves = [one for one in choices if isinstance(one, Move)]
        return max(moves, key=lambda one: ask.view.levels[one.to]) if moves else choices[0]
