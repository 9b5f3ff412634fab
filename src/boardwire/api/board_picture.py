"""Pictures of positions for link previews: a board as spectators see it, as PNG.

Colours and shapes are those of the page; the pieces of the players also differ in shape. A game without a drawing
function gets the logo.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import cos, pi, sin
from typing import Any, Final

from boardwire.api.raster import RasterCanvas

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Size in pixels that link previews expect."""
SEATS: Final = ("#1d5fb8", "#b5470b", "#2b7a4b", "#7a3fa8")
GROUND: Final = "#f5f4f0"
STUDENTS: Final = ("#26a973", "#e41a1b", "#f8b518", "#d65798", "#3ebef2")
TOWERS: Final = {"white": "#ffffff", "black": "#45413e", "grey": "#9a9a9a"}


def board_picture(game: str, view: dict[str, Any] | None) -> bytes:
    """Return the picture of a position, or the logo without a view or for an unknown game."""
    canvas = RasterCanvas(WIDTH, HEIGHT, GROUND)
    canvas.box(0, 0, 18, HEIGHT, SEATS[0])
    canvas.box(WIDTH - 18, 0, 18, HEIGHT, SEATS[1])
    draw = BOARDS.get(game)
    if draw is None or view is None:
        _draw_logo(canvas)
    else:
        draw(canvas, view)
    return canvas.png()


def _draw_logo(canvas: RasterCanvas) -> None:
    """Draw the logo of the page."""
    canvas.box(440, 155, 320, 320, SEATS[0], 80)
    canvas.box(500, 395, 200, 20, "#ffffff")
    canvas.box(525, 335, 150, 50, "#ffffff", 6)
    canvas.box(560, 275, 80, 50, "#ffffff", 6)
    canvas.circle(600, 265, 40, "#ffd27a")
    canvas.box(540, 267, 120, 46, "#1d5fb8")
    canvas.box(560, 275, 80, 50, "#ffffff", 6)


def _draw_tris(canvas: RasterCanvas, view: dict[str, Any]) -> None:
    for cell, owner in enumerate(view["cells"]):
        x, y = 315 + cell % 3 * 190, 30 + cell // 3 * 190
        canvas.box(x + 5, y + 5, 180, 180, "#e3e0d6", 14)
        _draw_mark(canvas, owner, x + 95, y + 95)


def _draw_mark(canvas: RasterCanvas, owner: int | None, x: float, y: float) -> None:
    if owner == 0:
        canvas.line((x - 52, y - 52), (x + 52, y + 52), 24, SEATS[0])
        canvas.line((x + 52, y - 52), (x - 52, y + 52), 24, SEATS[0])
    elif owner is not None:
        canvas.circle(x, y, 64, SEATS[1])
        canvas.circle(x, y, 41, "#e3e0d6")


def _draw_forza(canvas: RasterCanvas, view: dict[str, Any]) -> None:
    canvas.box(260, 15, 680, 600, "#9ab4d8", 26)
    for cell, owner in enumerate(view["cells"]):
        x, y = 600 + (cell % 7 - 3) * 94, 65 + cell // 7 * 100
        canvas.circle(x, y, 40, "#ffffff" if owner is None else SEATS[owner])
        if owner == 1:
            canvas.circle(x, y, 25, "#ffffff")
            canvas.circle(x, y, 18, SEATS[1])


def _draw_santorini(canvas: RasterCanvas, view: dict[str, Any]) -> None:
    canvas.box(292, 7, 616, 616, "#b9d9ea", 28)
    canvas.box(316, 31, 568, 568, "#d8cfae", 12)
    domes = set(view["domes"])
    for square, level in enumerate(view["levels"]):
        x, y = 376 + square % 5 * 112, 91 + square // 5 * 112
        canvas.box(x - 53, y - 53, 106, 106, "#e9e4cc", 8)
        for size, colour in ((48, "#fbfaf6"), (38, "#e2ddcf"))[: min(level, 2)]:
            canvas.box(x - size - 1, y - size - 1, 2 * size + 2, 2 * size + 4, "#9c9482", 10)
            canvas.box(x - size, y - size, 2 * size, 2 * size, colour, 10)
        if level >= 3:
            canvas.circle(x, y, 30, "#9c9482")
            canvas.circle(x, y, 28, "#fffefa")
        if square in domes:
            canvas.circle(x, y, 24, "#2f6fc4")
    for side, squares in enumerate(view["workers"]):
        for square in squares:
            if square >= 0:
                _draw_worker(canvas, 376 + square % 5 * 112, 91 + square // 5 * 112, side)


def _draw_worker(canvas: RasterCanvas, x: float, y: float, side: int) -> None:
    if side % 2 == 0:
        canvas.circle(x, y, 30, "#ffffff")
        canvas.circle(x, y, 26, SEATS[side])
    else:
        canvas.polygon([(x, y - 36), (x + 36, y), (x, y + 36), (x - 36, y)], "#ffffff")
        canvas.polygon([(x, y - 31), (x + 31, y), (x, y + 31), (x - 31, y)], SEATS[side])


def _tile_centre(number: int) -> tuple[float, float]:
    """Return the centre of a tile. The tiles are the second ring of a hexagonal grid, clockwise."""

    def corner_at(corner: int) -> tuple[float, float]:
        angle = pi / 3 * (corner - 2)
        return 262 * cos(angle) * 1.42, 262 * sin(angle)

    corner, odd = divmod(number, 2)
    (x, y), (next_x, next_y) = corner_at(corner), corner_at(corner + 1)
    return (600 + (x + next_x) / 2, 315 + (y + next_y) / 2) if odd else (600 + x, 315 + y)


def _draw_eriantys(canvas: RasterCanvas, view: dict[str, Any]) -> None:
    for island in view["islands"]:
        tiles = [_tile_centre(number) for number in island["tiles"]]
        for tile, next_tile in pairwise(tiles):
            canvas.line(tile, next_tile, 60, "#b9cfa4")
    for island in view["islands"]:
        for number in island["tiles"]:
            x, y = _tile_centre(number)
            _draw_hexagon(canvas, x, y, 72, "#9fb98a")
            _draw_hexagon(canvas, x, y, 68, "#d7e5c8")
        x, y = _tile_centre(island["tiles"][0])
        for place, colour in enumerate(_pile_colours(island["students"])[:9]):
            canvas.circle(x - 26 + place % 3 * 26, y - 26 + place // 3 * 22, 10, STUDENTS[colour])
        if island["side"] is not None:
            fill = TOWERS.get(view["sides"][island["side"]]["tower"], "#ffffff")
            canvas.box(x + 16, y + 20, 28, 34, "#24282d", 4)
            canvas.box(x + 18, y + 22, 24, 30, fill, 3)
        if island["mother_nature"]:
            canvas.circle(x - 28, y + 34, 15, "#7a3a05")
            canvas.circle(x - 28, y + 34, 13, "#e0731d")
    for place, cloud in enumerate(view["clouds"]):
        x = 600 + (place - (len(view["clouds"]) - 1) / 2) * 110
        canvas.circle(x, 315, 50, "#dfe9f3")
        for number, colour in enumerate(_pile_colours(cloud)[:4]):
            canvas.circle(x - 15 + number % 2 * 30, 300 + number // 2 * 30, 12, STUDENTS[colour])


def _draw_hexagon(canvas: RasterCanvas, x: float, y: float, radius: float, colour: str) -> None:
    corners = [(x + radius * sin(pi / 3 * turn), y - radius * cos(pi / 3 * turn)) for turn in range(6)]
    canvas.polygon(corners, colour)


def _pile_colours(counts: list[int]) -> list[int]:
    """Return the colour of each student, from the number of students of each colour."""
    return [colour for colour, count in enumerate(counts) for _ in range(count)]


BOARDS: Final[dict[str, Callable[[RasterCanvas, dict[str, Any]], None]]] = {
    "tris": _draw_tris,
    "forza": _draw_forza,
    "santorini": _draw_santorini,
    "eriantys": _draw_eriantys,
}
