"""Puzzles: positions with one right turn, proved or measured by a solver.

- Santorini and Forza Quattro: exactly one turn forces the win (`Goal.WIN`), or exactly one does not lose
  (`Goal.SAVE`).
- Eriantys: the best turn by many playouts, ahead of the others by a stated margin (`Goal.BEST`).

`python -m training.puzzles`, `training.forza_puzzles` and `training.eriantys_puzzles` find puzzles in matches of the
engines and check them with the rules. Each game has a file with one puzzle per line, easy ones first, which is read on
first use. `attempt` plays a puzzle.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

STRIDE: Final = 7919
"""Distance in the list between the puzzles of two consecutive days, because neighbours in the list are similar."""


class Goal(StrEnum):
    """Goal of the mover."""

    WIN = "win"
    """Force the win within the number of turns."""
    SAVE = "save"
    """Play the only turn that does not lose."""
    BEST = "best"
    """Play the best turn."""


class Theme(StrEnum):
    """Theme of a puzzle, derived from its position and solution."""

    BLOCK = "block"
    """The opponent threatens to win at once."""
    DOUBLE_THREAT = "double threat"
    """The solution makes two threats to win."""
    QUIET = "quiet"
    """The solution makes no threat to win at once."""
    DOME = "dome"
    """The solution builds a dome."""
    POWER = "power"
    """Gods or characters are in play; in Eriantys the solution uses one."""
    STUCK = "stuck"
    """The solution leaves the opponent without a turn."""
    TOWER = "tower"
    """The solution conquers an island."""
    PROFESSOR = "professor"
    """The solution wins a professor."""
    MERGE = "merge"
    """The solution unites islands."""
    FINISH = "finish"
    """The solution ends the match."""


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position in notation, the number of the mover's turns to the goal, and the steps of the right first turn.

    - `grade`: from 1 (easy) to 5, by the effort of the solver.
    - `value`, `margin` and `slack`, for `Goal.BEST`: chances to win from 0 to 1. `value` is the value of the solution,
      `margin` its lead over the best wrong turn; a turn is right if it is at most `slack` worse than the solution.
    """

    id: str
    position: str
    turns: int
    solution: tuple[str, ...]
    grade: int = 0
    game: str = "santorini"
    goal: Goal = Goal.WIN
    themes: tuple[Theme, ...] = ()
    value: float = 0.0
    margin: float = 0.0
    slack: float = 0.0


GAMES: Final = ("santorini", "forza", "eriantys")
"""Games with puzzles, in the order of the list of all puzzles."""


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game."""
    return tuple(msgspec.json.Decoder(Puzzle).decode_lines((files(__name__) / f"{game}.jsonl").read_bytes()))


def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles."""
    return tuple(puzzle for game in GAMES for puzzle in puzzles_of(game))


def of_the_day(day: int, game: str = "") -> Puzzle | None:
    """Return the puzzle of day number `day`, of one game or, by default, of the games in turn; None if it has none."""
    game = game or GAMES[day % len(GAMES)]
    candidates = puzzles_of(game) if game in GAMES else ()
    return candidates[day * STRIDE % len(candidates)] if candidates else None
