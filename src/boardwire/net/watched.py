"""A connection that reports its traffic to an observer, for the inspector.

It is a separate class, chosen when the node opens a port, so that other connections have no overhead.
"""

from __future__ import annotations

from typing import Protocol

from boardwire.dialects.dialect import Dialect
from boardwire.games.game import Seat
from boardwire.net.connection import Connection
from boardwire.net.connections import Connections
from boardwire.table.guest import Guest


class ConnectionObserver(Protocol):
    """Observes one connection."""

    def note_client_data(self, data: bytes, /) -> None:
        """The client sent bytes."""

    def note_server_data(self, data: bytes, /) -> None:
        """The server sent bytes."""

    def client_left(self, /, *, reset: bool) -> None:
        """The client disconnected."""

    def server_left(self) -> None:
        """The server closed the connection."""


class Observers(Protocol):
    """Provides an observer for each connection."""

    def open(self, dialect: str, address: str, guest: Guest, /) -> ConnectionObserver: ...


class WatchedConnection(Connection):
    """A connection that reports to its observer."""

    __slots__ = ("_has_hung_up", "_observer", "_observers")

    def __init__(
        self,
        dialect: Dialect,
        connections: Connections,
        observers: Observers,
        address: str = "",
        *,
        reserved_seat: tuple[str, Seat] | None = None,
    ) -> None:
        super().__init__(dialect, connections, address, reserved_seat=reserved_seat)
        self._observers = observers
        self._observer: ConnectionObserver | None = None
        self._has_hung_up = False

    def _start(self) -> None:
        super()._start()  # its output is flushed, and observed, at the end of the loop iteration
        if self._guest is not None:
            self._observer = self._observers.open(self._dialect.name, self.address, self._guest)

    def data_received(self, data: bytes) -> None:
        if self._observer is not None and not self._closing:
            self._observer.note_client_data(data)
        super().data_received(data)

    def flush(self) -> None:
        data = b"".join(self._out)
        if self._observer is not None and data:
            self._observer.note_server_data(data)
        super().flush()

    def hang_up(self) -> None:
        is_first = not self._closing
        super().hang_up()  # may deliver a notification that makes the script hang up itself
        if self._observer is not None and is_first and not self._has_hung_up:
            self._has_hung_up = True
            self._observer.server_left()

    def connection_lost(self, error: Exception | None) -> None:
        if self._observer is not None:
            self._observer.client_left(reset=error is not None)
            self._observer = None
        super().connection_lost(error)
