"""The eight symmetries of the board; number 0 is the identity.

Without powers a state has the same value in every symmetry. A search reaches symmetric states only if its root is
symmetric, so it determines the symmetries of the root once (`ways_of`); usually there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State, copied, key
from boardwire.bots.santorini.core.tables import OFF

if TYPE_CHECKING:
    from mypy_extensions import i64

WAYS: Final = 8


def _seen(way: int, square: int) -> int:
    """Return the image of a square."""
    row, column = divmod(square, 5)
    for _ in range(way % 4):
        row, column = column, 4 - row
    return row * 5 + (4 - column if way >= 4 else column)


SEEN: Final[list[i64]] = [_seen(way, square) if square < OFF else OFF for way in range(WAYS) for square in range(26)]
"""At `way * 26 + square`: the image of the square."""


def _row(way: int, row: int, squares: int) -> int:
    return sum(1 << SEEN[way * 26 + row * 5 + at] for at in range(5) if squares >> at & 1)


_ROWS: Final[list[i64]] = [_row(way, row, squares) for way in range(WAYS) for row in range(5) for squares in range(32)]
"""At `way * 160 + row * 32 + squares`: the image of a set of squares of one row."""


def _turned(way: i64, squares: i64) -> i64:
    at: i64 = way * 160
    return (
        _ROWS[at + (squares & 31)]
        | _ROWS[at + 32 + (squares >> 5 & 31)]
        | _ROWS[at + 64 + (squares >> 10 & 31)]
        | _ROWS[at + 96 + (squares >> 15 & 31)]
        | _ROWS[at + 128 + (squares >> 20 & 31)]
    )


def turn(s: State, way: i64, to: State) -> None:
    """Store the image of a state in `to`."""
    copied(s, to)
    to.b1 = _turned(way, s.b1)
    to.b2 = _turned(way, s.b2)
    to.b3 = _turned(way, s.b3)
    to.domes = _turned(way, s.domes)
    row: i64 = way * 26
    to.w0 = SEEN[row + s.w0]
    to.w1 = SEEN[row + s.w1]
    to.w2 = SEEN[row + s.w2]
    to.w3 = SEEN[row + s.w3]


def ways_of(states: list[State]) -> list[i64]:
    """Return the symmetries, except the identity, that map a list of states to itself in some order."""
    found: list[i64] = []
    keys: set[int] = {int(key(s)) for s in states}
    twin = State()
    way: i64 = 1
    while way < WAYS:
        same = True
        for s in states:
            turn(s, way, twin)
            if int(key(twin)) not in keys:
                same = False
                break
        if same:
            found.append(way)
        way += 1
    return found
