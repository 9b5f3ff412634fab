"""uvicorn's HTTP protocol, without its server: the front door hands it connections."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Final, Protocol

import h11
from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEAD_SECONDS: Final = 10.0
"""How long the head of a request may take; the front door waits as long for the first one."""
READ_SECONDS: Final = 10.0
"""How long a peer may read nothing of an answer that does not fit into its socket."""


class Doorman(Protocol):
    """Counts the connections of each address."""

    def enter(self, address: str, /) -> bool: ...
    def leave(self, address: str, /) -> None: ...


class HttpConnection(H11Protocol):
    """uvicorn's connection, with bounds it does not have.

    It counts among the connections of its address (that there may be one more, the front door has asked).  A request
    that has begun must have come as far as its body in time, and a peer that does not read its answer is dropped.
    A proxy may ask for the WebSocket on a connection that it has used and kept: it then stands at the `door` again.
    """

    doorman: Doorman | None = None
    door: Callable[[], asyncio.Protocol] | None = None
    _late: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.doorman is not None and self.client is not None:
            self.doorman.enter(self.client[0])

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            return  # it stands at the door again
        if self.cycle is not None and not self.cycle.response_complete:
            _stop(self._late)
            self._late = None
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _should_upgrade(self) -> bool:
        """The front door has seen the first request of a connection, but not those that came later."""
        return self.door is not None and self.cycle is not None and self._get_upgrade() == b"websocket"

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        assert self.door is not None, "nobody is sent to a door that is not there"
        fields = [b"%s: %s" % field for field in event.headers]
        line = b"%s %s HTTP/%s" % (event.method, event.target, event.http_version)
        unread, _ = self.conn.trailing_data
        self.connections.discard(self)
        self._leave()
        door = self.door()
        self.transport.set_protocol(door)
        door.connection_made(self.transport)
        door.data_received(b"\r\n".join((line, *fields, b"", unread)))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look(sys.maxsize)

    def _look(self, before: int) -> None:
        """Drop the peer unless it has read on since there were `before` bytes to read; then look again."""
        unread = self.transport.get_write_buffer_size()
        if unread < before:
            self._stuck = self.loop.call_later(READ_SECONDS, self._look, unread)
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        super().resume_writing()
        _stop(self._stuck)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()

    def _leave(self) -> None:
        _stop(self._late)
        _stop(self._stuck)
        if self.doorman is not None and self.client is not None:
            self.doorman.leave(self.client[0])


def _stop(timer: asyncio.TimerHandle | None) -> None:
    """Nothing is waited for any more."""
    if timer is not None:
        timer.cancel()


class HttpServer:
    """Makes a protocol for each HTTP connection, and closes them all."""

    def __init__(self, app: ASGIApp, doorman: Doorman | None = None) -> None:
        self._doorman = doorman
        self._config = Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,  # an address that anybody could make up is no address
        )
        self._config.load()
        self._state = ServerState()

    @property
    def protocol(self) -> Callable[[Callable[[], asyncio.Protocol]], asyncio.Protocol]:
        """What makes a protocol for one connection, given the door for a WebSocket that is asked for later."""
        return self._connection

    def _connection(self, door: Callable[[], asyncio.Protocol]) -> asyncio.Protocol:
        made = HttpConnection(config=self._config, server_state=self._state, app_state={})
        made.doorman, made.door = self._doorman, door
        return made

    def __len__(self) -> int:
        return len(self._state.connections)

    def close(self) -> None:
        """End idle connections at once, the others after their answer."""
        for connection in list(self._state.connections):
            connection.shutdown()
