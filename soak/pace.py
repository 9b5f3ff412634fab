"""How long players think: a moment, and while the time is not up, as many times longer as is asked for.

Many games at once are bearable on a small machine if each of them is slow; the last moves are quick in any case, so
that all come to their end.
"""

from __future__ import annotations

from random import Random
from time import monotonic

import msgspec


class Pace(msgspec.Struct, frozen=True):
    """See the module."""

    slower: float = 1.0
    until: float = 0.0

    def pause(self, luck: Random, think: tuple[float, float]) -> float:
        """Seconds before the next answer."""
        return luck.uniform(*think) * (self.slower if monotonic() < self.until else 1.0)
