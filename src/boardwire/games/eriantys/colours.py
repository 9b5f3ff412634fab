"""The colours of students."""

from __future__ import annotations

from enum import IntEnum


class Colour(IntEnum):
    """The five colours of students, in the order of the tables on a board."""

    GREEN = 0
    RED = 1
    YELLOW = 2
    PINK = 3
    BLUE = 4
