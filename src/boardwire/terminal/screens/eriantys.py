"""Text screen of Eriantys: islands in two rows, clouds, school boards, cards, characters and choices.

Students are letters (G R Y P B), a professor is its letter in brackets, towers are a shape and a letter for each side.
The upper row of islands runs to the right, the lower one back, so that both together are the ring, clockwise.
Colours are never needed; the table, the choices and the question fit into 80 columns and 24 lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from boardwire.dialects.dialect import Players
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
from boardwire.games.eriantys.planning import assistant_steps
from boardwire.games.eriantys.view import Board, Island
from boardwire.games.game import Decision, Seat
from boardwire.terminal.choices import WIDTH, Choice, find, lines, paragraph
from boardwire.terminal.colours import Paint

_MAX_SPACED_WIDTH: Final = 12
"""Columns up to which students are written with spaces between them."""

_MAX_NAME_WIDTH: Final = 12

COLOUR_LETTERS: Final = {Colour.GREEN: "G", Colour.RED: "R", Colour.YELLOW: "Y", Colour.PINK: "P", Colour.BLUE: "B"}
_PAINTS: Final = {
    Colour.GREEN: "green", Colour.RED: "red", Colour.YELLOW: "yellow", Colour.PINK: "magenta", Colour.BLUE: "cyan",
}  # fmt: skip
TOWER_MARKS: Final = {Tower.WHITE: "♖W", Tower.BLACK: "♜B", Tower.GREY: "♜G"}
_ESCAPES: Final = re.compile(r"\x1b[0-9a-f]*\[[0-9;]*m")

_QUESTIONS: Final = {
    Kind.ASSISTANT: "Which assistant do you play",
    Kind.STUDENT: "Which student goes where",
    Kind.STEPS: "How far does mother nature go",
    Kind.CLOUD: "Which cloud do you take",
    Kind.SWAP: "Another swap",
    Kind.FINISH: "A character, or the end of your turn",
}


def draw(view: View, decision: Decision[Any] | None, players: Players, paint: Paint) -> str:
    """Return the whole table."""
    waiting = decision.seats if decision is not None else () if view.turn is None else (view.turn,)
    boards = [_board(view, seat, board, seat in waiting, players, paint) for seat, board in enumerate(view.boards)]
    parts = [*_ring(view, paint), _clouds(view, paint), *boards]
    if view.characters:
        parts.append(_characters(view, paint))
    return "\n".join(parts)


def _round(view: View) -> str:
    if not view.round:  # eriantys-objects does not send the number
        return ""
    last = f", the last ({view.last_round})" if view.last_round else ""
    return f"   Round {view.round}{last}"


def _pad(text: str, width: int) -> str:
    """Pad a text to a width, not counting escape sequences of colours."""
    return text + " " * (width - len(_ESCAPES.sub("", text)))


def _letter(colour: Colour, paint: Paint) -> str:
    return paint(COLOUR_LETTERS[colour], "bold", _PAINTS[colour])


def _students(counts: Counts, paint: Paint) -> str:
    """Return students by letter, with a number if there are several of a colour."""
    groups = [
        f"{counts[colour] if counts[colour] > 1 else ''}{_letter(colour, paint)}" for colour in Colour if counts[colour]
    ]
    return ("" if len(_ESCAPES.sub("", " ".join(groups))) > _MAX_SPACED_WIDTH - 1 else " ").join(groups) or "-"


# --- islands --------------------------------------------------------------------------------------------------------


def _ring(view: View, paint: Paint) -> list[str]:
    half = (len(view.islands) + 1) // 2
    width = (WIDTH - 1) // half
    cells = [_island(view, index, island, paint) for index, island in enumerate(view.islands)]
    upper, lower = cells[:half], cells[half:][::-1]
    lower = [[""] * len(cells[0])] * (half - len(lower)) + lower
    return [_line([cell[number] for cell in row], width) for row in (upper, lower) for number in range(3)]


def _line(cells: list[str], width: int) -> str:
    return " " + "".join(_pad(cell, width) for cell in cells).rstrip()


def _island(view: View, index: int, island: Island, paint: Paint) -> list[str]:
    size = f"×{len(island.tiles)}" if len(island.tiles) > 1 else ""
    mother = paint("◆MN", "bold", "reverse") if island.mother_nature else ""
    barred = paint("⊘" * island.no_entry, "red") if island.no_entry else ""
    towers = ""
    if island.side is not None:
        towers = paint(f"{TOWER_MARKS[view.sides[island.side].tower]}×{island.towers}", "bold")
    influence = " ".join(
        f"{side.tower.name[0]}{value}" for side, value in zip(view.sides, island.influence, strict=True) if value
    )
    title = paint(f"[{index}]", "bold")
    return [
        " ".join(part for part in (f"{title}{size}", mother, barred) if part),
        _students(island.students, paint),
        " ".join(part for part in (towers, paint(f"({influence})", "dim") if influence else "") if part) or "-",
    ]


# --- clouds, boards, characters -------------------------------------------------------------------------------------


def _clouds(view: View, paint: Paint) -> str:
    clouds = [f"({index}) {_students(cloud, paint)}" for index, cloud in enumerate(view.clouds)]
    return f" Clouds {'   '.join(clouds)}{_round(view)}"


def _board(view: View, seat: Seat, board: Board, waiting: bool, players: Players, paint: Paint) -> str:
    side = view.sides[board.side]
    mark = "▶" if waiting else "✗" if board.gone else " "
    you = " (you)" if seat == players.seat else ""
    coins = "" if board.coins is None else f", {_count(board.coins, 'coin')}"
    card = "" if board.card is None else f", card {board.card} (≤{assistant_steps(board.card)})"
    hall = " ".join(_table(board, colour, paint) for colour in Colour).rstrip()
    hand = f", hand {' '.join(_runs(board.hand))}" if board.hand else ""
    return (
        f" {mark} {paint(TOWER_MARKS[side.tower], 'bold')} {players.name(seat)[:_MAX_NAME_WIDTH]}{you}"
        f": {_count(side.towers, 'tower')}{coins}{card}{hand}\n"
        f"     entrance {_pad(_students(board.entrance, paint), 18)} hall {hall}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _runs(cards: tuple[int, ...]) -> Iterator[str]:
    """Yield the cards, consecutive ones as 3-10."""
    start = 0
    for end in range(1, len(cards) + 1):
        if end == len(cards) or cards[end] != cards[end - 1] + 1:
            run = cards[start:end]
            yield f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0])
            start = end


def _table(board: Board, colour: Colour, paint: Paint) -> str:
    professor = f"[{COLOUR_LETTERS[colour]}]" if colour in board.professors else "   "
    return f"{_letter(colour, paint)}{board.hall[colour]:>2}{professor}"


def _characters(view: View, paint: Paint) -> str:
    texts = []
    for card in view.characters:
        lies = f" {_students(card.students, paint)}" if any(card.students) else ""
        tiles = f" ⊘×{card.no_entry}" if card.no_entry else ""
        used = ", in use" if view.active is card.character else ""
        texts.append(f"{paint(card.character.value, 'bold')} ({card.price}{used}){lies}{tiles}")
    return " Characters (price) " + "  ".join(texts)


# --- choices --------------------------------------------------------------------------------------------------------


def _words(view: View, action: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a choice, and the words that join them in the list of choices."""
    match action:
        case PlayAssistant(card=card):
            return (str(card),), ()
        case ToHall(colour=colour):
            return (_name(colour), "hall"), ("to",)
        case ToIsland(colour=colour, island=head):
            return (_name(colour), str(island_index(view, head))), ("to island",)
        case MoveMotherNature(steps=steps):
            return (str(steps),), ()
        case TakeCloud(cloud=cloud):
            return ("cloud", str(cloud)), ("",)
        case UseCharacter():
            return _use(view, action)
        case Swap(colour=colour, give=give):
            return (_name(colour), _name(give)), ("for",)
        case Done():
            return ("done",), ()
    return (str(action),), ()


def _use(view: View, use: UseCharacter) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words, between = [use.character.value], []
    if use.colour is not None:
        words.append(_name(use.colour))
        between.append("")
    if use.give is not None:
        words.append(_name(use.give))
        between.append("for")
    if use.island is not None:
        words.append(str(island_index(view, use.island)))
        between.append("on island")
    return tuple(words), tuple(between)


def _name(colour: Colour) -> str:
    return colour.name.lower()


def island_index(view: View, head: int) -> int:
    """Return the index of the island that contains a tile."""
    return next((index for index, island in enumerate(view.islands) if head in island.tiles), head)


def landing(view: View, steps: int) -> int:
    """Return the index of the island that mother nature reaches."""
    start = next((index for index, island in enumerate(view.islands) if island.mother_nature), 0)
    return (start + steps) % len(view.islands)


def choice_list(view: View, decision: Decision[Any], players: Players) -> list[Choice]:
    """Return the choices with their words."""
    return [Choice(action, *_words(view, action)) for action in decision.choices]


def choices(view: View, decision: Decision[Any], players: Players) -> str:
    """Return the choices in groups: assistants with their steps, steps with the island that they reach."""
    listed_choices = choice_list(view, decision, players)
    cards = [choice.action.card for choice in listed_choices if isinstance(choice.action, PlayAssistant)]
    walks = [choice.action.steps for choice in listed_choices if isinstance(choice.action, MoveMotherNature)]
    listed = lines(
        choice for choice in listed_choices if not isinstance(choice.action, PlayAssistant | MoveMotherNature)
    )
    if cards:
        listed.insert(0, "  card  " + "".join(f"{card:>3}" for card in cards))
        listed.insert(1, "  steps " + "".join(f"{assistant_steps(card):>3}" for card in cards))
    if walks:
        ways = ", ".join(f"{steps} (to island {landing(view, steps)})" for steps in walks)
        listed[:0] = paragraph(f"  {ways}", 2)
    return "\n".join(listed)


def question(view: View, decision: Decision[Any], players: Players) -> str:
    """Return the question, with an example of an answer."""
    more = f" ({view.moves - view.moved} to go)" if decision.kind == Kind.STUDENT else ""
    return f"{_QUESTIONS[Kind(decision.kind)]}{more}? (For example: {choice_list(view, decision, players)[0].typed})"


def parse(text: str, view: View, decision: Decision[Any], players: Players) -> Any:
    """Parse a choice by its words."""
    return find(text, choice_list(view, decision, players))


# --- changes ---------------------------------------------------------------------------------------------------------


def changes(before: View, after: View, action: Any, players: Players) -> list[str]:
    """Return the others' cards and students, mother nature's island, and gained professors and towers."""
    if len(before.boards) != len(after.boards):
        return []  # some boards were not known yet
    texts = [
        line
        for seat in range(len(after.boards))
        if seat != players.seat
        for line in _card_changes(before.boards[seat], after.boards[seat], players.name(seat))
    ]
    texts += _island_changes(before, after, action)
    if before.mother_nature != after.mother_nature and not isinstance(action, MoveMotherNature):
        texts.append(f"Mother nature is on island {island_index(after, after.mother_nature)}.")
    texts += _ownership_changes(before, after, players)
    return texts


def _card_changes(before: Board, after: Board, name: str) -> Iterator[str]:
    if after.card is not None and after.card != before.card:
        yield f"{name} plays assistant {after.card}."
    seated = [f"{now - was} {_name(colour)}" for colour, was, now in _pairs(before.hall, after.hall) if now > was]
    if seated:
        yield f"{name} seats {', '.join(seated)}."


def _pairs(before: Counts, after: Counts) -> Iterator[tuple[Colour, int, int]]:
    return zip(Colour, before, after, strict=True)


def _island_changes(before: View, after: View, action: Any) -> Iterator[str]:
    """Yield the students placed on islands; islands that cannot be matched are skipped."""
    for index, island in enumerate(after.islands):
        parts = [choice for choice in before.islands if set(choice.tiles) <= set(island.tiles)]
        if sum(len(choice.tiles) for choice in parts) != len(island.tiles):
            continue
        own = action.colour if isinstance(action, ToIsland) and action.island in island.tiles else None
        come = [
            f"{grown} {_name(colour)}"
            for colour, now in zip(Colour, island.students, strict=True)
            if (grown := now - sum(choice.students[colour] for choice in parts) - (colour is own)) > 0
        ]
        if come:
            yield f"Island {index} gets {', '.join(come)}."


def _ownership_changes(before: View, after: View, players: Players) -> Iterator[str]:
    """Yield sentences about professors gained and islands that changed owner."""
    for seat in range(len(after.boards)):
        won = [
            _name(colour)
            for colour, was, now in zip(Colour, before.professors, after.professors, strict=True)
            if now == seat != was
        ]
        if won:
            has = "You now have" if seat == players.seat else f"{players.name(seat)} now has"
            yield f"{has} the {' and '.join(won)} professor{'s' if len(won) > 1 else ''}."
    owners = {tile: island.side for island in before.islands for tile in island.tiles}
    for index, island in enumerate(after.islands):
        if island.side is not None and owners.get(island.tiles[0]) != island.side:
            yield f"Island {index} now has {TOWER_MARKS[after.sides[island.side].tower]} towers."
