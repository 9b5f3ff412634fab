"""The greedy bot: of all legal choices the one after which things look best, in every game.

How things look is each game's own module's business; this one only finds it by the kind of view.  In a game that has
no such module it picks at random.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.bots import eriantys as eriantys_bot
from boardwire.bots import santorini as santorini_bot
from boardwire.bots import tris as tris_bot
from boardwire.bots.bot import RandomBot
from boardwire.games import eriantys, santorini, tris
from boardwire.games.game import Below, Decision

_CHOOSE: Final[dict[type, Any]] = {
    tris.View: tris_bot.choose,
    santorini.View: santorini_bot.choose,
    eriantys.View: eriantys_bot.choose,
}


class GreedyBot:
    """Takes what looks best."""

    name = "greedy"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """The choice that looks best; luck decides between equals."""
        choose = _CHOOSE.get(type(view), RandomBot().choose)
        return choose(view, decision, below, budget)
