"""Search bots that run in this process: for the arena and the command line.

A server runs the same search in worker processes (`pool.py`).
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from msgspec.structs import replace

from boardwire.bots.engine import Stop
from boardwire.bots.engines import engine, game_of, new_engine
from boardwire.bots.levels import DEFAULT_LEVEL, SEARCH, BotName, Level, consider, level_of
from boardwire.bots.memory import Memory
from boardwire.games.game import Below, Decision


def until(seconds: float) -> Stop:
    """Return a `Stop` that becomes true after `seconds`; 0: never."""
    end = monotonic() + seconds
    return (lambda: monotonic() >= end) if seconds else lambda: False


class SearchBot:
    """Plays every game with its engine, at a level whose limits of nodes and seconds can be replaced.

    0 seconds means no time limit; choices are then reproducible for the same seed. The `budget` of `choose` is ignored.
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


class LevelBot:
    """A level of one game with a separate engine, for one match at a time.

    As on a server, it plays the planned steps of a turn without another search. Limits are those of `SearchBot`, but
    without a time limit by default, so that its choices are reproducible. Call `reset` before another match.
    """

    def __init__(
        self, game: str, level: int = DEFAULT_LEVEL, nodes: int | None = None, seconds: float | None = None
    ) -> None:
        self._game = game
        self._level = SearchBot(level, nodes, seconds or 0.0).level(game)
        self.name = str(BotName(SEARCH, level))
        self.reset()

    def reset(self) -> None:
        """Discard all state of the last match."""
        self._engine = new_engine(self._game)
        self._rest: tuple[Any, ...] = ()
        self._memory = Memory()

    def choose(
        self, view: Any, decision: Decision[Any], below: Below, budget: int = 0, seconds: float | None = None
    ) -> Any:
        """Return the next step of the turn; `seconds` is an additional time limit."""
        if not self._rest or self._rest[0] not in decision.choices:
            limit = min(filter(None, (self._level.seconds, seconds)), default=0.0)
            self._rest = consider(
                self._engine, view, decision, below, self._level, until(limit), self._memory.past
            ).turn
        action, self._rest = self._rest[0], self._rest[1:]
        self._memory.note(view, action)
        return action
