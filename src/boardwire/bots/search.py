"""The bot that searches, in this process: for the arena, the command line and whoever has no other work to do.

On a server it thinks elsewhere (`pool.py`), with the same words.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from msgspec.structs import replace

from boardwire.bots.engine import Stop
from boardwire.bots.engines import engine, game_of
from boardwire.bots.levels import SEARCH, USUAL_LEVEL, BotName, Level, consider, level_of
from boardwire.games.game import Below, Decision


def until(seconds: float) -> Stop:
    """Stops when so many seconds have passed; 0: never."""
    end = monotonic() + seconds
    return (lambda: monotonic() >= end) if seconds else lambda: False


class SearchBot:
    """Plays every game by its engine, at a level of which nodes and seconds may be others.

    0 seconds are any number; then its choices can be repeated by its luck.  The budget in a `choose` is not looked at:
    its own is larger.
    """

    def __init__(self, level: int = USUAL_LEVEL, nodes: int | None = None, seconds: float | None = None) -> None:
        self._level = level
        self._nodes = nodes
        self._seconds = seconds
        self.name = str(BotName(SEARCH, level))

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """The first step of the best turn that it finds."""
        game = game_of(view)
        level = self.level(game)
        return consider(engine(game), view, decision, below, level, until(level.seconds)).turn[0]

    def level(self, game: str) -> Level:
        """What it may spend on one thought in a game."""
        level = level_of(game, self._level)
        if self._nodes is not None:
            level = replace(level, nodes=self._nodes, depth=0)
        return level if self._seconds is None else replace(level, seconds=self._seconds)
