"""The board of Forza Quattro: the upright board, with the numbers of the open columns above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from boardwire.dialects.dialect import Players
from boardwire.games.forza import View, format_action
from boardwire.games.forza.rules import COLUMNS, ROWS
from boardwire.games.game import Seat
from boardwire.terminal.app.boards.board import CHANGED, FAINT, GRID, Scene, fitting_cell
from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import Path, Target

COLUMN: Final = "column"
_CELLS: Final = ((9, 3), (7, 2), (5, 1))
"""Columns and rows of a cell, the largest first."""
_DISCS: Final = (
    Style(color="#1b1b1b", bgcolor="#ffd75f", bold=True),
    Style(color="#ffffff", bgcolor="#c03b52", bold=True),
)
_HOLE: Final = Style(bgcolor="#1d3557")


def size(view: View) -> tuple[int, int]:
    """Return the smallest size of seven columns between lines, with their numbers above."""
    return _board_size(*_CELLS[-1])


def _board_size(width: int, height: int) -> tuple[int, int]:
    return COLUMNS * (width + 1) + 1, ROWS * (height + 1) + 1


def draw(scene: Scene, width: int, height: int) -> CellCanvas:
    """Draw discs as letters on a coloured ground; X is the first player."""
    wide, high = fitting_cell(_CELLS, _board_size, width, height)
    canvas = CellCanvas(*_board_size(wide, high))
    for column in range(COLUMNS):
        target = Target(COLUMN, column)
        x = column * (wide + 1) + 1
        canvas.claim(x - 1, 0, wide + 2, canvas.height, target)
        number = format_action(column)
        text = f"▾ {number} ▾" if target in scene.targets else number
        canvas.put(x, 0, f"{text:^{wide}}", scene.style(target, FAINT))
    for row in range(ROWS):
        top = row * (high + 1) + 1
        for line in range(high):
            canvas.put(0, top + line, "│" + "│".join([" " * wide] * COLUMNS) + "│", GRID)
        joints = "├┼┤" if row < ROWS - 1 else "└┴┘"
        canvas.put(0, top + high, joints[0] + joints[1].join(["─" * wide] * COLUMNS) + joints[2], GRID)
        for column in range(COLUMNS):
            _cell(canvas, scene, row * COLUMNS + column, (column * (wide + 1) + 1, top, wide, high))
    return canvas


def _cell(canvas: CellCanvas, scene: Scene, cell: int, region: tuple[int, int, int, int]) -> None:
    view: View = scene.view
    x, y, wide, high = region
    row, column = divmod(cell, COLUMNS)
    owner = view.cells[cell]
    middle = y + high // 2
    if owner is None:
        canvas.tint(x, y, wide, high, _HOLE)
        if Target(COLUMN, column) == scene.cursor and _lands(view, column) == row:
            canvas.put(x, middle, f"{'·':^{wide}}", Style(bold=True))
        return
    new = scene.before is not None and scene.before.cells[cell] is None
    canvas.tint(x, y, wide, high, _DISCS[owner % 2])
    text = f"({'XO'[owner % 2]})" if new else "XO"[owner % 2]
    canvas.put(x, middle, f"{text:^{wide}}", _DISCS[owner % 2] + (CHANGED if new else Style()))


def _lands(view: View, column: int) -> int:
    """Return the row that a disc falls to, or -1 if the column is full."""
    free = [row for row in range(ROWS) if view.cells[row * COLUMNS + column] is None]
    return max(free, default=-1)


def path(view: View, action: int) -> Path:
    """Return the target of the column."""
    return (Target(COLUMN, action),)


def cards(view: View) -> Sequence[str]:
    """Return nothing: the game has no cards."""
    return ()


def seat_text(view: View, seat: Seat) -> str:
    """Return the mark of the seat."""
    return "XO"[seat % 2]


def label(view: View, target: Target, players: Players) -> str:
    """Return the name of a column; all columns are drawn."""
    return f"column {format_action(target.key)}"
