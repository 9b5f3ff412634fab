"""HTTP requests of soak clients, each on a new connection from a given loopback address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from soak.ports import Place

SECONDS: Final = 10.0
"""Timeout of a request."""
NO_ANSWER: Final = 0
"""Status of a request that was not answered: the connection failed or the time was up."""


class Reply(NamedTuple):
    """The answer to a request; its body is cut off where the connection ended."""

    status: int
    body: bytes = b""

    @property
    def is_refusal(self) -> bool:
        return self.status >= 400


def request(port: int, path: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> bytes:
    """Return the head of a request. Header values are sent as UTF-8, control characters included."""
    lines = {"Host": f"127.0.0.1:{port}", "Connection": "close", **(headers or {})}
    head = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items())]
    return "\r\n".join([*head, "", ""]).encode()


async def fetch(
    where: Place,
    address: str,
    path: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Reply:
    """Send a request and read its answer; a failure is a reply with status `NO_ANSWER`."""
    port = where.ports["native"]
    if body:
        headers = {**(headers or {}), "Content-Length": str(len(body)), "Content-Type": "application/json"}
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=where.local(address))
            writer.write(request(port, path, method, headers) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            return Reply(int(head.split(b" ", 2)[1]), await reader.read(-1))
    except (OSError, ValueError, IndexError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return Reply(NO_ANSWER)
    finally:
        if writer is not None:
            with suppress(OSError):
                writer.transport.abort()
