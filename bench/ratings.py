"""Elo ratings of all Santorini levels, the random and the greedy bot, and plain alpha-beta of two to six plies.

- The random bot is fixed at 0 points. Matches are without gods.
- `python -m bench ratings` plays a few matches of every pair of similar strength;
  `python -m bench.ratings --matches 40 --without "plain 6"` plays more and leaves out a reference player.
- Levels are limited by nodes alone, so that the result is the same on every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from bench.config import RunConfig
from boardwire.arena import BotPlayer, Rating, Tally, elo_ratings, play_series, table_of
from boardwire.bots.bot import Bot, RandomBot
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.levels import LEVELS
from boardwire.bots.santorini import opening
from boardwire.bots.santorini.core.alphabeta import Plain
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.views import action_of, state_of
from boardwire.bots.search import SearchBot
from boardwire.games import santorini
from boardwire.games.game import Below, Decision
from boardwire.games.santorini.actions import Move

MATCHES: Final = 10
PLIES: Final = (2, 3, 4, 5, 6)
RANDOM: Final = "random"
GREEDY: Final = "greedy"
OPPONENTS: Final[dict[str, Sequence[int]]] = {
    RANDOM: (1, 2, 3), GREEDY: (4, 5, 6, 7), "plain 2": (4, 5, 6), "plain 3": (5, 6, 7), "plain 4": (6, 7, 8),
    "plain 5": (7, 8, 9), "plain 6": (8, 9, 10),
}  # fmt: skip
"""Levels of similar strength to each reference player; other pairs would tell little about the difference."""


class PlainBot:
    """Plain alpha-beta of fixed depth for two players without gods.

    Equal moves are chosen at random. Workers are placed as the search engine places them.
    """

    def __init__(self, plies: int) -> None:
        self.name = f"plain {plies}"
        self._plain = Plain()
        self._plies = plies
        self._rest: list[Any] = []

    def choose(self, view: santorini.View, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Return the next step of the turn."""
        if not any(isinstance(action, Move) for action in decision.choices) and not self._rest:
            return opening.think(view, decision, below).turn[0]
        if not self._rest or self._rest[0] not in decision.choices:
            self._rest = self._turn(view, below)
        return self._rest.pop(0)

    def _turn(self, view: santorini.View, below: Below) -> list[Any]:
        turns, pool = Turns(0, 0), list[State]()
        turns.note_steps = True
        count = turns.all(state_of(view, view.turn or 0), pool)
        best, chosen = -(10**6), 0
        for number in Random(below(1 << 30)).sample(range(count), count):
            root = pool[number]
            value = 10**5 if root.won else -self._plain.value(root, self._plies - 1, -(10**6), -best)
            if value > best:
                best, chosen = value, number
        return [action_of(step) for step in turns.steps[chosen]]


def bot_of(name: str) -> Bot:
    """Return the bot of a name such as `random`, `plain 3` or `level 7`."""
    if name == RANDOM:
        return RandomBot()
    if name == GREEDY:
        return GreedyBot()
    kind, number = name.split()
    return PlainBot(int(number)) if kind == "plain" else SearchBot(int(number), seconds=0)


def pairs() -> list[tuple[str, str]]:
    """Return the pairs of players that meet."""
    neighbours = [(f"level {number}", f"level {number - 1}") for number in LEVELS[1:]]
    return neighbours + [(name, f"level {number}") for name, levels in OPPONENTS.items() for number in levels]


def play_pairs(encounters: Sequence[tuple[str, str]], matches: int) -> dict[tuple[str, str], Tally]:
    """Play matches of each pair and return their scores."""
    found: dict[tuple[str, str], Tally] = {}
    for one, other in encounters:
        players = [BotPlayer(bot_of(one)), BotPlayer(bot_of(other))]
        seed = Random(f"{one} {other}").getrandbits(32)
        results = play_series(santorini, santorini.Options(), players, (one, other), matches, seed=seed)
        found[one, other] = table_of(results, (one, other)).cross[one, other]
        print(f"  {one:<10}{other:<10}{found[one, other].won:>4.0f} of {matches}", flush=True)
    return found


def table(found: dict[str, Rating]) -> str:
    """Format the ratings, highest first."""
    ranked = sorted(found.items(), key=lambda entry: entry[1].elo, reverse=True)
    rows = [f"{name:<12}{rating.elo:>8.0f}{rating.error:>6.0f}" for name, rating in ranked]
    return "\n".join([f"{'player':<12}{'Elo':>8}{'+-':>6}", *rows, ""])


def run(config: RunConfig | None = None, matches: int = MATCHES, without: Sequence[str] = ()) -> None:
    """Play all pairs and print the ratings."""
    print(f"Elo ratings of Santorini without gods, {matches} matches per pair\n")
    known = [pair for pair in pairs() if not set(pair) & set(without)]
    print("\n" + table(elo_ratings(play_pairs(known, matches), RANDOM)))


def main() -> None:
    """Print the ratings selected on the command line."""
    parser = argparse.ArgumentParser(prog="bench.ratings", description="Elo ratings of levels and reference players.")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches per pair")
    parser.add_argument(
        "--without", nargs="*", default=(), metavar="NAME", choices=[*OPPONENTS], help="reference players to leave out"
    )
    arguments = parser.parse_args()
    run(matches=arguments.matches, without=arguments.without)


if __name__ == "__main__":
    main()
