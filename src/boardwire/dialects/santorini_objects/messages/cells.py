"""Cells and gods in this protocol's notation.

- `x` grows to the right and `y` upwards: (0, 0) is square A1, (4, 4) is E5. `z` is the level.
- Each cell is one shared object, so a message refers back to a repeated cell, as the original server does [2].
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.santorini_objects.messages.classes import Position as Cell
from boardwire.games.santorini.board import SIZE, SQUARES
from boardwire.games.santorini.edits import level
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God

CELLS: Final = tuple(tuple(Cell(s % SIZE, SIZE - 1 - s // SIZE, z) for z in range(4)) for s in SQUARES)
"""`CELLS[square][level]`."""

GODS: Final = (
    God.APOLLO, God.ARTEMIS, God.ATHENA, God.ATLAS, God.CHRONUS, God.DEMETER, God.HEPHAESTUS, God.HERA, God.HESTIA,
    God.MINOTAUR, God.PAN, God.PROMETHEUS, God.TRITON, God.ZEUS,
)  # fmt: skip
"""The fourteen gods of the protocol [3]."""

MORTAL: Final = "Mortal"
"""Name sent for a player without a god; the protocol has none."""


def square_of(cell: Cell) -> int:
    """Return the square of a cell on the board."""
    return (SIZE - 1 - cell.y) * SIZE + cell.x


def is_on_board(cell: Cell) -> bool:
    """Return whether x and y are on the board, at any level."""
    return 0 <= cell.x < SIZE and 0 <= cell.y < SIZE


def cell_at(p: Position, square: int) -> Cell:
    """Return the cell of a square at its current level."""
    return CELLS[square][level(p, square)]


def god_name(god: God) -> str:
    """Return a god's name on the wire."""
    return CATALOGUE[god].name if god in CATALOGUE else MORTAL


_BY_NAME: Final = {entry.name: god for god, entry in CATALOGUE.items()}


def god_of(name: str | None) -> God | None:
    """Return the god with exactly this name, or None if there is none."""
    return _BY_NAME.get(name) if name is not None else None
