"""HTTP server of the proxy's inspector: a web page that shows the conversation live.

- `/` is the page that `make web` builds; `/api/wire?after=N` returns the records after number N as JSON.
- The newest records are kept, bounded in bytes (`history`); the answer has the number of dropped records.
- It listens on the loopback interface unless another host is given. There it refuses a `Host` that is not a loopback
  name, so that a page of another site cannot read the conversation through a browser (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

from boardwire.api.web_page import Page
from boardwire.conformance.monitor import Closed, Record
from boardwire.errors import Unavailable
from boardwire.net.listener import address
from boardwire.proxy.history import History

MAX_ANSWER_RECORDS: Final = 2_000

MAX_HEAD_BYTES: Final = 16 * 1024
HEAD_SECONDS: Final = 10.0
INDEX: Final = "inspector.html"
_LOOPBACK: Final = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?")


class Inspector:
    """Record history with an HTTP server."""

    def __init__(self, dialect: str, *, anywhere: bool = False) -> None:
        self._dialect = dialect
        self._anywhere = anywhere
        self.history = History()
        self._page = Page()
        self._server: asyncio.Server | None = None

    def __call__(self, record: Record) -> None:
        """Store a record."""
        self.history.add(record)
        if isinstance(record, Closed):
            self.history.close(record.connection)

    def after(self, number: int) -> dict[str, Any]:
        """Return the records after `number`, the number to continue from, and the dropped records and bytes."""
        following, entries = self.history.after(number, MAX_ANSWER_RECORDS)
        dropped = self.history.dropped
        return {
            "dialect": self._dialect,
            "next": following,
            "entries": entries,
            "dropped": dropped.records,
            "dropped_bytes": dropped.bytes,
        }

    async def listen(self, host: str, port: int) -> str:
        """Start the HTTP server; return HOST:PORT."""
        try:
            self._server = await asyncio.start_server(self._serve, host, port, limit=MAX_HEAD_BYTES)
        except OSError as error:
            raise Unavailable(f"cannot listen on {host}:{port} for http: {error.strerror}") from None
        return ":".join(map(str, address(self._server)))

    def close(self) -> None:
        """Stop the HTTP server."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one HTTP request and close the connection."""
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
            status, media, body = self._answer(head.decode("latin-1"))
            writer.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n"
                "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n".encode()
            )
            writer.write(body)
            await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # no answer to an incomplete, late or oversized request
        finally:
            writer.close()

    def _answer(self, head: str) -> tuple[HTTPStatus, str, bytes]:
        """Return the status, media type and body of the response to a request with this head."""
        first, *lines = head.split("\r\n")
        method, _, rest = first.partition(" ")
        try:
            target = urlsplit(rest.partition(" ")[0])
        except ValueError:
            return HTTPStatus.BAD_REQUEST, "text/plain", b"invalid request target\n"
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if not self._anywhere and not _LOOPBACK.fullmatch(fields.get("host", "")):
            return HTTPStatus.FORBIDDEN, "text/plain", b"the Host must be a loopback name; use http://127.0.0.1\n"
        if method != "GET":
            return HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"the method must be GET\n"
        if target.path == "/api/wire":
            number = parse_qs(target.query).get("after", ["0"])[0]
            after = int(number) if number.isdecimal() and len(number) < 12 else 0
            return HTTPStatus.OK, "application/json", msgspec.json.encode(self.after(after))
        file = self._page.find(target.path if target.path != "/" else f"/{INDEX}")
        if file is None:
            reason = b"The page has not been built: run make web.\n" if target.path == "/" else b"not found\n"
            return HTTPStatus.NOT_FOUND, "text/plain", reason
        return HTTPStatus.OK, file.media, file.body
