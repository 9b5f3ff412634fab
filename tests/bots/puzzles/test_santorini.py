"""The puzzles of Santorini: legal, solved by their solution alone, and proved by the rules."""

from __future__ import annotations

import pytest
from training.puzzles import called, graded, is_proved

from boardwire.bots.puzzles import Puzzle, Theme, puzzles_of
from boardwire.bots.puzzles.attempt import Verdict, attempt
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends, winning_indices
from boardwire.bots.santorini.views import action_of, powers_of, state_of
from boardwire.games import santorini
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.perft import divide
from boardwire.games.santorini.position import Position

PUZZLES = puzzles_of("santorini")
QUICK = [one for one in PUZZLES[::40] if one.turns < 3]
SHORT = [one for one in PUZZLES if one.turns < 3]


def check(puzzle: Puzzle) -> None:
    """The core finds one solution and no shorter one; the rules play it out against every answer."""
    p = parse_position(puzzle.position)
    view = santorini.view(p, p.seat)
    turns, here = Turns(*powers_of(view)), state_of(view, p.seat)
    assert puzzle.turns == 1 or not winning_indices(turns, here, puzzle.turns - 1)
    assert len(winning_indices(turns, here, puzzle.turns)) == 1
    assert is_proved(p, p.seat, tuple(map(santorini.parse_action, puzzle.solution)), puzzle.turns)


def wins(p: Position, count: int) -> int:
    """How many turns win within `count` turns by the rules alone; two are enough to know."""
    found = 0
    for after in divide(p, 1):
        found += holds(after, p.seat, count)
        if found > 1:
            break
    return found


def holds(after: Position, seat: int, count: int) -> bool:
    """Whether a seat has won, or wins whatever is answered."""
    if after.outcome is not None:
        return seat in after.outcome.winners
    if count == 1 or after.seat == seat:
        return False
    return all(
        wins(answer, count - 1) > 0 if answer.outcome is None else seat in answer.outcome.winners
        for answer in divide(after, 1)
    )


@pytest.mark.parametrize("puzzle", QUICK, ids=lambda one: one.id)
def test_a_puzzle_has_one_solution_and_the_rules_agree(puzzle: Puzzle) -> None:
    check(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda one: one.id)
def test_every_puzzle_has_one_solution_and_the_rules_agree(puzzle: Puzzle) -> None:
    check(puzzle)


@pytest.mark.parametrize("puzzle", [one for one in QUICK if one.turns == 1], ids=lambda one: one.id)
def test_by_the_rules_alone_one_turn_wins_at_once(puzzle: Puzzle) -> None:
    assert wins(parse_position(puzzle.position), 1) == 1


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", SHORT, ids=lambda one: one.id)
def test_by_the_rules_alone_one_turn_wins_and_no_sooner(puzzle: Puzzle) -> None:
    p = parse_position(puzzle.position)
    assert puzzle.turns == 1 or wins(p, puzzle.turns - 1) == 0
    assert wins(p, puzzle.turns) == 1


def test_the_easy_ones_come_first_and_none_comes_twice() -> None:
    assert [one.turns for one in PUZZLES] == sorted(one.turns for one in PUZZLES)
    assert len({one.id for one in PUZZLES}) == len(PUZZLES) > 0
    assert {one.turns for one in PUZZLES} == {1, 2, 3}


def test_a_puzzle_is_called_by_its_position() -> None:
    assert all(one.id == called(one.position) for one in PUZZLES)


def test_there_are_at_least_300() -> None:
    assert len(PUZZLES) >= 300


def test_grades_and_themes_are_those_that_the_code_derives() -> None:
    assert [graded(one) for one in PUZZLES[::10]] == list(PUZZLES[::10])
    assert {theme for one in PUZZLES for theme in one.themes} >= {Theme.POWER, Theme.BLOCK, Theme.DOUBLE_THREAT}
    assert {one.grade for one in PUZZLES} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("puzzle", [one for one in PUZZLES if one.turns > 1][::12], ids=lambda one: one.id)
def test_the_defence_answers_and_the_win_comes_in_time_with_best_play(puzzle: Puzzle) -> None:
    steps = list(puzzle.solution)
    stand = attempt(puzzle, steps)
    while stand.verdict is Verdict.OPEN:
        assert stand.left > 0
        view = santorini.view(stand.position, stand.position.seat)
        turns, here = Turns(*powers_of(view)), state_of(view, stand.position.seat)
        turns.note_steps = True
        best = next(found for n in range(1, stand.left + 1) if (found := winning_indices(turns, here, n)))
        ends(turns, here)
        steps += [santorini.format_action(action_of(step)) for step in turns.steps[best[0]]]
        stand = attempt(puzzle, steps)
    assert stand.verdict is Verdict.RIGHT


def test_a_second_turn_that_gives_the_win_away_is_wrong_at_once() -> None:
    puzzle = next(one for one in PUZZLES if one.turns == 3)
    stand = attempt(puzzle, puzzle.solution)
    assert (stand.verdict, stand.left) == (Verdict.OPEN, 2)
    assert stand.reply
    seen = set()
    for move in list(santorini.pending(stand.position).choices):
        steps = [*puzzle.solution, santorini.format_action(move)]
        after = attempt(puzzle, steps)
        if after.verdict is Verdict.OPEN:
            build = next(iter(santorini.pending(after.position).choices))
            after = attempt(puzzle, [*steps, santorini.format_action(build)])
        seen.add(after.verdict)
    assert Verdict.WRONG in seen
