"""Checks of views of Forza Quattro."""

from __future__ import annotations

from boardwire.games.forza import View
from boardwire.games.forza.rules import COLUMNS, ROWS
from boardwire.games.game import Decision


def flaw(view: View, decision: Decision[int]) -> str:
    """What is wrong with a view; "" if nothing is."""
    if len(view.cells) != COLUMNS * ROWS:
        return f"{len(view.cells)} cells; a board has {COLUMNS * ROWS}"
    if any(owner not in (None, 0, 1) for owner in view.cells):
        return "a disc of a player who is not there"
    for column in range(COLUMNS):
        stack = [owner is not None for owner in view.cells[column::COLUMNS]]  # from the top down
        if stack != sorted(stack):
            return f"a disc of column {column} has none below it"
    full = [one for one in decision.choices if one not in range(COLUMNS) or view.cells[one] is not None]
    return f"column {full[0]} is offered and is full" if full else ""
