"""A clock that the caller advances."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class ManualTimer:
    """A scheduled call."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """Cancel the call."""
        self.call = None


class ManualClock:
    """A clock that starts at `start` seconds and advances only by `pass_time`."""

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start
        self._order = count()
        self._schedule: list[tuple[float, int, ManualTimer]] = []

    def now(self) -> float:
        """Return the time in seconds."""
        return self._now

    def later(self, seconds: float, call: Callable[[], None]) -> ManualTimer:
        """Schedule a call in `seconds`; the timer can cancel it."""
        timer = ManualTimer(call)
        heapq.heappush(self._schedule, (self._now + seconds, next(self._order), timer))
        return timer

    def pass_time(self, seconds: float) -> None:
        """Advance the clock and make the calls that become due, in order and each at its time."""
        end = self._now + seconds
        while self._schedule and self._schedule[0][0] <= end:
            self._now, _, timer = heapq.heappop(self._schedule)
            if timer.call is not None:
                timer.call()
        self._now = end
