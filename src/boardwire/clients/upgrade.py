"""How a client gets from HTTP to a WebSocket: it asks, and what comes after the answer's head are frames.

The native dialect begins after this (RFC 6455, 1.3).  `upgraded` is that dialect with the request in front, so that
`connection` can speak it to a real server.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from boardwire.dialects.dialect import Dialect
from boardwire.errors import Malformed
from boardwire.wire.codec import Decoder
from boardwire.wire.websocket import accept_key

HEAD_LIMIT: Final = 16 * 1024
_HTTP: Final = b"HTTP/"
_KEY: Final = b64encode(b"a bot of the ho.")
"""Sixteen bytes, as the RFC wants; they only prove that the answer is not an old one from a cache."""


def upgraded(dialect: Dialect, host: str, port: int) -> Dialect:
    """The dialect as a client speaks it on the HTTP port of a server."""
    name = f"[{host}]" if ":" in host else host
    request = (
        f"GET /ws HTTP/1.1\r\nHost: {name}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {_KEY.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    frames = dialect.replies or dialect.decoder
    return replace(dialect, greeting=request.encode(), replies=lambda: AfterHead(frames()))


class AfterHead:
    """Reads the head of the answer, then lets `frames` read the rest."""

    def __init__(self, frames: Decoder) -> None:
        self.overhead = 0
        self._frames = frames
        self._head: bytes | None = b""

    @property
    def fault(self) -> Malformed | None:
        """As the frames have it."""
        return self._frames.fault

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished head or frame."""
        return self._frames.buffered if self._head is None else len(self._head)

    def feed(self, data: bytes) -> Sequence[Any]:
        """The messages that `data` completes; `Malformed` if the server does not want to."""
        if self._head is None:
            return self._frames.feed(data)
        self._head += data
        if self._head[: len(_HTTP)] != _HTTP[: len(self._head)]:
            raise Malformed("the server speaks no HTTP")
        head, end, rest = self._head.partition(b"\r\n\r\n")
        if not end:
            if len(head) > HEAD_LIMIT:
                raise Malformed("the server's answer has no end")
            return ()
        if not head.startswith(b"HTTP/1.1 101 ") or accept_key(_KEY) not in head:
            raise Malformed(f"the server opens no WebSocket: {head.splitlines()[0].decode('latin-1')}")
        self._head = None
        return self._frames.feed(rest)
