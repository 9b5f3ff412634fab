"""The shortest Santorini match that the first player wins whatever the gods: the script of checks that need an end.

The first player climbs with worker 1 near its corner, where no god of the three protocols forbids it. The second
builds in the opposite corner and never moves up. No power is needed or triggered.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

Cell: TypeAlias = tuple[int, int]

FIRST: Final[tuple[Cell, Cell]] = (0, 0), (0, 4)
SECOND: Final[tuple[Cell, Cell]] = (4, 4), (4, 0)
"""Starting cells of each player's workers."""


class ClimbTurn(msgspec.Struct, frozen=True):
    """Move and build of worker 1 of the player to move; `level` is the level of the cell after the build."""

    frm: Cell
    to: Cell
    build: Cell | None
    level: int = 0
    height: int = 0
    """Level that the worker moves to."""


TURNS: Final = (
    ClimbTurn((0, 0), (0, 1), (1, 2), 1),
    ClimbTurn((4, 4), (4, 3), (3, 2), 1),
    ClimbTurn((0, 1), (0, 0), (1, 1), 1),
    ClimbTurn((4, 3), (4, 4), (3, 4), 1),
    ClimbTurn((0, 0), (0, 1), (1, 2), 2),
    ClimbTurn((4, 4), (4, 3), (3, 2), 2),
    ClimbTurn((0, 1), (0, 0), (1, 0), 1),
    ClimbTurn((4, 3), (4, 4), (3, 4), 2),
    ClimbTurn((0, 0), (1, 0), (1, 1), 2, 1),
    ClimbTurn((4, 4), (4, 3), (3, 2), 3),
    ClimbTurn((1, 0), (1, 1), (1, 2), 3, 2),
    ClimbTurn((4, 3), (4, 4), (3, 4), 3),
    ClimbTurn((1, 1), (1, 2), None, 0, 3),
)
"""All turns; the last move wins."""

HIGH: Final = 6
"""Number of turns after which the first player's worker 1 is on the ground next to `TOO_HIGH`."""

TOO_HIGH: Final[Cell] = (1, 2)
"""A cell of level 2."""


def around(cell: Cell) -> set[Cell]:
    """Return the cells adjacent to a cell."""
    x, y = cell
    cells = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {cell}
    return {(a, b) for a, b in cells if 0 <= a < 5 and 0 <= b < 5}
