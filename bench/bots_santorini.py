"""The Santorini search against plain alpha-beta of two to six plies, without gods: matches won, and Elo with its error.

Every start is played from both sides.  Seconds are processor time, so that other programs on the machine do not count;
0 seconds are equal nodes: in every position the search has as many as the plain one would take there.
`python -m bench bots` prints the whole table, `python -m bench.bots_santorini --seconds 1 --plies 6 --matches 100` one
row of it.
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
    """Print it."""
    print(f"The Santorini search against plain alpha-beta, {matches} matches each\n")
    print(f"{'seconds':>8}{'plies':>7}{'won':>6}{'Elo':>8}{'error':>7}{'nodes/s':>11}")
    for limit in seconds:
        for depth in plies:
            rival = Counter(depth)
            searcher = Searcher(net(), seconds=limit, rival=None if limit else rival)
            won = versus(searcher, rival, matches, Random(depth))
            more, error, _ = difference(Tally(won, 0, matches - won), PRIOR)
            speed = searcher.nodes / searcher.spent
            print(f"{limit or 'nodes':>8}{depth:>7}{won:>6}{more:>8.0f}{error:>7.0f}{speed:>11,.0f}", flush=True)
    print()


def main() -> None:
    """Print what is asked of it."""
    parser = argparse.ArgumentParser(prog="bench.bots_santorini", description="The search against plain alpha-beta.")
    parser.add_argument("--seconds", type=float, nargs="+", default=SECONDS)
    parser.add_argument("--plies", type=int, nargs="+", default=PLIES)
    parser.add_argument("--matches", type=int, default=MATCHES)
    arguments = parser.parse_args()
    print_table(arguments.matches, arguments.seconds, arguments.plies)


if __name__ == "__main__":
    main()
