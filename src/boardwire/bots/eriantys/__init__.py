"""The Eriantys engine: converts views and actions for the search in `core`.

Only the order of the bag is hidden, so a view is enough to reconstruct the match (`views`). If another server offers
only actions that our rules do not allow, the greedy bot chooses.
"""

from __future__ import annotations

from typing import Final

from msgspec import to_builtins

from boardwire.bots.engine import WON, Engine, Past, SearchLimits, SearchResult, Stop
from boardwire.bots.eriantys.core.search import Search, wins
from boardwire.bots.eriantys.core.slots import EXPERT, PLAN, SEATS, SIDE, STAGE, SWAP
from boardwire.bots.eriantys.core.steps import legal
from boardwire.bots.eriantys.forecast import Forecast, IslandForecast, forecast
from boardwire.bots.eriantys.views import action_of, state_of, step_of
from boardwire.bots.eriantys.weights import WEIGHTS, weights_key
from boardwire.bots.greedy.eriantys import choose
from boardwire.games.eriantys import Action, View
from boardwire.games.game import Below, Decision

__all__ = ["ENGINE", "EriantysEngine", "Forecast", "IslandForecast", "forecast"]


class EriantysEngine:
    """Searches whole turns."""

    name = "eriantys"

    def think(
        self, view: View, decision: Decision[Action], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Return the best turn or, in the planning phase, the best assistant card."""
        offered = tuple(decision.choices)
        if len(offered) == 1:
            return SearchResult(offered, 0.0, 0, 0)
        forecast_data = to_builtins(forecast(view, below, limits.samples, stop)) if limits.samples else None
        state = state_of(view)
        legal_steps = set(legal(state))
        allowed = [step for action in offered if (step := step_of(action)) in legal_steps]
        if not allowed:
            return SearchResult(
                (choose(view, decision, below, limits.nodes),), 0.0, 1, len(offered), forecast=forecast_data
            )
        weights = WEIGHTS[weights_key(state[SEATS], bool(state[EXPERT]))]
        search = Search(weights, limits.nodes, limits.depth, stop, below)
        move = search.best_card(state, allowed) if state[STAGE] == PLAN else search.best_turn(state, allowed)
        if not move.steps:
            return SearchResult(
                (choose(view, decision, below, limits.nodes),), 0.0, 1, search.nodes, forecast=forecast_data
            )
        steps = move.steps[:1] if state[STAGE] == SWAP else move.steps  # a view lacks the number of swaps left
        turn = tuple(map(action_of, steps))
        if wins(move.state, state[SIDE + decision.seats[0]]):
            return SearchResult(turn, WON, 1, search.nodes, proved=1, forecast=forecast_data)
        depth = 2 if search.rounds else 1  # 2: the replies of the other seats were played out
        return SearchResult(turn, 2 * move.value() - 1, depth, search.nodes, forecast=forecast_data)


ENGINE: Final[Engine] = EriantysEngine()
