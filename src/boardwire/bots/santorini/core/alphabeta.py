"""A minimal alpha-beta search of a fixed depth, without powers, as a benchmark opponent.

It sums heights, tries turns in the order of generation, and has neither a table nor threat detection. It is in the core
only to be compiled: matches against six plies take minutes instead of days.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State, level
from boardwire.bots.santorini.core.turns import mortal_turns, mortal_wins

if TYPE_CHECKING:
    from mypy_extensions import i64

WIN: Final = 1000


class Plain:
    """The search and its pools of states."""

    nodes: i64
    _pools: list[list[State]]

    def __init__(self) -> None:
        self.nodes = 0
        self._pools = [[] for _ in range(12)]

    def value(self, s: State, depth: i64, alpha: i64, beta: i64) -> i64:
        """Return the value for the side to move, searched to a depth in plies; an earlier win has a higher value."""
        self.nodes += 1
        if mortal_wins(s):
            return WIN + depth
        if depth == 0:
            return level(s, s.w0) + level(s, s.w1) - level(s, s.w2) - level(s, s.w3)
        pool = self._pools[depth]
        n: i64 = mortal_turns(s, pool, 0, False)
        if n == 0:
            return -WIN - depth
        k: i64 = 0
        while k < n:
            found: i64 = -self.value(pool[k], depth - 1, -beta, -alpha)
            if found > alpha:
                alpha = found
                if alpha >= beta:
                    break
            k += 1
        return alpha
