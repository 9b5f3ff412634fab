"""Write the drawn boards of docs/games: `python -m scripts.board_pictures`.

The positions come from the rules engines, so that a picture never shows an impossible one. Colours have enough contrast
on light and dark pages, and marks also differ in shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin
from random import Random
from typing import Any, Final

from scripts.page import ROOT

from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.game import AnyGame
from boardwire.games.santorini.line import Line

PICTURES: Final = ROOT / "docs" / "pictures"
LINE: Final = "#6b7280"
SEATS: Final = ("#1f5fbf", "#b8480f")
LEVELS: Final = ("#efe7cf", "#ffffff", "#e3eaf2", "#c9d6e6")
COLOURS: Final = ("#2e8b57", "#c0392b", "#d9a400", "#d6699f", "#2f6fd0")
"""Green, red, yellow, pink, blue: the students of Eriantys."""


def svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """Return a picture."""
    view = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="sans-serif" font-size="13"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {view} role="img" {style}>\n'
        f"<title>{title}</title>\n{chr(10).join(parts)}\n</svg>\n"
    )


def _text(x: float, y: float, words: object, colour: str = LINE, size: int = 13) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{colour}" font-size="{size}">{words}</text>'


def _circle(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" stroke="{LINE}"/>'


def _square(x: int, y: int, size: int, colour: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{colour}" stroke="{LINE}"/>'


def _after(game: AnyGame, options: Any, actions: Iterable[Any]) -> Any:
    """Return the view after these actions, taken by the seats in turn."""
    position = game.new(options, 2)
    for action in actions:
        decision = game.pending(position)
        assert decision is not None
        position, _ = game.apply(position, decision.seats[0], action)
    return game.view(position, 0)


def tris_board() -> str:
    """Return a board of Tris with the numbers of the free cells."""
    view = _after(tris, tris.Options(), (4, 0, 2, 6))
    parts = []
    for cell, owner in enumerate(view.cells):
        x, y = cell % 3 * 60 + 10, cell // 3 * 60 + 10
        parts.append(_square(x, y, 60, "#ffffff"))
        mark = cell if owner is None else "XO"[owner]
        colour, size = (LINE, 13) if owner is None else (SEATS[owner], 34)
        parts.append(_text(x + 30, y + 30 + size // 3, mark, colour, size))
    return svg(200, 200, "A board of Tris", parts)


def forza_board() -> str:
    """Return a board of Forza Quattro that the first player has won."""
    view = _after(forza, forza.Options(), (3, 3, 2, 2, 4, 5, 1))
    parts = ['<rect x="8" y="8" width="286" height="246" rx="8" fill="#dbe4f0" stroke="#6b7280"/>']
    for cell, owner in enumerate(view.cells):
        x, y = cell % 7 * 40 + 31, cell // 7 * 40 + 31
        parts.append(_circle(x, y, 16, "#ffffff" if owner is None else SEATS[owner]))
        if owner is not None:
            parts.append(_text(x, y + 5, "XO"[owner], "#ffffff", 14))
    parts += [_text(column * 40 + 31, 270, column) for column in range(7)]
    return svg(302, 278, "Four in a row in Forza Quattro", parts)


def santorini_board() -> str:
    """Return a board of Santorini with towers, domes and workers."""
    line = Line("0010001230014210001000000/1/mortal:B3,D1/mortal:E4,C2")
    view = santorini.view(line.position, 0)
    parts = []
    for square in range(25):
        x, y = square % 5 * 64 + 26, square // 5 * 64 + 8
        level = view.levels[square]
        parts.append(_square(x, y, 64, LEVELS[0]))
        parts += [_square(x + 6 * step, y + 6 * step, 64 - 12 * step, LEVELS[step]) for step in range(1, level + 1)]
        if square in view.domes:
            parts.append(_circle(x + 32, y + 32, 15, "#4b5563"))
        elif level:
            parts.append(_text(x + 32, y + 37, level))
    for side, squares in enumerate(view.workers):
        for square in squares:
            x, y = square % 5 * 64 + 58, square // 5 * 64 + 40
            parts.append(_circle(x, y, 14, SEATS[side]) if side == 0 else _diamond(x, y, 17, SEATS[side]))
            parts.append(_text(x, y + 5, view.levels[square], "#ffffff"))
    parts += [_text(file * 64 + 58, 344, "ABCDE"[file]) for file in range(5)]
    parts += [_text(14, rank * 64 + 45, 5 - rank) for rank in range(5)]
    return svg(
        354,
        352,
        "A board of Santorini: numbers are levels, grey is a dome, blue circles and brown diamonds are workers",
        parts,
    )


def _diamond(x: float, y: float, radius: float, colour: str) -> str:
    points = f"{x},{y - radius} {x + radius},{y} {x},{y + radius} {x - radius},{y}"
    return f'<polygon points="{points}" fill="{colour}" stroke="{LINE}"/>'


def eriantys_board() -> str:
    """Return the islands of a match of Eriantys after some turns, with mother nature and towers."""
    rng = Random(3)
    position = eriantys.new(eriantys.Options(), 2)
    for _ in range(60):
        decision = eriantys.pending(position)
        assert decision is not None
        choices: Any = decision.choices
        action = choices.draw(rng.randrange) if hasattr(choices, "draw") else rng.choice(tuple(choices))
        position, _ = eriantys.apply(position, decision.seats[0], action)
    view = eriantys.view(position, 0)
    parts = []
    for number, island in enumerate(view.islands):
        angle = 2 * pi * number / len(view.islands) - pi / 2
        x, y = 230 + 180 * cos(angle), 215 + 165 * sin(angle)
        parts.append(_circle(x, y, 38, "#dfeede"))
        parts.append(_text(x, y - 22, island.tiles[0] + 1, LINE, 11))
        shown = [(colour, count) for colour, count in enumerate(island.students) if count]
        for place, (colour, count) in enumerate(shown):
            at = x + (place - (len(shown) - 1) / 2) * 17
            parts += [_circle(at, y, 8, COLOURS[colour]), _text(at, y + 4, count, "#ffffff", 11)]
        if island.towers:
            fill = "#ffffff" if island.side == 0 else "#222222"
            parts.append(f'<rect x="{x - 18:g}" y="{y + 12:g}" width="12" height="16" fill="{fill}" stroke="#222222"/>')
        if island.mother_nature:
            parts.append(_diamond(round(x + 10), round(y + 20), 9, SEATS[1]))
    parts.append(_text(230, 212, "circles: students by colour"))
    parts.append(_text(230, 230, "diamond: mother nature; square: tower"))
    return svg(460, 430, "The islands of Eriantys", parts)


def main() -> None:
    """Write all pictures."""
    boards = {"tris": tris_board, "forza": forza_board, "santorini": santorini_board, "eriantys": eriantys_board}
    for name, draw in boards.items():
        (PICTURES / f"{name}-board.svg").write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
