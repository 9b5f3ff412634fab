"""Strength of each bot level against the level below it: matches, Elo difference and its error.

- `python -m bench ladder` plays all games; `python -m bench.ladder santorini 200` one game with 200 matches per level;
  `python -m bench.ladder santorini 200 9 10` only the given levels.
- Searches are limited by nodes alone, so that the result is the same on every machine.
- Turns are played as they were searched, as on a server. Seats are swapped in pairs of matches.
- Milliseconds are processor time per move of either side.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import Final

from bench.config import RunConfig
from boardwire import games
from boardwire.arena import BotPlayer, difference, play_series, table_of
from boardwire.bots import LEVELS, LevelBot, level_of
from boardwire.bots.levels import TITLES
from boardwire.competition.ratings import PRIOR

MATCHES: Final = 40


def play_levels(game: str, matches: int, levels: Iterable[int] = LEVELS[1:]) -> None:
    """Print the results of these levels of a game against the levels below them."""
    rules = games.game(game)
    print(f"{game}, {matches} matches per level\n")
    print(
        f"{'level':<14}{'nodes':>9}{'slips':>7}{'won':>6}{'drawn':>7}{'lost':>6}{'points':>8}{'Elo':>7}{'+-':>6}{'ms':>8}"
    )
    for number in levels:
        start = time.process_time()
        names = (f"level {number}", f"level {number - 1}")
        players = [BotPlayer(LevelBot(game, level)) for level in (number, number - 1)]
        results = play_series(rules, rules.Options(), players, names, matches, seed=number)
        milliseconds = (time.process_time() - start) / max(1, sum(result.moves for result in results)) * 1000
        score = table_of(results, names).cross[names]
        elo, error, _ = difference(score, PRIOR)
        level = level_of(game, number)
        print(
            f"{number:>2} {TITLES[number - 1]:<11}{level.nodes:>9,}{level.slips:>6}%{score.won:>6.0f}"
            f"{score.drawn:>7.0f}{score.lost:>6.0f}{score.points / matches:>8.0%}{elo:>+7.0f}{error:>6.0f}"
            f"{milliseconds:>8.1f}",
            flush=True,
        )
    print()


def run(config: RunConfig | None = None) -> None:
    """Print the results of all levels of every game."""
    for game in games.NAMES:
        play_levels(game, MATCHES)


if __name__ == "__main__":
    game, matches, *levels = [*sys.argv[1:], str(MATCHES)] if len(sys.argv) == 2 else sys.argv[1:]
    play_levels(game, int(matches), map(int, levels) if levels else LEVELS[1:])
