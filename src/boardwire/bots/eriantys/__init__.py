"""Eriantys, searched: the engine around `search`, which knows seats, views and actions.

Everything but the order of the bag is open, so a view is enough to write the match down (`reading`).
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.engine import WON, Engine, Limits, Stop, Thought
from boardwire.bots.eriantys.reading import action_of, state_of, step_of
from boardwire.bots.eriantys.search import Search, wins
from boardwire.bots.eriantys.slots import EXPERT, SEATS, SIDE, SIDES
from boardwire.bots.eriantys.weights import WEIGHTS
from boardwire.games.eriantys import Action, Kind, View
from boardwire.games.game import Below, Decision


class EriantysEngine:
    """Looks for whole turns."""

    name = "eriantys"

    def think(self, view: View, decision: Decision[Action], below: Below, limits: Limits, stop: Stop) -> Thought:
        """The best turn, or assistant."""
        state = state_of(view)
        side = state[SIDE + decision.seats[0]]
        allowed = [step_of(action) for action in decision.choices]
        if len(allowed) == 1:
            return Thought((action_of(allowed[0]),), 0.0, 0, 0)
        search = Search(WEIGHTS[state[SEATS], state[EXPERT]], limits.nodes, limits.depth, stop, below)
        if decision.kind == Kind.ASSISTANT:
            found = search.best_card(state, allowed)
        else:
            found = search.best_turn(state, allowed)
        turn = tuple(action_of(step) for step in found.steps)
        if decision.kind != Kind.ASSISTANT and wins(found.state, side):
            return Thought(turn, WON, 1, search.nodes, proved=1)
        return Thought(turn, 2 * found.value() - 1, 1 + search.rounds, search.nodes)


ENGINE: Final[Engine] = EriantysEngine()
