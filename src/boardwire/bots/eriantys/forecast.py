"""Forecast of a match of Eriantys: chances to win, and expected towers and influence at the end of the round.

A forecast is an average of samples: all seats play the round to its end with the quick policy of the search, and draws
are random. It recommends no action; a `SearchResult` does.
"""

from __future__ import annotations

import msgspec

from boardwire.bots.engine import Stop
from boardwire.bots.eriantys.core.evaluation import Features, chances, rounds_left, weights_for_round
from boardwire.bots.eriantys.core.search import Search
from boardwire.bots.eriantys.core.slots import EXPERT, OVER, OWNER, ROUND, SEATS, SIDES, STAGE, TOWERS, head_of, sway
from boardwire.bots.eriantys.views import state_of
from boardwire.bots.eriantys.weights import WEIGHTS, weights_key
from boardwire.games.eriantys import View
from boardwire.games.game import Below


class IslandForecast(msgspec.Struct, frozen=True):
    """An island, identified by its current head: the expected influence of each side, and its probability to own it."""

    island: int
    influence: tuple[float, ...]
    owner: tuple[float, ...]


class Forecast(msgspec.Struct, frozen=True):
    """The chance to win of each side, its towers on islands now and at the end of the round, and the islands."""

    chances: tuple[float, ...]
    towers: tuple[int, ...]
    expected: tuple[float, ...]
    islands: tuple[IslandForecast, ...]


def forecast(view: View, below: Below, samples: int, stop: Stop) -> Forecast:
    """Return the mean of `samples` rounds played to their end, or of fewer (at least one) if `stop` says so."""
    state = state_of(view)
    sides = state[SIDES]
    weights = WEIGHTS[weights_key(state[SEATS], bool(state[EXPERT]))]
    heads = [island.tiles[0] % 12 for island in view.islands]
    start = 6 if sides == 3 else 8
    chance = [0.0] * sides
    towers = [0.0] * sides
    influence = [[0.0] * sides for _ in heads]
    owned = [[0.0] * sides for _ in heads]
    features = Features()
    count = 0
    while count < max(1, samples) and not (count and stop()):
        count += 1
        after = state[:]
        if after[STAGE] != OVER:
            Search(weights, 1 << 40, 0, _never, below).play_on(after, 99, state[ROUND] + 1, True)
        for side, value in enumerate(chances(after, weights_for_round(weights, rounds_left(after)), features)):
            chance[side] += value
            towers[side] += start - after[TOWERS + side]
        for at, head in enumerate(heads):
            head = head_of(after, head)
            for side, value in enumerate(sway(after, head)):
                influence[at][side] += value
            if after[OWNER + head]:
                owned[at][after[OWNER + head] - 1] += 1
    return Forecast(
        _means(chance, count),
        tuple(start - state[TOWERS + side] for side in range(sides)),
        _means(towers, count),
        tuple(
            IslandForecast(head, _means(influence[at], count), _means(owned[at], count))
            for at, head in enumerate(heads)
        ),
    )


def _means(totals: list[float], count: int) -> tuple[float, ...]:
    return tuple(round(total / count, 3) for total in totals)


def _never() -> bool:
    return False
