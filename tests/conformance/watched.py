"""Whole matches between our own clients and server, with a monitor on each connection and no sockets."""

from __future__ import annotations

from random import Random
from typing import Any

from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import MessageRecord, Monitor, Record
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer

PATIENCE = 3.0
"""Timeout in seconds for a reply of the server."""


class Person:
    """A player that answers at random or like a bot, perhaps after seconds of thought; it may leave after a number of
    questions."""

    def __init__(self, rng: Random, bot: str = "random", leaves: int = 0, thinks: float = 0.0) -> None:
        self._rng = rng
        self._thinks = thinks
        self._asked: Ask | None = None
        self._bot = BOTS[bot]
        self._left = leaves
        self.over: Over | None = None
        self.gone = False

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Over):
            self.over, self._asked = notification, None
        elif isinstance(notification, Ask) and not self.gone:
            self._left -= 1
            self.gone = self._left == 0
            self._asked = notification
            if self.gone:
                client.hang_up()
            elif self._thinks:
                client.clock.later(self._thinks, lambda: self._answer(client, notification))
            else:
                self._answer(client, notification)

    def _answer(self, client: SimulatedClient, asked: Ask) -> None:
        if asked is self._asked:
            choice = self._bot.choose(asked.view, asked.decision, self._rng.randrange, BUDGET)
            client.talk.tell(Answer(choice))


class Table:
    """Clients of one server, each with a monitor."""

    def __init__(self, seed: int, think: float = 0.0, **terms: Any) -> None:
        """`think`: see `Monitor`."""
        self._think = think
        self.server = SimulatedServer(seed=seed, **terms)
        self.rng = Random(seed)
        self.group = WatcherGroup()
        self.records: list[Record] = []
        self.pairs: list[tuple[SimulatedClient, SimulatedConnection, Monitor]] = []
        self.people: list[Person] = []

    @property
    def findings(self) -> list[Finding]:
        return [record for record in self.records if isinstance(record, Finding)]

    @property
    def said(self) -> list[MessageRecord]:
        return [record for record in self.records if isinstance(record, MessageRecord)]

    def join(
        self,
        dialect: str,
        name: str,
        players: int = 2,
        settings: dict[str, str] | None = None,
        *,
        bot: str = "random",
        leaves: int = 0,
        thinks: float = 0.0,
    ) -> None:
        """Add a client. `leaves`: number of questions after which it leaves; `thinks`: seconds before a reply."""
        person = Person(self.rng, bot, leaves, thinks)
        peer = self.server.connect(dialect)
        client = SimulatedClient(dialect, person, ClientOptions(name, players, settings or {}), self.server.clock)
        monitor = Monitor(dialect, self.group, len(self.pairs) + 1, self.records.append, self._think, rulings=True)
        monitor.start(self.server.clock.now())
        self.pairs.append((client, peer, monitor))
        self.people.append(person)
        self.carry()

    @property
    def over(self) -> bool:
        """Whether every player who stayed got the end of the match."""
        return all(person.over is not None or person.gone for person in self.people)

    def pass_time(self, seconds: float) -> None:
        """Advance the clocks of all players and monitors."""
        self.server.clock.pass_time(seconds)
        self.carry()
        for _, _, monitor in self.pairs:
            monitor.pass_time(self.server.clock.now(), PATIENCE)

    def carry(self, steps: int = 200_000) -> None:
        """Exchange bytes until none are left."""
        for _ in range(steps):
            busy = False
            for client, peer, monitor in self.pairs:
                now = self.server.clock.now()
                if said := client.take():
                    busy = True
                    monitor.receive(Side.CLIENT, said, now)
                    peer.send(said)
                if received := peer.take():
                    busy = True
                    monitor.receive(Side.SERVER, received, now)
                    client.receive(received)
                if peer.closed and not client.closed and not peer.output:
                    busy = True
                    monitor.close(Side.SERVER, now)
                    client.lose()
                if client.closed and not peer.closed and not client.output:
                    busy = True
                    monitor.close(Side.CLIENT, now)
                    peer.drop()
            if not busy:
                return
        raise AssertionError("has not settled")
