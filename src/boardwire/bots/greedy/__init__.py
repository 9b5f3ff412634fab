"""The greedy bot: takes the legal choice with the best evaluation, in every game.

The play of a game is `choose` in the module `boardwire.bots.greedy.NAME`, which is found by the type of the view. In a
game without that module the bot picks at random.
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
    """Takes the choice with the best evaluation."""

    name = "greedy"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Return the best choice; ties are broken at random."""
        choose = _CHOOSE.get(type(view), RandomBot().choose)
        return choose(view, decision, below, budget)
