"""The puzzles of Eriantys: legal, with a stated margin that fresh playouts confirm."""

from __future__ import annotations

import pytest
from training.eriantys_puzzles import MIN_MARGIN
from training.puzzles import called

from boardwire.bots.puzzles import Goal, Puzzle, Theme, puzzles_of
from boardwire.bots.puzzles.attempt import Attempt, Verdict, attempt, start
from boardwire.bots.puzzles.eriantys import is_turn_over, position_value
from boardwire.games import eriantys
from boardwire.games.eriantys import UseCharacter
from boardwire.games.game import CHANCE

PUZZLES = puzzles_of("eriantys")


def check(puzzle: Puzzle) -> None:
    """The rules play the solution as a whole turn, and it is right."""
    stand = attempt(puzzle, puzzle.solution)
    assert stand.verdict is Verdict.RIGHT
    assert stand.value == stand.best
    _, _, mover = start(puzzle)
    assert is_turn_over(stand.position, mover)
    if stand.best is not None and eriantys.pending(stand.position) is not None:
        assert abs(stand.best - puzzle.value) < 0.15


@pytest.mark.parametrize("puzzle", PUZZLES[::12], ids=lambda one: one.id)
def test_the_solution_is_a_legal_turn_and_right(puzzle: Puzzle) -> None:
    check(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda one: one.id)
def test_every_solution_is_a_legal_turn_and_right(puzzle: Puzzle) -> None:
    check(puzzle)


@pytest.mark.slow
def test_turns_at_random_are_hardly_ever_right() -> None:
    found = [other_turn(puzzle).verdict for puzzle in PUZZLES]
    assert found.count(Verdict.RIGHT) <= len(found) // 10


def other_turn(puzzle: Puzzle) -> Attempt:
    """The first legal turn, step by step."""
    steps: list[str] = []
    stand = attempt(puzzle, steps)
    while stand.verdict is Verdict.OPEN:
        decision = eriantys.pending(stand.position)
        assert decision is not None
        assert CHANCE not in decision.seats
        choices = [one for one in decision.choices if not isinstance(one, UseCharacter)]
        steps.append(eriantys.format_action(choices[0]))
        stand = attempt(puzzle, steps)
    return stand


def test_a_turn_that_is_clearly_worse_is_wrong_and_says_by_how_much() -> None:
    puzzle = max(PUZZLES, key=lambda one: one.margin)
    stand = other_turn(puzzle)
    assert stand.verdict is Verdict.WRONG
    assert stand.value is not None
    assert stand.best is not None
    assert stand.best - stand.value > puzzle.slack


def test_the_order_of_students_does_not_matter() -> None:
    puzzle = next(one for one in PUZZLES if sum(step.startswith(("hall", "island")) for step in one.solution[:2]) == 2
                  and one.solution[0] != one.solution[1])  # fmt: skip
    turned = [puzzle.solution[1], puzzle.solution[0], *puzzle.solution[2:]]
    assert attempt(puzzle, turned).verdict is Verdict.RIGHT


def test_there_are_at_least_100_with_a_clear_margin() -> None:
    assert len(PUZZLES) >= 100
    assert len({one.id for one in PUZZLES}) == len(PUZZLES)
    assert all(one.id == called(one.position) and one.goal is Goal.BEST for one in PUZZLES)
    assert min(one.margin for one in PUZZLES) >= MIN_MARGIN
    assert all(0 < one.slack < one.margin + 0.2 for one in PUZZLES)
    assert {theme for one in PUZZLES for theme in one.themes} >= {Theme.TOWER, Theme.PROFESSOR, Theme.POWER}


def test_equal_positions_have_equal_values() -> None:
    _, position, mover = start(PUZZLES[0])
    assert position_value(position, mover, 4) == position_value(position, mover, 4)
