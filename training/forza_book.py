"""The opening book of Forza Quattro: `python -m training.forza_book --seconds 3600`.

It solves boards with fewer discs than the solver manages within a second: those in which the book's player follows the
book and the opponent drops any disc, for both sides. Boards are solved from the fewest discs on; every result is
written at once, and the next call continues. Of two mirrored boards only one is solved.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from boardwire.bots.forza import solver
from boardwire.bots.forza.core import _native

ORDER: Final = (3, 2, 4, 1, 5, 0, 6)
TABLE_BITS: Final = 25
"""Binary logarithm of the table's entries: 256 MB."""
MOST_DISCS: Final = 5
"""Discs up to which boards are in the book."""
BOOK: Final = Path(__file__).parent.parent / "src" / "boardwire" / "bots" / "forza" / "book.bin"

Board: TypeAlias = tuple[int, int]
"""The discs of the side to move, and all discs."""
Book: TypeAlias = dict[int, tuple[int, int]]


def dropped(board: Board, column: int) -> Board | None:
    """Return the board after a disc, or None if the column is full."""
    own, taken = board
    disc = taken + (1 << column * solver.HEIGHT) & 63 << column * solver.HEIGHT
    return (own ^ taken, taken | disc) if disc else None


def canonical(board: Board) -> tuple[int, bool]:
    """Return the key of a board or of its mirror image, whichever is smaller, and whether it is the image."""
    own, taken = board
    key, other = solver.board_key(own, taken), solver.board_key(solver.mirror(own), solver.mirror(taken))
    return min((key, False), (other, True))


def answered(boards: Iterable[Board], book: Book) -> Iterator[Board]:
    """Yield the boards after the book's disc and any disc of the opponent, each once."""
    seen: set[int] = set()
    for board in boards:
        key, is_mirrored = canonical(board)
        column, _ = book[key]
        after = dropped(board, solver.COLUMNS - 1 - column if is_mirrored else column)
        for reply in range(solver.COLUMNS):
            found = dropped(after, reply) if after else None
            if found and canonical(found)[0] not in seen:
                seen.add(canonical(found)[0])
                yield found


def extend(book: Book, boards: Iterable[Board], until: float, path: Path) -> bool:
    """Solve the boards that the book does not have, and write it; return whether there was time for all."""
    for board in boards:
        key, is_mirrored = canonical(board)
        if key in book:
            continue
        column, result, _, nodes = _native.solve(*board, ORDER, 1 << 62, lambda: time.monotonic() > until, True, True)
        if column < 0:
            return False
        book[key] = (solver.COLUMNS - 1 - column if is_mirrored else column), result
        path.write_bytes(solver.write_book(book))
        print(f"{board[1].bit_count()} discs, column {column + 1}, result {result}, {nodes:,} nodes", flush=True)
    return True


def main() -> None:
    """Continue the book."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--book", type=Path, default=BOOK)
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    book = solver.read_book(asked.book.read_bytes()) if asked.book.exists() else {}
    empty = (0, 0)
    book[canonical(empty)[0]] = (3, 1)  # solved in 1988: the first player wins from the middle
    _native.resize(TABLE_BITS)
    openings = [board for column in range(solver.COLUMNS) if (board := dropped(empty, column))]
    for boards in ([empty], openings):
        discs = boards[0][1].bit_count()
        while discs <= MOST_DISCS and extend(book, boards, until, asked.book):
            boards, discs = list(answered(boards, book)), discs + 2
    asked.book.write_bytes(solver.write_book(book))
    print(f"{len(book):,} boards in {asked.book}")


if __name__ == "__main__":
    main()
