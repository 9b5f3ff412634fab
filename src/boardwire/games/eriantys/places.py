"""Places of students: every place has a slot in one int, the `students` of a position.

From the lowest slot: the entrance and the dining room of each seat, the clouds, the islands by tile, the bag. A student
is moved by adding a precomputed number, `ONE[to][colour] - ONE[start][colour]`; a whole pile is moved in the same way,
with `AT`.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.eriantys.piles import PILE, WIDTH, Pile, Piles, at_least

SEATS: Final = 4
BOARD: Final = 2
"""Number of slots of a seat."""
ENTRANCE: Final = tuple(range(0, BOARD * SEATS, BOARD))
HALL: Final = tuple(range(1, BOARD * SEATS, BOARD))
"""The slots of each seat's entrance and dining room."""
CLOUD: Final = 8
ISLAND: Final = 12
BAG: Final = 24
"""The first slot of the other kinds of places."""

CLOUDS: Final = (1 << WIDTH * (ISLAND - CLOUD)) - 1 << WIDTH * CLOUD
ISLANDS: Final = (1 << WIDTH * (BAG - ISLAND)) - 1 << WIDTH * ISLAND
"""All places of a kind, as masks."""

AT: Final = tuple(1 << WIDTH * slot for slot in range(BAG + 1))
"""A pile times `AT[slot]` is that pile in that slot."""

CLOUD_SHIFT: Final = tuple(WIDTH * (CLOUD + cloud) for cloud in range(SEATS))
ISLAND_SHIFT: Final = tuple(WIDTH * (ISLAND + tile) for tile in range(BAG - ISLAND))
BAG_SHIFT: Final = WIDTH * BAG

TABLE: Final = 10
FULL: Final = at_least(TABLE)
"""The sum with a dining room has the carry of every table that is full."""


def entrance_of(students: Piles, seat: int) -> Pile:
    """Return the students in the entrance of a seat."""
    return students >> WIDTH * ENTRANCE[seat] & PILE


def hall_of(students: Piles, seat: int) -> Pile:
    """Return the students in the dining room of a seat."""
    return students >> WIDTH * HALL[seat] & PILE
