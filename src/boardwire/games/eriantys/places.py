"""Where the students are: every place has a slot in one int, the `students` of a position.

From the lowest slot: the entrances by seat, the dining rooms by seat, the clouds, the islands by tile, the bag.  A
student who goes from one place to another is one addition of a number that is known beforehand (`ONE[to][colour] -
ONE[start][colour]`), whatever the places; a whole pile is moved alike, with `AT`.

This module knows no rule but how many places there are and how many seats a table has.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.eriantys.piles import PILE, WIDTH, Pile, Piles, at_least

ENTRANCE: Final = 0
HALL: Final = 4
CLOUD: Final = 8
ISLAND: Final = 12
BAG: Final = 24
"""The first slot of each kind of place."""

SEATS: Final = 4
ENTRANCES: Final = (1 << WIDTH * (HALL - ENTRANCE)) - 1 << WIDTH * ENTRANCE
HALLS: Final = (1 << WIDTH * (CLOUD - HALL)) - 1 << WIDTH * HALL
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
"""Added to a dining room, it carries for every table that is full."""


def entrance_of(students: Piles, seat: int) -> Pile:
    """The students in the entrance of a seat."""
    return students >> WIDTH * (ENTRANCE + seat) & PILE


def hall_of(students: Piles, seat: int) -> Pile:
    """The students in the dining room of a seat."""
    return students >> WIDTH * (HALL + seat) & PILE
