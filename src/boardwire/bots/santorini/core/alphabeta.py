"""A plain alpha-beta search of so many plies, without powers: a yardstick, kept as simple as it can be.

It sums heights, tries turns in the order in which they are found, and knows neither a table nor threats.  It stands in
the core only so that a match against six plies takes minutes and not days.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State, level
from boardwire.bots.santorini.core.turns import mortal_turns, mortal_wins

if TYPE_CHECKING:
    from mypy_extensions import i64

WIN: Final = 1000


class Plain:
    """The search, and the pools it writes to."""

    nodes: i64
    _pools: list[list[State]]

    def __init__(self) -> None:
        self.nodes = 0
        self._pools = [[] for _ in range(12)]

    def value(self, s: State, depth: i64, alpha: i64, beta: i64) -> i64:
        """What a state is worth to the side to move, so many plies on; a win counts more the sooner it comes."""
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
