"""Many whole Eriantys matches at once on a real server process: all end, and the journal has every move that a player
was told of.  The driver and the comparison are the benchmark's; the big crowds are those that the server must bear."""

from __future__ import annotations

import pytest
from bench.eriantys import run_verified

MOST_BYTES = 150 * 1024
"""What a match may cost, its connections included."""


@pytest.mark.parametrize(("dialect", "games"), [("eriantys-messages", 8), ("eriantys-objects", 3)])
def test_every_match_of_a_crowd_ends_and_no_shown_move_is_lost(dialect: str, games: int) -> None:
    assert len(run_verified(dialect, games).told) >= games


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "games"), [("eriantys-messages", 1000), ("eriantys-objects", 300)])
def test_a_big_crowd_ends_loses_nothing_and_stays_small(dialect: str, games: int) -> None:
    assert run_verified(dialect, games).sample.memory <= MOST_BYTES
