"""One request and its answer, as an ASGI application sees them.

The host (`net.http`) brings the body as it comes and sends what the application says; neither knows the other's trade.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import unquote

import h11

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Application: TypeAlias = Callable[
    [Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]

GONE: Final[Message] = {"type": "http.disconnect"}


class Host(Protocol):
    """Carries the answer to the peer."""

    def proceed(self) -> None:
        """The application wants the body: say that it may come, if the peer waits for that, and read it."""

    def send(self, *events: h11.Event) -> None:
        """Send a part of the answer."""

    async def drain(self) -> None:
        """Wait until the peer has read enough to be sent more."""


class Exchange:
    """See the module."""

    def __init__(self, scope: Scope, host: Host) -> None:
        self.scope = scope
        self._host = host
        self._body = bytearray()
        self.is_whole = False
        """The whole body has come."""
        self.is_over = False
        """The answer is sent, or there is nobody to send it to."""
        self.begun = False
        self._is_gone = False
        self._news = asyncio.Event()
        self._told_all = False

    @property
    def unread(self) -> int:
        """Bytes of the body that the application has not taken."""
        return len(self._body)

    def feed(self, data: bytes) -> None:
        """More of the body."""
        self._body += data
        self._news.set()

    def finish(self) -> None:
        """The body is whole."""
        self.is_whole = True
        self._news.set()

    def hang_up(self) -> None:
        """The peer is taken to be gone: the application is told so.  If it answers all the same, that is sent."""
        self._is_gone = True
        self._news.set()

    def end(self) -> None:
        """Nothing more comes or goes."""
        self.is_over = True
        self._news.set()

    async def receive(self) -> Message:
        """For the application: the next part of the body, or that the peer is gone."""
        while not (self._body or self.is_over or (self.is_whole and not self._told_all)):
            if self._is_gone:
                return GONE
            self._host.proceed()
            self._news.clear()
            await self._news.wait()
        if self.is_over:
            return GONE
        body = bytes(self._body)
        self._body.clear()
        self._told_all = self.is_whole
        return {"type": "http.request", "body": body, "more_body": not self.is_whole}

    async def send(self, message: Message) -> None:
        """For the application: the answer, part by part."""
        if self.is_over:
            return
        if message["type"] == "http.response.start":
            self.begun = True
            self._host.send(h11.Response(status_code=message["status"], headers=message.get("headers", [])))
            return
        data = b"" if self.scope["method"] == "HEAD" else message.get("body", b"")
        parts: list[h11.Event] = [h11.Data(data=data)] if data else []
        if message.get("more_body", False):
            self._host.send(*parts)
        else:
            self.end()
            self._host.send(*parts, h11.EndOfMessage())
        await self._host.drain()


def scope_of(
    request: h11.Request, target: bytes, headers: Sequence[tuple[bytes, bytes]], client: Any, server: Any
) -> Scope:
    """What an application is told of a request."""
    path, _, query = target.partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": request.http_version.decode("ascii"),
        "method": request.method.decode("ascii"),
        "scheme": "http",
        "path": unquote(path.decode("ascii")),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": list(headers),
        "client": client,
        "server": server,
        "state": {},
    }
