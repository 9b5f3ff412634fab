"""Step 3 of a turn: clouds, and where the turn goes after mother nature.

A player takes all students of one cloud into the entrance: after mother nature (the rulebook, option `last`), before
the students (`first`), or at either moment, the start of the turn being over with the first student moved (`either`).
In a round of bag shortage nobody takes any; then the turn ends after mother nature, but whoever could still use a
character is asked, because a character may be used at any moment of the turn.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.actions import Action, Choices, Done, TakeCloud
from boardwire.games.eriantys.characters import offers
from boardwire.games.eriantys.events import CloudTaken, Events
from boardwire.games.eriantys.options import CloudTime
from boardwire.games.eriantys.piles import WIDTH, counts
from boardwire.games.eriantys.position import ONLY, Kind, Position, Stage
from boardwire.games.eriantys.turns import end_turn
from boardwire.games.game import Decision, Illegal, Seat

_TAKES: Final = tuple(TakeCloud(cloud) for cloud in range(4))
_CLOUD: Final = Stage.CLOUD
_DONE: Final = Done()


def _open(position: Position) -> tuple[TakeCloud, ...]:
    return tuple(_TAKES[index] for index, students in enumerate(position.clouds) if students)


@cache
def _decision(seat: Seat, takes: tuple[TakeCloud, ...]) -> Decision[Action]:
    return Decision(Kind.CLOUD, ONLY[seat], takes)


def ask(position: Position) -> Decision[Action]:
    """Which cloud?"""
    more = offers(position)
    takes = _open(position)
    if more is None:
        return _decision(position.seat, takes)
    return Decision(Kind.CLOUD, ONLY[position.seat], Choices(takes, more=more))


def ask_finish(position: Position) -> Decision[Action]:
    """A character, or the end of the turn?"""
    return Decision(Kind.FINISH, ONLY[position.seat], Choices((_DONE,), more=offers(position)))


def may_take_early(position: Position) -> bool:
    """Whether a cloud may be taken instead of the first student."""
    return (
        position.terms.options.cloud is CloudTime.EITHER
        and not position.took
        and not position.moved
        and not position.ending.barren
    )


def aside(position: Position) -> Choices | None:
    """What may be done besides moving a student."""
    more = offers(position)
    return Choices(_open(position), more=more) if may_take_early(position) else more


def take(position: Position, seat: Seat, action: TakeCloud) -> tuple[Position, Events]:
    """Take a cloud."""
    stage = position.stage
    early = stage is Stage.CLOUD_FIRST or (stage is Stage.STUDENTS and may_take_early(position))
    if stage is not _CLOUD and not early:
        raise Illegal("a cloud cannot be taken now")
    cloud = action.cloud
    clouds = position.clouds
    if not 0 <= cloud < len(clouds):
        raise Illegal(f"there is no cloud {cloud}; clouds are 0 to {len(clouds) - 1}")
    students = clouds[cloud]
    if not students:
        raise Illegal(f"cloud {cloud} has been taken")
    position = replace(
        position,
        stage=Stage.STUDENTS,
        took=True,
        entrances=position.entrances + (students << WIDTH * seat),
        clouds=(*clouds[:cloud], 0, *clouds[cloud + 1 :]),
    )
    taken = CloudTaken(seat, cloud, counts(students))
    if early:
        return position, (taken,)
    position, events = end_turn(position)
    return position, (taken, *events)


def onward(position: Position, events: Events) -> tuple[Position, Events]:
    """Mother nature has moved: a cloud, the end of the turn, or the question whether to end it."""
    if position.stage is Stage.OVER:
        return position, events
    if not position.took and not position.ending.barren:
        return replace(position, stage=_CLOUD), events
    if position.ending.barren and offers(position) is not None:
        return replace(position, stage=Stage.FINISH), events
    position, told = end_turn(position)
    return position, events + told
