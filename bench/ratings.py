"""All levels of Santorini on one scale with yardsticks: the random and the greedy bot, plain alpha-beta of two to six
plies.  The random bot has 0 points.

`python -m bench ratings` plays a few matches of every pair that is near enough to tell something, without gods; more of
them, and only some pairs, with `python -m bench.ratings --matches 40 --without "plain 6"`.  Levels are limited by nodes
alone, so that the figures are the same on every machine.
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
NEAR: Final[dict[str, Sequence[int]]] = {
    RANDOM: (1, 2, 3), GREEDY: (4, 5, 6, 7), "plain 2": (4, 5, 6), "plain 3": (5, 6, 7), "plain 4": (6, 7, 8),
    "plain 5": (7, 8, 9), "plain 6": (8, 9, 10),
}  # fmt: skip
"""The levels that each yardstick plays."""


class PlainBot:
    """Plain alpha-beta of this many plies over the compact rules, for two sides without gods; chance decides between
    equals, and workers are placed as the engine places them."""

    def __init__(self, plies: int) -> None:
        self.name = f"plain {plies}"
        self._plain = Plain()
        self._plies = plies
        self._rest: list[Any] = []

    def choose(self, view: santorini.View, decision: Decision[Any], below: Below, budget: int) -> Any:
        """The next step of the turn."""
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
    """A player by its name."""
    if name == RANDOM:
        return RandomBot()
    if name == GREEDY:
        return GreedyBot()
    kind, number = name.split()
    return PlainBot(int(number)) if kind == "plain" else SearchBot(int(number), seconds=0)


def pairs() -> list[tuple[str, str]]:
    """Who plays whom."""
    neighbours = [(f"level {number}", f"level {number - 1}") for number in LEVELS[1:]]
    return neighbours + [(name, f"level {number}") for name, levels in NEAR.items() for number in levels]


def play_pairs(encounters: Sequence[tuple[str, str]], matches: int) -> dict[tuple[str, str], Tally]:
    """What came of this many matches of each pair."""
    found: dict[tuple[str, str], Tally] = {}
    for one, other in encounters:
        players = [BotPlayer(bot_of(one)), BotPlayer(bot_of(other))]
        seed = Random(f"{one} {other}").getrandbits(32)
        results = play_series(santorini, santorini.Options(), players, (one, other), matches, seed=seed)
        found[one, other] = table_of(results, (one, other)).cross[one, other]
        print(f"  {one:<10}{other:<10}{found[one, other].won:>4.0f} of {matches}", flush=True)
    return found


def table(found: dict[str, Rating]) -> str:
    """The strongest first."""
    ranked = sorted(found.items(), key=lambda entry: entry[1].elo, reverse=True)
    rows = [f"{name:<12}{rating.elo:>8.0f}{rating.error:>6.0f}" for name, rating in ranked]
    return "\n".join([f"{'player':<12}{'Elo':>8}{'+-':>6}", *rows, ""])


def run(config: RunConfig | None = None, matches: int = MATCHES, without: Sequence[str] = ()) -> None:
    """Play, and print the scale."""
    print(f"Santorini without gods on one scale, {matches} matches each\n")
    known = [pair for pair in pairs() if not set(pair) & set(without)]
    print("\n" + table(elo_ratings(play_pairs(known, matches), RANDOM)))


def main() -> None:
    """Print what is asked."""
    parser = argparse.ArgumentParser(prog="bench.ratings", description="Levels and yardsticks on one scale.")
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each pair")
    parser.add_argument(
        "--without", nargs="*", default=(), metavar="NAME", choices=[*NEAR], help="yardsticks to leave out"
    )
    arguments = parser.parse_args()
    run(matches=arguments.matches, without=arguments.without)


if __name__ == "__main__":
    main()
