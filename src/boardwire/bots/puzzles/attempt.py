"""Playing a puzzle: the mover's steps so far, the replies of the defence and the verdict after each turn.

A request repeats all steps of the mover, and the defence always answers in the same way, so no state is kept between
requests. Verdicts come from the solvers of the games (`santorini`, `forza`, `eriantys`), not from the stored solution,
except where only one turn can be right: the first one of a forced win, and the only one that saves the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from boardwire import games
from boardwire.bots.puzzles import Goal, Puzzle, eriantys, forza, santorini
from boardwire.errors import Refused
from boardwire.games.game import CHANCE, AnyGame, Draw, Seat


class Verdict(StrEnum):
    """Verdict on the steps played so far."""

    OPEN = "open"
    """It is the mover's turn."""
    RIGHT = "right"
    """The goal is reached."""
    WRONG = "wrong"


class Attempt(msgspec.Struct, frozen=True):
    """A puzzle after some steps.

    - `happened` are the game's events since the mover's last step, `reply` the actions of the defence.
    - `left` are the mover's turns to the goal.
    - `value` and `best`: the chances to win with the turn played and with the solution, where turns are measured.
    """

    verdict: Verdict
    position: Any
    happened: tuple[Any, ...] = ()
    reply: tuple[Any, ...] = ()
    left: int = 0
    value: float | None = None
    best: float | None = None


def start(puzzle: Puzzle) -> tuple[AnyGame, Any, Seat]:
    """Return the game of a puzzle, its position, and the seat to move."""
    game = games.game(puzzle.game)
    position = game.parse_position(puzzle.position)
    decision = game.pending(position)
    assert decision is not None, "a puzzle begins with a decision"
    return game, position, decision.seats[0]


def attempt(puzzle: Puzzle, steps: Sequence[str]) -> Attempt:
    """Return a puzzle after the mover's steps; raise `BoardwireError` for a step that cannot be played."""
    game, position, mover = start(puzzle)
    stand = Attempt(Verdict.OPEN, position, left=puzzle.turns)
    turn: list[Any] = []
    """The mover's actions of the turn in progress."""
    for step in steps:
        if stand.verdict is not Verdict.OPEN:
            raise Refused("the puzzle is over")
        action = game.parse_action(step)
        position, happened = game.apply(stand.position, mover, action)
        position, drawn = _restocked(game, puzzle, position)
        turn.append(action)
        stand = Attempt(Verdict.OPEN, position, (*happened, *drawn), left=stand.left)
        if _is_turn_over(game, position, mover):
            stand = _judged(puzzle, stand, mover, turn)
            turn = []
            if stand.verdict is Verdict.OPEN:
                stand = _answered(game, stand, mover)
    return stand


def _judged(puzzle: Puzzle, stand: Attempt, mover: Seat, turn: list[Any]) -> Attempt:
    """Return the verdict after a turn of the mover."""
    left = stand.left - 1
    is_first = left == puzzle.turns - 1
    game = games.game(puzzle.game)
    if puzzle.goal is Goal.BEST:
        value = eriantys.position_value(stand.position, mover)
        best = eriantys.position_value(_solved(puzzle), mover)
        is_right = best - value <= puzzle.slack
        return msgspec.structs.replace(
            stand, verdict=Verdict.RIGHT if is_right else Verdict.WRONG, left=left, value=value, best=best
        )
    is_solution = turn == [game.parse_action(step) for step in puzzle.solution]
    if puzzle.goal is Goal.SAVE:
        verdict = Verdict.RIGHT if is_solution else Verdict.WRONG
    elif (is_first and not is_solution) or not _wins_within(game, stand.position, mover, left):
        verdict = Verdict.WRONG
    else:
        verdict = Verdict.RIGHT if game.pending(stand.position) is None else Verdict.OPEN
    return msgspec.structs.replace(stand, verdict=verdict, left=left)


def _solved(puzzle: Puzzle) -> Any:
    """Return the position after the solution."""
    game, position, mover = start(puzzle)
    for step in puzzle.solution:
        position, _ = game.apply(position, mover, game.parse_action(step))
    return position


def _wins_within(game: AnyGame, position: Any, mover: Seat, left: int) -> bool:
    solver = forza if game.name == "forza" else santorini
    return bool(solver.is_right(position, mover, left))


def _answered(game: AnyGame, stand: Attempt, mover: Seat) -> Attempt:
    """Return the puzzle after the reply of the defence, which may end the match."""
    position, happened = stand.position, list(stand.happened)
    decision = game.pending(position)
    assert decision is not None, "a match that is over has been judged"
    seat = decision.seats[0]
    reply = forza.reply(position, seat) if game.name == "forza" else santorini.reply(position, stand.left)
    for action in reply:
        position, events = game.apply(position, seat, action)
        happened += events
    outcome = game.outcome(position)
    verdict = Verdict.OPEN if outcome is None else Verdict.RIGHT if mover in outcome.winners else Verdict.WRONG
    return Attempt(verdict, position, tuple(happened), tuple(reply), stand.left)


def _is_turn_over(game: AnyGame, position: Any, mover: Seat) -> bool:
    if game.name == "eriantys":
        return eriantys.is_turn_over(position, mover)
    decision = game.pending(position)
    return decision is None or mover not in decision.seats


def _restocked(game: AnyGame, puzzle: Puzzle, position: Any) -> tuple[Any, Sequence[Any]]:
    """Return the position after a draw within the mover's turn, the same for equal positions of a puzzle."""
    decision = game.pending(position)
    if decision is None or CHANCE not in decision.seats or decision.kind != eriantys.RESTOCK:
        return position, ()
    luck = Random(sha256(puzzle.id.encode()).digest())
    choices = decision.choices
    drawn = choices.draw(luck.randrange) if isinstance(choices, Draw) else luck.choice(tuple(choices))
    return game.apply(position, CHANCE, drawn)
