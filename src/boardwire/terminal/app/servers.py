"""Servers that the terminal client lists, and the ports of their dialects.

A server is identified by its HTTP address. Its API returns the other ports; until it responds, the default ones are
listed. Ports of other dialects are never probed: a client that connects and leaves may end another player's match.
"""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire import dialects
from boardwire.errors import BoardwireError
from boardwire.terminal.app import http_client

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_HTTP_PORT: Final = dialects.dialect("native").port


class Server(msgspec.Struct, frozen=True):
    """A server by its HTTP address."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_HTTP_PORT

    @property
    def title(self) -> str:
        """The server's name in the list."""
        return f"this machine:{self.port}" if self.host == DEFAULT_HOST else f"{self.host}:{self.port}"


class DialectPort(msgspec.Struct, frozen=True):
    """A port of a server on which a dialect is spoken."""

    dialect: str
    port: int


class _Speech(msgspec.Struct):
    name: str
    port: int | None = None


class _Game(msgspec.Struct):
    dialects: tuple[_Speech, ...]


class _Games(msgspec.Struct):
    games: tuple[_Game, ...]


def default_ports() -> tuple[DialectPort, ...]:
    """Return the default port of every dialect but native."""
    return tuple(DialectPort(name, dialects.dialect(name).port) for name in dialects.DEFAULT_DIALECTS)


async def dialect_ports(server: Server) -> tuple[DialectPort, ...] | None:
    """Return the ports on which a server listens, or None if it does not respond."""
    try:
        games: _Games = await http_client.get(server.host, server.port, "/api/games", _Games)
    except BoardwireError:
        return None
    ports = {speech.name: speech.port for game in games.games for speech in game.dialects if speech.port is not None}
    dialect_names = (name for name in ports if name in dialects.DIALECT_PACKAGES and name != "native")
    return tuple(DialectPort(name, port) for name in dialect_names if (port := ports[name]) is not None)
