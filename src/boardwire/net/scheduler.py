"""Time of the event loop, shared between client addresses.

- Small work of an address is done at once while the address has `InlineTime` left, and otherwise in its turn.
- `InlineTime` is a token bucket. An address whose bucket is at least half full has used little of the loop and never
  waits. Others share `INLINE_TURN_SECONDS` of each loop iteration: without that bound, an iteration was as long as the
  small reads of 30 attacking addresses together, and every move waited for two iterations.
- Each loop iteration spends `TURN_SECONDS` on waiting work, so that single requests are answered in between. A turn
  takes `SLICE_SECONDS`, or one message if that takes longer.
- While an address that needs no turns is active, `PAUSE_SECONDS` follow each iteration's turns. Turns cause commits and
  responses outside their own time; without the pause, 30 attacking addresses kept the loop busy and a bystander's move
  took 7 ms instead of 5 (the median).
- The address that has used the least time in its turns has the next turn (start-time fair queueing): an address that
  was idle waits for one slice, however many others wait. The connections of an address take turns.
- Turns are measured in real time, so expensive work needs no cost table. A call that only starts work, such as the task
  of a request, gives an estimate of its time.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple, Protocol

TURN_SECONDS: Final = 0.001
"""Time that waiting work may use in one loop iteration."""
SLICE_SECONDS: Final = 0.0005
"""Time of one turn of a connection."""
INLINE_SHARE: Final = 0.003
"""Share of the event loop that one address may use before its work waits for its turn: thirty moves a second."""
INLINE_BURST_SECONDS: Final = 0.002
"""Largest amount of time that an address can save up: about ten messages. With 10 ms, the bursts of a few addresses
fell into one loop iteration: in 45 s under 30 attackers, 75 iterations took more than 20 ms of CPU, with 2 ms 20."""
RESERVED_SECONDS: Final = INLINE_BURST_SECONDS / 2
"""Saved time above which the work of an address is done at once, whatever others do."""
INLINE_TURN_SECONDS: Final = 0.001
"""Inline time of a loop iteration after which addresses with no more than `RESERVED_SECONDS` saved wait for a turn."""
PAUSE_SECONDS: Final = 0.001
"""Pause between the turns of two loop iterations while an address without turns is active."""
PAUSES: Final = 100
"""Number of pauses after the last inline work of such an address: about 0.2 s."""
IDLE_ADDRESSES: Final = 1000
"""Number of addresses without waiting work above which those with little used time are forgotten."""


class AddressQueue(Protocol):
    """Waiting work of a client address."""

    @property
    def address_key(self) -> str: ...

    def work(self, until: float, /) -> bool:
        """Work until the given time, on at least one item; return whether more can be done at once."""


class _Call(NamedTuple):
    """A single call on behalf of a client address."""

    address_key: str
    call: Callable[[], None]
    seconds: float

    def work(self, until: float) -> bool:
        self.call()
        return False


class Scheduler:
    """Divides the time of an event loop between client addresses."""

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Callable[[], float] = time.perf_counter) -> None:
        self._loop = loop
        self.clock = clock
        self.spare = INLINE_TURN_SECONDS
        """Time of this loop iteration left for work that is done at once; the next turn renews it."""
        self._queues: dict[str, deque[AddressQueue]] = {}
        """Waiting work by client address; no queue is empty."""
        self._order: list[tuple[float, int, str]] = []
        """Heap of these addresses by their used time."""
        self._numbers = count()
        self._used: dict[str, float] = {}
        """Time that each address has used since the queues were last empty."""
        self._forget_at = IDLE_ADDRESSES
        self._now = 0.0
        """Used time of the address that had the last turn; an address that was idle starts with it."""
        self._is_scheduled = False
        """Whether `_run_turn` will be called."""
        self._pauses = 0
        """Number of iterations whose turns are still followed by a pause."""

    def note_inline_work(self, address_key: str) -> None:
        """Let turns pause for a while if this address has done inline work without having turns of its own."""
        if self._is_scheduled and address_key not in self._used:
            self._pauses = PAUSES

    def join(self, worker: AddressQueue) -> None:
        """Queue a worker, which must not be queued already."""
        key = worker.address_key
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = deque()
            self._used[key] = used = max(self._now, self._used.get(key, 0.0))
            heappush(self._order, (used, next(self._numbers), key))
        queue.append(worker)
        if not self._is_scheduled:
            self._schedule_turn()

    def call(self, address_key: str, call: Callable[[], None], seconds: float = 0.0) -> None:
        """Make a call in the turn of its client address.

        `seconds` is an estimate for work that the call starts, such as a task. It is charged to the address and to the
        loop iteration.
        """
        self.join(_Call(address_key, call, seconds))

    def _schedule_turn(self) -> None:
        self._is_scheduled = True
        self._loop.call_soon(self._run_turn)

    def _run_turn(self) -> None:
        """Let waiting addresses work, the one with the least used time first, for `TURN_SECONDS`."""
        clock, order, queues = self.clock, self._order, self._queues
        self.spare = INLINE_TURN_SECONDS
        now = clock()
        end = now + TURN_SECONDS
        try:
            while order and now < end:
                self._now, _, key = heappop(order)
                queue = queues[key]
                worker = queue.popleft()
                turn_start = now
                try:
                    if worker.work(turn_start + SLICE_SECONDS):
                        queue.append(worker)
                    elif isinstance(worker, _Call):
                        end -= worker.seconds
                        self._used[key] += worker.seconds
                finally:
                    now = clock()
                    self._used[key] += now - turn_start
                    if queue:
                        heappush(order, (self._used[key], next(self._numbers), key))
                    else:
                        del queues[key]
        finally:  # also if a worker raises: the others must not wait forever
            self._is_scheduled = bool(order)
            if order:
                if self._pauses:
                    self._pauses -= 1
                    self._loop.call_later(PAUSE_SECONDS, self._run_turn)
                else:
                    self._schedule_turn()
                if len(self._used) > self._forget_at:
                    self._forget_idle()
            else:
                self._used.clear()
                self._now = 0.0

    def _forget_idle(self) -> None:
        """Forget the used time of idle addresses that would start with `_now` in any case."""
        self._used = {key: used for key, used in self._used.items() if key in self._queues or used > self._now}
        self._forget_at = 2 * len(self._used) + IDLE_ADDRESSES


class InlineTime:
    """Event-loop time that an address may use without waiting for its turn: a token bucket of seconds."""

    __slots__ = ("_address_key", "_refilled_at", "_scheduler", "_seconds")

    def __init__(self, scheduler: Scheduler, address_key: str) -> None:
        self._scheduler = scheduler
        self._address_key = address_key
        self._refilled_at = scheduler.clock()
        self._seconds = INLINE_BURST_SECONDS

    def has_time(self, now: float) -> bool:
        """Add the time saved since the last call, if little is left; return whether work may be done at once."""
        if self._seconds > RESERVED_SECONDS:
            return True
        self._seconds = min(INLINE_BURST_SECONDS, self._seconds + (now - self._refilled_at) * INLINE_SHARE)
        self._refilled_at = now
        return self._seconds > RESERVED_SECONDS or (self._seconds > 0.0 and self._scheduler.spare > 0.0)

    def spend(self, seconds: float) -> None:
        """Use up some of the time."""
        self._seconds -= seconds
        self._scheduler.spare -= seconds
        self._scheduler.note_inline_work(self._address_key)

    def take(self, seconds: float) -> bool:
        """Spend `seconds` if work may be done at once; return whether it may. Reads the clock if little is left."""
        if self._seconds <= RESERVED_SECONDS and not self.has_time(self._scheduler.clock()):
            return False
        self._seconds -= seconds
        self._scheduler.spare -= seconds
        return True
