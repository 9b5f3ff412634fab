"""How many steps players have taken, by game, since the process began: plain numbers that tables count up and that
somebody reads now and then.  A table looks its own up once; counting is then one addition."""

from __future__ import annotations

from typing import Final


class Tally:
    """The steps of one game."""

    __slots__ = ("moves",)

    def __init__(self) -> None:
        self.moves = 0


TALLIES: Final[dict[str, Tally]] = {}
"""By the game's name."""


def tally_of(game: str) -> Tally:
    """The tally of a game, the same one every time."""
    return TALLIES.setdefault(game, Tally())
