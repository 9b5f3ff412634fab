"""What the bots are meant to reach, measured: one match of each goal after the other, kept as soon as it is over.

`python -m bench.goals` goes on where it was stopped (`--keep FILE`), and prints the table whenever each goal had its
turn; arguments name goals (`python -m bench.goals "3 players" --matches 30`).  `--seconds` is for a move or turn, in
processor time, so that other programs on the machine do not count; gods have nodes.  Each match is seeded by
its goal and number.
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
"""For a turn of a god: about a hundredth of a second."""
MATCHES: Final = 100

PlayMatch = Callable[[str, int], bool]
"""Whether the match of that goal and number was won."""


class Goal(msgspec.Struct, frozen=True):
    """What is played, and how much of it should be won."""

    name: str
    wanted: int
    """Of a hundred."""
    play: PlayMatch


class Match(msgspec.Struct, frozen=True):
    """A match that is over, as it is kept."""

    goal: str
    number: int
    won: bool
    cpu: float


def _against_plies(plies: int, seconds: float, name: str, number: int) -> bool:
    """Each start is played from both sides."""
    turns = Turns(0, 0)
    here = matches.start(Random(f"{name} {number // 2}"), turns)
    players = (matches.Searcher(net(), seconds=seconds), matches.Counter(plies))
    first = number % 2
    rng = Random(f"{name} {number}")
    return matches.winner(here, players if first == 0 else players[::-1], turns, rng) == first


def _against_greedy(experiment: search.Experiment, name: str, number: int) -> bool:
    options, own = next(islice(search.match_setups(experiment), number, None))
    rng = Random(f"{name} {number}").randrange
    return search.winners(experiment, search.Thinker(experiment), options, own, rng) == {own}


def goals(seconds: float) -> Iterator[Goal]:
    """All of them, with this many seconds a move or turn."""
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
    """The matches of runs before."""
    return [msgspec.json.decode(line, type=Match) for line in file.read_bytes().splitlines()] if file.exists() else []


def row(goal: Goal, found: list[Match]) -> str:
    """How far a goal is reached, with the standard error of the share."""
    own = [match for match in found if match.goal == goal.name]
    won = sum(match.won for match in own)
    count = max(1, len(own))
    share = won / count
    error = sqrt(max(share * (1 - share), 0.25 / count) / count)
    cpu = sum(match.cpu for match in own) / count
    return f"{goal.name:<44}{goal.wanted:>7}%{won:>6} of{len(own):>4}{share:>7.0%} +-{error:>4.0%}{cpu:>8.1f}"


def table(chosen: list[Goal], found: list[Match]) -> str:
    """All goals of which something was played."""
    known = {match.goal for match in found}
    head = f"{'goal':<44}{'wanted':>8}{'won':>6}{'of':>7}{'share':>7}{'error':>7}{'CPU s':>8}"
    return "\n".join([head, *(row(goal, found) for goal in chosen if goal.name in known)])


def main() -> None:
    """Play what is asked."""
    parser = argparse.ArgumentParser(prog="bench.goals", description="What the bots are meant to reach, measured.")
    parser.add_argument("names", nargs="*", metavar="WORDS", help="of the names of goals; none: all of them")
    parser.add_argument("--seconds", type=float, default=1.0, help="of processor time for a move or turn")
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each goal")
    parser.add_argument("--keep", type=Path, default=Path("data/goals.jsonl"))
    arguments = parser.parse_args()
    known = list(goals(arguments.seconds))
    chosen = [goal for goal in known if not arguments.names or any(name in goal.name for name in arguments.names)]
    if not chosen:
        parser.error("unknown goal; choose from: " + "; ".join(goal.name for goal in known))
    arguments.keep.parent.mkdir(parents=True, exist_ok=True)
    found = stored_matches(arguments.keep)
    count = Counter(match.goal for match in found)
    for number in range(arguments.matches):
        late = [goal for goal in chosen if count[goal.name] <= number]
        for goal in late:
            start = time.process_time()
            won = goal.play(goal.name, number)
            found.append(Match(goal.name, number, won, round(time.process_time() - start, 2)))
            with arguments.keep.open("ab") as file:
                file.write(msgspec.json.encode(found[-1]) + b"\n")
        if late:
            print(table(chosen, found), flush=True)
    print(table(chosen, found))


if __name__ == "__main__":
    main()
