"""Summary of the rules of Forza Quattro."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.games.game import Card

cards: Final[Sequence[Card]] = ()

_RULES: Final = (
    "Forza Quattro (Connect Four), for 2 players.",
    "The board stands upright and has seven columns of six cells; columns are numbered 1 to 7 from left to right.",
    "The players take turns dropping a disc into a column; it falls to the lowest free cell.  The first player begins.",
    "Four discs of your own in a row, vertical, horizontal or diagonal, win; a full board without them is a draw.",
)


def explain(card: Card | None = None) -> Sequence[str]:
    """Return the rules; there are no cards."""
    return _RULES
