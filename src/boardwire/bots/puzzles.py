"""Puzzles: positions in which just one turn wins by force, at once or within a few turns.

They are mined from matches of the engine against itself and proved by the rules (`python -m training.puzzles`); this
module only reads the file.  A line of it is one puzzle; the easy ones come first.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

FILE: Final = files("boardwire.bots") / "puzzles.jsonl"

STRIDE: Final = 7919
"""How far the puzzle of tomorrow stands from that of today in the file: neighbours are alike."""


class Puzzle(msgspec.Struct, frozen=True):
    """A position in notation, in how many turns whoever moves wins for certain (its own are counted), and the only
    first turn that does, in steps.  `grade` is how many plies a search looked ahead to be sure; forced answers cost it
    none."""

    id: str
    position: str
    turns: int
    solution: tuple[str, ...]
    grade: int = 0
    game: str = "santorini"


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All there are."""
    return tuple(msgspec.json.Decoder(Puzzle).decode_lines(FILE.read_bytes()))


def of_the_day(day: int) -> Puzzle | None:
    """The puzzle of a day, which has a number; None: there are none."""
    all_of_them = puzzles()
    return all_of_them[day * STRIDE % len(all_of_them)] if all_of_them else None
