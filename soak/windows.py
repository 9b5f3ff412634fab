"""Times in which the server was not itself: killed, stopped, or without a disk or a database to write to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import msgspec

NOBODY: Final = -1


class Window(msgspec.Struct, frozen=True, order=True):
    """One such time, with what was done to it then."""

    begin: float
    end: float
    why: str
    node: int = 0
    """Which of several nodes it was done to; `NOBODY`: none of them."""

    @property
    def refuses(self) -> bool:
        """Whether moves were refused then, and made again."""
        return self.why in ("disk", "database")


class Phases(msgspec.Struct, frozen=True):
    """The two parts of a run that are compared: from `quiet` to `attack` there is no attacker, then there are all of
    them until `end`."""

    quiet: float
    attack: float
    end: float

    @property
    def calm(self) -> tuple[float, float]:
        return self.quiet, self.attack

    @property
    def attacked(self) -> tuple[float, float]:
        return self.attack, self.end


class Windows:
    """Many of them, to be asked often."""

    def __init__(self, windows: Iterable[Window]) -> None:
        self._begins: list[float] = []
        self._ends: list[float] = []
        for window in sorted(windows):
            if self._ends and window.begin <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], window.end)
            else:
                self._begins.append(window.begin)
                self._ends.append(window.end)

    def touch(self, begin: float, end: float) -> bool:
        """Whether any of them has a moment of this time in it."""
        at = bisect_left(self._ends, begin)
        return at < len(self._ends) and self._begins[at] <= end
