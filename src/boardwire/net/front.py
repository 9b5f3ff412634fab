"""The front door: HTTP and the native WebSocket on one port.

It reads the head of the first request.  A WebSocket upgrade to `PATH` becomes a native connection; everything else is
handed, with the bytes read so far, to the HTTP server's own protocol, which sends whoever asks for a WebSocket later,
on the same connection, to a new door.

Rules:

- The head is at most `HEAD_LIMIT` bytes and comes within `HEAD_SECONDS`.
- A browser says where its page came from (Origin).  A page of another site may not open a WebSocket here; a program
  that sends no Origin may.
- What asks for a WebSocket and is no handshake by RFC 6455 is told so, and closed.
- Whoever stands at the door counts among the connections of its address; whoever goes in is counted there.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Callable
from functools import partial
from typing import Final, cast

import structlog

from boardwire.net.crowd import Crowd, address_of
from boardwire.wire.websocket import accept_key

log = structlog.get_logger("boardwire.net")

PATH: Final = b"/ws"
HEAD_LIMIT: Final = 16 * 1024
HEAD_SECONDS: Final = 10.0


class FrontDoor(asyncio.Protocol):
    """One new connection, until it is known what it wants."""

    def __init__(
        self,
        http: Callable[[Callable[[], asyncio.Protocol]], asyncio.Protocol],
        native: Callable[[], asyncio.Protocol],
        origins: frozenset[str],
        crowd: Crowd | None = None,
    ) -> None:
        self._http = http
        self._native = native
        self._origins = origins
        self._crowd = crowd
        self._address: str | None = None
        """Where the peer is counted."""
        self._head = b""
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._timer = asyncio.get_running_loop().call_later(HEAD_SECONDS, transport.close)
        address = address_of(transport)
        if self._crowd is not None and self._crowd.enter(address):
            self._address = address
        elif self._crowd is not None:
            log.warning("too many connections", peer=address, dialect="http")
            self._answer(b"429 Too Many Requests", b"Retry-After: 10\r\n")

    def connection_lost(self, error: Exception | None) -> None:
        self._leave()
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._head += data
        end = self._head.find(b"\r\n\r\n")
        if end < 0:
            if len(self._head) > HEAD_LIMIT:
                self._answer(b"431 Request Header Fields Too Large")
            return
        line, *fields = self._head[:end].split(b"\r\n")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (field.partition(b":") for field in fields)
        }
        target = line.split(b" ")[1] if line.count(b" ") == 2 else b""
        if headers.get(b"upgrade", b"").lower() == b"websocket" and target.split(b"?")[0] == PATH:
            self._upgrade(line, headers, self._head[end + 4 :])
        else:
            door = partial(FrontDoor, self._http, self._native, self._origins, self._crowd)
            self._hand_over(self._http(door), self._head)

    def _upgrade(self, line: bytes, headers: dict[bytes, bytes], rest: bytes) -> None:
        key = headers.get(b"sec-websocket-key", b"")
        if headers.get(b"sec-websocket-version") != b"13":  # RFC 6455, 4.4
            self._answer(b"426 Upgrade Required", b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n")
        elif not _is_handshake(line, headers) or not _is_key(key):
            self._answer(b"400 Bad Request")
        elif not self._same_site(headers):
            log.warning("a page of another site tried to connect", origin=headers[b"origin"].decode("latin-1"))
            self._answer(b"403 Forbidden")
        elif self._transport is not None:
            self._transport.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: " + accept_key(key) + b"\r\n\r\n"
            )
            self._hand_over(self._native(), rest)

    def _same_site(self, headers: dict[bytes, bytes]) -> bool:
        origin = headers.get(b"origin", b"").decode("latin-1")
        if not origin or origin in self._origins:
            return True
        return origin.partition("://")[2] == headers.get(b"host", b"").decode("latin-1")

    def _hand_over(self, protocol: asyncio.Protocol, data: bytes) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._timer is not None:
            self._timer.cancel()
        self._leave()
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if data:
            protocol.data_received(data)

    def _leave(self) -> None:
        if self._crowd is not None and self._address is not None:
            self._crowd.leave(self._address)
            self._address = None

    def _answer(self, status: bytes, header: bytes = b"") -> None:
        if self._transport is not None:
            self._transport.write(
                b"HTTP/1.1 " + status + b"\r\n" + header + b"Content-Length: 0\r\nConnection: close\r\n\r\n"
            )
            self._transport.close()


def _is_handshake(line: bytes, headers: dict[bytes, bytes]) -> bool:
    """Whether this is what RFC 6455, 4.2.1, wants of the request besides its key and version."""
    tokens = [token.strip().lower() for token in headers.get(b"connection", b"").split(b",")]
    return line.startswith(b"GET ") and line.endswith(b" HTTP/1.1") and b"upgrade" in tokens and b"host" in headers


def _is_key(key: bytes) -> bool:
    """Sixteen bytes in Base64."""
    try:
        return len(b64decode(key, validate=True)) == 16
    except ValueError:
        return False
