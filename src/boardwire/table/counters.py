"""What is counted at tables and at the journal since the process began: plain numbers, read by somebody now and then.

A table looks the steps of its game up once; counting is then one addition.  Commits are counted by whatever thread
makes them.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final


class Tally:
    """The steps that players took in one game."""

    __slots__ = ("moves",)

    def __init__(self) -> None:
        self.moves = 0


TALLIES: Final[dict[str, Tally]] = {}
"""By the game's name."""


def tally_of(game: str) -> Tally:
    """The tally of a game, the same one every time."""
    return TALLIES.setdefault(game, Tally())


BOUNDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the classes of times, in seconds; one class more is for all that took longer."""


class TimeTally:
    """What takes time, by how long it took, and the time of all together."""

    def __init__(self) -> None:
        self.classes = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def took(self, seconds: float) -> None:
        """It was done once more."""
        self.classes[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class CommitTally(TimeTally):
    """Commits, the events they stored, and those that failed."""

    def __init__(self) -> None:
        super().__init__()
        self.events = 0
        self.failures = 0

    def add(self, seconds: float, events: int) -> None:
        """A commit is done."""
        self.took(seconds)
        self.events += events
