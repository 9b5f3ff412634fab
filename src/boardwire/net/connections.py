"""All connections of a node: who is there, from where, and who has something to be sent.

Rules:

- Whatever one step says to one connection goes out in one write: connections that have something to say stand in line
  and are flushed together, at the end of the turn of the loop or of the commit that brought it about.
- One slow sweep finds the idle and the silent; no connection has a timer of its own for that.
- What an address may use up is shared by its household (`net.client_address`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from enum import Enum
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import structlog

from boardwire.lobby.requests import Errand
from boardwire.logs import LogThrottle, peer_throttle
from boardwire.net.counters import Tally
from boardwire.net.limits import Limits
from boardwire.net.rate_limit import SECOND, SHARE, Allowance
from boardwire.net.scheduler import Turns
from boardwire.table.commands import Command
from boardwire.table.guest import Guest

if TYPE_CHECKING:
    from boardwire.net.connection import Connection

log = structlog.get_logger("boardwire.net")

UNKNOWN: Final = ""
"""Household of a connection from a trusted proxy that has not yet named its client; only the limit of all connections
holds for it."""
SWEEP_SECONDS = 1.0
REFUSAL_LOG_SECONDS: Final = 10.0
"""How often it is said at most that there is no room for more."""


class Entry(Enum):
    """Whether one more connection is taken in."""

    ADMITTED = "admitted"
    CROWDED = "too many connections"
    """Its household has as many as it may have."""
    FULL = "no room for more connections"
    """There are as many as this process can have open, but for a few files it needs itself."""


T = TypeVar("T")


def address_of(transport: asyncio.BaseTransport) -> str:
    """Where a peer comes from."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else str(peer or "")


class Lobby(Protocol):
    """Whoever does what guests ask."""

    def do(self, guest: Guest, request: Errand | Command, /) -> None:
        """Carry out what a guest asks."""

    def goodbye(self, guest: Guest, /) -> None:
        """A guest leaves the house."""


class Crowd:
    """The connections of one event loop, and what they share; no more than `most` (0: any number).  `turns` is given
    where others than connections work in turns too."""

    def __init__(
        self,
        lobby: Lobby,
        limits: Limits,
        loop: asyncio.AbstractEventLoop,
        most: int = 0,
        turns: Turns | None = None,
    ) -> None:
        self.lobby = lobby
        self.limits = limits
        self.most = most
        self._present = 0
        self._log_throttle = LogThrottle(REFUSAL_LOG_SECONDS, loop.time)
        self._peer_log = peer_throttle(loop.time)
        self.loop = loop
        self.numbers = count(1)
        self.connections: set[Connection] = set()
        self.by_address: Counter[str] = Counter()
        """How many connections each household has."""
        self._allowances: dict[str, Allowance] = {}
        self.turns = turns or Turns(loop)
        self.tally = Tally()
        self.stepping = False
        """Somebody will call `flush` when the present call is done."""
        self._unflushed: list[Connection] = []
        self._sweep: asyncio.TimerHandle | None = loop.call_later(SWEEP_SECONDS, self._sweep_idle)

    def admit(self, connection: Connection) -> Entry:
        """Count a newcomer in, if there is room for it."""
        entry = self.enter(connection.household)
        if entry is Entry.ADMITTED:
            self.connections.add(connection)
        return entry

    def dismiss(self, connection: Connection) -> None:
        """Count one out."""
        self.connections.discard(connection)
        self.leave(connection.household)

    def enter(self, household: str) -> Entry:
        """Count a connection of any kind, if there is room for it."""
        if self.most and self._present >= self.most:
            return Entry.FULL
        limit = self.limits.per_address
        if limit and household != UNKNOWN and self.by_address[household] >= limit:
            return Entry.CROWDED
        self._present += 1
        self.by_address[household] += 1
        return Entry.ADMITTED

    def turn_away(self, entry: Entry, **facts: Any) -> None:
        """Count a refused connection, and log it unless others were logged a moment ago: a flood has thousands."""
        self.tally.turned_away += 1
        kind = entry.name if entry is Entry.FULL else f"{entry.name} {facts.get('dialect', '')}"
        if (left_out := self._log_throttle.admit(kind)) is None:
            return
        if entry is Entry.FULL:
            facts = {"connections": self._present, "hint": "raise the limit of open files: ulimit -n, LimitNOFILE"}
        log.warning(entry.value, left_out=left_out, **facts)

    def warn(self, event: str, household: str, **facts: Any) -> None:
        """Log a warning that a client has caused, unless its address has caused many of this kind lately."""
        if (left_out := self._peer_log.admit(f"{event} {household}")) is not None:
            log.warning(event, left_out=left_out, **facts)

    def leave(self, household: str) -> None:
        """A connection that was counted is gone."""
        self._present -= 1
        self.by_address[household] -= 1
        if self.by_address[household] <= 0:
            del self.by_address[household]

    def allowance(self, household: str) -> Allowance | None:
        """What the connections of a household may ask for together; None: there is no limit."""
        each = self.limits.messages
        if not each:
            return None
        found = self._allowances.get(household)
        if found is None:
            found = self._allowances[household] = Allowance(each * SHARE, self.loop.time())
        return found

    def enqueue(self, connection: Connection) -> None:
        """`connection` has something to send at the end of this turn of the loop: when all sockets that were ready have
        been read, so that their peers are woken once, not once for each of them."""
        if not self._unflushed and not self.stepping:
            self.loop.call_soon(self.flush)
        self._unflushed.append(connection)

    def step(self, call: Callable[..., T], *arguments: object) -> T:
        """Make a call that lets much happen at once (a commit is durable), then send all that came of it."""
        self.stepping = True
        try:
            return call(*arguments)
        finally:
            self.stepping = False
            if self._unflushed:
                self.flush()

    def flush(self) -> None:
        """Send what everybody has to say."""
        connections, self._unflushed = self._unflushed, []
        for connection in connections:
            connection.flush()

    def _sweep_idle(self) -> None:
        self._sweep = self.loop.call_later(SWEEP_SECONDS, self._sweep_idle)  # first: no fault may stop the sweeping
        now = self.loop.time()
        for connection in tuple(self.connections):
            connection.check_idle(now)
        for household, kept in tuple(self._allowances.items()):
            if household not in self.by_address and now - kept.since > SECOND and kept.left > 0:
                del self._allowances[household]

    async def disperse(self, patience: float) -> None:
        """End all conversations politely; cut off what is left after `patience` seconds."""
        if self._sweep is not None:
            self._sweep.cancel()
        self.flush()
        for connection in tuple(self.connections):
            connection.send_off()
        end = self.loop.time() + patience
        while self.connections and self.loop.time() < end:
            await asyncio.sleep(0.02)
        for connection in tuple(self.connections):
            connection.abort()
