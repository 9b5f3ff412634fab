"""A client of one protocol on a simulated server of another, with a bridge between them and without sockets."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from boardwire import dialects
from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.bridge.bridge import Bridge
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over
from boardwire.errors import Refused
from boardwire.games.game import Decision
from boardwire.games.santorini.actions import ProposeGod
from boardwire.games.santorini.powers.catalogue import God
from boardwire.simulation.server import ConnectionEnd, SimulatedClient, SimulatedServer, carry
from boardwire.table.guest import Guest
from boardwire.table.match import Match
from boardwire.talk import Gone, Talk
from boardwire.wire.codec import feed

PLAIN_GODS = {God.APOLLO, God.ARTEMIS, God.ATHENA, God.ATLAS, God.DEMETER, God.HEPHAESTUS, God.MINOTAUR, God.PAN,
              God.PROMETHEUS}  # fmt: skip
"""The gods that every protocol of Santorini has."""


class Person:
    """Answers questions at random."""

    def __init__(self, luck: Random, bot: str = "random") -> None:
        self._luck = luck
        self._bot = BOTS.get(bot)
        """None: the test answers."""
        self.over: Over | None = None
        self.asked: list[Ask] = []
        self._refused: list[Any] = []
        self.refusals: list[str] = []
        self._answer: Any = None
        self.gods = PLAIN_GODS
        """The gods that it proposes, if it can."""

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            self.asked.append(notification)
            if notification.again:
                self.refusals.append(notification.again)
            if self._bot is None:
                return
            self._refused = [*self._refused, self._answer] if notification.again else []
            assert len(self._refused) < 200, self.refusals[-1]
            choices = [one for one in notification.decision.choices if one not in self._refused]
            known = [one for one in choices if not isinstance(one, ProposeGod) or one.god in self.gods]
            left: Decision[Any] = replace(
                notification.decision, choices=known or choices or tuple(notification.decision.choices)
            )
            self._answer = self._bot.choose(notification.view, left, self._luck.randrange, BUDGET)
            client.talk.tell(Answer(self._answer))
        elif isinstance(notification, Over):
            self.over = notification

    def answer(self, client: SimulatedClient, action: Any) -> None:
        """Give an answer that a test chooses."""
        client.talk.tell(Answer(action))


class NearPeer(ConnectionEnd):
    """The adapter's end of the client's connection."""

    def __init__(self, world: World, near: Dialect, far: Dialect) -> None:
        super().__init__(world.server.clock)
        self.dialect = near
        self._decoder = near.decoder()
        self._guest = Guest(lambda notification: self.talk.tell(notification), close=lambda reason: self.hang_up())
        self.bridge = Bridge(self._guest, near, far, world.server.clock, self._call, world.told.append)
        self._world = world
        self._far = far
        self.far: FarClient | None = None
        self.talk = Talk(near.serve, self)
        if near.greeting:
            self.write(near.greeting)
        self.talk.start()

    def _call(self, seating: ClientOptions) -> None:
        if not self._world.reachable:
            self.bridge.failed(Refused("no answer"))
            return
        self.far = FarClient(self._world, self._far, seating, self.bridge)
        self._world.pairs.append((self.far.client, self.far.peer))
        self.bridge.connected(self.far)

    def send(self, data: bytes) -> None:
        if not self.closed and (reason := feed(self._decoder, data, self.talk.receive)) is not None:
            self.talk.tell(reason)

    def drop(self) -> None:
        if not self.closed:
            self._stop()
            self.bridge.disconnected()
            self.talk.tell(Gone())
            self.talk.close()

    def do(self, request: Any) -> None:
        if not self.closed:
            self.bridge.do(request)

    def hang_up(self) -> None:
        if not self.closed:
            self._stop()
            self.bridge.disconnected()


class FarClient:
    """Our client on the foreign server."""

    def __init__(self, world: World, dialect: Dialect, seating: ClientOptions, bridge: Bridge) -> None:
        self.peer = world.server.connect(dialect)
        self.client = SimulatedClient(
            dialect, lambda client, notification: bridge.receive(notification), seating, world.server.clock
        )
        self.tamper: Callable[[Any], Any] | None = None
        """Changes what is said to the foreign server."""

    def answer(self, action: Any) -> None:
        self.client.talk.tell(Answer(action if self.tamper is None else self.tamper(action)))

    def hang_up(self) -> None:
        self.client.talk.close()
        self.client._stop()


class World:
    """A foreign server, its clients, and clients that are connected through a bridge."""

    def __init__(self, seed: int, server: Any = None) -> None:
        self.server: Any = server if server is not None else SimulatedServer(seed=seed)
        """The foreign server: one of ours, or a model of an original."""
        self.luck = Random(seed)
        self.told: list[str] = []
        self.reachable = True
        self.pairs: list[tuple[SimulatedClient, Any]] = []
        self.people: list[Person] = []
        self.bridges: list[Bridge] = []
        self.near: list[tuple[SimulatedClient, NearPeer]] = []

    def join(self, dialect: str, name: str, players: int, settings: dict[str, str], bot: str = "random") -> Person:
        """A client of the foreign server."""
        person = Person(self.luck, bot)
        peer = self.server.connect(dialect)
        client = SimulatedClient(dialect, person, ClientOptions(name, players, settings), self.server.clock)
        self.pairs.append((client, peer))
        self.people.append(person)
        self.carry()
        return person

    def adapt(self, near: str, far: str, name: str, players: int, settings: dict[str, str],
              bot: str = "random") -> Person:  # fmt: skip
        """A client of another protocol."""
        person = Person(self.luck, bot)
        peer = NearPeer(self, dialects.dialect(near), dialects.dialect(far))
        client = SimulatedClient(near, person, ClientOptions(name, players, settings), self.server.clock)
        self.bridges.append(peer.bridge)
        self.near.append((client, peer))
        self.pairs.append((client, peer))
        self.people.append(person)
        self.near_person = person
        self.carry()
        return person

    def pass_time(self, seconds: float) -> None:
        """Advance the clock."""
        self.server.clock.pass_time(seconds)
        self.carry()

    def carry(self, steps: int = 100_000) -> None:
        """Carry bytes until both sides are silent."""
        for _ in range(steps):
            if not carry(tuple(self.pairs)):  # new connections join in the next round
                return
        raise AssertionError("has not settled")

    @property
    def foreign(self) -> Match:
        """The match on the foreign server."""
        match: Match = self.server.match()
        return match

    @property
    def mirror(self) -> Match:
        """The local match of the last bridge, which follows the foreign one."""
        table = self.bridges[-1]._table
        assert table is not None
        return table.match
