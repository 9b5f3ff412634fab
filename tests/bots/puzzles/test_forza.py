"""The puzzles of Forza Quattro: legal, with one right column by exact results, and playable against the defence."""

from __future__ import annotations

import pytest
from training.forza_puzzles import is_proved, themes_of
from training.puzzles import called

from boardwire.bots.forza import solver
from boardwire.bots.puzzles import Goal, Puzzle, Theme, puzzles_of
from boardwire.bots.puzzles.attempt import Verdict, attempt
from boardwire.bots.puzzles.forza import End, board_of, end_of, ends, is_right
from boardwire.errors import BoardwireError
from boardwire.games import forza
from boardwire.games.forza.notation import parse_position

PUZZLES = puzzles_of("forza")
SHORT = [one for one in PUZZLES if one.goal is Goal.WIN and one.turns <= 3]
"""Won soon: the search alone settles them."""


def check(puzzle: Puzzle) -> None:
    """One column is right by the exact ends of all columns, and the rules play it out."""
    p = parse_position(puzzle.position)
    decision = forza.pending(p)
    assert decision is not None
    own, taken = board_of(p, decision.seats[0])
    found = {column: end for column, end in ends(own, taken).items() if end is not None}
    right = 1 if puzzle.goal is Goal.WIN else 0
    column = forza.parse_action(puzzle.solution[0])
    assert [column] == [one for one, end in found.items() if end.result >= right]
    assert themes_of(own, taken, column, puzzle.goal, found) == puzzle.themes
    if puzzle.goal is Goal.WIN:
        assert len(found) == len(decision.choices)
        assert (found[column].discs - taken.bit_count() + 1) // 2 == puzzle.turns
        assert is_proved(p, column, min(2, puzzle.turns), puzzle.turns)


@pytest.mark.parametrize("puzzle", SHORT[::6], ids=lambda one: one.id)
def test_a_puzzle_has_one_right_column(puzzle: Puzzle) -> None:
    check(puzzle)


@pytest.mark.slow
@pytest.mark.skipif(not solver.AVAILABLE, reason="the solver is not compiled")
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda one: one.id)
def test_every_puzzle_has_one_right_column(puzzle: Puzzle) -> None:
    check(puzzle)


def test_there_are_at_least_150_and_none_comes_twice() -> None:
    assert len(PUZZLES) >= 150
    assert len({one.id for one in PUZZLES}) == len(PUZZLES)
    assert all(one.id == called(one.position) for one in PUZZLES)
    assert [one.grade for one in PUZZLES] == sorted(one.grade for one in PUZZLES)
    assert {one.goal for one in PUZZLES} == {Goal.WIN, Goal.SAVE}
    assert {theme for one in PUZZLES for theme in one.themes} == {Theme.BLOCK, Theme.DOUBLE_THREAT, Theme.QUIET}


@pytest.mark.parametrize("puzzle", SHORT[1::9], ids=lambda one: one.id)
def test_the_defence_answers_and_the_win_comes_in_time_with_best_play(puzzle: Puzzle) -> None:
    steps = list(puzzle.solution)
    stand = attempt(puzzle, steps)
    while stand.verdict is Verdict.OPEN:
        decision = forza.pending(stand.position)
        assert decision is not None
        seat = decision.seats[0]
        for column in decision.choices:
            after, _ = forza.apply(stand.position, seat, column)
            if is_right(after, seat, stand.left - 1):
                steps.append(forza.format_action(column))
                break
        stand = attempt(puzzle, steps)
    assert stand.verdict is Verdict.RIGHT


def test_any_other_first_column_is_wrong_even_if_it_does_not_lose() -> None:
    puzzle = next(one for one in PUZZLES if one.turns == 2)
    wrong = [column for column in "1234567" if column != puzzle.solution[0]]
    for column in wrong:
        try:
            assert attempt(puzzle, [column]).verdict is Verdict.WRONG
        except BoardwireError:
            continue  # the column is full


def test_a_puzzle_that_is_over_takes_no_more_steps() -> None:
    puzzle = next(one for one in PUZZLES if one.goal is Goal.SAVE)
    assert attempt(puzzle, puzzle.solution).verdict is Verdict.RIGHT
    with pytest.raises(BoardwireError):
        attempt(puzzle, [*puzzle.solution, "1"])


def test_the_end_of_a_board_is_exact() -> None:
    won = parse_position("......./......./......./......./ooo..../xxx.... x")
    own, taken = board_of(won, 0)
    assert end_of(own, taken) == End(1, 7)
    assert ends(own, taken)[3] == End(1, 7)
