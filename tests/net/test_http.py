"""HTTP and the WebSocket on one port, with a small application and real sockets."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, cast

import h11
import pytest
from structlog.testing import capture_logs

from boardwire.logs import PEER_LOG_LINES
from boardwire.net import http
from boardwire.net.asgi import Exchange
from boardwire.net.http import (
    MAX_HEAD_BYTES,
    MAX_PIPELINED_BYTES,
    MAX_WAITING_BYTES,
    READ_AHEAD_BYTES,
    REQUEST_SECONDS,
    HttpConnection,
    HttpServer,
)
from boardwire.net.listener import address, listen
from boardwire.net.origins import site
from boardwire.net.scheduler import INLINE_BURST_SECONDS
from boardwire.wire.forwarded import TrustedProxies, trusted_proxies

from .harbour import Harbour, Wire, harbour, run
from .test_connection import Pipe

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # the example of RFC 6455, 1.3
NAMES = ("game.example", "friend.example")

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Room(asyncio.Protocol):
    """Script that greets and then echoes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(b"[native]")

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)
        if data.endswith(b"bye"):
            self._transport.close()


async def mirror(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """Application that echoes the request; it reads the body unless the path says otherwise."""
    body = b""
    more = scope["path"] != "/deaf"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        more = message["more_body"]
    hosts = b",".join(value for name, value in scope["headers"] if name == b"host")
    words = b"%s %s?%s @%s %s" % (
        scope["method"].encode(), scope["path"].encode(), scope["query_string"], hosts, body,
    )  # fmt: skip
    if scope["path"] == "/fault":
        raise ZeroDivisionError
    headers = [] if scope["path"] == "/stream" else [(b"content-length", b"%d" % len(words))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if scope["path"] == "/half":
        raise ZeroDivisionError
    await send({"type": "http.response.body", "body": words[:3], "more_body": True})
    await send({"type": "http.response.body", "body": words[3:]})


class Post:
    """Harbour with an HTTP port."""

    def __init__(self, place: Harbour, proxies: TrustedProxies | None = None) -> None:
        self.place = place
        self.http = HttpServer(mirror, place.connections, lambda address: Room(), site(NAMES), proxies)
        self.port = 0

    async def open(self) -> None:
        server = await listen(self.http.protocol, "http", "127.0.0.1", 0, asyncio.get_running_loop())
        self.place.servers.append(server)
        self.port = address(server)[1]

    async def connect(self) -> Wire:
        return await self.place.connect(self.port)


@asynccontextmanager
async def opened(proxies: TrustedProxies | None = None, **limits: Any) -> AsyncIterator[Post]:
    async with harbour(**limits) as place:
        post = Post(place, proxies)
        await post.open()
        yield post
        post.http.close()


def ask(*segments: bytes, linger: float = 0.2) -> bytes:
    """Return the server's response to these segments until it closes, and check that no fault was logged."""
    answer = b""

    async def scenario() -> None:
        nonlocal answer
        async with opened(linger=linger) as post:
            wire = await post.connect()
            for segment in segments:
                wire.send(segment)
                await asyncio.sleep(0.01 if len(segments) > 1 else 0)
            answer = await wire.rest()
            wire.close()

    with capture_logs() as logs:
        run(scenario)
    assert not [log for log in logs if log["log_level"] in ("error", "critical")]
    return answer


@pytest.mark.parametrize(
    "asked",
    [
        b"GET / HTTP/1.1\r\nno field\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    ],
    ids=["no such head", "no such body", "a body that never comes"],
)
def test_a_connection_that_is_over_is_freed_without_the_collector(no_collector: None, asked: bytes) -> None:
    """The server lets the collector run so seldom that what waits for it would fill the memory."""

    def alive() -> int:
        return sum(isinstance(one, HttpConnection | Exchange | h11.Connection) for one in gc.get_objects())

    async def scenario() -> None:
        async with opened(linger=0.1) as post:
            wire = await post.connect()
            wire.send(asked)
            await post.place.settled(lambda: any(one.has_requested for one in post.http.open))
            wire.close()
            await post.place.settled(lambda: not post.http.open)
            await post.place.settled(lambda: alive() == 0)

    run(scenario)


def request(line: str = "GET / HTTP/1.1", *fields: str, host: str = "Host: x", body: bytes = b"") -> bytes:
    return "\r\n".join([line, *([host] if host else []), *fields, "", ""]).encode() + body


def last(line: str = "GET / HTTP/1.1", *fields: str, body: bytes = b"") -> bytes:
    """Return a request after which the server closes."""
    return request(line, "Connection: close", *fields, body=body)


def said(answer: bytes) -> list[bytes]:
    """Return the bodies of responses with a length."""
    bodies = []
    while answer:
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        bodies.append(rest[:length])
        answer = rest[length:]
    return bodies


# --- requests -------------------------------------------------------------------------------------------------------


def test_a_request_is_answered() -> None:
    answer = ask(last("GET /a%20b?c=d HTTP/1.1"))
    assert said(answer) == [b"GET /a b?c=d @x "]
    assert b"\r\nDate: " in answer
    assert b"\r\nConnection: close\r\n" in answer


def test_a_request_may_come_in_pieces() -> None:
    whole = last("POST /x HTTP/1.1", "Content-Length: 4", body=b"body")
    assert said(ask(whole[:9], whole[9:25], whole[25:-2], whole[-2:])) == [b"POST /x? @x body"]


def test_requests_that_come_together_are_answered_in_order() -> None:
    asked = [request(f"GET /{number} HTTP/1.1") for number in range(30)]
    post = request("POST /p HTTP/1.1", "Transfer-Encoding: chunked", body=b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert said(ask(b"".join(asked) + post + last("GET /last HTTP/1.1"))) == [
        *(b"GET /%d? @x " % number for number in range(30)), b"POST /p? @x abcde", b"GET /last? @x ",
    ]  # fmt: skip


def test_the_bytes_of_requests_that_come_together_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fed = 0
    receive_data = h11.Connection.receive_data

    def counting(connection: h11.Connection, data: bytes) -> None:
        nonlocal fed
        fed += len(data)
        receive_data(connection, data)

    monkeypatch.setattr(h11.Connection, "receive_data", counting)
    asked = b"".join(request(f"GET /{number} HTTP/1.1", f"X: {'x' * 500}") for number in range(50))
    assert len(said(ask(asked + last("GET /last HTTP/1.1")))) == 51
    assert fed < 1.1 * len(asked)


def test_too_many_bytes_behind_a_request_end_the_connection_after_its_response() -> None:
    asked = request("GET /1 HTTP/1.1", f"X: {'x' * 8000}") * (MAX_PIPELINED_BYTES // 8000 + 2)
    answer = ask(asked)
    assert said(answer)[0] == b"GET /1? @x "
    assert b"\r\nConnection: close\r\n" in answer
    assert len(said(answer)) < MAX_PIPELINED_BYTES // 8000


def test_an_answer_of_unknown_length_is_sent_in_chunks_and_to_old_clients_until_the_end() -> None:
    assert ask(last("GET /stream HTTP/1.1")).endswith(b"\r\n3\r\nGET\r\nd\r\n /stream? @x \r\n0\r\n\r\n")
    assert ask(request("GET /stream HTTP/1.0")).endswith(b"\r\n\r\nGET /stream? @x ")


def test_a_HEAD_has_no_body() -> None:
    head, _, body = ask(last("HEAD / HTTP/1.1")).partition(b"\r\n\r\n")
    assert b"content-length: 11" in head
    assert body == b""


def test_a_client_that_expects_100_continue_gets_it_when_its_body_is_read() -> None:
    async def scenario() -> None:
        async with opened() as post:
            wire = await post.connect()
            wire.send(last("POST / HTTP/1.1", "Content-Length: 2", "Expect: 100-continue"))
            assert (await wire.lines(2)) == ["HTTP/1.1 100 Continue\r", "\r"]
            wire.send(b"hi")
            assert said(await wire.rest()) == [b"POST /? @x hi"]

    run(scenario)


def test_an_unwanted_body_is_not_waited_for() -> None:
    answer = ask(request("POST /deaf HTTP/1.1", "Content-Length: 1000000", "Expect: 100-continue"))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"\r\nConnection: close\r\n" in answer


def test_a_body_is_read_only_a_little_ahead_of_its_consumer() -> None:
    most = 0

    async def slow(scope: Any, receive: Receive, send: Send) -> None:
        nonlocal most
        more, length = True, 0
        while more:
            await asyncio.sleep(0.01)
            message = await receive()
            most = max(most, len(message["body"]))
            length += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"%d" % length})

    async def scenario() -> None:
        async with opened() as post:
            post.http.app = slow
            wire = await post.connect()
            wire.send(last("POST / HTTP/1.1", "Content-Length: 2000000", body=bytes(2_000_000)))
            assert b"\r\n2000000\r\n" in await wire.rest()

    run(scenario)
    assert READ_AHEAD_BYTES <= most <= READ_AHEAD_BYTES + 2**18


def test_a_client_that_closes_its_side_after_asking_is_answered() -> None:
    async def scenario() -> None:
        async with opened() as post:
            wire = await post.connect()
            wire.send(request("POST / HTTP/1.1", "Content-Length: 2", body=b"hi"))
            wire.writer.write_eof()
            assert said(await wire.rest()) == [b"POST /? @x hi"]

    run(scenario)


def test_a_client_that_closes_its_side_costs_nothing_while_its_response_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = 0
    eof_received = HttpConnection.eof_received

    def counted(self: HttpConnection) -> bool:
        nonlocal ends
        ends += 1
        return eof_received(self)

    async def late(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        while not ends:
            await asyncio.sleep(0)
        for _ in range(50):
            await asyncio.sleep(0)
        await mirror(scope, receive, send)

    monkeypatch.setattr(HttpConnection, "eof_received", counted)

    async def scenario() -> None:
        async with opened() as post:
            post.http.app = late
            wire = await post.connect()
            wire.send(request("GET /deaf HTTP/1.1") * 2)
            wire.writer.write_eof()
            assert said(await wire.rest()) == [b"GET /deaf? @x "]

    run(scenario)
    assert 1 <= ends <= 2


def test_a_body_in_many_chunks_is_read_in_turns() -> None:
    async def scenario() -> None:
        async with opened() as post:
            calls = 0
            work = http.HttpConnection.work

            def counted(self: http.HttpConnection, until: float) -> bool:
                nonlocal calls
                calls += 1
                return work(self, until)

            post.place.connections.turns.clock = iter(float(number) for number in range(10**7)).__next__
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(http.HttpConnection, "work", counted)
                wire = await post.connect()
                wire.send(
                    last("POST / HTTP/1.1", "Transfer-Encoding: chunked", body=b"1\r\nx\r\n" * 500 + b"0\r\n\r\n")
                )
                assert said(await wire.rest()) == [b"POST /? @x " + b"x" * 500]
            assert calls >= 500, "one chunk at a time, by this clock"

    run(scenario)


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"\0\1\2\r\n\r\n", b"400"),
        (request(host=""), b"400"),
        (request("GET / HTTP/1.1", "Host: y"), b"400"),
        (request("GET / HTTP/1.1", "Content-Length: 1", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), b"400"),
        (request("GET / HTTP/1.1", "Content-Length: 1", "Content-Length: 2"), b"400"),
        (request("GET / HTTP/1.1", "Content-Length: x"), b"400"),
        (request("GET / HTTP/1.1", "Transfer-Encoding: gzip"), b"501"),
        (request("GET / HTTP/2.0"), b"505"),
        (request("POST / HTTP/1.1", "Transfer-Encoding: chunked", body=b"ZZ\r\n"), b"400"),
        (request("POST / HTTP/1.1", "Transfer-Encoding: chunked", body=b"1\r\nxx\r\n"), b"400"),
        (request("GET / HTTP/1.1", "X: " + "x" * MAX_HEAD_BYTES), b"431"),
        (request("GET / HTTP/1.1", "X: " + "x" * 60_000), b"431"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * MAX_HEAD_BYTES, b"431"),
    ],
    ids=["noise", "no host", "two hosts", "two sorts of length", "two lengths", "no length", "a coding", "a later HTTP",
         "no chunk", "a long chunk", "a long head", "a very long head", "an endless head"],
)  # fmt: skip
def test_malformed_requests_are_refused_and_closed_without_an_error(asked: bytes, status: bytes) -> None:
    answer = ask(asked)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"\r\nConnection: close\r\n" in answer


def test_an_error_in_a_later_request_does_not_lose_the_first_answer() -> None:
    answer = ask(request() + request("GET / HTTP/1.1", "X: " + "x" * MAX_HEAD_BYTES))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 431 " in answer


def test_a_body_that_breaks_off_is_no_fault() -> None:
    async def scenario() -> None:
        async with opened() as post:
            for leave in (Wire.close, Wire.reset):
                wire = await post.connect()
                wire.send(request("POST / HTTP/1.1", "Content-Length: 10", body=b"half"))
                await post.place.settled(lambda: len(post.http) == 1)
                leave(wire)
                await post.place.settled(lambda: len(post.http) == 0)

    with capture_logs() as logs:
        run(scenario)
    assert logs == []


def test_a_client_that_is_refused_while_it_sends_gets_the_reason() -> None:
    chunks = b"1\r\nx\r\n" * 20_000
    asked = request("POST / HTTP/1.1", "Transfer-Encoding: chunked", body=chunks + b"ZZ\r\n" + chunks)
    assert ask(asked).startswith(b"HTTP/1.1 400 ")


def test_an_absolute_address_is_as_good_as_a_path_and_a_host() -> None:
    for target, heard in (
        ("http://games.example:7070/a?b", b"GET /a?b @games.example:7070 "),
        ("HTTPS://games.example", b"GET /? @games.example "),
        ("http://games.example?b", b"GET /?b @games.example "),
    ):
        assert said(ask(last(f"GET {target} HTTP/1.1"))) == [heard]


@pytest.mark.parametrize(("path", "answer"), [("/fault", b"HTTP/1.1 500 "), ("/half", b"HTTP/1.1 200 ")])
def test_a_fault_of_the_application_is_a_line_in_the_log_and_the_end_of_that_answer(path: str, answer: bytes) -> None:
    async def scenario() -> None:
        async with opened(linger=0.2) as post:
            wire = await post.connect()
            with capture_logs() as logs:
                wire.send(request(f"GET {path} HTTP/1.1"))
                heard = b""
                try:
                    heard = await wire.rest()
                except ConnectionError:
                    assert path == "/half"
            assert heard.startswith(answer) or path == "/half"
            assert [(log["event"], log["path"]) for log in logs] == [("an HTTP response was aborted", path)]

    run(scenario)


def test_a_connection_without_a_request_head_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "HEAD_SECONDS", 0.05)
    assert ask(b"GET / HT") == b""
    assert ask(b"") == b""


def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "KEEP_ALIVE_SECONDS", 0.05)
    assert said(ask(request())) == [b"GET /? @x "]


async def long(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """Application whose response is larger than the buffers of two sockets."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"20000000")]})
    await send({"type": "http.response.body", "body": b"x" * 20_000_000})


def test_unread_responses_of_one_address_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.net.connections.UNSENT_CHECK_SECONDS", 0.0)

    async def scenario() -> None:
        async with opened(unsent_from=30_000_000) as post:
            post.http.app = long
            wires = [await post.connect() for _ in range(4)]
            for wire in wires:
                wire.send(request())
            await post.place.settled(lambda: 0 < len(post.http.open) < 4)
            assert sum(one.unsent for one in post.http.open) <= 30_000_000
            for wire in wires:
                wire.close()

    run(scenario)


def test_a_client_that_leaves_before_its_request_is_forgotten() -> None:
    async def scenario() -> None:
        async with opened() as post:
            wire = await post.connect()
            wire.send(b"GET")
            await post.place.settled(lambda: bool(post.http.open))
            (connection,) = post.http.open
            wire.reset()
            await post.place.settled(lambda: not post.http.open)
            assert connection._timer is not None
            assert connection._timer.cancelled()
            assert not post.place.connections.by_address

    run(scenario)


def test_a_full_server_answers_browsers_and_logs_it_once() -> None:
    async def scenario() -> None:
        async with opened() as post:
            post.place.connections.max_connections = 1
            wire = await post.connect()
            await post.place.settled(lambda: bool(post.http.open))
            with capture_logs() as logs:
                for _ in range(5):
                    refused = await post.connect()
                    answer = await refused.rest()
                    assert answer.startswith(b"HTTP/1.1 503 ")
                    assert b"\r\nRetry-After: 10\r\n" in answer
                lines = await post.place.connect(await post.place.open("tris-lines"))
                assert await lines.rest() == b""
            assert [(log["event"], log["connections"]) for log in logs] == [("too many connections on this server", 1)]
            assert post.place.connections.tally.turned_away == 6
            wire.send(last())
            assert said(await wire.rest()) == [b"GET /? @x "]

    run(scenario)


# --- WebSockets -----------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("path", ["/ws", "/ws?seat=1", "http://game.example:7070/ws"])
def test_an_upgrade_is_accepted_and_what_follows_is_native(path: str) -> None:
    head, _, rest = ask(upgrade(path) + b"fra", b"me bye").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert f"Sec-WebSocket-Accept: {ACCEPT}".encode() in head.split(b"\r\n")
    assert rest == b"[native]frame bye"


def test_an_upgrade_to_another_path_is_passed_to_the_application() -> None:
    assert said(ask(upgrade("/other", Connection="Upgrade, close"))) == [b"GET /other? @game.example:7070 "]


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
        upgrade(Content_Length="3") + b"bye",
        upgrade(Transfer_Encoding="chunked") + b"3\r\nbye\r\n0\r\n\r\n",
    ],
    ids=["no key", "short key", "no Base64", "no upgrade", "no host", "no GET", "old HTTP", "a body", "chunks"],
)
def test_an_upgrade_that_is_no_handshake_is_a_bad_request(request_: bytes) -> None:
    assert ask(request_).startswith(b"HTTP/1.1 400 ")


def test_a_handshake_of_another_version_gets_the_supported_one() -> None:
    answer = ask(upgrade(Sec_WebSocket_Version="8"))
    assert answer.startswith(b"HTTP/1.1 426 ")
    assert b"Sec-WebSocket-Version: 13\r\n" in answer


def test_a_browser_that_also_keeps_alive_is_upgraded() -> None:
    assert ask(upgrade(Connection="keep-alive, Upgrade") + b"bye").startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    "host", ["game.example:7070", "FRIEND.example", "localhost:7070", "192.0.2.1:7070", "[::1]:7070"]
)
def test_a_page_of_this_server_may_connect(host: str) -> None:
    assert ask(upgrade(Host=host, Origin=f"http://{host}") + b"bye").startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("game.example:7070", "http://evil.example"),
        ("game.example:7070", "http://game.example"),
        ("game.example:7070", "null"),
        ("evil.example:7070", "http://evil.example:7070"),
        ("game.example:7070", "http://game.example:7070\r\nOrigin: http://game.example:7070"),
    ],
    ids=["elsewhere", "another port", "nowhere", "a name that is not ours", "twice"],
)
def test_a_page_of_another_site_may_not(host: str, origin: str) -> None:
    answer = ask(upgrade(Host=host, Origin=origin))
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert b"native" not in answer


# --- behind a proxy ---------------------------------------------------------------------------------------------------

HERE = trusted_proxies(("127.0.0.1",))
ELSEWHERE = trusted_proxies(("10.0.0.0/8",))


def forwarded(path: str, client: str, *more: str) -> bytes:
    """Return a request that a proxy forwards for a client."""
    lines = (f"GET {path} HTTP/1.1", "Host: game.example", f"X-Forwarded-For: {client}", *more, "", "")
    return "\r\n".join(lines).encode()


def upgrading(client: str, origin: str = "") -> bytes:
    more = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}")
    return forwarded("/ws", client, *more, *((f"Origin: {origin}",) if origin else ()))


async def answer(wire: Wire) -> str:
    """Return the first line of a response, and drain the rest."""
    first = await wire.line()
    size = 0
    while line := (await wire.line()).strip():
        name, _, value = line.partition(":")
        size = int(value) if name.lower() == "content-length" else size
    if size:
        await wire.reader.readexactly(size)
    return first.split(" ")[1]


def test_the_connections_of_a_proxy_count_for_its_clients_while_they_ask() -> None:
    async def scenario() -> None:
        async with opened(HERE, per_address=2) as post:
            connections = post.place.connections
            wires = [await post.connect() for _ in range(5)]
            await post.place.settled(lambda: len(post.http.open) == 5)
            assert connections.by_address["127.0.0.1"] == 0, "more than one address may have, and none of them refused"
            for wire in wires:
                wire.send(forwarded("/", "203.0.113.7"))
                assert await answer(wire) == "200"
            assert connections.by_address["203.0.113.7"] == 0, "an idle connection of the proxy is nobody's"

    run(scenario)


def test_a_websocket_behind_a_proxy_counts_for_its_client_as_long_as_it_lasts() -> None:
    asked: list[str] = []

    async def scenario() -> None:
        async with opened(HERE, per_address=2) as post:
            connections = post.place.connections

            class Held(asyncio.Protocol):
                def __init__(self, address: str) -> None:
                    self._address = address
                    asked.append(address)

                def connection_made(self, transport: asyncio.BaseTransport) -> None:
                    connections.enter(self._address)

                def connection_lost(self, error: Exception | None) -> None:
                    connections.leave(self._address)

            post.http.native = Held
            first, second, third, other = [await post.connect() for _ in range(4)]
            for wire in (first, second):
                wire.send(upgrading("203.0.113.7"))
                assert await answer(wire) == "101"
            assert connections.by_address["203.0.113.7"] == 2
            third.send(upgrading("203.0.113.7"))
            assert await answer(third) == "429", "it has two"
            other.send(upgrading("203.0.113.8"))
            assert await answer(other) == "101", "another client of the same proxy has none"
            first.close()
            await post.place.settled(lambda: connections.by_address["203.0.113.7"] == 1)

    run(scenario)
    assert asked == ["203.0.113.7", "203.0.113.7", "203.0.113.8"]


@pytest.mark.parametrize(("proxies", "peer"), [(HERE, "203.0.113.7"), (ELSEWHERE, "127.0.0.1"), (None, "127.0.0.1")])
def test_the_log_and_the_application_have_the_client_that_counts(proxies: TrustedProxies | None, peer: str) -> None:
    clients: list[Any] = []

    async def note(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        clients.append(scope["client"][0])
        await mirror(scope, receive, send)

    async def scenario() -> None:
        async with opened(proxies) as post:
            post.http.app = note
            wire = await post.connect()
            wire.send(forwarded("/", "6.6.6.6, 203.0.113.7"))
            assert await answer(wire) == "200"
            wire.send(upgrading("203.0.113.7", "http://elsewhere.example"))
            assert await answer(wire) == "403"

    with capture_logs() as logs:
        run(scenario)
    assert clients == [peer]
    assert [log["peer"] for log in logs if "another site" in log["event"]] == [peer]


def test_one_client_can_log_a_few_foreign_origins_and_another_still_can() -> None:
    async def scenario() -> None:
        async with opened(HERE) as post:
            for client in (*["203.0.113.7"] * 30, "203.0.113.8"):
                wire = await post.connect()
                wire.send(upgrading(client, "http://\u202eelsewhere.example"))
                assert await answer(wire) == "403"

    with capture_logs() as logs:
        run(scenario)
    lines = [log for log in logs if "another site" in log["event"]]
    assert [log["peer"] for log in lines] == ["203.0.113.7"] * PEER_LOG_LINES + ["203.0.113.8"]
    assert {log["origin"] for log in lines} == {"http://\u202eelsewhere.example"}, "UTF-8, not Latin-1"


def test_every_request_of_one_connection_counts_for_its_own_client() -> None:
    clients: list[Any] = []

    async def note(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        clients.append(scope["client"])
        await mirror(scope, receive, send)

    async def scenario() -> None:
        async with opened(HERE) as post:
            post.http.app = note
            wire = await post.connect()
            for client in ("203.0.113.7", "2001:db8::7", "unknown"):
                wire.send(forwarded("/", client))
                assert await answer(wire) == "200"

    run(scenario)
    assert clients[:2] == [("203.0.113.7", 0), ("2001:db8::7", 0)]
    assert clients[2][0] == "127.0.0.1"


@pytest.mark.parametrize(("others", "queued"), [(0, 0), (1, 10)])
def test_requests_of_an_address_that_has_used_its_share_of_the_loop_are_answered_in_turn(
    others: int, queued: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened() as post:
            connections, waited = post.place.connections, list[str]()
            call = connections.turns.call

            def note(address_key: str, work: Callable[[], None], seconds: float = 0.0) -> None:
                waited.append(address_key)
                call(address_key, work, seconds)

            connections.turns.clock = lambda: 0.0
            monkeypatch.setattr(connections.turns, "call", note)
            for _ in range(others):
                connections.enter("10.0.0.1")
            wire = await post.connect()
            count = round(INLINE_BURST_SECONDS / REQUEST_SECONDS) + 10
            wire.send(b"GET / HTTP/1.1\r\nHost: game.example\r\n\r\n" * count)
            heard = b""
            while heard.count(b"200 OK") < count:
                heard += await wire.some()
            assert waited == ["127.0.0.1"] * queued
            wire.close()

    run(scenario)


@pytest.mark.parametrize("ends", [False, True])
def test_a_head_that_waits_for_its_turn_has_no_deadline_and_is_answered_when_the_server_closes(
    monkeypatch: pytest.MonkeyPatch, ends: bool
) -> None:
    monkeypatch.setattr(http, "HEAD_SECONDS", 0.03)
    monkeypatch.setattr(http, "KEEP_ALIVE_SECONDS", 0.03)

    async def scenario() -> None:
        async with opened() as post:
            connections, waiting = post.place.connections, list[Callable[[], None]]()
            monkeypatch.setattr(connections.turns, "call", lambda key, call, seconds: waiting.append(call))
            connections.turns.clock = lambda: 0.0
            connections.enter("10.0.0.1")
            wire = await post.connect()
            await post.place.settled(lambda: connections.by_address["127.0.0.1"] == 1)
            inline = connections.inline_time("127.0.0.1")
            assert inline is not None
            inline.spend(1.0)
            wire.send(b"GET / HTTP/1.1\r\nHost: game.example\r\n\r\n")
            await post.place.settled(lambda: bool(waiting))
            await asyncio.sleep(0.1)
            if ends:
                post.http.close()
            waiting.pop()()
            assert await answer(wire) == "200"
            if ends:
                assert await wire.rest() == b""

    run(scenario)


def _wait_for_turns(post: Post, address: str, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Let an address use up its time; return its waiting calls."""
    connections, waiting = post.place.connections, list[Callable[[], None]]()
    monkeypatch.setattr(connections.turns, "call", lambda key, call, seconds: waiting.append(call))
    connections.turns.clock = lambda: 0.0
    connections.enter("10.0.0.1")
    connections.enter(address)
    inline = connections.inline_time(address)
    assert inline is not None
    inline.spend(1.0)
    return waiting


def test_a_websocket_behind_a_proxy_waits_for_the_turn_of_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with opened(HERE) as post:
            waiting = _wait_for_turns(post, "203.0.113.7", monkeypatch)
            late, other = await post.connect(), await post.connect()
            late.send(upgrading("203.0.113.7"))
            await post.place.settled(lambda: len(waiting) == 1)
            other.send(upgrading("203.0.113.8"))
            assert await answer(other) == "101", "another client of the same proxy does not wait"
            await late.nothing()
            late.send(b"bye")  # behind the handshake, before its answer
            waiting.pop()()
            assert await answer(late) == "101"
            assert await late.rest() == b"[native]bye"

    run(scenario)


class Held(Pipe):
    """A transport of one address, with what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = True

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("203.0.113.7", 1) if name == "peername" else default

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True


@pytest.mark.parametrize(("more", "waits"), [(0, True), (1, False)])
def test_a_connection_that_waits_for_its_turn_keeps_a_bounded_number_of_bytes(
    more: int, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened() as post:
            waiting, held, connection = _wait_for_turns(post, "203.0.113.7", monkeypatch), Held(), post.http.protocol()
            connection.connection_made(held)
            connection.data_received(b"bad\r\n\r\n".ljust(MAX_WAITING_BYTES + more, b"x"))
            assert (bool(waiting), held.reads) == (waits, not waits)
            assert bool(held.written) is not waits
            for call in waiting:
                call()
            assert held.written[0].startswith(b"HTTP/1.1 400 ")
            connection.connection_lost(None)

    run(scenario)
