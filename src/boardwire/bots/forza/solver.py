"""Perfect play in Forza Quattro: a solver in C and a book of openings.

- The solver (`core/native.c`) finds the end of most boards with eight discs or more within a second. `AVAILABLE` says
  whether it was compiled for this Python.
- The book holds a best column for boards with fewer discs that arise if the book's player follows it
  (`training/forza_book.py`). It knows who wins, not in how many turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from struct import iter_unpack
from typing import Final, NamedTuple

try:
    from boardwire.bots.forza.core import _native
except ImportError:
    AVAILABLE = False
else:
    AVAILABLE = True

COLUMNS: Final = 7
HEIGHT: Final = 7
CELLS: Final = 42
BOTTOM: Final = sum(1 << column * HEIGHT for column in range(COLUMNS))


class Solution(NamedTuple):
    """A column with the best end; `discs` are on the board when it is won (0: a draw, or not known)."""

    column: int
    result: int
    """1: the side to move wins, -1: it loses, 0: a draw."""
    discs: int
    nodes: int


def solve(own: int, taken: int, order: Sequence[int], nodes: int, stop: Callable[[], bool]) -> Solution | None:
    """Return a column with the best end, or None if the limits do not suffice.

    If they suffice only to find out who wins, the number of discs is 0 and the win may not be the earliest.
    """
    if not AVAILABLE:
        return None
    column, score, is_exact, spent = _native.solve(own, taken, tuple(order), nodes, stop)
    if column < 0:
        return None
    discs = _discs(score, taken.bit_count()) if score and is_exact else 0
    return Solution(column, (score > 0) - (score < 0), discs, spent)


def _discs(score: int, count: int) -> int:
    """Return the number of discs on the board at the end that a score means (`core/native.c`)."""
    discs = 44 - 2 * abs(score)
    is_won = score > 0
    return discs - ((discs - count) % 2 != is_won)


def in_book(own: int, taken: int) -> Solution | None:
    """Return the book's column for a board, if it has one."""
    for is_mirrored in (False, True):
        board = (mirrored(own), mirrored(taken)) if is_mirrored else (own, taken)
        found = _book().get(board_key(*board))
        if found is not None:
            column, result = found
            return Solution(COLUMNS - 1 - column if is_mirrored else column, result, 0, 0)
    return None


def board_key(own: int, taken: int) -> int:
    """Return a number that identifies a board and its side to move."""
    return own + taken + BOTTOM


def mirrored(cells: int) -> int:
    """Return a set of cells with left and right exchanged."""
    column = (1 << HEIGHT) - 1
    return sum((cells >> n * HEIGHT & column) << (COLUMNS - 1 - n) * HEIGHT for n in range(COLUMNS))


@lru_cache(maxsize=1)
def _book() -> dict[int, tuple[int, int]]:
    return read_book(files("boardwire.bots.forza").joinpath("book.bin").read_bytes())


def read_book(data: bytes) -> dict[int, tuple[int, int]]:
    """Return column and result by board: an entry is key * 32 + column * 4 + result + 1, in eight bytes."""
    return {entry >> 5: (entry >> 2 & 7, (entry & 3) - 1) for (entry,) in iter_unpack("<Q", data)}


def write_book(entries: dict[int, tuple[int, int]]) -> bytes:
    """Return the bytes of a book."""
    numbers = sorted(key << 5 | column << 2 | (result + 1) for key, (column, result) in entries.items())
    return b"".join(number.to_bytes(8, "little") for number in numbers)
