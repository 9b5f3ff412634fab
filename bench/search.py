"""Strength of the search bot against the greedy bot, by nodes or seconds. `docs/bots` quotes its figures.

- `python -m bench.search eriantys --players 3 --mode expert --nodes 6000`
- `python -m bench.search santorini --god chronus --nodes 2000`: the search has this god, in both seats in turn; the
  greedy bot has each other god of santorini-lobby in turn.
- `--god any`: both have random gods, and each pair is played from both sides.
- `--seconds` limits a search by processor time instead of nodes. The printed seconds are the mean processor time of a
  search.
- Turns are played as they were searched, as on a server.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any, Final

import msgspec

from boardwire import games
from boardwire.bots.arena import play
from boardwire.bots.engine import SearchLimits
from boardwire.bots.engines import engine
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.memory import Memory
from boardwire.dialects.santorini_lobby.messages import OFFERED_GODS
from boardwire.games import eriantys, santorini
from boardwire.games.game import Below, Decision
from boardwire.games.santorini.powers.catalogue import allowed

MATCHES: Final = 20
ANY: Final = "any"
_NO_LIMIT: Final = 10**9


class Experiment(msgspec.Struct, frozen=True):
    """Game, settings and limits of a measurement."""

    game: str
    players: int = 2
    mode: str = ""
    god: str = ""
    nodes: int = 2_000
    seconds: float = 0.0
    """Processor time of a search; replaces the limit on nodes unless 0."""
    matches: int = MATCHES
    seed: int = 1

    @property
    def sides(self) -> int:
        """The number of sides: four players form two teams."""
        return 2 if self.players == 4 else self.players


class SearchPlayer:
    """Search engine as a bot that plays whole turns as searched, and counts its searches and their processor time."""

    name = "search"

    def __init__(self, experiment: Experiment) -> None:
        self._engine = engine(experiment.game)
        self._limits = SearchLimits(_NO_LIMIT if experiment.seconds else experiment.nodes)
        self._seconds = experiment.seconds
        self._turn: list[Any] = []
        self._memory = Memory()
        self.searches = 0
        self.seconds = 0.0

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Return the next step of the turn; search if the last turn is finished or no longer possible."""
        if not self._turn or self._turn[0] not in decision.choices:
            start = time.process_time()
            until = start + self._seconds
            stop = (lambda: time.process_time() > until) if self._seconds else bool
            self._turn = list(self._engine.think(view, decision, below, self._limits, stop, self._memory.past).turn)
            self.seconds += time.process_time() - start
            self.searches += 1
        action = self._turn.pop(0)
        self._memory.note(view, action)
        return action


def match_setups(experiment: Experiment) -> Iterator[tuple[Any, int]]:
    """Yield the options of each match and the side that searches."""
    if experiment.god == ANY:
        gods = [god for god in santorini.God if god is not santorini.God.MORTAL and allowed(god, 2, False)]
        rng = Random(experiment.seed)
        while True:
            pair = tuple(rng.sample(gods, 2))
            yield santorini.Options(santorini.Draft.GIVEN, pair, bans=False), 0
            yield santorini.Options(santorini.Draft.GIVEN, pair, bans=False), 1
    if experiment.god:
        own = santorini.God(experiment.god)
        for foe in cycle(god for god in OFFERED_GODS if god is not own):
            yield santorini.Options(santorini.Draft.GIVEN, (own, foe), bans=False), 0
            yield santorini.Options(santorini.Draft.GIVEN, (foe, own), bans=False), 1
    rules = games.game(experiment.game)
    options = eriantys.Options(eriantys.Mode(experiment.mode)) if experiment.game == eriantys.name else rules.Options()
    yield from ((options, side) for side in cycle(range(experiment.sides)))


def winners(experiment: Experiment, player: SearchPlayer, options: Any, own: int, below: Below) -> set[int]:
    """Play a match in which the search has one side and the greedy bot all others; return the winning sides."""
    bots = [player if seat % experiment.sides == own else GreedyBot() for seat in range(experiment.players)]
    return {seat % experiment.sides for seat in play(games.game(experiment.game), options, bots, below).winners}


def measure(experiment: Experiment) -> str:
    """Play all matches and return a line with the result."""
    player, below = SearchPlayer(experiment), Random(experiment.seed).randrange
    won = shared = 0
    for _, (options, own) in zip(range(experiment.matches), match_setups(experiment), strict=False):
        found = winners(experiment, player, options, own, below)
        won += found == {own}
        shared += not found or (own in found and len(found) > 1)
    labels = (experiment.game, experiment.god or experiment.mode, f"{experiment.players} players")
    name = " ".join(label for label in labels if label)
    mean_seconds = player.seconds / max(1, player.searches)
    budget = f"{experiment.seconds:g} s" if experiment.seconds else f"{experiment.nodes:,} nodes"
    return f"{name}, {budget}, {mean_seconds:.3f} s: won {won}, shared {shared} of {experiment.matches}"


def main() -> None:
    """Measure what the command line selects."""
    parser = argparse.ArgumentParser(prog="bench.search", description="Play the search bot against the greedy bot.")
    parser.add_argument("game", choices=games.NAMES)
    parser.add_argument("--players", type=int, default=2, help="seats of a match")
    parser.add_argument("--mode", default="", help="for Eriantys: simplified or expert")
    parser.add_argument("--god", default="", help="for Santorini: a god, or any (default: no gods)")
    parser.add_argument("--nodes", type=int, default=2_000, help="nodes per search")
    parser.add_argument("--seconds", type=float, default=0.0, help="processor time per search instead of nodes")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches to play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choices")
    arguments = vars(parser.parse_args())
    if arguments["game"] == eriantys.name:
        arguments["mode"] = arguments["mode"] or eriantys.Mode.SIMPLIFIED
    print(measure(Experiment(**arguments)), flush=True)


if __name__ == "__main__":
    main()
