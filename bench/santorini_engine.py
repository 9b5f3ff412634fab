"""Random whole games of Santorini on the engine alone, beside the list-based yardstick, in one run.

Run it from the top of the repository: `python -m bench.santorini_engine`.  All legal steps are listed at every step.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

from bench.config import RunConfig
from bench.playouts import PAIRS, SIMPLE, play_santorini
from bench.santorini_naive import play as play_naively
from boardwire.games import santorini
from boardwire.games.santorini import Draft, Options

ROUNDS: Final = 5
SECONDS: Final = 0.5
BASE: Final = Options(Draft.NONE)


def measure(play: Callable[[random.Random], int], seed: int) -> tuple[int, int, float]:
    """Games, steps and seconds of this process of playing for a while; others on the machine do not count."""
    rng = random.Random(seed)
    games = steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        steps += play(rng)
        games += 1
    return games, steps, spent


def compare() -> list[tuple[str, float, float, float]]:
    """Games a second, steps a second and steps a game of each; rounds alternate.

    Of the same game the best round counts; of god pairs, which differ, all rounds together."""
    contestants: list[tuple[str, Callable[[random.Random], int]]] = [
        ("naive lists, no gods", play_naively),
        ("naive lists, one position changed", lambda rng: play_naively(rng, copying=False)),
        ("naive lists, changed, unchecked", lambda rng: play_naively(rng, copying=False, checked=False)),
        ("engine, no gods", lambda rng: play_santorini(BASE, rng)),
        ("engine, random pairs of simple gods", lambda rng: play_santorini(rng.choice(SIMPLE), rng)),
        ("engine, random pairs of all gods", lambda rng: play_santorini(rng.choice(PAIRS), rng)),
    ]
    found: dict[str, list[tuple[int, int, float]]] = {label: [] for label, _ in contestants}
    for seed in range(ROUNDS):
        for label, play in contestants:
            found[label].append(measure(play, seed))
    return [(label, *_summed(rounds, best="pairs" not in label)) for label, rounds in found.items()]


def _summed(rounds: list[tuple[int, int, float]], best: bool) -> tuple[float, float, float]:
    if best:
        rounds = [max(rounds, key=lambda figures: figures[0] / figures[2])]
    games, steps, spent = (sum(column) for column in zip(*rounds, strict=True))
    return games / spent, steps / spent, steps / games


def slowest() -> tuple[float, str]:
    """The slowest step of a random game of each pair, in seconds, and the pair.  A step counts as its best of three:
    what else the process did meanwhile is not the step's."""
    worst, pair = 0.0, ""
    for options in PAIRS:
        rng = random.Random(0)
        position = santorini.new(options, 2)
        while (decision := position.decision) is not None:
            step = position, decision.seats[0], rng.choice(tuple(decision.choices))
            spent, after = _timed(*step)
            if spent > worst:
                spent = min(spent, _timed(*step)[0], _timed(*step)[0])
            if spent > worst:
                worst, pair = spent, " and ".join(options.gods)
            position = after
    return worst, pair


def _timed(position: santorini.Position, seat: int, action: santorini.Action) -> tuple[float, santorini.Position]:
    start = time.process_time()
    after, _ = santorini.apply(position, seat, action)
    return time.process_time() - start, after


def run(config: RunConfig) -> None:
    """Print the table."""
    print("Santorini: random whole games for two, all legal steps listed at each, one core")
    print(f"{'engine':<38}{'games/s':>9}{'steps/s':>11}{'per game':>10}{'x naive':>9}")
    rows = compare()
    naive = rows[0][1]
    for label, games, steps, length in rows:
        print(f"{label:<38}{games:>9,.0f}{steps:>11,.0f}{length:>10.1f}{games / naive:>9.2f}")
    worst, pair = slowest()
    print(f"{'slowest step':<38}{1000 * worst:>6.1f} ms, {pair}; a game of each of {len(PAIRS):,} pairs")


if __name__ == "__main__":
    run(RunConfig())
