"""What a run of `python -m bench` was asked to do."""

from __future__ import annotations

import msgspec


class Asked(msgspec.Struct, frozen=True):
    """The command line, for every measurement; each takes of it what concerns it."""

    games: tuple[int, ...] = (1, 50, 200, 1000)
    rounds: int = 5
    moves: int = 16_000
    """In a round; of a lone game a twentieth."""
    rivals: bool = False
    base: str = ""
    """The contender that ratios are to."""

    def moves_of(self, games: int) -> int:
        """How many moves a round of so many games has."""
        return self.moves if games > 1 else self.moves // 20
