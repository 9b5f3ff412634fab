"""The puzzles: legal, solved by their solution alone, and proved by the rules."""

from __future__ import annotations

import pytest
from training.puzzles import is_proved

from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import winning
from boardwire.bots.santorini.puzzles import Puzzle, puzzles
from boardwire.bots.santorini.sight import powers_of, state_of
from boardwire.games import santorini
from boardwire.games.santorini.notation import parse_position

TRIED = puzzles()[::40]


def check(puzzle: Puzzle) -> None:
    p = parse_position(puzzle.position)
    view = santorini.view(p, p.seat)
    turns, here = Turns(*powers_of(view)), state_of(view, p.seat)
    assert puzzle.turns == 1 or not winning(turns, here, puzzle.turns - 1)
    assert len(winning(turns, here, puzzle.turns)) == 1
    assert is_proved(p, p.seat, tuple(map(santorini.parse_action, puzzle.solution)), puzzle.turns)


@pytest.mark.parametrize("puzzle", [one for one in TRIED if one.turns < 3], ids=lambda one: one.position)
def test_a_puzzle_has_one_solution_and_the_rules_agree(puzzle: Puzzle) -> None:
    check(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda one: one.position)
def test_every_puzzle_has_one_solution_and_the_rules_agree(puzzle: Puzzle) -> None:
    check(puzzle)


def test_the_easy_ones_come_first_and_none_comes_twice() -> None:
    assert [one.turns for one in puzzles()] == sorted(one.turns for one in puzzles())
    assert len({one.position for one in puzzles()}) == len(puzzles())
