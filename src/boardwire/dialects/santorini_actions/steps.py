"""Steps of a turn: the step that is due, its target cells and their actions.

A turn is a list of named steps [4.4]. The due step is derived from the pending decision (its kind and choices), from
whether the turn is plain, and from what the player has skipped. Asking and answering share this module; it depends on
neither.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import Final

import msgspec

from boardwire.games.game import Decision
from boardwire.games.santorini import Action, God, Kind, Position
from boardwire.games.santorini.actions import DONE, Build, Move, Raze


class Step(StrEnum):
    """Names of the steps on the wire."""

    MOVE = "MOVE"
    MOVE_SPECIAL = "MOVE_SPECIAL"
    MOVE_UNTIL = "MOVE_UNTIL"
    BUILD = "BUILD"
    BUILD_SPECIAL = "BUILD_SPECIAL"
    REMOVE = "REMOVE"
    END = "END"


# module constants, because every turn tests them: looking up an enum member takes ten times as long
MOVE: Final = Step.MOVE
BUILD: Final = Step.BUILD
LAST: Final = Step.END
_ATLAS: Final = God.ATLAS
_PROMETHEUS: Final = God.PROMETHEUS


class DueStep(msgspec.Struct, frozen=True, gc=False):
    """The step due for the worker on `by`, with its actions by target cell and whether it may be skipped."""

    step: Step
    by: int
    targets: dict[int, Action]
    optional: bool = False


END: Final = DueStep(LAST, -1, {})


class Opening(msgspec.Struct, frozen=True, gc=False):
    """How a turn can begin: plain, with the power, and whether a turn with the power begins with a build."""

    plain: bool
    power: bool
    builds: bool

    def has(self, plain: bool) -> bool:
        """Return whether a turn of this kind can begin. A player is eliminated only if neither kind can [4.4.2]."""
        return self.plain if plain else self.power

    def first(self, plain: bool) -> Step:
        """Return the first step of a turn, whichever worker is selected (turn 2)."""
        return BUILD if self.builds and not plain else MOVE


NO_OPENING: Final = Opening(plain=False, power=False, builds=False)


def find_opening(p: Position, choices: Collection[Action]) -> Opening:
    """Return how a turn with these first choices can begin."""
    own_squares, occupied = p.workers[p.seat], p.occupied
    plain = moves = own_builds = False
    for choice in choices:
        if type(choice) is Move and choice.frm in own_squares:
            moves, plain = True, not occupied >> choice.to & 1
            if plain:
                break
    builds = Build in set(map(type, choices))
    if builds:
        own_builds = _has_builds(choices, own_squares)
    # with the power, Prometheus must build first [4.4]
    power = own_builds or (moves and p.lineup.gods[p.seat] is not _PROMETHEUS)
    return Opening(plain, power, builds)


def _has_builds(choices: Collection[Action], own_squares: tuple[int, ...]) -> bool:
    return any(type(choice) is Build and choice.by in own_squares for choice in choices)


def acting_square(p: Position) -> int:
    """Return the square of the worker that has acted in the current turn, or -1."""
    turn = p.turn
    return p.workers[turn.hand][turn.worker] if turn.worker >= 0 else -1


def find_due_step(p: Position, decision: Decision[Action], by: int, plain: bool, skipped: bool = False) -> DueStep:
    """Return the step that a decision of the current turn requires of the worker on `by`.

    `plain`: the turn is played without the god's power. `skipped`: the player has skipped the further move of a power,
    which is no action of the game, so that the decision still offers it.
    """
    return _DUE[decision.kind](p, decision.choices, by, plain, skipped)


def _first_step(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> DueStep:
    """Return the first step: a build before the move if one is offered and the turn is not plain, else the move."""
    blocked = p.occupied if plain else 0  # only a power moves to an occupied cell
    moves: dict[int, Action] = {}
    for choice in choices:
        if type(choice) is Move:
            if choice.frm == by and not blocked >> choice.to & 1:
                moves[choice.to] = choice
        elif type(choice) is Build and not plain:
            return DueStep(BUILD, by, _builds_by_cell(p, choices, by, plain))
    return DueStep(MOVE, by, moves)


def _following_step(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> DueStep:
    """Return the step after the move: a further move that the power allows, else a build."""
    builds = _builds_by_cell(p, choices, by, plain)
    if not plain and not skipped and len(builds) < len(choices):
        moves = _moves_by_cell(choices, by)
        if moves:
            step = Step.MOVE_UNTIL if p.lineup.gods[p.seat] is God.TRITON else Step.MOVE_SPECIAL
            return DueStep(step, by, moves, bool(builds))
    return DueStep(BUILD, by, builds)


def _moves_by_cell(choices: Collection[Action], by: int) -> dict[int, Action]:
    return {choice.to: choice for choice in choices if type(choice) is Move and choice.frm == by}


def _builds_by_cell(p: Position, choices: Collection[Action], by: int, plain: bool) -> dict[int, Action]:
    """Return builds by cell. Atlas's power builds only domes [4.4.2]; a plain turn has no block under oneself."""
    domes = not plain and p.lineup.gods[p.seat] is _ATLAS
    level_3 = p.b3
    builds: dict[int, Action] = {}
    for choice in choices:
        if type(choice) is Build and choice.by == by and choice.dome == (domes or level_3 >> choice.at & 1):
            builds[choice.at] = choice
    if plain:
        builds.pop(by, None)
    return builds


def _build_more(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> DueStep:
    builds = {} if plain else _builds_by_cell(p, choices, by, plain)
    return DueStep(Step.BUILD_SPECIAL, by, builds, DONE in choices)


def _closing_step(p: Position, choices: Collection[Action], by: int, plain: bool, skipped: bool) -> DueStep:
    """Return Ares's step: remove a block next to the worker that did not move [4.4].

    That worker becomes the selected one [7.2].
    """
    razes: dict[int, Action] = {choice.at: choice for choice in choices if type(choice) is Raze}
    walked = p.turn.walked
    resting = [at for number, at in enumerate(p.workers[p.turn.hand]) if at >= 0 and not walked >> number & 1]
    return DueStep(Step.REMOVE, resting[0] if resting else by, {} if plain else razes, DONE in choices)


_DUE: Final[dict[StrEnum, Callable[[Position, Collection[Action], int, bool, bool], DueStep]]] = {
    Kind.OPEN: _first_step,
    Kind.GO_ON: _following_step,
    Kind.BUILD_MORE: _build_more,
    Kind.CLOSE: _closing_step,
}
