"""Puzzles of Forza Quattro: exact results of columns, the verdict on a turn, and the reply that resists longest."""

from __future__ import annotations

from typing import Final, NamedTuple

from boardwire.bots.forza import solver
from boardwire.bots.forza.core.search import SURE, WIN, Search
from boardwire.games import forza
from boardwire.games.forza import Position
from boardwire.games.forza.rules import BOARD, lowest, open_columns, wins
from boardwire.games.game import Seat

SEARCH_NODES: Final = 20_000
"""Node limit of the search; the puzzles in the package need fewer."""
SOLVER_NODES: Final = 2_000_000
"""Node limit of the solver in C, for boards that the search does not solve."""
_ORDER: Final = (3, 2, 4, 1, 5, 0, 6)


class End(NamedTuple):
    """End of a board with best play: 1 won, 0 drawn, -1 lost for the side to move; and the number of discs."""

    result: int
    discs: int


def end_of(own: int, taken: int) -> End | None:
    """Return the end of a board with best play, or None if the limits are too small."""
    search = Search(SEARCH_NODES, bool, list(_ORDER), list(open_columns(taken)))
    search.run(own, taken, 0)
    if abs(search.value) >= SURE:
        return End(1 if search.value > 0 else -1, WIN - abs(search.value))
    if solver.AVAILABLE:
        solution = solver.solve(own, taken, _ORDER, SOLVER_NODES, bool)
        if solution is not None and (solution.discs or not solution.result):
            return End(solution.result, solution.discs or solver.CELLS)
    return None


def ends(own: int, taken: int) -> dict[int, End | None]:
    """Return the end of a board by next column, for the side to move."""
    end_by_column: dict[int, End | None] = {}
    for column in open_columns(taken):
        disc = lowest(taken, column)
        if wins(own | disc):
            end_by_column[column] = End(1, (taken | disc).bit_count())
        elif taken | disc == BOARD:
            end_by_column[column] = End(0, solver.CELLS)
        else:
            after = end_of(taken ^ own, taken | disc)
            end_by_column[column] = None if after is None else End(-after.result, after.discs)
    return end_by_column


def board_of(position: Position, seat: Seat) -> tuple[int, int]:
    """Return the discs of a seat, and all discs."""
    return position.discs[seat], position.discs[0] | position.discs[1]


def is_right(position: Position, mover: Seat, left: int) -> bool:
    """Return whether the mover still wins within `left` turns after its turn."""
    outcome = forza.outcome(position)
    if outcome is not None:
        return mover in outcome.winners
    own, taken = board_of(position, 1 - mover)
    end = end_of(own, taken)
    return end is not None and end.result < 0 and (end.discs - taken.bit_count()) // 2 <= left


def reply(position: Position, seat: Seat) -> tuple[int, ...]:
    """Return the column that resists longest."""
    own, taken = board_of(position, seat)
    end_by_column = ends(own, taken)

    def resistance(column: int) -> tuple[int, int]:
        """Return the sort key of a column: its result, then the discs at the end; more are better unless it wins."""
        end = end_by_column[column]
        if end is None:
            return 0, 0
        return end.result, end.discs if end.result <= 0 else -end.discs

    return (max(sorted(end_by_column, key=_ORDER.index), key=resistance),)
