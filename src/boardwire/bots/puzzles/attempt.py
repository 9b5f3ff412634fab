"""Attempts at a puzzle: the mover's steps, the replies of the defence and the verdict after each turn.

A request contains all steps of the mover, and the defence is deterministic, so no state is kept between requests.
Verdicts come from the solvers of the games (`santorini`, `forza`, `eriantys`). The stored solution decides only if
exactly one turn is right: the first turn of a forced win, and the only turn that saves the match.
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

    - `happened`: the game's events since the mover's last step; `reply`: the actions of the defence.
    - `left`: the remaining number of the mover's turns.
    - `value` and `best`, for `Goal.BEST`: the chances to win with the played turn and with the solution.
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
    state = Attempt(Verdict.OPEN, position, left=puzzle.turns)
    turn: list[Any] = []
    """The mover's actions of the turn in progress."""
    for step in steps:
        if state.verdict is not Verdict.OPEN:
            raise Refused(f"the puzzle is over: the verdict is {state.verdict}")
        action = game.parse_action(step)
        position, happened = game.apply(state.position, mover, action)
        position, drawn = _with_restock(game, puzzle, position)
        turn.append(action)
        state = Attempt(Verdict.OPEN, position, (*happened, *drawn), left=state.left)
        if _is_turn_over(game, position, mover):
            state = _with_verdict(puzzle, state, mover, turn)
            turn = []
            if state.verdict is Verdict.OPEN:
                state = _with_reply(game, state, mover)
    return state


def _with_verdict(puzzle: Puzzle, state: Attempt, mover: Seat, turn: list[Any]) -> Attempt:
    """Return the attempt with the verdict on the mover's turn."""
    left = state.left - 1
    is_first = left == puzzle.turns - 1
    game = games.game(puzzle.game)
    if puzzle.goal is Goal.BEST:
        value = eriantys.position_value(state.position, mover)
        best = eriantys.position_value(_solution_position(puzzle), mover)
        is_right = best - value <= puzzle.slack
        return msgspec.structs.replace(
            state, verdict=Verdict.RIGHT if is_right else Verdict.WRONG, left=left, value=value, best=best
        )
    is_solution = turn == [game.parse_action(step) for step in puzzle.solution]
    if puzzle.goal is Goal.SAVE:
        verdict = Verdict.RIGHT if is_solution else Verdict.WRONG
    elif (is_first and not is_solution) or not _wins_within(game, state.position, mover, left):
        verdict = Verdict.WRONG
    else:
        verdict = Verdict.RIGHT if game.pending(state.position) is None else Verdict.OPEN
    return msgspec.structs.replace(state, verdict=verdict, left=left)


def _solution_position(puzzle: Puzzle) -> Any:
    """Return the position after the solution."""
    game, position, mover = start(puzzle)
    for step in puzzle.solution:
        position, _ = game.apply(position, mover, game.parse_action(step))
    return position


def _wins_within(game: AnyGame, position: Any, mover: Seat, left: int) -> bool:
    solver = forza if game.name == "forza" else santorini
    return bool(solver.is_right(position, mover, left))


def _with_reply(game: AnyGame, state: Attempt, mover: Seat) -> Attempt:
    """Return the attempt after the reply of the defence, which may end the match."""
    position, happened = state.position, list(state.happened)
    decision = game.pending(position)
    assert decision is not None, "a match that is over has been judged"
    seat = decision.seats[0]
    reply = forza.reply(position, seat) if game.name == "forza" else santorini.reply(position, state.left)
    for action in reply:
        position, events = game.apply(position, seat, action)
        happened += events
    outcome = game.outcome(position)
    verdict = Verdict.OPEN if outcome is None else Verdict.RIGHT if mover in outcome.winners else Verdict.WRONG
    return Attempt(verdict, position, tuple(happened), tuple(reply), state.left)


def _is_turn_over(game: AnyGame, position: Any, mover: Seat) -> bool:
    if game.name == "eriantys":
        return eriantys.is_turn_over(position, mover)
    decision = game.pending(position)
    return decision is None or mover not in decision.seats


def _with_restock(game: AnyGame, puzzle: Puzzle, position: Any) -> tuple[Any, Sequence[Any]]:
    """Apply a draw within the mover's turn; the result depends only on the puzzle and the position."""
    decision = game.pending(position)
    if decision is None or CHANCE not in decision.seats or decision.kind != eriantys.RESTOCK:
        return position, ()
    random = Random(sha256(puzzle.id.encode()).digest())
    choices = decision.choices
    drawn = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
    return game.apply(position, CHANCE, drawn)
