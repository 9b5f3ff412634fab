"""Puzzles: the list, and each with its board and solution."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import msgspec

from boardwire import games
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import NoQuery
from boardwire.api.problem import Problem
from boardwire.bots.match_analysis import Move, moves
from boardwire.bots.puzzles import Puzzle, of_the_day, puzzles
from boardwire.games.santorini.notation import parse_position

DAY_SECONDS: Final = 86_400

Name = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,64}$", description="the name of a puzzle")]


class PuzzleInfo(msgspec.Struct, frozen=True):
    """A puzzle in a list: the number of turns to win, and the search depth that finds them."""

    id: str
    game: str
    turns: int
    grade: int


class Puzzles(msgspec.Struct, frozen=True):
    """All puzzles, easy ones first, and the puzzle of the day (None: there are none)."""

    puzzles: tuple[PuzzleInfo, ...]
    today: str | None


class PuzzleDetail(PuzzleInfo, frozen=True):
    """A puzzle: its position, in notation and as a spectator's view, the seat to move, the number of seats, and the
    winning turn."""

    position: str
    seat: int
    seats: int
    view: Any
    solution: tuple[Move, ...]


class PuzzleQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzle; `today` is the puzzle of the day."""

    name: Name


def all_puzzles(desk: ApiContext, query: NoQuery) -> Puzzles:
    """Return the puzzles, and which one is today's."""
    today = _today()
    infos = (PuzzleInfo(one.id, one.game, one.turns, one.grade) for one in puzzles())
    return Puzzles(tuple(infos), None if today is None else today.id)


def one_puzzle(desk: ApiContext, query: PuzzleQuery) -> PuzzleDetail:
    """Return a puzzle with its solution."""
    found = _today() if query.name == "today" else next((one for one in puzzles() if one.id == query.name), None)
    if found is None:
        raise Problem(404, f"there is no puzzle {query.name!r}; /api/puzzles lists them")
    game = games.game(found.game)
    position = parse_position(found.position)
    solution = moves(game, map(game.parse_action, found.solution))
    return PuzzleDetail(
        found.id, found.game, found.turns, found.grade, found.position, position.seat, position.lineup.seats,
        game.view(position, None), solution,
    )  # fmt: skip


def _today() -> Puzzle | None:
    return of_the_day(int(time.time() // DAY_SECONDS))
