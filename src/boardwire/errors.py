"""Why something was not done: three errors, and nothing else, for whoever asked.

Each says in words a person understands what was wrong and what would be right.  Any other exception is a fault of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self


class BoardwireError(Exception):
    """Why something was not done.  `str()` of it is a sentence for the player.

    Where the sentence speaks of a player, `{}` stands for that one in `words`, and `seat` says who it is: games know
    no names, and whoever knows them says `naming` before the sentence is read.
    """

    def __init__(self, words: str = "", seat: int | None = None) -> None:
        super().__init__(words if seat is None else words.replace("{}", f"player {seat + 1}"))
        self.words = words
        self.seat = seat

    def naming(self, names: Sequence[str]) -> Self:
        """The same error with the player's name in its sentence; names go by seat, and one without keeps its number."""
        name = "" if self.seat is None else names[self.seat]
        return type(self)(self.words.replace("{}", name)) if name else self


class Malformed(BoardwireError):
    """It cannot be read."""


class Illegal(BoardwireError):
    """It was read, but is against the rules."""


class Refused(BoardwireError):
    """It may be legal, but not now or not for you."""
