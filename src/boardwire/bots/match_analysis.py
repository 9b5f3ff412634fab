"""A match that is over, thought through again: what each turn was worth, and what would have been better.

A study asks what the players were asked, with what their seats could see; whoever thinks does that elsewhere.  Here are
the turns to think about, and what to make of the thoughts.  A turn is all that one seat does before another one acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from boardwire.bots.bot import asked_of
from boardwire.bots.engine import WON, Thought
from boardwire.bots.levels import Level
from boardwire.errors import BoardwireError
from boardwire.games.game import AnyGame, Decision, Outcome, Seat
from boardwire.table import events as told
from boardwire.table.events import Event
from boardwire.table.match import Match, moments
from boardwire.table.termination import is_broken_off

LEVEL: Final = Level(nodes=60_000, seconds=0.7, samples=24)
"""What the study of one turn may cost."""
TURN_LIMIT: Final = 200
"""Turns of a match that are studied; of longer ones the last."""

MISTAKE: Final = 0.3
BLUNDER: Final = 0.7
"""How much of the value, which is from -1 to 1, such a turn gives away."""


class Mark(StrEnum):
    """What is to be said of a turn."""

    MISTAKE = "mistake"
    BLUNDER = "blunder"
    LOST = "lost"
    """The match was not lost before it, and is after it, with certainty."""


class Turn(msgspec.Struct, frozen=True):
    """What one seat was asked and did.  `seq` is the event after which it was asked."""

    seq: int
    seat: Seat
    view: Any
    decision: Decision[Any]
    played: tuple[Any, ...]
    sides: Sequence[Sequence[Seat]]
    options: Any = None
    """With these a new match begins there, in games where that can be."""


class Move(msgspec.Struct, frozen=True):
    """An action, and how it is written."""

    text: str
    action: Any


class Remark(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was thought of a turn.  `value` is what the match was worth to the seat before it, `after` once it was
    played; `best` is the turn that was found, `line` what would follow.  `proved` counts the turns to a certain win, or
    below zero to a certain loss; with `options` a new match begins as it stood before it, in games where that can be;
    `forecast` is what was to be expected then, in the game's own numbers, where the engine makes one."""

    seq: int
    seat: Seat
    value: float
    after: float
    played: tuple[Move, ...]
    best: tuple[Move, ...]
    line: tuple[Move, ...] = ()
    mark: Mark | None = None
    proved: int = 0
    depth: int = 0
    nodes: int = 0
    options: Any = None
    forecast: Any = None


class Study(msgspec.Struct, frozen=True, tag_field="state", tag="done"):
    """A match with a remark for each turn.  `sides` are the seats that play together."""

    match: str
    game: str
    engine: str
    sides: tuple[tuple[Seat, ...], ...]
    remarks: tuple[Remark, ...]


def turns_of(events: Iterable[Event]) -> tuple[Match | None, list[Turn]]:
    """The match, and its turns that stand: what was taken back did not happen."""
    acts: list[tuple[Match, Seat, Any]] = []
    match: Match | None = None
    for moment in moments(events):
        event, after = moment.event, moment.match
        if isinstance(event, told.Acted) and match is not None:
            acts.append((match, event.seat, event.action))
        elif isinstance(event, told.Undone):
            while acts and acts.pop()[0].position != after.position:
                pass
        match = after
    turns: list[Turn] = []
    for before, seat, action in acts:
        if turns and turns[-1].seat == seat:
            turns[-1] = msgspec.structs.replace(turns[-1], played=(*turns[-1].played, action))
        elif before.pending is not None:
            game = before.setting.game
            view, decision = game.view(before.position, seat), asked_of(before.pending, seat)
            turns.append(
                Turn(before.seq, seat, view, decision, (action,), game.sides(before.position), _options_at(before))
            )
    return match, turns[-TURN_LIMIT:]


def _options_at(match: Match) -> Any:
    begin_at = getattr(match.setting.game, "begin_at", None)
    try:
        return None if begin_at is None else msgspec.to_builtins(begin_at(match.position))
    except BoardwireError:
        return None  # a set-up is no place to begin


def study_of(match: Match, turns: Sequence[Turn], thoughts: Sequence[Thought], engine: str) -> Study:
    """What is to be said of these turns, each with what was thought of it."""
    game = match.setting.game
    remarks = tuple(
        _remark(game, turns, thoughts, number, match.outcome) for number in range(min(len(turns), len(thoughts)))
    )
    sides = tuple(tuple(side) for side in turns[0].sides) if turns else ()
    return Study(match.id, game.name, engine, sides, remarks)


def _remark(
    game: AnyGame, turns: Sequence[Turn], thoughts: Sequence[Thought], number: int, outcome: Outcome | None
) -> Remark:
    turn, thought = turns[number], thoughts[number]
    is_best = turn.played[: len(thought.turn)] == thought.turn
    after = thought.value if is_best else _value_after(turns, thoughts, number, outcome)
    is_lost = after <= -WON or (number + 1 < len(thoughts) and thoughts[number + 1].proved > 0)
    return Remark(
        turn.seq,
        turn.seat,
        round(thought.value, 4),
        round(after, 4),
        moves(game, turn.played),
        moves(game, thought.turn),
        moves(game, thought.line),
        None if is_best else _mark(thought, after, is_lost),
        thought.proved,
        thought.depth,
        thought.nodes,
        turn.options,
        thought.forecast,
    )


def moves(game: AnyGame, actions: Iterable[Any]) -> tuple[Move, ...]:
    """Actions as they are written and sent."""
    return tuple(Move(game.format_action(action), msgspec.to_builtins(action)) for action in actions)


def _mark(thought: Thought, after: float, is_lost: bool) -> Mark | None:
    lost = thought.value - after
    if is_lost and thought.proved >= 0 and after < 0 and lost > MISTAKE:
        return Mark.LOST
    return Mark.BLUNDER if lost >= BLUNDER else Mark.MISTAKE if lost >= MISTAKE else None


def _value_after(
    turns: Sequence[Turn], thoughts: Sequence[Thought], number: int, outcome: Outcome | None
) -> float:  # fmt: skip
    """What a match is worth to a seat after its turn: between two sides what the next turn is not worth to the other;
    among more, what its own next turn is."""
    turn = turns[number]
    own = next((side for side in turn.sides if turn.seat in side), (turn.seat,))
    for later, thought in zip(turns[number + 1 :], thoughts[number + 1 :], strict=False):
        if later.seat in own:
            return thought.value
        if len(turn.sides) == 2:
            return -thought.value
    if outcome is None or is_broken_off(outcome) or not outcome.winners:
        return thoughts[number].value if outcome is None or is_broken_off(outcome) else 0.0
    return WON if turn.seat in outcome.winners else -WON
