"""For every view that a client model of any dialect produces, every bot answers a legal choice within its budget."""

from __future__ import annotations

import pytest

from .wire_matches import MODES, Mode, play_all


def fast_seeds(number: int, mode: Mode) -> range:
    """Return the seeds of a mode: 1 plays to the end, with 2 a player disconnects.

    Matches of Eriantys take four fifths of the time, so each of its modes has one of the seeds. Both seeds occur in
    every dialect, with every number of players, and in both modes of the game.
    """
    if "eriantys" not in mode.name:
        return range(1, 3)
    seed = 1 if (number + number // 2) % 2 else 2
    return range(seed, seed + 1)


@pytest.mark.parametrize(
    ("mode", "seeds"),
    [(mode, fast_seeds(number, mode)) for number, mode in enumerate(MODES)],
    ids=[mode.name for mode in MODES],
)
def test_every_bot_answers_every_question_of_a_match_over_any_dialect(mode: Mode, seeds: range) -> None:
    tally = play_all(mode, seeds)
    assert tally.matches == len(seeds)
    assert tally.asked > 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_bot_answers_every_question_of_many_matches_over_any_dialect(mode: Mode) -> None:
    assert play_all(mode, range(3, 63)).matches == 60
