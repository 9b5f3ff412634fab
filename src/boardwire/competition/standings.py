"""Points and tie breaks of a tournament with single matches.

- A result is an opponent and the points got from it; the opponent is None for a bye or a walkover.
- **Buchholz** is the sum of the opponents' points. **Sonneborn-Berger** is the sum of each opponent's points times the
  points got from it.
- A round without a match counts for both as one against an opponent with the entrant's own points (FIDE C.07).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

Results: TypeAlias = Sequence[tuple[int | None, float]]
"""The results of one entrant: opponents with the points got from them."""


class TieBreaks(msgspec.Struct, frozen=True):
    """Points of an entrant, and the figures that decide between equal ones."""

    points: float
    buchholz: float
    sonneborn_berger: float


def tie_breaks(results: Mapping[int, Results]) -> dict[int, TieBreaks]:
    """Return the points and tie breaks of all entrants."""
    points = {number: sum(got for _, got in rows) for number, rows in results.items()}
    found = {}
    for number, rows in results.items():
        values = [(points[number] if opponent is None else points[opponent], got) for opponent, got in rows]
        found[number] = TieBreaks(
            points[number], sum(value for value, _ in values), sum(value * got for value, got in values)
        )
    return found
