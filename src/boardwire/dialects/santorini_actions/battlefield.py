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


_ROW: Final = 31
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
def _bare_row(b1: int, b2: int, b3: int, domes: int) -> bytes:
    return b"[" + b",".join(b"{" + _EMPTY[_code(b1, b2, b3, domes, column)] for column in range(5)) + b"]"


def _code(b1: int, b2: int, b3: int, domes: int, at: int) -> int:
    return (b1 >> at & 1) + (b2 >> at & 1) + (b3 >> at & 1) + 4 * (domes >> at & 1)


def matrix(p: Position, workers: Sequence[Sequence[int]], seats: Faces) -> bytes:
    """The cells of a position, with the workers of each seat on these squares."""
    b1, b2, b3, domes = p.b1, p.b2, p.b3, p.domes | p.solid
    men = {square: face for face, squares in zip(seats, workers, strict=False) for square in squares if square >= 0}
    busy = 0
    for square in men:
        busy |= 1 << square
    rows = []
    for first in (0, 5, 10, 15, 20):
        if busy >> first & _ROW:
            cells = [
                men.get(square, b"{") + _EMPTY[_code(b1, b2, b3, domes, square)] for square in range(first, first + 5)
            ]
            rows.append(b"[" + b",".join(cells) + b"]")
        else:
            rows.append(_bare_row(b1 >> first & _ROW, b2 >> first & _ROW, b3 >> first & _ROW, domes >> first & _ROW))
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
    rows = b",".join(_FLAGS[mask >> first & _ROW] for first in (0, 5, 10, 15, 20))
    return b'{"action":"workerViewUpdate","data":{"workerView":[' + rows + b"]}}\n"
