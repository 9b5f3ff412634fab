"""The handshake of a WebSocket (RFC 6455, 4.2): what a request must say, and what is answered."""

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


def is_wanted(headers: Headers) -> bool:
    """Whether a request asks for a WebSocket."""
    return values(headers, b"upgrade")[:1] == [b"websocket"]


def refusal(request: h11.Request, headers: Headers, site: Site) -> tuple[int, Headers] | None:
    """Why a request gets no WebSocket, as a status and its headers; None: it gets one."""
    if values(headers, b"sec-websocket-version") != [VERSION]:  # RFC 6455, 4.4
        return 426, [(b"Upgrade", b"websocket"), (b"Sec-WebSocket-Version", VERSION)]
    if values(headers, b"content-length") or values(headers, b"transfer-encoding"):
        return 400, []  # its body would be taken for frames, which whoever passed it on never saw as such
    tokens = [token.strip() for value in values(headers, b"connection") for token in value.split(b",")]
    if request.method != b"GET" or request.http_version != b"1.1" or b"upgrade" not in tokens or not _key(headers):
        return 400, []
    if not site.admits(origins(headers), host(headers)):
        return 403, []
    return None


def acceptance(headers: Headers) -> Headers:
    """What the answer of one who gets one says."""
    return [(b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"),
            (b"Sec-WebSocket-Accept", accept_key(_key(headers)))]  # fmt: skip


def answer(headers: Headers) -> bytes:
    """The head of the answer to one who gets one."""
    return head(101, acceptance(headers))


def switch(request: bytes) -> bytes:
    """The same for a request as it stands on the wire, which is known to get one."""
    fields = (line.partition(b":") for line in request.split(b"\r\n")[1:])
    return answer([(name.lower(), value.strip()) for name, _, value in fields])


def head(status: int, headers: Headers) -> bytes:
    """The head of any answer."""
    line = b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode())
    return b"\r\n".join((line, *(b"%s: %s" % field for field in headers), b"", b""))


def values(headers: Headers, name: bytes) -> list[bytes]:
    """All values of a field, in lower case."""
    return [value.lower() for key, value in headers if key == name]


def origins(headers: Headers) -> list[str]:
    """Where a page says it came from."""
    return [value.decode("latin-1") for value in values(headers, b"origin")]


def host(headers: Headers) -> str:
    """Whom it asked for."""
    return b"".join(values(headers, b"host")).decode("latin-1")


def _key(headers: Headers) -> bytes:
    """The key: sixteen bytes in Base64; empty if there is no such."""
    keys = [value for key, value in headers if key == b"sec-websocket-key"]
    try:
        return keys[0] if len(keys) == 1 and len(b64decode(keys[0], validate=True)) == 16 else b""
    except ValueError:
        return b""
