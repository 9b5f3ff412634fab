"""Phases: the seat to act, and the progress of its turn.

There are few phases and every step changes the phase, so each is built once (`phase_of`) with its usual successors and
shared by positions. This module defines the order of a turn, not the legal actions.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.eriantys.places import SEATS
from boardwire.games.eriantys.plans import NOBODY
from boardwire.games.eriantys.stages import Stage
from boardwire.games.game import CHANCE, Seat

MAX_MOVES: Final = 4
"""Maximum number of students moved in a turn."""


class Phase:
    """A stage and the seat to act, with the progress of its turn.

    `left` and `took` keep their values when the turn is over.
    """

    __slots__ = ("asked", "left", "moved", "refilled", "seat", "stage", "took", "walked")

    stage: Stage
    seat: Seat
    left: int
    """Number of students still to be moved in this turn."""
    took: bool
    """Whether the cloud of this turn has been taken."""
    moved: Phase
    """The phase after a student has moved."""
    walked: Phase
    """The phase after mother nature has moved."""
    asked: tuple[Phase, ...]
    """The phase in which a seat is asked for an assistant, by seat."""
    refilled: Phase
    """The phase in which chance fills the clouds."""

    def __init__(self, stage: Stage, seat: Seat, left: int, took: bool) -> None:
        self.stage = stage
        self.seat = seat
        self.left = left
        self.took = took

    def __reduce__(self) -> tuple[object, ...]:
        return phase_of, (self.stage, self.seat, self.left, self.took)

    def __repr__(self) -> str:
        return f"Phase({self.stage!r}, {self.seat}, {self.left}, {self.took})"


_PHASES: Final = {
    (stage, seat, left, took): Phase(stage, seat, left, took)
    for stage in Stage
    for seat in (*range(SEATS), CHANCE, NOBODY)
    for left in range(MAX_MOVES + 1)
    for took in (False, True)
}


def phase_of(stage: Stage, seat: Seat, left: int, took: bool) -> Phase:
    """Return the phase with these values."""
    return _PHASES[stage, seat, left, took]


def at(phase: Phase, stage: Stage, seat: Seat) -> Phase:
    """Return the phase of the same turn at another stage, where `seat` must act."""
    return _PHASES[stage, seat, phase.left, phase.took]


def _link_phases() -> None:
    """Set the successors of all phases."""
    for phase in _PHASES.values():
        seat, left = phase.seat, max(phase.left - 1, 0)
        phase.moved = phase_of(Stage.STUDENTS if left else Stage.NATURE, seat, left, phase.took)
        phase.walked = at(phase, Stage.CLOUD, seat)
        phase.asked = tuple([at(phase, Stage.PLAN, other) for other in range(SEATS)])
        phase.refilled = at(phase, Stage.REFILL, CHANCE)


_link_phases()

BEGUN: Final = tuple(
    tuple(phase_of(Stage.STUDENTS, seat, moves, False) for seat in range(SEATS)) for moves in range(MAX_MOVES + 1)
)
"""The first phase of a turn that begins with students: `BEGUN[moves][seat]`."""
BEGUN_EARLY: Final = tuple(
    tuple(phase_of(Stage.CLOUD_FIRST, seat, moves, False) for seat in range(SEATS)) for moves in range(MAX_MOVES + 1)
)
"""The first phase of a turn that begins with a cloud: `BEGUN_EARLY[moves][seat]`."""
