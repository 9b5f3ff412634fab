"""The full state of a match.

Flat, because every step copies it: one struct of shared parts, of which a step replaces a few.  What changes rarely is
kept in parts of its own: `Plan` (the cards of the round), `Expert` (coins and characters), `Ending` (who is gone, why
it ends).

Rules of the representation:
- `hands` has the cards that seats still have, sixteen bits a seat (see `plans`).
- `students` has a pile for every place (see `places`); those of islands are filled at the heads of groups only.  The
  properties `entrances`, `halls`, `clouds`, `islands` and `bag` are parts of it, for readers.
- `owners` has two bits for every tile: 0, or one more than the side whose tower stands there.  A group's owner is that
  of its head.  `towers` are those a side has not placed.
- A cloud that holds nobody has been taken.
- `seat` is who must act: `CHANCE` in the stages of luck, `NOBODY` when the match is over.

This module knows how the state is stored, not how it may change.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, TypeAlias

import msgspec

from boardwire.games.eriantys.events import Events, Termination
from boardwire.games.eriantys.options import Character, Terms
from boardwire.games.eriantys.piles import PILE, WIDTH, Colour, Pile, Piles
from boardwire.games.eriantys.places import BAG_SHIFT, CLOUD_SHIFT, ENTRANCES, HALL, HALLS, ISLAND, ISLANDS
from boardwire.games.eriantys.plans import NOBODY, Plan
from boardwire.games.eriantys.professors import Professors
from boardwire.games.eriantys.ring import Ring
from boardwire.games.game import Outcome, Seat

ONLY: Final = ((0,), (1,), (2,), (3,))
"""The seats of a decision of one seat."""


class Kind(StrEnum):
    """What can be asked; the first eight are asked of luck."""

    MOTHER_NATURE = "mother-nature"
    ISLANDS = "islands"
    ENTRANCES = "entrances"
    CHARACTERS = "characters"
    STOCK = "stock"
    FIRST = "first"
    REFILL = "refill"
    RESTOCK = "restock"
    ASSISTANT = "assistant"
    STUDENT = "student"
    STEPS = "steps"
    CLOUD = "cloud"
    SWAP = "swap"
    FINISH = "finish"


class Rule(StrEnum):
    """Why something cannot be done."""

    NOT_NOW = "not now"
    """Another step of the round is to be done."""
    NOWHERE = "nowhere"
    """There is no such assistant, island or cloud."""
    PLAYED = "played"
    """Somebody has played that assistant in this round, and another one can be played."""
    SPENT = "spent"
    """The assistant was played in an earlier round."""
    NO_STUDENT = "no student"
    TABLE_FULL = "table full"
    FAR = "far"
    """Mother nature goes no further than the assistant allows."""
    CLOUD_TAKEN = "cloud taken"
    NOT_ON_TABLE = "not on table"
    """The character is not among those of this match."""
    ONE_A_TURN = "one a turn"
    """Another character was used in this turn."""
    TOO_DEAR = "too dear"
    USELESS = "useless"
    """There is nothing the character could be used on."""
    NOT_SO = "not so"
    """The character is used on something else."""


class Stage(IntEnum):
    """What is to be decided next."""

    MOTHER_NATURE = 0
    ISLANDS = 1
    ENTRANCES = 2
    CHARACTERS = 3
    STOCK = 4
    FIRST = 5
    REFILL = 6
    RESTOCK = 7
    PLAN = 8
    CLOUD_FIRST = 9
    STUDENTS = 10
    NATURE = 11
    CLOUD = 12
    SWAP = 13
    FINISH = 14
    OVER = 15


class Card(msgspec.Struct, frozen=True, gc=False):
    """A character on the table.  `used`: it costs one more, and one coin lies on it."""

    character: Character
    students: Pile = 0
    no_entry: int = 0
    used: bool = False


class Expert(msgspec.Struct, frozen=True, gc=False):
    """Coins and characters.  At most one effect is active, because a turn has at most one character [5.3]."""

    coins: tuple[int, ...]
    supply: int
    cards: tuple[Card, ...]
    no_entry: tuple[int, ...]
    """No-entry tiles on each island, by head."""
    active: Character | None = None
    """The character used this turn."""
    ignored: Colour | None = None
    """The colour that the Mushroom Hunter silenced."""
    user: Seat = NOBODY
    """Who used it."""
    resume: Stage = Stage.OVER
    """Where the turn goes on after swaps or luck."""
    swaps: int = 0
    """How many more swaps may follow."""
    hall: Pile = 0
    """The dining room before the Minstrel's first swap."""


class Ending(msgspec.Struct, frozen=True, gc=False):
    """Who is gone, as a bit set of seats; why this round is the last; whether clouds are out; how it ended."""

    gone: int = 0
    last: Termination | None = None
    barren: bool = False
    outcome: Outcome | None = None


class Position(msgspec.Struct, frozen=True, gc=False):
    """Everything there is to know about a match."""

    terms: Terms
    round: int
    plan: Plan
    hands: int
    stage: Stage
    seat: Seat
    left: int
    """Students still to be moved this turn."""
    took: bool
    """Whether this turn's cloud is taken."""
    students: Piles
    professors: Professors
    ring: Ring
    owners: int
    towers: tuple[int, ...]
    mother: int
    """The tile mother nature stands on."""
    ending: Ending
    expert: Expert | None

    @property
    def moved(self) -> int:
        """Students moved this turn."""
        return self.terms.moves - self.left

    @property
    def entrances(self) -> Piles:
        """By seat."""
        return self.students & ENTRANCES

    @property
    def halls(self) -> Piles:
        """By seat."""
        return (self.students & HALLS) >> WIDTH * HALL

    @property
    def clouds(self) -> tuple[Pile, ...]:
        """By cloud; there are as many as seats."""
        return tuple([self.students >> CLOUD_SHIFT[cloud] & PILE for cloud in range(self.terms.seats)])

    @property
    def islands(self) -> Piles:
        """By tile."""
        return (self.students & ISLANDS) >> WIDTH * ISLAND

    @property
    def bag(self) -> Pile:
        """What can still be drawn."""
        return self.students >> BAG_SHIFT


Step: TypeAlias = tuple[Position, Events]
"""Where a step leads, and what happened."""


def owner(position: Position, island: int) -> int | None:
    """The side whose towers stand on the group that `island` heads."""
    found = position.owners >> 2 * island & 3
    return found - 1 if found else None


def is_gone(position: Position, seat: Seat) -> bool:
    """Whether `seat` has given up."""
    return bool(position.ending.gone >> seat & 1)
