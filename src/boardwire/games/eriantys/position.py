"""The full state of a match.

A position is immutable and flat, because every step copies it and replaces a few values (`changed`). Values that seldom
change are grouped: `Plan` (the cards of the round), `Expert` (coins and characters), `Ending` (seats that gave up,
reason of the end).

Representation:

- `hands` has the cards that seats still have, sixteen bits per seat (see `plans`).
- `students` has a pile for every place (see `places`); an island's pile is at the head of its group. The properties
  `entrances`, `halls`, `clouds`, `islands` and `bag` extract parts of it.
- `owners` has two bits for every tile: 0, or the side whose tower stands there plus one. The owner of a group is the
  owner of its head. `towers` are the numbers of towers that the sides have not placed.
- An empty cloud has been taken.
- `phase` is the seat to act and the progress of its turn (see `phases`); `seat` is `CHANCE` in the stages of chance,
  `NOBODY` when the match is over.

When compiled, a position is a mypyc class, whose fields are read without overhead. When interpreted, the class is
replaced by a msgspec struct at the end of this module, because structs are copied faster.
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
        round: int,  # noqa: A002 - the name of the field
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
        return isinstance(other, Position) and _field_values(self) == _field_values(other)

    def __hash__(self) -> int:
        return hash(_field_values(self))

    def __reduce__(self) -> tuple[object, ...]:
        return Position, _field_values(self)

    def __repr__(self) -> str:
        return f"Position{_field_values(self)}"

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
        """Number of students still to be moved in this turn."""
        return self.phase.left

    @property
    def took(self) -> bool:
        """Whether the cloud of this turn has been taken."""
        return self.phase.took

    @property
    def moved(self) -> int:
        """Number of students moved in this turn."""
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
        """The clouds, one per seat."""
        return tuple([self.students >> CLOUD_SHIFT[cloud] & PILE for cloud in range(self.terms.seats)])

    @property
    def islands(self) -> Piles:
        """The islands by tile."""
        return (self.students & ISLANDS) >> WIDTH * ISLAND

    @property
    def bag(self) -> Pile:
        """The students in the bag."""
        return self.students >> BAG_SHIFT


def _field_values(position: Position) -> tuple[object, ...]:
    """Return the values of all fields, which equality and hash compare."""
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
    round: int = -1,  # noqa: A002 - the name of the field
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
"""The position after a step, and the events of the step."""


def owner(position: Position, island: int) -> int | None:
    """Return the side whose towers stand on the group with the head `island`, or None."""
    code = position.owners >> 2 * island & 3
    return code - 1 if code else None


def is_gone(position: Position, seat: Seat) -> bool:
    """Return whether `seat` has given up."""
    return bool(position.ending.gone >> seat & 1)


def _as_struct() -> type:
    """Return the class as a msgspec struct with the same fields and properties."""
    contents = vars(Position)
    properties = {name: value for name, value in contents.items() if isinstance(value, property)}
    return msgspec.defstruct(
        "Position", list(contents["__annotations__"]), frozen=True, gc=False, namespace=properties, module=__name__
    )


if isinstance(changed, FunctionType):  # interpreted: a compiled function has another type
    globals().update(Position=_as_struct(), changed=msgspec.structs.replace)
