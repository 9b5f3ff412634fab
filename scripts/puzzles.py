"""Mines puzzles from matches of the searching bot against itself: `python -m scripts.puzzles COUNT SEED > FILE`.

A position is a puzzle if exactly one turn wins for certain, at once or against every reply; that is proved by the real
rules, by trying every turn and every reply.  The engine only says where to look.  Mortals, two players.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from boardwire.bots.engine import Limits
from boardwire.bots.engines import engine
from boardwire.bots.puzzles import Puzzle
from boardwire.bots.search import SearchBot
from boardwire.games import santorini
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.position import Position

LOOK = 400
"""Nodes the engine has to see whether a position is worth a proof."""


def turns(position: Position, seat: int) -> Iterator[tuple[tuple[Any, ...], Position]]:
    """Every turn of a seat, with the position after it."""
    decision = santorini.pending(position)
    assert decision is not None
    for action in decision.choices:
        after, _ = santorini.apply(position, seat, action)
        asked = santorini.pending(after)
        if asked is None or asked.seats != (seat,):
            yield (action,), after
        else:
            for rest, end in turns(after, seat):
                yield (action, *rest), end


def is_won(position: Position, seat: int) -> bool:
    outcome = santorini.outcome(position)
    return outcome is not None and seat in outcome.winners


def wins_at_once(position: Position, seat: int) -> bool:
    """Whether some turn wins."""
    decision = santorini.pending(position)
    if decision is None:
        return is_won(position, seat)
    return any(is_won(santorini.apply(position, seat, action)[0], seat) for action in decision.choices)


def solutions(position: Position, seat: int, depth: int) -> list[tuple[Any, ...]]:
    """The turns that win within so many turns (one or two), two of them at most."""
    found: list[tuple[Any, ...]] = []
    for turn, after in turns(position, seat):
        if is_won(after, seat) or (depth == 2 and holds(after, seat)):
            found.append(turn)
            if len(found) > 1:
                break
    return found


def holds(position: Position, seat: int) -> bool:
    """Whether every reply leaves the seat a turn that wins."""
    if santorini.outcome(position) is not None:
        return False
    return all(wins_at_once(after, seat) for _, after in turns(position, 1 - seat))


def puzzle_of(position: Position, seat: int) -> Puzzle | None:
    """The puzzle that a position is, if it is one."""
    start = parse_position(format_position(position))
    for depth in (1, 2):
        found = solutions(start, seat, depth)
        if len(found) == 1:
            steps = tuple(map(santorini.format_action, found[0]))
            return Puzzle("", format_position(start), depth, steps, 2 * depth - 1)
        if found:
            return None
    return None


def mine(count: int, seed: int) -> Iterator[Puzzle]:
    """So many puzzles."""
    luck, seen = Random(seed), set[str]()
    while len(seen) < count:
        position, ply = santorini.new(santorini.Options(), 2), -1
        bots = SearchBot(luck.choice((5, 6)), seconds=0), SearchBot(luck.choice((5, 6)), seconds=0)
        while (decision := santorini.pending(position)) is not None:
            seat = decision.seats[0]
            view = santorini.view(position, seat)
            if view.ply > max(ply, 3):
                ply = view.ply
                thought = engine("santorini").think(view, decision, luck.randrange, Limits(LOOK), lambda: False)
                if 0 < thought.proved <= 3 and format_position(position) not in seen:
                    found = puzzle_of(position, seat)
                    if found is not None and (found.turns > 1 or luck.random() < 0.2):
                        seen.add(format_position(position))
                        yield msgspec.structs.replace(found, id=f"s{seed}-{len(seen)}")
                        if len(seen) == count:
                            return
            position, _ = santorini.apply(position, seat, bots[seat].choose(view, decision, luck.randrange, 0))


if __name__ == "__main__":
    for one in mine(int(sys.argv[1]), int(sys.argv[2])):
        print(msgspec.json.encode(one).decode(), flush=True)
