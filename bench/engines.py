"""`python -m bench.engines TREE [--rounds 9] [--matches 100] [CASE ...]`: this checkout's rules beside another's.

TREE is another checkout; it needs no set-up of its own, as its rules are run by this one's Python.  Each side is a
process that plays the same random matches, from the same seeds; the two take turns, round by round.  What counts is the
ratio of matches per CPU-second: the medians, and the quartiles of the ratios of the rounds.  A side that plays other
matches than the other one, whose rules or order of choices are then another, is told.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from bench.figures import quartiles, ratios
from bench.playouts import CASES, PlayoutResult
from bench.rounds import run_in_turns

HERE: Final = Path(__file__).parents[1]


class Side:
    """A checkout's rules, in a process of their own."""

    def __init__(self, tree: Path) -> None:
        where = os.pathsep.join(map(str, (tree / "src", HERE)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.playouts"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": where}, cwd=HERE,
        )  # fmt: skip
        self._seed = 0

    def play(self, case: str, matches: int) -> PlayoutResult:
        """This many matches, other ones each time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._seed += 1
        self._process.stdin.write(f"{case} {self._seed} {matches}\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=PlayoutResult)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(prog="bench.engines")
    parser.add_argument("tree", type=Path)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--matches", type=int, default=100)
    arguments = parser.parse_intermixed_args()
    if not (arguments.tree / "src/boardwire/games").is_dir():
        parser.error(f"{arguments.tree} is no checkout of boardwire")
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join(CASES)}")
    print(f"Random matches per CPU-second, {arguments.rounds} rounds of {arguments.matches}\n")
    print(f"{'case':<28}{'other':>10}{'this':>10}{'ratio':>8}   quartiles")
    with ExitStack() as stack:
        sides = {"other": Side(arguments.tree), "this": Side(HERE)}
        for side in sides.values():
            stack.callback(side.close)
        for case in arguments.cases:
            _row(sides, case, arguments.matches, arguments.rounds)


def _row(sides: dict[str, Side], case: str, matches: int, rounds: int) -> None:
    ways = {name: partial(side.play, case, matches) for name, side in sides.items()}
    run_in_turns(ways, 1)  # whatever is built once
    found = run_in_turns(ways, rounds)
    theirs, ours = ([result.matches / result.cpu for result in found[name]] for name in sides)
    low, middle, high = ratios(ours, theirs)
    alike = all(mine.digest == other.digest for mine, other in zip(found["this"], found["other"], strict=True))
    print(
        f"{case:<28}{quartiles(theirs).median:>10,.0f}{quartiles(ours).median:>10,.0f}{middle:>8.3f}"
        f"   {low:.3f} .. {high:.3f}{'' if alike else '   (other matches)'}",
        flush=True,
    )


if __name__ == "__main__":
    main()
