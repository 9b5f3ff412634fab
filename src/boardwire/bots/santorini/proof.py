"""Whether a win within so many turns is certain: all answers are tried, nothing is judged or left out.

The search finds wins; this looks again, without windows, reductions or a table, at every turn of both sides.  Puzzles
are made by it, and tests hold the search to it.
"""

from __future__ import annotations

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns


def wins_within(turns: Turns, here: State, count: int) -> bool:
    """Whether the side to move can win within `count` of its own turns, whatever the other does."""
    if turns.wins(here):
        return True
    return count > 1 and any(is_lost_within(turns, after, count - 1) for after in ends(turns, here))


def is_lost_within(turns: Turns, after: State, count: int) -> bool:
    """Whether the side to move has lost already, or the other one wins within `count` turns whatever it answers."""
    if after.won:
        return after.won == 1
    if turns.wins(after):
        return False
    return all(answer.won == -1 if answer.won else wins_within(turns, answer, count) for answer in ends(turns, after))


def winning(turns: Turns, here: State, count: int) -> list[int]:
    """The numbers of all turns (`ends`) that win within `count` of the mover's own, this one included."""
    return [n for n, after in enumerate(ends(turns, here)) if _wins(turns, after, count)]


def _wins(turns: Turns, after: State, count: int) -> bool:
    if after.won or count == 1:
        return after.won == 1
    return is_lost_within(turns, after, count - 1)


def ends(turns: Turns, here: State) -> list[State]:
    """The states that the turns of a state lead to."""
    pool: list[State] = []
    return pool[: turns.all(here, pool)]
