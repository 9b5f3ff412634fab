"""Forza Quattro: seven columns; one plane for the seat's discs, one for the opponent's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardwire.games.forza.rules import COLUMNS, ROWS, Options, View
from boardwire.games.game import Seat
from boardwire.research.encodings import Part

MAX_CHANCE_OUTCOMES: Final = 0


def actions(options: Options) -> Sequence[int]:
    """Return the columns."""
    return range(COLUMNS)


def parts(view: View, seat: Seat, options: Options) -> Iterator[Part]:
    """Yield the seat's discs, the opponent's, and whether it is the seat's turn."""
    for name, owner in (("own", seat), ("other", 1 - seat)):
        yield Part(name, (ROWS, COLUMNS), [float(cell == owner) for cell in view.cells])
    yield Part("turn", (1,), [float(view.turn == seat)])


def max_length(options: Options, seats: int) -> int:
    """Return the number of cells."""
    return COLUMNS * ROWS
