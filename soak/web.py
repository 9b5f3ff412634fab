"""HTTP requests of soak clients, each on a new connection from a given loopback address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from soak.ports import Place

TIMEOUT_SECONDS: Final = 10.0
"""Timeout of a request."""
NO_ANSWER: Final = 0
"""Status of a request that was not answered: the connection failed or timed out."""


class Reply(NamedTuple):
    """The response to a request; its body is truncated if the connection ended early."""

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
    """Send a request and return its response; a failure has the status `NO_ANSWER`."""
    port = where.ports["native"]
    if body:
        headers = {**(headers or {}), "Content-Length": str(len(body)), "Content-Type": "application/json"}
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
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
