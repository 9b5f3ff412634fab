"""The engines, by game: each is `ENGINE` of the package `boardwire.bots.GAME`, and imported when it is first asked for.

Where a game has no engine, the greedy bot stands in for one: it looks one choice ahead, whatever it is allowed, and has
no opinion of the position.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, cast

from boardwire import games
from boardwire.bots.engine import Engine, Limits, Stop, Thought
from boardwire.bots.greedy import GreedyBot
from boardwire.games.game import Below, Decision

GAME_BY_VIEW: Final[dict[type, str]] = {games.game(name).View: name for name in games.NAMES}


class GreedyEngine:
    """The greedy bot, as an engine."""

    name = "greedy"

    def think(self, view: Any, decision: Decision[Any], below: Below, limits: Limits, stop: Stop) -> Thought:
        """What looks best after one choice."""
        return Thought((GreedyBot().choose(view, decision, below, limits.nodes),), 0.0, 1, len(decision.choices))


def game_of(view: Any) -> str:
    """The game that a view is one of."""
    return GAME_BY_VIEW[type(view)]


def has_engine(game: str) -> bool:
    """Whether somebody searches this game."""
    return find_spec(f"boardwire.bots.{game}") is not None


@cache
def engine(game: str) -> Engine:
    """The engine for a game."""
    if not has_engine(game):
        return GreedyEngine()
    return cast("Engine", import_module(f"boardwire.bots.{game}").ENGINE)
