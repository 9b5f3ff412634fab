"""Whether a win within so many turns is certain: all answers are tried, nothing is judged or left out.

The search finds wins; this looks again, without windows, reductions or a table, at every turn of both sides.  Whoever
is left without a turn has lost at once, so that counts as a win by the turn before.  Puzzles are made by it, and tests
hold the search to it.
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
"""Powers in play of which a square beside a worker, free and as high, does not yet promise a turn."""


def wins_within(turns: Turns, here: State, count: int) -> bool:
    """Whether the side to move can win within `count` of its own turns, whatever the other does."""
    return turns.wins(here) or any(is_lost_within(turns, after, count - 1) for after in ends(turns, here))


def is_lost_within(turns: Turns, after: State, count: int) -> bool:
    """Whether the side to move has lost already, or the other one wins within `count` turns whatever it answers."""
    if after.won:
        return after.won == 1
    if count < 1:
        return is_stuck(turns, after)
    if turns.wins(after):
        return False
    return all(answer.won == -1 if answer.won else wins_within(turns, answer, count) for answer in ends(turns, after))


def winning(turns: Turns, here: State, count: int) -> list[int]:
    """The numbers of all turns (`ends`) that win within `count` of the mover's own, this one included."""
    return [n for n, after in enumerate(ends(turns, here)) if is_lost_within(turns, after, count - 1)]


def is_stuck(turns: Turns, here: State) -> bool:
    """Whether the side to move has no turn."""
    return not _steps_aside(turns, here) and not ends(turns, here)


def _steps_aside(turns: Turns, here: State) -> bool:
    """Whether it is plain to see that a worker can move: what it left is a square to build on."""
    if any(power in _BLOCKERS for power in turns.powers):
        return False
    closed = here.domes | 1 << here.w0 | 1 << here.w1 | 1 << here.w2 | 1 << here.w3
    for frm in (here.w0, here.w1):
        height = level(here, frm)
        same = (tables.ALL, here.b1, here.b2, here.b3)[height] & ~(here.b1, here.b2, here.b3, 0)[height]
        if tables.NEAR[frm] & same & ~closed:
            return True
    return False


def ends(turns: Turns, here: State) -> list[State]:
    """The states that the turns of a state lead to."""
    pool: list[State] = []
    return pool[: turns.all(here, pool)]
