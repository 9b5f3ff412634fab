"""Results of checks, and faulty servers, for tests of the checks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from boardwire.conformance.server import check as checking
from boardwire.conformance.server import checks, probe
from boardwire.conformance.server.check import Check, CheckResult
from boardwire.wire.codec import Decoder

Wanted = Callable[[Check], bool]
Serving = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


PYTHON = re.compile(r"""\{'|\['|\bb'|\b\w+\(\w+=|<\w+\.\w+|\b(?:None|True|False)\b""")
"""Python notation, which must not appear in results."""


def every(check: Check) -> bool:
    """Accept every check."""
    return True


async def judge(
    dialect: str, port: int, wanted: Wanted = every, wait: float = 3.0, tries: int = 1, *, alone: bool = True
) -> list[CheckResult]:
    """Return the results of some checks of a dialect. No other players use the server, so one attempt is enough."""
    some = probe(dialect, "127.0.0.1", port, wait, alone=alone)
    some.tries = tries
    found = [finding async for finding in checking.run([one for one in checks(dialect) if wanted(one)], some)]
    for finding in found:
        assert not PYTHON.search(finding.detail), finding.detail
    return found


@asynccontextmanager
async def serving(serve: Serving) -> AsyncIterator[int]:
    """Run a server that calls `serve` for each connection; yield its port."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


Change = Callable[[bytes], bytes]


def between(port: int, up: Change, down: Change) -> Serving:
    """Return a proxy of the server at `port` that changes lines by `up` and `down`."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)

        async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter, change: Change) -> None:
            try:
                while line := await source.readline():
                    sink.write(change(line))
            finally:
                sink.close()

        await asyncio.gather(carry(reader, far_writer, up), carry(far_reader, writer, down), return_exceptions=True)

    return serve


ObjectChange = Callable[[Any], Sequence[Any]]
"""Messages forwarded in place of a decoded one; bytes are forwarded unchanged."""


def decoded_between(
    port: int,
    decoders: tuple[Callable[[], Decoder], Callable[[], Decoder]],
    encode: Callable[[Any], bytes],
    make: Callable[[], tuple[ObjectChange, ObjectChange]],
    greeting: bytes = b"",
) -> Serving:
    """Return a proxy of the server at `port` that changes decoded messages.

    `make` is called for each connection and returns the changes of a client's and of a server's message. `decoders` are
    the client's and the server's.
    """

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(greeting)
        far_writer.write(greeting)

        async def carry(
            source: asyncio.StreamReader, sink: asyncio.StreamWriter, decoder: Decoder, heard: ObjectChange
        ) -> None:
            try:
                while data := await source.read(65536):
                    for message in decoder.feed(data):
                        for said in heard(message):
                            sink.write(said if isinstance(said, bytes) else encode(said))
            finally:
                sink.close()

        up, down = make()
        await asyncio.gather(
            carry(reader, far_writer, decoders[0](), up),
            carry(far_reader, writer, decoders[1](), down),
            return_exceptions=True,
        )

    return serve


def between_each(port: int, make: Callable[[int], tuple[Change, Change]]) -> Serving:
    """Return a proxy like `between`; `make` returns `up` and `down` for the number of a connection, from 1."""
    count = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        await between(port, *make(count))(reader, writer)

    return serve
