"""Tris, played perfectly: all lines of play are few enough to be looked at, so it asks the engine."""

from __future__ import annotations

from boardwire.bots.engine import Limits
from boardwire.bots.tris import ENGINE
from boardwire.games.game import Below, Decision
from boardwire.games.tris import View


def choose(view: View, decision: Decision[int], below: Below, budget: int) -> int:
    """The best mark."""
    (cell,) = ENGINE.think(view, decision, below, Limits(budget), lambda: False).turn
    return int(cell)
