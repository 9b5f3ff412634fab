"""For every view that a client model of any dialect produces, every bot answers a legal choice within its budget."""

from __future__ import annotations

import pytest

from .wire_matches import MODES, Mode, play_all


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_bot_answers_every_question_of_a_match_over_any_dialect(mode: Mode) -> None:
    tally = play_all(mode, range(1, 3))  # one match to its end, and one in which a player disconnects
    assert tally.matches == 2
    assert tally.asked > 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_bot_answers_every_question_of_many_matches_over_any_dialect(mode: Mode) -> None:
    assert play_all(mode, range(3, 63)).matches == 60
