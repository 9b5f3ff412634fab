"""Summary of the rules of Tris."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.games.game import Card

cards: Final[Sequence[Card]] = ()

_RULES: Final = (
    "Tris, for 2 players.",
    "The board has nine cells, numbered 0 to 8 from left to right and top to bottom.",
    "The players take turns marking a free cell; the first player begins.",
    "Three marks of your own in a row, column or diagonal win; a full board without such a line is a draw.",
)


def explain(card: Card | None = None) -> Sequence[str]:
    """Return the rules; there are no cards."""
    return _RULES
