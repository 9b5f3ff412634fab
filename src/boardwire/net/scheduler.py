"""Fair scheduling of work that clients queue on the event loop.

- Small reads are handled at once. Larger input waits here, and its socket is not read meanwhile.
- Each loop iteration spends `TURN_SECONDS` on waiting work, so that single requests are answered in between.
- Client addresses take turns, and so do the connections of an address. A turn is `SLICE_SECONDS`, or one message if
  that takes longer.
- Turns are measured in real time, so expensive work needs no cost table. A call that only starts work, such as the task
  of a request, names the time that the work is taken to use.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

TURN_SECONDS: Final = 0.001
"""Time of a loop iteration that waiting work may use."""
SLICE_SECONDS: Final = 0.0005
"""Time of one turn of a connection."""


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
    """Round-robin scheduler by client address."""

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Callable[[], float] = time.perf_counter) -> None:
        self._loop = loop
        self.clock = clock
        self._queues: OrderedDict[str, deque[AddressQueue]] = OrderedDict()
        """Waiting work by client address; the first one is next."""
        self._called = False

    def join(self, worker: AddressQueue) -> None:
        """Queue a worker, which must not be queued already."""
        queue = self._queues.get(worker.address_key)
        if queue is None:
            queue = self._queues[worker.address_key] = deque()
        queue.append(worker)
        if not self._called:
            self._called = True
            self._loop.call_soon(self._run_turn)

    def call(self, address_key: str, call: Callable[[], None], seconds: float = 0.0) -> None:
        """Make a call when it is the turn of its client address.

        `seconds` is taken off the loop iteration for work that the call starts, such as a task.
        """
        self.join(_Call(address_key, call, seconds))

    def _run_turn(self) -> None:
        clock, queues = self.clock, self._queues
        now = clock()
        end = now + TURN_SECONDS
        try:
            while queues and now < end:
                address_key, queue = next(iter(queues.items()))
                worker = queue.popleft()
                if queue:
                    queues.move_to_end(address_key)
                else:
                    del queues[address_key]
                if worker.work(now + SLICE_SECONDS):
                    self.join(worker)
                elif isinstance(worker, _Call):
                    end -= worker.seconds
                now = clock()
        finally:  # also if a worker raises: the others must not wait forever
            self._called = bool(queues)
            if queues:
                self._loop.call_soon(self._run_turn)
