"""The board of Eriantys: the ring of islands in two rows, clouds, school boards, cards and characters.

Students are letters (G R Y P B), a professor is its letter in brackets. The upper row of islands runs to the right,
the lower one back, so that both together are the ring, clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.style import Style

from boardwire.dialects.dialect import Players
from boardwire.games.eriantys import (
    Colour,
    Done,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.planning import assistant_steps
from boardwire.games.eriantys.view import Island
from boardwire.games.game import Seat
from boardwire.terminal.app.boards.board import CHANGED, FAINT, GRID, LABEL, STRONG, Scene
from boardwire.terminal.app.canvas import CellCanvas
from boardwire.terminal.app.selection import Path, Target
from boardwire.terminal.screens.eriantys import COLOUR_LETTERS, TOWER_MARKS, island_index, landing

ISLAND: Final = "island"
CLOUD: Final = "cloud"
STUDENT: Final = "student"
HALL: Final = "hall"
CARD: Final = "card"
CHARACTER: Final = "character"
COLOUR: Final = "colour"
BUTTON: Final = "button"

_MIN_WIDTH: Final = 78
_MAX_ISLAND_WIDTH: Final = 18
_NAME_WIDTH: Final = 14
_HALL_COLUMN: Final = 32
_STUDENTS: Final = {
    Colour.GREEN: Style(color="#5fd75f", bold=True),
    Colour.RED: Style(color="#ff6b6b", bold=True),
    Colour.YELLOW: Style(color="#ffd75f", bold=True),
    Colour.PINK: Style(color="#ff87d7", bold=True),
    Colour.BLUE: Style(color="#5fafff", bold=True),
}
_MOTHER: Final = Style(color="#1b1b1b", bgcolor="#ffaf5f", bold=True)
_TOWER: Final = Style(bold=True)


def size(view: View) -> tuple[int, int]:
    """Return the smallest size of two rows of six islands and all parts below them."""
    return _MIN_WIDTH, 7 + _rule_rows(view) + 2 * len(view.boards) + bool(view.characters)


def _rule_rows(view: View) -> int:
    """Return the number of rules between the parts; only with two players there is room for them."""
    return 2 if len(view.boards) <= 2 else 0


def draw(scene: Scene, width: int, height: int) -> CellCanvas:
    """Draw the whole table."""
    view: View = scene.view
    least, rows = size(view)
    half = (len(view.islands) + 1) // 2
    cell = max(13, min(_MAX_ISLAND_WIDTH, (max(width, least) - 1) // max(half, 6)))
    canvas = CellCanvas(max(least, cell * max(half, 6)), rows)
    for index, island in enumerate(view.islands):
        column = index if index < half else 2 * half - 1 - index
        _island(canvas, scene, index, island, 1 + column * cell, 0 if index < half else 3, cell - 1)
    row = 6
    if _rule_rows(view):
        canvas.put(0, row, "─" * canvas.width, GRID)
        row += 1
    _clouds(canvas, scene, row)
    row += 1
    if _rule_rows(view):
        canvas.put(0, row, "─" * canvas.width, GRID)
        row += 1
    for seat in range(len(view.boards)):
        _board(canvas, scene, seat, row)
        row += 2
    if view.characters:
        _characters(canvas, scene, row)
    return canvas


def _count_text(counts: Counts, colour: Colour) -> str:
    return f"{counts[colour] if counts[colour] > 1 else ''}{COLOUR_LETTERS[colour]}"


def _students(canvas: CellCanvas, x: int, y: int, counts: Counts, width: int) -> int:
    """Write students as letters, with a number if there are several, and without gaps if they would not fit."""
    present = [colour for colour in Colour if counts[colour]]
    if not present:
        return canvas.put(x, y, "-", FAINT)
    gap = 1 if len(" ".join(_count_text(counts, colour) for colour in present)) <= width else 0
    for number, colour in enumerate(present):
        x = canvas.put(x + (gap if number else 0), y, _count_text(counts, colour), _STUDENTS[colour])
    return x


def _island(canvas: CellCanvas, scene: Scene, index: int, island: Island, x: int, y: int, width: int) -> None:
    """Draw an island in three rows, from its upper left corner."""
    view: View = scene.view
    target = Target(ISLAND, island.tiles[0])
    canvas.claim(x, y, width, 3, target)
    marked = scene.style(target, Style())
    canvas.tint(x, y, width, 3, marked)
    before = _island_before(scene, island)
    at = canvas.put(x, y, f"[{index}]", STRONG)
    if len(island.tiles) > 1:
        at = canvas.put(at, y, f"×{len(island.tiles)}", LABEL)
    if target in scene.targets:
        at = canvas.put(at, y, "+", STRONG)
    if island.mother_nature:
        at = canvas.put(at + 1, y, "◆MN", _MOTHER)
    if island.no_entry:
        canvas.put(at + 1, y, "⊘" * island.no_entry, Style(color="#ff6b6b", bold=True))
    _students(canvas, x, y + 1, island.students, width)
    if before is not None and before.students != island.students:
        canvas.put(x + width - 1, y + 1, "•", CHANGED)
    at = x
    if island.side is not None:
        new = before is not None and before.side != island.side
        at = canvas.put(
            at,
            y + 2,
            f"{TOWER_MARKS[view.sides[island.side].tower]}×{island.towers}",
            _TOWER + (CHANGED if new else Style()),
        )
        at += 1
    influence = " ".join(
        f"{side.tower.name[0]}{value}" for side, value in zip(view.sides, island.influence, strict=True) if value
    )
    if influence:
        canvas.put(at, y + 2, f"({influence})"[: x + width - at], FAINT)


def _island_before(scene: Scene, island: Island) -> Island | None:
    """Return the island in the previous view if it had the same tiles, or None."""
    if scene.before is None:
        return None
    unchanged: Island | None = next((other for other in scene.before.islands if other.tiles == island.tiles), None)
    return unchanged


def _clouds(canvas: CellCanvas, scene: Scene, y: int) -> None:
    view: View = scene.view
    x = canvas.put(1, y, "Clouds ", LABEL)
    for index, cloud in enumerate(view.clouds):
        target = Target(CLOUD, index)
        start = x
        x = canvas.put(x, y, f"({index})", STRONG)
        x = _students(canvas, x + 1, y, cloud, 12)
        canvas.claim(start, y, x - start, 1, target)
        canvas.tint(start, y, x - start, 1, scene.style(target, Style()))
        x += 2
    if view.round:
        last = f", the last ({view.last_round})" if view.last_round else ""
        text = f"Round {view.round}{last}"
        canvas.put(max(x, canvas.width - len(text) - 1), y, text, LABEL)


def _board(canvas: CellCanvas, scene: Scene, seat: Seat, y: int) -> None:
    """Draw a player's line and, below it, entrance and hall; `y` is the first row."""
    _draw_player(canvas, scene, seat, y)
    _draw_school(canvas, scene, seat, y + 1)


def _draw_player(canvas: CellCanvas, scene: Scene, seat: Seat, y: int) -> None:
    """Draw a player's name, towers, coins and cards in one row; the user's own cards can be chosen."""
    view: View = scene.view
    board = view.boards[seat]
    side = view.sides[board.side]
    own = seat == scene.players.seat
    mark = "▶" if seat == view.turn else "✗" if board.gone else " "
    x = canvas.put(1, y, f"{mark}{TOWER_MARKS[side.tower]} ", STRONG)
    name = f"{scene.players.name(seat)[:_NAME_WIDTH]}{' (you)' if own else ''}"
    x = canvas.put(x, y, name, STRONG)
    facts = f": {side.towers} tower{'' if side.towers == 1 else 's'}"
    if board.coins is not None:
        facts += f", {board.coins} coin{'' if board.coins == 1 else 's'}"
    if board.card is not None:
        facts += f", card {board.card} (≤{assistant_steps(board.card)})"
    x = canvas.put(x, y, facts)
    if board.hand:
        x = canvas.put(x, y, "  hand", LABEL)
        for card in board.hand:
            target = Target(CARD, card) if own else None
            text = f" {card}"
            if target is not None:
                canvas.claim(x, y, len(text), 1, target)
                x = canvas.put(x, y, text, scene.style(target, Style()))
            else:
                x = canvas.put(x, y, text, FAINT)


def _draw_school(canvas: CellCanvas, scene: Scene, seat: Seat, y: int) -> None:
    """Draw a player's entrance and hall in one row; the user's own can be chosen."""
    view: View = scene.view
    board, own = view.boards[seat], seat == scene.players.seat
    x = canvas.put(4, y, "entrance ", LABEL)
    for colour in Colour:
        if board.entrance[colour]:
            target = Target(STUDENT, colour) if own else None
            text = _count_text(board.entrance, colour)
            if target is not None:
                canvas.claim(x, y, len(text) + 1, 1, target)
            style = _STUDENTS[colour] if target is None else scene.style(target, _STUDENTS[colour])
            x = canvas.put(x, y, text, style) + 1
    start = max(x + 1, _HALL_COLUMN)
    hall = Target(HALL, 0)
    x = canvas.put(start, y, "hall", scene.style(hall, LABEL) if own else LABEL)
    for colour in Colour:
        x = canvas.put(x + 1, y, f"{COLOUR_LETTERS[colour]}{board.hall[colour]:>2}", _STUDENTS[colour])
        x = canvas.put(x, y, f"[{COLOUR_LETTERS[colour]}]" if colour in board.professors else "   ", _STUDENTS[colour])
    if own:
        canvas.claim(start, y, x - start, 1, hall)


def _characters(canvas: CellCanvas, scene: Scene, y: int) -> None:
    view: View = scene.view
    x = canvas.put(1, y, "Characters", LABEL) + 1
    for card in view.characters:
        target = Target(CHARACTER, card.character.value)
        start = x
        used = ", in use" if view.active is card.character else ""
        x = canvas.put(x, y, f"{card.character.value} ({card.price}{used})", STRONG)
        if any(card.students):
            x = _students(canvas, x + 1, y, card.students, 12)
        if card.no_entry:
            x = canvas.put(x + 1, y, f"⊘×{card.no_entry}")
        canvas.claim(start, y, x - start, 1, target)
        canvas.tint(start, y, x - start, 1, scene.style(target, Style()))
        x += 2


def path(view: View, action: Any) -> Path:
    """Return the card, student, island, cloud or character of an action."""
    match action:
        case PlayAssistant(card=card):
            return (Target(CARD, card),)
        case ToHall(colour=colour):
            return Target(STUDENT, colour), Target(HALL, 0)
        case ToIsland(colour=colour, island=head):
            return Target(STUDENT, colour), _island_target(view, head)
        case MoveMotherNature(steps=steps):
            if not view.islands:
                return ()
            return (Target(ISLAND, view.islands[landing(view, steps)].tiles[0]),)
        case TakeCloud(cloud=cloud):
            return (Target(CLOUD, cloud),)
        case UseCharacter(character=character, colour=colour, island=island, give=give):
            return (
                Target(CHARACTER, character.value),
                *(() if colour is None else (Target(COLOUR, colour),)),
                *(() if give is None else (Target(STUDENT, give),)),
                *(() if island is None else (_island_target(view, island),)),
            )
        case Swap(colour=colour, give=give):
            return Target(COLOUR, colour), Target(STUDENT, give)
        case Done():
            return (Target(BUTTON, "done"),)
    return ()


def _island_target(view: View, head: int) -> Target:
    index = island_index(view, head)
    return Target(ISLAND, view.islands[index].tiles[0] if index < len(view.islands) else head)


def cards(view: View) -> Sequence[str]:
    """Return the names of the characters."""
    return [card.character.value for card in view.characters]


def seat_text(view: View, seat: Seat) -> str:
    """Return the mark of the side's towers."""
    return TOWER_MARKS[view.sides[view.boards[seat].side].tower] if seat < len(view.boards) else ""


def label(view: View, target: Target, players: Players) -> str:
    """Return the colour, or the text of the button."""
    if target.kind == COLOUR:
        return (
            f"{Colour(target.key).name.lower()} student" if view.asked is not None else Colour(target.key).name.lower()
        )
    return str(target.key)
