"""The Tris engine: looks up boards in a cache of the whole game tree.

It wins as early as possible and never loses. Among equal moves it prefers the one after which the opponent has the most
mistakes to make, then chooses at random. A board that no match can reach, which a faulty server may send, is evaluated
like any other.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from boardwire.bots.engine import WON, Engine, Past, SearchLimits, SearchResult, Stop
from boardwire.games.game import Below, Decision
from boardwire.games.tris import View
from boardwire.games.tris.rules import CELLS, FULL, LINES

_WIN: Final = 1000


class TrisEngine:
    """Search engine for Tris. Limits have no effect, because the whole tree is cached after the first call."""

    name = "tris"

    def think(
        self, view: View, decision: Decision[int], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Return the best cell and the expected continuation."""
        own, foe = _marks(view, decision.seats[0])
        value_by_cell = {cell: _after(own | 1 << cell, foe) for cell in decision.choices}
        highest = max(value_by_cell.values())
        best = [cell for cell in decision.choices if value_by_cell[cell] == highest]
        cell = best[below(len(best))]
        line = _line(own | 1 << cell, foe)
        sign = (highest[0] > 0) - (highest[0] < 0)
        turns = (len(line) + 2) // 2  # turns of the side that marks last
        return SearchResult((cell,), WON * sign, 1 + len(line), len(value_by_cell), line, sign * turns)


ENGINE: Final[Engine] = TrisEngine()


def _marks(view: View, seat: int) -> tuple[int, int]:
    """Return the marks of a seat and of its opponent."""
    own = sum(1 << cell for cell in CELLS if view.cells[cell] == seat)
    foe = sum(1 << cell for cell in CELLS if view.cells[cell] not in (seat, None))
    return own, foe


def _after(own: int, foe: int) -> tuple[int, int]:
    """Return the value of a board for the side that has just moved, and the percentage of replies that are mistakes."""
    if _has_line(own) or own | foe == FULL:
        return _value(own, foe), 0
    replies = [-_value(foe | 1 << cell, own) for cell in _free_cells(own | foe)]
    worst = min(replies)
    return worst, sum(reply > worst for reply in replies) * 100 // len(replies)


@cache  # unbounded, because a match can reach only 5,478 boards
def _value(own: int, foe: int) -> int:
    """Return the value of a board for the side that has just moved (`own`); an earlier win has a higher value."""
    taken = own | foe
    if _has_line(own):
        return _WIN - taken.bit_count()
    if taken == FULL:
        return 0
    return -max(_value(foe | 1 << cell, own) for cell in _free_cells(taken))


def _line(own: int, foe: int) -> tuple[int, ...]:
    """Return the cells of perfect play after `own` has moved."""
    if _has_line(own) or own | foe == FULL:
        return ()
    cell = max(_free_cells(own | foe), key=lambda cell: _value(foe | 1 << cell, own))
    return (cell, *_line(foe | 1 << cell, own))


def _free_cells(taken: int) -> list[int]:
    return [cell for cell in CELLS if not taken >> cell & 1]


def _has_line(marks: int) -> bool:
    return any(marks & line == line for line in LINES)
