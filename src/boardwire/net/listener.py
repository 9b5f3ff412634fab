"""Opens a port for a dialect."""

from __future__ import annotations

import asyncio
import socket

from boardwire.dialects.dialect import Dialect
from boardwire.games.game import Refused
from boardwire.net.connection import Connection
from boardwire.net.crowd import Crowd

BACKLOG = 4096
"""A whole class may connect in the same second."""


async def listen(dialect: Dialect, host: str, port: int, crowd: Crowd) -> asyncio.Server:
    """A server that speaks `dialect` on `host:port` (0: any free port)."""
    try:
        server = await crowd.loop.create_server(lambda: Connection(dialect, crowd), host, port, backlog=BACKLOG)
    except OSError as error:
        raise Refused(f"cannot listen on {host}:{port} for {dialect.name}: {error.strerror or error}") from error
    for listening in server.sockets:  # accepted sockets inherit these, so that they cost nothing per connection
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return server


def address(server: asyncio.Server) -> tuple[str, int]:
    """Where a server really listens."""
    host, port = server.sockets[0].getsockname()[:2]
    return str(host), int(port)
