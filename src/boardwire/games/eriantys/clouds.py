"""Step 3 of a turn: clouds.

- A player takes all students of one cloud into the entrance: after mother nature (the rulebook, option `last`), before
  the students (`first`), or at either of these moments (`either`).
- In a round without clouds the turn ends after mother nature. A seat that can still use a character is asked first,
  because a character may be used at any moment of the turn.
"""

from __future__ import annotations

from typing import Final

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import Action, ActionRow, Choices, Done, TakeCloud
from boardwire.games.eriantys.characters import offers
from boardwire.games.eriantys.events import CloudTaken, Events
from boardwire.games.eriantys.phases import Phase, at, phase_of
from boardwire.games.eriantys.piles import COUNTED, PILE, WIDTH, Pile, Piles
from boardwire.games.eriantys.places import AT, CLOUD, CLOUD_SHIFT, CLOUDS, ENTRANCE
from boardwire.games.eriantys.position import Position, Step, changed
from boardwire.games.eriantys.stages import ONLY, Kind, Rule, Stage
from boardwire.games.eriantys.turns import end_turn
from boardwire.games.game import Decision, Seat

_TAKES: Final = tuple(TakeCloud(cloud) for cloud in range(4))
_ASKED: Final = Kind.CLOUD
_CLOUD: Final = Stage.CLOUD
_CLOUD_FIRST: Final = Stage.CLOUD_FIRST
_STUDENTS: Final = Stage.STUDENTS
_DONE: Final = Done()

_TOP: Final = 1 << WIDTH - 1
_BUMP: Final = sum((_TOP - 1) * AT[CLOUD + cloud] for cloud in range(4))
_FLAGS: Final = sum(_TOP * AT[CLOUD + cloud] for cloud in range(4))
"""`_BUMP`, added to the clouds, carries into the last bit of each cloud with students; `_FLAGS` masks these bits."""

_OPEN: Final[dict[Piles, ActionRow]] = {
    sum(_TOP * AT[CLOUD + cloud] for cloud in range(4) if bits >> cloud & 1): tuple(
        _TAKES[cloud] for cloud in range(4) if bits >> cloud & 1
    )
    for bits in range(16)
}
_DECISIONS: Final = tuple({flags: Decision(_ASKED, only, takes) for flags, takes in _OPEN.items()} for only in ONLY)


def ask(position: Position) -> Decision[Action]:
    """Return the decision to take a cloud."""
    seat = position.phase.seat
    open_clouds = (position.students & CLOUDS) + _BUMP & _FLAGS
    more = None if position.expert is None else offers(position)
    if more is None:
        return _DECISIONS[seat][open_clouds]
    return Decision(_ASKED, ONLY[seat], Choices(_OPEN[open_clouds], more=more))


def ask_finish(position: Position) -> Decision[Action]:
    """Return the decision to use a character or end the turn."""
    return Decision(Kind.FINISH, ONLY[position.phase.seat], Choices((_DONE,), more=offers(position)))


def with_early_clouds(position: Position, more: Choices | None) -> Choices | None:
    """Return the clouds that may be taken before the first student, if any, followed by `more`."""
    if not may_take_early(position):
        return more
    return Choices(_OPEN[(position.students & CLOUDS) + _BUMP & _FLAGS], more=more)


def may_take_early(position: Position) -> bool:
    """Return whether a cloud may be taken before the first student."""
    terms, phase = position.terms, position.phase
    return terms.either and not phase.took and phase.left == terms.moves and not position.ending.clouds_closed


def take(position: Position, phase: Phase, action: TakeCloud) -> Step:
    """Take a cloud."""
    stage = phase.stage
    is_last = stage is _CLOUD
    if not is_last and stage is not _CLOUD_FIRST and not (stage is _STUDENTS and may_take_early(position)):
        raise Illegal("a cloud cannot be taken now").by(Rule.NOT_NOW)
    cloud = action.cloud
    if not 0 <= cloud < position.terms.seats:
        raise Illegal(f"there is no cloud {cloud}; clouds are 0 to {position.terms.seats - 1}").by(Rule.NOWHERE)
    students = position.students
    taken = students >> CLOUD_SHIFT[cloud] & PILE
    if not taken:
        raise Illegal(f"cloud {cloud} has been taken").by(Rule.CLOUD_TAKEN)
    moved, events = _TAKEN[phase.seat][cloud][taken]
    if is_last:
        return end_turn(position, students - moved, events)
    taking = phase_of(_STUDENTS, phase.seat, phase.left, True)
    return changed(position, phase=taking, students=students - moved), events


def _cloud_steps(seat: Seat, cloud: int) -> dict[Pile, tuple[Piles, Events]]:
    """Return the change of the piles and the event for each pile that a cloud may contain."""
    path = AT[CLOUD + cloud] - AT[ENTRANCE[seat]]
    return {taken: (taken * path, (CloudTaken(seat, cloud, counts),)) for taken, counts in COUNTED.items()}


_TAKEN: Final = tuple(tuple(_cloud_steps(seat, cloud) for cloud in range(4)) for seat in range(4))
"""For each seat, cloud and contents of the cloud: the difference that taking it makes, and the events."""


def end_or_ask(position: Position, events: Events) -> Step:
    """End the turn after mother nature, or ask whether to use a character first if no clouds are taken."""
    if position.ending.clouds_closed and offers(position) is not None:
        return changed(position, phase=at(position.phase, Stage.FINISH, position.phase.seat)), events
    return end_turn(position, position.students, events)
