"""Compare the speed of this checkout's rules with another checkout's.

`python -m bench.engines TREE [--rounds 9] [--matches 100] [CASE ...]`, where TREE is a checkout. It needs no set-up,
because its rules run in this checkout's Python.

- Each side is a process that plays the same random matches from the same seeds. Rounds alternate.
- The result is the ratio of matches per CPU-second: its median and quartiles over the rounds.
- A row is marked `(other matches)` if the digests differ, that is, if the rules or the order of choices have changed.
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
    """Process that plays matches by the rules of one checkout."""

    def __init__(self, tree: Path) -> None:
        python_path = os.pathsep.join(map(str, (tree / "src", HERE)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.playouts"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": python_path}, cwd=HERE,
        )  # fmt: skip
        self._seed = 0

    def play(self, case: str, matches: int) -> PlayoutResult:
        """Play matches from the next seed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._seed += 1
        self._process.stdin.write(f"{case} {self._seed} {matches}\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=PlayoutResult)

    def close(self) -> None:
        """End the process by closing its standard input."""
        self._process.communicate()


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(prog="bench.engines")
    parser.add_argument("tree", type=Path, help="the other checkout")
    parser.add_argument("cases", nargs="*", default=list(CASES), help="cases to compare (default: all)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds per side")
    parser.add_argument("--matches", type=int, default=100, help="matches per round")
    arguments = parser.parse_intermixed_args()
    if not (arguments.tree / "src/boardwire/games").is_dir():
        parser.error(f"not a checkout of boardwire: {arguments.tree}")
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"unknown case: {', '.join(sorted(unknown))}; choose from {', '.join(CASES)}")
    print(f"Random matches per CPU-second, {arguments.rounds} rounds of {arguments.matches}\n")
    print(f"{'case':<28}{'other':>10}{'this':>10}{'ratio':>8}   quartiles")
    with ExitStack() as stack:
        sides = {"other": Side(arguments.tree), "this": Side(HERE)}
        for side in sides.values():
            stack.callback(side.close)
        for case in arguments.cases:
            _row(sides, case, arguments.matches, arguments.rounds)


def _row(sides: dict[str, Side], case: str, matches: int, rounds: int) -> None:
    runs = {name: partial(side.play, case, matches) for name, side in sides.items()}
    run_in_turns(runs, 1)  # warm up: imports and tables that are built once
    found = run_in_turns(runs, rounds)
    theirs, ours = ([result.matches / result.cpu for result in found[name]] for name in sides)
    low, median, high = ratios(ours, theirs)
    same_matches = all(mine.digest == other.digest for mine, other in zip(found["this"], found["other"], strict=True))
    print(
        f"{case:<28}{quartiles(theirs).median:>10,.0f}{quartiles(ours).median:>10,.0f}{median:>8.3f}"
        f"   {low:.3f} .. {high:.3f}{'' if same_matches else '   (other matches)'}",
        flush=True,
    )


if __name__ == "__main__":
    main()
