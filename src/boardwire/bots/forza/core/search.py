"""The search for Forza Quattro, in integers and lists so that it can be compiled.

A board is two sets of cells, numbered as in `games.forza.rules`: `own`, the discs of the side to move, and `taken`, all
discs. Values are for the side to move. A won board has the value `WIN` minus the number of discs on it, so that an
earlier win is better; a value below `SURE` is an estimate.

- Iterative deepening with alpha-beta pruning; the best known column is tried first, then those with the most threats.
- A disc that lets the opponent win at once is not tried; if there is no other, the board is lost. A forced disc does
  not count as depth.
- A transposition table stores lower and upper bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

WIN: Final = 10_000
SURE: Final = 9_000
"""Minimum absolute value of a proved result."""

_COLUMNS: Final = 7
_HEIGHT: Final = 7
"""Bits of a column: six cells, and one above them that stays empty."""
_CELLS: Final = 42
_BOTTOM: Final = sum(1 << column * _HEIGHT for column in range(_COLUMNS))
_BOARD: Final = _BOTTOM * 63
_COLUMN: Final = [63 << column * _HEIGHT for column in range(_COLUMNS)]
_ODD: Final = _BOTTOM * 0b010101
"""The first, third and fifth row.

If the rest of the board is filled column by column, the side that moves with an even number of discs on the board fills
these rows and the other side the rows between, so that a side's threats in its rows are worth most.
"""
_INNER: Final = _COLUMN[2] | _COLUMN[3] | _COLUMN[4]
_MIDDLE: Final = _COLUMN[3]

_EXACT: Final = 0
_AT_LEAST: Final = 1
_AT_MOST: Final = 2
_TABLE_SIZE: Final = 1 << 18
"""Maximum number of boards in the transposition table."""
_STOP_CHECK_MASK: Final = 255
"""`stop` is called when the node count has none of these bits."""


def completing_cells(own: int, taken: int) -> int:
    """Return the free cells that complete four in a row for the owner of `own`."""
    found = own << 1 & own << 2 & own << 3
    for step in (6, 7, 8):
        near = own << step & own << 2 * step
        found |= near & own << 3 * step
        found |= near & own >> step
        near = own >> step & own >> 2 * step
        found |= near & own << step
        found |= near & own >> 3 * step
    return found & (_BOARD ^ taken)


def _estimate(own: int, foe: int, taken: int, odd: int) -> int:
    """Estimate a board by threats, above all in the rows that a side fills at the end, and discs near the middle.

    `odd` are the rows where threats of the owner of `own` are worth most.
    """
    own_threats = completing_cells(own, taken)
    foe_threats = completing_cells(foe, taken)
    return (
        30 * (own_threats.bit_count() - foe_threats.bit_count())
        + 45 * ((own_threats & odd).bit_count() - (foe_threats & (_BOARD ^ odd)).bit_count())
        + 4 * ((own & _INNER).bit_count() - (foe & _INNER).bit_count())
        + 4 * ((own & _MIDDLE).bit_count() - (foe & _MIDDLE).bit_count())
    )


class Search:
    """One search. `best` and `value` are the result, `depth` the completed depth, `nodes` the number of boards."""

    def __init__(self, nodes: int, stop: Callable[[], bool], order: list[int], offered: list[int]) -> None:
        """`order` is the order in which columns are tried; `offered` are the columns to choose from."""
        self._max_nodes = nodes
        self._stop = stop
        self._order = order
        self._offered = 0
        for column in offered:
            self._offered |= _COLUMN[column]
        self._table: dict[int, int] = {}
        self._halted = False
        self.nodes = 0
        self.best = -1
        self.value = 0
        self.depth = 0

    def run(self, own: int, taken: int, depth: int) -> None:
        """Search for the best column, at most `depth` discs deep (0: to the end).

        The numbers of discs of the two sides may differ by more than one, because turns can be passed.
        """
        count = taken.bit_count()
        places = (taken + _BOTTOM) & _BOARD
        winning = completing_cells(own, taken) & places & self._offered
        if winning:
            self.nodes += 1
            self.depth = 1
            self.value = WIN - count - 1
            self.best = _column(winning & -winning)
            return
        deepest = _CELLS - count
        if depth and depth < deepest:
            deepest = depth
        for limit in range(1, deepest + 1):
            self._search_root(own, taken, limit)
            if self._halted:
                return
            self.depth = limit
            if abs(self.value) > SURE and WIN - abs(self.value) - count <= limit:
                return

    def _search_root(self, own: int, taken: int, depth: int) -> None:
        """Search the root board to a depth, and store the best column and its value."""
        places = (taken + _BOTTOM) & _BOARD & self._offered
        count = taken.bit_count()
        columns = [column for column in self._order if places & _COLUMN[column]]
        if self.best >= 0:
            columns.remove(self.best)
            columns.insert(0, self.best)
        alpha = -WIN
        before = self.value
        for column in columns:
            disc = places & _COLUMN[column]
            foe = own ^ taken
            after = taken | disc
            if completing_cells(foe, after) & ((after + _BOTTOM) & _BOARD):
                value = count + 2 - WIN
            elif count + 1 == _CELLS:
                value = 0
            else:
                value = -self._search(foe, after, count + 1, depth - 1, -WIN, -alpha)
            if self._halted and self.best >= 0:
                if -WIN < alpha < -SURE <= before:  # all columns searched so far lose; this one may not
                    self.best = column
                    self.value = before
                return
            if value > alpha:
                alpha = value
                self.best = column
                self.value = value

    def _search(self, own: int, taken: int, count: int, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a board for the side to move, which cannot win at once."""
        self.nodes += 1
        if self.nodes & _STOP_CHECK_MASK == 0 and self._stop():
            self._halted = True
        if self.nodes >= self._max_nodes:
            self._halted = True
        foe = own ^ taken
        places = (taken + _BOTTOM) & _BOARD
        threats = completing_cells(foe, taken)
        forced = threats & places
        if forced:
            if forced & (forced - 1):
                return count + 2 - WIN
            places = forced
        places &= ~(threats >> 1)
        if not places:
            return count + 2 - WIN
        if count >= _CELLS - 2:
            return 0
        most = WIN - count - 3
        if beta > most:
            beta = most
            if alpha >= beta:
                return beta
        least = count + 4 - WIN
        if alpha < least:
            alpha = least
            if alpha >= beta:
                return alpha
        if forced:
            depth += 1
        if depth <= 0 or self._halted:
            return _estimate(own, foe, taken, _BOARD ^ _ODD if count & 1 else _ODD)
        return self._search_columns(own, taken, places, count, depth, alpha, beta)

    def _search_columns(self, own: int, taken: int, places: int, count: int, depth: int, alpha: int, beta: int) -> int:
        """Return the value of the best disc on `places`."""
        key = own + taken + _BOTTOM
        known = self._table.get(key, -1)
        first = -1
        if known >= 0:
            value = (known >> 11) - 2 * WIN
            bound = known >> 9 & 3
            holds = bound == _EXACT or (bound == _AT_LEAST and value >= beta) or (bound == _AT_MOST and value <= alpha)
            if holds and (known >> 3 & 63 >= depth or abs(value) > SURE):
                return value
            first = known & 7
        foe = own ^ taken
        best = -2 * WIN
        start = alpha
        chosen = 7
        for column in self._ordered_columns(own, taken, places, first):
            disc = places & _COLUMN[column]
            value = -self._search(foe, taken | disc, count + 1, depth - 1, -beta, -alpha)
            if self._halted:
                return value
            if value > best:
                best = value
                chosen = column
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        bound = _AT_LEAST if best >= beta else _AT_MOST if best <= start else _EXACT
        if len(self._table) >= _TABLE_SIZE:
            self._table.clear()
        self._table[key] = best + 2 * WIN << 11 | bound << 9 | depth << 3 | chosen
        return best

    def _ordered_columns(self, own: int, taken: int, places: int, first: int) -> list[int]:
        """Return the columns of `places`, the most promising first."""
        if not places & (places - 1):
            return [_column(places)]
        ranked: list[int] = []
        for rank, column in enumerate(self._order):
            disc = places & _COLUMN[column]
            if disc:
                promise = 99 if column == first else completing_cells(own | disc, taken | disc).bit_count()
                ranked.append(promise * 64 + (7 - rank) * 8 + column)
        ranked.sort(reverse=True)
        return [rank & 7 for rank in ranked]

    def line(self, own: int, taken: int) -> list[int]:
        """Return the expected continuation after the best column, as far as it is in the table."""
        columns: list[int] = []
        column = self.best
        for _ in range(_CELLS):
            disc = (taken + _BOTTOM) & _COLUMN[column]
            own, taken = own ^ taken, taken | disc
            known = self._table.get(own + taken + _BOTTOM, -1)
            if known < 0:
                return columns
            column = known & 7
            columns.append(column)
        return columns


def _column(disc: int) -> int:
    """Return the column of a cell."""
    return (disc.bit_length() - 1) // _HEIGHT
