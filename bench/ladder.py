"""The ladder of levels: how each does against the one below it, with the difference in Elo and its error.

Run it from the top of the repository: `python -m bench ladder`, for one game and more matches
`python -m bench.ladder santorini 200`, for some of its levels `python -m bench.ladder santorini 200 9 10`.  Each turn
is played as it was thought, as on a server.  Thoughts are limited by nodes alone, so that the figures are the same on
every machine; milliseconds are processor time for one choice of the higher level's match, both sides together.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from random import Random
from typing import Any, Final

from bench.asked import Asked
from bench.elo import difference
from boardwire import games
from boardwire.bots.arena import duel
from boardwire.bots.engines import engine
from boardwire.bots.levels import LEVELS, SEARCH, TITLES, BotName, consider, level_of
from boardwire.games.game import Below, Decision

MATCHES: Final = 40


class Climber:
    """A level of a game, which plays what it thought of as long as it can."""

    def __init__(self, game: str, number: int) -> None:
        self.name = str(BotName(SEARCH, number))
        self._engine = engine(game)
        self._level = level_of(game, number)
        self._rest: tuple[Any, ...] = ()

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """The next step of its turn."""
        if not self._rest or self._rest[0] not in decision.choices:
            self._rest = consider(self._engine, view, decision, below, self._level, bool).turn
        action, *rest = self._rest
        self._rest = tuple(rest)
        return action


def climb(game: str, matches: int, levels: Iterable[int] = LEVELS[1:]) -> None:
    """Print how each of these levels of a game does against the one below."""
    rules = games.game(game)
    print(f"{game}, {matches} matches each\n")
    print(
        f"{'level':<14}{'nodes':>9}{'slips':>7}{'won':>6}{'drawn':>7}{'lost':>6}{'points':>8}{'Elo':>7}{'+-':>6}{'ms':>8}"
    )
    for number in levels:
        start = time.process_time()
        luck = Random(number).randrange
        score = duel(rules, rules.Options(), 2, Climber(game, number), Climber(game, number - 1), luck, matches)
        spent = (time.process_time() - start) / max(1, score.choices) * 1000
        points = score.won + score.drawn / 2
        gain, error = difference(points, matches)
        level = level_of(game, number)
        print(
            f"{number:>2} {TITLES[number - 1]:<11}{level.nodes:>9,}{level.slips:>6}%{score.won:>6}{score.drawn:>7}"
            f"{score.lost:>6}{points / matches:>8.0%}{gain:>+7.0f}{error:>6.0f}{spent:>8.1f}",
            flush=True,
        )
    print()


def run(asked: Asked | None = None) -> None:
    """Print the ladder of every game."""
    for game in games.NAMES:
        climb(game, MATCHES)


if __name__ == "__main__":
    game, matches, *levels = [*sys.argv[1:], str(MATCHES)] if len(sys.argv) == 2 else sys.argv[1:]
    climb(game, int(matches), map(int, levels) if levels else LEVELS[1:])
