"""Connections of a node, their limits and counters.

- The output of one step is sent in one write per connection: connections with output are flushed together, at the end
  of the loop iteration or after the commit that produced it.
- A sweep finds idle connections and slow readers, some connections at a time; connections have no timers for this.
- Limits per address use the keys of `net.client_address`.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from enum import Enum
from itertools import chain, count, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

import msgspec
import structlog

from boardwire.errors import BoardwireError
from boardwire.lobby.requests import LobbyRequest
from boardwire.logs import LogThrottle, peer_throttle
from boardwire.net.rate_limit import FULL_RATE_CONNECTIONS, WINDOW_SECONDS, MessageBudget
from boardwire.net.scheduler import InlineTime, Scheduler
from boardwire.table.commands import Command
from boardwire.table.guest import Announced, Challenged, Guest

if TYPE_CHECKING:
    from boardwire.net.connection import Connection

log = structlog.get_logger("boardwire.net")

UNKNOWN: Final = ""
"""Address key of a connection from a proxy that has not named a client yet. Only the total limit applies to it."""
SWEEP_SECONDS: Final = 1.0
"""Time in which a sweep checks every connection once."""
SWEEP_SLICE: Final = 256
"""Connections that a sweep checks at a time: 20,000 at once stopped the loop for 50 ms every second."""
UNSENT_CHECK_SECONDS: Final = 0.1
"""Time from a large write to the check of the unread bytes of its address."""
SPARE_FRACTION: Final = 16
"""If less than 1 / SPARE_FRACTION of all connections is left, the address with the most gives some up."""
MAKE_ROOM_CONNECTIONS: Final = 64
"""Connections that it gives up at a time."""
REFUSAL_LOG_SECONDS: Final = 10.0
"""Minimum interval between log lines about refused connections."""


class ConnectionLimits(msgspec.Struct, frozen=True):
    """Limits of a connection. 0 means no limit, except for `waiting` and `linger`."""

    per_address: int = 4096
    """Connections from one address, which may also not hold more connections than the process has left."""
    messages: int = 2000
    """Messages per second from one connection; excess messages wait in the sender's socket."""
    waiting: int = 64
    """Unhandled messages of a conversation; beyond that, its socket is not read."""
    unsent: int = 256 * 1024
    """Bytes that a client has not read; beyond that, it is dropped."""
    idle: float = 3600.0
    """Seconds without input before a connection is closed."""
    linger: float = 2.0
    """Seconds in which a client must read the last messages after the server has closed its side."""
    unsent_from: int = 32 * 1024 * 1024
    """Bytes that all clients of one address have not read, HTTP responses included; beyond that, those with the most
    are dropped."""


class ConnectionCounters:
    """Connection counters since the process started, by dialect.

    `refusals` are by dialect and `errors.Reason`, `drops` by dialect and cause (slow, idle, silent). `turned_away`
    counts connections over a limit.
    """

    def __init__(self) -> None:
        self.accepted: Counter[str] = Counter()
        self.refusals: Counter[tuple[str, str]] = Counter()
        self.drops: Counter[tuple[str, str]] = Counter()
        self.turned_away = 0

    def refuse(self, dialect: str, reason: BoardwireError) -> None:
        """Count a refused request."""
        self.refusals[dialect, reason.reason] += 1


class Admission(Enum):
    """Result of admitting a connection."""

    ADMITTED = "admitted"
    TOO_MANY_CONNECTIONS = "too many connections"
    """The client address has reached its limit."""
    FULL = "too many connections on this server"
    """The process has reached its limit of open files, minus a reserve."""
    BANNED = "banned address"
    """Moderators have banned the client address."""


T = TypeVar("T")


def _never(address_key: str) -> bool:
    return False


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return the address of the socket's peer."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else str(peer or "")


def port_of(transport: asyncio.BaseTransport) -> int:
    """Return the server's port to which the peer connected, or 0 if it is unknown."""
    name = transport.get_extra_info("sockname")  # (host, port, ...), but a path for a Unix socket
    return name[1] if isinstance(name, tuple) and len(name) > 1 and isinstance(name[1], int) else 0


class Outbox(Protocol):
    """The unsent output of a connection of any kind."""

    @property
    def address_key(self) -> str: ...

    @property
    def unsent(self) -> int:
        """Number of bytes that the client has not read."""

    def abort(self) -> None:
        """Drop the client at once."""


class RequestHandler(Protocol):
    """Executes the requests of guests."""

    def do(self, guest: Guest, request: LobbyRequest | Command, /) -> None:
        """Execute a request of a guest."""

    def disconnected(self, guest: Guest, /) -> None:
        """Handle the disconnect of a guest."""


class Connections:
    """The connections of one event loop, with their limits and shared state.

    `max_connections` is the limit of connections of all kinds, or 0 for none. `turns` is a scheduler to share with
    other work.
    """

    def __init__(
        self,
        lobby: RequestHandler,
        limits: ConnectionLimits,
        loop: asyncio.AbstractEventLoop,
        max_connections: int = 0,
        turns: Scheduler | None = None,
    ) -> None:
        self.lobby = lobby
        self.limits = limits
        self.max_connections = max_connections
        self._count = 0
        self._log_throttle = LogThrottle(REFUSAL_LOG_SECONDS, loop.time)
        self._peer_log = peer_throttle(loop.time)
        self.loop = loop
        self.numbers = count(1)
        self.connections: set[Connection] = set()
        self.outboxes: list[Collection[Outbox]] = [self.connections]
        """Connections by kind; the limit `unsent_from` counts all of them."""
        self._unswept: Iterator[Outbox] = iter(())
        """Connections that the current sweep has not checked yet."""
        self._sweep_pause = SWEEP_SECONDS
        """Time between slices of the current sweep."""
        self._unsent: Counter[str] = Counter()
        """Unread bytes by client address, as far as the current sweep has come."""
        self._is_making_room = False
        """Whether `_make_room` will be called."""
        self._unsent_due: set[str] = set()
        """Client addresses whose unread bytes are to be checked."""
        self.by_address: Counter[str] = Counter()
        """Number of connections by client address."""
        self._budgets: dict[str, MessageBudget] = {}
        self.turns = turns or Scheduler(loop)
        self.tally = ConnectionCounters()
        self.is_stepping = False
        """Whether `flush` will be called at the end of the current call."""
        self._unflushed: list[Connection] = []
        self.is_banned: Callable[[str], object] = _never
        """Returns whether an address is banned."""
        self._sweep: asyncio.TimerHandle | None = loop.call_later(SWEEP_SECONDS, self._sweep_slice)

    def admit(self, connection: Connection) -> Admission:
        """Add a connection if the limits allow it."""
        admission = self.enter(connection.address_key)
        if admission is Admission.ADMITTED:
            self.connections.add(connection)
        return admission

    def dismiss(self, connection: Connection) -> None:
        """Remove a connection."""
        self.connections.discard(connection)
        self.leave(connection.address_key)

    def enter(self, address_key: str) -> Admission:
        """Count a connection of any kind if the limits allow it.

        With `per_address` alone, five addresses could fill a process of 20,000. So an address that holds more
        connections than are left gets no other one, and when few are left, the address with the most gives some up.
        """
        free = self.max_connections - self._count if self.max_connections else sys.maxsize
        if free <= 0:
            return Admission.FULL
        if self.is_banned(address_key):
            return Admission.BANNED
        limit, held_count = self.limits.per_address, self.by_address[address_key]
        if limit and address_key != UNKNOWN and (held_count >= limit or held_count > free):
            return Admission.TOO_MANY_CONNECTIONS
        self._count += 1
        self.by_address[address_key] += 1
        if limit and free * SPARE_FRACTION < self.max_connections and not self._is_making_room:
            self._is_making_room = True
            self.loop.call_soon(self._make_room)
        return Admission.ADMITTED

    def _make_room(self) -> None:
        """Drop connections that have no seat, of the address that holds the most."""
        self._is_making_room = False
        address_key, held = max(
            ((key, held) for key, held in self.by_address.items() if key != UNKNOWN), key=itemgetter(1), default=("", 0)
        )
        if held <= MAKE_ROOM_CONNECTIONS:
            return
        connections: Collection[object] = self.connections
        droppable = [
            outbox
            for outbox in chain.from_iterable(self.outboxes)
            if outbox.address_key == address_key
            and not (outbox in connections and cast("Connection", outbox).has_table)
        ]
        self.warn(
            "dropped: the server has few connections left, and this address holds the most",
            address_key, address=address_key, held=held,
        )  # fmt: skip
        for outbox in droppable[:MAKE_ROOM_CONNECTIONS]:
            outbox.abort()

    def announce(self, announced: Announced) -> None:
        """Send an announcement to every guest whose protocol has a message for it."""
        for connection in tuple(self.connections):
            connection.announce(announced)

    def challenge(self, key: str, challenged: Challenged) -> None:
        """Notify all connected clients of a player of a challenge."""
        for connection in tuple(self.connections):
            if connection.has_guest(lambda guest: guest.key == key):
                connection.announce(challenged)

    def drop_banned(self, is_banned: Callable[[Guest], bool]) -> int:
        """Close the connections of banned addresses and players; return how many."""
        dropped = 0
        for connection in tuple(self.connections):
            if self.is_banned(connection.address_key) or connection.has_guest(is_banned):
                connection.expel()
                dropped += 1
        for outbox in chain.from_iterable(map(tuple, self.outboxes[1:])):
            if self.is_banned(outbox.address_key):
                outbox.abort()
                dropped += 1
        return dropped

    def turn_away(self, admission: Admission, **facts: Any) -> None:
        """Count a refused connection; log it at most once per `REFUSAL_LOG_SECONDS`, because a flood causes thousands.

        Refusals count for this limit by reason and, unless the server is full, by dialect.
        """
        self.tally.turned_away += 1
        kind = admission.name if admission is Admission.FULL else f"{admission.name} {facts.get('dialect', '')}"
        if (suppressed := self._log_throttle.admit(kind)) is None:
            return
        if admission is Admission.FULL:
            facts = {"connections": self._count, "hint": "raise the limit of open files: ulimit -n, LimitNOFILE"}
        log.warning(admission.value, suppressed=suppressed, **facts)

    def warn(self, event: str, address_key: str, **facts: Any) -> None:
        """Log a warning caused by a client, within the log limit of its address."""
        if (suppressed := self._peer_log.admit(f"{event} {address_key}")) is not None:
            log.warning(event, suppressed=suppressed, **facts)

    def leave(self, address_key: str) -> None:
        """Stop counting a connection."""
        self._count -= 1
        self.by_address[address_key] -= 1
        if self.by_address[address_key] <= 0:
            del self.by_address[address_key]

    def message_budget(self, address_key: str) -> MessageBudget | None:
        """Return the message budget that the connections of an address share, or None if there is no limit."""
        per_connection = self.limits.messages
        if not per_connection:
            return None
        budget = self._budgets.get(address_key)
        if budget is None:
            budget = self._budgets[address_key] = MessageBudget(
                per_connection * FULL_RATE_CONNECTIONS, self.loop.time(), InlineTime(self.turns, address_key)
            )
        return budget

    def inline_time(self, address_key: str) -> InlineTime | None:
        """Return the inline time of an address, or None if its work never waits: no other address is connected."""
        if address_key == UNKNOWN or len(self.by_address) == 1:
            return None
        budget = self.message_budget(address_key)
        return None if budget is None else budget.inline

    def enqueue(self, connection: Connection) -> None:
        """Schedule a flush of `connection` after all ready sockets are read, so that each client is woken only once."""
        if not self._unflushed and not self.is_stepping:
            self.loop.call_soon(self.flush)
        self._unflushed.append(connection)

    def step(self, call: Callable[..., T], *arguments: object) -> T:
        """Make a call that produces output for many connections (a durable commit), then flush them."""
        self.is_stepping = True
        try:
            return call(*arguments)
        finally:
            self.is_stepping = False
            if self._unflushed:
                self.flush()

    def flush(self) -> None:
        """Flush all connections with pending output."""
        connections, self._unflushed = self._unflushed, []
        for connection in connections:
            connection.flush()

    def _sweep_slice(self) -> None:
        """Check the next connections for silence and unread bytes; after the last ones, begin again."""
        # First, so that an exception below does not end the sweeps.
        self._sweep = self.loop.call_later(self._sweep_pause, self._sweep_slice)
        now = self.loop.time()
        slice_ = list(islice(self._unswept, SWEEP_SLICE))
        if not slice_:
            self._finish_sweep(now)
            outboxes = tuple(chain.from_iterable(self.outboxes))
            self._sweep_pause = SWEEP_SECONDS / (len(outboxes) // SWEEP_SLICE + 1)
            self._unswept = iter(outboxes)
            slice_ = list(islice(self._unswept, SWEEP_SLICE))
        connections: Collection[object] = self.connections
        for outbox in slice_:
            self._unsent[outbox.address_key] += outbox.unsent
            if outbox in connections:  # not an HTTP connection, nor closed since the sweep began
                cast("Connection", outbox).check_idle(now)

    def _finish_sweep(self, now: float) -> None:
        """Drop slow readers, and forget the budgets of addresses that have gone."""
        unsent, self._unsent = self._unsent, Counter()
        limit = self.limits.unsent_from
        if limit and (over_limit := {address_key for address_key, total in unsent.items() if total > limit}):
            self._drop_slow(over_limit)
        for address_key, budget in tuple(self._budgets.items()):
            is_renewed = now - budget.since > WINDOW_SECONDS and budget.left > 0
            if address_key not in self.by_address and is_renewed and budget.inline.has_time(self.turns.clock()):
                del self._budgets[address_key]

    def check_unsent(self, address_key: str) -> None:
        """Enforce `unsent_from` soon after a large write: hundreds of responses may follow before the sweep comes."""
        if not self._unsent_due:
            self.loop.call_later(UNSENT_CHECK_SECONDS, self._check_due)
        self._unsent_due.add(address_key)

    def _check_due(self) -> None:
        address_keys, self._unsent_due = self._unsent_due, set()
        self._drop_slow(address_keys)

    def _drop_slow(self, address_keys: Collection[str]) -> None:
        """Drop the largest outboxes of each of these addresses whose clients have too many unread bytes together."""
        limit = self.limits.unsent_from
        if not limit:
            return
        by_address: dict[str, list[tuple[int, Outbox]]] = {}
        for outbox in chain.from_iterable(self.outboxes):
            if outbox.address_key in address_keys and outbox.address_key != UNKNOWN and (unsent := outbox.unsent):
                by_address.setdefault(outbox.address_key, []).append((unsent, outbox))
        for address_key, outboxes in by_address.items():
            total = sum(unsent for unsent, _ in outboxes)
            if total <= limit:
                continue
            self.warn("dropped: too many unread bytes from one address", address_key, address=address_key, unsent=total)
            for unsent, outbox in sorted(outboxes, key=itemgetter(0), reverse=True):
                if total <= limit:
                    break
                total -= unsent
                outbox.abort()

    async def close_all(self, timeout_seconds: float) -> None:
        """Close all connections gracefully; abort those that remain after the timeout."""
        if self._sweep is not None:
            self._sweep.cancel()
        self.flush()
        for connection in tuple(self.connections):
            connection.say_farewell()
        end = self.loop.time() + timeout_seconds
        while self.connections and self.loop.time() < end:
            await asyncio.sleep(0.02)
        for connection in tuple(self.connections):
            connection.abort()
