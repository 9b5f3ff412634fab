"""uvicorn's HTTP protocol, without its server: the front door hands it connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


class Doorman(Protocol):
    """Counts the connections of each address."""

    def enter(self, address: str, /) -> bool: ...
    def leave(self, address: str, /) -> None: ...


class Counted(H11Protocol):
    """A connection that counts among those of its address.  That there may be one more, the front door has asked."""

    doorman: Doorman | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.doorman is not None and self.client is not None:
            self.doorman.enter(self.client[0])

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.doorman is not None and self.client is not None:
            self.doorman.leave(self.client[0])


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
    def protocol(self) -> Callable[[], asyncio.Protocol]:
        """What makes a protocol for one connection."""
        return self._connection

    def _connection(self) -> asyncio.Protocol:
        made = Counted(config=self._config, server_state=self._state, app_state={})
        made.doorman = self._doorman
        return made

    def __len__(self) -> int:
        return len(self._state.connections)

    def close(self) -> None:
        """End idle connections at once, the others after their answer."""
        for connection in list(self._state.connections):
            connection.shutdown()
