"""Disconnect after a number of bad messages in a row."""

from __future__ import annotations


class BadMessageCount:
    """Counter of consecutive bad messages from a peer, with a limit."""

    __slots__ = ("_limit", "count")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.count = 0
        """Bad messages since the last good one, at which the script resets it to 0."""

    @property
    def limit_reached(self) -> bool:
        """Whether the limit is reached."""
        return self.count >= self._limit

    def add(self) -> bool:
        """Count a bad message; return whether the limit is reached."""
        self.count += 1
        return self.count >= self._limit
