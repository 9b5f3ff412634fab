"""A game for tests of tables: up to three seats, elimination, chance, and wishes that can conflict.

In turn, each seat steps forward by one (`STEP`), does so and moves again (`HOP`), draws 1 to 3 steps (`LUCK`), or drops
out (`DROP`).  The player who brings the common total to the goal wins, and so does the last one left.

Its functions raise unexpected exceptions while they are `broken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from boardwire.errors import Illegal, Objection, Refused
from boardwire.games.game import CHANCE, Card, Decision, Idle, Outcome, Seat, objection_of_apply

name: Final = "toy"
rules: Final = 1
seat_counts: Final = (2, 3)
views_differ: Final = False
draws: Final = True

DROP, STEP, LUCK, HOP = 0, 1, 2, 3
ROLLS: Final = (11, 12, 13)
Action: TypeAlias = int


BREAKABLE: Final = ("settle", "new", "pending", "apply", "forfeit", "skip", "sides", "outcome")
_broken: tuple[str, ...] = ()


@contextmanager
def broken(*functions: str) -> Iterator[None]:
    """Break these functions within a context."""
    global _broken
    before, _broken = _broken, functions
    try:
        yield
    finally:
        _broken = before


def _check(function: str) -> None:
    if function in _broken:
        raise KeyError(function)


class Kind(StrEnum):
    """Kinds of decisions."""

    MOVE = "move"
    ROLL = "roll"


class Termination(StrEnum):
    """Ends of a match."""

    GOAL = "goal"
    LAST = "last"


class Rule(StrEnum):
    """Rules that forbid an action."""

    NOT_OFFERED = "not offered"


class Options(msgspec.Struct, frozen=True):
    """Distance to the goal, and the colour of each seat once settled."""

    goal: int = 9
    colours: tuple[str, ...] = ()


class Wish(msgspec.Struct, frozen=True):
    """A colour that no other player may have."""

    colour: str


class Position(msgspec.Struct, frozen=True):
    """The seat to move, the total, the eliminated seats, and whether a draw is pending."""

    goal: int
    out: tuple[bool, ...]
    turn: Seat = 0
    total: int = 0
    rolling: bool = False


class View(msgspec.Struct, frozen=True):
    """Nothing is hidden."""

    total: int
    turn: Seat | None


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """The total grew."""

    seat: Seat
    steps: int


class Dropped(msgspec.Struct, frozen=True, tag="dropped"):
    """A seat is out."""

    seat: Seat


Event: TypeAlias = Moved | Dropped


def is_standard(options: Options) -> bool:
    """Return whether the goal takes more than one move."""
    return options.goal > 1


def settle(options: Options, wishes: Sequence[Wish | None]) -> Options:
    """Give every player its colour."""
    _check("settle")
    colours = [wish.colour for wish in wishes if wish is not None]
    if len(set(colours)) != len(colours):
        raise Refused("two players want the same colour")
    return Options(options.goal, tuple(colours))


def new(options: Options, seats: int) -> Position:
    """Return the initial position."""
    _check("new")
    if options.goal < 1:
        raise Illegal("the goal must be at least 1")
    return Position(options.goal, (False,) * seats)


def pending(position: Position) -> Decision[Action] | None:
    """Return the decision of chance if a draw is pending, otherwise of the seat to move."""
    _check("pending")
    if outcome(position) is not None:
        return None
    if position.rolling:
        return Decision(Kind.ROLL, (CHANCE,), ROLLS)
    return Decision(Kind.MOVE, (position.turn,), (DROP, STEP, LUCK, HOP))


def apply(position: Position, seat: Seat, action: Action) -> tuple[Position, tuple[Event, ...]]:
    """Apply a move or a draw."""
    _check("apply")
    decision = pending(position)
    if decision is None:
        raise Refused("the match is over")
    if seat not in decision.seats:
        raise Refused("it is somebody else's turn")
    if action not in decision.choices:
        raise Illegal(f"{action} cannot be done").by(Rule.NOT_OFFERED)
    if action == DROP:
        return forfeit(position, seat)
    if action == LUCK:
        return msgspec.structs.replace(position, rolling=True), ()
    steps = 1 if action in (STEP, HOP) else action - 10
    total = position.total + steps
    stays = action == HOP or total >= position.goal
    turn = position.turn if stays else _next(position.out, position.turn)
    return Position(position.goal, position.out, turn, total), (Moved(position.turn, steps),)


def _next(out: tuple[bool, ...], turn: Seat) -> Seat:
    places = [(turn + step) % len(out) for step in range(1, len(out) + 1)]
    return next(place for place in places if not out[place])


def objection(position: Position, seat: Seat, action: Action) -> Objection | None:
    """Return the rule that forbids an action."""
    return objection_of_apply(apply, position, seat, action)


def forfeit(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Eliminate the seat; if it was to move, the next one moves."""
    _check("forfeit")
    if outcome(position) is not None or position.out[seat]:
        raise Refused("it is out already")
    out = tuple(gone or place == seat for place, gone in enumerate(position.out))
    turn = _next(out, seat) if position.turn == seat else position.turn
    return Position(position.goal, out, turn, position.total), (Dropped(seat),)


def skip(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Pass the turn to the next seat."""
    _check("skip")
    decision = pending(position)
    if decision is None or seat not in decision.seats or seat == CHANCE:
        raise Refused("it is somebody else's turn")
    return msgspec.structs.replace(position, turn=_next(position.out, position.turn)), (Moved(seat, 0),)


def sides(position: Position) -> tuple[tuple[Seat, ...], ...]:
    """Each seat is a side."""
    _check("sides")
    return tuple((seat,) for seat, gone in enumerate(position.out) if not gone)


def view(position: Position, seat: Seat | None) -> View:
    """The same for all."""
    return View(position.total, None if outcome(position) else position.turn)


def show(event: Event, seat: Seat | None) -> Event | None:
    """The same for all."""
    return event


def conceals(position: Position, seat: Seat, action: Action) -> bool:
    """Nothing is hidden."""
    return False


def outcome(position: Position) -> Outcome | None:
    """Return the outcome if the goal is reached or one seat is left."""
    _check("outcome")
    if position.total >= position.goal:
        return Outcome(Termination.GOAL, (position.turn,))
    left = [seat for seat, gone in enumerate(position.out) if not gone]
    return Outcome(Termination.LAST, (left[0],)) if len(left) == 1 else None


cards: Final[Sequence[Card]] = ()


def explain(card: Card | None = None) -> Sequence[str]:
    """Return the rules in words."""
    return "Toy, for 2 or 3 players.", "Step forward; whoever reaches the goal wins."


def format_action(action: Action) -> str:
    """Return the number of an action."""
    return str(action)


def parse_action(text: str) -> Action:
    """Return the action with that number."""
    return int(text)


def format_position(position: Position) -> str:
    """Refuse: positions have no notation."""
    raise Refused("a toy has no notation of positions")


def parse_position(text: str) -> Position:
    """Refuse: positions have no notation."""
    raise Refused("a toy has no notation of positions")


def format_match(players: Sequence[str], options: Options, steps: Iterable[tuple[Seat, Action | Idle]]) -> None:
    """Return a line for each step."""
    return
