"""Conversion of views to the core's states, and of the core's steps to actions.

The core supports two sides and some powers. `is_supported` tells whether it supports everything in a view; `state_of`
then returns the state at the start of the turn, from the point of view of the seat to move.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import NAMES, OFF
from boardwire.bots.santorini.core.turns import BUILD, DOME, DONE, FORCE, MOVE
from boardwire.games.santorini import God, View
from boardwire.games.santorini.actions import Action, Build, Done, Force, Move, Raze
from boardwire.games.santorini.powers.catalogue import banned

POWERS: Final = {God(name): number for number, name in enumerate(NAMES)}
"""The core's numbers of the powers that it supports."""


def is_supported(view: View) -> bool:
    """Return whether the core supports everything in a view."""
    seats = len(view.powers)
    if (
        len(view.workers) != 2
        or view.ram >= 0
        or view.closed
        or view.out
        or any(len(squares) != 2 for squares in view.workers)
    ):
        return False
    if seats == 4:  # teams without powers play like two
        return all(god is God.MORTAL for god in view.gods)
    return seats == 2 and is_pair_supported(view.powers[0], view.powers[1]) and view.powers == view.gods


def is_pair_supported(first: God, second: God) -> bool:
    """Return whether the core supports two powers against each other."""
    return first in POWERS and second in POWERS and not banned(first, second)


def state_of(view: View, seat: int) -> State:
    """Return the state of a view, from the point of view of a seat's side."""
    side = seat % 2
    s = State()
    for square, level in enumerate(view.levels):
        s.b1 |= (level > 0) << square
        s.b2 |= (level > 1) << square
        s.b3 |= (level > 2) << square
    s.domes = sum(1 << square for square in view.domes)
    s.w0, s.w1 = (OFF if square < 0 else square for square in view.workers[side])
    s.w2, s.w3 = (OFF if square < 0 else square for square in view.workers[1 - side])
    s.side = side
    if len(view.powers) == 2:
        s.m0, s.m1 = (memo_of(view.powers[seat], view.memos[seat]) for seat in (side, 1 - side))
    return s


def memo_of(god: God, memo: tuple[int, ...]) -> int:
    """Return the core's form of a power's memo."""
    return memo[0] if memo and god in (God.ATHENA, God.MORPHEUS) else 0


def powers_of(view: View) -> tuple[int, int]:
    """Return the core's numbers of the two sides' powers."""
    return (POWERS[view.powers[0]], POWERS[view.powers[1]]) if len(view.powers) == 2 else (0, 0)


def action_of(step: int) -> Action:
    """Convert a step of the core to an action."""
    kind, first, second = step >> 10, step >> 5 & 31, step & 31
    if kind == MOVE:
        return Move(first, second)
    if kind in (BUILD, DOME):
        return Build(first, second, kind == DOME)
    if kind == FORCE:
        return Force(first, second)
    return Done() if kind == DONE else Raze(first)


def step_of(action: Action) -> int:
    """Convert an action to a step of the core; -1 if it has none."""
    match action:
        case Move(frm, to):
            return MOVE << 10 | frm << 5 | to
        case Build(by, at, dome):
            return (DOME if dome else BUILD) << 10 | by << 5 | at
        case Force(frm, to):
            return FORCE << 10 | frm << 5 | to
        case Raze(at):
            return (DONE - 1) << 10 | at << 5
        case Done():
            return DONE << 10
        case _:
            return -1
