"""A client and a case on real sockets with a real proxy between them; only time is simulated."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from boardwire import dialects
from boardwire.conformance.client.cases import Case
from boardwire.conformance.monitor import Record
from boardwire.net import upgrade
from boardwire.proxy.proxy import MonitorQueue, Proxy
from boardwire.simulation.clock import ManualClock

from .examined import PATIENCE, TICK, Examined
from .faulty import Flawless

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
END_OF_HEAD = b"\r\n\r\n"
TRAVELLING = 20.0
"""Time limit in real seconds for bytes through the proxy."""


class Timed(MonitorQueue):
    """A proxy's monitor_queue with the time of the test."""

    def __init__(self, clock: ManualClock, records: list[Record]) -> None:
        self._clock = clock
        super().__init__(records.append, lambda text: None, PATIENCE, think=PATIENCE)

    @property
    def now(self) -> float:
        return self._clock.now()

    def pass_time(self) -> None:
        """Pass the time to every monitor."""
        for inspection in self._inspections:
            if inspection.monitor is not None:
                inspection.monitor.pass_time(self.now, PATIENCE)


class Wired(Examined):
    """A client under examination, with a fault, connected to the case through a proxy."""

    def __init__(self, dialect: str, case: Case, seed: int, fault: Flawless, game: str = "") -> None:
        self._upgrades = not dialects.dialect(dialect).game
        self._up = bytearray()
        self._down: list[bytes | None] = []
        self._on_the_way = 0
        """Bytes in transit, and closes of the server that have not arrived."""
        self._client_left = False
        super().__init__(dialect, case, seed, fault, game)

    def _send(self, data: bytes | None) -> None:
        self._down.append(data)

    # --- the two ends -------------------------------------------------------------------------------------------------

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve the socket behind the proxy."""
        if self._upgrades:
            writer.write(upgrade.switch((await reader.readuntil(END_OF_HEAD))[: -len(END_OF_HEAD)]))
        self._server = writer
        self._served.set()
        while data := await reader.read(65536):
            self._on_the_way -= len(data)
            self.case_run.receive(data)
        self._client_left = True
        self.case_run.client_closed()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Read the proxy's data for the client."""
        with suppress(OSError):
            while data := await reader.read(65536):
                self._on_the_way -= len(data)
                self._incoming.append(data)
        self._on_the_way -= self._ended
        self._incoming.append(None)

    async def play(self, port: int, monitor_queue: Timed) -> None:
        """Connect to the proxy, play until there is a result, and stay while a monitor waits for anything."""
        self._served = asyncio.Event()
        self._ended = False
        reader, self._client = await asyncio.open_connection("127.0.0.1", port)
        if self._upgrades:
            self._client.write(REQUEST)
            await reader.readuntil(END_OF_HEAD)
        await self._served.wait()
        listening = asyncio.ensure_future(self._listen(reader))
        while self.case_run.result is None:
            await self._turn()
            self._pass_time()
            monitor_queue.pass_time()
        case = self.case_run.case
        for _ in range(int((max(PATIENCE, case.held * case.speed) + 1.0) / TICK)):
            self._pass_time()
            monitor_queue.pass_time()
        if not self._gone and self._fault.over is not None:
            self._client.close()
            await asyncio.sleep(0.05)
        listening.cancel()
        self._client.close()
        self._server.close()

    async def _turn(self) -> None:
        """Exchange all data of this moment."""
        await self._carry()
        while self._incoming:
            self._take(self._incoming.pop(0))
            await self._carry()
        if self._fault.goes(self._quiet) and not self.client.closed:
            self.client.hang_up()
            await self._carry()
        if self.client.closed and not self._gone and not self._fault.stays():
            self._gone = True
            self._client.close()
            async with asyncio.timeout(TRAVELLING):
                while not self._client_left:
                    await asyncio.sleep(0.001)

    async def _carry(self) -> None:
        """Send the data of both ends, piece by piece, until none is left."""
        self._speak()
        await self._arrived()
        while self._down:
            data = self._down.pop(0)
            if self._server.is_closing():
                continue
            if data is None:
                self._ended = True
                self._on_the_way += 1
                self._server.write_eof()
            else:
                self._on_the_way += len(data)
                self._server.write(data)
            await self._arrived()

    async def _arrived(self) -> None:
        async with asyncio.timeout(TRAVELLING):
            while self._on_the_way > 0 and not self._gone:
                await asyncio.sleep(0)

    def _speak(self) -> None:
        if (said := self._fault.says(self.client.take())) and not self._gone:
            self._on_the_way += len(said)
            self._client.write(said)

    def _pass_time(self) -> None:
        self._quiet += TICK
        self.case_run.pass_time(TICK)
        self.clock.pass_time(TICK)


async def examine(dialect: str, case: Case, fault: Flawless, game: str = "", seed: int = 1) -> Wired:
    """Run a case and its repetitions through a proxy; return the last run."""
    attempt = 0
    while True:
        one = Wired(dialect, case, seed + attempt, fault, game)
        server = await asyncio.start_server(one.serve, "127.0.0.1", 0)
        monitor_queue = Timed(one.clock, one.records)
        proxy = Proxy(dialect, "127.0.0.1", server.sockets[0].getsockname()[1], monitor_queue, lambda text: None)
        _, port = await proxy.listen("127.0.0.1", 0)
        try:
            await one.play(port, monitor_queue)
        finally:
            server.close()
            await proxy.stop()
        attempt += 1
        if not one.case_run.missed or attempt == case.tries:
            return one
