"""A completed move, as passed to powers."""

from __future__ import annotations

import msgspec

from boardwire.games.santorini.board import BEARING
from boardwire.games.santorini.position import Side


class Stride(msgspec.Struct, frozen=True, gc=False):
    """A completed move: the worker, its squares, and the levels of both.

    `way` is its direction if the squares do not determine it, because it continues an earlier move.
    """

    side: Side
    worker: int
    frm: int
    to: int
    low: int
    high: int
    way: int = -1

    @property
    def heading(self) -> int:
        """The direction of the move, -1 if it has none."""
        return self.way if self.way >= 0 else BEARING[self.frm][self.to]
