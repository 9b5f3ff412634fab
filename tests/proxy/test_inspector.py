"""The inspector's small HTTP server, without a browser."""

from __future__ import annotations

import asyncio
import json

import pytest

from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import MessageRecord, Opened
from boardwire.proxy.history import CONNECTION_BYTES
from boardwire.proxy.inspector import Inspector


async def _ask(head: bytes, inspector: Inspector) -> bytes:
    where = await inspector.listen("127.0.0.1", 0)
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(where.rpartition(":")[2]))
        writer.write(head)
        answer = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return answer
    finally:
        inspector.close()


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        ("/api/wire", "localhost", 200),
        ("/api/wire?after=x", "127.0.0.1:3080", 200),
        ("/nothing", "[::1]:3080", 404),
        ("http://[", "localhost", 400),
        ("//[", "localhost", 400),
        ("/api/wire", "elsewhere.example", 403),
        ("/api/wire", "", 403),
    ],
)
def test_each_request_is_answered_with_its_status(target: str, host: str, status: int) -> None:
    head = f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    assert asyncio.run(_ask(head, Inspector("tris-lines"))).startswith(f"HTTP/1.1 {status} ".encode())


def test_entries_after_a_number_are_returned_with_the_number_of_the_last_one() -> None:
    inspector = Inspector("tris-lines")
    for number in (1, 2, 3):
        inspector(Opened(connection=number, at=0.0, dialect="tris-lines"))
    head = b"GET /api/wire?after=2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    told = json.loads(asyncio.run(_ask(head, inspector)).partition(b"\r\n\r\n")[2])
    assert (told["next"], [entry["connection"] for entry in told["entries"]]) == (3, [3])


def test_large_messages_take_bounded_memory_and_what_was_dropped_is_told() -> None:
    inspector = Inspector("native")
    data = bytes(63 * 1024)
    for number in range(200):
        inspector(
            MessageRecord(
                connection=1, number=number, at=0.0, side=Side.CLIENT, name="ping", text="x" * 20_000, data=data
            )
        )
    assert inspector.history.size <= CONNECTION_BYTES
    told = inspector.after(0)
    assert told["dropped"] == 200 - len(inspector.history)
    assert told["dropped_bytes"] > told["dropped"] * 20_000
