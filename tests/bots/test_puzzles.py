"""Every puzzle of the file is one, by the real rules."""

from __future__ import annotations

import pytest
from scripts.puzzles import solutions

from boardwire.bots.puzzles import Puzzle, puzzles
from boardwire.games import santorini
from boardwire.games.santorini.notation import parse_position


def test_every_puzzle_has_a_name_of_its_own_and_easy_ones_come_first() -> None:
    assert len({one.id for one in puzzles()}) == len(puzzles()) > 0
    assert [one.turns for one in puzzles()] == sorted(one.turns for one in puzzles())


@pytest.mark.parametrize("puzzle", [one for one in puzzles() if one.turns == 1], ids=lambda one: one.id)
def test_exactly_one_turn_wins_at_once(puzzle: Puzzle) -> None:
    assert proved(puzzle) == [puzzle.solution]


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", [one for one in puzzles() if one.turns > 1], ids=lambda one: one.id)
def test_exactly_one_turn_wins_against_every_reply_and_none_wins_at_once(puzzle: Puzzle) -> None:
    assert proved(puzzle, 1) == []
    assert proved(puzzle) == [puzzle.solution]


def proved(puzzle: Puzzle, depth: int | None = None) -> list[tuple[str, ...]]:
    """The turns that win, in notation."""
    position = parse_position(puzzle.position)
    found = solutions(position, position.seat, depth or puzzle.turns)
    return [tuple(map(santorini.format_action, turn)) for turn in found]
