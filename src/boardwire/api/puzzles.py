"""Puzzles: the list, each puzzle with its board and solution, and attempts to solve one."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import msgspec

from boardwire.api.context import ApiContext
from boardwire.api.endpoint import NoQuery
from boardwire.api.problem import Problem
from boardwire.bots.match_analysis import Move, moves
from boardwire.bots.puzzles import Goal, Puzzle, Theme, of_the_day, puzzles
from boardwire.bots.puzzles import attempt as tries
from boardwire.bots.puzzles.attempt import Verdict
from boardwire.errors import BoardwireError

DAY_SECONDS: Final = 86_400
MAX_PUZZLE_STEPS: Final = 24
"""Largest number of the mover's steps in an attempt."""

Name = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,64}$", description="the name of a puzzle")]


class PuzzleInfo(msgspec.Struct, frozen=True):
    """A puzzle of the list: the goal and the number of turns to it, the grade from 1 (easy) to 5, and the themes."""

    id: str
    game: str
    turns: int
    grade: int
    goal: Goal
    themes: tuple[Theme, ...]


class Puzzles(msgspec.Struct, frozen=True):
    """All puzzles, by game, easy ones first; and the puzzles of the day: one of any game, and one of each game."""

    puzzles: tuple[PuzzleInfo, ...]
    today: str | None
    daily: dict[str, str]


class PuzzleDetail(PuzzleInfo, frozen=True):
    """A puzzle: its position, in notation and as a spectator's view, the seat to move, the number of seats, and the
    solution's first turn; in puzzles that compare chances of winning, its margin over the best wrong turn."""

    position: str
    seat: int
    seats: int
    view: Any
    solution: tuple[Move, ...]
    margin: float


class PuzzleQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzle; `today` is the puzzle of the day."""

    name: Name


class TryQuery(PuzzleQuery, frozen=True, forbid_unknown_fields=True):
    """The puzzle, and the mover's steps so far in notation, separated by semicolons."""

    played: Annotated[str, msgspec.Meta(max_length=400, description="steps in notation, separated by `;`")] = ""


class Attempt(msgspec.Struct, frozen=True):
    """A puzzle after some steps: the verdict, whether the match is won, the mover's view, the kind of its decision and
    its choices (none at the end), the game's events since the last step, the reply of the defence, and the number of
    turns left. In puzzles that compare chances of winning, `value` is that of the turn played and `best` that of the
    solution."""

    verdict: Verdict
    won: bool
    view: Any
    kind: str
    choices: tuple[Move, ...]
    happened: tuple[Any, ...]
    reply: tuple[Move, ...]
    left: int
    value: float | None = None
    best: float | None = None


def all_puzzles(context: ApiContext, query: NoQuery) -> Puzzles:
    """Return the puzzles, and the puzzles of the day."""
    infos = tuple(
        PuzzleInfo(puzzle.id, puzzle.game, puzzle.turns, puzzle.grade, puzzle.goal, puzzle.themes)
        for puzzle in puzzles()
    )
    today = _puzzle_of_today()
    daily = {
        game: puzzle.id for game in {info.game for info in infos} if (puzzle := _puzzle_of_today(game)) is not None
    }
    return Puzzles(infos, None if today is None else today.id, dict(sorted(daily.items())))


def one_puzzle(context: ApiContext, query: PuzzleQuery) -> PuzzleDetail:
    """Return a puzzle with its solution."""
    puzzle = _find_puzzle(query)
    game, position, mover = tries.start(puzzle)
    return PuzzleDetail(
        puzzle.id, puzzle.game, puzzle.turns, puzzle.grade, puzzle.goal, puzzle.themes, puzzle.position, mover,
        1 + max(seat for side in game.sides(position) for seat in side), game.view(position, None),
        moves(game, map(game.parse_action, puzzle.solution)), puzzle.margin,
    )  # fmt: skip


def try_puzzle(context: ApiContext, query: TryQuery) -> Attempt:
    """Return a puzzle after some steps, with the reply of the defence and the verdict."""
    puzzle = _find_puzzle(query)
    game, _, mover = tries.start(puzzle)
    steps = [step for step in query.played.split(";") if step]
    if len(steps) > MAX_PUZZLE_STEPS:
        raise Problem(422, f"`played` has {len(steps)} steps; the maximum is {MAX_PUZZLE_STEPS}")
    try:
        attempted = tries.attempt(puzzle, steps)
    except BoardwireError as error:
        raise Problem(422, f"steps {query.played!r}: {error}") from None
    pending = game.pending(attempted.position)
    outcome = None if pending is not None else game.outcome(attempted.position)
    goes_on = attempted.verdict is Verdict.OPEN and pending is not None
    return Attempt(
        attempted.verdict,
        outcome is not None and mover in outcome.winners,
        game.view(attempted.position, mover),
        str(pending.kind) if pending is not None else "",
        moves(game, pending.choices) if pending is not None and goes_on else (),
        attempted.happened,
        moves(game, attempted.reply),
        attempted.left,
        None if attempted.value is None else round(attempted.value, 3),
        None if attempted.best is None else round(attempted.best, 3),
    )


def _find_puzzle(query: PuzzleQuery) -> Puzzle:
    candidates = (puzzle for puzzle in puzzles() if puzzle.id == query.name)
    puzzle = _puzzle_of_today() if query.name == "today" else next(candidates, None)
    if puzzle is None:
        raise Problem(404, f"there is no puzzle {query.name!r}; /api/puzzles lists them")
    return puzzle


def _puzzle_of_today(game: str = "") -> Puzzle | None:
    return of_the_day(int(time.time() // DAY_SECONDS), game)
