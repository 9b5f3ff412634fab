"""The Forza Quattro engine: converts seats and views for the search in `core`.

Nothing is hidden or drawn: randomness only decides which half of the board is searched first, and so between equal
moves.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.engine import WON, Engine, Limits, SearchResult, Stop
from boardwire.bots.forza.core.search import SURE, WIN, Search
from boardwire.games.forza import View
from boardwire.games.forza.rules import BITS
from boardwire.games.game import Below, Decision

_ORDERS: Final = ((3, 2, 4, 1, 5, 0, 6), (3, 4, 2, 5, 1, 6, 0))
_SCALE: Final = 300
"""Evaluation that is reported as a value of about 0.5."""


class ForzaEngine:
    """Searches as many discs ahead as its limits allow."""

    name = "forza"

    def think(self, view: View, decision: Decision[int], below: Below, limits: Limits, stop: Stop) -> SearchResult:
        """Return the best column."""
        seat = decision.seats[0]
        own = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner == seat)
        taken = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner is not None)
        search = Search(limits.nodes, stop, list(_ORDERS[below(2)]), list(decision.choices))
        search.run(own, taken, limits.depth)
        value = search.value
        return SearchResult(
            turn=(search.best,),
            value=value / (abs(value) + _SCALE) if abs(value) < SURE else WON if value > 0 else -WON,
            depth=search.depth,
            nodes=search.nodes,
            line=tuple(search.line(own, taken)),
            proved=_turns(value, taken.bit_count()),
        )


def _turns(value: int, count: int) -> int:
    """Return the winner's turns until it wins, negative for the opponent; 0 if nothing is proved."""
    if abs(value) < SURE:
        return 0
    turns = (WIN - abs(value) - count + 1) // 2
    return turns if value > 0 else -turns


ENGINE: Final[Engine] = ForzaEngine()
