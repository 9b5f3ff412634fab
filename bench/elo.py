"""Elo: what matches tell of how strong their players are, and how far that may be off.  Plain arithmetic.

A difference of so many points means that the stronger one gets `expected(points)` of a match on average.  `rated` finds
the points of all players at once that explain all their matches best; half a match is added to each side of every pair,
so that who never lost has finite points too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

DEEP: Final = 1.96
"""Standard errors on each side of a figure: it is there in 95 of 100 cases."""
_STEEP: Final = math.log(10) / 400
_STEPS: Final = 50

Results: TypeAlias = Mapping[tuple[str, str], tuple[float, int]]
"""By pair: what the first one got, of how many matches."""


class Rating(NamedTuple):
    """The points of a player, and how far they may be off."""

    points: float
    error: float


def expected(points: float) -> float:
    """The share that somebody gets who has so many points more."""
    return 1 / (1 + 10 ** (-points / 400))


def difference(got: float, matches: int) -> Rating:
    """How many points more somebody has who got so much of so many matches."""
    share = (got + 0.5) / (matches + 1)
    return Rating(math.log(share / (1 - share)) / _STEEP, DEEP / (_STEEP * math.sqrt(matches * share * (1 - share))))


def rated(results: Results, anchor: str) -> dict[str, Rating]:
    """The points of all players, whom their matches must connect; the anchor has none."""
    names = [anchor, *sorted({name for pair in results for name in pair} - {anchor})]
    at = {name: number for number, name in enumerate(names)}
    points = [0.0] * len(names)
    weights: list[list[float]] = []
    for _ in range(_STEPS):
        slope, weights = [0.0] * len(names), [[0.0] * len(names) for _ in names]
        for (one, other), (got, matches) in results.items():
            first, second = at[one], at[other]
            share = expected(points[first] - points[second])
            off = got + 0.5 - (matches + 1) * share
            told = (matches + 1) * share * (1 - share) * _STEEP
            slope[first] += off
            slope[second] -= off
            for row, column, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
                weights[row][column] += sign * told
        steps = _solved([row[1:] for row in weights[1:]], slope[1:])
        points = [0.0, *(before + max(-200.0, min(200.0, by)) for before, by in zip(points[1:], steps, strict=True))]
    found = {anchor: Rating(0.0, 0.0)}
    for number, name in enumerate(names[1:]):
        unit = [float(other == number) for other in range(len(names) - 1)]
        variance = _solved([row[1:] for row in weights[1:]], unit)[number] / _STEEP
        found[name] = Rating(points[number + 1], DEEP * math.sqrt(variance))
    return found


def _solved(rows: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The numbers that rows make the right side of, by elimination."""
    work = [[*row, one] for row, one in zip(rows, right, strict=True)]
    for pivot in range(len(work)):
        best = max(range(pivot, len(work)), key=lambda row: abs(work[row][pivot]))
        work[pivot], work[best] = work[best], work[pivot]
        for row in range(len(work)):
            if row != pivot and work[row][pivot]:
                factor = work[row][pivot] / work[pivot][pivot]
                work[row] = [one - factor * other for one, other in zip(work[row], work[pivot], strict=True)]
    return [row[-1] / row[number] for number, row in enumerate(work)]
