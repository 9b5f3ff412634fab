"""Samples of measurements and their statistics: medians, quartiles, ratios.

A `Sample` is one round of one contender. Ratios are taken round by round, because other load on the machine affects
both contenders of a round; the result is the median of these ratios, not the ratio of the medians.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one round of one contender, times in seconds. Values that a driver does not measure stay 0."""

    moves: int
    seconds: float
    cpu: float
    """CPU time of all processes and threads of the server during the moves."""
    p50: float = 0.0
    """Median latency from a move to the server's answer to the mover."""
    p99: float = 0.0
    shown: float = 0.0
    """Median latency from a move to the notification of the opponent."""
    sent: int = 0
    """Bytes sent to the server during the moves."""
    received: int = 0
    disk: int = 0
    """Bytes that the server wrote to the disk during the moves, in whole pages."""
    calls: int = 0
    """System calls of the server during the moves; 0 unless the round counts them."""
    driver: float = 0.0
    """CPU time of the driver during the moves. Near `seconds`, the driver is the bottleneck."""
    matches: int = 0
    match_cpu: float = 0.0
    """CPU time of the server for whole matches: connecting, seating, playing, leaving."""
    memory: int = 0
    """Resident bytes per match."""

    @property
    def rate(self) -> float:
        """Moves per CPU-second of the server."""
        return self.moves / self.cpu


class Quartiles(NamedTuple):
    """First quartile, median and third quartile."""

    low: float
    median: float
    high: float


def quartiles(numbers: Iterable[float]) -> Quartiles:
    """Return the quartiles of some numbers; all three are equal for a single number."""
    ordered = sorted(numbers)
    if len(ordered) == 1:
        return Quartiles(*ordered * 3)
    low, middle, high = statistics.quantiles(ordered, n=4, method="inclusive")
    return Quartiles(low, middle, high)


def ratios(rates: Sequence[float], base: Sequence[float]) -> Quartiles:
    """Return the quartiles of the ratios to the base, round by round."""
    return quartiles(rate / other for rate, other in zip(rates, base, strict=True))


def percentile(times: Iterable[float], share: float) -> float:
    """Return the time that this share of all does not exceed; 0 without times."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
