"""Concurrent whole Eriantys matches on a real server process: all end, and the journal has every move that was shown.

The driver and the comparison are those of `bench.eriantys`. The slow sizes are the load that the server must support.
"""

from __future__ import annotations

import pytest
from bench.eriantys import run_verified

MAX_MATCH_BYTES = 150 * 1024
"""Largest resident memory per match, including its connections."""


@pytest.mark.parametrize(("dialect", "games"), [("eriantys-messages", 8), ("eriantys-objects", 3)])
def test_every_concurrent_match_ends_and_no_shown_move_is_lost(dialect: str, games: int) -> None:
    assert len(run_verified(dialect, games).moves) >= games


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "games"), [("eriantys-messages", 1000), ("eriantys-objects", 300)])
def test_many_concurrent_matches_end_lose_no_move_and_stay_small(dialect: str, games: int) -> None:
    assert run_verified(dialect, games).sample.memory <= MAX_MATCH_BYTES
