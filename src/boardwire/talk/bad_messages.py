"""Disconnect after a number of bad messages in a row."""

from __future__ import annotations


class BadMessageCount:
    """Counts the bad messages of a peer in a row, up to a limit."""

    __slots__ = ("_limit", "count")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.count = 0
        """Bad messages since the last good one; the script resets it to 0."""

    @property
    def limit_reached(self) -> bool:
        """Whether the limit is reached."""
        return self.count >= self._limit

    def add(self) -> bool:
        """Count a bad message; return whether the limit is reached."""
        self.count += 1
        return self.count >= self._limit
