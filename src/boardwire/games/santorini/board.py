"""The board: 25 squares as bits of an integer, and tables of them.

Square 0 is A5, square 4 is E5, square 24 is E1: files A to E from left to right, rank 5 on top [6]. A set of squares is
an integer with bit n set for square n. This module contains only integers, tuples and functions, so that it can be
compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

SIZE: Final = 5
SQUARES: Final = tuple(range(SIZE * SIZE))
ALL: Final = (1 << SIZE * SIZE) - 1

DIRECTIONS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_STEPS: Final = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


def _square_at(row: int, column: int) -> int:
    """Return the square in a row and column, or -1 outside the board."""
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else -1


def _next_square(square: int, direction: int) -> int:
    """Return the next square in a direction, or -1 beyond the edge."""
    row, column = _STEPS[direction]
    return _square_at(square // SIZE + row, square % SIZE + column)


def _bit_set(squares: list[int]) -> int:
    """Return the bit set of squares; -1 is ignored."""
    mask = 0
    for square in squares:
        if square >= 0:
            mask |= 1 << square
    return mask


STEP: Final = tuple(tuple(_next_square(square, direction) for direction in range(8)) for square in SQUARES)
"""`STEP[square][direction]` is the next square in that direction, or -1 off the board."""

NEIGHBOURS: Final = tuple(_bit_set(list(STEP[square])) for square in SQUARES)
"""The set of up to eight squares around each square; the board does not wrap [1]."""

AROUND: Final = tuple(tuple(sorted(step for step in STEP[square] if step >= 0)) for square in SQUARES)
"""The neighbours of each square as tuples, in order."""

BEHIND: Final = tuple(
    tuple(
        next((STEP[to][d] for d in range(8) if STEP[frm][d] == to), -1) for to in SQUARES
    )
    for frm in SQUARES
)  # fmt: skip
"""`BEHIND[frm][to]` is the square one step further on the line from `frm` to its neighbour `to`, or -1."""


def _bearing(frm: int, to: int) -> int:
    """Return the direction from one square to another, or -1 if no single move or jump leads there."""
    rows, columns = to // SIZE - frm // SIZE, to % SIZE - frm % SIZE
    if {abs(rows), abs(columns)} <= {0, 2}:
        rows, columns = rows // 2, columns // 2
    # A distance of four means a move over an edge (Urania): one step in the opposite direction.
    step = tuple(-gap // 4 if abs(gap) == 4 else gap for gap in (rows, columns))
    return _STEPS.index(step) if step in _STEPS else -1


BEARING: Final = tuple(tuple(_bearing(frm, to) for to in SQUARES) for frm in SQUARES)
"""`BEARING[frm][to]` is the direction of a move to a neighbour, straight over a neighbour, or over an edge; else -1."""

PERIMETER: Final = _bit_set([s for s in SQUARES if s // SIZE in (0, 4) or s % SIZE in (0, 4)])
CORNERS: Final = _bit_set([0, 4, 20, 24])
EDGES: Final = (
    _bit_set([0, 1, 2, 3, 4]), _bit_set([4, 9, 14, 19, 24]),
    _bit_set([20, 21, 22, 23, 24]), _bit_set([0, 5, 10, 15, 20]),
)  # fmt: skip
"""The north, east, south and west edges; the opposite of edge n is edge n + 2, modulo 4."""

WRAPPED: Final = tuple(
    _bit_set([(s // SIZE + row) % SIZE * SIZE + (s % SIZE + column) % SIZE for row, column in _STEPS]) for s in SQUARES
)
"""The neighbours on a board whose opposite edges and corners touch (Urania's own turn)."""

BLOCKS_OF_FOUR: Final = tuple(
    _bit_set([corner, corner + 1, corner + SIZE, corner + SIZE + 1]) if corner % SIZE < 4 and corner < 20 else 0
    for corner in SQUARES
)
"""The block of two by two squares whose upper left square is the index (0 if there is none)."""


def in_reach(near: int, frm: int, b1: int, b2: int, b3: int, closed: int) -> int:
    """Return the squares in `near` that are not closed and at most one level above `frm` [1].

    `b1`, `b2` and `b3` are the squares with at least one, two and three blocks.
    """
    bit = 1 << frm
    too_high = 0 if b2 & bit else b3 if b1 & bit else b2
    return near & ~(closed | too_high)


def squares_of(mask: int) -> Iterator[int]:
    """Yield the squares of a set, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def next_to(mask: int) -> int:
    """Return the union of the neighbours of the squares in a set."""
    neighbours = 0
    while mask:
        low = mask & -mask
        neighbours |= NEIGHBOURS[low.bit_length() - 1]
        mask ^= low
    return neighbours


def opposite_edges(first: int) -> int:
    """Return the squares on the edges opposite to the edges that `first` is on."""
    opposite = 0
    for edge, squares in enumerate(EDGES):
        if squares >> first & 1:
            opposite |= EDGES[(edge + 2) % 4]
    return opposite
