"""Strength goals of the search bots: share of matches won against the greedy bot and plain alpha-beta.

- `python -m bench.goals` plays one match per goal in turn and prints a table after each turn.
- Results are stored after each match (`--keep FILE`), so an interrupted run continues where it stopped.
- Arguments select goals by parts of their names: `python -m bench.goals "3 players" --matches 30`.
- `--seconds` is processor time per move or turn, so that other programs do not affect the result. Goals of single gods
  limit nodes instead.
- Each match is seeded by its goal and number.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from bench import search
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.weights import net
from boardwire.dialects.santorini_lobby.messages import OFFERED_GODS
from boardwire.games import eriantys, santorini
from training import matches

NODES: Final = 2_000
"""Nodes per turn in goals of gods; takes about 0.01 s."""
MATCHES: Final = 100

PlayMatch = Callable[[str, int], bool]
"""Plays the match of a goal's name and a number; returns whether it was won."""


class Goal(msgspec.Struct, frozen=True):
    """A kind of match and the share of it that the search should win."""

    name: str
    wanted: int
    """Wins in percent."""
    play: PlayMatch


class Match(msgspec.Struct, frozen=True):
    """Stored result of a match."""

    goal: str
    number: int
    won: bool
    cpu: float


def _against_plies(plies: int, seconds: float, name: str, number: int) -> bool:
    """Play the search against plain alpha-beta; matches 2n and 2n + 1 have the same start with sides swapped."""
    turns = Turns(0, 0)
    here = matches.start(Random(f"{name} {number // 2}"), turns)
    players = (matches.Searcher(net(), seconds=seconds), matches.Counter(plies))
    first = number % 2
    rng = Random(f"{name} {number}")
    return matches.winner(here, players if first == 0 else players[::-1], turns, rng) == first


def _against_greedy(experiment: search.Experiment, name: str, number: int) -> bool:
    options, own = next(islice(search.match_setups(experiment), number, None))
    below = Random(f"{name} {number}").randrange
    return search.winners(experiment, search.SearchPlayer(experiment), options, own, below) == {own}


def goals(seconds: float) -> Iterator[Goal]:
    """Yield all goals; those without gods have `seconds` per move or turn."""
    for plies, wanted in ((4, 95), (6, 85)):
        name = f"santorini, {seconds:g} s, against {plies} plies"
        yield Goal(name, wanted, partial(_against_plies, plies, seconds))
    for players, wanted in ((2, 90), (3, 65), (4, 85)):
        for mode in eriantys.Mode:
            name = f"eriantys, {seconds:g} s, {players} players, {mode}"
            experiment = search.Experiment(eriantys.name, players, mode, seconds=seconds)
            yield Goal(name, wanted, partial(_against_greedy, experiment))
    for god in OFFERED_GODS:
        experiment = search.Experiment(santorini.name, god=god, nodes=NODES)
        yield Goal(f"santorini, {NODES:,} nodes, {god}", 85, partial(_against_greedy, experiment))
    experiment = search.Experiment(santorini.name, god=search.ANY, nodes=NODES)
    yield Goal(f"santorini, {NODES:,} nodes, any pair of gods", 70, partial(_against_greedy, experiment))


def stored_matches(file: Path) -> list[Match]:
    """Return the results of earlier runs."""
    return [msgspec.json.decode(line, type=Match) for line in file.read_bytes().splitlines()] if file.exists() else []


def row(goal: Goal, found: list[Match]) -> str:
    """Format a goal's result, with the standard error of the share."""
    own = [match for match in found if match.goal == goal.name]
    won = sum(match.won for match in own)
    count = max(1, len(own))
    share = won / count
    error = sqrt(max(share * (1 - share), 0.25 / count) / count)
    cpu = sum(match.cpu for match in own) / count
    return f"{goal.name:<44}{goal.wanted:>7}%{won:>6} of{len(own):>4}{share:>7.0%} +-{error:>4.0%}{cpu:>8.1f}"


def table(chosen: list[Goal], found: list[Match]) -> str:
    """Format the goals that have results."""
    known = {match.goal for match in found}
    head = f"{'goal':<44}{'wanted':>8}{'won':>6}{'of':>7}{'share':>7}{'error':>7}{'CPU s':>8}"
    return "\n".join([head, *(row(goal, found) for goal in chosen if goal.name in known)])


def main() -> None:
    """Play the selected goals."""
    parser = argparse.ArgumentParser(prog="bench.goals", description="Measure the strength goals of the bots.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of goals' names (default: all goals)")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time per move or turn")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches per goal")
    parser.add_argument("--keep", type=Path, default=Path("data/goals.jsonl"), help="file of results")
    arguments = parser.parse_args()
    known = list(goals(arguments.seconds))
    chosen = [goal for goal in known if not arguments.names or any(name in goal.name for name in arguments.names)]
    if not chosen:
        parser.error("unknown goal; choose from: " + "; ".join(goal.name for goal in known))
    arguments.keep.parent.mkdir(parents=True, exist_ok=True)
    found = stored_matches(arguments.keep)
    count = Counter(match.goal for match in found)
    for number in range(arguments.matches):
        behind = [goal for goal in chosen if count[goal.name] <= number]
        for goal in behind:
            start = time.process_time()
            won = goal.play(goal.name, number)
            found.append(Match(goal.name, number, won, round(time.process_time() - start, 2)))
            with arguments.keep.open("ab") as file:
                file.write(msgspec.json.encode(found[-1]) + b"\n")
        if behind:
            print(table(chosen, found), flush=True)
    print(table(chosen, found))


if __name__ == "__main__":
    main()
