"""Settings of one run of `python -m bench`."""

from __future__ import annotations

import msgspec


class RunConfig(msgspec.Struct, frozen=True):
    """The parsed command line. Each benchmark uses the fields that apply to it."""

    games: tuple[int, ...] = (1, 50, 200, 1000)
    """Numbers of concurrent games; each gets a table of its own."""
    rounds: int = 10
    moves: int = 3_200
    """Moves per round with several games; a single game plays a tenth of them."""
    rivals: bool = False
    """Whether other projects' servers are measured too."""
    base: str = ""
    """Name of the contender that ratios refer to; empty: the benchmark's default."""
    jar: str = ""
    """Path of the original server's jar, for `java`."""
    dialect: str = "tris-lines"
    port: int = 0
    """Port of the original server; 0: a free one, which replaces {port} in its arguments."""
    arguments: str = ""
    """Command-line arguments of the original server."""

    def moves_of(self, games: int) -> int:
        """Return the number of moves in a round of this many games."""
        return self.moves if games > 1 else self.moves // 10
