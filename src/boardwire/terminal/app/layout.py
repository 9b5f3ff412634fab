"""Layout of the table screen: the panel beside or below the board, and the size of the board."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from textual.geometry import Size

from boardwire.terminal.app.boards import board

SIDE_WIDTH: Final = 34
"""Columns that a growing board leaves for the panel beside it."""
MIN_SIDE_WIDTH: Final = 30
"""Smallest width of a panel beside a board; with less space it is placed below."""
BELOW_HEIGHT: Final = 6
"""Rows that a growing board leaves for the panel below it."""


class Layout(msgspec.Struct, frozen=True):
    """Whether the panel is below the board or beside it, and the columns and rows for the board."""

    below: bool
    width: int
    height: int


def layout(game: str, view: Any, size: Size) -> Layout:
    """Return the layout for an area of this size."""
    width, height = board(game).size(view)
    if size.width - width < MIN_SIDE_WIDTH:
        return Layout(True, size.width, max(height, size.height - BELOW_HEIGHT))
    return Layout(False, max(width, size.width - SIDE_WIDTH), size.height)
