"""Strength goals of the bots."""

import sys
from pathlib import Path

import pytest
from bench.goals import Goal, Match, row, stored_matches

from bench import goals


def test_matches_of_an_interrupted_run_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, int]] = []

    def play(name: str, number: int) -> bool:
        played.append((name, number))
        return number > 0

    monkeypatch.setattr(goals, "goals", lambda seconds: [Goal("one", 50, play), Goal("two", 50, play)])
    file = tmp_path / "results.jsonl"
    for arguments in (["one", "--matches", "2"], ["--matches", "3"]):
        monkeypatch.setattr(sys, "argv", ["goals", *arguments, "--keep", str(file)])
        goals.main()
    assert played == [("one", 0), ("one", 1), ("two", 0), ("two", 1), ("one", 2), ("two", 2)]
    assert row(Goal("one", 50, play), stored_matches(file)).split()[:5] == ["one", "50%", "2", "of", "3"]


def test_a_row_counts_only_the_matches_of_its_goal() -> None:
    found = [Match("one", 0, True, 1.0), Match("two", 0, False, 1.0)]
    assert " 1 of   1   100%" in row(Goal("one", 85, lambda name, number: True), found)


def test_a_goal_can_be_played() -> None:
    goal = next(goal for goal in goals.goals(0.001) if "2 players" in goal.name)
    assert goal.play(goal.name, 0) in (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("goal", list(goals.goals(0.001)), ids=lambda goal: goal.name)
def test_each_goal_can_be_played(goal: Goal) -> None:
    assert goal.play(goal.name, 0) in (True, False)
