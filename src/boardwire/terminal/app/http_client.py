"""GET requests to the HTTP API of a server, for lists of matches, replays and analyses.

A request runs in a thread, because urllib blocks. Proxies from the environment are not used: servers are local or in
the local network, and the client must connect to the address that was typed.
"""

from __future__ import annotations

import asyncio
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

import msgspec

from boardwire.errors import Malformed, Unavailable

TIMEOUT_SECONDS: Final = 10.0
MAX_BODY_BYTES: Final = 8 * 1024 * 1024


class _Problem(msgspec.Struct):
    """The part of a problem document that is shown (RFC 9457)."""

    title: str = ""
    detail: str = ""


class _NoRedirect(HTTPRedirectHandler):
    """Refuses redirects: a server must not send the client to another machine."""

    def redirect_request(self, *_: Any) -> None:
        return None


async def get(host: str, port: int, path: str, shape: Any, **query: Any) -> Any:
    """Return the response, decoded as `shape`, a type that msgspec supports.

    Raises `Unavailable` if the request fails, and `Malformed` if the response has another shape.
    """
    name = f"[{host}]" if ":" in host else host
    url = f"http://{name}:{port}{path}{'?' + urlencode(query) if query else ''}"
    body = await asyncio.to_thread(_fetch, url)
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.MsgspecError as error:
        raise Malformed(f"{host}:{port} is not a boardwire server, or has another version: {error}") from None


def _fetch(url: str) -> bytes:
    try:
        with build_opener(ProxyHandler({}), _NoRedirect).open(url, timeout=TIMEOUT_SECONDS) as response:
            body: bytes = response.read(MAX_BODY_BYTES + 1)
    except HTTPError as error:
        raise Unavailable(_reason(error)) from None
    except URLError as error:
        raise Unavailable(f"cannot reach {url}: {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise Unavailable(f"cannot read {url}: {error}") from None
    if len(body) > MAX_BODY_BYTES:
        raise Unavailable(f"the response of {url} exceeds the limit of {MAX_BODY_BYTES:,} bytes")
    return body


def _reason(error: HTTPError) -> str:
    try:
        problem = msgspec.json.decode(error.read(65_536), type=_Problem)
    except (msgspec.MsgspecError, OSError, HTTPException):
        problem = _Problem()
    return problem.detail or problem.title or f"the server responded with {error.code} {error.reason}"
