"""The greedy bot for Tris: plays perfectly, by the table of the engine."""

from __future__ import annotations

from boardwire.bots.engine import SearchLimits
from boardwire.bots.tris import ENGINE
from boardwire.games.game import Below, Decision
from boardwire.games.tris import View


def choose(view: View, decision: Decision[int], below: Below, budget: int) -> int:
    """Return the best cell."""
    (cell,) = ENGINE.think(view, decision, below, SearchLimits(budget), lambda: False).turn
    return int(cell)
