"""Text screen of Forza Quattro: the upright board, with the numbers of the open columns above it."""

from __future__ import annotations

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
from boardwire.games.forza import View, format_action, parse_action
from boardwire.games.forza.rules import COLUMNS, ROWS
from boardwire.games.game import Decision, Seat
from boardwire.terminal.choices import Choice
from boardwire.terminal.colours import Paint


def draw(view: View, decision: Decision[int] | None, players: Players, paint: Paint) -> str:
    """Return six rows of seven cells; X is the first player."""
    open_ = decision.choices if decision is not None else ()
    numbers = [format_action(column) if column in open_ else " " for column in range(COLUMNS)]
    rows = [paint(f"     {'   '.join(numbers)}".rstrip(), "dim")]
    for row in range(ROWS):
        owners = view.cells[row * COLUMNS : (row + 1) * COLUMNS]
        rows.append(f"   │ {' │ '.join(_cell(owner, paint) for owner in owners)} │")
    return "\n".join([*rows, f"   └{'─┴'.join(['──'] * COLUMNS)}─┘"])


def _cell(owner: Seat | None, paint: Paint) -> str:
    if owner is None:
        return " "
    return paint("X", "bold", "yellow") if owner == 0 else paint("O", "bold", "cyan")


def choices(view: View, decision: Decision[int], players: Players) -> str:
    """Return '': the board shows the choices."""
    return ""


def choice_list(view: View, decision: Decision[int], players: Players) -> list[Choice]:
    """Return the numbers of the open columns."""
    return [Choice(action, (format_action(action),)) for action in decision.choices]


def question(view: View, decision: Decision[int], players: Players) -> str:
    """Return the question with the open columns."""
    disc = "X" if view.turn == 0 else "O"
    return f"Your turn ({disc}). Which column: {' '.join(map(format_action, decision.choices))}?"


def parse(text: str, view: View, decision: Decision[int], players: Players) -> int:
    """Parse the number of a column."""
    try:
        column = parse_action(text)
    except Malformed:
        raise Malformed(f"Type the number of a column, 1 to {COLUMNS}.") from None
    if column not in decision.choices:
        raise Illegal(f"Column {text} is full.")
    return column


def changes(before: View, after: View, action: int, players: Players) -> list[str]:
    """Return a sentence for each disc that another player dropped."""
    dropped = [
        (cell % COLUMNS, owner)
        for cell, owner in enumerate(after.cells)
        if owner is not None and owner != players.seat and before.cells[cell] is None
    ]
    return [f"{players.name(owner)} drops a disc into column {format_action(column)}." for column, owner in dropped]
