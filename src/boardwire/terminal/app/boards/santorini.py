"""The board of Santorini: levels, domes, workers and tokens on 25 squares.

A square shows its level as a bar and a digit, a dome as ⌂, a worker as its side's shape and number, and + where a
choice leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.style import Style

from boardwire.dialects.dialect import Players
from boardwire.games.game import Seat
from boardwire.games.santorini import CATALOGUE, God, View
from boardwire.games.santorini import actions as do
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.squares import square_name
from boardwire.terminal.app.boards.board import CHANGED, GRID, LABEL, SIDES, STRONG, Scene, fitting_cell
from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import Path, Target
from boardwire.terminal.screens.santorini import LEVEL_MARKS, SIDE_MARKS, god_text

SQUARE: Final = "square"
GOD: Final = "god"
SEAT: Final = "seat"
BUTTON: Final = "button"
POWER: Final = "power"
_CELLS: Final = ((13, 4), (11, 3), (7, 2))
"""Columns and rows of a square, the largest first."""
_LEFT: Final = 3
_LEVELS: Final = (
    Style(bgcolor="#24402c"),
    Style(bgcolor="#4a4a46"),
    Style(bgcolor="#6d6a60"),
    Style(bgcolor="#9a9484", color="#111111"),
)
_DOME: Final = Style(bgcolor="#1d4f91", color="#ffffff", bold=True)


def size(view: View) -> tuple[int, int]:
    """Return the smallest size of five by five squares between lines, with their names at the edge."""
    return _board_size(*_CELLS[-1])


def _board_size(width: int, height: int) -> tuple[int, int]:
    return _LEFT + 5 * (width + 1) + 1, 5 * (height + 1) + 2


def draw(scene: Scene, width: int, height: int) -> CellCanvas:
    """Draw the squares."""
    wide, high = fitting_cell(_CELLS, _board_size, width, height)
    canvas = CellCanvas(*_board_size(wide, high))
    bar = "─" * wide
    for row in range(5):
        top = row * (high + 1)
        joints = "┌┬┐" if row == 0 else "├┼┤"
        canvas.put(_LEFT, top, joints[0] + joints[1].join([bar] * 5) + joints[2], GRID)
        for line in range(1, high + 1):
            canvas.put(_LEFT, top + line, "│" + "│".join([" " * wide] * 5) + "│", GRID)
        canvas.put(1, top + (high + 1) // 2, str(5 - row), LABEL)
    canvas.put(_LEFT, 5 * (high + 1), "└" + "┴".join([bar] * 5) + "┘", GRID)
    canvas.put(_LEFT, 5 * (high + 1) + 1, "".join(f"{file:^{wide + 1}}" for file in "ABCDE"), LABEL)
    for square in range(25):
        _square(canvas, scene, square, wide, high)
    return canvas


def _square(canvas: CellCanvas, scene: Scene, square: int, wide: int, high: int) -> None:
    """Draw a square of `wide` columns and `high` rows: level, dome, tokens and worker."""
    view: View = scene.view
    target = Target(SQUARE, square)
    x, y = _LEFT + 1 + square % 5 * (wide + 1), square // 5 * (high + 1) + 1
    bottom = y + high - 1
    canvas.claim(x, y, wide, high, target)
    domed = square in view.domes
    canvas.tint(x, y, wide, high, _DOME if domed else _LEVELS[min(view.levels[square], 3)])
    marked = scene.style(target, Style())
    if marked != Style():
        canvas.tint(x, y, wide, high, marked)
    grown = scene.before is not None and (
        scene.before.levels[square] != view.levels[square] or (square in scene.before.domes) != domed
    )
    level = Style(bold=True, color="#111111" if view.levels[square] == 3 and not domed else "#e8e8e8")
    if marked != Style():
        level = STRONG
    canvas.put(x + 1, y, LEVEL_MARKS[view.levels[square]].strip().rjust(2), level + (CHANGED if grown else Style()))
    if domed:
        canvas.put(x + 4, y, "⌂", STRONG)
    elif square in view.closed:
        canvas.put(x + 4, y, "■", STRONG)
    if square == view.ram:
        canvas.put(x + 5, y, "♈", STRONG)
    for side, workers in enumerate(view.workers):
        if square in workers:
            came = scene.before is not None and not any(square in other for other in scene.before.workers)
            shown = f"{SIDE_MARKS[side]}{workers.index(square) + 1}"
            style = SIDES[side] if marked == Style() else STRONG
            canvas.put(x + 1, bottom, shown, style + (CHANGED if came else Style()))
            if square == view.acting:
                canvas.put(x + 3, bottom, "◂", style)
    if target in scene.targets:
        canvas.put(x + wide - 2, bottom, "+", STRONG)
    elif target in scene.chosen:
        canvas.put(x + wide - 2, bottom, "◦", STRONG)


def path(view: View, action: Any) -> Path:
    """Return the squares of an action, or its god, seat or button."""
    match action:
        case do.Move(frm=start, to=end) | do.Build(by=start, at=end):
            return _squares(start, end)
        case do.Force(frm=start, to=end):
            return (Target(BUTTON, "force"), *_squares(start, end))
        case do.Swap(one=one, other=other):
            return (Target(BUTTON, "swap"), *_squares(one, other))
        case do.Bind(own=own, foe=foe):
            return (Target(BUTTON, "tie"), *_squares(own, foe))
        case do.PlaceWorker(at=square) | do.PlaceToken(at=square):
            return _squares(square)
        case do.Raze(at=square):
            return (Target(BUTTON, "take blocks"), *_squares(square))
        case do.Banish(at=square):
            return (Target(BUTTON, "remove a worker"), *_squares(square))
        case do.ProposeGod(god=god) | do.PickGod(god=god) | do.NameStart(god=god):
            return (Target(GOD, god),)
        case do.ChooseStart(seat=seat):
            return (Target(SEAT, seat),)
        case do.Aim(direction=direction):
            return (Target(BUTTON, "back" if direction is None else DIRECTIONS[direction]),)
        case do.Use():
            return (Target(BUTTON, POWER),)
        case do.Done():
            return (Target(BUTTON, "done"),)
    return ()


def _squares(*squares: int) -> Path:
    return tuple(Target(SQUARE, square) for square in squares)


def cards(view: View) -> Sequence[str]:
    """Return the names of the gods in play and on offer."""
    gods = [god for god in (*view.gods, *view.offer) if god not in (None, God.MORTAL)]
    return [CATALOGUE[god].name for god in dict.fromkeys(gods) if god is not None]


def seat_text(view: View, seat: Seat) -> str:
    """Return the mark of the side and the god of the seat."""
    if seat >= len(view.gods):
        return ""
    god = view.gods[seat]
    side = seat % 2 if len(view.gods) == 4 else seat
    out = " (out)" if seat in view.out else ""
    return f"{SIDE_MARKS[side]}{'' if god is None or god is God.MORTAL else ' ' + CATALOGUE[god].name}{out}"


def label(view: View, target: Target, players: Players) -> str:
    """Return the god with its power, the player, or the text of the button."""
    if target.kind == GOD:
        return god_text(God(target.key))
    if target.kind == SEAT:
        return f"{players.name(target.key)} begins"
    if target.kind == SQUARE:
        return square_name(target.key)
    god = view.gods[players.seat] if players.seat is not None and players.seat < len(view.gods) else None
    return f"use the power of {CATALOGUE[god].name}" if target.key == POWER and god is not None else str(target.key)
