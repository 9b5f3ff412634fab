"""Board encoder: the matrix of cells, and the matrix of cells that a step may target.

- `x` is the row and `y` the column, row 0 on top: cell (x, y) is square 5x + y.
- `height` counts all pieces including a dome; `lastBlock` shows the dome [2].
- A token that closes a square is shown as a dome.
- All players get a board after every step, so rows are assembled from cached parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from boardwire.games.santorini.position import Position
from boardwire.wire.envelopes import ascii_only

COLORS: Final = ("BROWN", "GREY", "BLUE")
"""Colours by seat."""

Rows: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes]
"""Encoded rows of a board."""

BLOCKS: Final = ("GROUND", "LEVEL_1", "LEVEL_2", "LEVEL_3")
DOME: Final = "DOME"


class CellInterface(msgspec.Struct, frozen=True, kw_only=True):
    """One cell; it has `player` and `workerColor` only if a worker stands on it [2]."""

    player: str | None = None
    workerColor: str | None = None
    height: int
    lastBlock: str


_EMPTY: Final = tuple(
    b'"height":%d,"lastBlock":"%b"}' % (height, block.encode())
    for height, block in [*enumerate(BLOCKS), *((level + 1, DOME) for level in range(4))]
)
"""End of an encoded cell by its number of blocks; from index 4 on, with a dome."""


class BoardEncoder:
    """Encoded rows of one table's boards, with its players' workers. Hashable, so it can be a memo key."""

    __slots__ = ("rows",)

    def __init__(self, names: Iterable[str]) -> None:
        self.rows: Final = _Rows(names)


class _Rows(dict[int, bytes]):
    """Cache of encoded rows: a step changes one or two rows, so most are cached."""

    __slots__ = ("_seats",)

    def __init__(self, names: Iterable[str]) -> None:
        self._seats = tuple(
            b'{"player":%b,"workerColor":"%b",' % (ascii_only(msgspec.json.encode(name)), color.encode())
            for name, color in zip(names, COLORS, strict=False)
        )
        """Beginning of a cell with a worker, by seat."""

    def __missing__(self, row: int) -> bytes:
        if len(self) >= _MAX_CACHED_ROWS:
            self.clear()
        encoded = self[row] = self._encode_row(row)
        return encoded

    def _encode_row(self, row: int) -> bytes:
        """Encode a row; its number has the buildings and workers as bits."""
        cells = list(_cells_of_row(row & _BUILDING_MASK))
        workers = row >> _LAYER_BITS * 4
        for opening in self._seats:
            for column in _COLUMNS[workers & 31]:
                cells[column] = opening + cells[column][1:]
            workers >>= _LAYER_BITS
        return b"[" + b",".join(cells) + b"]"


@lru_cache(maxsize=16)
def board_encoder(names: tuple[str, ...]) -> BoardEncoder:
    """Return the encoder of these players, shared by all clients at a table."""
    return BoardEncoder(names)


_MAX_CACHED_ROWS: Final = 16
"""Rows cached per table."""

_LAYER_BITS: Final = 25
"""Bits per layer, one for each square.

Blocks of the first, second and third level, domes and the workers of each seat are layers of one integer, so an
integer also represents a row with everything on it.
"""
_ROW_MASK: Final = sum(31 << _LAYER_BITS * layer for layer in range(8))
_BUILDING_MASK: Final = sum(31 << _LAYER_BITS * layer for layer in range(4))
_COLUMNS: Final = tuple(tuple(column for column in range(5) if bits >> column & 1) for bits in range(32))
_WORKER_BITS: Final = tuple(
    (*(1 << _LAYER_BITS * (4 + seat) + square for square in range(_LAYER_BITS)), 0) for seat in range(4)
)
"""A worker of a seat by square; the last entry, which is also index -1, is off the board."""


@lru_cache(maxsize=1024)
def _cells_of_row(row: int) -> tuple[bytes, ...]:
    """Return the cells of a row without its workers."""
    b1, b2, b3, domes = (row >> _LAYER_BITS * layer for layer in range(4))
    return tuple(
        b"{" + _EMPTY[(b1 >> at & 1) + (b2 >> at & 1) + (b3 >> at & 1) + 4 * (domes >> at & 1)] for at in range(5)
    )


def matrix(p: Position, workers: Sequence[Sequence[int]], encoder: BoardEncoder) -> Rows:
    """Return the encoded rows of a position, with each seat's workers on these squares."""
    board = p.b1 | p.b2 << _LAYER_BITS | p.b3 << _LAYER_BITS * 2 | (p.domes | p.solid) << _LAYER_BITS * 3
    for bits, squares in zip(_WORKER_BITS, workers, strict=False):
        for square in squares:
            board |= bits[square]
    rows = encoder.rows
    return (
        rows[board & _ROW_MASK],
        rows[board >> 5 & _ROW_MASK],
        rows[board >> 10 & _ROW_MASK],
        rows[board >> 15 & _ROW_MASK],
        rows[board >> 20 & _ROW_MASK],
    )


def update(rows: Rows) -> bytes:
    """Encode a board for all players (creation 5)."""
    return b'{"action":"battlefieldUpdate","data":{"cellMatrix":[%b,%b,%b,%b,%b]}}\n' % rows


def response(rows: Rows) -> bytes:
    """Encode a board for the client that requested it (creation 4b)."""
    return b'{"action":"getBattlefieldResponse","data":{"cellMatrix":[%b,%b,%b,%b,%b]}}\n' % rows


_FLAGS: Final = tuple(
    b"[" + b",".join(b"true" if bits >> column & 1 else b"false" for column in range(5)) + b"]" for bits in range(32)
)


def worker_view(squares: Iterable[int]) -> bytes:
    """Encode the cells that the next step may target (turn 3, turn 7)."""
    return _encode_view(tuple(squares))


@lru_cache(maxsize=1024)
def _encode_view(squares: tuple[int, ...]) -> bytes:
    mask = sum({1 << square for square in squares})
    rows = b",".join(_FLAGS[mask >> first & 31] for first in (0, 5, 10, 15, 20))
    return b'{"action":"workerViewUpdate","data":{"workerView":[' + rows + b"]}}\n"
