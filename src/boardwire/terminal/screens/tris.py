"""Text screen of Tris: nine cells, the free ones with the number to type."""

from __future__ import annotations

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
from boardwire.games.game import Decision, Seat
from boardwire.games.tris import View
from boardwire.terminal.choices import Choice
from boardwire.terminal.colours import Paint


def draw(view: View, decision: Decision[int] | None, players: Players, paint: Paint) -> str:
    """Return three rows; X is the first player."""
    free = decision.choices if decision is not None else ()
    rows = []
    for top in (0, 3, 6):
        cells = [_cell(view.cells[cell], cell if cell in free else None, paint) for cell in range(top, top + 3)]
        rows.append("    " + " │ ".join(cells))
    return "\n   ───┼───┼───\n".join(rows)


def _cell(owner: Seat | None, number: int | None, paint: Paint) -> str:
    if owner is not None:
        return paint("X", "bold", "yellow") if owner == 0 else paint("O", "bold", "cyan")
    return paint(str(number), "dim") if number is not None else " "


def choices(view: View, decision: Decision[int], players: Players) -> str:
    """Return '': the board shows the choices."""
    return ""


def choice_list(view: View, decision: Decision[int], players: Players) -> list[Choice]:
    """Return the numbers of the free cells."""
    return [Choice(action, (str(action),)) for action in decision.choices]


def question(view: View, decision: Decision[int], players: Players) -> str:
    """Return the question with the free cells."""
    mark = "X" if view.turn == 0 else "O"
    return f"Your turn ({mark}). Which cell: {' '.join(map(str, decision.choices))}?"


def parse(text: str, view: View, decision: Decision[int], players: Players) -> int:
    """Parse the number of a cell."""
    if not text.isascii() or not text.isdigit():
        raise Malformed("Type the number of a free cell.")
    cell = int(text)
    if cell not in decision.choices:
        raise Illegal(f"Cell {cell} is taken." if cell < 9 else "Cells are numbered 0 to 8.")
    return cell


def changes(before: View, after: View, action: int, players: Players) -> list[str]:
    """Return a sentence for each cell that another player marked."""
    marked = [
        (cell, owner)
        for cell, owner in enumerate(after.cells)
        if owner is not None and owner != players.seat and before.cells[cell] is None
    ]
    return [f"{_other(players, owner)} takes cell {cell}." for cell, owner in marked]


def _other(players: Players, seat: Seat) -> str:
    return players.name(seat) if any(players.names) else "Your opponent"
