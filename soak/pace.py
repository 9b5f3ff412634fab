"""Thinking time of players: short, multiplied by a factor until the time is up.

A small machine can run many matches at once if each is slow. When the time is up, players move quickly, so that all
matches finish.
"""

from __future__ import annotations

import gc
from random import Random
from time import monotonic

import msgspec


class Pace(msgspec.Struct, frozen=True):
    """Factor on thinking times, and the time until which it applies."""

    slower: float = 1.0
    until: float = 0.0

    def pause(self, luck: Random, think: tuple[float, float]) -> float:
        """Return the seconds before the next answer."""
        return luck.uniform(*think) * (self.slower if monotonic() < self.until else 1.0)


def collect_young_objects_only() -> None:
    """Keep the garbage collector from traversing the whole process, which takes 40 ms and counts as latency."""
    gc.freeze()
    youngest, middle, _ = gc.get_threshold()
    gc.set_threshold(youngest, middle, 1_000_000)
