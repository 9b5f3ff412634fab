"""Proxy between clients and a server: forward bytes unchanged and inspect them afterwards.

- Received bytes are written to the other side at once, and queued for inspection after that. Monitors work in slices of
  `SLICE_SECONDS` between other callbacks, so that no connection waits for the inspection of another. In a server
  (`tap.py`) they use at most a part of the event loop (`share`): a pause follows each slice.
- Bytes are inspected in the order of their arrival, because the watchers of a match compare its connections. If they
  have waited for `MAX_DELAY_SECONDS` in a server, the client address with the most queued bytes loses its largest
  backlog, once in `DISCARD_SECONDS`, so that one address cannot delay the inspection of all others.
- The queue is bounded: `MAX_CONNECTION_BACKLOG_BYTES` for one connection, `MAX_BACKLOG_BYTES` for all. Bytes over a
  limit are forwarded without inspection and counted, their connection is no longer inspected, and a warning is
  printed. If the total exceeds its limit, the client address with the most queued bytes loses its largest backlogs
  until `FREE_PART` of the queue is free or half of its bytes are lost; then the next address does.
- Backpressure is forwarded: if one side does not read, the other side's socket is not read.
- Ends are forwarded: a close as a close, a reset as a reset.
"""

from __future__ import annotations

import asyncio
import math
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from operator import attrgetter, itemgetter
from random import Random
from typing import Any, Final, cast

from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Monitor, Opened, Record
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.net.client import connection_error
from boardwire.net.client_address import address_key
from boardwire.net.listener import Listener, address, listen
from boardwire.proxy.faults import Faults, Shaper

MAX_BACKLOG_BYTES: Final = 32 * 1024 * 1024
"""Limit of the bytes queued for inspection, of all connections."""
FREE_PART: Final = 1 / 16
"""Part of the queue that is freed when it is full.

Freeing the bytes of one message at a time, each with a search for the largest backlog, took 6 % of a server's
processor time with 30 attacking addresses.
"""
MAX_CONNECTION_BACKLOG_BYTES: Final = 4 * 1024 * 1024
"""Limit of the bytes queued for inspection, of one connection."""
PIECE_OVERHEAD_BYTES: Final = 400
"""Memory per piece besides its bytes, rounded up, so that the limits also bound pieces of one byte."""

PIECE_BYTES: Final = 4096
"""Largest queued piece: each takes `PIECE_OVERHEAD_BYTES` more."""
STEP_BYTES: Final = 256
"""Bytes inspected in one step: 4 KB of WebSocket fragments without content took up to 36 ms, in which every move of
the server waited."""
SLICE_SECONDS: Final = 0.0005
"""Duration of a slice of inspection between other callbacks."""

MAX_DELAY_SECONDS: Final = 5.0
"""Time after which queued bytes are late, in a server."""
DISCARD_SECONDS: Final = 1.0
"""Minimum time between two discards because of late bytes, since the first may suffice."""

MAX_UNSTARTED: Final = 2000
"""Limit of the connections that wait for a monitor, which takes 0.3 ms; further ones are not inspected."""
MONITORS_PER_STEP: Final = 50
"""Monitors whose clocks are advanced in one step: 600 took 21 ms."""

CLOSE_SECONDS: Final = 2.0
"""Time for connections to close when the proxy stops."""

ANSWER_SECONDS: Final = 3.0
"""Time limit for a server's pending replies."""

Emit = Callable[[Record], None]
Warn = Callable[[str], None]
_Step = tuple[Callable[..., None], tuple[Any, ...]]
_NO_STEP: Final[_Step] = (lambda: None, ())


class Inspection:
    """The inspection of one connection: its queued bytes, and its monitor, which the first step creates."""

    __slots__ = ("address_key", "is_incomplete", "monitor", "pieces", "size", "step")

    def __init__(self, address_key: str, receive: Callable[[Inspection], None]) -> None:
        self.monitor: Monitor | None = None
        self.is_incomplete = False
        """Whether bytes are missing, after which the connection is no longer inspected."""
        self.address_key = address_key
        self.pieces: deque[tuple[Side, bytes, float]] = deque()
        self.size = 0
        """Bytes of the pieces, with their overhead."""
        self.step: _Step = receive, (self,)
        """The step that inspects the next piece. All pieces share it, so a queued step takes only 8 bytes."""


class MonitorQueue:
    """Queue of forwarded bytes for the monitors of all connections.

    `share` is the part of the event loop that inspection may use; 1: all time between other callbacks.
    """

    def __init__(
        self,
        emit: Emit,
        warn: Warn,
        patience: float = ANSWER_SECONDS,
        think: float = 0.0,
        *,
        rulings: bool = False,
        share: float = 1.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = clock
        self._pause = 1.0 / share - 1.0
        """Pause after a slice, as a multiple of its duration."""
        self._emit = emit
        self._warn = warn
        self._patience = patience
        self._think = think
        self._rulings = rulings
        self.group = WatcherGroup()
        self._steps: deque[_Step] = deque()
        self._inspections: dict[Inspection, None] = {}
        """Inspections of open connections, oldest first."""
        self._unstarted = 0
        """Number of connections whose inspection is queued and has no monitor."""
        self._backlogs: dict[str, set[Inspection]] = {}
        """Backlogs that are not empty, by client address."""
        self._queued_bytes: dict[str, int] = {}
        """Queued bytes by client address; addresses without any are absent."""
        self._bytes = 0
        self.unseen = 0
        """Number of bytes that were forwarded without inspection."""
        self._busy = False
        """Whether a slice is scheduled."""
        self._last_discard = float("-inf")
        """Time when the last backlog was discarded because bytes were late."""
        self.count = 0
        """Number of connections so far."""
        self._started = self._loop.time()
        self._timer = self._loop.call_later(min(1.0, patience / 4), self._pass_time)

    @property
    def now(self) -> float:
        """Seconds since the start."""
        return self._loop.time() - self._started

    def open(self, dialect: str, address: str, port: int | None = None) -> Inspection:
        """Count a new connection of a client at this address; return its inspection."""
        self.count += 1
        source = address_key(address)
        inspection = Inspection(source, self._inspect)
        peer = address if port is None else f"{address}:{port}"
        opened = Opened(connection=self.count, at=self.now, dialect=dialect, peer=peer, address_key=source)
        self._inspections[inspection] = None
        if self._unstarted >= MAX_UNSTARTED:
            inspection.is_incomplete = True
            self._emit(opened)
        else:
            self._unstarted += 1
            self._add_step((self._start, (inspection, opened)))
        return inspection

    def _start(self, inspection: Inspection, opened: Opened) -> None:
        """Report an opened connection and begin to monitor it."""
        self._unstarted -= 1
        self._emit(opened)
        inspection.monitor = monitor = Monitor(
            opened.dialect, self.group, opened.connection, self._emit, self._think, rulings=self._rulings
        )
        monitor.failed = inspection.is_incomplete  # bytes may have been skipped since the connection was opened
        monitor.start(opened.at)

    @staticmethod
    def queued_bytes(inspection: Inspection) -> int:
        """Return the number of queued bytes of a connection."""
        return inspection.size

    def receive(self, inspection: Inspection, side: Side, data: bytes) -> None:
        """Queue forwarded bytes of one side."""
        pieces = (data,) if len(data) <= PIECE_BYTES else _pieces(data)
        size = len(data) + PIECE_OVERHEAD_BYTES * len(pieces)
        is_over = inspection.is_incomplete or (inspection.monitor is not None and inspection.monitor.failed)
        if is_over or inspection.size + size > MAX_CONNECTION_BACKLOG_BYTES:
            self._skip(inspection, len(data))
            return
        now = self.now
        for piece in pieces:
            inspection.pieces.append((side, piece, now))
            self._add_step(inspection.step)
        self._count(inspection, size)
        if self._bytes > MAX_BACKLOG_BYTES:
            self._make_room(MAX_BACKLOG_BYTES * (1 - FREE_PART))

    def _count(self, backlog: Inspection, size: int) -> None:
        """Add `size`, which may be negative, to the counts of queued bytes."""
        self._bytes += size
        backlog.size += size
        name = backlog.address_key
        total = self._queued_bytes.get(name, 0) + size
        if total:
            self._queued_bytes[name] = total
        else:
            del self._queued_bytes[name]
        if not backlog.size:
            self._backlogs[name].discard(backlog)
            if not self._backlogs[name]:
                del self._backlogs[name]
        elif backlog.size == size:
            self._backlogs.setdefault(name, set()).add(backlog)

    def _make_room(self, max_bytes: float) -> None:
        """Discard backlogs until at most `max_bytes` are queued.

        Addresses lose their largest backlogs, up to half of their bytes, beginning with the address with the most.
        """
        for name, total in sorted(self._queued_bytes.items(), key=itemgetter(1), reverse=True):
            for backlog in sorted(self._backlogs[name], key=attrgetter("size"), reverse=True):
                self._discard(backlog)
                if self._bytes <= max_bytes:
                    return
                if self._queued_bytes.get(name, 0) <= total / 2:
                    break

    def _discard_largest(self) -> None:
        """Discard the largest backlog of the address with the most queued bytes."""
        name = max(self._queued_bytes, key=self._queued_bytes.__getitem__)
        self._discard(max(self._backlogs[name], key=attrgetter("size")))

    def _discard(self, backlog: Inspection) -> None:
        discarded = sum(len(data) for _, data, _ in backlog.pieces)
        backlog.pieces.clear()
        self._count(backlog, -backlog.size)
        self._skip(backlog, discarded)

    def _skip(self, inspection: Inspection, count: int) -> None:
        """Stop inspecting a connection and count `count` uninspected bytes."""
        if not self.unseen:
            self._warn("inspection cannot keep up; some bytes are forwarded without inspection")
        self.unseen += count
        inspection.is_incomplete = True
        if inspection.monitor is not None:
            inspection.monitor.failed = True

    def _inspect(self, backlog: Inspection) -> None:
        """Inspect up to `STEP_BYTES` of the next piece; the rest of it is the next step."""
        if not backlog.pieces:
            return
        side, data, at = backlog.pieces.popleft()
        inspected, rest = data[:STEP_BYTES], data[STEP_BYTES:]
        if rest:
            backlog.pieces.appendleft((side, rest, at))
            self._steps.appendleft(backlog.step)
        self._count(backlog, -len(inspected) - (0 if rest else PIECE_OVERHEAD_BYTES))
        if backlog.monitor is not None:
            backlog.monitor.receive(side, inspected, at)

    def close(self, inspection: Inspection, side: Side, *, reset: bool) -> None:
        """Queue the end of one side."""
        self._add_step((self._close, (inspection, side, self.now, reset)))

    @staticmethod
    def _close(inspection: Inspection, side: Side, at: float, reset: bool) -> None:
        if inspection.monitor is not None:
            inspection.monitor.close(side, at, reset=reset)

    def forget(self, inspection: Inspection) -> None:
        """Remove the inspection of a closed connection, after its queued steps."""
        self._add_step((self._forget, (inspection,)))

    def _forget(self, inspection: Inspection) -> None:
        self._inspections.pop(inspection, None)
        if inspection.monitor is not None:
            inspection.monitor.discard()
        inspection.monitor = None
        inspection.step = _NO_STEP  # its own step refers to it

    def _add_step(self, step: _Step) -> None:
        self._steps.append(step)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._run_slice)

    def _run_slice(self) -> None:
        """Inspect queued messages for `SLICE_SECONDS`; discard the largest backlog first if they are late."""
        if not self._steps:  # `stop` has inspected everything before this slice
            self._busy = False
            return
        now = start = self._seconds()
        if self._pause and self._is_late():
            self._last_discard = self.now
            self._discard_largest()
        while self._steps and now < start + SLICE_SECONDS:
            step, arguments = self._steps.popleft()
            step(*arguments)
            now = self._seconds()
        self._busy = bool(self._steps)
        if self._busy and self._pause:
            self._loop.call_later((now - start) * self._pause, self._run_slice)
        elif self._busy:
            self._loop.call_soon(self._run_slice)

    def _is_late(self) -> bool:
        """Return whether queued bytes are late and no backlog was discarded for that within `DISCARD_SECONDS`."""
        _, arguments = self._steps[0]
        backlog = arguments[0] if arguments else None
        if not isinstance(backlog, Inspection) or not backlog.pieces:
            return False
        _side, _data, at = backlog.pieces[0]
        now = self.now
        return now - at > MAX_DELAY_SECONDS and now - self._last_discard > DISCARD_SECONDS

    def _pass_time(self) -> None:
        """Queue the current time for all monitors, after the bytes that arrived before it."""
        now = self.now
        inspections = tuple(self._inspections)
        for first in range(0, len(inspections), MONITORS_PER_STEP):
            self._add_step((self._tell_time, (inspections[first : first + MONITORS_PER_STEP], now)))
        self._timer = self._loop.call_later(min(1.0, self._patience / 4), self._pass_time)

    def _tell_time(self, inspections: Iterable[Inspection], now: float) -> None:
        for inspection in inspections:
            if inspection.monitor is not None:
                inspection.monitor.pass_time(now, self._patience)

    def stop(self, seconds: float = math.inf) -> None:
        """Inspect the queued bytes for at most `seconds`, discard the rest, and stop."""
        self._timer.cancel()
        end = self._seconds() + seconds
        while self._steps and self._seconds() < end:
            step, arguments = self._steps.popleft()
            step(*arguments)
        for backlogs in tuple(self._backlogs.values()):
            for backlog in tuple(backlogs):
                self._discard(backlog)
        self._steps.clear()


def _pieces(data: bytes) -> list[bytes]:
    return [data[start : start + PIECE_BYTES] for start in range(0, len(data), PIECE_BYTES)]


class Link:
    """A client connection and the server connection it is forwarded to."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self.ends: dict[Side, End] = {}
        self.inspection: Inspection | None = None
        self._pieces = 0
        self._is_half_open = False
        self._shapers: dict[Side, Shaper] | None = None
        if proxy.faults is not None:
            self._shapers = {side: Shaper(proxy.faults, proxy.fault_random(side)) for side in Side}
        self._closed: set[Side] = set()

    def carry(self, side: Side, data: bytes) -> None:
        """Forward bytes of `side`."""
        other = self.ends.get(side.other)
        if other is not None:
            if self._shapers is None:
                other.write(data)
            else:
                self._shape(self._shapers[side], other, data)
        if self.inspection is not None:
            self._proxy.monitor_queue.receive(self.inspection, side, data)

    def _shape(self, shaper: Shaper, other: End, data: bytes) -> None:
        """Forward bytes to the other end with the faults that the user has asked for."""
        faults = cast("Faults", self._proxy.faults)
        self._pieces += 1
        if faults.halfopen and self._pieces > faults.halfopen:
            self._is_half_open = True
        if faults.reset and self._pieces > faults.reset:
            for end in self.ends.values():
                end.reset()
            return
        if self._is_half_open:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        for due, piece in shaper.shape(data, now):
            if due <= now and not other.delayed:
                other.write(piece)
            else:
                other.delayed.append(piece)
                loop.call_at(due, other.release)

    def forward_eof(self, side: Side) -> None:
        """Forward an end of file of `side`."""
        if (
            self._note_end(side, reset=False)
            and not self._is_half_open
            and (other := self.ends.get(side.other)) is not None
        ):
            other.finish()
        if len(self._closed) == len(Side):
            for end in list(self.ends.values()):
                end.close()

    def forward_loss(self, side: Side, *, reset: bool) -> None:
        """Remove the lost socket of `side`, and close or reset the other one."""
        self._note_end(side, reset=reset)
        del self.ends[side]
        other = self.ends.get(side.other)
        if other is None:
            if self.inspection is not None:
                self._proxy.monitor_queue.forget(self.inspection)
            self._proxy.links.discard(self)
        elif reset:
            other.reset()
        elif not self._is_half_open:
            other.close()

    def _note_end(self, side: Side, *, reset: bool) -> bool:
        """Note the end of `side`; return False if it was noted before."""
        if side in self._closed:
            return False
        self._closed.add(side)
        if self.inspection is not None:
            self._proxy.monitor_queue.close(self.inspection, side, reset=reset)
        return True


class End(asyncio.Protocol):
    """One socket of a link: the client's or the server's."""

    def __init__(self, link: Link, side: Side, ready: Callable[[End], None]) -> None:
        self._link = link
        self._side = side
        self._ready = ready
        self.transport: asyncio.Transport
        self.delayed: deque[bytes] = deque()
        """Delayed pieces. Timers of the same time may be called in any order, so each writes the oldest piece."""
        self._finished = False
        """Whether no more bytes will be written."""
        self._closing = False
        """Whether the connection is to be closed after the delayed pieces."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._link.ends[self._side] = self
        self._ready(self)

    def data_received(self, data: bytes) -> None:
        self._link.carry(self._side, data)

    def eof_received(self) -> bool:
        self._link.forward_eof(self._side)
        return True  # the other direction stays open

    def connection_lost(self, error: Exception | None) -> None:
        self._link.forward_loss(self._side, reset=error is not None)

    def pause_writing(self) -> None:
        if (other := self._link.ends.get(self._side.other)) is not None:
            other.transport.pause_reading()

    def resume_writing(self) -> None:
        if (other := self._link.ends.get(self._side.other)) is not None:
            other.transport.resume_reading()

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if not self.transport.is_closing():
            self.transport.write(data)

    def release(self) -> None:
        """Write the oldest delayed piece."""
        self.write(self.delayed.popleft())
        if self._finished and not self.delayed:
            (self.close if self._closing else self.finish)()

    def finish(self) -> None:
        """Send an end of file, after delayed pieces."""
        self._finished = True
        if not self.delayed and not self.transport.is_closing() and self.transport.can_write_eof():
            self.transport.write_eof()

    def close(self) -> None:
        """Close the connection after delayed and buffered bytes."""
        self._finished = self._closing = True
        if not self.delayed:
            self.transport.close()

    def reset(self) -> None:
        """Reset the connection."""
        raw = self.transport.get_extra_info("socket")
        if raw is not None:
            with suppress(OSError):  # already closed
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


def _pause_new(transport: asyncio.Transport) -> None:
    """Pause a transport from within `connection_made`.

    asyncio of Python 3.11.2 (unlike that of 3.11.7) starts to read after `connection_made` nevertheless, so a client's
    first bytes could arrive before the connection to the server is open. So pause again in the callback after it.
    """

    def pause_again() -> None:
        if not transport.is_closing() and not transport.is_reading():
            transport.resume_reading()
            transport.pause_reading()

    transport.pause_reading()
    asyncio.get_running_loop().call_soon(pause_again)


class Proxy:
    """Listener that connects each client to the server."""

    def __init__(
        self,
        dialect: str,
        host: str,
        port: int,
        monitor_queue: MonitorQueue,
        warn: Warn,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        self.dialect = dialect
        self._host = host
        self._port = port
        self.monitor_queue = monitor_queue
        self._warn = warn
        self.faults = faults
        self._seed = seed
        self._accepted = 0
        self.links: set[Link] = set()
        self._connecting: set[asyncio.Task[None]] = set()
        self._server: Listener | None = None

    def fault_random(self, side: Side) -> Random:
        """Return the random generator for the faults of one direction of the newest connection."""
        return Random(f"{self._seed}/{self._accepted}/{side}")

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Start to listen; return the host and port."""
        loop = asyncio.get_running_loop()
        self._server = await listen(self._accept, self.dialect, host, port, loop)
        return address(self._server)

    def serve(self, listening: socket.socket) -> None:
        """Accept connections of a listening socket, which may be in another network namespace."""
        self._server = Listener([listening], self._accept, asyncio.get_running_loop())

    def _accept(self) -> End:
        self._accepted += 1
        link = Link(self)
        return End(link, Side.CLIENT, lambda end: self._client_connected(link, end))

    def _client_connected(self, link: Link, end: End) -> None:
        """Connect a new client to the server, and read from the client only when this is done."""
        _pause_new(end.transport)
        self.links.add(link)
        peer = end.transport.get_extra_info("peername")
        link.inspection = self.monitor_queue.open(self.dialect, *(peer[:2] if peer else ("",)))
        task = asyncio.get_running_loop().create_task(self._connect(link, end))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _connect(self, link: Link, end: End) -> None:
        """Connect a new client's link to the server, or reset the client if the server cannot be reached."""
        loop = asyncio.get_running_loop()
        try:
            transport, _ = await loop.create_connection(
                lambda: End(link, Side.SERVER, lambda _: None), self._host, self._port
            )
        except (OSError, UnicodeError) as error:
            self._warn(str(connection_error(self._host, self._port, error)))
            end.transport.abort()
            return
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if end.transport.is_closing():  # the client has left during the connect
            transport.abort()
        else:
            end.transport.resume_reading()

    async def stop(self) -> None:
        """Stop listening and close all connections."""
        if self._server is not None:
            self._server.close()
        for link in list(self.links):
            for end in list(link.ends.values()):
                end.transport.close()
        deadline = asyncio.get_running_loop().time() + CLOSE_SECONDS
        while self.links and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.01)
        for link in list(self.links):
            for end in list(link.ends.values()):
                end.transport.abort()
        await asyncio.sleep(0)
        self.monitor_queue.stop()
