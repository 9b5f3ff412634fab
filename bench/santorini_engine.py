"""Random whole games of Santorini on the rules engine alone, beside the list-based reference implementation.

`python -m bench.santorini_engine`. Both list all legal steps at every step.
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
    """Play for `SECONDS` of processor time; return games, steps and the seconds used."""
    rng = random.Random(seed)
    games = steps = 0
    start = time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        steps += play(rng)
        games += 1
    return games, steps, seconds


def compare() -> list[tuple[str, float, float, float]]:
    """Return games per second, steps per second and steps per game of each contestant, in interleaved rounds.

    The best round counts, except for random god pairs: their rounds play different games, so all rounds are summed.
    """
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
    return [(label, *_rates(rounds, best="pairs" not in label)) for label, rounds in found.items()]


def _rates(rounds: list[tuple[int, int, float]], best: bool) -> tuple[float, float, float]:
    if best:
        rounds = [max(rounds, key=lambda figures: figures[0] / figures[2])]
    games, steps, seconds = (sum(column) for column in zip(*rounds, strict=True))
    return games / seconds, steps / seconds, steps / games


def slowest() -> tuple[float, str]:
    """Return the seconds of the slowest step in a random game of each god pair, and the pair.

    A slow step is timed three times and its best time counts, so that a garbage collection does not count as the step.
    """
    worst, pair = 0.0, ""
    for options in PAIRS:
        rng = random.Random(0)
        position = santorini.new(options, 2)
        while (decision := position.decision) is not None:
            step = position, decision.seats[0], rng.choice(tuple(decision.choices))
            seconds, after = _timed(*step)
            if seconds > worst:
                seconds = min(seconds, _timed(*step)[0], _timed(*step)[0])
            if seconds > worst:
                worst, pair = seconds, " and ".join(options.gods)
            position = after
    return worst, pair


def _timed(position: santorini.Position, seat: int, action: santorini.Action) -> tuple[float, santorini.Position]:
    start = time.process_time()
    after, _ = santorini.apply(position, seat, action)
    return time.process_time() - start, after


def run(config: RunConfig) -> None:
    """Print the table."""
    print("Santorini: random whole games for two players, all legal steps listed at each step, one core")
    print(f"{'engine':<38}{'games/s':>9}{'steps/s':>11}{'per game':>10}{'x naive':>9}")
    rows = compare()
    naive = rows[0][1]
    for label, games, steps, length in rows:
        print(f"{label:<38}{games:>9,.0f}{steps:>11,.0f}{length:>10.1f}{games / naive:>9.2f}")
    worst, pair = slowest()
    print(f"{'slowest step':<38}{1000 * worst:>6.1f} ms, {pair}; one game with each of {len(PAIRS):,} pairs")


if __name__ == "__main__":
    run(RunConfig())
