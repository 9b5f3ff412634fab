"""Santorini matches without powers that compare two players, such as the search and plain alpha-beta.

Every match begins with workers on random squares and a few random turns. In a comparison, each start is played twice,
with sides swapped. All randomness comes from a seed.
"""

from __future__ import annotations

import time
from random import Random
from typing import Final, Protocol

from boardwire.bots.santorini import native
from boardwire.bots.santorini.core.alphabeta import Plain
from boardwire.bots.santorini.core.net import Net
from boardwire.bots.santorini.core.search import MAX_PLIES, Search
from boardwire.bots.santorini.core.state import State, copy_state
from boardwire.bots.santorini.core.turns import Turns, mortal_wins, threats
from boardwire.bots.santorini.native import NativeSearch

NEVER: Final = bool
"""Returns False: only the node limit stops a search."""


def start(luck: Random, turns: Turns) -> State:
    """Return a random start: workers on any squares but the corners, then a few turns that do not lose at once."""
    while True:
        here = State()
        squares = [square for square in range(25) if square not in (0, 4, 20, 24)]
        here.w0, here.w1, here.w2, here.w3 = luck.sample(squares, 4)
        for _ in range(luck.randrange(7)):
            found = after(turns, here)
            quiet = [after for after in found if not after.won and not mortal_wins(after)]
            if not quiet:
                break
            here = luck.choice(quiet)
        if after(turns, here) and not mortal_wins(here) and not threats(here):
            return here


def after(turns: Turns, here: State) -> list[State]:
    """Return the states after each legal turn."""
    pool: list[State] = []
    return [same(state) for state in pool[: turns.all(here, pool)]]


def same(state: State) -> State:
    """Return a copy of a state."""
    made = State()
    copy_state(state, made)
    return made


class Player(Protocol):
    """Chooses one of the states after its turn."""

    def choose(self, roots: list[State], luck: Random) -> int: ...


class Counter:
    """Player with plain alpha-beta search of a number of plies; `nodes` counts those of the last turn."""

    def __init__(self, plies: int) -> None:
        self._plain = Plain()
        self._plies = plies
        self.nodes = 0

    def choose(self, roots: list[State], luck: Random) -> int:
        before = self._plain.nodes
        best, chosen = -(10**6), 0
        for number, root in enumerate(roots):
            value = 10**5 if root.won else -self._plain.value(root, self._plies - 1, -(10**6), -best)
            if value > best:
                best, chosen = value, number
        self.nodes = int(self._plain.nodes - before)
        return chosen


class Searcher:
    """Player with the engine's search and a net, limited by nodes, by seconds of CPU time, or by the nodes that a
    rival takes for the same turn."""

    def __init__(
        self, net: Net | None, nodes: int = 10**9, seconds: float = 0.0, table: int = 17, rival: Counter | None = None
    ) -> None:
        self._search: Search | NativeSearch = NativeSearch(table) if native.AVAILABLE else Search(table)
        self._search.net = net
        self._nodes = nodes
        self._seconds = seconds
        self._rival = rival
        self.nodes = 0
        self.spent = 0.0

    def choose(self, roots: list[State], luck: Random) -> int:
        if self._rival is not None:
            self._rival.choose(roots, luck)
            self._nodes = self._rival.nodes
        start = time.process_time()
        until = start + self._seconds
        known: list[int] = []
        stop = (lambda: time.process_time() > until) if self._seconds else NEVER
        chosen = self._search.think(roots, self._nodes, MAX_PLIES, stop, known)
        self.nodes += self._search.nodes
        self.spent += time.process_time() - start
        return chosen


def versus(one: Player, other: Player, matches: int, luck: Random) -> int:
    """Return the number of matches that the first player wins; each start is played from both sides."""
    won = 0
    turns = Turns(0, 0)
    here = start(luck, turns)
    for number in range(matches):
        if number % 2 == 0:
            here = start(luck, turns)
        won += winner(here, (one, other) if number % 2 == 0 else (other, one), turns, luck) == number % 2
    return won


def winner(here: State, players: tuple[Player, Player], turns: Turns, luck: Random) -> int:
    """Play a match; return the index of the winner. The first player begins."""
    side = 0
    while True:
        roots = after(turns, here)
        if not roots:
            return 1 - side
        luck.shuffle(roots)
        chosen = players[side].choose(roots, luck)
        if roots[chosen].won:
            return side
        here = roots[chosen]
        side = 1 - side
