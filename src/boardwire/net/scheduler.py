"""Whose turn it is, where peers send more than can be handled at once.

Rules:

- What one read of a socket brings is handled there and then if it is little; the rest waits here, and its socket is not
  read meanwhile.
- In each turn of the loop what waits gets `TURN` seconds altogether, so that whoever asks for one thing is answered in
  between.
- Households go round robin, and so do the connections of a household: each works for `SLICE` seconds, on one message at
  least.  So a peer waits for its own messages, and hardly for those of others.
- Real time is what is measured: whatever takes long costs much, without a list of what does.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

TURN: Final = 0.004
SLICE: Final = 0.001


class Worker(Protocol):
    """Has something to do, for somebody of a household."""

    @property
    def household(self) -> str: ...

    def work(self, until: float, /) -> bool:
        """Do some of it, one thing at least, up to that time; whether more can be done at once."""


class _Call(NamedTuple):
    """A call that is made once, for a household."""

    household: str
    call: Callable[[], None]

    def work(self, until: float) -> bool:
        """See `Worker`."""
        self.call()
        return False


class Turns:
    """See the module."""

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Callable[[], float] = time.perf_counter) -> None:
        self._loop = loop
        self.clock = clock
        self._lines: OrderedDict[str, deque[Worker]] = OrderedDict()
        """Who stands in line, by household; the household whose turn it is comes first."""
        self._called = False

    def join(self, worker: Worker) -> None:
        """Stand in line, from the end.  Nobody stands there twice."""
        line = self._lines.get(worker.household)
        if line is None:
            line = self._lines[worker.household] = deque()
        line.append(worker)
        if not self._called:
            self._called = True
            self._loop.call_soon(self._take)

    def call(self, household: str, call: Callable[[], None]) -> None:
        """Make a call when it is the household's turn."""
        self.join(_Call(household, call))

    def _take(self) -> None:
        clock, lines = self.clock, self._lines
        now = clock()
        end = now + TURN
        try:
            while lines and now < end:
                household, line = next(iter(lines.items()))
                worker = line.popleft()
                if line:
                    lines.move_to_end(household)
                else:
                    del lines[household]
                if worker.work(now + SLICE):
                    self.join(worker)
                now = clock()
        finally:  # a worker with a fault must not keep all others waiting for ever
            self._called = bool(lines)
            if lines:
                self._loop.call_soon(self._take)
