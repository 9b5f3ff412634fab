"""The Tris engine: looks up every board in a table of all reachable ones.

It wins as early as possible and never loses. Among equal moves it takes the one that leaves the opponent the most ways
to go wrong, then a random one. A board that is not reachable, as a foreign server might show it, is evaluated like any
other.
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
    """A solved game: limits have no effect, since the whole tree is known after the first call."""

    name = "tris"

    def think(
        self, view: View, decision: Decision[int], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Return the best cell and the expected continuation."""
        own, foe = _marks(view, decision.seats[0])
        worth = {cell: _after(own | 1 << cell, foe) for cell in decision.choices}
        most = max(worth.values())
        best = [cell for cell in decision.choices if worth[cell] == most]
        cell = best[below(len(best))]
        line = _line(own | 1 << cell, foe)
        sign = (most[0] > 0) - (most[0] < 0)
        turns = (len(line) + 2) // 2  # of the side that marks last
        return SearchResult((cell,), WON * sign, 1 + len(line), len(worth), line, sign * turns)


ENGINE: Final[Engine] = TrisEngine()


def _marks(view: View, seat: int) -> tuple[int, int]:
    """Return the marks of a seat, and those of the other."""
    own = sum(1 << cell for cell in CELLS if view.cells[cell] == seat)
    foe = sum(1 << cell for cell in CELLS if view.cells[cell] not in (seat, None))
    return own, foe


def _after(own: int, foe: int) -> tuple[int, int]:
    """Return the value of a board for the side that has just marked `own`, then the opponent's chances to blunder."""
    if _has_line(own) or own | foe == FULL:
        return _value(own, foe), 0
    replies = [-_value(foe | 1 << cell, own) for cell in _free(own | foe)]
    worst = min(replies)
    return worst, sum(reply > worst for reply in replies) * 100 // len(replies)


@cache  # 5,478 boards are reachable
def _value(own: int, foe: int) -> int:
    """Return the value of a board for the side that has just marked `own`; an earlier win counts more."""
    taken = own | foe
    if _has_line(own):
        return _WIN - taken.bit_count()
    if taken == FULL:
        return 0
    return -max(_value(foe | 1 << cell, own) for cell in _free(taken))


def _line(own: int, foe: int) -> tuple[int, ...]:
    """Return the marks of perfect play after `own` has moved."""
    if _has_line(own) or own | foe == FULL:
        return ()
    cell = max(_free(own | foe), key=lambda cell: _value(foe | 1 << cell, own))
    return (cell, *_line(foe | 1 << cell, own))


def _free(taken: int) -> list[int]:
    return [cell for cell in CELLS if not taken >> cell & 1]


def _has_line(marks: int) -> bool:
    return any(marks & line == line for line in LINES)
