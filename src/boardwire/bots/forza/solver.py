"""Perfect play in Forza Quattro: a solver in C and a book of openings.

- The solver (`core/native.c`) solves most boards with eight discs or more within a second. `AVAILABLE`: whether it was
  compiled for this Python.
- The book has a best column for every board with fewer discs that can occur if a player always follows the book
  (`training/forza_book.py`). It has the result of each board, but not the number of turns.
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
    """A best column with its result; `discs`: the number of discs at the end (0: a draw, or unknown)."""

    column: int
    result: int
    """1: the side to move wins, -1: it loses, 0: a draw."""
    discs: int
    nodes: int


def solve(own: int, taken: int, order: Sequence[int], nodes: int, stop: Callable[[], bool]) -> Solution | None:
    """Return a best column, or None if the limits are too small.

    If the limits are enough only for the result, `discs` is 0 and the win may not be the earliest.
    """
    if not AVAILABLE:
        return None
    column, score, is_exact, spent = _native.solve(own, taken, tuple(order), nodes, stop)
    if column < 0:
        return None
    discs = _discs(score, taken.bit_count()) if score and is_exact else 0
    return Solution(column, (score > 0) - (score < 0), discs, spent)


def _discs(score: int, count: int) -> int:
    """Return the number of discs at the end, given the solver's score (`core/native.c`)."""
    discs = 44 - 2 * abs(score)
    is_won = score > 0
    return discs - ((discs - count) % 2 != is_won)


def in_book(own: int, taken: int) -> Solution | None:
    """Return the solution of a board in the book, or None."""
    for is_mirrored in (False, True):
        board = (mirror(own), mirror(taken)) if is_mirrored else (own, taken)
        entry = _book().get(board_key(*board))
        if entry is not None:
            column, result = entry
            return Solution(COLUMNS - 1 - column if is_mirrored else column, result, 0, 0)
    return None


def board_key(own: int, taken: int) -> int:
    """Return the unique key of a board and its side to move."""
    return own + taken + BOTTOM


def mirror(cells: int) -> int:
    """Mirror a set of cells from left to right."""
    column = (1 << HEIGHT) - 1
    return sum((cells >> n * HEIGHT & column) << (COLUMNS - 1 - n) * HEIGHT for n in range(COLUMNS))


@lru_cache(maxsize=1)
def _book() -> dict[int, tuple[int, int]]:
    return read_book(files("boardwire.bots.forza").joinpath("book.bin").read_bytes())


def read_book(data: bytes) -> dict[int, tuple[int, int]]:
    """Parse a book: column and result by board key. An entry is key * 32 + column * 4 + result + 1, in eight bytes."""
    return {entry >> 5: (entry >> 2 & 7, (entry & 3) - 1) for (entry,) in iter_unpack("<Q", data)}


def write_book(entries: dict[int, tuple[int, int]]) -> bytes:
    """Format a book; the inverse of `read_book`."""
    numbers = sorted(key << 5 | column << 2 | (result + 1) for key, (column, result) in entries.items())
    return b"".join(number.to_bytes(8, "little") for number in numbers)
