"""Overhead of the arena's match runner per move, beside a bare pipe echo.

`python -m bench arena` plays matches between two processes of an engine that answers immediately. For every move it
measures

- runner: the time outside the engine's pipe (view, request, rules, events);
- engine pipe: the time between request and answer at the pipe;
- bare echo: the round trip of a 400-byte line through a Python process that returns 40 bytes of it.

Figures are medians and 90th percentiles in microseconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from bench.config import RunConfig
from boardwire import games
from boardwire.arena import Allowance, Budget, Chosen, EnginePlayer, play_match
from boardwire.engines import EngineProcess
from boardwire.games.game import Decision

ENGINE: Final = Path(__file__).with_name("arena_engine.py")
MATCHES: Final = {"tris": 60, "forza": 40, "santorini": 12, "eriantys": 4}
LINE_BYTES: Final = 400
ECHOES: Final = 2000
GOAL_MICROSECONDS: Final = 300


class TimedPlayer(EnginePlayer):
    """An engine player that records the times of its moves."""

    def __init__(self, engine: EngineProcess, log: MoveTimes) -> None:
        super().__init__(engine, Budget(seconds=10.0))
        self._times = log

    def choose(self, view: Any, decision: Decision[Any], allowance: Allowance) -> Chosen:
        start = perf_counter()
        chosen = super().choose(view, decision, allowance)
        self._times.add(start, perf_counter(), chosen.seconds)
        return chosen


class MoveTimes:
    """Times of moves in microseconds: at the engine's pipe, and in the runner between two choices."""

    def __init__(self) -> None:
        self.pipe: list[float] = []
        self.runner: list[float] = []
        self._last = 0.0

    def add(self, start: float, ended: float, seconds: float) -> None:
        """Record a choice that took `seconds` at the pipe."""
        self.pipe.append(seconds * 1e6)
        if self._last:
            self.runner.append((ended - self._last - seconds) * 1e6)
        self._last = ended

    def pause(self) -> None:
        """Exclude the time until the next choice, which belongs to no move."""
        self._last = 0.0


def echo_times(count: int) -> list[float]:
    """Return the round-trip times of lines through a bare echo process."""
    process = subprocess.Popen(
        [sys.executable, str(ENGINE), "--echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert process.stdin is not None
    assert process.stdout is not None
    line = b"x" * (LINE_BYTES - 1) + b"\n"
    found = []
    for _ in range(count):
        start = perf_counter()
        os.write(process.stdin.fileno(), line)
        os.read(process.stdout.fileno(), LINE_BYTES)
        found.append((perf_counter() - start) * 1e6)
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return found


def move_times(game: str, matches: int) -> MoveTimes:
    """Play matches and return the times of all their moves."""
    rules, times = games.game(game), MoveTimes()
    engines = [
        EngineProcess(f"engine {seat}", (sys.executable, str(ENGINE)), directory=ENGINE.parent) for seat in (0, 1)
    ]
    players = [TimedPlayer(engine, times) for engine in engines]
    try:
        for seed in range(matches):
            times.pause()
            play_match(rules, rules.Options(), players, ("one", "other"), seed=seed, max_moves=400)
    finally:
        for player in players:
            player.close()
    return times


def run(config: RunConfig | None = None) -> None:
    """Print the table."""
    print("Arena overhead per move in microseconds: median (90th percentile)\n")
    print(f"{'game':<12}{'moves':>8}{'runner':>16}{'engine pipe':>16}{'bare echo':>16}")
    for game, matches in MATCHES.items():
        times, bare = move_times(game, matches), echo_times(ECHOES)
        cells = (times.runner, times.pipe, bare)
        print(f"{game:<12}{len(times.pipe):>8}" + "".join(f"{_cell(cell):>16}" for cell in cells), flush=True)
    print(f"\nGoal: a runner median below {GOAL_MICROSECONDS} microseconds\n")


def _cell(values: list[float]) -> str:
    return f"{median(values):.0f} ({quantiles(values, n=10)[-1]:.0f})"


if __name__ == "__main__":
    run()
