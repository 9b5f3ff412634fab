"""Puzzles of Eriantys: the value of a finished turn, measured by playouts.

The value of a turn is the chance to win after every other seat has taken a turn, played by the quick policy of the
search with random draws and assistants (`bots/eriantys/core/search.py`). All turns of a position are measured with the
same draws, which makes their difference more precise than their values.
"""

from __future__ import annotations

from functools import partial
from operator import mod
from typing import Final

from boardwire.bots.eriantys.core.search import Search
from boardwire.bots.eriantys.core.slots import EXPERT, OVER, SEATS, SIDE, STAGE, WINNERS
from boardwire.bots.eriantys.views import state_of
from boardwire.bots.eriantys.weights import WEIGHTS, weights_key
from boardwire.games import eriantys
from boardwire.games.eriantys import Position
from boardwire.games.eriantys.stages import Kind
from boardwire.games.game import Seat

PLAYOUTS: Final = 32
"""Number of playouts for a turn of a puzzle."""
RESTOCK: Final = Kind.RESTOCK
"""The only decision of chance within a turn."""
_WHOLE_ROUND: Final = 99
"""More rounds than a match has."""


def value_after(state: list[int], seat: Seat, playouts: int, seed: int = 0) -> float:
    """Return the chance of a seat's side to win after its turn, as the mean of playouts."""
    side = state[SIDE + seat]
    if state[STAGE] == OVER:
        winners = state[WINNERS]
        return (winners >> side & 1) / max(1, winners.bit_count())
    total = 0.0
    weights = WEIGHTS[weights_key(state[SEATS], bool(state[EXPERT]))]
    for number in range(playouts):
        search = Search(weights, 1 << 40, 0, bool, partial(mod, seed + 7919 * number))
        after = state[:]
        search.play_on(after, state[SEATS] - 1, _WHOLE_ROUND, True)
        total += search.worth(after, side)
    return total / playouts


def position_value(position: Position, seat: Seat, playouts: int = PLAYOUTS) -> float:
    """Return the chance of a seat's side to win after its turn."""
    return value_after(state_of(eriantys.view(position, None)), seat, playouts)


def is_turn_over(position: Position, mover: Seat) -> bool:
    """Return whether the mover has finished its turn."""
    view = eriantys.view(position, None)
    return view.asked in (None, Kind.ASSISTANT, Kind.REFILL) or view.turn not in (None, mover)
