"""The rules of Tris.

- Cells are numbered 0 to 8, left to right and top to bottom. Seat 0 moves first; the seats alternate.
- Three marks of a seat in a row, column or diagonal win at once, even if the ninth mark completes them. A full board
  without a line is a draw.
- A player who forfeits loses; an absent player passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from boardwire.errors import Illegal, Objection, Reason, Refused
from boardwire.games.game import Decision, Outcome, Seat, objection_of_apply

name: Final = "tris"
rules: Final = 1
seat_counts: Final = (2,)
views_differ: Final = False
draws: Final = True

Action: TypeAlias = int
"""The cell to mark, 0 to 8."""

CELLS: Final = tuple(range(9))
FULL: Final = 0b111_111_111
LINES: Final = (
    0b000_000_111, 0b000_111_000, 0b111_000_000,
    0b001_001_001, 0b010_010_010, 0b100_100_100,
    0b100_010_001, 0b001_010_100,
)  # fmt: skip

_WINS: Final = tuple(any(marks & line == line for line in LINES) for marks in range(FULL + 1))
_FREE: Final = tuple(tuple(cell for cell in CELLS if not taken >> cell & 1) for taken in range(FULL + 1))


class Termination(StrEnum):
    """How a match can end."""

    LINE = "line"
    FULL_BOARD = "full board"
    FORFEIT = "forfeit"


class Rule(StrEnum):
    """Why a cell cannot be marked."""

    NOWHERE = "nowhere"
    TAKEN = "taken"


class Kind(StrEnum):
    """The kinds of decision."""

    MARK = "mark"


class Position(msgspec.Struct, frozen=True, gc=False):
    """The marks of each seat as bit masks, and the seat that gave up; `passed`: the number of passes is odd."""

    marks: tuple[int, int] = (0, 0)
    forfeited: Seat | None = None
    passed: bool = False


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """The position at the start; None: an empty board."""

    start: Position | None = None


class Wish(msgspec.Struct, frozen=True):
    """Wish of a seat: there is nothing to wish for."""


class View(msgspec.Struct, frozen=True):
    """The seat that owns each cell (None: free), and the seat to move (None: over). Nothing is hidden."""

    cells: tuple[Seat | None, ...]
    turn: Seat | None


class Marked(msgspec.Struct, frozen=True, gc=False, tag="marked"):
    """`seat` marked `cell`; `line` is the three cells if that won."""

    seat: Seat
    cell: int
    line: tuple[int, ...] = ()


class Forfeited(msgspec.Struct, frozen=True, tag="forfeited"):
    """`seat` gave up."""

    seat: Seat


class Passed(msgspec.Struct, frozen=True, tag="passed"):
    """`seat` was absent, and its turn passed."""

    seat: Seat


Event: TypeAlias = Marked | Forfeited | Passed

_DECISIONS: Final = tuple(
    tuple(
        Decision(Kind.MARK, ((taken.bit_count() + passed) % 2,), _FREE[taken]) if taken != FULL else None
        for taken in range(FULL + 1)
    )
    for passed in range(2)
)
"""All decisions by `passed` and by the taken cells."""


def is_standard(options: Options) -> bool:
    """Return whether the match starts with an empty board."""
    return options.start is None


def settle(options: Options, wishes: Sequence[Wish | None]) -> Options:
    """Return the options unchanged."""
    return options


def new(options: Options, seats: int) -> Position:
    """Return an empty board, or the start position of the options."""
    if seats != 2:
        raise Illegal(f"Tris is for 2 players, not {seats}")
    return Position() if options.start is None else _checked(options.start)


def _checked(start: Position) -> Position:
    """Return a start position; raise `Illegal` if it is inconsistent or finished."""
    first, second = start.marks
    if not (0 <= first <= FULL and 0 <= second <= FULL) or first & second:
        raise Illegal(
            f"Tris cannot start from the marks {first} and {second}: each of the nine cells has at most one mark"
        )
    if pending(start) is None:
        raise Illegal("a match cannot start from a finished position")
    return start


def has_line(marks: int) -> bool:
    """Return whether three of these marks are in a line."""
    return _WINS[marks]


def turn_of(position: Position) -> Seat:
    """Return the seat to move; if the match is over, the seat that would move next."""
    first, second = position.marks
    return ((first | second).bit_count() + position.passed) % 2


def begin_at(position: Position) -> Options:
    """Return the options of a match that starts from this position."""
    return Options(position)


def pending(position: Position) -> Decision[Action] | None:
    """Return the seat to move, with the free cells."""
    first, second = position.marks
    if _WINS[first] or _WINS[second] or position.forfeited is not None:
        return None
    return _DECISIONS[position.passed][first | second]


def apply(position: Position, seat: Seat, action: Action) -> tuple[Position, tuple[Event, ...]]:
    """Mark a free cell."""
    decision = pending(position)
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats:
        raise Refused("it is {}'s turn", decision.seats[0], reason=Reason.NOT_YOUR_TURN)
    if type(action) is not int or action not in CELLS:
        raise Illegal(f"there is no cell {action}; cells are 0 to 8").by(Rule.NOWHERE)
    if action not in decision.choices:
        raise Illegal(f"cell {action} is taken").by(Rule.TAKEN)
    seat_marks = position.marks[seat] | 1 << action
    marks = (seat_marks, position.marks[1]) if seat == 0 else (position.marks[0], seat_marks)
    return Position(marks, None, position.passed), (Marked(seat, action, _winning_cells(seat_marks)),)


def objection(position: Position, seat: Seat, action: Action) -> Objection | None:
    """Return the rule that forbids marking a cell, or None."""
    return objection_of_apply(apply, position, seat, action)


def _winning_cells(marks: int) -> tuple[int, ...]:
    """Return the cells of a completed line, or an empty tuple."""
    if not _WINS[marks]:
        return ()
    return next(tuple(cell for cell in CELLS if line >> cell & 1) for line in LINES if marks & line == line)


def forfeit(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Give up: the other seat wins."""
    if pending(position) is None:
        raise Refused("the match is over", reason=Reason.OVER)
    return Position(position.marks, seat, position.passed), (Forfeited(seat),)


def skip(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Pass: the other seat moves."""
    decision = pending(position)
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats:
        raise Refused("it is the other player's turn", reason=Reason.NOT_YOUR_TURN)
    return Position(position.marks, None, not position.passed), (Passed(seat),)


def sides(position: Position) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats that have not given up."""
    return tuple((seat,) for seat in range(2) if seat != position.forfeited)


def view(position: Position, seat: Seat | None) -> View:
    """Return the whole board: nothing is hidden."""
    return _view(position)


@lru_cache(maxsize=4096)  # a match can reach 5,478 boards
def _view(position: Position) -> View:
    first, second = position.marks
    owners = tuple(0 if first >> cell & 1 else 1 if second >> cell & 1 else None for cell in CELLS)
    decision = pending(position)
    return View(owners, decision.seats[0] if decision else None)


def show(event: Event, seat: Seat | None) -> Event | None:
    """Return the event: nothing is hidden."""
    return event


def conceals(position: Position, seat: Seat, action: Action) -> bool:
    """Return False: nothing is hidden."""
    return False


def outcome(position: Position) -> Outcome | None:
    """Return the winner by a line or a forfeit, or a draw on a full board."""
    first, second = position.marks
    if _WINS[first]:
        return Outcome(Termination.LINE, (0,))
    if _WINS[second]:
        return Outcome(Termination.LINE, (1,))
    if position.forfeited is not None:
        return Outcome(Termination.FORFEIT, (1 - position.forfeited,))
    return Outcome(Termination.FULL_BOARD) if first | second == FULL else None
