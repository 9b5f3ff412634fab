"""The Forza Quattro engine: converts seats and views for the search in `core`.

- Randomness decides only which half of the board is searched first, and so between equal moves.
- With at least `PERFECT_NODES` nodes and no limit of depth it plays perfectly if possible (`solver`): from the book, or
  by solving the board after a short search. The column of that search is used if the solver does not finish, or finds
  only that the board is lost.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.engine import WON, Engine, Past, SearchLimits, SearchResult, Stop
from boardwire.bots.forza import solver
from boardwire.bots.forza.core.search import SURE, WIN, Search
from boardwire.games.forza import View
from boardwire.games.forza.rules import BITS
from boardwire.games.game import Below, Decision

_ORDERS: Final = ((3, 2, 4, 1, 5, 0, 6), (3, 4, 2, 5, 1, 6, 0))
_SCALE: Final = 300
"""Evaluation that is reported as a value of about 0.5."""
PERFECT_NODES: Final = 1_000_000
"""Minimum node limit with which boards are solved."""
SKETCH_NODES: Final = 20_000
"""Nodes of the search before the solver."""
EARLY_SKETCH_NODES: Final = 100_000
"""The same for boards with fewer than `EARLY_DISCS` discs, with which the solver often does not finish."""
EARLY_DISCS: Final = 8
KNOWN_VALUE: Final = 0.99
"""Value of a board that is won in an unknown number of turns."""


class ForzaEngine:
    """Search engine for Forza Quattro."""

    name = "forza"

    def think(
        self, view: View, decision: Decision[int], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Return the best column."""
        seat = decision.seats[0]
        own = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner == seat)
        taken = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner is not None)
        order = _ORDERS[below(2)]
        perfect = solver.AVAILABLE and limits.nodes >= PERFECT_NODES and not limits.depth
        if perfect and (book_move := solver.in_book(own, taken)) is not None and book_move.column in decision.choices:
            return SearchResult((book_move.column,), KNOWN_VALUE * book_move.result, 0, 1)
        sketch = EARLY_SKETCH_NODES if taken.bit_count() < EARLY_DISCS else SKETCH_NODES
        search = Search(sketch if perfect else limits.nodes, stop, list(order), list(decision.choices))
        search.run(own, taken, limits.depth)
        if perfect and abs(search.value) < SURE:
            solved = solver.solve(own, taken, order, limits.nodes - search.nodes, stop)
            if solved is not None and solved.column in decision.choices:
                if solved.result < 0 and not solved.discs:
                    solved = solved._replace(column=search.best)
                return _from_solver(solved, taken.bit_count(), search.nodes)
        value = search.value
        return SearchResult(
            turn=(search.best,),
            value=value / (abs(value) + _SCALE) if abs(value) < SURE else WON if value > 0 else -WON,
            depth=search.depth,
            nodes=search.nodes,
            line=tuple(search.line(own, taken)),
            proved=_turns(value, taken.bit_count()),
        )


def _from_solver(solved: solver.Solution, discs_now: int, nodes: int) -> SearchResult:
    """Convert a solution to a search result; `nodes` were searched before the solver."""
    proved = solved.result * ((solved.discs - discs_now + 1) // 2) if solved.discs else 0
    value = solved.result * (WON if proved else KNOWN_VALUE)
    return SearchResult((solved.column,), value, solver.CELLS - discs_now, nodes + solved.nodes, (), proved)


def _turns(value: int, count: int) -> int:
    """Return the number of turns to the proved win, negative if the opponent wins; 0 if nothing is proved."""
    if abs(value) < SURE:
        return 0
    turns = (WIN - abs(value) - count + 1) // 2
    return turns if value > 0 else -turns


ENGINE: Final[Engine] = ForzaEngine()
