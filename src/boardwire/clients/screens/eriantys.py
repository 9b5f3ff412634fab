"""Eriantys in a terminal: islands in two rows, clouds, school boards, cards and characters, and the choices numbered.

Students are letters (G R Y P B), a professor is its letter in brackets, towers are a shape and a letter for each side.
The upper row of islands runs to the right, the lower one back, so that both together are the ring, clockwise.
Everything reads without colour, in 100 columns.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any, Final

from boardwire.clients.paint import Paint
from boardwire.games.eriantys import (
    Colour,
    Done,
    Kind,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    Tower,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.view import Board, Island
from boardwire.games.game import Decision, Illegal, Malformed

_WIDTH: Final = 100
_CELL: Final = 15
_LETTERS: Final = {Colour.GREEN: "G", Colour.RED: "R", Colour.YELLOW: "Y", Colour.PINK: "P", Colour.BLUE: "B"}
_PAINTS: Final = {
    Colour.GREEN: "green", Colour.RED: "red", Colour.YELLOW: "yellow", Colour.PINK: "magenta", Colour.BLUE: "cyan",
}  # fmt: skip
_TOWERS: Final = {Tower.WHITE: "♖W", Tower.BLACK: "♜B", Tower.GREY: "♜G"}
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")

_QUESTIONS: Final = {
    Kind.ASSISTANT: "Which assistant do you play",
    Kind.STUDENT: "Which student goes where",
    Kind.STEPS: "How far does mother nature go",
    Kind.CLOUD: "Which cloud do you take",
    Kind.SWAP: "Another swap",
    Kind.FINISH: "A character, or the end of your turn",
}


def draw(view: View, decision: Decision[Any] | None, paint: Paint) -> str:
    """The whole table, and the list of choices."""
    parts = [_round(view), _ring(view, paint), _clouds(view, paint), _boards(view, decision, paint)]
    if view.characters:
        parts.append(_characters(view, paint))
    if decision is not None:
        parts.append(_choices(view, tuple(decision.choices), paint))
    return "\n".join(parts)


def _round(view: View) -> str:
    if not view.round:  # eriantys-objects does not tell the number
        return ""
    last = f", the last ({view.last_round})" if view.last_round else ""
    return f" Round {view.round}{last}"


def _pad(text: str, width: int) -> str:
    """Fill up to a width, colours not counted."""
    return text + " " * (width - len(_ESCAPES.sub("", text)))


def _letter(colour: Colour, paint: Paint) -> str:
    return paint(_LETTERS[colour], "bold", _PAINTS[colour])


def _students(counts: Counts, paint: Paint) -> str:
    """Students by letter; a number where there are several of a colour.  Closer together where there are very many."""
    found = [
        f"{counts[colour] if counts[colour] > 1 else ''}{_letter(colour, paint)}" for colour in Colour if counts[colour]
    ]
    return ("" if len(_ESCAPES.sub("", " ".join(found))) > _CELL else " ").join(found) or "-"


# --- islands --------------------------------------------------------------------------------------------------------


def _ring(view: View, paint: Paint) -> str:
    half = (len(view.islands) + 1) // 2
    cells = [_island(view, index, island, paint) for index, island in enumerate(view.islands)]
    upper, lower = cells[:half], cells[half:][::-1]
    lower = [[""] * len(cells[0])] * (half - len(lower)) + lower
    rows = [_row(upper), "", _row(lower)]
    return "\n".join(rows)


def _row(cells: list[list[str]]) -> str:
    return "\n".join(" " + " ".join(_pad(cell[line], _CELL) for cell in cells).rstrip() for line in range(4))


def _island(view: View, index: int, island: Island, paint: Paint) -> list[str]:
    size = f"×{len(island.tiles)}" if len(island.tiles) > 1 else ""
    mother = paint("◆MN", "bold", "reverse") if island.mother_nature else ""
    towers = ""
    if island.side is not None:
        towers = paint(f"{_TOWERS[view.sides[island.side].tower]}×{island.towers}", "bold")
    barred = paint("⊘" * island.no_entry, "red") if island.no_entry else ""
    influence = " ".join(
        f"{side.tower.name[0]}{value}" for side, value in zip(view.sides, island.influence, strict=True) if value
    )
    title = paint(f"[{index}]", "bold")
    return [
        " ".join(part for part in (f"{title}{size}", mother, barred) if part),
        _students(island.students, paint),
        towers or "no tower",
        paint(f"infl {influence or '-'}", "dim"),
    ]


# --- clouds, boards, characters -------------------------------------------------------------------------------------


def _clouds(view: View, paint: Paint) -> str:
    clouds = [f"({index}) {_students(cloud, paint)}" for index, cloud in enumerate(view.clouds)]
    return "\n Clouds  " + "    ".join(clouds) + "\n"


def _boards(view: View, decision: Decision[Any] | None, paint: Paint) -> str:
    me = decision.seats[0] if decision is not None else None
    return "\n".join(_board(view, seat, board, seat == me, paint) for seat, board in enumerate(view.boards))


def _board(view: View, seat: int, board: Board, me: bool, paint: Paint) -> str:
    side = view.sides[board.side]
    mark = "▶" if me else "✗" if board.gone else " "
    you = " (you)" if me else ""
    coins = "" if board.coins is None else f"  coins {board.coins}"
    card = "-" if board.card is None else f"{board.card} (up to {(board.card + 1) // 2})"
    hall = "  ".join(_table(board, colour, paint) for colour in Colour).rstrip()
    hand = " ".join(map(str, board.hand)) or "-"
    return (
        f" {mark} {paint(_TOWERS[side.tower], 'bold')} player {seat + 1}{you}"
        f"  towers left {side.towers}{coins}  card {card}  hand {hand}\n"
        f"     entrance {_pad(_students(board.entrance, paint), 24)} hall {hall}"
    )


def _table(board: Board, colour: Colour, paint: Paint) -> str:
    professor = f"[{_LETTERS[colour]}]" if colour in board.professors else "   "
    return f"{_letter(colour, paint)}{board.hall[colour]:>2}{professor}"


def _characters(view: View, paint: Paint) -> str:
    texts = []
    for card in view.characters:
        lies = f" {_students(card.students, paint)}" if any(card.students) else ""
        tiles = f" ⊘×{card.no_entry}" if card.no_entry else ""
        texts.append(f"{paint(card.character.value, 'bold')} ({card.price}){lies}{tiles}")
    used = f"   in use: {view.active.value}" if view.active is not None else ""
    return "\n Characters  " + "    ".join(texts) + used


# --- choices --------------------------------------------------------------------------------------------------------


def label(view: View, action: Any) -> str:
    """A choice in words."""
    match action:
        case PlayAssistant(card=card):
            return f"assistant {card}, up to {(card + 1) // 2}"
        case ToHall(colour=colour):
            return f"{_name(colour)} to the hall"
        case ToIsland(colour=colour, island=head):
            return f"{_name(colour)} to island {_index(view, head)}"
        case MoveMotherNature(steps=steps):
            return f"{steps} to island {_landing(view, steps)}"
        case TakeCloud(cloud=cloud):
            return f"cloud {cloud}"
        case UseCharacter():
            return _use(view, action)
        case Swap(colour=colour, give=give):
            return f"take {_name(colour)} for {_name(give)}"
        case Done():
            return "no more"
    return str(action)


def _use(view: View, use: UseCharacter) -> str:
    words = [use.character.value]
    if use.colour is not None:
        words.append(f"take {_name(use.colour)}" if use.give is not None else _name(use.colour))
    if use.give is not None:
        words.append(f"for {_name(use.give)}")
    if use.island is not None:
        words.append(f"island {_index(view, use.island)}")
    return " ".join(words)


def _name(colour: Colour) -> str:
    return colour.name.lower()


def _index(view: View, head: int) -> int:
    return next((index for index, island in enumerate(view.islands) if head in island.tiles), head)


def _landing(view: View, steps: int) -> int:
    start = next((index for index, island in enumerate(view.islands) if island.mother_nature), 0)
    return (start + steps) % len(view.islands)


def _family(action: Any) -> tuple[str, str]:
    """Which choices stand in one line: what they have in common, and what the line says."""
    match action:
        case UseCharacter(character=character, colour=colour, give=give) if colour is not None and give is not None:
            return f"swap{colour}{character}", f"{character.value} take {_name(colour)} for"
        case ToIsland(colour=colour):
            return f"island{colour}", f"{_name(colour)} to island"
        case UseCharacter(character=character, colour=colour, island=island) if island is not None:
            who = character.value if colour is None else f"{character.value} {_name(colour)}"
            return f"{who} island", f"{who} to island" if colour is not None else f"{who} on island"
    return type(action).__name__ + (action.character.value if isinstance(action, UseCharacter) else ""), ""


def _choices(view: View, choices: tuple[Any, ...], paint: Paint) -> str:
    """Numbered; what differs only in the island, or in the student given, stands in one line, after its number."""
    lines: list[str] = []
    groups = [(key[1], list(group)) for key, group in groupby(enumerate(choices, 1), lambda pair: _family(pair[1]))]
    width = max((len(title) for title, _ in groups), default=0)
    for title, group in groups:
        if title:
            cells = [f"{number}:{_end(view, action)}" for number, action in group]
            lines += _wrapped(title.ljust(width), cells, paint)
        else:
            lines += _columns([f"{number:>3}) {label(view, action)}" for number, action in group])
    if width:
        lines.append("  (the number to type stands before the colon)")
    return "\n" + "\n".join(lines)


def _end(view: View, action: Any) -> str:
    give = getattr(action, "give", None)
    return str(_index(view, action.island)) if give is None else _name(give)


def _wrapped(title: str, cells: list[str], paint: Paint) -> list[str]:
    many = (_WIDTH - len(title) - 3) // (max(map(len, cells)) + 1)
    rows = [" ".join(cells[start : start + many]) for start in range(0, len(cells), many)]
    return [f"  {title if row is rows[0] else ' ' * len(title)} {paint(row, 'bold')}" for row in rows]


def _columns(texts: list[str]) -> list[str]:
    width = max(map(len, texts)) + 2
    columns = max(1, min(5, _WIDTH // width))
    rows = [texts[start : start + columns] for start in range(0, len(texts), columns)]
    return ["".join(f"{text:<{width}}" for text in row).rstrip() for row in rows]


def question(view: View, decision: Decision[Any]) -> str:
    """What is asked, and how it can be answered."""
    more = f" ({view.moves - view.moved} to go)" if decision.kind == Kind.STUDENT else ""
    return f"{_QUESTIONS[Kind(decision.kind)]}{more}? A number from 1 to {len(decision.choices)}:"


def parse(text: str, view: View, decision: Decision[Any]) -> Any:
    """A choice by its number."""
    choices = tuple(decision.choices)
    if not text.isascii() or not text.isdigit():
        raise Malformed(f"Type the number of a choice, 1 to {len(choices)}.")
    if not 1 <= int(text) <= len(choices):
        raise Illegal(f"There is no choice {text}; choices go from 1 to {len(choices)}.")
    return choices[int(text) - 1]
