"""Points and tie breaks of a tournament with single matches.

- A result is an opponent and the points scored against it; the opponent is None for a bye or a walkover.
- **Buchholz** is the sum of the opponents' points. **Sonneborn-Berger** is the sum of each opponent's points times the
  points scored against it.
- For both, a round without a match counts as a match against an opponent with the entrant's own points (FIDE C.07).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

Results: TypeAlias = Sequence[tuple[int | None, float]]
"""The results of one entrant: each opponent with the points scored against it."""


class TieBreaks(msgspec.Struct, frozen=True):
    """Points and tie breaks of an entrant."""

    points: float
    buchholz: float
    sonneborn_berger: float


def tie_breaks(results: Mapping[int, Results]) -> dict[int, TieBreaks]:
    """Return the points and tie breaks of all entrants."""
    points = {entrant: sum(score for _, score in rows) for entrant, rows in results.items()}
    standings = {}
    for entrant, rows in results.items():
        opponents = [(points[entrant if opponent is None else opponent], score) for opponent, score in rows]
        buchholz = sum(strength for strength, _ in opponents)
        sonneborn_berger = sum(strength * score for strength, score in opponents)
        standings[entrant] = TieBreaks(points[entrant], buchholz, sonneborn_berger)
    return standings
