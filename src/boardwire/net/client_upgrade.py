"""Client side of the WebSocket handshake (RFC 6455, 4.1).

`with_upgrade` returns a dialect that first sends the HTTP request and checks the response, then speaks in frames. The
key and the frame masks are drawn here because dialects are deterministic.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import partial
from secrets import token_bytes
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from boardwire.dialects.dialect import ClientOptions, Dialect
from boardwire.dialects.native.client import play as native_play
from boardwire.errors import Malformed
from boardwire.talk import Script
from boardwire.wire.codec import Decoder
from boardwire.wire.websocket import Masks, accept_key

MAX_HEAD_BYTES: Final = 16 * 1024
"""Largest head of a server's HTTP response."""
_HTTP: Final = b"HTTP/"

Entropy: TypeAlias = Callable[[int], bytes]
"""`entropy(n)` returns n random bytes."""

NativePlay: TypeAlias = Callable[[ClientOptions, Masks], Script]
"""Creates a client script of the native dialect, whose frames need random masks."""


def mask(entropy: Entropy = token_bytes) -> bytes:
    """Return the mask of one frame."""
    return entropy(4)


def with_upgrade(
    dialect: Dialect, host: str, port: int, entropy: Entropy = token_bytes, play: NativePlay = native_play
) -> Dialect:
    """Return the dialect for one connection to the HTTP port of a server."""
    url_host = f"[{host}]" if ":" in host else host
    key = b64encode(entropy(16))
    request = (
        f"GET /ws HTTP/1.1\r\nHost: {url_host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    frames = dialect.replies or dialect.decoder
    masks = partial(mask, entropy)
    return replace(
        dialect,
        greeting=request.encode(),
        replies=lambda: UpgradeDecoder(frames(), key),
        play=lambda options: play(options, masks),
    )


class UpgradeDecoder:
    """Decoder that checks the response to an upgrade request with `key`, then passes all further input to `frames`."""

    def __init__(self, frames: Decoder, key: bytes) -> None:
        self.overhead = 0
        self._frames = frames
        self._key = key
        self._head: bytes | None = b""

    @property
    def fault(self) -> Malformed | None:
        """Fault of the frame decoder."""
        return self._frames.fault

    @property
    def buffered(self) -> int:
        """Number of buffered bytes of an incomplete head or frame."""
        return self._frames.buffered if self._head is None else len(self._head)

    def feed(self, data: bytes) -> Sequence[Any]:
        """Return the messages that `data` completes; raise `Malformed` if the server refuses the upgrade."""
        if self._head is None:
            return self._frames.feed(data)
        self._head += data
        if self._head[: len(_HTTP)] != _HTTP[: len(self._head)]:
            raise Malformed("the server does not speak HTTP")
        head, end, rest = self._head.partition(b"\r\n\r\n")
        if not end:
            if len(head) > MAX_HEAD_BYTES:
                raise Malformed(f"the server's HTTP response head exceeds {MAX_HEAD_BYTES} bytes")
            return ()
        _check_response(head, self._key)
        self._head = None
        return self._frames.feed(rest)


def _check_response(head: bytes, key: bytes) -> None:
    """Raise `Malformed` unless the head accepts the upgrade (RFC 6455, 4.1)."""
    status, *lines = head.split(b"\r\n")
    if not status.startswith(b"HTTP/1.1 101 "):
        raise Malformed(f"the server refused the WebSocket upgrade: {status.decode('latin-1')}")
    fields: dict[bytes, list[bytes]] = {}
    for line in lines:
        name, _, value = line.partition(b":")
        fields.setdefault(name.lower(), []).append(value.strip())
    tokens = [token.strip().lower() for value in fields.get(b"connection", ()) for token in value.split(b",")]
    if [value.lower() for value in fields.get(b"upgrade", ())] != [b"websocket"] or b"upgrade" not in tokens:
        raise Malformed("the server switched to a protocol other than WebSocket")
    if fields.get(b"sec-websocket-accept") != [accept_key(key)]:
        raise Malformed("the server's Sec-WebSocket-Accept does not match the key")
    if b"sec-websocket-extensions" in fields or b"sec-websocket-protocol" in fields:
        raise Malformed("the server accepted an extension or subprotocol that was not requested")
