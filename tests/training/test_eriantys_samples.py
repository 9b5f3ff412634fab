"""Samples of matches: what is kept of them, and that a run that was stopped goes on."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from training.eriantys import Kind, set_up
from training.eriantys_samples import collect

from boardwire.bots.eriantys.core.evaluation import (
    COUNT,
    PROFESSORS,
    TOWERS_PLACED,
    Features,
    rounds_left,
    weights_for_round,
)
from boardwire.bots.eriantys.core.slots import BAG, LAST, PLAN, ROUND, STAGE, TOWERS
from boardwire.bots.eriantys.weights import WEIGHTS
from boardwire.games.eriantys import Mode

KIND = Kind(3, Mode.EXPERT, 5, 1)


def test_a_collection_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = collect(KIND, 3, tmp_path / "whole")
    collect(KIND, 1, tmp_path / "broken")
    assert collect(KIND, 3, tmp_path / "broken") == whole
    assert (tmp_path / "broken").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_match_has_a_winner_and_samples_of_every_side(tmp_path: Path) -> None:
    (match,) = collect(KIND, 1, tmp_path / "one")
    assert sum(match.won) >= 1
    assert all(len(sample.sides) == 3 and len(sample.sides[0]) == COUNT for sample in match.samples)
    left = [sample.left for sample in match.samples]
    assert left == sorted(left, reverse=True)
    assert match.samples[-1].sides[0][TOWERS_PLACED] + match.samples[-1].sides[1][TOWERS_PLACED] > 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_worth_of_a_side_is_the_weighted_sum_of_its_numbers(seats: int) -> None:
    state = set_up(seats, Mode.EXPERT, Random(3).randrange)
    state[TOWERS + 1] -= 2
    weights = weights_for_round(WEIGHTS[f"{seats} expert"], 4)
    features = Features()
    features.read(state)
    for side in (0, 1):
        numbers = features.numbers(side)
        assert features.worth(side, weights) == sum(a * b for a, b in zip(numbers, weights, strict=True))
    assert features.numbers(1)[TOWERS_PLACED] == 2
    assert features.numbers(0)[PROFESSORS] == 0


@pytest.mark.parametrize(("seats", "rounds"), [(2, 10), (3, 8), (4, 8)])
def test_a_match_lasts_as_long_as_there_are_assistants_and_students(seats: int, rounds: int) -> None:
    state = set_up(seats, Mode.SIMPLIFIED, Random(3).randrange)
    assert rounds_left(state) == rounds - 1
    state[ROUND] = 10
    assert rounds_left(state) == 0
    state[ROUND] = 1
    state[STAGE] = PLAN
    state[BAG : BAG + 5] = [1, 0, 0, 0, 0]
    assert rounds_left(state) == 1
    state[LAST] = 1
    assert rounds_left(state) == 0


def test_the_second_half_of_the_weights_counts_more_as_the_end_comes_near() -> None:
    weights = [1.0] * COUNT + [2.0] * COUNT
    assert [weights_for_round(weights, left)[0] for left in (0, 1, 3)] == [3_000_000, 2_000_000, 1_500_000]
