"""Registry of engines by game.

The engine of a game is `ENGINE` in the package `boardwire.bots.GAME`, which is imported on first use. For a game
without one it is the greedy bot, which looks one choice ahead, ignores the limits and does not evaluate the position.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, cast

from boardwire import games
from boardwire.bots.engine import Engine, Past, SearchLimits, SearchResult, Stop
from boardwire.bots.greedy import GreedyBot
from boardwire.games.game import Below, Decision

GAME_BY_VIEW: Final[dict[type, str]] = {games.game(name).View: name for name in games.NAMES}


class GreedyEngine:
    """The greedy bot with the interface of an engine."""

    name = "greedy"

    def think(
        self, view: Any, decision: Decision[Any], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Return the greedy bot's choice."""
        return SearchResult((GreedyBot().choose(view, decision, below, limits.nodes),), 0.0, 1, len(decision.choices))


def game_of(view: Any) -> str:
    """Return the name of the game of a view."""
    return GAME_BY_VIEW[type(view)]


def has_engine(game: str) -> bool:
    """Return whether a game has a search engine."""
    return find_spec(f"boardwire.bots.{game}") is not None


def new_engine(game: str) -> Engine:
    """Return a new engine without cached results of other matches, so that its choices are reproducible."""
    return type(engine(game))()


@cache
def engine(game: str) -> Engine:
    """Return the engine for a game."""
    if not has_engine(game):
        return GreedyEngine()
    return cast("Engine", import_module(f"boardwire.bots.{game}").ENGINE)
