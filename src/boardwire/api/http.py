"""uvicorn's HTTP protocol, without its server: the front door hands it connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


class HttpServer:
    """Makes a protocol for each HTTP connection, and closes them all."""

    def __init__(self, app: ASGIApp) -> None:
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
        return lambda: H11Protocol(config=self._config, server_state=self._state, app_state={})

    def close(self) -> None:
        """End idle connections at once, the others after their answer."""
        for connection in list(self._state.connections):
            connection.shutdown()
