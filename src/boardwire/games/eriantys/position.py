"""The full state of a match.

A position is immutable and flat, because every step copies it and replaces a few values (`changed`). Values that
seldom change are grouped: `Plan` (the cards of the round), `Expert` (coins and characters), `Ending` (seats that gave
up, reason of the end).

Representation:

- `hands` has the cards that seats still have, sixteen bits per seat (see `plans`).
- `students` has a pile for every place (see `places`); an island's pile is at the head of its group. The properties
  `entrances`, `halls`, `clouds`, `islands` and `bag` extract parts of it.
- `owners` has two bits for every tile: 0, or the side whose tower stands there plus one. A group's owner is that of
  its head. `towers` are those a side has not placed.
- An empty cloud has been taken.
- `phase` is the seat to act and the progress of its turn (see `phases`); `seat` is `CHANCE` in the stages of chance,
  `NOBODY` when the match is over.

Compiled, a position is a mypyc class, whose fields are read at no cost. Interpreted, the same class becomes a msgspec
struct at the end of this module, since those are copied faster.

This module knows how the state is stored, not how it may change.
"""

from __future__ import annotations

from types import FunctionType
from typing import Final, TypeAlias

import msgspec

from boardwire.games.eriantys.events import Events
from boardwire.games.eriantys.parts import Ending, Expert
from boardwire.games.eriantys.phases import Phase
from boardwire.games.eriantys.piles import PILE, WIDTH, Pile, Piles
from boardwire.games.eriantys.places import BAG_SHIFT, CLOUD_SHIFT, ISLAND, ISLANDS, SEATS, entrance_of, hall_of
from boardwire.games.eriantys.plans import Plan
from boardwire.games.eriantys.professors import Professors
from boardwire.games.eriantys.ring import Ring
from boardwire.games.eriantys.stages import Stage
from boardwire.games.eriantys.terms import Terms
from boardwire.games.game import Seat


class Position:
    """The full state of a match."""

    terms: Final[Terms]
    round: Final[int]
    plan: Final[Plan]
    hands: Final[int]
    phase: Final[Phase]
    students: Final[Piles]
    professors: Final[Professors]
    ring: Final[Ring]
    owners: Final[int]
    towers: Final[tuple[int, ...]]
    mother: Final[int]
    """The tile of mother nature."""
    ending: Final[Ending]
    expert: Final[Expert | None]

    def __init__(
        self,
        terms: Terms,
        round: int,  # noqa: A002 - what it is called
        plan: Plan,
        hands: int,
        phase: Phase,
        students: Piles,
        professors: Professors,
        ring: Ring,
        owners: int,
        towers: tuple[int, ...],
        mother: int,
        ending: Ending,
        expert: Expert | None,
    ) -> None:
        self.terms = terms
        self.round = round
        self.plan = plan
        self.hands = hands
        self.phase = phase
        self.students = students
        self.professors = professors
        self.ring = ring
        self.owners = owners
        self.towers = towers
        self.mother = mother
        self.ending = ending
        self.expert = expert

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and _fields(self) == _fields(other)

    def __hash__(self) -> int:
        return hash(_fields(self))

    def __reduce__(self) -> tuple[object, ...]:
        return Position, _fields(self)

    def __repr__(self) -> str:
        return f"Position{_fields(self)}"

    @property
    def stage(self) -> Stage:
        """The stage of the match."""
        return self.phase.stage

    @property
    def seat(self) -> Seat:
        """The seat to act."""
        return self.phase.seat

    @property
    def left(self) -> int:
        """Students still to be moved this turn."""
        return self.phase.left

    @property
    def took(self) -> bool:
        """Whether this turn's cloud is taken."""
        return self.phase.took

    @property
    def moved(self) -> int:
        """Students moved this turn."""
        return self.terms.moves - self.left

    @property
    def entrances(self) -> Piles:
        """The entrances by seat."""
        return sum([entrance_of(self.students, seat) << WIDTH * seat for seat in range(SEATS)])

    @property
    def halls(self) -> Piles:
        """The dining rooms by seat."""
        return sum([hall_of(self.students, seat) << WIDTH * seat for seat in range(SEATS)])

    @property
    def clouds(self) -> tuple[Pile, ...]:
        """The clouds; there are as many as seats."""
        return tuple([self.students >> CLOUD_SHIFT[cloud] & PILE for cloud in range(self.terms.seats)])

    @property
    def islands(self) -> Piles:
        """The islands by tile."""
        return (self.students & ISLANDS) >> WIDTH * ISLAND

    @property
    def bag(self) -> Pile:
        """The students that can still be drawn."""
        return self.students >> BAG_SHIFT


def _fields(position: Position) -> tuple[object, ...]:
    return (
        position.terms,
        position.round,
        position.plan,
        position.hands,
        position.phase,
        position.students,
        position.professors,
        position.ring,
        position.owners,
        position.towers,
        position.mother,
        position.ending,
        position.expert,
    )


def changed(
    position: Position,
    round: int = -1,  # noqa: A002 - what it is called
    plan: Plan | None = None,
    hands: int = -1,
    phase: Phase | None = None,
    students: Piles = -1,
    professors: Professors | None = None,
    ring: Ring | None = None,
    owners: int = -1,
    towers: tuple[int, ...] | None = None,
    mother: int = -1,
    ending: Ending | None = None,
    expert: Expert | None = None,
) -> Position:
    """Return a copy of the position with these values replaced."""
    return Position(
        position.terms,
        position.round if round < 0 else round,
        position.plan if plan is None else plan,
        position.hands if hands < 0 else hands,
        position.phase if phase is None else phase,
        position.students if students < 0 else students,
        position.professors if professors is None else professors,
        position.ring if ring is None else ring,
        position.owners if owners < 0 else owners,
        position.towers if towers is None else towers,
        position.mother if mother < 0 else mother,
        position.ending if ending is None else ending,
        position.expert if expert is None else expert,
    )


Step: TypeAlias = tuple[Position, Events]
"""The position after a step, and the events."""


def owner(position: Position, island: int) -> int | None:
    """Return the side whose towers stand on the group that `island` heads."""
    found = position.owners >> 2 * island & 3
    return found - 1 if found else None


def is_gone(position: Position, seat: Seat) -> bool:
    """Whether `seat` has given up."""
    return bool(position.ending.gone >> seat & 1)


def _as_struct() -> type:
    """Return the class as a msgspec struct with the same fields and properties."""
    contents = vars(Position)
    properties = {name: found for name, found in contents.items() if isinstance(found, property)}
    return msgspec.defstruct(
        "Position", list(contents["__annotations__"]), frozen=True, gc=False, namespace=properties, module=__name__
    )


if isinstance(changed, FunctionType):  # which it is not when compiled
    globals().update(Position=_as_struct(), changed=msgspec.structs.replace)
