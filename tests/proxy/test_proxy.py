"""The proxy on real sockets: what it passes on, and what it sees."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from boardwire.conformance.finding import Finding
from boardwire.conformance.monitor import Closed, MessageRecord, Record
from boardwire.proxy import proxy as proxying
from boardwire.proxy.console import Recording
from boardwire.proxy.faults import Faults
from boardwire.proxy.proxy import MonitorQueue, Proxy

from ..net.harbour import harbour, run


@asynccontextmanager
async def between(
    port: int,
    told: list[Record],
    dialect: str = "tris-lines",
    faults: Faults | None = None,
    wait: float = 3.0,
    *,
    rulings: bool = False,
) -> AsyncIterator[int]:
    """A proxy in front of `port`; gives its own."""
    monitor_queue = MonitorQueue(told.append, lambda text: None, wait, rulings=rulings)
    proxy = Proxy(dialect, "127.0.0.1", port, monitor_queue, lambda text: None, faults, seed=1)
    _, own = await proxy.listen("127.0.0.1", 0)
    try:
        yield own
    finally:
        await proxy.stop()


@asynccontextmanager
async def dial(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.005)


def test_a_match_through_the_proxy_is_seen_and_nothing_is_found() -> None:
    told: list[Record] = []

    async def scenario() -> None:
        async with (
            harbour() as place,
            between(await place.open("tris-lines"), told) as port,
            dial(port) as ann,
            dial(port) as bob,
        ):
            assert await ann[0].readline() == b"WAIT\n"
            assert await ann[0].readline() == b"READY\n"
            for mover, other, cell, answer in [(ann, bob, 0, b"OK"), (bob, ann, 3, b"OK"), (ann, bob, 1, b"OK"),
                                               (bob, ann, 4, b"OK"), (ann, bob, 2, b"W")]:  # fmt: skip
                mover[1].write(b"%d\n" % cell)
                while (line := await mover[0].readline()).strip() != answer:
                    assert line in (b"READY\n",) or b"," in line
                while b"," not in await other[0].readline():
                    pass
            assert await ann[0].read() == b""
            await until(lambda: sum(isinstance(one, Closed) for one in told) >= 2)

    run(scenario, asyncio.new_event_loop)
    assert [one for one in told if isinstance(one, Finding)] == []
    assert sum(isinstance(one, MessageRecord) for one in told) == 3 + 5 * 3


def test_unreadable_bytes_pass_untouched() -> None:
    told: list[Record] = []
    nonsense = bytes(range(256)) * 50

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1000):
            writer.write(data)
        writer.close()

    async def scenario() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with (
            between(server.sockets[0].getsockname()[1], told, "eriantys-objects") as port,
            dial(port) as (reader, writer),
        ):
            writer.write(nonsense)
            writer.write_eof()
            assert await reader.read() == nonsense
        server.close()
        await server.wait_closed()

    run(scenario, asyncio.new_event_loop)
    assert any(isinstance(one, Finding) for one in told)


def test_a_server_that_is_not_there_is_one_sentence_and_the_client_is_closed() -> None:
    said: list[str] = []

    async def scenario() -> None:
        monitor_queue = MonitorQueue(lambda record: None, said.append)
        proxy = Proxy("tris-lines", "127.0.0.1", 1, monitor_queue, said.append)
        _, port = await proxy.listen("127.0.0.1", 0)
        async with dial(port) as (reader, _):
            with suppress(ConnectionError):
                assert await reader.read() == b""
        await proxy.stop()

    run(scenario, asyncio.new_event_loop)
    assert said == ["cannot connect to 127.0.0.1:1: Connection refused"]


def test_bytes_over_the_backlog_are_forwarded_without_inspection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxying, "MAX_BACKLOG_BYTES", -1)
    told: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place, between(await place.open("tris-lines"), told) as port, dial(port) as (reader, _):
            assert await reader.readline() == b"WAIT\n"

    run(scenario, asyncio.new_event_loop)
    assert not any(isinstance(one, MessageRecord) for one in told)


def has_lines(received: list[bytes], count: int) -> bool:
    return b"".join(received).count(b"\n") == count


def test_a_reset_on_one_side_is_a_reset_on_the_other() -> None:
    told: list[Record] = []
    made: list[asyncio.BaseTransport] = []
    lost: list[BaseException | None] = []

    class Server(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            made.append(transport)

        def connection_lost(self, error: BaseException | None) -> None:
            lost.append(error)

    async def scenario() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
        async with between(server.sockets[0].getsockname()[1], told) as port, dial(port) as (_, writer):
            await until(lambda: bool(made))
            raw = writer.transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            await until(lambda: bool(lost))
        server.close()
        await server.wait_closed()

    run(scenario, asyncio.new_event_loop)
    assert isinstance(lost[0], ConnectionResetError)


FAULTS = [
    Faults(latency=0.01, jitter=0.01),
    Faults(split=True),
    Faults(latency=0.02, split=True),
    Faults(merge=0.02),
    Faults(throttle=20_000),
]


@pytest.mark.parametrize("faults", FAULTS)
def test_trouble_delays_and_cuts_and_loses_no_byte(faults: Faults) -> None:
    sent = b"".join(b"%d\n" % number for number in range(200))

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1000):
            writer.write(data)
        writer.close()

    async def scenario() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with (
            between(server.sockets[0].getsockname()[1], [], faults=faults) as port,
            dial(port) as (reader, writer),
        ):
            writer.write(sent)
            writer.write_eof()
            assert await reader.read() == sent
        server.close()
        await server.wait_closed()

    run(scenario, asyncio.new_event_loop)


def test_a_connection_is_reset_after_the_given_number_of_fragments() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            async with between(port, [], faults=Faults(reset=1)) as own, dial(own) as (first, _):
                assert await first.readline() == b"WAIT\n"
                async with dial(own):
                    with pytest.raises(ConnectionResetError):
                        await first.readline()

    run(scenario, asyncio.new_event_loop)


def test_a_piece_may_come_twice_by_the_seed() -> None:
    async def scenario() -> None:
        received: list[bytes] = []

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(1000):
                received.append(data)
            writer.close()

        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        told: list[Record] = []
        faults = Faults(duplicate=1.0)
        async with between(server.sockets[0].getsockname()[1], told, faults=faults) as port, dial(port) as (_, writer):
            for number in range(3):
                writer.write(b"%d\n" % number)
                await until(partial(has_lines, received, 2 * (number + 1)))
        await until(lambda: any(isinstance(one, Closed) for one in told))
        server.close()
        assert b"".join(received) == b"0\n0\n1\n1\n2\n2\n"
        assert [one.text for one in told if isinstance(one, MessageRecord)] == [
            "0",
            "1",
            "2",
        ]  # what the client has said

    run(scenario, asyncio.new_event_loop)


def test_a_half_open_connection_is_silent_and_no_one_is_told() -> None:
    async def scenario() -> None:
        ended = asyncio.Event()
        received: list[bytes] = []

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(1000):
                received.append(data)
                writer.write(b"heard\n")
            ended.set()
            writer.close()

        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        async with between(server.sockets[0].getsockname()[1], [], faults=Faults(halfopen=2)) as port:
            async with dial(port) as (reader, writer):
                writer.write(b"one\n")
                assert await reader.readline() == b"heard\n"
                writer.write(b"two\n")
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(reader.readline(), 0.1)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(ended.wait(), 0.1)  # the client has gone, and the server does not know
        assert received == [b"one\n"]
        server.close()

    run(scenario, asyncio.new_event_loop)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have a disk that is always full")
def test_a_full_disk_ends_the_recording_with_a_sentence_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    full = Path("/dev/full")

    async def scenario() -> None:
        with suppress(OSError), full.open("w") as file:
            recording = Recording(file, full, "tris-lines")
            told: list[Record] = []

            def tell(record: Record) -> None:
                recording(record)
                told.append(record)

            monitor_queue = MonitorQueue(tell, lambda text: None)
            async with harbour() as place:
                proxy = Proxy(
                    "tris-lines", "127.0.0.1", await place.open("tris-lines"), monitor_queue, lambda text: None
                )
                _, port = await proxy.listen("127.0.0.1", 0)
                async with dial(port) as ann, dial(port) as bob:
                    assert await bob[0].readline() == b"READY\n"
                    ann[1].write(b"4\n")
                    assert await bob[0].readline() == b"0,0,0,0,1,0,0,0,0,\n"
                    await until(lambda: sum(isinstance(one, MessageRecord) for one in told) == 6)
                await proxy.stop()

    run(scenario, asyncio.new_event_loop)
    assert capsys.readouterr().err == (
        "boardwire: cannot write /dev/full: No space left on device; recording stops here\n"
    )
