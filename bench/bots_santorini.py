"""Santorini search against plain alpha-beta of two to six plies, without gods: matches won, and Elo with its error.

- `python -m bench bots` prints the whole table; `python -m bench.bots_santorini --seconds 1 --plies 6 --matches 100`
  prints one row.
- Every start is played from both sides.
- Seconds are processor time, so that other programs do not affect the result.
- With 0 seconds both sides get equal nodes: in each position the search gets as many as plain alpha-beta needs there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from typing import Final

from training.matches import Counter, Searcher, versus

from boardwire.bots.santorini.weights import net
from boardwire.competition.ratings import PRIOR, Tally, difference

PLIES: Final = (2, 3, 4, 5, 6)
SECONDS: Final = (0.0, 0.1, 1.0)
MATCHES: Final = 20


def print_table(matches: int = MATCHES, seconds: Sequence[float] = SECONDS, plies: Sequence[int] = PLIES) -> None:
    """Print a row for each time limit and depth."""
    print(f"Santorini search against plain alpha-beta, {matches} matches each\n")
    print(f"{'seconds':>8}{'plies':>7}{'won':>6}{'Elo':>8}{'error':>7}{'nodes/s':>11}")
    for limit in seconds:
        for depth in plies:
            rival = Counter(depth)
            searcher = Searcher(net(), seconds=limit, rival=None if limit else rival)
            won = versus(searcher, rival, matches, Random(depth))
            elo, error, _ = difference(Tally(won, 0, matches - won), PRIOR)
            speed = searcher.nodes / searcher.spent
            print(f"{limit or 'nodes':>8}{depth:>7}{won:>6}{elo:>8.0f}{error:>7.0f}{speed:>11,.0f}", flush=True)
    print()


def main() -> None:
    """Print the rows selected on the command line."""
    parser = argparse.ArgumentParser(prog="bench.bots_santorini", description="The search against plain alpha-beta.")
    parser.add_argument("--seconds", type=float, nargs="+", default=SECONDS, help="per move; 0: equal nodes")
    parser.add_argument("--plies", type=int, nargs="+", default=PLIES, help="depths of plain alpha-beta")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches per row")
    arguments = parser.parse_args()
    print_table(arguments.matches, arguments.seconds, arguments.plies)


if __name__ == "__main__":
    main()
