"""Where the core does not know the rules in play: the greedy bot's choice."""

from __future__ import annotations

from boardwire.bots.engine import Limits, Stop, Thought
from boardwire.bots.greedy import santorini as greedy
from boardwire.games.game import Below, Decision
from boardwire.games.santorini import View
from boardwire.games.santorini.actions import Action


def think(view: View, decision: Decision[Action], below: Below, limits: Limits, stop: Stop) -> Thought:
    """What looks best after one step."""
    return Thought((greedy.choose(view, decision, below, limits.nodes),), 0.0, 0, len(decision.choices))
