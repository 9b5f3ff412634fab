"""Notifications that wait for the turn of a client address, in order with the timers of their connection.

The `scheduler` has them in a separate queue from the connection's input, which may wait for longer: messages over the
rate limit wait for the next second, but notifications of other players' actions do not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final

MAX_UNDELIVERED: Final = 256
"""Notifications that may wait for a connection's turn."""


class DeferredNotifications:
    """Notifications of a connection that wait for the turn of its address."""

    __slots__ = ("_clock", "_deliver", "address_key", "is_queued", "waiting")

    def __init__(self, address_key: str, deliver: Callable[[Any], None], clock: Callable[[], float]) -> None:
        self.address_key = address_key
        self._deliver = deliver
        self._clock = clock
        self.waiting: deque[Any] = deque()
        self.is_queued = False
        """Whether it is in the scheduler."""

    def deliver(self, until: float) -> bool:
        """Deliver until the given time; return whether more wait."""
        while self.waiting:
            self._deliver(self.waiting.popleft())
            if self._clock() >= until:
                break
        return bool(self.waiting)

    def work(self, until: float) -> bool:
        """Deliver in a turn of the scheduler; return whether more wait."""
        self.is_queued = self.deliver(until)
        return self.is_queued
