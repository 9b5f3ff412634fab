"""The front door: who asks for a WebSocket gets one, and everything else is handed to HTTP."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from structlog.testing import capture_logs

from boardwire.net import front
from boardwire.net.front import HEAD_LIMIT, FrontDoor
from boardwire.net.listener import address, listen

from .harbour import Wire, run

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # the example of RFC 6455, 1.3


class Room(asyncio.Protocol):
    """Says who it is, and then whatever it hears."""

    def __init__(self, name: bytes) -> None:
        self._name = name

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(b"[" + self._name + b"]")

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)
        if data.endswith(b"bye"):
            self._transport.close()


def ask(request: bytes | list[bytes], *origins: str) -> bytes:
    """What the server says to these segments, until it closes."""
    segments = [request] if isinstance(request, bytes) else request
    answer = b""

    async def scenario() -> None:
        nonlocal answer
        server = await listen(
            lambda: FrontDoor(lambda door: Room(b"http"), lambda: Room(b"native"), frozenset(origins)),
            "http", "127.0.0.1", 0, asyncio.get_running_loop(),
        )  # fmt: skip
        wire = Wire(*await asyncio.open_connection("127.0.0.1", address(server)[1]))
        for segment in segments:
            wire.send(segment)
            await asyncio.sleep(0.01)
        answer = await wire.rest()
        wire.close()
        server.close()

    run(scenario)
    return answer


def upgrade(path: str = "/ws", **changed: str | None) -> bytes:
    headers: dict[str, str | None] = {
        "Host": "game.example:7070",
        "Upgrade": "WebSocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": KEY,
        "Sec-WebSocket-Version": "13",
    }
    headers.update({name.replace("_", "-"): value for name, value in changed.items()})
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode()


def test_a_request_goes_to_HTTP_with_all_its_bytes() -> None:
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\nbye"
    assert ask(request) == b"[http]" + request


def test_a_request_may_come_in_pieces() -> None:
    request = b"POST /x HTTP/1.1\r\nHost: x\r\n\r\nbody, bye"
    assert ask([request[:9], request[9:25], request[25:]]) == b"[http]" + request


@pytest.mark.parametrize("path", ["/ws", "/ws?seat=1"])
def test_an_upgrade_is_accepted_and_what_follows_is_native(path: str) -> None:
    head, _, rest = ask([upgrade(path) + b"fra", b"me bye"]).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert f"Sec-WebSocket-Accept: {ACCEPT}".encode() in head.split(b"\r\n")
    assert rest == b"[native]frame bye"


def test_an_upgrade_to_another_path_is_HTTPs_business() -> None:
    assert ask(upgrade("/other") + b"bye").startswith(b"[http]")


@pytest.mark.parametrize(
    "request_",
    [
        upgrade(Sec_WebSocket_Key=None),
        upgrade(Sec_WebSocket_Key="c2hvcnQ="),
        upgrade(Sec_WebSocket_Key="not base64!"),
        upgrade(Connection="keep-alive"),
        upgrade(Host=None),
        upgrade().replace(b"GET", b"POST"),
        upgrade().replace(b"HTTP/1.1", b"HTTP/1.0"),
    ],
    ids=["no key", "short key", "no Base64", "no upgrade", "no host", "no GET", "old HTTP"],
)
def test_an_upgrade_that_is_no_handshake_is_a_bad_request(request_: bytes) -> None:
    assert ask(request_).startswith(b"HTTP/1.1 400 ")


def test_another_version_of_the_protocol_is_told_which_one_is_spoken() -> None:
    answer = ask(upgrade(Sec_WebSocket_Version="8"))
    assert answer.startswith(b"HTTP/1.1 426 ")
    assert b"Sec-WebSocket-Version: 13\r\n" in answer


def test_a_browser_that_also_keeps_alive_is_upgraded() -> None:
    assert ask(upgrade(Connection="keep-alive, Upgrade") + b"bye").startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize("origin", ["http://game.example:7070", "https://friend.example"])
def test_a_page_of_this_site_or_of_a_friend_may_connect(origin: str) -> None:
    answer = ask(upgrade(Origin=origin) + b"bye", "https://friend.example")
    assert answer.startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize("origin", ["http://evil.example", "http://game.example", "null"])
def test_a_page_of_another_site_may_not(origin: str) -> None:
    with capture_logs() as logs:
        assert ask(upgrade(Origin=origin)).startswith(b"HTTP/1.1 403 ")
    assert [(log["event"], log["origin"]) for log in logs] == [("a page of another site tried to connect", origin)]


def test_a_head_that_never_ends_is_refused() -> None:
    assert ask(b"GET / HTTP/1.1\r\nX: " + b"x" * HEAD_LIMIT).startswith(b"HTTP/1.1 431 ")


def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "HEAD_SECONDS", 0.05)
    assert ask(b"GET / HT") == b""


def test_whoever_goes_before_it_has_asked_is_forgotten() -> None:
    async def scenario() -> None:
        made: list[FrontDoor] = []

        def door() -> FrontDoor:
            made.append(FrontDoor(lambda door: Room(b"http"), lambda: Room(b"native"), frozenset()))
            return made[-1]

        server = await listen(door, "http", "127.0.0.1", 0, asyncio.get_running_loop())
        wire = Wire(*await asyncio.open_connection("127.0.0.1", address(server)[1]))
        wire.send(b"GET")
        await asyncio.sleep(0.02)
        wire.reset()
        await asyncio.sleep(0.02)
        (left,) = made
        assert left._timer is not None
        assert left._timer.cancelled()
        server.close()

    run(scenario)
