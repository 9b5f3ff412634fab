"""A move that was made, as powers hear of it."""

from __future__ import annotations

import msgspec

from boardwire.games.santorini.board import BEARING
from boardwire.games.santorini.position import Side


class Stride(msgspec.Struct, frozen=True, gc=False):
    """A move that was made: which worker, from where to where, and the levels of both squares.

    `way` is its direction where the squares do not tell, because it goes on from an earlier move."""

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
