"""Whole matches between our own clients and our own server, each connection with a monitor, and without a socket."""

from __future__ import annotations

from random import Random
from typing import Any

from boardwire import dialects
from boardwire.bots.bot import BUDGET
from boardwire.bots.house import BOTS
from boardwire.clinic.finding import Finding, Side
from boardwire.clinic.monitor import Monitor, Record, Said
from boardwire.clinic.watchers.watcher import Room
from boardwire.dialects.dialect import Answer, Ask, Over, Seating
from boardwire.testing.house import Client, House


class Person:
    """Answers whatever it is asked by luck, or as a bot would."""

    def __init__(self, luck: Random, bot: str = "random") -> None:
        self.luck = luck
        self.bot = BOTS[bot]
        self.over: Over | None = None

    def __call__(self, client: Client, news: Any) -> None:
        if isinstance(news, Ask):
            client.talk.tell(Answer(self.bot.choose(news.view, news.decision, self.luck.randrange, BUDGET)))
        elif isinstance(news, Over):
            self.over = news


class Table:
    """Clients at one server, with a monitor between each and it."""

    def __init__(self, seed: int, **terms: Any) -> None:
        self.house = House(seed=seed, **terms)
        self.luck = Random(seed)
        self.room = Room()
        self.records: list[Record] = []
        self.pairs: list[tuple[Client, Any, Monitor | None]] = []
        self.people: list[Person] = []

    @property
    def findings(self) -> list[Finding]:
        return [record for record in self.records if isinstance(record, Finding)]

    @property
    def said(self) -> list[Said]:
        return [record for record in self.records if isinstance(record, Said)]

    def join(
        self, dialect: str, name: str, players: int = 2, settings: dict[str, str] | None = None, *, watched: bool = True
    ) -> None:
        """One more client."""
        person = Person(self.luck)
        peer = self.house.connect(dialect)
        seating = Seating(name, players, settings or {})
        if not dialects.dialect(dialect).game:
            watched = False
        client = Client(dialect, person, seating, self.house.clock)
        monitor = Monitor(dialect, self.room, len(self.pairs) + 1, self.records.append) if watched else None
        self.pairs.append((client, peer, monitor))
        self.people.append(person)
        self.carry()

    def carry(self, steps: int = 200_000) -> None:
        """Carry bytes until nobody has anything to say."""
        for _ in range(steps):
            busy = False
            for client, peer, monitor in self.pairs:
                now = self.house.clock.now()
                if said := client.take():
                    busy = True
                    if monitor is not None:
                        monitor.hear(Side.CLIENT, said, now)
                    peer.send(said)
                if told := peer.take():
                    busy = True
                    if monitor is not None:
                        monitor.hear(Side.SERVER, told, now)
                    client.receive(told)
                if peer.closed and not client.closed and not peer._out:
                    busy = True
                    if monitor is not None:
                        monitor.close(Side.SERVER, now)
                    client.lose()
                if client.closed and not peer.closed and not client._out:
                    busy = True
                    if monitor is not None:
                        monitor.close(Side.CLIENT, now)
                    peer.drop()
            if not busy:
                return
        raise AssertionError("still talking")
