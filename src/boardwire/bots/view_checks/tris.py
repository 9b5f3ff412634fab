"""Checks of views of Tris."""

from __future__ import annotations

from boardwire.games.game import Decision
from boardwire.games.tris import View
from boardwire.games.tris.rules import CELLS


def flaw(view: View, decision: Decision[int]) -> str:
    """What is wrong with a view; "" if nothing is."""
    if len(view.cells) != len(CELLS):
        return f"{len(view.cells)} cells; a board has {len(CELLS)}"
    if any(owner not in (None, 0, 1) for owner in view.cells):
        return "a mark of a player who is not there"
    taken = [cell for cell in decision.choices if cell not in CELLS or view.cells[cell] is not None]
    return f"cell {taken[0]} is offered and is not free" if taken else ""
