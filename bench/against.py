"""`python -m bench.against TREE [--games 200] [--rounds 9] [DIALECT ...]`: this checkout's server beside another's.

TREE is another checkout with its own `.venv` (`git worktree add TREE COMMIT && make -C TREE setup`).  The two take
turns, round by round, in one run, each round on a new durable journal; the other begins every second round.  What
counts is the ratio of moves per server CPU-second: the medians, and the quartiles of the ratios of the rounds.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench import native, santorini, servers, tris
from bench.eriantys import crowd

Rate = Callable[[str, int], float]
"""Moves per server CPU-second of one round, by the Python that runs the server and the number of games."""

MOVES = 30_000
STEPS = 12_000
WHOLE = 30
"""How many whole matches of Eriantys, which are long, are a round."""


def main() -> None:
    """Print a row for each dialect."""
    parser = argparse.ArgumentParser(prog="bench.against")
    parser.add_argument("tree", type=Path)
    parser.add_argument("dialects", nargs="*", default=list(RATES))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    other = asked.tree / ".venv/bin/python"
    if not other.exists():
        parser.error(f"{other} is missing; make it by `make -C {asked.tree} setup`")
    if unknown := set(asked.dialects) - set(RATES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join(RATES)}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"Moves per server CPU-second, durable, {asked.games} games, {asked.rounds} rounds\n")
    print(f"{'dialect':<20}{'other':>10}{'this':>10}{'ratio':>8}   quartiles")
    for dialect in asked.dialects:
        _row(dialect, str(other), asked.games, asked.rounds)


def _row(dialect: str, other: str, games: int, rounds: int) -> None:
    rate = RATES[dialect]
    theirs: list[float] = []
    ours: list[float] = []
    for number in range(rounds):
        sides = [(other, theirs), (sys.executable, ours)]
        for python, rates in reversed(sides) if number % 2 else sides:
            rates.append(rate(python, games))
    ratios = [mine / base for mine, base in zip(ours, theirs, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(
        f"{dialect:<20}{statistics.median(theirs):>10,.0f}{statistics.median(ours):>10,.0f}{middle:>8.3f}"
        f"   {low:.3f} .. {high:.3f}",
        flush=True,
    )


def _tris(python: str, games: int) -> float:
    with tempfile.TemporaryDirectory() as data, servers.boardwire("tris-lines", data, python) as (pid, port):
        figures = tris.drive("play", pid, port, games, MOVES)
    return figures.moves / figures.cpu


def _native(python: str, games: int) -> float:
    with tempfile.TemporaryDirectory() as data, servers.native(data, python) as (pid, port):
        figures = native.drive("play", pid, port, games, MOVES)
    return figures.moves / figures.cpu


def _santorini(dialect: str) -> Rate:
    def rate(python: str, games: int) -> float:
        with tempfile.TemporaryDirectory() as data, servers.boardwire(dialect, data, python) as (pid, port):
            figures = santorini.drive(dialect, pid, port, games, STEPS)
        return figures.moves / figures.cpu

    return rate


def _eriantys(dialect: str) -> Rate:
    def rate(python: str, games: int) -> float:
        with tempfile.TemporaryDirectory() as data:
            run = crowd(dialect, min(games, WHOLE), data, python)
        return run.requests / run.cpu

    return rate


RATES: dict[str, Rate] = {
    "tris-lines": _tris,
    "native": _native,
    **{dialect: _santorini(dialect) for dialect in santorini.DIALECTS},
    **{dialect: _eriantys(dialect) for dialect in ("eriantys-messages", "eriantys-objects")},
}

if __name__ == "__main__":
    main()
