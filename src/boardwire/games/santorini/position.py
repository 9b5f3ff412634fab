"""The full state of a match, and the small edits that every rule is made of.

A position is an immutable value.  The board is three sets of squares, those with at least one, two and three blocks,
and apart from them the set of domes, because a dome on low ground is not a complete tower [1.1].  Workers
have an identity: `workers[side][n]` is the square of worker n of a side, or `OFF`.  A side is what shares workers: a
seat, or a team of two.  What may be done is in `decision`, which is worked out with the position since a player who can
do nothing has lost.  Nothing here knows a rule: whether an edit is legal is for others to say.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from boardwire.games.game import Decision, Outcome, Seat
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.board import ALL, squares_of
from boardwire.games.santorini.options import Options
from boardwire.games.santorini.powers.catalogue import God

if TYPE_CHECKING:
    from boardwire.games.santorini.lineup import Lineup
    from boardwire.games.santorini.stages import SetupStage

Side: TypeAlias = int
Memo: TypeAlias = tuple[int, ...]
"""What a power remembers from turn to turn: a few small numbers whose meaning its class states."""

Workers: TypeAlias = tuple[tuple[int, ...], ...]
"""The squares of every side's workers, in the order of their numbers."""

OFF: Final = -1
"""The square of a worker that is not on the board."""


class Stage(IntEnum):
    """How far a turn has come."""

    OPEN = 0  # nothing done, or only what a power does before moving
    MOVED = 1  # moved; more moves if a power allows, then a build
    BUILT = 2  # built; more builds if a power allows
    CLOSE = 3  # what a power does at the end of the turn
    END = 4  # all done, its effects still to come
    OVER = 5  # effects done; the next turn can begin


OPEN, MOVED, BUILT, CLOSE, END, OVER = (int(stage) for stage in Stage)


class Ask(msgspec.Struct, frozen=True, gc=False):
    """Somebody must answer before the turn goes on: `seat` (or luck) is asked about
    `topic` by the power whose memo is in the slot `owner`."""

    seat: Seat
    owner: int
    topic: int = 0


class Turn(msgspec.Struct, frozen=True, gc=False):
    """What has been done in the running turn.

    `hand` and `worker` are the side and number of the worker acting, -1 before one is chosen; `start` is where it
    stood, `came` the square its last move left.  `walked` and `builders` are sets of worker numbers of that side that
    moved and built.  `built` lists the squares built on.  `note` belongs to the power of the seat whose turn it is;
    `extra` is not 0 in an additional turn.
    """

    stage: int = OPEN
    hand: Side = -1
    worker: int = -1
    start: int = OFF
    came: int = OFF
    moves: int = 0
    climbed: bool = False
    descended: bool = False
    walked: int = 0
    builders: int = 0
    built: tuple[int, ...] = ()
    domed: bool = False
    note: int = 0
    extra: int = 0
    asks: tuple[Ask, ...] = ()


FRESH: Final = Turn()


class Setup(msgspec.Struct, frozen=True, gc=False):
    """How far the set-up has come: the stages left, and what they gathered.

    `gods` are the gods by seat so far; `offer` what can be picked; `proposer` who proposed; `named` the starting
    power and `starter` who begins; `picked` the seats in the order they picked.
    """

    stages: tuple[SetupStage, ...]
    gods: tuple[God | None, ...]
    offer: tuple[God, ...] = ()
    proposer: Seat | None = None
    named: God | None = None
    starter: Seat | None = None
    picked: tuple[Seat, ...] = ()


class Position(msgspec.Struct, frozen=True, gc=False):
    """The full state.  `b1`, `b2`, `b3`: squares with at least so many blocks; `solid`: squares a token closes to all;
    `occupied`: all workers' squares, kept beside `workers` for speed; `memos`: first of the powers in effect, by seat,
    then of the seats' cards; `order`: the seats in order of play; `out`: the
    set of seats eliminated; `owed`: additional turns the seat still has; `ram`: the Ram's square, and
    `lent` the power beside it."""

    options: Options
    lineup: Lineup
    workers: Workers
    memos: tuple[Memo, ...]
    order: tuple[Seat, ...]
    occupied: int = 0
    b1: int = 0
    b2: int = 0
    b3: int = 0
    domes: int = 0
    solid: int = 0
    seat: Seat = 0
    turn: Turn = FRESH
    ply: int = 0
    out: int = 0
    owed: tuple[int, ...] = ()
    ram: int = OFF
    lent: God = God.MORTAL
    setup: Setup | None = None
    decision: Decision[Action] | None = None
    outcome: Outcome | None = None


def level(p: Position, square: int) -> int:
    """The blocks on a square, a dome not counted."""
    return (p.b1 >> square & 1) + (p.b2 >> square & 1) + (p.b3 >> square & 1)


def above(p: Position, height: int) -> int:
    """The squares higher than a level."""
    return p.b1 if height == 0 else p.b2 if height == 1 else p.b3 if height == 2 else 0


def below(p: Position, height: int) -> int:
    """The squares lower than a level."""
    return ALL & ~(p.b1 if height == 1 else p.b2 if height == 2 else p.b3) if height else 0


def at_level(p: Position, height: int) -> int:
    """The squares of exactly a level."""
    return ALL & ~below(p, height) & ~above(p, height)


def free(p: Position) -> int:
    """The squares with no worker, dome or closing token."""
    return ALL & ~(p.occupied | p.domes | p.solid)


def towers(p: Position) -> int:
    """The complete towers."""
    return p.b3 & p.domes


def men(p: Position, side: Side) -> int:
    """The squares of a side's workers."""
    found = 0
    for square in p.workers[side]:
        if square >= 0:
            found |= 1 << square
    return found


def on_board(p: Position, side: Side) -> tuple[int, ...]:
    """The squares of a side's workers that are on the board, in the order of their numbers."""
    squares = p.workers[side]
    return tuple(square for square in squares if square >= 0) if OFF in squares else squares


def find(p: Position, square: int) -> tuple[Side, int]:
    """The side and number of the worker on a square."""
    for side, squares in enumerate(p.workers):
        if square in squares:
            return side, squares.index(square)
    raise LookupError(f"no worker on square {square}")


def put(squares: tuple[int, ...], number: int, square: int) -> tuple[int, ...]:
    """A side's squares with one worker elsewhere."""
    if len(squares) == 2:
        return (square, squares[1]) if number == 0 else (squares[0], square)
    return (*squares[:number], square, *squares[number + 1 :])


def with_side(
    workers: tuple[tuple[int, ...], ...], side: Side, squares: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """All workers, with one side's on other squares."""
    if len(workers) == 2:
        return (squares, workers[1]) if side == 0 else (workers[0], squares)
    return (*workers[:side], squares, *workers[side + 1 :])


def with_worker(p: Position, side: Side, number: int, square: int) -> Position:
    """One worker on another square, or `OFF`."""
    workers = with_side(p.workers, side, put(p.workers[side], number, square))
    return replace(p, workers=workers, occupied=_occupied(workers))


def with_new_worker(p: Position, side: Side, square: int) -> Position:
    """One worker more for a side; it gets the next number."""
    workers = with_side(p.workers, side, (*p.workers[side], square))
    return replace(p, workers=workers, occupied=_occupied(workers))


def relocated(p: Position, ways: tuple[tuple[int, int], ...]) -> Position:
    """Workers put from square to square, all at once, so that they may change places."""
    to = dict(ways)
    workers = tuple(tuple(to.get(square, square) for square in squares) for squares in p.workers)
    return replace(p, workers=workers, occupied=_occupied(workers))


def _occupied(workers: Workers) -> int:
    found = 0
    for squares in workers:
        for square in squares:
            if square >= 0:
                found |= 1 << square
    return found


def with_block(p: Position, square: int) -> Position:
    """One block more on a square of at most level 2."""
    bit = 1 << square
    if not p.b1 & bit:
        return replace(p, b1=p.b1 | bit)
    if not p.b2 & bit:
        return replace(p, b2=p.b2 | bit)
    return replace(p, b3=p.b3 | bit)


def with_level(p: Position, square: int, height: int) -> Position:
    """A square with exactly so many blocks."""
    keep, bit = ~(1 << square), 1 << square
    return replace(
        p,
        b1=p.b1 & keep | (bit if height >= 1 else 0),
        b2=p.b2 & keep | (bit if height >= 2 else 0),
        b3=p.b3 & keep | (bit if height >= 3 else 0),
    )


def with_memo(p: Position, slot: int, memo: Memo) -> Position:
    """What a power remembers, replaced."""
    return replace(p, memos=(*p.memos[:slot], memo, *p.memos[slot + 1 :]))


def with_stage(p: Position, stage: int) -> Position:
    """The running turn at another stage."""
    return replace(p, turn=replace(p.turn, stage=stage))


def with_note(p: Position, note: int) -> Position:
    """Another note of the acting seat's power for the running turn."""
    return replace(p, turn=replace(p.turn, note=note))


def heights(p: Position) -> tuple[int, ...]:
    """The level of each square."""
    return tuple(level(p, square) for square in squares_of(ALL))
