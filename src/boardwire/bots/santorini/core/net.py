"""A small neural net that evaluates states without powers, trained on matches of the search against itself.

- The inputs are the contents of the 25 squares, each one of 13 (`_code`). Each input has a row of 32 integers; the sum
  of the rows is the hidden layer. It is kept for both sides' points of view, clipped to 0..127, and weighted into one
  number.
- A turn changes few squares, so the sums of a state are computed from those of the state before.
- Four numbers are packed into one integer (`LANE` bits each), so that one addition does four. Sums start from `OFFSET`,
  which keeps every lane positive: no lane borrows from its neighbour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import square_of

if TYPE_CHECKING:
    from mypy_extensions import i64

THINGS: Final = 13
"""Contents of a square: four heights, a dome, and workers of either side on four heights."""
HIDDEN: Final = 32
LANE: Final = 15
OFFSET: Final = 8192
FULL: Final = 127
"""Upper limit of a hidden value."""
SHIFT: Final = 6
"""The weighted sum is divided by two to this power."""


class Sums:
    """Eight integers of four lanes each: a row of weights, or the sums of a state from one side's point of view."""

    a0: i64
    a1: i64
    a2: i64
    a3: i64
    a4: i64
    a5: i64
    a6: i64
    a7: i64

    def __init__(self) -> None:
        self.a0 = 0
        self.a1 = 0
        self.a2 = 0
        self.a3 = 0
        self.a4 = 0
        self.a5 = 0
        self.a6 = 0
        self.a7 = 0

    def become(self, other: Sums) -> None:
        """Copy another."""
        self.a0 = other.a0
        self.a1 = other.a1
        self.a2 = other.a2
        self.a3 = other.a3
        self.a4 = other.a4
        self.a5 = other.a5
        self.a6 = other.a6
        self.a7 = other.a7

    def exchange(self, old: Sums, new: Sums) -> None:
        """Replace one row by another."""
        self.a0 += new.a0 - old.a0
        self.a1 += new.a1 - old.a1
        self.a2 += new.a2 - old.a2
        self.a3 += new.a3 - old.a3
        self.a4 += new.a4 - old.a4
        self.a5 += new.a5 - old.a5
        self.a6 += new.a6 - old.a6
        self.a7 += new.a7 - old.a7


def packed(numbers: list[int], offset: int) -> Sums:
    """Pack a row of 32 numbers."""
    words: list[i64] = []
    for start in range(0, HIDDEN, 4):
        word: i64 = 0
        for lane in range(4):
            word += (numbers[start + lane] + offset) << (LANE * lane)
        words.append(word)
    made = Sums()
    made.a0, made.a1, made.a2, made.a3 = words[0], words[1], words[2], words[3]
    made.a4, made.a5, made.a6, made.a7 = words[4], words[5], words[6], words[7]
    return made


class Net:
    """The weights, and the sums of the states on the current line."""

    _rows: list[Sums]
    _nothing: Sums
    _bias: Sums
    _own: list[i64]
    _foe: list[i64]
    _base: i64
    _mine: list[Sums]
    _theirs: list[Sums]

    def __init__(self, rows: list[list[int]], bias: list[int], own: list[int], foe: list[int], base: int) -> None:
        self._rows = [packed(row, 0) for row in rows]
        self._nothing = packed([0] * HIDDEN, 0)
        self._bias = packed(bias, OFFSET)
        self._own = list(own)
        self._foe = list(foe)
        self._base = base
        self._mine = [Sums() for _ in range(80)]
        self._theirs = [Sums() for _ in range(80)]

    def begin(self, s: State, ply: i64) -> None:
        """Compute the sums of a state from scratch; `ply` is its place on the line."""
        mine: i64 = 1 << s.w0 | 1 << s.w1
        theirs: i64 = 1 << s.w2 | 1 << s.w3
        one = self._mine[ply]
        other = self._theirs[ply]
        one.become(self._bias)
        other.become(self._bias)
        square: i64 = 0
        while square < 25:
            one.exchange(self._nothing, self._rows[square * THINGS + _code(s, square, mine, theirs)])
            other.exchange(self._nothing, self._rows[square * THINGS + _code(s, square, theirs, mine)])
            square += 1

    def follow(self, before: State, s: State, ply: i64) -> None:
        """Compute the sums of a state at `ply` from those of the state one turn before."""
        was_mine: i64 = 1 << before.w0 | 1 << before.w1
        was_theirs: i64 = 1 << before.w2 | 1 << before.w3
        mine: i64 = 1 << s.w0 | 1 << s.w1
        theirs: i64 = 1 << s.w2 | 1 << s.w3
        one = self._mine[ply]
        other = self._theirs[ply]
        one.become(self._theirs[ply - 1])
        other.become(self._mine[ply - 1])
        changed: i64 = (
            before.b1 ^ s.b1
            | before.b2 ^ s.b2
            | before.b3 ^ s.b3
            | before.domes ^ s.domes
            | was_mine ^ theirs
            | was_theirs ^ mine
        )
        while changed:
            bit: i64 = changed & -changed
            changed ^= bit
            square: i64 = square_of(bit)
            row: i64 = square * THINGS
            one.exchange(
                self._rows[row + _code(before, square, was_theirs, was_mine)],
                self._rows[row + _code(s, square, mine, theirs)],
            )
            other.exchange(
                self._rows[row + _code(before, square, was_mine, was_theirs)],
                self._rows[row + _code(s, square, theirs, mine)],
            )

    def worth(self, ply: i64) -> i64:
        """Return the value of the state at `ply` for the side to move."""
        total: i64 = self._base + _weighed(self._mine[ply], self._own) + _weighed(self._theirs[ply], self._foe)
        return total >> SHIFT


def _code(s: State, square: i64, own: i64, foe: i64) -> i64:
    """Return the content of a square: 0 to 3 a height, 4 a dome, from 5 an own worker and from 9 a foe's, by height."""
    if s.domes >> square & 1:
        return 4
    level: i64 = (s.b1 >> square & 1) + (s.b2 >> square & 1) + (s.b3 >> square & 1)
    if own >> square & 1:
        return 5 + level
    return 9 + level if foe >> square & 1 else level


def _weighed(sums: Sums, weights: list[i64]) -> i64:
    return (
        _four(sums.a0, weights, 0)
        + _four(sums.a1, weights, 4)
        + _four(sums.a2, weights, 8)
        + _four(sums.a3, weights, 12)
        + _four(sums.a4, weights, 16)
        + _four(sums.a5, weights, 20)
        + _four(sums.a6, weights, 24)
        + _four(sums.a7, weights, 28)
    )


def _four(word: i64, weights: list[i64], at: i64) -> i64:
    """Clip and weight four lanes."""
    total: i64 = 0
    lane: i64 = word & 32767
    if lane > OFFSET:
        total = (lane - OFFSET if lane < OFFSET + FULL else FULL) * weights[at]
    lane = word >> 15 & 32767
    if lane > OFFSET:
        total += (lane - OFFSET if lane < OFFSET + FULL else FULL) * weights[at + 1]
    lane = word >> 30 & 32767
    if lane > OFFSET:
        total += (lane - OFFSET if lane < OFFSET + FULL else FULL) * weights[at + 2]
    lane = word >> 45
    if lane > OFFSET:
        total += (lane - OFFSET if lane < OFFSET + FULL else FULL) * weights[at + 3]
    return total
