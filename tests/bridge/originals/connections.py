"""Connections of a model server: bytes in and out, without sockets."""

from __future__ import annotations

from random import Random
from typing import Any

from boardwire import dialects
from boardwire.dialects.dialect import Dialect
from boardwire.simulation.clock import ManualClock
from boardwire.wire.codec import feed


class Connection:
    """The server's end of one connection; `boardwire.simulation.server.carry` moves its bytes."""

    def __init__(self, server: Original, dialect: Dialect) -> None:
        self.server = server
        self.dialect = dialect
        self._decoder = dialect.decoder()
        self.output = bytearray(dialect.greeting)
        self.closed = False
        self.name = ""

    def write(self, data: bytes) -> None:
        """Queue bytes for the client."""
        if not self.closed:
            self.output += data

    def take(self) -> bytes:
        """Return and clear what the server has written."""
        said = bytes(self.output)
        self.output.clear()
        return said

    def send(self, data: bytes) -> None:
        """Receive bytes of the client."""
        if not self.closed:
            fault = feed(self._decoder, data, lambda message: self.server.heard(self, message))
            assert fault is None, fault

    def drop(self) -> None:
        """Lose the connection."""
        if not self.closed:
            self.closed = True
            self.server.left(self)

    def close(self) -> None:
        """Close the connection from the server's side."""
        self.closed = True


class Original:
    """Base of the model servers: one match, whose players join in the order of their logins."""

    name = ""
    """The dialect that clients of this server speak."""

    def __init__(self, seed: int) -> None:
        self.clock = ManualClock()
        self.luck = Random(f"original {seed}")
        self.connections: list[Connection] = []
        self.results: dict[str, str] = {}
        """What each player has been told of the end, by name."""
        self.broken: list[str] = []
        """Faults of the original that this match ran into."""

    def connect(self, dialect: str | Dialect) -> Connection:
        """Accept a connection."""
        found = dialects.dialect(dialect) if isinstance(dialect, str) else dialect
        connection = Connection(self, found)
        self.connections.append(connection)
        self.accepted(connection)
        return connection

    def accepted(self, connection: Connection) -> None:
        """A client has connected."""

    def heard(self, connection: Connection, message: Any) -> None:
        """A client has sent a message."""
        raise NotImplementedError

    def left(self, connection: Connection) -> None:
        """A client has disconnected."""
        raise NotImplementedError

    def fault(self, text: str) -> None:
        """Note that the match has run into a fault of the original."""
        if text not in self.broken:
            self.broken.append(text)
