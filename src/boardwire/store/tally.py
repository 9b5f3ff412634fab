"""How long commits took, counted in plain numbers: written by the journal's thread, read now and then by others."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

BOUNDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the classes of commit times, in seconds; one class more is for all that took longer."""


class CommitTally:
    """Since the process began: commits by how long they took, their time in all, the events they stored, and those that
    failed."""

    def __init__(self) -> None:
        self.classes = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0
        self.events = 0
        self.failures = 0

    def add(self, seconds: float, events: int) -> None:
        """A commit is done."""
        self.classes[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds
        self.events += events
