"""Every engine chooses what is legal, and what it says is won is won, in every mode."""

from __future__ import annotations

import pytest

from .legality import MODES, Mode, walk


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_choices_are_legal_and_wins_are_proved_in_random_positions(mode: Mode) -> None:
    tally = walk(mode, 60, 1)
    assert (tally.positions, tally.faults) == (60, [])


def test_turns_that_are_continued_against_persephone_are_legal() -> None:
    mode = next(mode for mode in MODES if mode.name == "santorini, 2 players, gods")
    assert walk(mode, 40, "1 santorini, 2 players, gods 34").faults == []


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_choices_are_legal_and_wins_are_proved_in_many_random_positions(mode: Mode) -> None:
    tally = walk(mode, 5_000, 2)
    assert (tally.positions, tally.faults) == (5_000, [])
