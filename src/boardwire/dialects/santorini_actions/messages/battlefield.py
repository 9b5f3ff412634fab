"""The board on the wire: a matrix of cells, and a matrix of the cells a step may go to.

`x` is the row and `y` the column, row 0 on top: cell (x, y) is square 5x + y.  `height` counts all pieces, a dome too,
so domes are told by `lastBlock` [2].  A token that closes a square is shown as a dome, which is what it is to everyone.
Rows are put together from parts that are made once, because a board goes to everybody after every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from boardwire.games.santorini.position import Position
from boardwire.wire.envelopes import ascii_only

COLORS: Final = ("BROWN", "GREY", "BLUE")
"""The colours by seat."""

Rows: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes]
"""The rows of a board, as they are written."""

BLOCKS: Final = ("GROUND", "LEVEL_1", "LEVEL_2", "LEVEL_3")
DOME: Final = "DOME"


class CellInterface(msgspec.Struct, frozen=True, kw_only=True):
    """One cell; `player` and `workerColor` only where a worker stands [2]."""

    player: str | None = None
    workerColor: str | None = None  # noqa: N815 - the wire's own spelling, here and below
    height: int
    lastBlock: str  # noqa: N815


_EMPTY: Final = tuple(
    b'"height":%d,"lastBlock":"%b"}' % (height, block.encode())
    for height, block in [*enumerate(BLOCKS), *((level + 1, DOME) for level in range(4))]
)
"""The end of a cell by its number of blocks; four further on the same with a dome."""


class Faces:
    """The players of a table on its board: `rows` are the rows with their workers."""

    __slots__ = ("rows",)

    def __init__(self, names: Iterable[str]) -> None:
        self.rows: Final = _Rows(names)


class _Rows(dict[int, bytes]):
    """The last rows that were written: a step changes one or two, so most are known from the one before."""

    __slots__ = ("_seats",)

    def __init__(self, names: Iterable[str]) -> None:
        self._seats = tuple(
            b'{"player":%b,"workerColor":"%b",' % (ascii_only(msgspec.json.encode(name)), color.encode())
            for name, color in zip(names, COLORS, strict=False)
        )
        """How the cells of each seat's workers begin."""

    def __missing__(self, row: int) -> bytes:
        if len(self) >= _KEPT:
            self.clear()
        found = self[row] = self._written(row)
        return found

    def _written(self, row: int) -> bytes:
        cells = list(_cells(row & _BUILDINGS))
        men = row >> _LAYER * 4
        for face in self._seats:
            for column in _COLUMNS[men & 31]:
                cells[column] = face + cells[column][1:]
            men >>= _LAYER
        return b"[" + b",".join(cells) + b"]"


@lru_cache(maxsize=16)
def faces(names: tuple[str, ...]) -> Faces:
    """The faces of these players.  All at a table ask in the same step, when its match begins, and share them."""
    return Faces(names)


_KEPT: Final = 16
"""Rows that are remembered for a table."""


_LAYER: Final = 25
"""The bits of a board, one a square.  Blocks of the first, second and third level, domes and the workers of each seat
are layers of one number, so that a row, with all that stands on it, is a number too."""
_ROW: Final = sum(31 << _LAYER * layer for layer in range(8))
_BUILDINGS: Final = sum(31 << _LAYER * layer for layer in range(4))
_COLUMNS: Final = tuple(tuple(column for column in range(5) if bits >> column & 1) for bits in range(32))
_MEN: Final = tuple((*(1 << _LAYER * (4 + seat) + square for square in range(_LAYER)), 0) for seat in range(4))
"""A worker of a seat on each square; the last, which is -1 too, is off the board."""


@lru_cache(maxsize=1024)
def _cells(row: int) -> tuple[bytes, ...]:
    """The cells of a row without its workers."""
    b1, b2, b3, domes = (row >> _LAYER * layer for layer in range(4))
    return tuple(
        b"{" + _EMPTY[(b1 >> at & 1) + (b2 >> at & 1) + (b3 >> at & 1) + 4 * (domes >> at & 1)] for at in range(5)
    )


def matrix(p: Position, workers: Sequence[Sequence[int]], seats: Faces) -> Rows:
    """The cells of a position, with the workers of each seat on these squares."""
    board = p.b1 | p.b2 << _LAYER | p.b3 << _LAYER * 2 | (p.domes | p.solid) << _LAYER * 3
    for men, squares in zip(_MEN, workers, strict=False):
        for square in squares:
            board |= men[square]
    rows = seats.rows
    return (
        rows[board & _ROW],
        rows[board >> 5 & _ROW],
        rows[board >> 10 & _ROW],
        rows[board >> 15 & _ROW],
        rows[board >> 20 & _ROW],
    )


def update(rows: Rows) -> bytes:
    """The board, to everybody (creation 5)."""
    return b'{"action":"battlefieldUpdate","data":{"cellMatrix":[%b,%b,%b,%b,%b]}}\n' % rows


def response(rows: Rows) -> bytes:
    """The board, to who asked (creation 4b)."""
    return b'{"action":"getBattlefieldResponse","data":{"cellMatrix":[%b,%b,%b,%b,%b]}}\n' % rows


_FLAGS: Final = tuple(
    b"[" + b",".join(b"true" if bits >> column & 1 else b"false" for column in range(5)) + b"]" for bits in range(32)
)


def worker_view(squares: Iterable[int]) -> bytes:
    """The cells that the next step may go to (turn 3, turn 7)."""
    return _view(tuple(squares))


@lru_cache(maxsize=1024)
def _view(squares: tuple[int, ...]) -> bytes:
    mask = sum({1 << square for square in squares})
    rows = b",".join(_FLAGS[mask >> first & 31] for first in (0, 5, 10, 15, 20))
    return b'{"action":"workerViewUpdate","data":{"workerView":[' + rows + b"]}}\n"
