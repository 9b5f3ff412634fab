"""Server without sockets: a lobby with an in-memory journal, and connections in any dialect.

Two clients take the seats of a table, and the first one moves::

    server = SimulatedServer(seed=1)
    ann, bob = server.connect("tris-lines"), server.connect("tris-lines")
    ann.send(b"4\\n")
    assert bob.take() == b"READY\\n0,0,0,0,1,0,0,0,0,\\n"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from boardwire import dialects
from boardwire.dialects.dialect import ClientOptions, Dialect
from boardwire.games.game import Seat
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


class SimulatedServer:
    """A lobby whose clock and chance the caller controls."""

    def __init__(
        self,
        seed: int | None = None,
        deals: Iterable[Any] = (),
        *,
        own_tables: bool = False,
        bots: Bots | None = None,
        limit: int = 0,
        policy: Policy = Policy(),
    ) -> None:
        self.journal = MemoryJournal()
        self.clock = ManualClock()
        dealer = ScriptedDealer(deals, seed)
        names = CountedNames()
        self.lobby = Lobby(
            self.journal, self.clock, dealer, names, bots, own_tables=own_tables, limit=limit, policy=policy
        )

    def connect(self, dialect: str | Dialect) -> SimulatedConnection:
        """Open a connection that speaks `dialect`."""
        return SimulatedConnection(self, dialects.dialect(dialect) if isinstance(dialect, str) else dialect)

    def events(self, match: str = "match-1") -> list[Event]:
        """Return the events of a match."""
        return list(self.journal.read(match))

    def match(self, match: str = "match-1") -> Match:
        """Return a match, folded from its events."""
        return fold(self.journal.read(match))


class ConnectionEnd:
    """Base class of both ends of a connection: output, timers, close."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self._timers = Timers(clock.now, clock.later, lambda name: self.talk.tell(Woke(name)))
        self.output = bytearray()
        """Bytes that the other end has not taken yet."""
        self.closed = False
        self.faults: list[Exception] = []
        self.talk: Talk[Any]

    def write(self, data: bytes) -> None:
        """Implement `boardwire.talk.ScriptHost`."""
        if not self.closed:
            self.output += data

    def wake(self, seconds: float, name: str) -> None:
        """Implement `boardwire.talk.ScriptHost`."""
        self._timers.set(seconds, name)

    def take(self) -> bytes:
        """Return and clear the output."""
        data = bytes(self.output)
        self.output.clear()
        return data

    def fault(self, error: Exception) -> None:
        """Re-raise the exception of a script, so that the test fails."""
        self.faults.append(error)
        raise error

    def _stop(self) -> None:
        self.closed = True
        self._timers.stop()


class LobbyPort(Protocol):
    """The part of a lobby that connections use."""

    def do(self, guest: Guest, request: Any, /) -> None: ...
    def disconnected(self, guest: Guest, /) -> None: ...


class ServerPort(Protocol):
    """The part of a server that connections use."""

    @property
    def clock(self) -> ManualClock: ...
    @property
    def lobby(self) -> LobbyPort: ...


class SimulatedConnection(ConnectionEnd):
    """The server's end of one connection, with the methods of the client's socket."""

    def __init__(self, server: ServerPort, dialect: Dialect, reserved: tuple[str, Seat] | None = None) -> None:
        super().__init__(server.clock)
        self._server = server
        self._decoder = dialect.decoder()
        self.dialect = dialect
        self.talk = Talk(dialect.serve, self)
        self.guest = Guest(self.talk.tell, close=lambda reason: self.drop())
        self.guest.reserved_seat = reserved
        if dialect.greeting:
            self.write(dialect.greeting)
        self.talk.start()

    def send(self, data: bytes) -> None:
        """Receive bytes from the client."""
        if not self.closed and (reason := feed(self._decoder, data, self.talk.receive)) is not None:
            self.talk.tell(reason)

    def drop(self) -> None:
        """End the connection, as if the client had closed it."""
        if not self.closed:
            self._stop()
            self._server.lobby.disconnected(self.guest)
            self.talk.tell(Gone())
            self.talk.close()

    def do(self, request: Any) -> None:
        """Implement `boardwire.talk.ScriptHost`."""
        if not self.closed:
            self._server.lobby.do(self.guest, request)

    def hang_up(self) -> None:
        """Implement `boardwire.talk.ScriptHost`."""
        if not self.closed:
            self._stop()
            self._server.lobby.disconnected(self.guest)


class SimulatedClient(ConnectionEnd):
    """The client's end of a dialect.

    `player` is called with the client and each notification; it answers with `client.talk.tell`.
    """

    def __init__(
        self,
        dialect: str | Dialect,
        player: Callable[[SimulatedClient, Any], None],
        seating: ClientOptions | None = None,
        clock: ManualClock | None = None,
    ) -> None:
        super().__init__(clock if clock is not None else ManualClock())
        self.dialect = dialects.dialect(dialect) if isinstance(dialect, str) else dialect
        self._decoder = (self.dialect.replies or self.dialect.decoder)()
        self._player = player
        script: Script = self.dialect.play(seating if seating is not None else ClientOptions())
        self.talk = Talk(script, self)
        if self.dialect.greeting:
            self.write(self.dialect.greeting)
        self.talk.start()

    def receive(self, data: bytes) -> None:
        """Receive bytes from the server."""
        for message in self._decoder.feed(data):
            self.talk.receive(message)

    def lose(self) -> None:
        """End the connection, as if the server had closed it."""
        if not self.closed:
            self.talk.tell(Gone())

    def do(self, notification: Any) -> None:
        """Implement `boardwire.talk.ScriptHost`."""
        self._player(self, notification)

    def hang_up(self) -> None:
        """Implement `boardwire.talk.ScriptHost`."""
        self._stop()


def carry(pairs: Iterable[tuple[SimulatedClient, SimulatedConnection]]) -> bool:
    """Exchange the output of each client and its connection once; return whether there was any."""
    busy = False
    for client, peer in pairs:
        upstream, downstream = client.take(), peer.take()
        if upstream:
            busy = True
            peer.send(upstream)
        if downstream:
            busy = True
            client.receive(downstream)
        if peer.closed and not client.closed and not peer.output:
            busy = True
            client.lose()
        if client.closed and not peer.closed and not client.output:
            busy = True
            peer.drop()
    return busy


def play_together(
    server: SimulatedServer, clients: Iterable[tuple[SimulatedClient, SimulatedConnection]], steps: int = 100_000
) -> None:
    """Exchange output between clients and connections until there is none.

    Raise `AssertionError` if there is still output after `steps` rounds.
    """
    pairs = list(clients)
    for _ in range(steps):
        if not carry(pairs):
            return
    raise AssertionError(f"the conversation has not come to rest after {steps} rounds")
