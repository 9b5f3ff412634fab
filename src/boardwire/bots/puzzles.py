"""Puzzles: positions in which one turn wins, and every other one does not.

They are mined from matches of the engine against itself and proved by the real rules; this module only reads the file.
A line of it is one puzzle, in the order of their difficulty.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

FILE: Final = "puzzles.jsonl"

STRIDE: Final = 7919
"""How far the puzzle of tomorrow stands from that of today in the file: neighbours are alike."""


class Puzzle(msgspec.Struct, frozen=True):
    """A position in notation, in how many turns whoever moves wins for certain, and the only first turn that does, in
    steps.  `grade` is how deep a search has to look to find it."""

    id: str
    position: str
    turns: int
    solution: tuple[str, ...]
    grade: int = 0
    game: str = "santorini"


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All there are."""
    found = files("boardwire.bots") / FILE
    if not found.is_file():
        return ()
    return tuple(msgspec.json.decode(line, type=Puzzle) for line in found.read_bytes().splitlines() if line.strip())


def of_the_day(day: int) -> Puzzle | None:
    """The puzzle of a day, which has a number; None: there are none."""
    all_of_them = puzzles()
    return all_of_them[day * STRIDE % len(all_of_them)] if all_of_them else None
