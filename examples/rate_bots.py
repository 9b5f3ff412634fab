"""Rate your own bot against built-in levels: `python rate_bots.py [MATCHES]`, by default 20 matches per pair.

All players meet, every start is played from both seats, and ratings are printed with their 95 % errors.
`boardwire arena` does the same in parallel with players from a file, and stores the matches.
"""

import sys
from typing import Any

from boardwire.arena import BotPlayer, Result, play_series, round_robin, table_of
from boardwire.bots import LevelBot, RandomBot
from boardwire.games import Below, Decision, forza


class MiddleBot:
    """Plays the middle column as long as it has space, otherwise at random."""

    name = "middle"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        return 3 if 3 in decision.choices else RandomBot().choose(view, decision, below, budget)


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    names = ["middle", "level 1", "level 2", "level 3"]
    players = [BotPlayer(MiddleBot()), *(BotPlayer(LevelBot("forza", level)) for level in (1, 2, 3))]
    results: list[Result] = []
    for encounters in round_robin(len(names)):
        for one, other in encounters:
            pair, both = [players[one], players[other]], (names[one], names[other])
            results += play_series(forza, forza.Options(), pair, both, matches, seed=len(results))
    table = table_of(results, names)
    for row in table.standings:
        score = f"{row.won:>4} won {row.drawn:>3} drawn {row.lost:>3} lost"
        print(f"{row.name:<10}{score} {row.elo:>+6.0f} ± {row.error:.0f}")
    tally = table.cross["middle", "level 1"]
    print(f"middle against level 1: {tally.points:g} of {tally.played:g}")


if __name__ == "__main__":
    main()
