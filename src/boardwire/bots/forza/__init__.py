"""Forza Quattro, searched: the engine around `search`, which knows seats and views.

Nothing is hidden and nothing is drawn, so luck only decides whether it looks at the left or the right half of the board
first, and by that between equals.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.engine import WON, Engine, Limits, Stop, Thought
from boardwire.bots.forza.core.search import SURE, WIN, Search
from boardwire.games.forza import View
from boardwire.games.forza.rules import BITS
from boardwire.games.game import Below, Decision

_ORDERS: Final = ((3, 2, 4, 1, 5, 0, 6), (3, 4, 2, 5, 1, 6, 0))
_SCALE: Final = 300
"""The value of a board at which a guess is half way to certainty."""


class ForzaEngine:
    """Looks as many discs ahead as its limits allow."""

    name = "forza"

    def think(self, view: View, decision: Decision[int], below: Below, limits: Limits, stop: Stop) -> Thought:
        """The best column."""
        seat = decision.seats[0]
        own = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner == seat)
        taken = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner is not None)
        search = Search(limits.nodes, stop, list(_ORDERS[below(2)]), list(decision.choices))
        search.run(own, taken, limits.depth)
        value = search.value
        return Thought(
            turn=(search.best,),
            value=value / (abs(value) + _SCALE) if abs(value) < SURE else WON if value > 0 else -WON,
            depth=search.depth,
            nodes=search.nodes,
            line=tuple(search.line(own, taken)),
            proved=_turns(value, taken.bit_count()),
        )


def _turns(value: int, count: int) -> int:
    """The turns of the winner until it wins, negative for the foe's; 0 where that is not sure."""
    if abs(value) < SURE:
        return 0
    turns = (WIN - abs(value) - count + 1) // 2
    return turns if value > 0 else -turns


ENGINE: Final[Engine] = ForzaEngine()
