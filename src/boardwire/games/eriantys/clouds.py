"""Step 3 of a turn: clouds; and what else may be done before and after mother nature.

A player takes all students of one cloud into the entrance: after mother nature (the rulebook, option `last`), before
the students (`first`), or at either moment, the start of the turn being over with the first student moved (`either`).
In a round of bag shortage nobody takes any; then the turn ends after mother nature, but whoever could still use a
character is asked, because a character may be used at any moment of the turn.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys import students
from boardwire.games.eriantys.actions import Action, Choices, Done, Row, TakeCloud
from boardwire.games.eriantys.characters import offers
from boardwire.games.eriantys.events import CloudTaken, Events
from boardwire.games.eriantys.options import CloudTime
from boardwire.games.eriantys.piles import COUNTED, WIDTH
from boardwire.games.eriantys.position import ONLY, Kind, Position, Stage, Step
from boardwire.games.eriantys.turns import end_turn
from boardwire.games.game import Decision, Illegal, Seat

_TAKES: Final = tuple(TakeCloud(cloud) for cloud in range(4))
_CLOUD: Final = Stage.CLOUD
_DONE: Final = Done()

_OPEN: Final[tuple[Row, ...]] = tuple(
    tuple(_TAKES[cloud] for cloud in range(4) if bits >> cloud & 1) for bits in range(16)
)
_DECISIONS: Final[tuple[tuple[Decision[Action], ...], ...]] = tuple(
    tuple(Decision(Kind.CLOUD, only, takes) for takes in _OPEN) for only in ONLY
)


def _open(position: Position) -> int:
    """The clouds nobody took, as bits."""
    bits = 0
    bit = 1
    for pile in position.clouds:
        if pile:
            bits |= bit
        bit <<= 1
    return bits


def ask(position: Position) -> Decision[Action]:
    """Which cloud?"""
    more = None if position.expert is None else offers(position)
    if more is None:
        return _DECISIONS[position.seat][_open(position)]
    return Decision(Kind.CLOUD, ONLY[position.seat], Choices(_OPEN[_open(position)], more=more))


def ask_finish(position: Position) -> Decision[Action]:
    """A character, or the end of the turn?"""
    return Decision(Kind.FINISH, ONLY[position.seat], Choices((_DONE,), more=offers(position)))


def ask_student(position: Position) -> Decision[Action]:
    """Which student goes where?  Or a character, or, with the option `either`, a cloud first?"""
    decision = students.ask(position)
    if position.terms.plain:
        return decision
    more = offers(position)
    if may_take_early(position):
        more = Choices(_OPEN[_open(position)], more=more)
    return (
        decision
        if more is None
        else Decision(Kind.STUDENT, decision.seats, Choices(tuple(decision.choices), more=more))
    )


def may_take_early(position: Position) -> bool:
    """Whether a cloud may be taken instead of the first student."""
    return (
        position.terms.options.cloud is CloudTime.EITHER
        and not position.took
        and not position.moved
        and not position.ending.barren
    )


def take(position: Position, seat: Seat, action: TakeCloud) -> Step:
    """Take a cloud."""
    stage = position.stage
    early = stage is not _CLOUD
    if early and stage is not Stage.CLOUD_FIRST and not (stage is Stage.STUDENTS and may_take_early(position)):
        raise Illegal("a cloud cannot be taken now")
    cloud = action.cloud
    clouds = list(position.clouds)
    if not 0 <= cloud < len(clouds):
        raise Illegal(f"there is no cloud {cloud}; clouds are 0 to {len(clouds) - 1}")
    taken = clouds[cloud]
    if not taken:
        raise Illegal(f"cloud {cloud} has been taken")
    clouds[cloud] = 0
    entrances = position.entrances + (taken << WIDTH * seat)
    told = CloudTaken(seat, cloud, COUNTED[taken])
    if not early:
        return end_turn(position, entrances, tuple(clouds), (told,))
    return replace(position, stage=Stage.STUDENTS, took=True, entrances=entrances, clouds=tuple(clouds)), (told,)


def onward(position: Position, told: Events) -> Step:
    """Mother nature has moved and there is no cloud to take: the end of the turn, or the question whether to end it."""
    if position.ending.barren and offers(position) is not None:
        return replace(position, stage=Stage.FINISH), told
    return end_turn(position, position.entrances, position.clouds, told)
