"""Text screen of Santorini: the board with levels, domes and workers, and the choices below it.

A cell shows its level (a bar and a digit), a dome as ⌂, and a worker as its side's shape and its number; [+] marks the
targets of choices. Squares are named by file and rank, A5 at the top left. Colours are never needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini import CATALOGUE, God, Kind, View
from boardwire.games.santorini import actions as do
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.squares import square_name
from boardwire.games.santorini.steps import format_action, parse_action
from boardwire.terminal.choices import Choice, columns, find, lines, paragraph
from boardwire.terminal.colours import Paint

LEVEL_MARKS: Final = (" ·", "▁1", "▄2", "█3")
SIDE_MARKS: Final = "●▲◆★"
_COLOURS: Final = ("yellow", "cyan", "magenta", "green")
_WIDTH: Final = 13
_MAX_DESCRIBED_GODS: Final = 5
"""Gods that are listed with their rules; more are listed by name."""

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

_NAMES_A_GOD: Final = (do.ProposeGod, do.PickGod, do.NameStart, do.DealGod)


# --- the board --------------------------------------------------------------------------------------------------------


def draw(view: View, decision: Decision[Any] | None, players: Players, paint: Paint) -> str:
    """Return the players with their gods, and the board; with more than two players, only the own god's rule."""
    targets = {_target(action) for action in decision.choices} if decision is not None else set()
    return f"{_players(view, players, paint)}\n{_board(view, targets, paint)}"


def _players(view: View, players: Players, paint: Paint) -> str:
    texts = []
    for seat, god in enumerate(view.gods):
        side = _side(view, seat)
        mark = "▶" if seat in view.waiting else "✗" if seat in view.out else " "
        you = " (you)" if seat == players.seat else ""
        in_full = len(view.gods) <= 2 or seat == players.seat
        power = "no god yet" if god is None else god_text(god) if in_full else _god_name(god)
        first, *more = paragraph(f" {mark} {SIDE_MARKS[side]} {players.name(seat)}{you}: {power}", 5)
        texts += [first.replace(SIDE_MARKS[side], paint(SIDE_MARKS[side], "bold", _COLOURS[side]), 1), *more]
    return "\n".join(texts)


def _side(view: View, seat: Seat) -> int:
    return seat % 2 if len(view.gods) == 4 else seat


def god_text(god: God) -> str:
    """Return a god's name and rule."""
    return _god_name(god) if god is God.MORTAL else f"{CATALOGUE[god].name}. {CATALOGUE[god].text}"


def _god_name(god: God) -> str:
    return "no power" if god is God.MORTAL else CATALOGUE[god].name


def _board(view: View, targets: set[int | None], paint: Paint) -> str:
    bar = "─" * _WIDTH
    rows = [("    " + "".join(f"{file:^{_WIDTH + 1}}" for file in "ABCDE")).rstrip(), f"   ┌{'┬'.join([bar] * 5)}┐"]
    for row in range(5):
        squares = range(row * 5, row * 5 + 5)
        rows.append(f" {5 - row} │{'│'.join(_cell(view, square, square in targets, paint) for square in squares)}│")
        rows.append(f"   ├{'┼'.join([bar] * 5)}┤" if row < 4 else f"   └{'┴'.join([bar] * 5)}┘")
    return "\n".join(rows)


def _cell(view: View, square: int, target: bool, paint: Paint) -> str:
    dome = "⌂" if square in view.domes else "■" if square in view.closed else " "
    worker, side = "  ", 0
    for side_, workers in enumerate(view.workers):
        if square in workers:
            worker, side = f"{SIDE_MARKS[side_]}{workers.index(square) + 1}", side_
    shown = paint(worker, "bold", _COLOURS[side], *(["reverse"] if square == view.acting else []))
    mark = paint("[+]", "green") if target else "   "
    return f" {paint(LEVEL_MARKS[view.levels[square]], 'bold')}{paint(dome, 'bold', 'blue')} {shown}  {mark} "


def _target(action: Any) -> int | None:
    match action:
        case do.Move(to=square) | do.Force(to=square) | do.Build(at=square):
            return square
        case do.PlaceWorker(at=square) | do.PlaceToken(at=square) | do.Raze(at=square) | do.Banish(at=square):
            return square
        case do.Swap(other=square) | do.Bind(foe=square):
            return square
    return None


# --- choices ----------------------------------------------------------------------------------------------------------


def _words(action: Any, players: Players) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a choice, and the words that join them in the list of choices."""
    name = square_name
    match action:
        case do.Move(frm=frm, to=to):
            return (name(frm), name(to)), ("to",)
        case do.Build(by=by, at=at, dome=False):
            return (name(by), "builds", name(at)), ("", "on")
        case do.Build(by=by, at=at):
            return (name(by), "dome", name(at)), ("puts a", "on")
        case do.Force(frm=frm, to=to):
            return ("force", name(frm), name(to)), ("", "to")
        case do.Swap(one=one, other=other):
            return ("swap", name(one), name(other)), ("", "and")
        case do.Bind(own=own, foe=foe):
            return ("tie", name(own), name(foe)), ("", "to")
        case do.Raze(at=at):
            return ("take", name(at)), ("blocks from",)
        case do.Banish(at=at):
            return ("remove", name(at)), ("the worker on",)
        case do.PlaceWorker(at=at) | do.PlaceToken(at=at):
            return (name(at),), ()
        case do.Aim(direction=direction):
            return ("back",) if direction is None else (DIRECTIONS[direction],), ()
        case do.ProposeGod(god=god) | do.PickGod(god=god) | do.NameStart(god=god) | do.DealGod(god=god):
            return (_god_name(god),), ()
        case do.ChooseStart(seat=seat):
            return (players.name(seat),), ()
        case do.Use():
            return ("power",), ()
        case do.Done():
            return ("done",), ()
    return (format_action(action),), ()


def choice_list(view: View, decision: Decision[Any], players: Players) -> list[Choice]:
    """Return the choices with their words."""
    return [Choice(action, *_words(action, players)) for action in decision.choices]


def choices(view: View, decision: Decision[Any], players: Players) -> str:
    """Return the choices in groups."""
    actions = list(decision.choices)
    if not all(isinstance(action, _NAMES_A_GOD) for action in actions):
        return "\n".join(lines(choice_list(view, decision, players)))
    gods = [action.god for action in actions]
    if len(gods) <= _MAX_DESCRIBED_GODS:
        return "\n".join(line for god in gods for line in paragraph(f"  {god_text(god)}", 4))
    return "\n".join(columns([choice.typed for choice in choice_list(view, decision, players)]))


def question(view: View, decision: Decision[Any], players: Players) -> str:
    """Return the question, with an example of an answer."""
    listed = choice_list(view, decision, players)
    first = next((choice for choice in listed if _is_step(choice) and _is_unique(choice, listed)), listed[0])
    examples = first.typed
    if _is_step(first) and _is_unique(first, listed):
        examples += f", or just {first.words[-1]}"
    elif isinstance(first.action, _NAMES_A_GOD) and len(listed) > _MAX_DESCRIBED_GODS:
        examples += f", or help {first.typed}"
    return f"{_QUESTIONS[Kind(decision.kind)]}? (For example: {examples})"


def _is_step(choice: Choice) -> bool:
    return isinstance(choice.action, do.Move | do.Build)


def _is_unique(choice: Choice, choices: list[Choice]) -> bool:
    """Return whether the last word of a choice, its square, identifies it."""
    return sum(choice.words[-1] in other.words for other in choices) == 1


def parse(text: str, view: View, decision: Decision[Any], players: Players) -> Any:
    """Parse a choice by its words or its notation."""
    try:
        action = parse_action(text)
    except Malformed:
        return find(text, choice_list(view, decision, players))
    if action not in decision.choices:
        raise Illegal(f"{text} is not among your choices.")
    return action


# --- changes ---------------------------------------------------------------------------------------------------------


def changes(before: View, after: View, action: Any, players: Players) -> list[str]:
    """Return the gods that became known, the moves and the builds."""
    mine = _side(after, players.seat) if players.seat is not None else None
    return [
        *(
            f"{players.name(seat)} plays {CATALOGUE[god].name}."
            for seat, god in enumerate(after.gods)
            if god not in (None, God.MORTAL) and before.gods[seat] is None and seat != players.seat
        ),
        *(
            line
            for side in range(len(after.workers))
            for line in _move_lines(before, after, side, mine, action, players)
        ),
        *_build_lines(before, after, action, players),
    ]


def _move_lines(before: View, after: View, side: int, mine: int | None, action: Any, players: Players) -> Iterator[str]:
    """Yield the moves of a side; protocols do not identify workers, so their squares are compared."""
    if side >= len(before.workers):
        return
    left = [at for at in before.workers[side] if at not in after.workers[side]]
    come = [at for at in after.workers[side] if at not in before.workers[side]]
    if side == mine:
        if isinstance(action, do.Move | do.PlaceWorker) or len(left) != 1 or len(come) != 1:
            return
        yield f"Your worker on {square_name(left[0])} is now on {square_name(come[0])}."
        return
    who = " and ".join(players.name(seat) for seat in range(len(after.gods)) if _side(after, seat) == side)
    vacated_squares = [at for at in left if at >= 0]
    here = [at for at in come if at >= 0]
    if len(vacated_squares) == len(here):
        yield from (
            f"{who} moves {square_name(a)} to {square_name(b)}." for a, b in zip(vacated_squares, here, strict=True)
        )
    elif here:
        yield f"{who} has workers on {', '.join(map(square_name, here))}."
    elif vacated_squares:
        yield f"{who} has lost workers on {', '.join(map(square_name, vacated_squares))}."


def _build_lines(before: View, after: View, action: Any, players: Players) -> Iterator[str]:
    others = [seat for seat in range(len(after.gods)) if seat != players.seat]
    who = f"{players.name(others[0])} builds on" if len(others) == 1 else "Built:"
    own = action.at if isinstance(action, do.Build) else -1
    for square, level in enumerate(after.levels):
        grown = level - before.levels[square] + (square in after.domes) - (square in before.domes)
        if grown - (square == own) > 0:
            what = "dome" if square in after.domes and square not in before.domes else f"level {level}"
            yield f"{who} {square_name(square)} ({what})."
