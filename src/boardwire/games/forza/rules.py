"""The rules of Forza Quattro (Connect Four).

- The board has seven columns and six rows. Columns are numbered 0 to 6 from left to right, cells 0 to 41 from left to
  right and top to bottom. Seat 0 moves first; the seats alternate. A disc falls to the lowest free cell of its column.
- Four discs of a seat in a row, vertical, horizontal or diagonal, win at once, even if the last free cell completes
  them. A full board without four in a row is a draw.
- A player who forfeits loses; an absent player passes.

A set of cells is a bit mask: each column has seven bits, six for its cells from the bottom up and one above them that
stays empty, so that no line runs from the top of a column into the bottom of the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from boardwire.errors import Illegal, Objection, Reason, Refused
from boardwire.games.game import Decision, Outcome, Seat, objection_of_apply

name: Final = "forza"
rules: Final = 1
seat_counts: Final = (2,)
views_differ: Final = False
draws: Final = True

Action: TypeAlias = int
"""The column to drop a disc into, 0 to 6."""

COLUMNS: Final = 7
ROWS: Final = 6
STEPS: Final = (1, ROWS + 1, ROWS, ROWS + 2)
"""Distance in bits to the next cell of a line: vertical, horizontal, falling, rising."""
BITS: Final = tuple(1 << cell % COLUMNS * (ROWS + 1) + ROWS - 1 - cell // COLUMNS for cell in range(COLUMNS * ROWS))
"""The bit of each cell."""
BOTTOMS: Final = tuple(1 << column * (ROWS + 1) for column in range(COLUMNS))
_TOPS: Final = tuple(bottom << ROWS - 1 for bottom in BOTTOMS)
BOARD: Final = sum(BITS)


class Termination(StrEnum):
    """How a match can end."""

    LINE = "line"
    FULL_BOARD = "full board"
    FORFEIT = "forfeit"


class Rule(StrEnum):
    """Why a disc cannot be dropped."""

    NOWHERE = "nowhere"
    FULL = "full"


class Kind(StrEnum):
    """The kinds of decision."""

    DROP = "drop"


class Position(msgspec.Struct, frozen=True, gc=False):
    """The discs of each seat as bit masks, and the seat that gave up; `passed`: the number of passes is odd."""

    discs: tuple[int, int] = (0, 0)
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


class Dropped(msgspec.Struct, frozen=True, gc=False, tag="dropped"):
    """`seat` dropped a disc into `column`, which fell to `cell`; `line` has the cells of all lines that won."""

    seat: Seat
    column: int
    cell: int
    line: tuple[int, ...] = ()


class Forfeited(msgspec.Struct, frozen=True, tag="forfeited"):
    """`seat` gave up."""

    seat: Seat


class Passed(msgspec.Struct, frozen=True, tag="passed"):
    """`seat` was absent, and its turn passed."""

    seat: Seat


Event: TypeAlias = Dropped | Forfeited | Passed


def is_standard(options: Options) -> bool:
    """Return whether the match starts with an empty board."""
    return options.start is None


def settle(options: Options, wishes: Sequence[Wish | None]) -> Options:
    """Return the options unchanged."""
    return options


def new(options: Options, seats: int) -> Position:
    """Return an empty board, or the start position of the options."""
    if seats != 2:
        raise Illegal(f"Forza Quattro is for 2 players, not {seats}")
    return Position() if options.start is None else _checked(options.start)


def _checked(start: Position) -> Position:
    """Return a start position; raise `Illegal` if no match can have it or it is finished."""
    first, second = start.discs
    taken = first | second
    if first < 0 or second < 0 or first & second or taken & ~BOARD or not is_stacked(taken):
        raise Illegal(
            f"Forza Quattro cannot start from the discs {first} and {second}: every disc must lie on another disc or on"
            " the bottom row, and no cell has two"
        )
    if pending(start) is None:
        raise Illegal("a match cannot start from a finished position")
    return start


def is_stacked(taken: int) -> bool:
    """Return whether every disc lies on another disc or on the bottom row."""
    return all(taken >> 1 & bit == 0 or taken & bit for bit in BITS)


def begin_at(position: Position) -> Options:
    """Return the options of a match that starts from this position."""
    return Options(position)


def pending(position: Position) -> Decision[Action] | None:
    """Return the seat to move, with the columns that are not full."""
    first, second = position.discs
    taken = first | second
    if position.forfeited is not None or taken == BOARD or wins(first) or wins(second):
        return None
    return Decision(Kind.DROP, (turn_of(position),), open_columns(taken))


def turn_of(position: Position) -> Seat:
    """Return the seat to move; if the match is over, the seat that would move next."""
    first, second = position.discs
    return ((first | second).bit_count() + position.passed) % 2


def open_columns(taken: int) -> tuple[int, ...]:
    """Return the columns that are not full."""
    return tuple(column for column, top in enumerate(_TOPS) if not taken & top)


def lowest(taken: int, column: int) -> int:
    """Return the bit of the lowest free cell of a column that is not full."""
    return (taken + BOTTOMS[column]) & ~taken & (_TOPS[column] * 2 - BOTTOMS[column])


def wins(discs: int) -> bool:
    """Return whether four of these discs are in a row."""
    for step in STEPS:  # noqa: SIM110 - bots call this for every board they examine, and `any` takes twice as long
        if starts(discs, step):
            return True
    return False


def starts(discs: int, step: int) -> int:
    """Return the first cells of all lines of four in the direction `step`."""
    pairs = discs & discs >> step
    return pairs & pairs >> 2 * step


def apply(position: Position, seat: Seat, action: Action) -> tuple[Position, tuple[Event, ...]]:
    """Drop a disc into a column."""
    decision = pending(position)
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats:
        raise Refused("it is {}'s turn", decision.seats[0], reason=Reason.NOT_YOUR_TURN)
    if type(action) is not int or not 0 <= action < COLUMNS:
        raise Illegal(f"there is no column {action}; columns are 0 to {COLUMNS - 1}").by(Rule.NOWHERE)
    if action not in decision.choices:
        raise Illegal(f"column {action} is full").by(Rule.FULL)
    first, second = position.discs
    disc = lowest(first | second, action)
    discs = (first | disc, second) if seat == 0 else (first, second | disc)
    return Position(discs, None, position.passed), (
        Dropped(seat, action, BITS.index(disc), _winning_cells(discs[seat])),
    )


def objection(position: Position, seat: Seat, action: Action) -> Objection | None:
    """Return the rule that forbids dropping a disc into a column, or None."""
    return objection_of_apply(apply, position, seat, action)


def _winning_cells(discs: int) -> tuple[int, ...]:
    """Return the cells of all lines of four."""
    cells = 0
    for step in STEPS:
        first = starts(discs, step)
        cells |= first | first << step | first << 2 * step | first << 3 * step
    return tuple(cell for cell, bit in enumerate(BITS) if cells & bit)


def forfeit(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Give up: the other seat wins."""
    if pending(position) is None:
        raise Refused("the match is over", reason=Reason.OVER)
    return Position(position.discs, seat, position.passed), (Forfeited(seat),)


def skip(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Pass: the other seat moves."""
    decision = pending(position)
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats:
        raise Refused("it is the other player's turn", reason=Reason.NOT_YOUR_TURN)
    return Position(position.discs, None, not position.passed), (Passed(seat),)


def sides(position: Position) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats that have not given up."""
    return tuple((seat,) for seat in range(2) if seat != position.forfeited)


def view(position: Position, seat: Seat | None) -> View:
    """Return the whole board: nothing is hidden."""
    first, second = position.discs
    cells = tuple(0 if first & bit else 1 if second & bit else None for bit in BITS)
    return View(cells, None if pending(position) is None else turn_of(position))


def show(event: Event, seat: Seat | None) -> Event | None:
    """Return the event: nothing is hidden."""
    return event


def conceals(position: Position, seat: Seat, action: Action) -> bool:
    """Return False: nothing is hidden."""
    return False


def outcome(position: Position) -> Outcome | None:
    """Return the winner by four in a row or a forfeit, or a draw on a full board."""
    first, second = position.discs
    if wins(first):
        return Outcome(Termination.LINE, (0,))
    if wins(second):
        return Outcome(Termination.LINE, (1,))
    if position.forfeited is not None:
        return Outcome(Termination.FORFEIT, (1 - position.forfeited,))
    return Outcome(Termination.FULL_BOARD) if first | second == BOARD else None
