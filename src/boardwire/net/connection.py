"""A server connection: a socket and its conversation.

- Bytes go to the decoder, messages to the script. Messages beyond the rate limit wait in the socket.
- A read of up to `INLINE_MESSAGES` messages in `INLINE_BYTES` bytes is handled at once if its address has used little
  of the event loop (`scheduler.InlineTime`). Larger reads are queued, in order, for the connection's turn
  (`scheduler`), and the socket is not read until the queue is empty.
- Notifications are delivered at once under the same condition, and otherwise in the turn of their address, before later
  input. Those that a message causes for its sender are always delivered at once. If `MAX_UNDELIVERED` notifications
  wait for a client, it is dropped.
- A client that does not read is dropped when its outbox is full.
- A graceful close sends pending data, closes our side, and reads until the client closes its side or `linger` is over:
  closing with unread input would cause a reset that destroys the last messages.
- An exception in the script ends this conversation only. It is logged with connection and match.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import structlog

from boardwire.dialects.dialect import Dialect
from boardwire.errors import BoardwireError, Malformed
from boardwire.games.game import Seat
from boardwire.net import rate_limit
from boardwire.net.client_address import address_key
from boardwire.net.connections import Admission, Connections, address_of, port_of
from boardwire.net.deferred import MAX_UNDELIVERED, DeferredNotifications
from boardwire.table.guest import Announced, Challenged, Guest, Refusal
from boardwire.talk import Gone, Talk, Timers, Woke
from boardwire.wire.codec import Decoder

log = structlog.get_logger("boardwire.net")

INLINE_MESSAGES: Final = 2
"""Largest number of messages in one read that are handled at once."""
INLINE_BYTES: Final = 1024
"""Largest read that is decoded at once."""
CHUNK_BYTES: Final = 4096
"""Bytes of a larger read that are decoded at a time: at most a few milliseconds of work for every decoder."""
BYTES_PER_MESSAGE: Final = 256
"""Bytes of a larger read that count as one message for the rate limit."""
CONVERSATION_SECONDS: Final = 0.0005
"""Estimated time to start a conversation."""
NOTIFICATION_SECONDS: Final = 0.0001
"""Estimated time to deliver a notification: measuring it would take longer than some deliveries."""
DRAW_MESSAGES: Final = 32
"""Messages that a connection takes from the budget of its address at a time, so that it rarely has to."""
MAX_UNSENT_BYTES: Final = 2**31 - 1
"""Largest write-buffer limit that every event loop accepts."""


class Connection(asyncio.Protocol):
    """A server connection, and the host of its `Talk`."""

    __slots__ = (
        "_allowance",
        "_backlog",
        "_budget",
        "_closing",
        "_connections",
        "_decoder",
        "_deferred",
        "_dialect",
        "_drawn",
        "_guest",
        "_has_input",
        "_has_message",
        "_has_turn",
        "_is_paused",
        "_is_queued",
        "_last_input_at",
        "_opened_at",
        "_out",
        "_reserved_seat",
        "_talk",
        "_timers",
        "_transport",
        "_unread",
        "_was_slowed",
        "_window_start",
        "address",
        "address_key",
        "number",
    )  # fmt: skip

    def __init__(
        self,
        dialect: Dialect,
        connections: Connections,
        address: str = "",
        *,
        reserved_seat: tuple[str, Seat] | None = None,
    ) -> None:
        """`address` is the client address that a trusted proxy reported, or '' for the peer of the socket.
        `reserved_seat` is the match and seat of the seat port to which the client connected."""
        self._reserved_seat = reserved_seat
        self._dialect = dialect
        self._connections = connections
        self._decoder = dialect.decoder()
        self._talk: Talk[Any] | None = None
        self._guest: Guest | None = None
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._backlog: deque[Any] | None = None
        """Queued messages, or None if reads are handled at once."""
        self._unread = b""
        """Bytes to decode after the queued messages."""
        self._deferred: DeferredNotifications | None = None
        """Deferred notifications, or None if there were none yet."""
        self._has_turn = False
        """Whether it is handling input in time charged to its address, so that responses are delivered at once."""
        self._is_queued = False
        """Whether this connection is in the scheduler, or rejoins it in the next rate-limit window."""
        self._timers: Timers | None = None
        self._is_paused = False
        self._closing = False
        self._opened_at = self._last_input_at = self._window_start = connections.loop.time()
        self._has_message = self._has_input = False
        self._was_slowed = False
        self._allowance = self._drawn = 0
        """Remaining messages of the last draw, and messages drawn in this window."""
        self._budget: rate_limit.MessageBudget | None = None
        """Message budget of its address, or None if there is no limit."""
        self.address = address
        self.address_key = ""
        self.number = 0

    # --- asyncio.Protocol -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the connection or turn it away; start the conversation, at once or in the address's turn."""
        self._transport = cast("asyncio.Transport", transport)
        unsent = self._connections.limits.unsent
        self._transport.set_write_buffer_limits(high=min(unsent or MAX_UNSENT_BYTES, MAX_UNSENT_BYTES))
        self.address = self.address or address_of(transport)
        self.address_key = address_key(self.address)
        self.number = next(self._connections.numbers)
        admission = self._connections.admit(self)
        if admission is not Admission.ADMITTED:
            self._connections.turn_away(admission, **self._log_fields())
            self._closing = True
            transport.close()
            return
        self._budget = self._connections.message_budget(self.address_key)
        self._connections.tally.accepted[self._dialect.name] += 1
        inline = self._connections.inline_time(self.address_key)
        if inline is None or inline.take(CONVERSATION_SECONDS):
            self._start()
        else:
            self._transport.pause_reading()
            turns = self._connections.turns
            turns.call(self.address_key, self._start_in_turn, CONVERSATION_SECONDS)

    def _start_in_turn(self) -> None:
        if self._closing or self._transport is None or self._transport.is_closing():
            return
        self._transport.resume_reading()
        self._start()
        if self._unread:  # received after a WebSocket handshake, while the start waited for its turn
            self._queue_input((), b"")

    def _start(self) -> None:
        """Start the conversation."""
        assert self._transport is not None, "`connection_made` has set it"
        if self._dialect.greeting:
            self.write(self._dialect.greeting)
        self._talk = Talk(self._dialect.serve, self)
        quota_key = self.address_key if self._connections.limits.per_address else ""
        self._guest = Guest(self._tell, quota_key, close=self._close, port=port_of(self._transport))
        self._guest.reserved_seat = self._reserved_seat
        self._talk.start()

    def data_received(self, data: bytes) -> None:
        """Decode the input and handle its messages at once if it is small, or else queue it for the address's turn."""
        talk = self._talk
        if self._closing:
            return
        if talk is None:  # the start of the conversation waits for its turn
            self._unread += data
            return
        self._has_input = True
        deferred = self._deferred
        if self._backlog is not None or (deferred is not None and deferred.waiting) or len(data) > INLINE_BYTES:
            self._queue_input((), data)
            return
        messages = self._decode(data)
        decoder = self._decoder
        count = len(messages)
        if decoder.overhead:
            self._charge(decoder)
        if count > INLINE_MESSAGES or (count > self._allowance and not self._draw_allowance(count)):
            self._queue_input(messages, b"")
            return
        connections = self._connections
        inline, started_at = None, 0.0
        if self._budget is not None and len(connections.by_address) > 1:  # otherwise no other address waits
            inline, started_at = self._budget.inline, connections.turns.clock()
            if count and not inline.has_time(started_at):
                self._queue_input(messages, b"")
                return
        self._allowance -= count
        if inline is None:
            for message in messages:
                talk.receive(message)
        else:
            self._has_turn = True
            for message in messages:
                talk.receive(message)
            self._has_turn = False
            inline.spend(connections.turns.clock() - started_at)
        if talk.messages and talk.waiting > connections.limits.waiting:
            self._pause()
        if decoder.fault is not None:
            self._handle_unreadable_input(decoder.fault)

    def _decode(self, data: bytes) -> Sequence[Any]:
        """Return the messages that `data` completes."""
        try:
            messages = self._decoder.feed(data)
        except Malformed as fault:
            fault.without_frames()  # the decoder keeps it; it is reported after the earlier messages
            return ()
        except Exception as error:  # noqa: BLE001 - a bug in a decoder ends only its conversation
            self.fault(error)
            return ()
        if messages:
            self._has_message = True
        return messages

    def _draw_allowance(self, count: int) -> bool:
        """Draw more messages from the rate limit; return whether it allows `count`.

        Called only when the last draw is used up, so that most messages do not read the clock.
        """
        limit = self._connections.limits.messages
        if self._budget is None or not limit:
            self._allowance = sys.maxsize
            return True
        now = self._connections.loop.time()
        if now - self._window_start >= rate_limit.WINDOW_SECONDS:
            self._window_start = now
            self._drawn = 0
        share = min(max(DRAW_MESSAGES, count - self._allowance), limit - self._drawn)
        drawn_count = self._budget.draw(share, now)
        self._drawn += drawn_count
        self._allowance += drawn_count
        return count <= self._allowance

    def eof_received(self) -> bool:
        return False  # half-closed connections are not supported; the transport closes

    def pause_writing(self) -> None:
        """Drop the client: its outbox is full."""
        log.warning("dropped: outbox full, the client does not read", **self._log_fields())
        self._connections.tally.drops[self._dialect.name, "slow"] += 1
        self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Release the connection; report the disconnect to the script."""
        if self not in self._connections.connections:
            return
        self._connections.dismiss(self)
        if self._budget is not None:
            self._budget.left += self._allowance  # return the unused rest, or a debt, to the address
        self._closing = True
        self._release()
        if self._talk is not None:
            self._talk.tell(Gone(str(error or "")))
            self._talk.close()
        self._talk = self._guest = None  # both refer to this connection: break the cycle

    # --- talk.ScriptHost ------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        if self._closing:
            return
        out = self._out
        if not out:
            self._connections.enqueue(self)
        out.append(data)

    def do(self, request: Any) -> None:
        if self._guest is not None and not self._closing:
            cost = rate_limit.REQUEST_COSTS.get(type(request))
            if cost and self._budget is not None:
                self._budget.left -= cost
            self._connections.lobby.do(self._guest, request)

    def wake(self, seconds: float, name: str) -> None:
        if self._timers is None and not self._closing:
            self._timers = Timers(self._connections.loop.time, self._connections.loop.call_later, self._handle_timer)
        if self._timers is not None:
            self._timers.set(seconds, name)

    def say_farewell(self) -> None:
        """Send the protocol's farewell, if any, and hang up."""
        self._deliver_all()
        if self._dialect.farewell:
            self.write(self._dialect.farewell)
        self.hang_up()

    def announce(self, announced: Announced | Challenged) -> None:
        """Notify the client of an announcement or a challenge, if its protocol has a message for it."""
        if self._dialect.announces and not self._closing:
            self._deliver_in_order(announced)

    @property
    def has_table(self) -> bool:
        """Whether its guest is at a table."""
        return self._guest is not None and self._guest.table is not None

    def has_guest(self, predicate: Callable[[Guest], bool]) -> bool:
        """Return whether it has a guest that satisfies the predicate."""
        return self._guest is not None and predicate(self._guest)

    def expel(self) -> None:
        """Close the connection of a banned client."""
        log.info("closed: banned", **self._log_fields())
        self._connections.tally.drops[self._dialect.name, "banned"] += 1
        self._deliver_all()
        if self._dialect.expulsion:
            self.write(self._dialect.expulsion)
        self.hang_up()

    def hang_up(self) -> None:
        """Send everything, close the writing end, and give the peer `linger` seconds to close its own."""
        self._deliver_all()
        if self._closing:  # before, or because the script ended
            return
        self.flush()
        self._closing = True
        self._release()
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._is_paused:
            transport.resume_reading()
        self._last_input_at = self._connections.loop.time()  # from here the peer has `linger` seconds; see check_idle
        if not transport.can_write_eof():
            transport.close()
            return
        try:
            transport.write_eof()
        except OSError:  # the peer is gone, but the loop has not reported it yet
            transport.abort()

    def fault(self, error: Exception) -> None:
        match = self._guest.table.match.id if self._guest is not None and self._guest.table is not None else None
        log.error("exception in a conversation", match=match, exc_info=error, **self._log_fields())
        self.hang_up()

    # --- metrics --------------------------------------------------------------------------------------------------

    @property
    def dialect(self) -> str:
        return self._dialect.name

    @property
    def unsent(self) -> int:
        """Number of bytes that the client has not read."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    # --- flow control -------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write the pending output."""
        out = self._out
        if out and self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(out))  # of one item, this is the item
        out.clear()

    def abort(self) -> None:
        """Close the connection without flushing."""
        self._closing = True
        self._release()
        if self._transport is not None:
            self._transport.abort()

    def check_idle(self, now: float) -> None:
        """Hang up if the client has been silent for too long."""
        if self._has_input:
            self._has_input = False
            self._last_input_at = now
        silent = now - self._last_input_at
        if self._closing:
            if silent > self._connections.limits.linger and self._transport is not None:
                self._transport.abort()
            return
        handshake = self._dialect.handshake
        if self._connections.limits.idle and silent > self._connections.limits.idle:
            log.info("dropped: idle", **self._log_fields())
            self._connections.tally.drops[self._dialect.name, "idle"] += 1
            self.hang_up()
        elif handshake and not self._has_message and now - self._opened_at > handshake:
            log.info("dropped: no message within the handshake timeout", **self._log_fields())
            self._connections.tally.drops[self._dialect.name, "silent"] += 1
            self.hang_up()

    def _tell(self, notification: Any) -> None:
        """Pass a notification to the script at once, or queue it for the address's turn."""
        talk = self._talk
        if talk is None:
            return
        if type(notification) is Refusal:
            self._connections.tally.refuse(self._dialect.name, notification.reason)
        deferred, budget, connections = self._deferred, self._budget, self._connections
        if (deferred is None or not deferred.waiting) and (
            budget is None
            or self._has_turn
            or len(connections.by_address) == 1  # no other address waits
            or budget.inline.take(NOTIFICATION_SECONDS)
        ):
            talk.tell(notification)  # inlined from `_deliver`: this runs for every client at every step
            if self._is_paused:
                self._continue_reading()
        else:
            self._defer(notification)

    def _deliver(self, notification: Any) -> None:
        if self._talk is not None:
            self._talk.tell(notification)
            if self._is_paused:
                self._continue_reading()

    def _deliver_in_order(self, notification: Any) -> None:
        """Deliver a timer or an error after the deferred notifications, at once if there are none."""
        if self._deferred is not None and self._deferred.waiting:
            self._defer(notification)
        else:
            self._deliver(notification)

    def _deliver_all(self) -> None:
        while self._deferred is not None and self._deferred.waiting:
            self._deliver(self._deferred.waiting.popleft())

    def _defer(self, notification: Any) -> None:
        """Keep a notification for the next turn; drop a client that has too many."""
        if self._closing:
            return
        turns, deferred = self._connections.turns, self._deferred
        if deferred is None:
            deferred = self._deferred = DeferredNotifications(self.address_key, self._deliver, turns.clock)
        if len(deferred.waiting) >= MAX_UNDELIVERED:
            self._connections.warn("dropped: too many notifications wait", self.address_key, **self._log_fields())
            self._connections.tally.drops[self._dialect.name, "slow"] += 1
            self.abort()
            return
        deferred.waiting.append(notification)
        if not deferred.is_queued:
            deferred.is_queued = True
            turns.join(deferred)

    def _close(self, reason: BoardwireError) -> None:
        log.warning("closed: its match cannot continue here", reason=str(reason), **self._log_fields())
        self.hang_up()

    def _handle_timer(self, name: str) -> None:
        self._deliver_in_order(Woke(name))

    def _release(self) -> None:
        """Release timers, queue and seat."""
        if self._timers is not None:
            self._timers.stop()
            self._timers = None  # it refers to this connection: break the cycle
        if self._deferred is not None:
            self._deferred.waiting.clear()
            self._deferred = None  # it refers to this connection: break the cycle
        self._backlog = None
        self._unread = b""
        if self._guest is not None:
            self._connections.lobby.disconnected(self._guest)

    def _queue_input(self, messages: Sequence[Any], data: bytes) -> None:
        """Queue messages and undecoded bytes for this connection's next turn, and stop reading."""
        if self._closing:
            return
        if self._backlog is None:
            self._backlog = deque()
            self._pause()
        self._backlog.extend(messages)
        self._unread += data
        self._join_queue()

    def _join_queue(self) -> None:
        if not self._is_queued:
            self._is_queued = True
            self._connections.turns.join(self)

    def work(self, until: float) -> bool:
        """Handle notifications and queued input until the given time; return whether more can be handled at once."""
        clock, max_waiting = self._connections.turns.clock, self._connections.limits.waiting
        if self._deferred is not None and self._deferred.deliver(until):
            return True  # input is handled after the notifications before it
        while (backlog := self._backlog) is not None and (talk := self._talk) is not None:
            if self._allowance <= 0 and not self._draw_allowance(1):
                self._slow_down()
                return False
            if talk.waiting > max_waiting:
                break  # `_continue_reading` rejoins the scheduler when the script has consumed enough
            if backlog:
                self._allowance -= 1
                self._has_turn = True
                talk.receive(backlog.popleft())
                self._has_turn = False
            elif self._unread and self._decoder.fault is None:
                self._decode_piece(backlog)
            else:
                self._catch_up()
                break
            if clock() >= until:
                return True
        self._is_queued = False
        return False

    def _decode_piece(self, backlog: deque[Any]) -> None:
        piece, self._unread = self._unread[:CHUNK_BYTES], self._unread[CHUNK_BYTES:]
        backlog.extend(self._decode(piece))
        self._allowance -= len(piece) // BYTES_PER_MESSAGE
        self._charge(self._decoder)

    def _charge(self, decoder: Decoder) -> None:
        """Charge the overhead of the decoder against the rate limit."""
        self._allowance -= decoder.overhead
        decoder.overhead = 0

    def _slow_down(self) -> None:
        """Rejoin the scheduler after the rate-limit window."""
        budget = self._budget
        if budget is not None and budget.left <= 0:
            if not budget.is_logged:  # log it once, not for each connection
                budget.is_logged = True
                log.warning("slowed down: too many messages a second from this address", **self._log_fields())
        elif not self._was_slowed:
            log.warning("slowed down: too many messages a second", **self._log_fields())
        self._was_slowed = True
        self._connections.loop.call_later(rate_limit.WINDOW_SECONDS, self._connections.turns.join, self)

    def _catch_up(self) -> None:
        """Resume reading after the queue was handled."""
        self._backlog = None
        self._unread = b""
        self._continue_reading()
        if self._decoder.fault is not None:
            self._handle_unreadable_input(self._decoder.fault)

    def _continue_reading(self) -> None:
        """Continue if the script has consumed enough: with the queue first, then with the socket."""
        if self._talk is None or self._talk.waiting > self._connections.limits.waiting // 2:
            return
        if self._backlog is not None:
            self._join_queue()
        else:
            self._resume()

    def _handle_unreadable_input(self, reason: Malformed) -> None:
        self._connections.warn("unreadable input", self.address_key, reason=str(reason), **self._log_fields())
        self._connections.tally.refuse(self._dialect.name, reason)
        if not self._closing:
            self._deliver_in_order(reason)

    def _pause(self) -> None:
        if not self._is_paused and self._transport is not None and not self._transport.is_closing():
            self._is_paused = True
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._is_paused and self._transport is not None and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    def _log_fields(self) -> dict[str, Any]:
        return {"connection": self.number, "peer": self.address, "dialect": self._dialect.name}
