"""Checks of views of Tris and Forza Quattro."""

from __future__ import annotations

from boardwire.games import forza, tris
from boardwire.games.forza.rules import COLUMNS, ROWS
from boardwire.games.game import Decision
from boardwire.games.tris.rules import CELLS


def tris_flaw(view: tris.View, decision: Decision[int]) -> str:
    """Return the inconsistency of a view of Tris, or ""."""
    if len(view.cells) != len(CELLS):
        return f"{len(view.cells)} cells; a board has {len(CELLS)}"
    if any(owner not in (None, 0, 1) for owner in view.cells):
        return "a mark of a seat that does not exist"
    taken = [cell for cell in decision.choices if cell not in CELLS or view.cells[cell] is not None]
    return f"cell {taken[0]} is offered but not free" if taken else ""


def forza_flaw(view: forza.View, decision: Decision[int]) -> str:
    """Return the inconsistency of a view of Forza Quattro, or ""."""
    if len(view.cells) != COLUMNS * ROWS:
        return f"{len(view.cells)} cells; a board has {COLUMNS * ROWS}"
    if any(owner not in (None, 0, 1) for owner in view.cells):
        return "a disc of a seat that does not exist"
    for column in range(COLUMNS):
        stack = [owner is not None for owner in view.cells[column::COLUMNS]]  # from the top down
        if stack != sorted(stack):
            return f"a disc of column {column} has a free cell below it"
    full = [column for column in decision.choices if column not in range(COLUMNS) or view.cells[column] is not None]
    return f"column {full[0]} is offered but full" if full else ""
