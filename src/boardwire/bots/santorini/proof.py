"""Exhaustive proof of forced wins within a number of turns.

It checks every turn of both sides, without windows, reductions or a table. A side without a legal turn has lost at
once, so the turn before it counts as the win. It is used to make puzzles and to test the search.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.santorini.core import tables
from boardwire.bots.santorini.core.state import State, level
from boardwire.bots.santorini.core.turns import Turns

_BLOCKERS: Final = (
    tables.APHRODITE, tables.HYPNUS, tables.LIMUS, tables.HARPIES, tables.HIPPOLYTA, tables.MORPHEUS, tables.MEDUSA,
    tables.PERSEPHONE, tables.HADES, tables.ATHENA, tables.SELENE, tables.ASTERIA,
)  # fmt: skip
"""Powers under which a free adjacent square of the same level does not guarantee a turn."""


def wins_within(turns: Turns, here: State, count: int) -> bool:
    """Return whether the side to move can force a win within `count` of its turns."""
    return turns.wins(here) or any(is_lost_within(turns, after, count - 1) for after in ends(turns, here))


def is_lost_within(turns: Turns, after: State, count: int) -> bool:
    """Return whether the side to move has lost, or the other side can force a win within `count` turns."""
    if after.won:
        return after.won == 1
    if count < 1:
        return is_stuck(turns, after)
    if turns.wins(after):
        return False
    return all(answer.won == -1 if answer.won else wins_within(turns, answer, count) for answer in ends(turns, after))


def winning_indices(turns: Turns, here: State, count: int) -> list[int]:
    """Return the indices of all turns (`ends`) that force a win within `count` own turns, including this one."""
    return [n for n, after in enumerate(ends(turns, here)) if is_lost_within(turns, after, count - 1)]


def is_stuck(turns: Turns, here: State) -> bool:
    """Return whether the side to move has no legal turn."""
    return not _steps_aside(turns, here) and not ends(turns, here)


def _steps_aside(turns: Turns, here: State) -> bool:
    """Return whether a worker can step to a free square on its level and build on the square it left."""
    if any(power in _BLOCKERS for power in turns.powers):
        return False
    closed = here.domes | 1 << here.w0 | 1 << here.w1 | 1 << here.w2 | 1 << here.w3
    for frm in (here.w0, here.w1):
        height = level(here, frm)
        same_level = (tables.ALL, here.b1, here.b2, here.b3)[height] & ~(here.b1, here.b2, here.b3, 0)[height]
        if tables.NEAR[frm] & same_level & ~closed:
            return True
    return False


def ends(turns: Turns, here: State) -> list[State]:
    """Return the states after each turn of a state."""
    pool: list[State] = []
    return pool[: turns.all(here, pool)]
