"""Random whole games of Eriantys on the engine alone, beside the list-based yardstick, in one run.

Run it from the top of the repository: `python -m bench.eriantys_engine`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

from bench.eriantys_naive import play as play_naively
from boardwire.games import eriantys
from boardwire.games.eriantys import CloudTime, Mode, Options
from boardwire.games.eriantys.actions import Action

ROUNDS: Final = 5
SECONDS: Final = 0.5


def play(options: Options, seats: int, luck: random.Random) -> int:
    """A whole random game; how many actions the players made."""
    position = eriantys.new(options, seats)
    uniform = luck.random
    pending, apply = eriantys.pending, eriantys.apply

    def below(count: int) -> int:
        return int(uniform() * count)

    actions = 0
    while (decision := pending(position)) is not None:
        choices = decision.choices
        seat = decision.seats[0]
        action: Action
        if seat >= 0:
            actions += 1
            action = choices[int(uniform() * len(choices))]  # type: ignore[index]  # players' choices are sequences
        elif hasattr(choices, "draw"):
            action = choices.draw(below)
        else:
            action = tuple(choices)[below(len(choices))]
        position, _ = apply(position, seat, action)
    return actions


def measure(one: Callable[[random.Random], int], seed: int) -> tuple[int, int, float]:
    """Games, actions and seconds of playing for a while."""
    luck = random.Random(seed)
    games = actions = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        actions += one(luck)
        games += 1
    return games, actions, spent


def compare(seats: int) -> list[tuple[str, float, float, float]]:
    """Games a second, actions a second and actions a game of each engine; rounds alternate, the best one counts."""
    contestants: list[tuple[str, Callable[[random.Random], int]]] = [
        ("naive lists, simplified", lambda luck: play_naively(seats, luck)),
        ("naive lists, moves not checked", lambda luck: play_naively(seats, luck, checked=False)),
        ("engine, simplified", lambda luck: play(Options(), seats, luck)),
        ("engine, simplified, cloud either", lambda luck: play(Options(cloud=CloudTime.EITHER), seats, luck)),
        ("engine, expert", lambda luck: play(Options(mode=Mode.EXPERT), seats, luck)),
    ]
    best: dict[str, tuple[float, float, float]] = {}
    for seed in range(ROUNDS):
        for label, one in contestants:
            games, actions, spent = measure(one, seed)
            best[label] = max(best.get(label, (0.0, 0.0, 0.0)), (games / spent, actions / spent, actions / games))
    return [(label, *figures) for label, figures in best.items()]


def run() -> None:
    """Print the table."""
    print("Eriantys: random whole games, engine only, one core")
    print(f"{'players':>7}  {'engine':<34}{'games/s':>9}{'actions/s':>11}{'per game':>10}{'x naive':>9}")
    for seats in (2, 3, 4):
        rows = compare(seats)
        naive = rows[0][1]
        for label, games, actions, length in rows:
            print(f"{seats:>7}  {label:<34}{games:>9,.0f}{actions:>11,.0f}{length:>10.1f}{games / naive:>9.2f}")


if __name__ == "__main__":
    run()
