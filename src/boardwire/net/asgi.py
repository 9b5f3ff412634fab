"""An HTTP request and its response, as an ASGI application sees them.

`net.http` feeds the body of the request and writes the response.
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


class ResponseWriter(Protocol):
    """Writes a response to the client."""

    def proceed(self) -> None:
        """Read the body, after `100 Continue` if the client waits for it."""

    def send(self, *events: h11.Event) -> None:
        """Send a part of the response."""

    async def drain(self) -> None:
        """Wait until the client has read enough of the response."""


class Exchange:
    """A request and its response."""

    def __init__(self, scope: Scope, writer: ResponseWriter) -> None:
        self.scope = scope
        self._writer = writer
        self._body = bytearray()
        self.is_whole = False
        """Whether the whole request body was received."""
        self.is_over = False
        """Whether the response was sent or the client is gone."""
        self.has_begun = False
        """Whether the head of the response was sent."""
        self._disconnected = False
        self._changed = asyncio.Event()
        self._end_received = False

    @property
    def unread(self) -> int:
        """Number of body bytes that the application has not received."""
        return len(self._body)

    def feed(self, data: bytes) -> None:
        """Add a part of the body."""
        self._body += data
        self._changed.set()

    def finish(self) -> None:
        """Mark the body as complete."""
        self.is_whole = True
        self._changed.set()

    def hang_up(self) -> None:
        """Report a disconnect to the application. A response that it sends anyway is still written."""
        self._disconnected = True
        self._changed.set()

    def end(self) -> None:
        """End the exchange."""
        self.is_over = True
        self._changed.set()

    async def receive(self) -> Message:
        """ASGI `receive`: the next part of the body, or a disconnect."""
        while not (self._body or self.is_over or (self.is_whole and not self._end_received)):
            if self._disconnected:
                return GONE
            self._writer.proceed()
            self._changed.clear()
            await self._changed.wait()
        if self.is_over:
            return GONE
        body = bytes(self._body)
        self._body.clear()
        self._end_received = self.is_whole
        return {"type": "http.request", "body": body, "more_body": not self.is_whole}

    async def send(self, message: Message) -> None:
        """ASGI `send`: the response, part by part."""
        if self.is_over:
            return
        if message["type"] == "http.response.start":
            self.has_begun = True
            self._writer.send(h11.Response(status_code=message["status"], headers=message.get("headers", [])))
            return
        data = b"" if self.scope["method"] == "HEAD" else message.get("body", b"")
        parts: list[h11.Event] = [h11.Data(data=data)] if data else []
        if message.get("more_body", False):
            self._writer.send(*parts)
        else:
            self.end()
            self._writer.send(*parts, h11.EndOfMessage())
        await self._writer.drain()


def scope_of(
    request: h11.Request, target: bytes, headers: Sequence[tuple[bytes, bytes]], client: Any, server: Any
) -> Scope:
    """Return the ASGI scope of a request."""
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
