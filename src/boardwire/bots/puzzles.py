"""Puzzles: positions in which exactly one turn wins by force, at once or within a few turns.

`python -m training.puzzles` finds them in matches of the engine against itself and proves them by the rules. This
module reads the file: one puzzle per line, the easy ones first.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

FILE: Final = files("boardwire.bots") / "puzzles.jsonl"

STRIDE: Final = 7919
"""Distance in the file between the puzzles of two consecutive days: neighbours are similar."""


class Puzzle(msgspec.Struct, frozen=True):
    """A position in notation, the number of the mover's turns to the win, and the only winning first turn, in steps.

    `grade` is the search depth in plies that proves it; forced replies cost none.
    """

    id: str
    position: str
    turns: int
    solution: tuple[str, ...]
    grade: int = 0
    game: str = "santorini"


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles."""
    return tuple(msgspec.json.Decoder(Puzzle).decode_lines(FILE.read_bytes()))


def of_the_day(day: int) -> Puzzle | None:
    """Return the puzzle for the number of a day, or None if there are none."""
    all_of_them = puzzles()
    return all_of_them[day * STRIDE % len(all_of_them)] if all_of_them else None
