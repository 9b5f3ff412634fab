"""One socket and the conversation behind it.

Rules:

- Bytes go to the decoder, messages to the script, at most so many a second; what is too fast waits, unread.
- What one read brings is handled at once if it is little, `AT_ONCE` messages in `SHORT` bytes; more is put off until it
  is this connection's turn (`turns`), in order, and nothing more is read before it is done.
- A peer that does not read is dropped when its outbox is full.  Nobody waits for it.
- A polite close sends what is to be sent, closes our side, reads on until the peer closes its side or the time is up,
  and only then lets go: otherwise unread input would turn into a reset that destroys our last words.
- A fault in the script ends this conversation alone, and is logged with its connection and its match.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, cast

import structlog

from boardwire.dialects.dialect import Dialect
from boardwire.errors import BoardwireError, Malformed
from boardwire.net import rate_limit
from boardwire.net.client_address import household
from boardwire.net.connections import Crowd, Entry, address_of
from boardwire.table.guest import Guest, Refusal
from boardwire.talk import Gone, Talk, Timers, Woke
from boardwire.wire.codec import Decoder

log = structlog.get_logger("boardwire.net")

AT_ONCE: Final = 2
"""Messages that are handled in the read that brought them."""
SHORT: Final = 1024
"""Bytes that are decoded in the read that brought them."""
PIECE: Final = 4096
"""Bytes that are decoded at a time, where more came: no decoder takes more than a few milliseconds for them."""
BYTES: Final = 256
"""Bytes that cost as much as a message, where many come at once."""
DRAWN: Final = 32
"""Messages for which a connection draws on its household's allowance at a time, so that it seldom has to."""
MOST_UNSENT: Final = 2**31 - 1
"""The highest bound of unsent bytes that every event loop can hold."""


class Connection(asyncio.Protocol):
    """See the module.  It is the host of its talk."""

    __slots__ = (
        "_allowance", "_backlog", "_closing", "_crowd", "_decoder", "_dialect", "_drawn", "_guest", "_heard",
        "_in_line", "_last", "_out", "_paused", "_shared", "_since", "_slowed", "_spoken", "_talk", "_timers",
        "_transport", "_unread", "_window", "address", "household", "number",
    )  # fmt: skip

    def __init__(self, dialect: Dialect, crowd: Crowd, address: str = "") -> None:
        """`address` is the client's, where a trusted proxy has named it; empty is that of the socket's peer."""
        self._dialect = dialect
        self._crowd = crowd
        self._decoder = dialect.decoder()
        self._talk: Talk[Any] | None = None
        self._guest: Guest | None = None
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._backlog: deque[Any] | None = None
        """Messages that wait for their turn; None: nothing waits."""
        self._unread = b""
        """Bytes that wait to be decoded, after those messages."""
        self._in_line = False
        """It is its turn soon, or in the next second."""
        self._timers: Timers | None = None
        self._paused = False
        self._closing = False
        self._since = self._last = self._window = crowd.loop.time()
        self._spoken = self._heard = False
        self._slowed = False
        self._allowance = self._drawn = 0
        """Messages it may still send before it has to draw again, and those it has drawn in this second."""
        self._shared: rate_limit.Allowance | None = None
        """What it draws on; None: there is no limit."""
        self.address = address
        self.household = ""
        self.number = 0

    # --- asyncio.Protocol -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=min(self._crowd.limits.unsent or MOST_UNSENT, MOST_UNSENT))
        self.address = self.address or address_of(transport)
        self.household = household(self.address)
        self.number = next(self._crowd.numbers)
        entry = self._crowd.admit(self)
        if entry is not Entry.ADMITTED:
            self._crowd.turn_away(entry, **self._facts())
            self._closing = True
            transport.close()
            return
        self._shared = self._crowd.allowance(self.household)
        self._crowd.tally.accepted[self._dialect.name] += 1
        if self._dialect.greeting:
            self.write(self._dialect.greeting)
        self._talk = Talk(self._dialect.serve, self)
        known = self.household if self._crowd.limits.per_address else ""
        self._guest = Guest(self._tell, known, close=self._close)
        self._talk.start()

    def data_received(self, data: bytes) -> None:
        talk = self._talk
        if self._closing or talk is None:
            return
        self._heard = True
        if self._backlog is not None or len(data) > SHORT:
            self._put_off((), data)
            return
        messages = self._decode(data)
        decoder = self._decoder
        count = len(messages)
        if decoder.overhead:
            self._charge(decoder)
        if count > AT_ONCE or (count > self._allowance and not self._allows(count)):
            self._put_off(messages, b"")
            return
        self._allowance -= count
        for message in messages:
            talk.receive(message)
        if talk.messages and talk.waiting > self._crowd.limits.waiting:
            self._pause()
        if decoder.fault is not None:
            self._unreadable(decoder.fault)

    def _decode(self, data: bytes) -> Sequence[Any]:
        """The messages that `data` completes."""
        try:
            messages = self._decoder.feed(data)
        except Malformed as fault:
            fault.without_frames()  # the decoder keeps it, and it is told when all that came before it is done
            return ()
        except Exception as error:  # noqa: BLE001 - what a decoder does wrong is its own conversation's end
            self.fault(error)
            return ()
        if messages:
            self._spoken = True
        return messages

    def _allows(self, count: int) -> bool:
        """Whether so many messages may come now: the clock is read only when what was drawn is used up."""
        most = self._crowd.limits.messages
        if self._shared is None or not most:
            self._allowance = sys.maxsize
            return True
        now = self._crowd.loop.time()
        if now - self._window >= rate_limit.SECOND:
            self._window = now
            self._drawn = 0
        wanted = min(max(DRAWN, count - self._allowance), most - self._drawn)
        drawn = self._shared.draw(wanted, now)
        self._drawn += drawn
        self._allowance += drawn
        return count <= self._allowance

    def eof_received(self) -> bool:
        return False  # a peer that has closed its side has left; the transport closes by itself

    def pause_writing(self) -> None:
        """The outbox is full: the peer does not read."""
        log.warning("dropped: it does not read what it is sent", **self._facts())
        self._crowd.tally.drops[self._dialect.name, "slow"] += 1
        self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if self not in self._crowd.connections:
            return
        self._crowd.dismiss(self)
        if self._shared is not None:
            self._shared.left += self._allowance  # what it has not used is the others', and so is what it owes
        self._closing = True
        self._leave()
        if self._talk is not None:
            self._talk.tell(Gone(str(error or "")))
            self._talk.close()
        self._talk = self._guest = None  # both hold on to this connection: without them it is freed by itself

    # --- talk.Host ------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        if self._closing:
            return
        if not self._out:
            self._crowd.enqueue(self)
        self._out.append(data)

    def do(self, request: Any) -> None:
        if self._guest is not None and not self._closing:
            cost = rate_limit.COSTS.get(type(request))
            if cost and self._shared is not None:
                self._shared.left -= cost
            self._crowd.lobby.do(self._guest, request)

    def wake(self, seconds: float, name: str) -> None:
        if self._timers is None and not self._closing:
            self._timers = Timers(self._crowd.loop.time, self._crowd.loop.call_later, self._woke)
        if self._timers is not None:
            self._timers.set(seconds, name)

    def send_off(self) -> None:
        """The server stops: say so, where the protocol has a word for that, and hang up."""
        if self._dialect.farewell:
            self.write(self._dialect.farewell)
        self.hang_up()

    def hang_up(self) -> None:
        if self._closing:
            return
        self.flush()
        self._closing = True
        self._leave()
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._paused:
            transport.resume_reading()
        self._last = self._crowd.loop.time()  # from here the peer has `linger` seconds; see check_idle
        if not transport.can_write_eof():
            transport.close()
            return
        try:
            transport.write_eof()
        except OSError:  # the peer is gone, and nobody has told us yet
            transport.abort()

    def fault(self, error: Exception) -> None:
        match = self._guest.table.match.id if self._guest is not None and self._guest.table is not None else None
        log.error("fault in a conversation", match=match, exc_info=error, **self._facts())
        self.hang_up()

    # --- for whoever counts ---------------------------------------------------------------------------------------

    @property
    def dialect(self) -> str:
        return self._dialect.name

    @property
    def unsent(self) -> int:
        """Bytes that the peer has not taken yet."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    # --- the rest -------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Send what was said."""
        out = self._out
        if out and self._transport is not None and not self._transport.is_closing():
            self._transport.write(out[0] if len(out) == 1 else b"".join(out))
        self._out = []

    def abort(self) -> None:
        """Let go at once."""
        self._closing = True
        self._leave()
        if self._transport is not None:
            self._transport.abort()

    def check_idle(self, now: float) -> None:
        """End the conversation if the peer has been silent for too long."""
        if self._heard:
            self._heard = False
            self._last = now
        silent = now - self._last
        if self._closing:
            if silent > self._crowd.limits.linger and self._transport is not None:
                self._transport.abort()
            return
        handshake = self._dialect.handshake
        if self._crowd.limits.idle and silent > self._crowd.limits.idle:
            log.info("dropped: idle", **self._facts())
            self._crowd.tally.drops[self._dialect.name, "idle"] += 1
            self.hang_up()
        elif handshake and not self._spoken and now - self._since > handshake:
            log.info("dropped: it never spoke", **self._facts())
            self._crowd.tally.drops[self._dialect.name, "silent"] += 1
            self.hang_up()

    def _tell(self, news: Any) -> None:
        talk = self._talk
        if talk is not None:
            if type(news) is Refusal:
                self._crowd.tally.refuse(self._dialect.name, news.reason)
            talk.tell(news)
            if self._paused:
                self._read_on()

    def _close(self, reason: BoardwireError) -> None:
        log.warning("closed: its match cannot go on here", reason=str(reason), **self._facts())
        self.hang_up()

    def _woke(self, name: str) -> None:
        if self._talk is not None:
            self._talk.tell(Woke(name))
            if self._paused:
                self._read_on()

    def _leave(self) -> None:
        """Nothing more is asked, told or awaited."""
        if self._timers is not None:
            self._timers.stop()
            self._timers = None  # it holds on to this connection
        self._backlog = None
        self._unread = b""
        if self._guest is not None:
            self._crowd.lobby.goodbye(self._guest)

    def _put_off(self, messages: Sequence[Any], data: bytes) -> None:
        """Leave that for this connection's next turn, and do not read on before it is done."""
        if self._closing:
            return
        if self._backlog is None:
            self._backlog = deque()
            self._pause()
        self._backlog.extend(messages)
        self._unread += data
        self._stand_in_line()

    def _stand_in_line(self) -> None:
        if not self._in_line:
            self._in_line = True
            self._crowd.turns.join(self)

    def work(self, until: float) -> bool:
        """Handle what was put off, up to that time; whether there is more that can be done at once."""
        clock, most = self._crowd.turns.clock, self._crowd.limits.waiting
        while (backlog := self._backlog) is not None and (talk := self._talk) is not None:
            if self._allowance <= 0 and not self._allows(1):
                self._slow_down()
                return False
            if talk.waiting > most:
                break  # it stands in line again when the script has taken up enough; see `_read_on`
            if backlog:
                self._allowance -= 1
                talk.receive(backlog.popleft())
            elif self._unread and self._decoder.fault is None:
                self._decode_piece(backlog)
            else:
                self._catch_up()
                break
            if clock() >= until:
                return True
        self._in_line = False
        return False

    def _decode_piece(self, backlog: deque[Any]) -> None:
        piece, self._unread = self._unread[:PIECE], self._unread[PIECE:]
        backlog.extend(self._decode(piece))
        self._allowance -= len(piece) // BYTES
        self._charge(self._decoder)

    def _charge(self, decoder: Decoder) -> None:
        """Let the peer pay for what it sent beside its messages."""
        self._allowance -= decoder.overhead
        decoder.overhead = 0

    def _slow_down(self) -> None:
        """Stand in line again when there is a new allowance."""
        shared = self._shared
        if shared is not None and shared.left <= 0:
            if not shared.is_known_to_be_fast:  # once, not for each of its connections
                shared.is_known_to_be_fast = True
                log.warning("slowed down: its address sends too many messages a second", **self._facts())
        elif not self._slowed:
            log.warning("slowed down: it sends too many messages a second", **self._facts())
        self._slowed = True
        self._crowd.loop.call_later(rate_limit.SECOND, self._crowd.turns.join, self)

    def _catch_up(self) -> None:
        """All that was put off is done."""
        self._backlog = None
        self._unread = b""
        self._read_on()
        if self._decoder.fault is not None:
            self._unreadable(self._decoder.fault)

    def _read_on(self) -> None:
        """Go on, if the script has taken up enough: with what was put off first, then with what the peer sends."""
        if self._talk is None or self._talk.waiting > self._crowd.limits.waiting // 2:
            return
        if self._backlog is not None:
            self._stand_in_line()
        else:
            self._resume()

    def _unreadable(self, reason: Malformed) -> None:
        self._crowd.warn("unreadable input", self.household, reason=str(reason), **self._facts())
        self._crowd.tally.refuse(self._dialect.name, reason)
        if self._talk is not None and not self._closing:
            self._talk.tell(reason)

    def _pause(self) -> None:
        if not self._paused and self._transport is not None and not self._transport.is_closing():
            self._paused = True
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._paused and self._transport is not None and not self._transport.is_closing():
            self._paused = False
            self._transport.resume_reading()

    def _facts(self) -> dict[str, Any]:
        return {"connection": self.number, "peer": self.address, "dialect": self._dialect.name}
