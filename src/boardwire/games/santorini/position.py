"""The full state of a match.

A position is an immutable value.  The board is three sets of squares, those with at least one, two and three blocks,
and apart from them the set of domes, because a dome on low ground is not a complete tower [1.1].  Workers
have an identity: `workers[side][n]` is the square of worker n of a side, or `OFF`.  A side is what shares workers: a
seat, or a team of two.  What may be done is in `decision`, which is worked out with the position since a player who can
do nothing has lost.  What is read off a position, and how it is edited, is in `edits`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from boardwire.games.game import Decision, Outcome, Seat
from boardwire.games.santorini.actions import Action
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
