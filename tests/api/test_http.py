"""HTTP on a real socket: connections are counted, and end when the server stops."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from boardwire import dialects
from boardwire.api.app import application
from boardwire.api.context import ApiContext
from boardwire.api.conversations import Conversations, EncodedConversation
from boardwire.net import http
from boardwire.net.connection import Connection
from boardwire.net.http import HttpServer
from boardwire.net.listener import address, listen
from boardwire.table.events import Event
from boardwire.table.ports import Check
from boardwire.wire.websocket import FrameDecoder, encode_text

from ..endless import endless
from ..net.harbour import Harbour, Wire, harbour, run

REQUEST = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HERE = "127.0.0.1"


class Building:
    """A harbour with an HTTP port."""

    def __init__(self, place: Harbour, page: Path = Path("nowhere")) -> None:
        self.place = place
        self.context = ApiContext(place.lobby, place.journal, connections=place.connections)
        native = dialects.dialect("native")
        self.http = HttpServer(
            application(self.context, page),
            place.connections,
            lambda address: Connection(native, place.connections, address),
        )
        self.context.http = self.http.__len__
        self.port = 0

    async def open(self) -> None:
        server = await listen(self.http.protocol, "http", HERE, 0, asyncio.get_running_loop())
        self.place.servers.append(server)
        self.port = address(server)[1]

    async def connect(self) -> Wire:
        return await self.place.connect(self.port)

    @property
    def counted(self) -> int:
        return self.place.connections.by_address[HERE]


@asynccontextmanager
async def opened(page: Path = Path("nowhere"), **limits: Any) -> AsyncIterator[Building]:
    """Yield a building for one test."""
    async with harbour(**limits) as place:
        building = Building(place, page)
        await building.open()
        try:
            yield building
        finally:
            building.context.close()


async def read(wire: Wire) -> tuple[int, Any]:
    """Return the status and the JSON of a response."""
    status = int((await wire.line()).split(" ")[1])
    length = 0
    while line := (await wire.line()).strip():
        if line.lower().startswith("content-length:"):
            length = int(line.split(":")[1])
    return status, json.loads(await wire.reader.readexactly(length))


def test_one_connection_can_ask_several_things() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            for path, status in ((b"/healthz", 200), (b"/nothing", 404), (b"/readyz", 200)):
                wire.send(REQUEST % path)
                assert (await read(wire))[0] == status

    run(scenario)


def test_a_connection_counts_for_its_address_as_long_as_it_lasts() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire, silent, player = [await building.connect() for _ in range(3)]
            await building.place.settled(lambda: building.counted == 3)
            wire.send(REQUEST % b"/healthz")
            await read(wire)
            assert (building.counted, len(building.http)) == (3, 1)
            player.send(UPGRADE)
            assert "101" in await player.line()
            assert (building.counted, len(building.place.connections.connections)) == (3, 1)
            silent.close()
            await building.place.settled(lambda: building.counted == 2)
            wire.close()
            await building.place.settled(lambda: building.counted == 1)
            player.close()
            await building.place.settled(lambda: building.counted == 0)
            assert len(building.http) == 0

    run(scenario)


def test_too_many_connections_from_one_address_are_turned_away_whatever_they_want() -> None:
    async def scenario() -> None:
        async with opened(per_address=2) as building:
            lines = await building.place.open("tris-lines")
            player = await building.place.connect(lines)
            assert await player.line() == "WAIT"
            wire = await building.connect()
            wire.send(REQUEST % b"/healthz")
            assert (await read(wire))[0] == 200
            with capture_logs() as logs:
                third = await building.connect()
                assert (await third.rest()).startswith(b"HTTP/1.1 429 ")
                fourth = await building.place.connect(lines)
                assert await fourth.rest() == b""
            assert [(log["event"], log["dialect"]) for log in logs] == [
                ("too many connections", "http"), ("too many connections", "tris-lines"),
            ]  # fmt: skip
            assert building.place.connections.tally.turned_away == 2
            wire.close()
            await building.place.settled(lambda: building.counted == 1)
            again = await building.connect()
            again.send(LAST % b"/healthz")
            assert (await read(again))[0] == 200

    run(scenario)


def test_closing_ends_idle_connections() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            wire.send(REQUEST % b"/healthz")
            await read(wire)
            building.http.close()
            assert await wire.rest() == b""

    run(scenario)


def test_a_connection_without_a_later_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "HEAD_SECONDS", 0.05)

    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            wire.send(REQUEST % b"/healthz")
            assert (await read(wire))[0] == 200
            wire.send(b"GET /hea")
            wire.send(b"lthz HT")
            assert await wire.rest() == b""

    run(scenario)


def test_a_later_request_that_comes_in_pieces_is_answered() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            for _ in range(2):
                wire.send(b"GET /healthz HT")
                await asyncio.sleep(0.01)
                wire.send(b"TP/1.1\r\nHost: x\r\n\r\n")
                assert (await read(wire))[0] == 200

    run(scenario)


def test_a_peer_that_does_not_read_its_answer_is_dropped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(http, "READ_SECONDS", 0.1)
    (tmp_path / "large.bin").write_bytes(bytes(16_000_000))  # more than the sockets hold

    async def scenario() -> None:
        async with opened(tmp_path) as building:
            slow, silent = [Wire(*await asyncio.open_connection(HERE, building.port)) for _ in range(2)]
            slow.send(REQUEST % b"/large.bin")
            await slow.reader.readuntil(b"\r\n\r\n")
            for _ in range(10):
                assert len(await slow.reader.readexactly(1_600_000)) == 1_600_000
                await asyncio.sleep(0.02)
            silent.send(REQUEST % b"/large.bin")
            await building.place.settled(lambda: len(building.http) == 2)
            await building.place.settled(lambda: len(building.http) == 1)
            slow.send(REQUEST % b"/healthz")
            assert (await read(slow))[0] == 200
            slow.close()
            silent.close()

    run(scenario)


def test_sending_on_does_not_excuse_a_peer_from_reading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(http, "READ_SECONDS", 0.1)
    (tmp_path / "large.bin").write_bytes(bytes(16_000_000))

    async def scenario() -> None:
        async with opened(tmp_path) as building:
            wire = Wire(*await asyncio.open_connection(HERE, building.port))
            wire.send(REQUEST % b"/large.bin")
            await wire.reader.readuntil(b"\r\n\r\n")
            wire.send(REQUEST % b"/healthz")
            await building.place.settled(lambda: len(building.http) == 0)
            wire.close()

    run(scenario)


@pytest.mark.parametrize("together", [False, True])
def test_a_websocket_can_be_asked_for_on_a_connection_that_was_used(
    monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    monkeypatch.setattr(http, "HEAD_SECONDS", 0.02)  # it is no request any more that must come in time

    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            wire.send(REQUEST % b"/healthz" + (UPGRADE if together else b""))
            assert (await read(wire))[0] == 200
            wire.send(b"" if together else UPGRADE)
            assert "101" in await wire.line()
            while (await wire.line()).strip():
                pass
            assert (building.counted, len(building.http), len(building.place.connections.connections)) == (1, 0, 1)
            await asyncio.sleep(0.05)
            wire.send(encode_text(b'{"type":"hello"}', bytes(4)))
            (frame,) = FrameDecoder(masked=False).feed(await wire.reader.read(1000))
            assert isinstance(frame, str)
            assert json.loads(frame)["type"] == "welcome"
            wire.close()
            await building.place.settled(lambda: building.counted == 0)

    run(scenario)


def test_a_websocket_to_another_path_is_not_found() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            for _ in range(3):
                wire.send(UPGRADE.replace(b"/ws", b"/other"))
                assert (await read(wire))[0] == 404
            assert (building.counted, len(building.http)) == (1, 1)

    run(scenario)


def test_an_address_in_a_header_is_not_trusted() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n")
            assert (await read(wire))[0] == 200
            guard: Any = building.http.app
            assert list(guard._allowances._left) == [HERE]

    run(scenario)


class Endless:
    """Source of an endless conversation."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def dialects(self, game: str) -> tuple[str, ...]:
        return ("native",)

    def reconstruct(
        self, events: Sequence[Event], dialect: str, seat: int, to: int, check: Check
    ) -> EncodedConversation:
        self.begun.set()
        try:
            while True:
                check()
                time.sleep(0.001)
        finally:
            self.ended.set()


@pytest.mark.parametrize("politely", [True, False])
def test_work_for_a_client_that_is_gone_ends(politely: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.net.http.HALF_CLOSED_SECONDS", 0.01)

    async def scenario() -> None:
        async with opened() as building:
            clinic = Endless()
            building.context.conversations = Conversations(clinic)
            building.place.journal.append("endless", 1, endless("tris", 20), lambda result: None)
            wire = await building.connect()
            wire.send(REQUEST % b"/api/matches/endless/wire?seat=0")
            await building.place.settled(clinic.begun.is_set)
            if politely:
                wire.writer.close()
            else:
                wire.writer.transport.abort()
            await building.place.settled(clinic.ended.is_set)

    run(scenario)


def test_a_client_that_closes_its_side_gets_an_answer_that_is_made_soon() -> None:
    async def scenario() -> None:
        async with opened() as building:
            wire = await building.connect()
            wire.send(REQUEST % b"/api/matches")
            wire.writer.write_eof()
            assert (await read(wire))[0] == 200

    run(scenario)
