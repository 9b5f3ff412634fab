"""The Santorini search against plain alpha-beta of two to six plies, without gods: matches won, and Elo with its error.

Every start is played from both sides.  Seconds are processor time, so that other programs on the machine do not count.
"""

from __future__ import annotations

from math import log10, sqrt
from random import Random
from typing import Final

from training.matches import Counter, Searcher, versus

from boardwire.bots.santorini.weights import net

PLIES: Final = (2, 3, 4, 5, 6)
SECONDS: Final = (0.1, 1.0)
MATCHES: Final = 20


def elo(won: int, matches: int) -> tuple[float, float]:
    """How much stronger the winner of so many matches is, and the standard error; half a match keeps it finite."""
    share = (won + 0.5) / (matches + 1)
    error = sqrt(share * (1 - share) / matches) * 400 / (share * (1 - share) * 2.302585)
    return 400 * log10(share / (1 - share)), error


def table(matches: int = MATCHES) -> None:
    """Print it."""
    print(f"The Santorini search against plain alpha-beta, {matches} matches each\n")
    print(f"{'seconds':>8}{'plies':>7}{'won':>6}{'Elo':>8}{'error':>7}")
    for seconds in SECONDS:
        for plies in PLIES:
            won = versus(Searcher(net(), seconds=seconds), Counter(plies), matches, Random(plies))
            more, error = elo(won, matches)
            print(f"{seconds:>8}{plies:>7}{won:>6}{more:>8.0f}{error:>7.0f}", flush=True)
    print()
