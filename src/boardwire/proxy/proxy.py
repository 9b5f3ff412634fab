"""Between any client and any server: passes bytes on untouched, and lets a monitor look at them afterwards.

Rules:

- A piece of bytes is written to the other side in the call in which it came; only then is it put aside to be looked at.
  What the monitors make of it is done in slices between other calls, so that no connection waits for another's.
- Where looking falls behind, by `CONNECTION_BACKLOG` bytes of one connection or `BACKLOG` of all, what is too much is
  passed on unseen and counted, that connection is looked at no more, and it is said.  If all of them together are over
  the limit, the client address with the most waiting bytes gives up its largest backlog; other addresses lose nothing.
- A side that does not read fast enough stops the other side's socket, as if nobody were between them.
- The end of one side is the end of the other: an orderly one in order, a reset as a reset.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, cast

from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Monitor, Opened, Record
from boardwire.conformance.watchers.watcher import Room
from boardwire.net.client import unreachable
from boardwire.net.client_address import household
from boardwire.net.listener import Listener, address, listen
from boardwire.proxy.faults import Faults, Shaper

BACKLOG: Final = 32 * 1024 * 1024
"""Bytes that wait to be looked at, of all connections."""
CONNECTION_BACKLOG: Final = 4 * 1024 * 1024
"""Those of one connection."""
PIECE_OVERHEAD: Final = 400
"""Bytes that Python needs for a piece beside its own, rounded up: pieces of one byte are bounded too."""

SLICE: Final = 0.002
"""Seconds of looking at a time."""

LINGER: Final = 2.0
"""Seconds that connections have to end when the proxy does."""

PATIENCE: Final = 3.0
"""Seconds that a server has for an answer it owes."""

Tell = Callable[[Record], None]
Complain = Callable[[str], None]
_Step = tuple[Callable[..., None], tuple[Any, ...]]


class _Backlog:
    """Bytes of one connection that wait to be looked at."""

    __slots__ = ("household", "monitor", "pieces", "size", "step")

    def __init__(self, monitor: Monitor, household: str, hear: Callable[[_Backlog], None]) -> None:
        self.monitor = monitor
        self.household = household
        self.pieces: deque[tuple[Side, bytes, float]] = deque()
        self.size = 0
        """Bytes of the pieces, with what Python needs for them."""
        self.step: _Step = hear, (self,)
        """Looks at the next piece.  All pieces share it, so a step whose piece was discarded takes 8 bytes."""


class Lookout:
    """Looks at what has passed: one for all connections."""

    def __init__(
        self,
        tell: Tell,
        complain: Complain,
        patience: float = PATIENCE,
        think: float = 0.0,
        *,
        rulings: bool = False,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._tell = tell
        self._complain = complain
        self._patience = patience
        self._think = think
        self._rulings = rulings
        self.room = Room()
        self._waiting: deque[_Step] = deque()
        self._backlogs: dict[Monitor, _Backlog] = {}
        self._waiting_bytes: dict[str, int] = {}
        """Bytes that wait, by client address; no entry is 0."""
        self._bytes = 0
        self.unseen = 0
        """Bytes that were passed on without a look."""
        self._busy = False
        self.count = 0
        """Connections so far."""
        self._started = self._loop.time()
        self._timer = self._loop.call_later(min(1.0, patience / 4), self._pass_time)

    @property
    def now(self) -> float:
        """Seconds since the first connection could come."""
        return self._loop.time() - self._started

    def open(self, dialect: str, address: str, port: int | None = None) -> Monitor:
        """Watch a new connection of a client at this address."""
        self.count += 1
        monitor = Monitor(dialect, self.room, self.count, self._tell, self._think, rulings=self._rulings)
        shared_by = household(address)
        self._backlogs[monitor] = _Backlog(monitor, shared_by, self._hear)
        peer = address if port is None else f"{address}:{port}"
        self._tell(Opened(connection=self.count, at=self.now, dialect=dialect, peer=peer, household=shared_by))
        monitor.start(self.now)
        return monitor

    def waiting(self, monitor: Monitor) -> int:
        """Return how many bytes of a connection wait to be looked at."""
        backlog = self._backlogs.get(monitor)
        return 0 if backlog is None else backlog.size

    def hear(self, monitor: Monitor, side: Side, data: bytes) -> None:
        """Bytes have passed."""
        backlog = self._backlogs.get(monitor)
        size = len(data) + PIECE_OVERHEAD
        if backlog is None or monitor.failed or backlog.size + size > CONNECTION_BACKLOG:
            self._pass_unseen(monitor, len(data))
            return
        backlog.pieces.append((side, data, self.now))
        self._count(backlog, size)
        self._later(backlog.step)
        while self._bytes > BACKLOG and self._waiting_bytes:
            self._discard_largest()

    def _count(self, backlog: _Backlog, size: int) -> None:
        """Add to what waits, or subtract from it."""
        self._bytes += size
        backlog.size += size
        name = backlog.household
        total = self._waiting_bytes.get(name, 0) + size
        if total:
            self._waiting_bytes[name] = total
        else:
            del self._waiting_bytes[name]

    def _discard_largest(self) -> None:
        """Discard the largest backlog of the address with the most waiting bytes."""
        name = max(self._waiting_bytes, key=self._waiting_bytes.__getitem__)
        ours = (one for one in self._backlogs.values() if one.household == name)
        backlog = max(ours, key=lambda one: one.size)
        discarded = sum(len(data) for _, data, _ in backlog.pieces)
        backlog.pieces.clear()
        self._count(backlog, -backlog.size)
        self._pass_unseen(backlog.monitor, discarded)

    def _pass_unseen(self, monitor: Monitor, count: int) -> None:
        """Look at this connection no more: bytes of it are missing."""
        if not self.unseen:
            self._complain("the monitor cannot keep up; some bytes pass unseen")
        self.unseen += count
        monitor.failed = True

    def _hear(self, backlog: _Backlog) -> None:
        if backlog.pieces:
            side, data, at = backlog.pieces.popleft()
            self._count(backlog, -len(data) - PIECE_OVERHEAD)
            backlog.monitor.hear(side, data, at)

    def close(self, monitor: Monitor, side: Side, *, reset: bool) -> None:
        """A side is gone."""
        at = self.now
        self._later((partial(monitor.close, side, at, reset=reset), ()))

    def forget(self, monitor: Monitor) -> None:
        """The connection is over."""
        self._later((self._forget, (monitor,)))

    def _forget(self, monitor: Monitor) -> None:
        self._backlogs.pop(monitor, None)

    def _later(self, step: _Step) -> None:
        self._waiting.append(step)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._look)

    def _look(self) -> None:
        until = self._loop.time() + SLICE
        while self._waiting:
            step, arguments = self._waiting.popleft()
            step(*arguments)
            if self._loop.time() >= until:
                break
        self._busy = bool(self._waiting)
        if self._busy:
            self._loop.call_soon(self._look)

    def _pass_time(self) -> None:
        now = self.now
        for monitor in self._backlogs:
            monitor.pass_time(now, self._patience)
        self._timer = self._loop.call_later(min(1.0, self._patience / 4), self._pass_time)

    def stop(self) -> None:
        """Look at what is left, and no more."""
        self._timer.cancel()
        while self._waiting:
            step, arguments = self._waiting.popleft()
            step(*arguments)


class Link:
    """One connection, both halves of it."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self.ends: dict[Side, End] = {}
        self.monitor: Monitor | None = None
        self._pieces = 0
        self._deaf = False
        self._shapers: dict[Side, Shaper] | None = None
        if proxy.faults is not None:
            self._shapers = {side: Shaper(proxy.faults, proxy.luck(side)) for side in Side}
        self._over: set[Side] = set()

    def carry(self, side: Side, data: bytes) -> None:
        """`side` has sent bytes."""
        other = self.ends.get(side.other)
        if other is not None:
            if self._shapers is None:
                other.write(data)
            else:
                self._shape(self._shapers[side], other, data)
        if self.monitor is not None:
            self._proxy.lookout.hear(self.monitor, side, data)

    def _shape(self, shaper: Shaper, other: End, data: bytes) -> None:
        faults = cast("Faults", self._proxy.faults)
        self._pieces += 1
        if faults.halfopen and self._pieces > faults.halfopen:
            self._deaf = True
        if faults.reset and self._pieces > faults.reset:
            for end in self.ends.values():
                end.reset()
            return
        if self._deaf:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        for due, piece in shaper.shape(data, now):
            if due <= now and not other.held:
                other.write(piece)
            else:
                other.held += 1
                loop.call_at(due, other.release, piece)

    def ended(self, side: Side) -> None:
        """`side` says no more; the other side hears so."""
        if self._note(side, reset=False) and not self._deaf and (other := self.ends.get(side.other)) is not None:
            other.finish()
        if len(self._over) == len(Side):
            for end in list(self.ends.values()):
                end.close()

    def lost(self, side: Side, *, reset: bool) -> None:
        """The socket of `side` is gone."""
        self._note(side, reset=reset)
        del self.ends[side]
        other = self.ends.get(side.other)
        if other is None:
            if self.monitor is not None:
                self._proxy.lookout.forget(self.monitor)
            self._proxy.links.discard(self)
        elif reset:
            other.reset()
        elif not self._deaf:
            other.close()

    def _note(self, side: Side, *, reset: bool) -> bool:
        """Whether `side` had not ended before."""
        if side in self._over:
            return False
        self._over.add(side)
        if self.monitor is not None:
            self._proxy.lookout.close(self.monitor, side, reset=reset)
        return True


class End(asyncio.Protocol):
    """A socket of a link: the client's, or the server's."""

    def __init__(self, link: Link, side: Side, ready: Callable[[End], None]) -> None:
        self._link = link
        self._side = side
        self._ready = ready
        self.transport: asyncio.Transport
        self.held = 0
        """Pieces on their way that are not written yet."""
        self._finished = self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._link.ends[self._side] = self
        self._ready(self)

    def data_received(self, data: bytes) -> None:
        self._link.carry(self._side, data)

    def eof_received(self) -> bool:
        self._link.ended(self._side)
        return True  # the other direction stays open

    def connection_lost(self, error: Exception | None) -> None:
        self._link.lost(self._side, reset=error is not None)

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

    def release(self, piece: bytes) -> None:
        """A piece that was held back is through."""
        self.held -= 1
        self.write(piece)
        if self._finished and not self.held:
            (self.close if self._closing else self.finish)()

    def finish(self) -> None:
        """Nothing more is sent here."""
        self._finished = True
        if not self.held and not self.transport.is_closing() and self.transport.can_write_eof():
            self.transport.write_eof()

    def close(self) -> None:
        """Close in order, after what is still to be sent."""
        self._finished = self._closing = True
        if not self.held:
            self.transport.close()

    def reset(self) -> None:
        """Close with a reset."""
        raw = self.transport.get_extra_info("socket")
        if raw is not None:
            with suppress(OSError):  # it may be closed already
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


class Proxy:
    """Listens on a port, connects to a server for each client."""

    def __init__(
        self,
        dialect: str,
        host: str,
        port: int,
        lookout: Lookout,
        complain: Complain,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        self.dialect = dialect
        self._host = host
        self._port = port
        self.lookout = lookout
        self._complain = complain
        self.faults = faults
        self._seed = seed
        self._accepted = 0
        self.links: set[Link] = set()
        self._dials: set[asyncio.Task[None]] = set()
        self._server: Listener | None = None

    def luck(self, side: Side) -> Random:
        """The luck of one direction: by the seed and the number of the connection."""
        return Random(f"{self._seed}/{self._accepted}/{side}")

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Take clients from now on; where."""
        loop = asyncio.get_running_loop()
        self._server = await listen(self._accept, self.dialect, host, port, loop)
        return address(self._server)

    def _accept(self) -> End:
        self._accepted += 1
        link = Link(self)
        return End(link, Side.CLIENT, lambda end: self._take(link, end))

    def _take(self, link: Link, end: End) -> None:
        """A client is there: nothing of it is read before the server is there too."""
        end.transport.pause_reading()
        self.links.add(link)
        peer = end.transport.get_extra_info("peername")
        link.monitor = self.lookout.open(self.dialect, *(peer[:2] if peer else ("",)))
        dial = asyncio.get_running_loop().create_task(self._dial(link, end))
        self._dials.add(dial)
        dial.add_done_callback(self._dials.discard)

    async def _dial(self, link: Link, end: End) -> None:
        loop = asyncio.get_running_loop()
        try:
            transport, _ = await loop.create_connection(
                lambda: End(link, Side.SERVER, lambda _: None), self._host, self._port
            )
        except (OSError, UnicodeError) as error:
            self._complain(str(unreachable(self._host, self._port, error)))
            end.transport.abort()
            return
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if end.transport.is_closing():
            transport.abort()
        else:
            end.transport.resume_reading()

    async def stop(self) -> None:
        """Take no more clients, and end those that are there."""
        if self._server is not None:
            self._server.close()
        for link in list(self.links):
            for end in list(link.ends.values()):
                end.transport.close()
        late = asyncio.get_running_loop().time() + LINGER
        while self.links and asyncio.get_running_loop().time() < late:
            await asyncio.sleep(0.01)
        for link in list(self.links):
            for end in list(link.ends.values()):
                end.transport.abort()
        await asyncio.sleep(0)
        self.lookout.stop()
