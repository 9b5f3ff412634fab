"""The inspector's page: what passes, in a browser.

It is a small HTTP server of its own, for the loopback unless another host is named: `/` is the page that `make web` has
built, `/api/wire?after=N` gives what came after entry N as JSON.  Rules:

- The newest records are kept, bounded in bytes (`history`); a reader that comes late gets those, and how many were
  dropped.
- A name of a host that is not this machine's own is refused, so that no page elsewhere reads along through a browser.
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

MOST: Final = 2_000
"""Entries of one answer."""

HEAD_LIMIT: Final = 16 * 1024
HEAD_SECONDS: Final = 10.0
INDEX: Final = "inspector.html"
_OWN: Final = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?")


class Inspector:
    """Keeps what passed, and shows it."""

    def __init__(self, dialect: str, *, anywhere: bool = False) -> None:
        self._dialect = dialect
        self._anywhere = anywhere
        self.history = History()
        self._page = Page()
        self._server: asyncio.Server | None = None

    def __call__(self, record: Record) -> None:
        """One record more."""
        self.history.add(record)
        if isinstance(record, Closed):
            self.history.close(record.connection)

    def after(self, number: int) -> dict[str, Any]:
        """What came after entry `number`, the number to go on from, and how much was dropped."""
        following, entries = self.history.after(number, MOST)
        dropped = self.history.dropped
        return {
            "dialect": self._dialect,
            "next": following,
            "entries": entries,
            "dropped": dropped.records,
            "dropped_bytes": dropped.bytes,
        }

    async def listen(self, host: str, port: int) -> str:
        """Show it from now on; where."""
        try:
            self._server = await asyncio.start_server(self._serve, host, port, limit=HEAD_LIMIT)
        except OSError as error:
            raise Unavailable(f"cannot listen on {host}:{port} for http: {error.strerror}") from None
        return ":".join(map(str, address(self._server)))

    def close(self) -> None:
        """Show it no more."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
            pass  # whoever asks so is not answered
        finally:
            writer.close()

    def _answer(self, head: str) -> tuple[HTTPStatus, str, bytes]:
        first, *lines = head.split("\r\n")
        method, _, rest = first.partition(" ")
        try:
            target = urlsplit(rest.partition(" ")[0])
        except ValueError:
            return HTTPStatus.BAD_REQUEST, "text/plain", b"that is no address of a page\n"
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if not self._anywhere and not _OWN.fullmatch(fields.get("host", "")):
            return HTTPStatus.FORBIDDEN, "text/plain", b"this page is for this machine alone; use http://127.0.0.1\n"
        if method != "GET":
            return HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"only GET\n"
        if target.path == "/api/wire":
            number = parse_qs(target.query).get("after", ["0"])[0]
            after = int(number) if number.isdecimal() and len(number) < 12 else 0
            return HTTPStatus.OK, "application/json", msgspec.json.encode(self.after(after))
        file = self._page.find(target.path if target.path != "/" else f"/{INDEX}")
        if file is None:
            built = (
                b"The page has not been built: run make web.\n" if target.path == "/" else b"there is nothing here\n"
            )
            return HTTPStatus.NOT_FOUND, "text/plain", built
        return HTTPStatus.OK, file.media, file.body
