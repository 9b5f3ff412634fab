"""Counters of tables and journals since the start of the process, read by the metrics endpoint.

A table looks up the counters of its game once, so that counting a move is one addition. Commits are counted by the
thread that makes them.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final


class TableCounters:
    """Counters of the tables of one game; `moves` counts the actions of players."""

    __slots__ = ("moves",)

    def __init__(self) -> None:
        self.moves = 0


COUNTERS: Final[dict[str, TableCounters]] = {}
"""Counters by name of the game."""


def counters_of(game: str) -> TableCounters:
    """Return the counters of a game."""
    return COUNTERS.setdefault(game, TableCounters())


BUCKET_BOUNDS_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the buckets in seconds; one more bucket counts longer durations."""


class Histogram:
    """Histogram of durations, with their sum."""

    def __init__(self) -> None:
        self.buckets = [0] * (len(BUCKET_BOUNDS_SECONDS) + 1)
        self.seconds = 0.0

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self.buckets[bisect_left(BUCKET_BOUNDS_SECONDS, seconds)] += 1
        self.seconds += seconds


class CommitCounters(Histogram):
    """Histogram of successful commits, with the numbers of stored events and of failed commits."""

    def __init__(self) -> None:
        super().__init__()
        self.events = 0
        self.failures = 0

    def add(self, seconds: float, events: int) -> None:
        """Count a successful commit."""
        self.observe(seconds)
        self.events += events
