"""A whole server without sockets: a lobby with a journal in memory, and peers that speak to it in any dialect.

house = House(seed=1)
ann, bob = house.connect("tris-lines"), house.connect("tris-lines")
ann.send(b"4\\n")
assert bob.take() == b"READY\\n0,0,0,0,1,0,0,0,0,\\n"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from boardwire import dialects
from boardwire.dialects.dialect import Dialect, Seating
from boardwire.lobby.lobby import Lobby
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Event
from boardwire.table.guest import Guest
from boardwire.table.match import Match, fold
from boardwire.table.policy import Policy
from boardwire.table.ports import Bots
from boardwire.talk import Gone, Script, Talk, Timers, Woke
from boardwire.wire.codec import feed


class House:
    """Tables, time and luck under a test's control."""

    def __init__(
        self,
        seed: int | None = None,
        deals: Iterable[Any] = (),
        *,
        own_tables: bool = False,
        bots: Bots | None = None,
        limit: int = 0,
        policy: Policy = Policy(),  # noqa: B008 - a frozen value
    ) -> None:
        self.journal = MemoryJournal()
        self.clock = ManualClock()
        dealer = ScriptedDealer(deals, seed)
        names = CountedNames()
        self.lobby = Lobby(
            self.journal, self.clock, dealer, names, bots, own_tables=own_tables, limit=limit, policy=policy
        )

    def connect(self, dialect: str | Dialect) -> Peer:
        """A new connection to the port of `dialect`."""
        return Peer(self, dialects.dialect(dialect) if isinstance(dialect, str) else dialect)

    def events(self, match: str = "match-1") -> list[Event]:
        """The journal of a match."""
        return list(self.journal.read(match))

    def match(self, match: str = "match-1") -> Match:
        """A match, as its journal says."""
        return fold(self.journal.read(match))


class _Host:
    """What both ends have in common: an outbox, timers, an end."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self._timers = Timers(clock.now, clock.later, lambda name: self.talk.tell(Woke(name)))
        self._out = bytearray()
        self.closed = False
        self.faults: list[Exception] = []
        self.talk: Talk[Any]

    def write(self, data: bytes) -> None:
        """See `boardwire.talk.Host`."""
        if not self.closed:
            self._out += data

    def wake(self, seconds: float, name: str) -> None:
        """See `boardwire.talk.Host`."""
        self._timers.set(seconds, name)

    def take(self) -> bytes:
        """What was said since the last time."""
        said = bytes(self._out)
        self._out.clear()
        return said

    def fault(self, error: Exception) -> None:
        """A fault in a script is a failure of the test."""
        self.faults.append(error)
        raise error

    def _stop(self) -> None:
        self.closed = True
        self._timers.stop()


class Door(Protocol):
    """Whom guests ask for something."""

    def do(self, guest: Guest, request: Any, /) -> None: ...
    def goodbye(self, guest: Guest, /) -> None: ...


class Place(Protocol):
    """What a peer is connected to: a house, or whatever stands for one."""

    @property
    def clock(self) -> ManualClock: ...
    @property
    def lobby(self) -> Door: ...


class Peer(_Host):
    """The server's end of one connection, and what a client on the other end would send and get."""

    def __init__(self, house: Place, dialect: Dialect) -> None:
        super().__init__(house.clock)
        self._house = house
        self._decoder = dialect.decoder()
        self.dialect = dialect
        self.talk = Talk(dialect.serve, self)
        self._guest = Guest(self.talk.tell, close=lambda reason: self.drop())
        if dialect.greeting:
            self.write(dialect.greeting)
        self.talk.start()

    def send(self, data: bytes) -> None:
        """The client sends bytes."""
        if not self.closed and (reason := feed(self._decoder, data, self.talk.receive)) is not None:
            self.talk.tell(reason)

    def drop(self) -> None:
        """The connection is lost."""
        if not self.closed:
            self._stop()
            self._house.lobby.goodbye(self._guest)
            self.talk.tell(Gone())
            self.talk.close()

    def do(self, request: Any) -> None:
        """See `boardwire.talk.Host`."""
        if not self.closed:
            self._house.lobby.do(self._guest, request)

    def hang_up(self) -> None:
        """See `boardwire.talk.Host`."""
        if not self.closed:
            self._stop()
            self._house.lobby.goodbye(self._guest)


class Client(_Host):
    """A dialect's client end, without a socket.  `player` gets its news and may answer with `client.talk.tell`."""

    def __init__(
        self,
        dialect: str | Dialect,
        player: Callable[[Client, Any], None],
        seating: Seating | None = None,
        clock: ManualClock | None = None,
    ) -> None:
        super().__init__(clock if clock is not None else ManualClock())
        self.dialect = dialects.dialect(dialect) if isinstance(dialect, str) else dialect
        self._decoder = (self.dialect.replies or self.dialect.decoder)()
        self._player = player
        script: Script = self.dialect.play(seating if seating is not None else Seating())
        self.talk = Talk(script, self)
        if self.dialect.greeting:
            self.write(self.dialect.greeting)
        self.talk.start()

    def receive(self, data: bytes) -> None:
        """The server sends bytes."""
        for message in self._decoder.feed(data):
            self.talk.receive(message)

    def lose(self) -> None:
        """The server closes the connection."""
        if not self.closed:
            self.talk.tell(Gone())

    def do(self, news: Any) -> None:
        """See `boardwire.talk.Host`."""
        self._player(self, news)

    def hang_up(self) -> None:
        """See `boardwire.talk.Host`."""
        self._stop()


def carry(pairs: Iterable[tuple[Client, Peer]]) -> bool:
    """Carry what each client and its peer have to say to the other, once; whether anybody said anything."""
    busy = False
    for client, peer in pairs:
        said, told = client.take(), peer.take()
        if said:
            busy = True
            peer.send(said)
        if told:
            busy = True
            client.receive(told)
        if peer.closed and not client.closed and not peer._out:
            busy = True
            client.lose()
        if client.closed and not peer.closed and not client._out:
            busy = True
            peer.drop()
    return busy


def play_together(house: House, clients: Iterable[tuple[Client, Peer]], steps: int = 100_000) -> None:
    """Carry bytes between clients and peers until nobody has anything to say.  Fails if that never happens."""
    pairs = list(clients)
    for _ in range(steps):
        if not carry(pairs):
            return
    raise AssertionError(f"still talking after {steps} rounds")
