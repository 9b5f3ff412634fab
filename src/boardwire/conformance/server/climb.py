"""The shortest match of Santorini that ends with a win whatever gods play: the script of every check that needs an end.

The first player climbs with worker 1 in the inner part of the board, so that no god of the three protocols forbids it;
the second builds in the far corner and never moves up.  Nobody needs a power, and no power of the two is triggered.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

Cell: TypeAlias = tuple[int, int]

FIRST: Final[tuple[Cell, Cell]] = (0, 0), (0, 4)
SECOND: Final[tuple[Cell, Cell]] = (4, 4), (4, 0)
"""Where the two players' workers stand at first."""


class Turn(msgspec.Struct, frozen=True):
    """Worker 1 of the player whose turn it is moves and builds; `level` is what the build comes to."""

    frm: Cell
    to: Cell
    build: Cell | None
    level: int = 0
    height: int = 0
    """The level the worker moves to."""


TURNS: Final = (
    Turn((0, 0), (0, 1), (1, 2), 1),
    Turn((4, 4), (4, 3), (3, 2), 1),
    Turn((0, 1), (0, 0), (1, 1), 1),
    Turn((4, 3), (4, 4), (3, 4), 1),
    Turn((0, 0), (0, 1), (1, 2), 2),
    Turn((4, 4), (4, 3), (3, 2), 2),
    Turn((0, 1), (0, 0), (1, 0), 1),
    Turn((4, 3), (4, 4), (3, 4), 2),
    Turn((0, 0), (1, 0), (1, 1), 2, 1),
    Turn((4, 4), (4, 3), (3, 2), 3),
    Turn((1, 0), (1, 1), (1, 2), 3, 2),
    Turn((4, 3), (4, 4), (3, 4), 3),
    Turn((1, 1), (1, 2), None, 0, 3),
)
"""The last move wins."""


HIGH: Final = 6
"""After so many turns of the script the first player's worker 1 stands on the ground, next to `TOO_HIGH`."""

TOO_HIGH: Final[Cell] = (1, 2)
"""A cell of level 2."""


def around(cell: Cell) -> set[Cell]:
    """The cells next to one."""
    x, y = cell
    near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {cell}
    return {(a, b) for a, b in near if 0 <= a < 5 and 0 <= b < 5}
