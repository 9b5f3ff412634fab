"""A search bot that runs in this process: for the arena and the command line.

A server runs the same search in worker processes (`pool.py`).
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from msgspec.structs import replace

from boardwire.bots.engine import Stop
from boardwire.bots.engines import engine, game_of
from boardwire.bots.levels import DEFAULT_LEVEL, SEARCH, BotName, Level, consider, level_of
from boardwire.games.game import Below, Decision


def until(seconds: float) -> Stop:
    """Return a `Stop` that becomes true after `seconds`; 0: never."""
    end = monotonic() + seconds
    return (lambda: monotonic() >= end) if seconds else lambda: False


class SearchBot:
    """Plays every game by its engine, at a level with optional own limits of nodes and seconds.

    0 seconds means no time limit; then choices are reproducible for the same seed. The `budget` of `choose` is ignored.
    """

    def __init__(self, level: int = DEFAULT_LEVEL, nodes: int | None = None, seconds: float | None = None) -> None:
        self._level = level
        self._nodes = nodes
        self._seconds = seconds
        self.name = str(BotName(SEARCH, level))

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Return the first step of the best turn found."""
        game = game_of(view)
        level = self.level(game)
        return consider(engine(game), view, decision, below, level, until(level.seconds)).turn[0]

    def level(self, game: str) -> Level:
        """Return the limits of one search in a game."""
        level = level_of(game, self._level)
        if self._nodes is not None:
            level = replace(level, nodes=self._nodes, depth=0)
        return level if self._seconds is None else replace(level, seconds=self._seconds)
