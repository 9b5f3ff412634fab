"""The engine that searches Forza Quattro: what it claims is proved by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from boardwire.bots.arena import duel
from boardwire.bots.engine import SearchLimits, SearchResult
from boardwire.bots.forza import ENGINE
from boardwire.bots.greedy import GreedyBot
from boardwire.games import forza
from boardwire.games.forza.rules import Position
from boardwire.games.game import Below, Decision


def played(columns: str) -> Position:
    position = forza.new(forza.Options(), 2)
    for number, column in enumerate(columns):
        position, _ = forza.apply(position, number % 2, forza.parse_action(column))
    return position


def think(position: Position, nodes: int = 20_000, depth: int = 0, luck: int = 0) -> SearchResult:
    decision = forza.pending(position)
    assert decision is not None
    view = forza.view(position, decision.seats[0])
    return ENGINE.think(view, decision, lambda count: luck % count, SearchLimits(nodes, depth), lambda: False)


def scattered(seed: int, count: int, fewest: int, most: int) -> Iterator[Position]:
    """Positions after random discs that no one has won with."""
    below = Random(seed).randrange
    while count:
        position = forza.new(forza.Options(), 2)
        for _ in range(fewest + below(most - fewest)):
            decision = forza.pending(position)
            if decision is None:
                break
            choices = tuple(decision.choices)
            position, _ = forza.apply(position, decision.seats[0], choices[below(len(choices))])
        if forza.pending(position) is not None:
            count -= 1
            yield position


def wins(position: Position, seat: int, turns: int) -> bool:
    """Whether `seat` can win within this many of its own turns, by the rules alone."""
    decision = forza.pending(position)
    if decision is None:
        outcome = forza.outcome(position)
        return outcome is not None and outcome.winners == (seat,)
    if turns == 0:
        return False
    mover = decision.seats[0]
    after = (forza.apply(position, mover, column)[0] for column in decision.choices)
    if mover == seat:
        return any(wins(one, seat, turns - 1) for one in after)
    return all(wins(one, seat, turns) for one in after)


def value(position: Position, alpha: int = -1, beta: int = 1) -> int:
    """Who wins in the end (1: the mover), by the rules alone."""
    decision = forza.pending(position)
    if decision is None:
        outcome = forza.outcome(position)
        return -1 if outcome is not None and outcome.winners else 0
    for column in decision.choices:
        alpha = max(alpha, -value(forza.apply(position, decision.seats[0], column)[0], -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def claimed(seed: int, count: int, most: int) -> Iterator[tuple[Position, SearchResult]]:
    """Positions where the engine is sure, in at most this many turns."""
    for position in scattered(seed, count, 8, 30):
        thought = think(position, 1_000)
        if 0 < abs(thought.proved) <= most:
            yield position, thought


def prove(seed: int, count: int, most: int) -> int:
    """Prove what it claims, and that its own first move leads there; how many claims there were."""
    found = 0
    for position, thought in claimed(seed, count, most):
        found += 1
        seat = forza.view(position, None).turn
        assert seat is not None
        after, _ = forza.apply(position, seat, thought.turn[0])
        if thought.proved > 0:
            assert wins(after, seat, thought.proved - 1)
            assert not wins(position, seat, thought.proved - 1)
        else:
            assert wins(position, 1 - seat, -thought.proved)
            assert not wins(after, 1 - seat, -thought.proved - 1)
    return found


def test_every_win_and_loss_that_it_claims_is_proved_by_the_rules() -> None:
    assert prove(seed=3, count=25, most=2) >= 4


@pytest.mark.slow
def test_every_later_win_and_loss_that_it_claims_is_proved_by_the_rules() -> None:
    assert prove(seed=4, count=300, most=4) >= 75


def test_near_the_end_it_knows_who_wins() -> None:
    for position in scattered(5, 15, 31, 38):
        thought = think(position)
        assert (thought.proved > 0) - (thought.proved < 0) == value(position)


@pytest.mark.parametrize("luck", [0, 1])
@pytest.mark.parametrize(
    ("columns", "turn", "proved"),
    [
        ("112233", "4", 1),
        ("4757", "3", 2),  # then 2 and 6 complete a row
        ("12121", "1", 0),
    ],
)
def test_it_wins_or_prevents(columns: str, turn: str, proved: int, luck: int) -> None:
    thought = think(played(columns), 2_000, luck=luck)
    assert (thought.turn, thought.proved) == ((forza.parse_action(turn),), proved)


def test_it_keeps_to_its_limits() -> None:
    position = played("4444")
    assert think(position, nodes=500).nodes <= 500
    assert think(position, depth=3).depth == 3
    assert think(position, nodes=1).turn[0] in range(7)


def test_it_stops_when_the_caller_stops_waiting() -> None:
    position = played("4")
    decision = forza.pending(position)
    assert decision is not None
    thought = ENGINE.think(forza.view(position, 1), decision, lambda count: 0, SearchLimits(10**9), lambda: True)
    assert thought.nodes < 1_000


def test_after_a_passed_turn_it_plays_on() -> None:
    position, _ = forza.skip(played("1122"), 0)
    thought = think(position, 500)
    assert thought.turn[0] in range(7)


def test_its_line_can_be_played() -> None:
    for position in scattered(9, 10, 4, 20):
        thought = think(position, 3_000)
        for column in (*thought.turn, *thought.line):
            decision = forza.pending(position)
            assert decision is not None
            position, _ = forza.apply(position, decision.seats[0], column)


class Player:
    """The engine as a bot, with this many nodes."""

    name = "engine"

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes

    def choose(self, view: forza.View, decision: Decision[int], below: Below, budget: int) -> int:
        return int(ENGINE.think(view, decision, below, SearchLimits(self._nodes), lambda: False).turn[0])


@pytest.mark.slow
def test_it_beats_the_greedy_bot() -> None:
    score = duel(forza, forza.Options(), 2, Player(5_000), GreedyBot(), Random(1).randrange, 20)
    assert score.won >= 18
