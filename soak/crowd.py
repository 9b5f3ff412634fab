"""Bursts of connections, clients that send requests and never read, and clients that send one byte at a time.

Run as `python -m soak.crowd DIRECTORY SEED UNTIL`.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import msgspec
import uvloop

from boardwire.dialects import dialect as dialect_called
from boardwire.net.client_upgrade import with_upgrade
from boardwire.wire.websocket import encode_text
from soak.ports import DIALECTS, Place, place
from soak.records import Book, Stormed

BURST_CONNECTIONS: Final = (50, 250)
"""Smallest and largest number of connections in one burst."""
PAUSE_SECONDS: Final = (4.0, 12.0)
"""Shortest and longest pause between two bursts."""
SLOW_READERS: Final = 4
"""Concurrent slow readers."""
SLOW_READER_SECONDS: Final = 30.0
"""Time after which a slow reader disconnects."""
MASK: Final = b"slow"
REPORT_SECONDS: Final = 2.0


class Crowd:
    """All clients of this process."""

    def __init__(self, where: Place, book: Book, seed: int, until: float) -> None:
        self._where = where
        self._book = book
        self._seed = seed
        self._until = until
        self._count = Stormed()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._make_storms(Random(f"{self._seed} storms")))
            group.create_task(self._send_slowly(Random(f"{self._seed} drips")))
            for number in range(SLOW_READERS):
                group.create_task(self._read_slowly(number, Random(f"{self._seed} slow {number}")))
            group.create_task(self._write_reports())

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, min(seconds, self._until - monotonic())))

    async def _write_reports(self) -> None:
        while monotonic() < self._until:
            await self._sleep(REPORT_SECONDS)
            self._book.write(self._count)
            self._count = Stormed()

    async def _make_storms(self, luck: Random) -> None:
        """Open many connections at once; some send a few bytes, some close, some reset."""
        while monotonic() < self._until:
            port = self._where.ports[luck.choice((*DIALECTS, "native"))]
            size = luck.randrange(*BURST_CONNECTIONS)
            wires = await asyncio.gather(*(self._connect(port, luck) for _ in range(size)))
            for writer in filter(None, wires):
                self._count.connections += 1
                if luck.random() < 0.5 and not writer.is_closing():
                    writer.write(luck.randbytes(luck.randrange(1, 8)))
            await self._sleep(luck.uniform(0.0, 0.5))
            for writer in filter(None, wires):
                if luck.random() < 0.5:
                    writer.transport.abort()
                else:
                    writer.close()
            await self._sleep(luck.uniform(*PAUSE_SECONDS))

    async def _connect(self, port: int, luck: Random) -> asyncio.StreamWriter | None:
        address = f"127.3.0.{luck.randrange(1, 250)}"
        try:
            async with asyncio.timeout(5.0):
                _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=self._where.local(address))
        except (OSError, TimeoutError):
            return None
        return writer

    async def _send_slowly(self, luck: Random) -> None:
        """Send one byte at a time."""
        while monotonic() < self._until:
            writer = await self._connect(self._where.ports[luck.choice(DIALECTS)], luck)
            for _ in range(20):
                if writer is None or writer.is_closing():
                    break
                writer.write(luck.randbytes(1))
                await self._sleep(0.2)
            if writer is not None:
                writer.close()
            await self._sleep(0.5)

    async def _read_slowly(self, number: int, luck: Random) -> None:
        """Send requests and read nothing, with a small receive window so that the server's writes soon block."""
        port = self._where.ports["native"]
        greeting = with_upgrade(dialect_called("native"), "127.0.0.1", port).greeting
        hello = encode_text(msgspec.json.encode({"type": "hello", "name": "slow"}), MASK)
        ask = encode_text(msgspec.json.encode({"type": "list"}), MASK)
        loop = asyncio.get_running_loop()
        while monotonic() < self._until:
            await self._sleep(luck.uniform(0.2, 2.0))
            with socket.socket() as wire, contextlib.suppress(OSError, TimeoutError):
                wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                wire.setblocking(False)
                if (local := self._where.local(f"127.3.1.{number + 1}")) is not None:
                    wire.bind(local)
                await asyncio.wait_for(loop.sock_connect(wire, ("127.0.0.1", port)), 5.0)
                await asyncio.wait_for(loop.sock_sendall(wire, greeting + hello), 5.0)
                self._count.slow += 1
                try:
                    end = monotonic() + SLOW_READER_SECONDS
                    while monotonic() < min(end, self._until):
                        await asyncio.wait_for(loop.sock_sendall(wire, ask * 4), 5.0)
                        await self._sleep(0.02)
                except OSError:
                    self._count.slow_dropped += 1


def main() -> None:
    """Run this process."""
    directory, seed, until = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(Crowd(place(directory), Book(directory / "crowd.told"), seed, until).run())


if __name__ == "__main__":
    main()
