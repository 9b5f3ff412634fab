"""The eight symmetries of the board; number 0 is the identity.

Without powers a state has the same value in every symmetry. A search reaches symmetric states only if its root is
symmetric, so it determines the symmetries of the root once (`symmetries_of`); usually there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State, copy_state, key
from boardwire.bots.santorini.core.tables import OFF

if TYPE_CHECKING:
    from mypy_extensions import i64

SYMMETRIES: Final = 8


def _image_of(symmetry: int, square: int) -> int:
    """Return the image of a square."""
    row, column = divmod(square, 5)
    for _ in range(symmetry % 4):
        row, column = column, 4 - row
    return row * 5 + (4 - column if symmetry >= 4 else column)


IMAGES: Final[list[i64]] = [
    _image_of(symmetry, square) if square < OFF else OFF for symmetry in range(SYMMETRIES) for square in range(26)
]
"""At `symmetry * 26 + square`: the image of the square."""


def _row_image(symmetry: int, row: int, squares: int) -> int:
    """Return the image of a set of squares of one row."""
    return sum(1 << IMAGES[symmetry * 26 + row * 5 + at] for at in range(5) if squares >> at & 1)


_ROW_IMAGES: Final[list[i64]] = [
    _row_image(symmetry, row, squares) for symmetry in range(SYMMETRIES) for row in range(5) for squares in range(32)
]
"""At `symmetry * 160 + row * 32 + squares`: the image of a set of squares of one row."""


def _set_image(symmetry: i64, squares: i64) -> i64:
    """Return the image of a set of squares, row by row from the table."""
    at: i64 = symmetry * 160
    return (
        _ROW_IMAGES[at + (squares & 31)]
        | _ROW_IMAGES[at + 32 + (squares >> 5 & 31)]
        | _ROW_IMAGES[at + 64 + (squares >> 10 & 31)]
        | _ROW_IMAGES[at + 96 + (squares >> 15 & 31)]
        | _ROW_IMAGES[at + 128 + (squares >> 20 & 31)]
    )


def transform(s: State, symmetry: i64, to: State) -> None:
    """Store the image of a state in `to`."""
    copy_state(s, to)
    to.b1 = _set_image(symmetry, s.b1)
    to.b2 = _set_image(symmetry, s.b2)
    to.b3 = _set_image(symmetry, s.b3)
    to.domes = _set_image(symmetry, s.domes)
    row: i64 = symmetry * 26
    to.w0 = IMAGES[row + s.w0]
    to.w1 = IMAGES[row + s.w1]
    to.w2 = IMAGES[row + s.w2]
    to.w3 = IMAGES[row + s.w3]


def symmetries_of(states: list[State]) -> list[i64]:
    """Return the symmetries, except the identity, that map a list of states to itself in some order."""
    found: list[i64] = []
    keys: set[int] = {int(key(s)) for s in states}
    twin = State()
    symmetry: i64 = 1
    while symmetry < SYMMETRIES:
        same = True
        for s in states:
            transform(s, symmetry, twin)
            if int(key(twin)) not in keys:
                same = False
                break
        if same:
            found.append(symmetry)
        symmetry += 1
    return found
