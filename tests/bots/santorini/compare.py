"""The core's turns beside those of the rules, position by position.

`python -m tests.bots.santorini.compare SEED SECONDS` walks at random through matches of every pair of powers that the
core knows, and prints how many positions it compared and the first difference of each pair.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import TypeAlias

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import OFF
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.views import POWERS, is_pair_supported, memo_of, state_of
from boardwire.games import santorini
from boardwire.games.santorini import God
from boardwire.games.santorini.notation import format_position
from boardwire.games.santorini.perft import Turns as RealTurns
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.turn import settle

End: TypeAlias = tuple[int, object]
"""How a turn ended: 1 won, -1 lost, 0 neither and then the board, workers and memos."""

PAIRS = [(one, other) for one in POWERS for other in POWERS if is_pair_supported(one, other)]
RICHEST = 3
"""Coins that Morpheus may have: with more, the rules take minutes for one position."""


def real_ends(p: Position) -> set[End]:
    """The ends of all turns by the rules."""
    found: set[End] = set()
    for end, _ in RealTurns(p).ends.values():
        if end.outcome is not None:
            found.add((1 if p.seat in end.outcome.winners else -1, None))
            continue
        after = settle(end, [])
        memos = tuple(memo_of(after.lineup.gods[seat], after.memos[seat]) for seat in (0, 1))
        # a player who is stuck then has lost, and with it what its power would have done first
        found.add((0, (_board(end), _men(end, end.workers), memos if after.outcome is None else None)))
    return found


def core_ends(p: Position, turns: Turns) -> set[End]:
    """The ends of all turns by the core."""
    found: set[End] = set()
    here = state_of(santorini.view(p, p.seat), p.seat)
    pool: list[State] = []
    for t in pool[: turns.all(here, pool)]:
        if t.won:
            found.add((int(t.won), None))
            continue
        men = ((t.w2, t.w3), (t.w0, t.w1)) if p.seat == 0 else ((t.w0, t.w1), (t.w2, t.w3))
        memos = (t.m1, t.m0) if p.seat == 0 else (t.m0, t.m1)
        stuck = not turns.all(t, [])
        found.add((0, ((t.b1, t.b2, t.b3, t.domes), _men(p, men), None if stuck else memos)))
    return found


def _board(p: Position) -> tuple[int, ...]:
    return p.b1, p.b2, p.b3, p.domes


def _men(p: Position, workers: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    on = [tuple(OFF if square < 0 else square for square in squares) for squares in workers]
    return tuple(squares if side in p.lineup.marked else tuple(sorted(squares)) for side, squares in enumerate(on))


def walk(one: God, other: God, luck: Random) -> Iterator[Position]:
    """The positions between turns of a random match."""
    p = santorini.new(santorini.Options(santorini.Draft.GIVEN, gods=(one, other), bans=False), 2)
    while (decision := santorini.pending(p)) is not None:
        if p.setup is None and p.turn == FRESH:
            if any(god is God.MORPHEUS and p.memos[seat][0] > RICHEST for seat, god in enumerate(p.lineup.gods)):
                return
            yield p
        p, _ = santorini.apply(p, decision.seats[0], luck.choice(tuple(decision.choices)))


def differences(one: God, other: God, luck: Random, most: int = 100) -> tuple[int, str]:
    """How many positions of a match were compared, and the first that differs (empty: none)."""
    turns = Turns(POWERS[one], POWERS[other])
    turns.longest = 99
    compared = 0
    for p in walk(one, other, luck):
        if compared >= most:
            break
        compared += 1
        real, core = real_ends(p), core_ends(p, turns)
        if real != core:
            return compared, f"{format_position(p)}: only by the rules {real - core}, only by the core {core - real}"
    return compared, ""


def main(seed: int, seconds: float) -> None:
    """Walk and print."""
    luck, until = Random(seed), time.monotonic() + seconds
    pairs, compared, matches = PAIRS.copy(), 0, 0
    luck.shuffle(pairs)
    for one, other in cycle(pairs):
        if time.monotonic() > until:
            break
        count, difference = differences(one, other, luck)
        compared, matches = compared + count, matches + 1
        if difference:
            print(difference, flush=True)
    print(f"{compared:,} positions of {matches:,} matches, {len(pairs):,} pairs", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
