"""Checks of views of Santorini."""

from __future__ import annotations

from typing import Final

from boardwire.games.game import Decision
from boardwire.games.santorini import View
from boardwire.games.santorini.actions import Action

SQUARES: Final = 25
MAX_LEVEL: Final = 3


def flaw(view: View, decision: Decision[Action]) -> str:
    """Return the inconsistency of a view of Santorini, or ""."""
    return _board(view) or _seats(view, decision) or _workers(view)


def _board(view: View) -> str:
    """Check levels and squares."""
    if len(view.levels) != SQUARES:
        return f"{len(view.levels)} squares; a board has {SQUARES}"
    if any(not 0 <= level <= MAX_LEVEL for level in view.levels):
        return f"a tower is higher than {MAX_LEVEL} or lower than the ground"
    named_squares = (*view.domes, *view.closed, *view.built)
    if any(not 0 <= square < SQUARES for square in named_squares) or min(view.acting, view.ram) < -1:
        return "a square that is not on the board"
    if max(view.acting, view.ram) >= SQUARES:
        return "a square that is not on the board"
    return ""


def _seats(view: View, decision: Decision[Action]) -> str:
    """Check the numbers of seats, and all references to seats."""
    seats = len(view.powers)
    if seats not in (1, 2, 3, 4):
        return f"{seats} seats instead of 1 to 4"
    if len(view.gods) != seats or len(view.memos) != seats:
        return f"{seats} powers, {len(view.gods)} gods and {len(view.memos)} memos"
    named_seats = (*view.order, *view.out, *view.waiting, *decision.seats, *(() if view.turn is None else (view.turn,)))
    return "a seat that does not exist" if any(not 0 <= seat < seats for seat in named_seats) else ""


def _workers(view: View) -> str:
    """Check the squares of the workers."""
    seats = len(view.powers)
    sides = 2 if seats == 4 else seats
    if len(view.workers) != sides:
        return f"workers of {len(view.workers)} sides; there are {sides}"
    squares_taken = [square for side in view.workers for square in side if square != -1]
    if any(not 0 <= square < SQUARES for square in squares_taken):
        return "a worker that is not on the board"
    if len(set(squares_taken)) != len(squares_taken):
        return "two workers on one square"
    if view.acting >= 0 and view.acting not in squares_taken:
        return f"the acting worker is not on square {view.acting}"
    return ""
