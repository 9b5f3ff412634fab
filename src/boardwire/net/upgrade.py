"""Server side of the WebSocket handshake (RFC 6455, 4.2)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, TypeAlias

import h11

from boardwire.net.origins import Site
from boardwire.wire.websocket import accept_key

PATH: Final = "/ws"
VERSION: Final = b"13"

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]


def is_upgrade_request(headers: Headers) -> bool:
    """Return whether this is a request to upgrade to WebSocket."""
    return values(headers, b"upgrade")[:1] == [b"websocket"]


def refusal(request: h11.Request, headers: Headers, site: Site) -> tuple[int, Headers] | None:
    """Return the status and headers of a refusal, or None to accept the request."""
    if values(headers, b"sec-websocket-version") != [VERSION]:  # RFC 6455, 4.4
        return 426, [(b"Upgrade", b"websocket"), (b"Sec-WebSocket-Version", VERSION)]
    if values(headers, b"content-length") or values(headers, b"transfer-encoding"):
        return 400, []  # a proxy may have forwarded as a body what would be read here as frames
    tokens = [token.strip() for value in values(headers, b"connection") for token in value.split(b",")]
    if request.method != b"GET" or request.http_version != b"1.1" or b"upgrade" not in tokens or not _key(headers):
        return 400, []
    if not site.admits(origins(headers), host(headers)):
        return 403, []
    return None


def acceptance(headers: Headers) -> Headers:
    """Return the headers that accept the request."""
    return [(b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"),
            (b"Sec-WebSocket-Accept", accept_key(_key(headers)))]  # fmt: skip


def answer(headers: Headers) -> bytes:
    """Return the response head that accepts the request."""
    return head(101, acceptance(headers))


def switch(request: bytes) -> bytes:
    """Return the response head that accepts a request given as bytes, which must be valid."""
    fields = (line.partition(b":") for line in request.split(b"\r\n")[1:])
    return answer([(name.lower(), value.strip()) for name, _, value in fields])


def head(status: int, headers: Headers) -> bytes:
    """Return a response head."""
    line = b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode())
    return b"\r\n".join((line, *(b"%s: %s" % field for field in headers), b"", b""))


def values(headers: Headers, name: bytes) -> list[bytes]:
    """Return all values of a header, in lower case."""
    return [value.lower() for key, value in headers if key == name]


def origins(headers: Headers) -> list[str]:
    """Return the Origin headers."""
    return [value.decode("latin-1") for value in values(headers, b"origin")]


def host(headers: Headers) -> str:
    """Return the Host header."""
    return b"".join(values(headers, b"host")).decode("latin-1")


def _key(headers: Headers) -> bytes:
    """Return the key (16 bytes in Base64), or b'' if it is missing or invalid."""
    keys = [value for key, value in headers if key == b"sec-websocket-key"]
    try:
        return keys[0] if len(keys) == 1 and len(b64decode(keys[0], validate=True)) == 16 else b""
    except ValueError:
        return b""
