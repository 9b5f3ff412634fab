"""What a run of `python -m bench` was asked to do."""

from __future__ import annotations

import msgspec


class RunConfig(msgspec.Struct, frozen=True):
    """The command line, for every measurement; each takes of it what concerns it."""

    games: tuple[int, ...] = (1, 50, 200, 1000)
    rounds: int = 10
    moves: int = 3_200
    """In a round; of a lone game a tenth."""
    rivals: bool = False
    base: str = ""
    """The contender that ratios are to."""
    jar: str = ""
    """Path of an original server, for `java`."""
    dialect: str = "tris-lines"
    port: int = 0
    """Where that server listens; 0: on a free port, which takes the place of {port} in its arguments."""
    arguments: str = ""
    """What that server is started with."""

    def moves_of(self, games: int) -> int:
        """How many moves a round of this many games has."""
        return self.moves if games > 1 else self.moves // 10
