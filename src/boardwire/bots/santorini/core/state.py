"""A position between two turns as a few integers, from the point of view of the side to move.

- `w0` and `w1` are the squares of the mover's workers, `w2` and `w3` the other side's, in the order of their numbers
  (some powers distinguish them).
- `b1`, `b2`, `b3` are the squares with at least that many blocks.
- `m0` and `m1` are the memos of the mover's and the other's power at the start of the turn: whether Athena climbed,
  Morpheus' coins.
- `side` is the real side of the mover, which determines the powers.
- After a turn, `won` is its result (1: the side that took the turn has won, -1: the other), `code` identifies the turn,
  and `rank` orders turns in the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardwire.bots.santorini.core.tables import OFF

if TYPE_CHECKING:
    from mypy_extensions import i64


class State:
    """A position between two turns."""

    b1: i64
    b2: i64
    b3: i64
    domes: i64
    w0: i64
    w1: i64
    w2: i64
    w3: i64
    m0: i64
    m1: i64
    side: i64
    won: i64
    code: i64
    rank: i64
    climbed: i64

    def __init__(self) -> None:
        self.b1 = 0
        self.b2 = 0
        self.b3 = 0
        self.domes = 0
        self.w0 = OFF
        self.w1 = OFF
        self.w2 = OFF
        self.w3 = OFF
        self.m0 = 0
        self.m1 = 0
        self.side = 0
        self.won = 0
        self.code = 0
        self.rank = 0
        self.climbed = 0


def level(s: State, square: i64) -> i64:
    """Return the blocks on a square."""
    return (s.b1 >> square & 1) + (s.b2 >> square & 1) + (s.b3 >> square & 1)


def key(s: State) -> i64:
    """Return a hash of a state that ignores which worker of a side is which; below 2**62 by construction."""
    mine: i64 = 1 << s.w0 | 1 << s.w1
    theirs: i64 = 1 << s.w2 | 1 << s.w3
    mixed: i64 = (
        s.b1 * 0x9E3779B97
        ^ s.b2 * 0xD6E8FEB87
        ^ s.b3 * 0xB87359CA9
        ^ s.domes * 0xE5667B19D
        ^ mine * 0xC2B2AE3D3
        ^ theirs * 0xA7D4EB2F7
    )
    return (mixed ^ mixed >> 29) + (s.m0 * 8 + s.m1) * 0x5851F42D + s.side * 0x2545F491


def copy_state(s: State, to: State) -> None:
    """Copy a state."""
    to.b1 = s.b1
    to.b2 = s.b2
    to.b3 = s.b3
    to.domes = s.domes
    to.w0 = s.w0
    to.w1 = s.w1
    to.w2 = s.w2
    to.w3 = s.w3
    to.m0 = s.m0
    to.m1 = s.m1
    to.side = s.side
    to.won = s.won
    to.code = s.code
    to.rank = s.rank
    to.climbed = s.climbed
