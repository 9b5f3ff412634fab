"""What a measurement gives, and what is made of many: medians, quartiles, ratios.  Plain arithmetic.

A `Sample` is one contender's round.  Rounds are compared with the same round of another contender, because what else
the machine did at that time it did to both; so a ratio is the median of the rounds' ratios, not the ratio of medians.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """What one round of one contender gave; times in seconds.  What a contender cannot tell stays 0."""

    moves: int
    seconds: float
    cpu: float
    """Of all processes and threads of the server, while the moves were made."""
    p50: float = 0.0
    """From a move to the mover's own word of it."""
    p99: float = 0.0
    shown: float = 0.0
    """The median time from a move to the other player's word of it."""
    sent: int = 0
    """Bytes to the server while the moves were made."""
    received: int = 0
    disk: int = 0
    """Bytes that the server gave to the disk meanwhile; whole pages."""
    calls: int = 0
    """The server's system calls meanwhile, in a round in which they are counted."""
    driver: float = 0.0
    """CPU time of the driver meanwhile; near `seconds`, the driver is the limit, and the server is not measured."""
    matches: int = 0
    match_cpu: float = 0.0
    """Of whole matches: connecting, seating, playing, leaving."""
    memory: int = 0
    """Resident bytes for each match."""

    @property
    def rate(self) -> float:
        """Moves per CPU-second of the server."""
        return self.moves / self.cpu


class Quartiles(NamedTuple):
    """Where the middle half of some numbers lies."""

    low: float
    median: float
    high: float


def quartiles(numbers: Iterable[float]) -> Quartiles:
    """The median and the quartiles; those of one number are itself."""
    ordered = sorted(numbers)
    if len(ordered) == 1:
        return Quartiles(*ordered * 3)
    low, middle, high = statistics.quantiles(ordered, n=4, method="inclusive")
    return Quartiles(low, middle, high)


def ratios(rates: Sequence[float], base: Sequence[float]) -> Quartiles:
    """How many times the base's rate, round by round."""
    return quartiles(rate / other for rate, other in zip(rates, base, strict=True))


def percentile(times: Iterable[float], share: float) -> float:
    """The time that this share of all is not above; 0 where there is none."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
