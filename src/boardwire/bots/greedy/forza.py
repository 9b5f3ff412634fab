"""The greedy bot for Forza Quattro: looks up to three discs ahead, as far as its budget allows.

It wins as early as possible and blocks the opponent's wins. Other boards are evaluated by the cells that would complete
four in a row and by discs near the middle; ties are broken at random.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.forza import View
from boardwire.games.forza.rules import BITS, BOARD, BOTTOMS, COLUMNS, ROWS, STEPS, lowest, open_columns, wins
from boardwire.games.game import Below, Decision

MAX_DEPTH: Final = 3
_WON: Final = 100_000
_THREAT: Final = 20
_MIDDLE: Final = tuple(
    (sum(bottom << row for row in range(ROWS)), COLUMNS // 2 - abs(column - COLUMNS // 2))
    for column, bottom in enumerate(BOTTOMS)
)
"""The cells of each column, and the value of a disc there."""


def choose(view: View, decision: Decision[int], below: Below, budget: int) -> int:
    """Return the column that leads to the best board; ties are broken at random."""
    seat = decision.seats[0]
    own = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner == seat)
    foe = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner not in (seat, None))
    choices = tuple(decision.choices)
    depth = max((plies for plies in range(1, MAX_DEPTH + 1) if len(choices) ** plies <= budget), default=1)
    values = {column: _worth(own | lowest(own | foe, column), foe, depth - 1) for column in choices}
    best_value = max(values.values())
    best = [column for column in choices if values[column] == best_value]
    return best[below(len(best))]


def _worth(own: int, foe: int, depth: int) -> int:
    """Return the value of a board for the side that has just moved, `own`, searched to `depth` discs."""
    if wins(own):
        return _WON + depth
    taken = own | foe
    if taken == BOARD:
        return 0
    if depth == 0:
        return _estimate(own, taken) - _estimate(foe, taken)
    return -max(_worth(foe | lowest(taken, column), own, depth - 1) for column in open_columns(taken))


def _estimate(discs: int, taken: int) -> int:
    """Return the value of a side's discs: those near the middle, and the free cells that would complete four."""
    middle = sum((discs & cells).bit_count() * worth for cells, worth in _MIDDLE)
    return middle + _THREAT * (completing_cells(discs) & ~taken).bit_count()


def completing_cells(discs: int) -> int:
    """Return the cells that complete four in a row with three of these discs."""
    cells = 0
    for step in STEPS:
        after = discs << step & discs << 2 * step  # two in a row just before a cell
        before = discs >> step & discs >> 2 * step
        cells |= after & (discs << 3 * step | discs >> step) | before & (discs >> 3 * step | discs << step)
    return cells & BOARD
