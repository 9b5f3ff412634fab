"""Compare this checkout's server with another checkout's.

`python -m bench.against TREE [--games 200] [--rounds 9] [DIALECT ...]`, where TREE is a checkout with its own `.venv`
(`git worktree add TREE COMMIT && make -C TREE setup`).

- The two servers alternate round by round, each round on a new durable journal. The order flips every round.
- The result is the ratio of moves per server CPU-second: its median and quartiles over the rounds.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from bench import eriantys, santorini, servers
from bench.contenders import drive
from bench.figures import Sample, quartiles, ratios
from bench.rounds import run_in_turns

DRIVERS: Final = {
    "tris-lines": ("bench.driver", "tris-lines"),
    "native": ("bench.driver", "native"),
    **{dialect: ("bench.santorini_driver", dialect) for dialect in santorini.DIALECTS},
    **{dialect: ("bench.eriantys_driver", dialect) for dialect in eriantys.DIALECTS},
}
MOVES: Final = 24_000
MAX_ERIANTYS_GAMES: Final = 30
"""Matches per round of Eriantys, which plays whole matches of about 300 requests each."""


def main() -> None:
    """Print a row for each dialect."""
    parser = argparse.ArgumentParser(prog="bench.against")
    parser.add_argument("tree", type=Path, help="the other checkout, with its own .venv")
    parser.add_argument("dialects", nargs="*", default=list(DRIVERS), help="dialects to compare (default: all)")
    parser.add_argument("--games", type=int, default=200, help="concurrent games")
    parser.add_argument("--rounds", type=int, default=9, help="rounds per server")
    arguments = parser.parse_intermixed_args()
    other = arguments.tree / ".venv/bin/python"
    if not other.exists():
        parser.error(f"{other} is missing; run `make -C {arguments.tree} setup`")
    if unknown := set(arguments.dialects) - set(DRIVERS):
        parser.error(f"unknown dialect: {', '.join(sorted(unknown))}; choose from {', '.join(DRIVERS)}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"Moves per server CPU-second, durable, {arguments.games} games, {arguments.rounds} rounds\n")
    print(f"{'dialect':<20}{'other':>10}{'this':>10}{'ratio':>8}   quartiles")
    for dialect in arguments.dialects:
        _row(dialect, str(other), arguments.games, arguments.rounds)


def _row(dialect: str, other: str, games: int, rounds: int) -> None:
    sides = {"other": other, "this": sys.executable}
    found = run_in_turns({side: partial(_round, dialect, python, games) for side, python in sides.items()}, rounds)
    theirs, ours = ([result.rate for result in found[side]] for side in sides)
    low, median, high = ratios(ours, theirs)
    print(
        f"{dialect:<20}{quartiles(theirs).median:>10,.0f}{quartiles(ours).median:>10,.0f}{median:>8.3f}"
        f"   {low:.3f} .. {high:.3f}",
        flush=True,
    )


def _round(dialect: str, python: str, games: int) -> Sample:
    games = min(games, MAX_ERIANTYS_GAMES) if dialect in eriantys.DIALECTS else games
    with tempfile.TemporaryDirectory() as data, servers.boardwire(dialect, data, python) as (pid, port):
        return drive(DRIVERS[dialect], pid, port, games, MOVES)


if __name__ == "__main__":
    main()
