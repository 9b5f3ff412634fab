"""Many whole Eriantys matches at once on a real server process: all end, and the journal has every move that a player
was told of.  The driver and the comparison are the benchmark's; the big crowds are those that the server must bear."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_KILOBYTES = 150.0
"""What a match may cost, its connections included."""


def crowd(dialect: str, games: int) -> list[str]:
    """Play so many matches at once; the row of figures."""
    arguments = [sys.executable, "-m", "bench.eriantys", dialect, str(games)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    row = done.stdout.splitlines()[-1].split()
    assert row[:2] == [dialect, str(games)]
    return row


@pytest.mark.parametrize(("dialect", "games"), [("eriantys-messages", 8), ("eriantys-objects", 3)])
def test_every_match_of_a_crowd_ends_and_nothing_that_was_told_is_lost(dialect: str, games: int) -> None:
    crowd(dialect, games)


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "games"), [("eriantys-messages", 1000), ("eriantys-objects", 300)])
def test_a_big_crowd_ends_loses_nothing_and_stays_small(dialect: str, games: int) -> None:
    row = crowd(dialect, games)
    assert float(row[-1]) <= MOST_KILOBYTES
