"""The network pieces of a node in this process, on a free port of the loopback address, and peers made of plain
sockets.  A test is a coroutine that `run` carries out."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import uvloop

from boardwire import dialects
from boardwire.dialects.dialect import Dialect
from boardwire.lobby.lobby import Lobby
from boardwire.net.connection import Connection
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.net.listener import Listener, address, listen
from boardwire.node import LoopClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.guest import Guest
from boardwire.talk import Script
from boardwire.wire.codec import Decoder
from boardwire.wire.lines import LineDecoder

PATIENCE = 20.0


def run(
    scenario: Callable[[], Coroutine[Any, Any, None]],
    loop_factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop,
) -> None:
    """Run a test, or fail after `PATIENCE` seconds."""
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(asyncio.wait_for(scenario(), PATIENCE))


def speaks(script: Script, *, decoder: Callable[[], Decoder] = LineDecoder, **fields: Any) -> Dialect:
    """Return a dialect of lines for a test."""
    return Dialect("test", "tris", 0, decoder, script, lambda seating: script, **fields)


class Wire:
    """A peer on a plain socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def line(self) -> str:
        data = await self.reader.readline()
        assert data.endswith(b"\n"), f"the connection ended after {data!r}"
        return data.decode().removesuffix("\n")

    async def lines(self, count: int) -> list[str]:
        return [await self.line() for _ in range(count)]

    async def some(self) -> bytes:
        """Return received bytes."""
        return await self.reader.read(65536)

    async def rest(self) -> bytes:
        """Return all bytes until the other side closes."""
        return await self.reader.read()

    async def nothing(self, seconds: float = 0.05) -> None:
        try:
            data = await asyncio.wait_for(self.reader.read(100), seconds)
        except TimeoutError:
            return
        raise AssertionError(f"{data!r} came")

    def close(self) -> None:
        self.writer.close()

    def reset(self) -> None:
        """Reset the connection."""
        self._socket().setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    def _socket(self) -> socket.socket:
        found: socket.socket = self.writer.get_extra_info("socket")
        return found


class Harbour:
    """A lobby and its connections, with any number of ports."""

    def __init__(self, limits: ConnectionLimits) -> None:
        loop = asyncio.get_running_loop()
        self.journal = MemoryJournal()
        self.lobby = Lobby(self.journal, LoopClock(loop), ScriptedDealer(seed=0), CountedNames())
        self.connections = Connections(self.lobby, limits, loop)
        self.servers: list[Listener] = []
        self._wires: list[Wire] = []

    async def open(self, dialect: Dialect | str) -> int:
        """Listen for a dialect; return the port."""
        spoken = dialects.dialect(dialect) if isinstance(dialect, str) else dialect
        server = await listen(
            lambda: Connection(spoken, self.connections), spoken.name, "127.0.0.1", 0, asyncio.get_running_loop()
        )
        self.servers.append(server)
        return address(server)[1]

    async def connect(self, port: int) -> Wire:
        wire = Wire(*await asyncio.open_connection("127.0.0.1", port, limit=2**22))
        self._wires.append(wire)
        return wire

    async def pair(self, port: int) -> tuple[Wire, Wire]:
        """Return two Tris clients at the beginning of a match."""
        first = await self.connect(port)
        assert await first.line() == "WAIT"
        second = await self.connect(port)
        assert (await first.line(), await second.line()) == ("READY", "READY")
        return first, second

    async def settled(self, true: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        while not true():
            await asyncio.sleep(0.005)

    async def close(self) -> None:
        for server in self.servers:
            server.close()
        for wire in self._wires:
            wire.close()
        await self.connections.close_all(0.5)


def guests(place: Harbour) -> list[Guest]:
    """Return the guests of all connections."""
    found: list[Guest] = []

    def note(guest: Guest) -> bool:
        found.append(guest)
        return False

    assert place.connections.drop_banned(note) == 0
    return found


@asynccontextmanager
async def harbour(**limits: Any) -> AsyncIterator[Harbour]:
    """Yield a harbour for one test."""
    place = Harbour(ConnectionLimits(**limits))
    try:
        yield place
    finally:
        await place.close()


async def play(first: Wire, second: Wire) -> None:
    """Play a short match that the first player wins, and check every line."""
    for mover, other, cell, board in (
        (first, second, 0, "1,0,0,0,0,0,0,0,0,"),
        (second, first, 3, "1,0,0,2,0,0,0,0,0,"),
        (first, second, 1, "1,1,0,2,0,0,0,0,0,"),
        (second, first, 4, "1,1,0,2,2,0,0,0,0,"),
    ):
        mover.send(b"%d\n" % cell)
        assert (await mover.line(), await other.line()) == ("OK", board)
    first.send(b"2\n")
    assert await first.rest() == b"W\n"
    assert await second.rest() == b"1,1,1,2,2,0,0,0,0,L\n"
    first.close()
    second.close()
