"""HTTP/1.1 and the native WebSocket on one port, with h11.

- Requests of a connection are answered in order; up to `MAX_PIPELINED_BYTES` of pipelined requests wait.
- A request head has at most `MAX_HEAD_BYTES` and must arrive within `HEAD_SECONDS`. Idle connections are kept for
  `KEEP_ALIVE_SECONDS`.
- If an address has used its share of the event loop (`scheduler.InlineTime`), its requests are read and answered in
  turn with those of other addresses.
- A body is read as fast as the application takes it, up to `READ_AHEAD_BYTES` ahead, in turns with other connections.
- Ambiguous requests are refused: two lengths, two hosts, no host, an upgrade with a body.
- A WebSocket upgrade to `upgrade.PATH` becomes a native connection, also after other requests.
- A client that reads nothing of its response for `READ_SECONDS` is dropped.
- Connections are closed gracefully: our side first, then input is read and discarded for a while, so that no reset
  destroys the response.
- On a connection from a trusted proxy each request counts for the client that the proxy names (`wire.forwarded`).
  Between requests the connection counts for no address.
- Client errors get a status code and are not logged as errors.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from typing import Final, cast

import h11
import structlog

from boardwire.net import upgrade
from boardwire.net.asgi import Application, Exchange, scope_of
from boardwire.net.client_address import address_key
from boardwire.net.connections import UNKNOWN, Admission, Connections, address_of
from boardwire.net.origins import Site
from boardwire.net.upgrade import Headers
from boardwire.wire.forwarded import TrustedProxies
from boardwire.wire.text import decode_header

log = structlog.get_logger("boardwire.net")

MAX_HEAD_BYTES: Final = 16 * 1024
"""Largest request head."""
HEAD_SECONDS: Final = 10.0
"""Time in which a request head must arrive."""
KEEP_ALIVE_SECONDS: Final = 5.0
"""Time that an idle connection is kept."""
READ_SECONDS: Final = 10.0
"""Time in which a client must read some of a response that does not fit into its socket buffer."""
HALF_CLOSED_SECONDS: Final = 2.0
"""Time that a response may take for a client that has closed its side: it may be waiting for the response, or gone."""
REQUEST_SECONDS: Final = 0.001
"""Estimated event-loop time of a request, charged to its address (`scheduler.InlineTime`)."""
MAX_PIPELINED_BYTES: Final = 64 * 1024
"""Bytes that may wait behind a request without a body; with more, the connection is closed after its response."""
MAX_WAITING_BYTES: Final = MAX_HEAD_BYTES + MAX_PIPELINED_BYTES
"""Bytes of a connection that may wait for the turn of its address; more are handled at once, which drops most."""
READ_AHEAD_BYTES: Final = 64 * 1024
"""Body bytes that are read before the application takes them."""

BANNED_BODY: Final = b"This server has banned your address; its operator can lift the ban.\n"
_END_OF_HEAD: Final = re.compile(rb"\n\r?\n")
_ABSOLUTE: Final = re.compile(rb"https?://([^/?#]*)([^#]*)", re.IGNORECASE)


class HttpServer:
    """Shared state of all HTTP connections.

    `native` creates the protocol of a WebSocket for a client address; `proxies` are trusted to name the client.
    """

    def __init__(
        self,
        app: Application,
        connections: Connections,
        native: Callable[[str], asyncio.Protocol],
        site: Site | None = None,
        proxies: TrustedProxies | None = None,
    ) -> None:
        self.app = app
        self.connections = connections
        self.native = native
        self.site = site or Site()
        self.proxies = proxies or TrustedProxies()
        self.open: set[HttpConnection] = set()
        connections.outboxes.append(self.open)
        self.is_closing = False

    def protocol(self) -> asyncio.Protocol:
        """Return the protocol of a new connection."""
        return HttpConnection(self)

    def __len__(self) -> int:
        """Return the number of connections that have sent a request."""
        return sum(connection.has_requested for connection in self.open)

    def close(self) -> None:
        """Close idle connections at once, the others after their response."""
        self.is_closing = True
        for connection in tuple(self.open):
            connection.close()


class HttpConnection(asyncio.Protocol):
    """An HTTP connection, and the response writer of its current exchange."""

    def __init__(self, server: HttpServer) -> None:
        self._server = server
        self._connections = server.connections
        self._transport: asyncio.Transport
        self._peer = ""
        self._client = ""
        """Client address: the peer, or the client that a trusted proxy names."""
        self._is_proxy = False
        self.address_key = ""
        self._unread = b""
        """Received bytes of the next request and those behind it."""
        self._unsearched = 0
        """Number of bytes at its end that were not searched for the end of the head yet."""
        self._h11 = h11.Connection(h11.SERVER)
        self._exchange: Exchange | None = None
        self._task: asyncio.Task[None] | None = None
        self.has_requested = False
        self._closing = False
        self._has_client_closed = False
        """Whether the client has closed its side."""
        self._is_truncated = False
        """Whether requests behind the current one were dropped."""
        self._queued = False
        self._has_turn = False
        """Whether it is handling a head in its turn, so that the request need not wait for another turn."""
        self._head_seconds: float | None = None
        """Remaining time for the head when it began to wait for its turn, or None if it does not wait."""
        self._timer: asyncio.TimerHandle | None = None
        """Deadline for the next action of the client."""
        self._progress_timer: asyncio.TimerHandle | None = None
        self._writable: asyncio.Event | None = None
        """Set when the transport is writable again; None while it is writable."""

    # --- asyncio.Protocol -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and expect a request, or refuse it at once."""
        self._transport = cast("asyncio.Transport", transport)
        self._peer = self._client = address_of(transport)
        self._is_proxy = self._server.proxies.trusts(self._peer)
        self.address_key = UNKNOWN if self._is_proxy else address_key(self._peer)
        admission = self._connections.enter(self.address_key)
        if admission is not Admission.ADMITTED:
            self._connections.turn_away(admission, peer=self._peer, dialect="http")
            self._closing = True
            self._transport.write(_refusal(*_rejection(admission)))
            self._transport.close()  # at once: a graceful close would keep the connection over the limit
            return
        self._server.open.add(self)
        self._expect(HEAD_SECONDS)

    def connection_lost(self, error: Exception | None) -> None:
        """Stop counting the connection, and end its exchange."""
        self._release()
        # free the memory now: the scheduler's queue or a timer may keep this object alive for seconds
        self._unread = b""
        self._h11 = h11.Connection(h11.SERVER)
        if self._exchange is not None:
            self._exchange.end()
            self._exchange = None  # break the reference cycle
        if self._writable is not None:
            self._writable.set()

    def data_received(self, data: bytes) -> None:
        """Handle input: a request head, a body, or requests behind the current one."""
        if self._closing:
            return
        if self._exchange is None:
            self._unread += data
            self._unsearched += len(data)
            self._receive_head()
            return
        self._transport.pause_reading()  # until this is consumed, as body or as the next request
        if self._exchange.is_whole:
            self._keep_pipelined(self._unread + data)
        else:
            self._h11.receive_data(data)
            self._join_queue()

    def eof_received(self) -> bool:
        """Handle the end of the client's side; return whether ours stays open for the response."""
        self._has_client_closed = True
        if self._head_seconds is not None:
            return True
        if self._closing or self._exchange is None:
            return False  # the transport closes by itself
        self._h11.receive_data(b"")
        self._join_queue()
        self._connections.loop.call_later(HALF_CLOSED_SECONDS, self._exchange.hang_up)
        return True

    def pause_writing(self) -> None:
        self._writable = asyncio.Event()
        self._check_progress(sys.maxsize)
        self._connections.check_unsent(self.address_key)

    def resume_writing(self) -> None:
        if self._writable is not None:
            self._writable.set()
            self._writable = None
        _stop(self._progress_timer)

    def _check_progress(self, before: int) -> None:
        """Drop the client if it has not read any of `before` unread bytes; otherwise check again later."""
        unread = self._transport.get_write_buffer_size()
        if unread < before:
            self._progress_timer = self._connections.loop.call_later(READ_SECONDS, self._check_progress, unread)
        else:
            self._transport.abort()

    # --- a request ------------------------------------------------------------------------------------------------

    def _receive_head(self) -> None:
        """Handle the next request now or, if its address has used its share of the event loop, in its turn."""
        inline, turns = self._connections.inline_time(self.address_key), self._connections.turns
        if inline is None:
            self._begin()
        elif inline.has_time(started_at := turns.clock()) or len(self._unread) > MAX_WAITING_BYTES:
            self._begin()
            inline.spend(turns.clock() - started_at)
        else:
            self._transport.pause_reading()
            self._head_seconds = self._head_seconds_left()
            _stop(self._timer)
            turns.call(self.address_key, self._begin_in_turn, REQUEST_SECONDS)

    def _begin_in_turn(self) -> None:
        """Continue a request head that had to wait for the turn of its address."""
        seconds, self._head_seconds = self._head_seconds, None
        if self._closing or self._transport.is_closing() or seconds is None:
            return
        self._transport.resume_reading()
        self._expect(seconds)
        self._has_turn = True
        try:
            self._begin()
        finally:
            self._has_turn = False
        waits_for_more = self._exchange is None and not self._closing and self in self._server.open
        if waits_for_more and (self._has_client_closed or self._server.is_closing):
            self._transport.close()

    def _head_seconds_left(self) -> float:
        return HEAD_SECONDS if self._timer is None else max(0.0, self._timer.when() - self._connections.loop.time())

    def _begin(self) -> None:
        """Handle the next request if its head is complete."""
        new_bytes, self._unsearched = self._unsearched, 0
        head = _END_OF_HEAD.search(self._unread, max(0, len(self._unread) - new_bytes - 2))
        size = head.end() if head is not None else len(self._unread)
        if size > MAX_HEAD_BYTES:
            self._refuse(431)
        elif head is not None:
            self._read_head(size)
        elif size == new_bytes:  # the first part of a head: its time begins
            self._expect(HEAD_SECONDS)

    def _read_head(self, size: int) -> None:
        """Handle the request whose head has this size.

        h11 gets only this head and then its body. It would copy all requests behind it, again for each of them, and
        keep them until the garbage collector runs: 370 MB for 40 connections that sent 20 heads of 15 KB at once.
        """
        self._h11 = h11.Connection(h11.SERVER)
        self._h11.receive_data(self._unread[:size])
        self._unread, rest = b"", self._unread[size:]
        self.has_requested = True
        try:
            request = self._h11.next_event()
        except h11.RemoteProtocolError as error:
            self._refuse(_status(error))
            return
        if not isinstance(request, h11.Request):
            self._refuse(400)
            return
        target, headers = _resolve(request)
        if rest and _has_body(headers):
            self._h11.receive_data(rest)
            rest = b""
        if self._is_proxy:
            self._client = self._server.proxies.client_address(self._peer, headers)
            admission = self._recount(address_key(self._client))
            if admission is not Admission.ADMITTED:
                self._connections.turn_away(admission, peer=self._client, dialect="http")
                self._refuse(*_rejection(admission))
                return
        if upgrade.values(headers, b"content-length") and upgrade.values(headers, b"transfer-encoding"):
            self._refuse(400)  # RFC 9112, 6.1: a proxy may have read it the other way (request smuggling)
        elif not request.http_version.startswith(b"1."):
            self._refuse(505)
        elif upgrade.is_upgrade_request(headers) and target.partition(b"?")[0] == upgrade.PATH.encode():
            _stop(self._timer)
            self._transport.pause_reading()
            self._do_in_turn(partial(self._upgrade, request, headers, rest))
        else:
            self._keep_pipelined(rest)
            self._answer(request, target, headers)

    def _keep_pipelined(self, data: bytes) -> None:
        """Keep the bytes behind a request; drop them if there are too many, and close after the response."""
        self._unread = data if len(data) <= MAX_PIPELINED_BYTES else b""
        self._is_truncated = self._is_truncated or len(data) > MAX_PIPELINED_BYTES

    def _answer(self, request: h11.Request, target: bytes, headers: Headers) -> None:
        """Begin the response to a request, as soon as the client address has time left; read its body meanwhile."""
        _stop(self._timer)
        client, server = (_endpoint(self._transport.get_extra_info(name)) for name in ("peername", "sockname"))
        if client is not None and self._client != self._peer:
            client = self._client, 0  # a proxy does not report the port
        scope = scope_of(request, target, headers, client, server)
        self._exchange = exchange = Exchange(scope, self)
        if self.work(self._connections.turns.clock()):
            self._join_queue()
        self._do_in_turn(partial(self._start, exchange))

    def _do_in_turn(self, call: Callable[[], None]) -> None:
        """Make a call now if the address has time left or this is its turn, and otherwise in its turn."""
        inline, turns = self._connections.inline_time(self.address_key), self._connections.turns
        if self._has_turn or inline is None or inline.take(REQUEST_SECONDS):
            call()
        else:
            turns.call(self.address_key, call, REQUEST_SECONDS)

    def _start(self, exchange: Exchange) -> None:
        if exchange is self._exchange and not exchange.is_over:
            self._task = self._connections.loop.create_task(self._run(exchange))

    async def _run(self, exchange: Exchange) -> None:
        """Run the application for a request; an incomplete response resets the connection."""
        try:
            await self._server.app(exchange.scope, exchange.receive, exchange.send)
        except Exception as error:  # noqa: BLE001 - an exception in the application ends only this response
            log.error("an HTTP response was aborted", peer=self._client, path=exchange.scope["path"], error=repr(error))
        if not exchange.is_over:
            exchange.end()
            if exchange.has_begun:
                self._transport.abort()  # the client must notice that the response is incomplete
            else:
                self._refuse(500)
        elif not self._closing:
            self._next()

    def _join_queue(self) -> None:
        if not self._queued:
            self._queued = True
            self._connections.turns.join(self)

    def work(self, until: float) -> bool:
        """Read the body until the given time; return whether more of it is available."""
        exchange = self._exchange
        while exchange is not None and not exchange.is_over:
            try:
                event = self._h11.next_event()
            except h11.RemoteProtocolError as error:
                exchange.end()
                self._refuse(_status(error), has_begun=exchange.has_begun)
                break
            if isinstance(event, h11.EndOfMessage):
                exchange.finish()
                break
            if not isinstance(event, h11.Data):
                if not self._has_client_closed:  # otherwise the loop would report the end again, and cause another turn
                    self._transport.resume_reading()
                break
            exchange.feed(bytes(event.data))
            if exchange.unread >= READ_AHEAD_BYTES:
                break  # `proceed` continues
            if self._connections.turns.clock() >= until:
                return True
        self._queued = False
        return False

    # --- asgi.ResponseWriter --------------------------------------------------------------------------------------

    def proceed(self) -> None:
        exchange = self._exchange
        if exchange is None or exchange.is_whole or self._transport.is_closing():
            return
        if self._h11.they_are_waiting_for_100_continue and not exchange.has_begun:
            self.send(h11.InformationalResponse(status_code=100, headers=[], reason=_phrase(100)))
        self._join_queue()

    def send(self, *events: h11.Event) -> None:
        parts = [self._h11.send(self._complete(event)) or b"" for event in events]
        if not self._transport.is_closing():
            self._transport.write(b"".join(parts))

    def _complete(self, event: h11.Event) -> h11.Event:
        """Add `Date` and, on the last response, `Connection: close`."""
        if not isinstance(event, h11.Response):
            return event
        headers = [*event.headers.raw_items(), (b"Date", formatdate(time.time(), usegmt=True).encode())]
        exchange = self._exchange
        if (
            self._server.is_closing
            or self._has_client_closed
            or self._is_truncated
            or (exchange is not None and not exchange.is_whole)
        ):
            headers.append((b"Connection", b"close"))
        return h11.Response(status_code=event.status_code, headers=headers, reason=_phrase(event.status_code))

    async def drain(self) -> None:
        while self._writable is not None and not self._transport.is_closing():
            await self._writable.wait()

    # --- after the response -----------------------------------------------------------------------------------------

    def _next(self) -> None:
        """Handle or await the next request, or close."""
        self._exchange = self._task = None
        if self._transport.is_closing():
            return
        if self._is_truncated or self._h11.our_state is not h11.DONE or self._h11.their_state is not h11.DONE:
            self._close_gracefully()
            return
        self._unread = self._h11.trailing_data[0] + self._unread
        if self._is_proxy:
            self._recount(UNKNOWN)  # the next request may come from another client
        self._transport.resume_reading()
        self._expect(KEEP_ALIVE_SECONDS)
        self._unsearched = len(self._unread)
        if self._unread:
            self._receive_head()

    def _recount(self, address_key: str) -> Admission:
        """Count this connection for another client address if the limits allow it."""
        if address_key == self.address_key:
            return Admission.ADMITTED
        self._connections.leave(self.address_key)
        admission = self._connections.enter(address_key)
        if admission is Admission.ADMITTED:
            self.address_key = address_key
        else:
            self._connections.enter(self.address_key)  # never refused: it has just left
        return admission

    def _upgrade(self, request: h11.Request, headers: Headers, rest: bytes) -> None:
        """Pass the socket to the native protocol, with the bytes behind the request."""
        if self._transport.is_closing():  # while the upgrade waited for its turn
            return
        self._transport.resume_reading()
        refusal = upgrade.refusal(request, headers, self._server.site)
        if refusal is not None:
            status, refusal_headers = refusal
            if status == 403:
                origin, host = ", ".join(upgrade.origins(headers)), upgrade.host(headers)
                self._connections.warn(
                    "refused a WebSocket of a page of another site", address_key(self._client), peer=self._client,
                    origin=decode_header(origin), host=decode_header(host),
                )  # fmt: skip
            self._refuse(status, refusal_headers)
            return
        self._transport.write(upgrade.answer(headers))
        self._release()
        native = self._server.native(self._client)
        self._transport.set_protocol(native)
        native.connection_made(self._transport)
        if rest:
            native.data_received(rest)

    def _refuse(self, status: int, headers: Headers = (), body: bytes = b"", *, has_begun: bool = False) -> None:
        """Send an error response unless another response has begun, and close."""
        if not has_begun:
            self._transport.write(_refusal(status, headers, body))
        self._close_gracefully()

    def _close_gracefully(self) -> None:
        """Close our side and wait for the client to close its side."""
        self._closing = True
        if self._transport.is_closing():
            return
        if self._has_client_closed or not self._transport.can_write_eof():
            self._transport.close()
            return
        self._transport.resume_reading()
        self._linger(sys.maxsize)
        try:
            self._transport.write_eof()
        except OSError:  # the peer is gone, but the loop has not reported it yet
            self._transport.abort()

    def _linger(self, before: int) -> None:
        """Abort if the client has not read any of `before` unread bytes; otherwise check again later."""
        unread = self._transport.get_write_buffer_size()
        if unread < before:
            _stop(self._timer)
            self._timer = self._connections.loop.call_later(self._connections.limits.linger, self._linger, unread)
        else:
            self._transport.abort()

    @property
    def unsent(self) -> int:
        """Number of bytes that the client has not read."""
        return self._transport.get_write_buffer_size()

    def abort(self) -> None:
        """Drop the client at once."""
        self._transport.abort()

    def close(self) -> None:
        """Close at once if no request is being answered, otherwise after the response."""
        if self._exchange is None and self._head_seconds is None:
            self._transport.close()

    def _expect(self, seconds: float) -> None:
        """Close the connection unless the client acts within this time."""
        _stop(self._timer)
        self._timer = self._connections.loop.call_later(seconds, self._transport.close)

    def _release(self) -> None:
        """Stop counting this connection."""
        _stop(self._timer)
        _stop(self._progress_timer)
        if self in self._server.open:
            self._server.open.discard(self)
            self._connections.leave(self.address_key)


def _stop(timer: asyncio.TimerHandle | None) -> None:
    """Cancel a timer."""
    if timer is not None:
        timer.cancel()


def _resolve(request: h11.Request) -> tuple[bytes, Headers]:
    """Return the target in origin form, and the headers. An absolute target replaces `Host` (RFC 9112, 3.2.2)."""
    headers = list(request.headers)
    absolute = _ABSOLUTE.fullmatch(request.target)
    if absolute is None:
        return request.target, headers
    host, path = absolute.groups()
    other_headers = [(name, value) for name, value in headers if name != b"host"]
    return path if path.startswith(b"/") else b"/" + path, [(b"host", host), *other_headers]


def _endpoint(address: object) -> tuple[str, int] | None:
    return (str(address[0]), int(address[1])) if isinstance(address, tuple) else None


def _has_body(headers: Headers) -> bool:
    return bool(upgrade.values(headers, b"content-length") or upgrade.values(headers, b"transfer-encoding"))


def _status(error: h11.RemoteProtocolError) -> int:
    """Return the status for unparsable input. Clear the traceback of the error: its frames refer to the error."""
    return error.with_traceback(None).error_status_hint


def _refusal(status: int, headers: Headers = (), body: bytes = b"") -> bytes:
    length = (b"Content-Length", b"%d" % len(body))
    return upgrade.head(status, [*headers, length, (b"Connection", b"close")]) + body


def _rejection(admission: Admission) -> tuple[int, Headers, bytes]:
    """Return status, headers and body of the response to a connection that is not admitted."""
    if admission is Admission.BANNED:
        return 403, [(b"Content-Type", b"text/plain; charset=utf-8")], BANNED_BODY
    return 503 if admission is Admission.FULL else 429, [(b"Retry-After", b"10")], b""


def _phrase(status: int) -> bytes:
    return HTTPStatus(status).phrase.encode()
