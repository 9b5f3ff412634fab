"""The completed move that is passed to powers."""

from __future__ import annotations

import msgspec

from boardwire.games.santorini.board import BEARING
from boardwire.games.santorini.position import Side


class Stride(msgspec.Struct, frozen=True, gc=False):
    """A completed move: the worker, its squares, and the levels of both.

    `direction` is the direction of a move that continues an earlier one, if the squares do not determine it; else -1.
    """

    side: Side
    worker: int
    frm: int
    to: int
    low: int
    high: int
    direction: int = -1

    @property
    def heading(self) -> int:
        """The direction of the move, -1 if it has none."""
        return self.direction if self.direction >= 0 else BEARING[self.frm][self.to]
