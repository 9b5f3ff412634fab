"""Tris: nine cells; one plane for the seat's marks, one for the opponent's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardwire.games.game import Seat
from boardwire.games.tris.rules import CELLS, Options, View
from boardwire.research.encodings import Part

MAX_CHANCE_OUTCOMES: Final = 0


def actions(options: Options) -> Sequence[int]:
    """Return the cells."""
    return CELLS


def parts(view: View, seat: Seat, options: Options) -> Iterator[Part]:
    """Yield the seat's marks, the opponent's, and whether it is the seat's turn."""
    for name, owner in (("own", seat), ("other", 1 - seat)):
        yield Part(name, (3, 3), [float(cell == owner) for cell in view.cells])
    yield Part("turn", (1,), [float(view.turn == seat)])


def max_length(options: Options, seats: int) -> int:
    """Return the number of cells."""
    return len(CELLS)
