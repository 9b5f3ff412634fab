"""The full state of a match.

- A position is an immutable value; `edits` has its queries and edits.
- The board is four sets of squares: with at least one, two and three blocks, and with a dome, because a dome on a lower
  level is not a complete tower [1.1].
- Workers have an identity: `workers[side][n]` is the square of worker n of a side, or `OFF`. A side is a seat, or a
  team of two that shares workers.
- `decision` is computed with the position, because a player without a legal step has lost.
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
"""State of a power between turns: a few small integers whose meaning its class defines."""

Workers: TypeAlias = tuple[tuple[int, ...], ...]
"""The squares of every side's workers, in the order of their numbers."""

OFF: Final = -1
"""The square of a worker that is not on the board."""


class Stage(IntEnum):
    """The progress of a turn."""

    OPEN = 0  # before the first move; a power may have acted
    MOVED = 1  # moved; more moves if a power allows them, then a build
    BUILT = 2  # built; more builds if a power allows them
    CLOSE = 3  # actions of a power at the end of the turn
    END = 4  # all actions are done; the effects of the end are still to come
    OVER = 5  # the effects are done; the next turn can begin


OPEN, MOVED, BUILT, CLOSE, END, OVER = (int(stage) for stage in Stage)


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A question that must be answered before the turn continues.

    `seat` (or chance) answers; the power with the memo slot `owner` asks, and distinguishes its questions by `topic`.
    """

    seat: Seat
    owner: int
    topic: int = 0


class Turn(msgspec.Struct, frozen=True, gc=False):
    """The current turn so far.

    - `hand` and `worker`: side and number of the acting worker, -1 before one is chosen; `start`: its first square;
      `came`: the square its last move left.
    - `walked` and `builders`: sets of the numbers of the workers that moved and built; `built`: the squares built on.
    - `note`: state of the power of the seat to move; `extra`: the kind of an additional turn, 0 in a normal one.
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
    """The progress of the set-up: the remaining stages, and the results of the others.

    `gods`: the gods by seat so far; `offer`: gods to pick from; `proposer`: the seat that proposed; `named`: the god
    whose owner begins; `starter`: the seat that begins; `picked`: the seats in the order in which they picked.
    """

    stages: tuple[SetupStage, ...]
    gods: tuple[God | None, ...]
    offer: tuple[God, ...] = ()
    proposer: Seat | None = None
    named: God | None = None
    starter: Seat | None = None
    picked: tuple[Seat, ...] = ()


class Position(msgspec.Struct, frozen=True, gc=False):
    """The full state of a match.

    - `b1`, `b2`, `b3`: squares with at least one, two, three blocks; `solid`: squares that a token closes to all.
    - `occupied`: the squares of all workers; redundant to `workers`, for speed.
    - `memos`: the memos of the powers in effect, by seat, then those of the seats' cards.
    - `order`: the seats in order of play; `out`: the eliminated seats as a bit mask; `owed`: the kinds of additional
      turns that the seat has still to take.
    - `ram`: the square of the Ram; `lent`: the power beside it.
    """

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
