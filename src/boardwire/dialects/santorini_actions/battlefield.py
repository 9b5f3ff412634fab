"""The board on the wire: a matrix of cells, and a matrix of the cells a step may go to.

`x` is the row and `y` the column, row 0 on top: cell (x, y) is square 5x + y.  `height` counts all pieces, a dome too,
so domes are told by `lastBlock` [1].  A token that closes a square is shown as a dome, which is what it is to everyone.
Rows are put together from parts that are made once, because a board goes to everybody after every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from boardwire.dialects.santorini_actions.requests import ascii_only
from boardwire.games.santorini.position import Position

COLORS: Final = ("BROWN", "GREY", "BLUE")
"""The colours by seat."""

BLOCKS: Final = ("GROUND", "LEVEL_1", "LEVEL_2", "LEVEL_3")
DOME: Final = "DOME"


class CellInterface(msgspec.Struct, frozen=True, kw_only=True):
    """One cell; `player` and `workerColor` only where a worker stands [1]."""

    player: str | None = None
    workerColor: str | None = None  # noqa: N815 - the wire's own spelling, here and below
    height: int
    lastBlock: str  # noqa: N815


_EMPTY: Final = tuple(
    b'"height":%d,"lastBlock":"%b"}' % (height, block.encode())
    for height, block in [*enumerate(BLOCKS), *((level + 1, DOME) for level in range(4))]
)
"""The end of a cell by its number of blocks; four further on the same with a dome."""

Faces = tuple[bytes, ...]
"""The beginning of a cell by the seat of the worker on it."""


def faces(names: Iterable[str]) -> Faces:
    """How the cells of each seat's workers begin."""
    return tuple(
        b'{"player":%b,"workerColor":"%b",' % (ascii_only(msgspec.json.encode(name)), color.encode())
        for name, color in zip(names, COLORS, strict=False)
    )


@lru_cache(maxsize=4096)
def _row(b1: int, b2: int, b3: int, domes: int) -> tuple[bytes, tuple[bytes, ...]]:
    """A row without workers, and its cells one by one."""
    cells = tuple(
        b"{" + _EMPTY[(b1 >> at & 1) + (b2 >> at & 1) + (b3 >> at & 1) + 4 * (domes >> at & 1)] for at in range(5)
    )
    return b"[" + b",".join(cells) + b"]", cells


@lru_cache(maxsize=8192)
def _busy_row(b1: int, b2: int, b3: int, domes: int, men: tuple[tuple[int, bytes], ...]) -> bytes:
    """A row with these workers on its columns.  A step changes one or two rows, so most are known from the last one."""
    _, cells = _row(b1, b2, b3, domes)
    busy = list(cells)
    for column, face in men:
        busy[column] = face + cells[column][1:]
    return b"[" + b",".join(busy) + b"]"


def matrix(p: Position, workers: Sequence[Sequence[int]], seats: Faces) -> bytes:
    """The cells of a position, with the workers of each seat on these squares."""
    b1, b2, b3, domes = p.b1, p.b2, p.b3, p.domes | p.solid
    men: dict[int, tuple[tuple[int, bytes], ...]] = {}
    for face, squares in zip(seats, workers, strict=False):
        for square in squares:
            if square >= 0:
                men[square // 5] = (*men.get(square // 5, ()), (square % 5, face))
    rows = []
    for number in range(5):
        first = 5 * number
        if number in men:
            row = _busy_row(b1 >> first & 31, b2 >> first & 31, b3 >> first & 31, domes >> first & 31, men[number])
        else:
            row, _ = _row(b1 >> first & 31, b2 >> first & 31, b3 >> first & 31, domes >> first & 31)
        rows.append(row)
    return b"[" + b",".join(rows) + b"]"


def update(cells: bytes) -> bytes:
    """The board, to everybody (creation 5)."""
    return b'{"action":"battlefieldUpdate","data":{"cellMatrix":' + cells + b"}}\n"


def response(cells: bytes) -> bytes:
    """The board, to who asked (creation 4b)."""
    return b'{"action":"getBattlefieldResponse","data":{"cellMatrix":' + cells + b"}}\n"


_FLAGS: Final = tuple(
    b"[" + b",".join(b"true" if bits >> column & 1 else b"false" for column in range(5)) + b"]" for bits in range(32)
)


def worker_view(squares: Iterable[int]) -> bytes:
    """The cells that the next step may go to (turn 3, turn 7)."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return _view(mask)


@lru_cache(maxsize=4096)
def _view(mask: int) -> bytes:
    rows = b",".join(_FLAGS[mask >> first & 31] for first in (0, 5, 10, 15, 20))
    return b'{"action":"workerViewUpdate","data":{"workerView":[' + rows + b"]}}\n"
