"""Opens a port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from boardwire.errors import Refused

BACKLOG = 4096
"""A whole class may connect in the same second."""


async def listen(
    door: Callable[[], asyncio.Protocol], name: str, host: str, port: int, loop: asyncio.AbstractEventLoop
) -> asyncio.Server:
    """A server on `host:port` (0: any free port) that makes a protocol with `door` for each connection."""
    try:
        server = await loop.create_server(door, host, port, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:  # the latter for a host that no name server could be asked for
        reason = getattr(error, "strerror", None) or error
        raise Refused(f"cannot listen on {host}:{port} for {name}: {reason}") from error
    for listening in server.sockets:  # accepted sockets inherit these, so that they cost nothing per connection
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return server


def address(server: asyncio.Server) -> tuple[str, int]:
    """Where a server really listens; an IPv6 host is in brackets, as before a port it must be."""
    host, port = server.sockets[0].getsockname()[:2]
    return f"[{host}]" if ":" in host else host, int(port)
