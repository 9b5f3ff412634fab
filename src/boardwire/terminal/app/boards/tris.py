"""The board of Tris: nine cells, the free ones with the number to type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from boardwire.dialects.dialect import Players
from boardwire.games.game import Seat
from boardwire.games.tris import View
from boardwire.terminal.app.boards.board import CHANGED, GRID, SIDES, Scene, fitting_cell
from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import Path, Target

CELL: Final = "cell"
_CELLS: Final = ((15, 5), (9, 3))
"""Columns and rows of a cell, the largest first."""
_MARKS: Final = (("╲   ╱", "  ╳  ", "╱   ╲"), ("╭───╮", "│   │", "╰───╯"))


def size(view: View) -> tuple[int, int]:
    """Return the smallest size of three by three cells between lines."""
    return _board_size(*_CELLS[-1])


def _board_size(width: int, height: int) -> tuple[int, int]:
    return 3 * width + 2, 3 * height + 2


def draw(scene: Scene, width: int, height: int) -> CellCanvas:
    """Draw large marks; X is the first player."""
    view: View = scene.view
    wide, high = fitting_cell(_CELLS, _board_size, width, height)
    canvas = CellCanvas(*_board_size(wide, high))
    for line in (1, 2):
        canvas.put(0, line * (high + 1) - 1, "┼".join(["─" * wide] * 3), GRID)
        for row in range(canvas.height):
            if row % (high + 1) != high:
                canvas.put(line * (wide + 1) - 1, row, "│", GRID)
    for cell, owner in enumerate(view.cells):
        x, y = cell % 3 * (wide + 1), cell // 3 * (high + 1)
        target = Target(CELL, cell)
        canvas.claim(x, y, wide, high, target)
        canvas.tint(x, y, wide, high, scene.style(target, Style()))
        if owner is not None:
            new = scene.before is not None and scene.before.cells[cell] is None
            for row, text in enumerate(_MARKS[owner % 2]):
                canvas.put(x + (wide - 5) // 2, y + (high - 3) // 2 + row, text, SIDES[owner % 2])
            if new:
                canvas.put(x + wide - 1, y, "•", SIDES[owner % 2] + CHANGED)
        elif target in scene.targets:
            canvas.put(x + wide // 2, y + high // 2, str(cell))
    return canvas


def cards(view: View) -> Sequence[str]:
    """Return nothing: the game has no cards."""
    return ()


def path(view: View, action: int) -> Path:
    """Return the target of the cell."""
    return (Target(CELL, action),)


def seat_text(view: View, seat: Seat) -> str:
    """Return the mark of the seat."""
    return "XO"[seat % 2]


def label(view: View, target: Target, players: Players) -> str:
    """Return the name of a cell; all cells are drawn."""
    return f"cell {target.key}"
