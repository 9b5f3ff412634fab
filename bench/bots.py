"""Strength and speed of the greedy bot against the random one, in every game and mode.

`python -m bench bots`. Milliseconds are processor time per choice, including the rules' work for both sides.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any, Final

from bench import bots_santorini
from bench.config import RunConfig
from boardwire.bots.arena import duel
from boardwire.bots.bot import RandomBot
from boardwire.bots.greedy import GreedyBot
from boardwire.games import eriantys, santorini, tris
from boardwire.games.game import AnyGame

MATCHES: Final = 100

MODES: Final[tuple[tuple[str, AnyGame, Any, tuple[int, ...]], ...]] = (
    ("tris", tris, tris.Options(), (2,)),
    ("santorini, no gods", santorini, santorini.Options(), (2, 3, 4)),
    ("santorini, random gods", santorini, santorini.Options(draft=santorini.Draft.RANDOM), (2, 3, 4)),
    ("eriantys, simplified", eriantys, eriantys.Options(), (2, 3, 4)),
    ("eriantys, expert", eriantys, eriantys.Options(mode=eriantys.Mode.EXPERT), (2, 3, 4)),
)


def run(config: RunConfig, matches: int = MATCHES) -> None:
    """Print the table."""
    print(f"Greedy bot against random bots, {matches} matches each\n")
    print(f"{'game':<24}{'players':>8}{'won':>6}{'drawn':>7}{'lost':>6}{'choices/s':>11}{'ms/choice':>11}")
    for label, game, options, counts in MODES:
        for seats in counts:
            start = time.process_time()
            score = duel(game, options, seats, GreedyBot(), RandomBot(), Random(seats).randrange, matches)
            spent = time.process_time() - start
            print(
                f"{label:<24}{seats:>8}{score.won:>6}{score.drawn:>7}{score.lost:>6}"
                f"{score.choices / spent:>11,.0f}{spent / score.choices * 1000:>11.2f}",
                flush=True,
            )
    print()
    bots_santorini.print_table()
