"""What the bots are meant to reach, measured: one match of each goal after the other, kept as soon as it is over.

`python -m bench.goals` goes on where it was stopped (`--keep FILE`), and prints the table whenever each goal had its
turn; words name goals (`python -m bench.goals "3 players" --matches 30`).  `--seconds` is for a move or turn, in
processor time, so that other programs on the machine do not count; gods have nodes.  Each match has luck of its own, by
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

Played = Callable[[str, int], bool]
"""Whether the match of that goal and number was won."""


class Goal(msgspec.Struct, frozen=True):
    """What is played, and how much of it should be won."""

    name: str
    wanted: int
    """Of a hundred."""
    play: Played


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
    luck = Random(f"{name} {number}")
    return matches.winner(here, players if first == 0 else players[::-1], turns, luck) == first


def _against_greedy(asked: search.Asked, name: str, number: int) -> bool:
    options, own = next(islice(search.settings(asked), number, None))
    luck = Random(f"{name} {number}").randrange
    return search.winners(asked, search.Thinker(asked), options, own, luck) == {own}


def goals(seconds: float) -> Iterator[Goal]:
    """All of them, with this many seconds a move or turn."""
    for plies, wanted in ((4, 95), (6, 85)):
        name = f"santorini, {seconds:g} s, against {plies} plies"
        yield Goal(name, wanted, partial(_against_plies, plies, seconds))
    for players, wanted in ((2, 90), (3, 65), (4, 85)):
        for mode in eriantys.Mode:
            name = f"eriantys, {seconds:g} s, {players} players, {mode}"
            asked = search.Asked(eriantys.name, players, mode, seconds=seconds)
            yield Goal(name, wanted, partial(_against_greedy, asked))
    for god in OFFERED_GODS:
        asked = search.Asked(santorini.name, god=god, nodes=NODES)
        yield Goal(f"santorini, {NODES:,} nodes, {god}", 85, partial(_against_greedy, asked))
    asked = search.Asked(santorini.name, god=search.ANY, nodes=NODES)
    yield Goal(f"santorini, {NODES:,} nodes, any pair of gods", 70, partial(_against_greedy, asked))


def kept(file: Path) -> list[Match]:
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


def table(asked: list[Goal], found: list[Match]) -> str:
    """All goals of which something was played."""
    known = {match.goal for match in found}
    head = f"{'goal':<44}{'wanted':>8}{'won':>6}{'of':>7}{'share':>7}{'error':>7}{'CPU s':>8}"
    return "\n".join([head, *(row(goal, found) for goal in asked if goal.name in known)])


def main() -> None:
    """Play what is asked."""
    parser = argparse.ArgumentParser(prog="bench.goals", description="What the bots are meant to reach, measured.")
    parser.add_argument("names", nargs="*", metavar="WORDS", help="of the names of goals; none: all of them")
    parser.add_argument("--seconds", type=float, default=1.0, help="of processor time for a move or turn")
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each goal")
    parser.add_argument("--keep", type=Path, default=Path("data/goals.jsonl"))
    words = parser.parse_args()
    asked = [goal for goal in goals(words.seconds) if not words.names or any(name in goal.name for name in words.names)]
    if not asked:
        parser.error("no goal is called that; there are " + "; ".join(goal.name for goal in goals(words.seconds)))
    words.keep.parent.mkdir(parents=True, exist_ok=True)
    found = kept(words.keep)
    count = Counter(match.goal for match in found)
    for number in range(words.matches):
        late = [goal for goal in asked if count[goal.name] <= number]
        for goal in late:
            start = time.process_time()
            won = goal.play(goal.name, number)
            found.append(Match(goal.name, number, won, round(time.process_time() - start, 2)))
            with words.keep.open("ab") as file:
                file.write(msgspec.json.encode(found[-1]) + b"\n")
        if late:
            print(table(asked, found), flush=True)
    print(table(asked, found))


if __name__ == "__main__":
    main()
