"""Tris, played perfectly: all lines of play are few enough to be looked at.

It wins as soon as it can and never loses.  Of moves that are worth the same against a perfect opponent it takes the one
that leaves a careless opponent the most ways to go wrong; then luck decides.  A board that no play leads to, as a
foreign server might show one, is played on like any other.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from boardwire.games.game import Below, Decision
from boardwire.games.tris import View
from boardwire.games.tris.rules import CELLS, FULL, LINES

_WIN: Final = 1000


def choose(view: View, decision: Decision[int], below: Below, budget: int) -> int:
    """The best mark.  All of the tree is known after the first call, so a budget has nothing to limit."""
    seat = decision.seats[0]
    own = sum(1 << cell for cell in CELLS if view.cells[cell] == seat)
    foe = sum(1 << cell for cell in CELLS if view.cells[cell] not in (seat, None))
    worth = {cell: _after(own | 1 << cell, foe) for cell in decision.choices}
    most = max(worth.values())
    best = [cell for cell in decision.choices if worth[cell] == most]
    return best[below(len(best))]


def _after(own: int, foe: int) -> tuple[int, int]:
    """What a board is worth to whoever has just marked `own`: in perfect play, then by the foe's chances to blunder."""
    if _has_line(own) or own | foe == FULL:
        return _value(own, foe), 0
    replies = [-_value(foe | 1 << cell, own) for cell in CELLS if not (own | foe) >> cell & 1]
    worst = min(replies)
    return worst, sum(reply > worst for reply in replies) * 100 // len(replies)


@cache  # there are 5,478 boards that play can reach
def _value(own: int, foe: int) -> int:
    """What a board is worth to whoever has just marked `own`; a win counts for more the earlier it comes."""
    taken = own | foe
    if _has_line(own):
        return _WIN - taken.bit_count()
    if taken == FULL:
        return 0
    return -max(_value(foe | 1 << cell, own) for cell in CELLS if not taken >> cell & 1)


def _has_line(marks: int) -> bool:
    return any(marks & line == line for line in LINES)
