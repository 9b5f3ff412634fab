"""The greedy bot: of all legal choices the one after which things look best, in every game.

How things look is the business of a module for each game, `boardwire.bots.greedy.NAME` with a `choose` like that of a
bot; this one only finds it by the kind of view.  In a game that has no such module it picks at random.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from boardwire import games
from boardwire.bots.bot import RandomBot
from boardwire.games.game import Below, Decision

_CHOOSE: Final[dict[type, Callable[[Any, Decision[Any], Below, int], Any]]] = {
    games.game(name).View: import_module(f"boardwire.bots.greedy.{name}").choose
    for name in games.NAMES
    if find_spec(f"boardwire.bots.greedy.{name}") is not None
}


class GreedyBot:
    """Takes what looks best."""

    name = "greedy"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """The choice that looks best; luck decides between equals."""
        choose = _CHOOSE.get(type(view), RandomBot().choose)
        return choose(view, decision, below, budget)
