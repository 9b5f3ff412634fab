"""How a client gets from HTTP to a WebSocket: it asks, and what comes after the answer's head are frames.

The native dialect begins after this (RFC 6455, 1.3).  `upgraded` is that dialect with the request in front, so that
`connection` can speak it to a real server.  The key of the request and the masks of the frames are drawn here, because
a dialect draws no luck; an answer counts if it has what the RFC wants of it (4.1), above all the proof that it is the
answer to this key.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import partial
from secrets import token_bytes
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.native.client import play
from boardwire.errors import Malformed
from boardwire.wire.codec import Decoder
from boardwire.wire.websocket import accept_key

HEAD_LIMIT: Final = 16 * 1024
"""Size of the head of a server's answer to a client, in bytes."""
_HTTP: Final = b"HTTP/"

Entropy: TypeAlias = Callable[[int], bytes]
"""`entropy(n)` are n bytes that nobody can guess."""


def mask(entropy: Entropy = token_bytes) -> bytes:
    """The mask of one frame."""
    return entropy(4)


def upgraded(dialect: Dialect, host: str, port: int, entropy: Entropy = token_bytes) -> Dialect:
    """The dialect as a client speaks it on the HTTP port of a server, for one connection."""
    name = f"[{host}]" if ":" in host else host
    key = b64encode(entropy(16))
    request = (
        f"GET /ws HTTP/1.1\r\nHost: {name}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    frames = dialect.replies or dialect.decoder
    return replace(
        dialect,
        greeting=request.encode(),
        replies=lambda: AfterHead(frames(), key),
        play=partial(play, masks=partial(mask, entropy)),
    )


class AfterHead:
    """Reads the head of the answer to a request with `key`, then lets `frames` read the rest."""

    def __init__(self, frames: Decoder, key: bytes) -> None:
        self.overhead = 0
        self._frames = frames
        self._key = key
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
        _check_answer(head, self._key)
        self._head = None
        return self._frames.feed(rest)


def _check_answer(head: bytes, key: bytes) -> None:
    """`Malformed` unless the head says that a WebSocket is open (RFC 6455, 4.1)."""
    status, *lines = head.split(b"\r\n")
    if not status.startswith(b"HTTP/1.1 101 "):
        raise Malformed(f"the server opens no WebSocket: {status.decode('latin-1')}")
    fields: dict[bytes, list[bytes]] = {}
    for line in lines:
        name, _, value = line.partition(b":")
        fields.setdefault(name.lower(), []).append(value.strip())
    tokens = [token.strip().lower() for value in fields.get(b"connection", ()) for token in value.split(b",")]
    if [value.lower() for value in fields.get(b"upgrade", ())] != [b"websocket"] or b"upgrade" not in tokens:
        raise Malformed("the server changes to something that is no WebSocket")
    if fields.get(b"sec-websocket-accept") != [accept_key(key)]:
        raise Malformed("the server's answer does not prove that it is the answer to our key")
    if b"sec-websocket-extensions" in fields or b"sec-websocket-protocol" in fields:
        raise Malformed("the server has agreed to what nobody asked for")
