"""Rate limits per address: token buckets."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MAX_BUCKETS: Final = 10_000
"""Number of buckets above which full ones are dropped."""

CLEANUP_SECONDS: Final = 1.0
"""Minimum interval between two searches for full buckets."""


class TokenBuckets:
    """Token buckets by address; each holds `burst` tokens and is refilled at `per_second`."""

    def __init__(self, burst: int, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}
        self._last_cleanup = now()

    @property
    def limit(self) -> str:
        """The limit as a phrase for messages."""
        rate = self._per_second
        then = f"{rate:g} a second" if rate >= 1.0 else f"one every {1 / rate:g} seconds"
        return f"at most {self._burst:g} at once, then {then}"

    def take(self, address: str, tokens: float = 1.0) -> bool:
        """Take tokens from the bucket of `address`; return False if it has fewer."""
        now = self._now()
        left, since = self._left.get(address, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        allowed = left >= tokens
        self._left[address] = (left - tokens if allowed else left, now)
        if len(self._left) > MAX_BUCKETS and now - self._last_cleanup >= CLEANUP_SECONDS:
            self._drop_full(now)
        return allowed

    def _drop_full(self, now: float) -> None:
        self._last_cleanup = now
        full = self._burst / self._per_second
        self._left = {address: bucket for address, bucket in self._left.items() if now - bucket[1] < full}
