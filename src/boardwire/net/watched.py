"""A connection that somebody looks at: what passes is told to an ear, after it was said or before it is read.

It is a class of its own, so that connections nobody looks at have not even a question to ask: the node opens its doors
with the one or with the other.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from boardwire.dialects.dialect import Dialect
from boardwire.net.connection import Connection
from boardwire.net.connections import Crowd
from boardwire.table.guest import Guest


class Ear(Protocol):
    """Hears of one connection."""

    def client(self, data: bytes, /) -> None:
        """The client has sent bytes."""

    def server(self, data: bytes, /) -> None:
        """They were sent to it."""

    def client_left(self, /, *, reset: bool) -> None:
        """The client is gone, or has let go."""

    def server_left(self) -> None:
        """The server has ended it."""


class Listener(Protocol):
    """Gives an ear to each connection."""

    def open(self, dialect: str, address: str, guest: Guest, /) -> Ear: ...


class WatchedConnection(Connection):
    """See the module."""

    __slots__ = ("_ear", "_listener")

    def __init__(self, dialect: Dialect, crowd: Crowd, listener: Listener, address: str = "") -> None:
        super().__init__(dialect, crowd, address)
        self._listener = listener
        self._ear: Ear | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # what is said here is sent at the end of the turn
        if self._guest is not None:
            self._ear = self._listener.open(self._dialect.name, self.address, self._guest)

    def data_received(self, data: bytes) -> None:
        if self._ear is not None and not self._closing:
            self._ear.client(data)
        super().data_received(data)

    def flush(self) -> None:
        said = b"".join(self._out)
        if self._ear is not None and said:
            self._ear.server(said)
        super().flush()

    def hang_up(self) -> None:
        ends = not self._closing
        super().hang_up()
        if self._ear is not None and ends:
            self._ear.server_left()

    def connection_lost(self, error: Exception | None) -> None:
        if self._ear is not None:
            self._ear.client_left(reset=error is not None)
            self._ear = None
        super().connection_lost(error)
