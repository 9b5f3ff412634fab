"""Time windows in which a fault was injected: the server was killed or stopped, or had no disk or database."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import msgspec

NO_SINGLE_NODE: Final = -1


class Window(msgspec.Struct, frozen=True, order=True):
    """A time window with its fault."""

    begin: float
    end: float
    why: str
    node: int = 0
    """Affected node, or `NO_SINGLE_NODE` if the fault affected none or all of them."""

    @property
    def refuses(self) -> bool:
        """Whether moves were refused and repeated in this window."""
        return self.why in ("disk", "database")


class Phases(msgspec.Struct, frozen=True):
    """The two compared parts of a run: `quiet` to `attack` without attackers, `attack` to `end` with all of them."""

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
    """Sorted set of windows with fast lookup."""

    def __init__(self, windows: Iterable[Window]) -> None:
        self._begins: list[float] = []
        self._ends: list[float] = []
        for window in sorted(windows):
            if self._ends and window.begin <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], window.end)
            else:
                self._begins.append(window.begin)
                self._ends.append(window.end)

    def has_overlap(self, begin: float, end: float) -> bool:
        """Return whether any window overlaps this time span."""
        at = bisect_left(self._ends, begin)
        return at < len(self._ends) and self._begins[at] <= end
