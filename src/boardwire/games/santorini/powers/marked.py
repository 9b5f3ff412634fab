"""Base class of gods with a distinguished female worker."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.position import OFF, Position, Side
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.squares import parse_square, square_name

FEMALE: Final = 1
"""Number of the female worker, which is placed second."""


class Marked(Power):
    """A god with a distinguished female worker.

    In the notation, the memo names her square; the squares after the colon may be in any order.
    """

    @property
    def marks(self) -> tuple[Side, ...]:
        return (self.side,)

    def female(self, p: Position) -> int:
        """Return the square of the female worker, or `OFF` if she has been removed."""
        squares = p.workers[self.side]
        return squares[FEMALE] if len(squares) > FEMALE else OFF

    def written(self, p: Position) -> str:
        female = self.female(p)
        return square_name(female) if female >= 0 else ""

    def read(self, p: Position, text: str) -> Position:
        female = parse_square(text)
        others = [at for at in p.workers[self.side] if at != female]
        if len(others) == len(p.workers[self.side]):
            raise ValueError(text)
        squares = (others[0] if others else OFF, female, *others[1:])
        return replace(p, workers=(*p.workers[: self.side], squares, *p.workers[self.side + 1 :]))
