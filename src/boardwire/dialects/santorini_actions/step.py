"""The steps of a turn in this protocol's words: which step is due, to which cells it may go, and what that means.

A turn is a list of named steps [5].  The game asks in its own way, so a step is read off the decision that is pending:
its kind, its choices, whether the turn is a plain one, and what the player has skipped.  It knows no talk and no names.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

import msgspec

from boardwire.games.game import Decision
from boardwire.games.santorini import Action, God, Kind, Position
from boardwire.games.santorini.actions import DONE, Build, Move, Raze


class Step(StrEnum):
    """The steps' names on the wire."""

    MOVE = "MOVE"
    MOVE_SPECIAL = "MOVE_SPECIAL"
    MOVE_UNTIL = "MOVE_UNTIL"
    BUILD = "BUILD"
    BUILD_SPECIAL = "BUILD_SPECIAL"
    REMOVE = "REMOVE"
    END = "END"


class Due(msgspec.Struct, frozen=True, gc=False):
    """The step that is due for the worker on `by`: what each cell means, and whether it may be skipped."""

    step: Step
    by: int
    targets: dict[int, Action]
    optional: bool = False


END: Final = Due(Step.END, -1, {})


def possible(p: Position, choices: Collection[Action], plain: bool) -> bool:
    """Whether a turn of this kind can begin at all: elimination needs that neither kind can [8.13]."""
    own = p.workers[p.seat]
    if plain:
        return any(type(one) is Move and one.frm in own and not p.occupied >> one.to & 1 for one in choices)
    builds = any(type(one) is Build and one.by in own for one in choices)
    if p.lineup.gods[p.seat] is God.PROMETHEUS:  # with the power his first build is compulsory [5]
        return builds
    return builds or any(type(one) is Move and one.frm in own for one in choices)


def acting(p: Position) -> int:
    """The square of the worker that the running turn has used, or -1."""
    turn = p.turn
    return p.workers[turn.hand][turn.worker] if turn.worker >= 0 else -1


def first_step(p: Position, choices: Collection[Action], plain: bool) -> Step:
    """What a turn begins with, whichever worker is taken (turn 2)."""
    builds = not plain and any(type(choice) is Build for choice in choices)
    return Step.BUILD if builds else Step.MOVE


def due(p: Position, decision: Decision[Action], by: int, plain: bool, skipped: bool = False) -> Due:
    """The step that a decision of the running turn asks for, done by the worker on `by`."""
    return _DUE[Kind(decision.kind)](p, decision.choices, by, plain, skipped)


def _open(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> Due:
    if first_step(p, choices, plain) is Step.BUILD:
        return Due(Step.BUILD, by, _builds(p, choices, by, plain))
    moves: dict[int, Action] = {
        choice.to: choice
        for choice in choices
        if type(choice) is Move and choice.frm == by and not (plain and p.occupied >> choice.to & 1)
    }
    return Due(Step.MOVE, by, moves)


def _go_on(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> Due:
    builds = _builds(p, choices, by, plain)
    if not plain and not skipped:
        moves: dict[int, Action] = {
            choice.to: choice for choice in choices if type(choice) is Move and choice.frm == by
        }
        if moves:
            again = Step.MOVE_UNTIL if p.lineup.gods[p.seat] is God.TRITON else Step.MOVE_SPECIAL
            return Due(again, by, moves, bool(builds))
    return Due(Step.BUILD, by, builds)


def _builds(p: Position, choices: Collection[Action], by: int, plain: bool) -> dict[int, Action]:
    """Builds by cell.  Atlas with his power builds nothing but domes [5]; a plain turn has no block under oneself."""
    domes = not plain and p.lineup.gods[p.seat] is God.ATLAS
    found: dict[int, Action] = {}
    for choice in choices:
        if type(choice) is Build and choice.by == by and (choice.dome if domes else choice.dome == _tall(p, choice.at)):
            found[choice.at] = choice
    if plain:
        found.pop(by, None)
    return found


def _tall(p: Position, at: int) -> bool:
    return bool(p.b3 >> at & 1)


def _build_more(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> Due:
    more = {} if plain else _builds(p, choices, by, plain)
    return Due(Step.BUILD_SPECIAL, by, more, DONE in choices)


def _close(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> Due:
    """Ares takes a block away beside the worker that did not move [5], so that one is selected now [3.5, 22]."""
    razes: dict[int, Action] = {choice.at: choice for choice in choices if type(choice) is Raze}
    walked = p.turn.walked
    resting = [at for number, at in enumerate(p.workers[p.turn.hand]) if at >= 0 and not walked >> number & 1]
    return Due(Step.REMOVE, resting[0] if resting else by, {} if plain else razes, DONE in choices)


_DUE: Final = {Kind.OPEN: _open, Kind.GO_ON: _go_on, Kind.BUILD_MORE: _build_more, Kind.CLOSE: _close}
