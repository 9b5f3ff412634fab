"""Banned addresses: refused when they connect, also behind a proxy, and dropped when the ban comes later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from boardwire import dialects
from boardwire.net.connection import Connection
from boardwire.net.http import HttpServer
from boardwire.net.listener import address, listen
from boardwire.table.guest import Announced
from boardwire.wire.forwarded import trusted_proxies

from .harbour import Harbour, guests, harbour, run

BANNED = "203.0.113.7"
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\n"
)


async def hello(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
    """Answer every request."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


@asynccontextmanager
async def web(place: Harbour, *proxies: str) -> AsyncIterator[int]:
    """Open an HTTP port that trusts these proxies; return its number."""
    native = dialects.dialect("native")
    server = HttpServer(
        hello, place.connections, lambda client: Connection(native, place.connections, client),
        proxies=trusted_proxies(proxies),
    )  # fmt: skip
    port = await listen(server.protocol, "http", "127.0.0.1", 0, asyncio.get_running_loop())
    place.servers.append(port)
    yield address(port)[1]


def request(*headers: str) -> bytes:
    return "".join(["GET / HTTP/1.1\r\nHost: localhost\r\n", *(f"{one}\r\n" for one in headers), "\r\n"]).encode()


def test_a_banned_address_is_refused_on_every_port() -> None:
    async def scenario() -> None:
        async with harbour() as place, web(place) as port:
            place.connections.is_banned = lambda key: key == "127.0.0.1"
            lines = await place.connect(await place.open("tris-lines"))
            assert await lines.rest() == b""
            page = await place.connect(port)
            head, _, body = (await page.rest()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 403 ")
            assert b"Content-Length: %d\r\n" % len(body) in head
            assert b"banned" in body
            assert place.connections.tally.turned_away == 2
            assert not place.connections.by_address

    run(scenario)


def test_a_proxy_names_the_banned_client_and_others_pass_on_the_same_connection() -> None:
    async def scenario() -> None:
        async with harbour() as place, web(place, "127.0.0.1") as port:
            place.connections.is_banned = lambda key: key == BANNED
            wire = await place.connect(port)
            wire.send(request("X-Forwarded-For: 198.51.100.1"))
            assert await wire.line() == "HTTP/1.1 200 OK\r"
            wire.send(request(f"X-Forwarded-For: {BANNED}"))
            answer = await wire.rest()
            assert b"HTTP/1.1 403 " in answer
            assert b"banned" in answer
            upgrade = await place.connect(port)
            upgrade.send(f"{UPGRADE}X-Forwarded-For: {BANNED}\r\n\r\n".encode())
            assert (await upgrade.rest()).startswith(b"HTTP/1.1 403 ")

    run(scenario)


@pytest.mark.parametrize("header", ["X-Forwarded-For: 198.51.100.1", "Forwarded: for=198.51.100.1"])
def test_a_banned_client_does_not_pass_with_a_forged_header(header: str) -> None:
    """Without a trusted proxy the socket's address counts; with one, the address that the proxy appended."""

    async def scenario() -> None:
        async with harbour() as place, web(place) as direct, web(place, "127.0.0.1") as behind_proxy:
            wire = await place.connect(behind_proxy)
            appended = f", {'for=' if header.startswith('Forwarded') else ''}{BANNED}"
            place.connections.is_banned = lambda key: key in ("127.0.0.1", BANNED)
            wire.send(request(header + appended))
            assert (await wire.rest()).startswith(b"HTTP/1.1 403 ")
            forger = await place.connect(direct)  # refused before it can send a header
            assert (await forger.rest()).startswith(b"HTTP/1.1 403 ")

    run(scenario)


def test_connections_of_a_newly_banned_address_are_closed_and_their_opponents_notified() -> None:
    async def scenario() -> None:
        async with harbour() as place, web(place) as port:
            first, second = await place.pair(await place.open("tris-lines"))
            page = await place.connect(port)
            page.send(request())
            assert await page.line() == "HTTP/1.1 200 OK\r"
            place.connections.is_banned = lambda key: True
            assert place.connections.drop_banned(lambda guest: False) == 3
            assert b"DISCONNECTED" in await first.rest() + await second.rest()
            await page.rest()
            await place.settled(lambda: not place.connections.connections)

    run(scenario)


def test_connections_of_a_banned_player_are_closed_and_others_stay() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            first, second = await place.pair(await place.open("tris-lines"))
            banned = guests(place)[0]
            assert place.connections.drop_banned(lambda guest: guest is banned) == 1
            ends = await first.rest(), await second.rest()
            assert sorted(b"DISCONNECTED" in end for end in ends) == [False, True]

    run(scenario)


def test_an_announcement_reaches_native_clients_after_their_welcome_and_disturbs_no_other() -> None:
    async def scenario() -> None:
        async with harbour() as place, web(place) as port:
            first, second = await place.pair(await place.open("tris-lines"))
            wire = await place.connect(port)
            wire.send(f"{UPGRADE}\r\n".encode())
            while await wire.line() != "\r":
                pass
            place.connections.announce(Announced(1, "restart at nine", 12.0))
            await wire.nothing()
            body = b'{"type":"hello"}'
            wire.send(bytes([0x81, 0x80 | len(body), 0, 0, 0, 0]) + body)
            heard = b""
            while b"restart at nine" not in heard:
                heard += await wire.reader.read(1000)
            assert heard.index(b"welcome") < heard.index(b'"announcement"')
            place.connections.announce(Announced(2, ""))
            assert b'{"type":"announcement","number":2}' in await wire.reader.read(1000)
            first.send(b"0\n")
            assert await first.line() == "OK"
            assert await second.line() == "1,0,0,0,0,0,0,0,0,"

    run(scenario)
