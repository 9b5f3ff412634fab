"""Random whole games of Eriantys on the rules engine alone, beside the list-based reference implementation.

`python -m bench.eriantys_engine`
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

from bench.config import RunConfig
from bench.eriantys_naive import play as play_naively
from bench.playouts import play_eriantys
from boardwire.games.eriantys import CloudTime, Mode, Options

ROUNDS: Final = 5
SECONDS: Final = 0.5


def measure(play: Callable[[random.Random], int], seed: int) -> tuple[int, int, float]:
    """Play for `SECONDS` of processor time; return games, actions and the seconds used."""
    rng = random.Random(seed)
    games = actions = 0
    start = time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        actions += play(rng)
        games += 1
    return games, actions, seconds


def compare(seats: int) -> list[tuple[str, float, float, float]]:
    """Return games per second, actions per second and actions per game of each engine.

    Rounds are interleaved; the best one of each engine counts.
    """
    contestants: list[tuple[str, Callable[[random.Random], int]]] = [
        ("naive lists, simplified", lambda rng: play_naively(seats, rng)),
        ("naive lists, moves not checked", lambda rng: play_naively(seats, rng, checked=False)),
        ("engine, simplified", lambda rng: play_eriantys(Options(), seats, rng)),
        ("engine, simplified, cloud either", lambda rng: play_eriantys(Options(cloud=CloudTime.EITHER), seats, rng)),
        ("engine, expert", lambda rng: play_eriantys(Options(mode=Mode.EXPERT), seats, rng)),
    ]
    best: dict[str, tuple[float, float, float]] = {}
    for seed in range(ROUNDS):
        for label, play in contestants:
            games, actions, seconds = measure(play, seed)
            best[label] = max(best.get(label, (0.0, 0.0, 0.0)), (games / seconds, actions / seconds, actions / games))
    return [(label, *figures) for label, figures in best.items()]


def run(config: RunConfig) -> None:
    """Print the table."""
    print("Eriantys: random whole games, engine only, one core")
    print(f"{'players':>7}  {'engine':<34}{'games/s':>9}{'actions/s':>11}{'per game':>10}{'x naive':>9}")
    for seats in (2, 3, 4):
        rows = compare(seats)
        naive = rows[0][1]
        for label, games, actions, length in rows:
            print(f"{seats:>7}  {label:<34}{games:>9,.0f}{actions:>11,.0f}{length:>10.1f}{games / naive:>9.2f}")


if __name__ == "__main__":
    run(RunConfig())
