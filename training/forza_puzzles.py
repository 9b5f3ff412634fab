"""Mines puzzles of Forza Quattro: `python -m training.forza_puzzles --seed 1` writes those of the package.

Two careless players drop discs; in every position the exact end of each column is computed (`bots/puzzles/forza.py`).
If exactly one column wins, or exactly one of at least four does not lose, the position is a puzzle. Each is played
out for two turns against every answer. The same seed gives the same puzzles.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from boardwire.bots.forza.core.search import Search, completing_cells
from boardwire.bots.puzzles import Goal, Puzzle, Theme
from boardwire.bots.puzzles.forza import End, board_of, ends, is_right
from boardwire.games import forza
from boardwire.games.forza import Position
from boardwire.games.forza.notation import format_position
from boardwire.games.forza.rules import lowest, open_columns, wins

from .puzzles import called

FILE: Final = Path(__file__).parents[1] / "src/boardwire/bots/puzzles/forza.jsonl"
WANTED: Final = {(Goal.WIN, 1): 15, (Goal.WIN, 2): 40, (Goal.WIN, 3): 40, (Goal.WIN, 4): 30, (Goal.WIN, 5): 20,
                 (Goal.WIN, 6): 10, (Goal.SAVE, 1): 35}  # fmt: skip
"""How many puzzles of each goal and length."""
DISCS: Final = range(12, 36)
PLAYED_TURNS: Final = 2
"""Turns of a puzzle that are played out by the rules; the solver vouches for the rest."""
CARE: Final = 0.6
"""Share of columns that a careless player chooses by a short search."""
GRADE_NODES: Final = (8, 60, 600, 6_000)
"""Nodes of the search that solves a puzzle, from which it has grade 2, 3, 4 and 5."""


def mined(luck: Random) -> Iterator[Puzzle]:
    """Yield the puzzles of one match."""
    p = forza.new(forza.Options(), 2)
    while (decision := forza.pending(p)) is not None:
        seat = decision.seats[0]
        own, taken = board_of(p, seat)
        if taken.bit_count() in DISCS and (made := puzzle(p)) is not None:
            yield made
        column = luck.choice(tuple(decision.choices))
        if luck.random() < CARE:
            search = Search(60, bool, [3, 2, 4, 1, 5, 0, 6], list(decision.choices))
            search.run(own, taken, 2)
            column = search.best
        p, _ = forza.apply(p, seat, column)


def puzzle(p: Position) -> Puzzle | None:
    """Return the puzzle that a position makes, if only one column is right."""
    decision = forza.pending(p)
    assert decision is not None
    own, taken = board_of(p, decision.seats[0])
    found = ends(own, taken)
    known = {column: end for column, end in found.items() if end is not None}
    if len(known) < len(found):
        return None
    winning = [column for column, end in known.items() if end.result > 0]
    holding = [column for column, end in known.items() if end.result >= 0]
    if len(winning) == 1:
        column = winning[0]
        goal, turns = Goal.WIN, (known[column].discs - taken.bit_count() + 1) // 2
    elif not winning and len(holding) == 1 and len(known) >= 4:
        column, goal, turns = holding[0], Goal.SAVE, 1
    else:
        return None
    if (goal, turns) not in WANTED or (goal is Goal.WIN and not is_proved(p, column, min(turns, PLAYED_TURNS), turns)):
        return None
    search = Search(1_000_000, bool, [3, 2, 4, 1, 5, 0, 6], list(open_columns(taken)))
    search.run(own, taken, 0)
    grade = 1 + sum(search.nodes >= nodes for nodes in GRADE_NODES)
    text = format_position(p)
    return Puzzle(
        called(text), text, turns, (forza.format_action(column),), grade, "forza", goal,
        themes_of(own, taken, column, goal, known),
    )  # fmt: skip


def themes_of(own: int, taken: int, column: int, goal: Goal, known: dict[int, End]) -> tuple[Theme, ...]:
    """Return what a puzzle is about."""
    disc = lowest(taken, column)
    foe = taken ^ own
    themes = []
    open_now = sum(lowest(taken, one) for one in open_columns(taken))
    if completing_cells(foe, taken) & open_now:
        themes.append(Theme.BLOCK)
    if goal is Goal.WIN and not wins(own | disc):
        after = taken | disc
        threats = completing_cells(own | disc, after) & sum(lowest(after, one) for one in open_columns(after))
        if threats.bit_count() >= 2:
            themes.append(Theme.DOUBLE_THREAT)
        elif not threats:
            themes.append(Theme.QUIET)
    return tuple(themes)


def is_proved(p: Position, column: int, depth: int, turns: int) -> bool:
    """Whether a column wins within a number of turns: the rules try every answer for `depth` turns."""
    decision = forza.pending(p)
    assert decision is not None
    seat = decision.seats[0]
    after, _ = forza.apply(p, seat, column)
    if not is_right(after, seat, turns - 1):
        return False
    answers = forza.pending(after)
    if answers is None or depth <= 1:
        return True
    for answer in answers.choices:
        then, _ = forza.apply(after, 1 - seat, answer)
        following = forza.pending(then)
        if following is None or not any(is_proved(then, one, depth - 1, turns - 1) for one in following.choices):
            return False
    return True


def main() -> None:
    """Mine, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=FILE)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    luck, begun = Random(asked.seed), time.process_time()
    kinds: Counter[tuple[Goal, int]] = Counter()
    known: dict[str, Puzzle] = {}
    while any(kinds[kind] < wanted for kind, wanted in WANTED.items()):
        for made in mined(luck):
            kind = made.goal, made.turns
            if kinds[kind] < WANTED[kind] and made.id not in known:
                kinds[kind] += 1
                known[made.id] = made
                print(
                    f"{len(known)} after {time.process_time() - begun:.0f} s: {made.goal} in {made.turns}", flush=True
                )
    found = sorted(known.values(), key=lambda one: (one.grade, one.turns, one.position))
    asked.into.write_bytes(msgspec.json.Encoder().encode_lines(found))
    print(f"{len(found)} puzzles in {time.process_time() - begun:.0f} s of processor time")
    for kind, count in sorted(kinds.items()):
        print(f"{count} of {kind}")
    print(f"grades {sorted(Counter(one.grade for one in found).items())}")


if __name__ == "__main__":
    main()
