"""How much each address may ask for: so much at once, and so much a second after that."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

REMEMBERED: Final = 10_000
"""Addresses whose allowance is remembered; when there are more, those that have all of it again are forgotten."""

TIDY_SECONDS: Final = 1.0
"""How often they are looked through at most; it must not be once a request."""


class Allowances:
    """How much each address may still ask for: a bucket that fills again while it rests."""

    def __init__(self, at_once: int, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._at_once = float(at_once)
        self._per_second = per_second
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}
        self._tidied = now()

    def take(self, address: str) -> bool:
        """Whether `address` may make one more request."""
        now = self._now()
        left, since = self._left.get(address, (self._at_once, now))
        left = min(self._at_once, left + (now - since) * self._per_second)
        allowed = left >= 1.0
        self._left[address] = (left - 1.0 if allowed else left, now)
        if len(self._left) > REMEMBERED and now - self._tidied >= TIDY_SECONDS:
            self._forget(now)
        return allowed

    def _forget(self, now: float) -> None:
        self._tidied = now
        full = self._at_once / self._per_second
        self._left = {address: kept for address, kept in self._left.items() if now - kept[1] < full}
