"""Puzzles: positions in which just one turn wins by force.

They are a file of the package, mined from matches of the engine against itself (`python -m training.puzzles`); each was
proved by the rules themselves, and its solution is the only one.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import msgspec


class Puzzle(msgspec.Struct, frozen=True):
    """A position in notation, in how many turns of the player to move it is won (`turns`), the steps of the only first
    turn that does it, in notation, and how deep a search must look to be sure (`depth`): a higher number is harder."""

    position: str
    turns: int
    solution: tuple[str, ...]
    depth: int


@lru_cache(maxsize=1)
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles, the easy ones first."""
    text = files("boardwire.bots.santorini").joinpath("puzzles.json").read_bytes()
    return msgspec.json.decode(text, type=tuple[Puzzle, ...])
