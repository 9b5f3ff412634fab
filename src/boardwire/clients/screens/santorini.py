"""Santorini in a terminal: the board with levels, domes and workers, and the legal choices numbered.

A cell shows its level (a bar and a digit), a dome as ⌂, and a worker as its side's shape and its number.  Squares are
named file and rank, A5 at the top left.  Everything reads without colour.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.clients.paint import Paint
from boardwire.games.game import Decision, Illegal, Malformed
from boardwire.games.santorini import CATALOGUE, God, Kind, View
from boardwire.games.santorini import actions as do
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.squares import square_name
from boardwire.games.santorini.steps import format_step, parse_step

_LEVELS: Final = (" ·", "▁1", "▄2", "█3")
_SIDES: Final = "●▲◆★"
_COLOURS: Final = ("yellow", "cyan", "magenta", "green")
_WIDTH: Final = 9

_QUESTIONS: Final = {
    Kind.PROPOSE_GOD: "Which god joins the offer",
    Kind.PICK_GOD: "Which god is yours",
    Kind.NAME_START: "Whose owner begins",
    Kind.CHOOSE_START: "Who begins",
    Kind.PLACE_WORKER: "Where does your worker start",
    Kind.PLACE_RAM: "Where does the Ram stand",
    Kind.PREPARE: "What does your power need",
    Kind.OPEN: "Your turn: what first",
    Kind.GO_ON: "And now",
    Kind.BUILD_MORE: "More",
    Kind.CLOSE: "Before the turn ends",
    Kind.REPLY: "Your power asks",
    Kind.CHANCE: "What does luck deal",
}


def draw(view: View, decision: Decision[Any] | None, paint: Paint) -> str:
    """The board, the players with their gods, and the list of choices."""
    choices = tuple(decision.choices) if decision is not None else ()
    parts = [_players(view, paint), _board(view, choices, paint)]
    if choices:
        parts.append(_choices(choices, paint))
    return "\n".join(part for part in parts if part)


def _players(view: View, paint: Paint) -> str:
    lines = []
    for seat, god in enumerate(view.gods):
        side = seat % 2 if len(view.gods) == 4 else seat
        mark = "▶" if seat in view.waiting else "✗" if seat in view.out else " "
        power = "no god yet" if god is None else _god(god)
        lines.append(f" {mark} {paint(_SIDES[side], 'bold', _COLOURS[side])}  player {seat + 1}: {power}")
    return "\n".join(lines) + "\n"


def _god(god: God) -> str:
    if god is God.MORTAL:
        return "no power"
    return f"{CATALOGUE[god].name}: {CATALOGUE[god].text}"


def _board(view: View, choices: tuple[Any, ...], paint: Paint) -> str:
    numbers: dict[int, list[int]] = {}
    for number, action in enumerate(choices, 1):
        square = _target(action)
        if square is not None:
            numbers.setdefault(square, []).append(number)
    bar = "─" * _WIDTH
    lines = ["     " + "".join(f"{file:^{_WIDTH + 1}}" for file in "ABCDE"), f"    ┌{'┬'.join([bar] * 5)}┐"]
    for row in range(5):
        squares = range(row * 5, row * 5 + 5)
        lines.append(f"  {5 - row} │{'│'.join(_top(view, square, paint) for square in squares)}│")
        lines.append(f"    │{'│'.join(_bottom(numbers.get(square, []), paint) for square in squares)}│")
        lines.append(f"    ├{'┼'.join([bar] * 5)}┤" if row < 4 else f"    └{'┴'.join([bar] * 5)}┘")
    return "\n".join(lines)


def _top(view: View, square: int, paint: Paint) -> str:
    dome = "⌂" if square in view.domes else "■" if square in view.closed else " "
    level = _LEVELS[view.levels[square]]
    worker, side = "  ", 0
    for side_, workers in enumerate(view.workers):
        if square in workers:
            worker, side = f"{_SIDES[side_]}{workers.index(square) + 1}", side_
    shown = paint(worker, "bold", _COLOURS[side], *(["reverse"] if square == view.acting else []))
    return f" {paint(level, 'bold')}{paint(dome, 'bold', 'blue')}  {shown} "


def _bottom(numbers: list[int], paint: Paint) -> str:
    text = " ".join(map(str, numbers))
    if len(text) > _WIDTH - 2:
        text = f"{numbers[0]}…{numbers[-1]}"
    return paint(f"{f'[{text}]' if text else '':^{_WIDTH}}", "green") if text else " " * _WIDTH


def _target(action: Any) -> int | None:
    match action:
        case do.Move(to=square) | do.Force(to=square) | do.Build(at=square):
            return square
        case do.PlaceWorker(at=square) | do.PlaceToken(at=square) | do.Raze(at=square) | do.Banish(at=square):
            return square
        case do.Swap(other=square) | do.Bind(foe=square):
            return square
    return None


def label(action: Any) -> str:
    """A choice in words."""
    name = square_name
    match action:
        case do.Move(frm=frm, to=to):
            return f"{name(frm)} moves to {name(to)}"
        case do.Build(by=by, at=at, dome=dome):
            return f"{name(by)} {'puts a dome' if dome else 'builds'} on {name(at)}"
        case do.Force(frm=frm, to=to):
            return f"force {name(frm)} to {name(to)}"
        case do.Swap(one=one, other=other):
            return f"swap {name(one)} and {name(other)}"
        case do.Bind(own=own, foe=foe):
            return f"tie {name(own)} to {name(foe)}"
        case do.Raze(at=at):
            return f"take blocks from {name(at)}"
        case do.Banish(at=at):
            return f"remove the worker on {name(at)}"
        case do.PlaceWorker(at=at):
            return f"worker on {name(at)}"
        case do.PlaceToken(at=at):
            return f"token on {name(at)}"
        case do.Aim(direction=direction):
            return "take it back" if direction is None else f"towards {DIRECTIONS[direction]}"
        case do.ProposeGod(god=god) | do.PickGod(god=god) | do.NameStart(god=god) | do.DealGod(god=god):
            return _god(god)
        case do.ChooseStart(seat=seat):
            return f"player {seat + 1}"
        case do.Use():
            return "use your power"
        case do.Done():
            return "no more"
    return format_step(action)


def _choices(choices: tuple[Any, ...], paint: Paint) -> str:
    texts = [f"{number:>3}) {label(action)}" for number, action in enumerate(choices, 1)]
    width = max(map(len, texts)) + 2
    columns = max(1, min(4, 100 // width))
    rows = [texts[start : start + columns] for start in range(0, len(texts), columns)]
    return "\n" + "\n".join("".join(f"{text:<{width}}" for text in row).rstrip() for row in rows)


def question(view: View, decision: Decision[Any]) -> str:
    """What is asked, and how it can be answered."""
    choices = tuple(decision.choices)
    ways = f"A number from 1 to {len(choices)}" if len(choices) > 1 else "1"
    step = next((action for action in choices if isinstance(action, do.Move | do.Build)), None)
    if step is not None:  # the notation of the rest is for files; nobody types it
        ways += f", or a step like {format_step(step)}"
    return f"{_QUESTIONS[Kind(decision.kind)]}? {ways}:"


def parse(text: str, view: View, decision: Decision[Any]) -> Any:
    """A choice by its number, or by its notation."""
    choices = tuple(decision.choices)
    if text.isascii() and text.isdigit():
        if not 1 <= int(text) <= len(choices):
            raise Illegal(f"There is no choice {text}; choices go from 1 to {len(choices)}.")
        return choices[int(text) - 1]
    try:
        action = parse_step(text)
    except Malformed:
        raise Malformed("Type the number of a choice, or a step like B3>C3 (move) or C3^B2 (build).") from None
    if action not in choices:
        raise Illegal(f"{text} is not among your choices.")
    return action
