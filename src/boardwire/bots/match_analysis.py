"""Analysis of a finished match: the value of each turn, and better alternatives.

An analysis searches the decisions of the match again, each with the view of its seat. This module selects the turns and
evaluates the results; the caller runs the searches. A turn is all consecutive actions of one seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from boardwire.bots.bot import decision_for
from boardwire.bots.engine import WON, SearchResult
from boardwire.bots.levels import Level
from boardwire.errors import BoardwireError
from boardwire.games.game import AnyGame, Decision, Outcome, Seat
from boardwire.table import events as table_events
from boardwire.table.events import Event
from boardwire.table.match import Match, moments
from boardwire.table.termination import is_aborted

LEVEL: Final = Level(nodes=60_000, seconds=0.7, samples=24)
"""Budget for the analysis of one turn."""
TURN_LIMIT: Final = 200
"""Maximum number of turns that are analysed; of a longer match, the last ones are."""

MISTAKE: Final = 0.3
"""Minimum loss of value, on the scale from -1 to 1, of a mistake."""
BLUNDER: Final = 0.7
"""Minimum loss of value of a blunder."""


class Mark(StrEnum):
    """The assessment of a turn."""

    MISTAKE = "mistake"
    BLUNDER = "blunder"
    LOST = "lost"
    """The decisive turn: the last one with which a side lost a match that it could still save."""


class MatchTurn(msgspec.Struct, frozen=True):
    """A decision of one seat and the turn that it played; `seq` is the number of the event before the decision."""

    seq: int
    seat: Seat
    view: Any
    decision: Decision[Any]
    played: tuple[Any, ...]
    sides: Sequence[Sequence[Seat]]
    options: Any = None
    """Options of a new match that starts before the turn, in games that support it."""


class Move(msgspec.Struct, frozen=True):
    """An action, as a value and in notation."""

    text: str
    action: Any


class Remark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The analysis of one turn.

    - `value` and `after`: the value for the seat before and after the turn.
    - `best`: the best turn found; `line`: the expected continuation.
    - `proved`: turns to a proved win, or negative to a proved loss.
    - `options`: options of a new match that starts before the turn, in games that support it.
    - `forecast`: the expected result in terms of the game, if the engine makes one.
    """

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
    """A match with a remark for each turn. `sides`: the seats that play together."""

    match: str
    game: str
    engine: str
    sides: tuple[tuple[Seat, ...], ...]
    remarks: tuple[Remark, ...]


def turns_of(events: Iterable[Event]) -> tuple[Match | None, list[MatchTurn]]:
    """Return the match and its turns, without undone ones."""
    acts: list[tuple[Match, Seat, Any]] = []
    match: Match | None = None
    for moment in moments(events):
        event, after = moment.event, moment.match
        if isinstance(event, table_events.Acted) and match is not None:
            acts.append((match, event.seat, event.action))
        elif isinstance(event, table_events.Undone):
            while acts and acts.pop()[0].position != after.position:
                pass
        match = after
    turns: list[MatchTurn] = []
    for before, seat, action in acts:
        if turns and turns[-1].seat == seat:
            turns[-1] = msgspec.structs.replace(turns[-1], played=(*turns[-1].played, action))
        elif before.pending is not None:
            game = before.setting.game
            view, decision = game.view(before.position, seat), decision_for(before.pending, seat)
            turns.append(
                MatchTurn(before.seq, seat, view, decision, (action,), game.sides(before.position), _options_at(before))
            )
    return match, turns[-TURN_LIMIT:]


def _options_at(match: Match) -> Any:
    begin_at = getattr(match.setting.game, "begin_at", None)
    try:
        return None if begin_at is None else msgspec.to_builtins(begin_at(match.position))
    except BoardwireError:
        return None  # a match cannot start from a position of the set-up


def study_of(match: Match, turns: Sequence[MatchTurn], results: Sequence[SearchResult], engine: str) -> Study:
    """Return the analysis of these turns, given the result of the search for each."""
    game = match.setting.game
    remarks = tuple(
        _remark(game, turns, results, number, match.outcome) for number in range(min(len(turns), len(results)))
    )
    sides = tuple(tuple(side) for side in turns[0].sides) if turns else ()
    return Study(match.id, game.name, engine, sides, _with_one_decision(remarks, sides, match.outcome))


def _with_one_decision(
    remarks: tuple[Remark, ...], sides: tuple[tuple[Seat, ...], ...], outcome: Outcome | None
) -> tuple[Remark, ...]:
    """Keep only the decisive `LOST`: the last one of the losing sides. All others become `BLUNDER`."""
    winners = () if outcome is None else outcome.winners
    won = {seat for side in sides if any(seat in winners for seat in side) for seat in side}
    losing = [
        number
        for number, remark in enumerate(remarks)
        if remark.mark is Mark.LOST and winners and remark.seat not in won
    ]
    decisive = losing[-1] if losing else None
    return tuple(
        msgspec.structs.replace(remark, mark=Mark.BLUNDER)
        if remark.mark is Mark.LOST and number != decisive
        else remark
        for number, remark in enumerate(remarks)
    )


def _remark(
    game: AnyGame, turns: Sequence[MatchTurn], results: Sequence[SearchResult], number: int, outcome: Outcome | None
) -> Remark:
    """Return the remark on the turn at index `number`."""
    turn, result = turns[number], results[number]
    is_best = turn.played[: len(result.turn)] == result.turn
    after = result.value if is_best else _value_after(turns, results, number, outcome)
    is_lost = after <= -WON or (number + 1 < len(results) and results[number + 1].proved > 0)
    return Remark(
        turn.seq,
        turn.seat,
        round(result.value, 4),
        round(after, 4),
        moves(game, turn.played),
        moves(game, result.turn),
        moves(game, result.line),
        None if is_best else _mark_of(result, after, is_lost),
        result.proved,
        result.depth,
        result.nodes,
        turn.options,
        result.forecast,
    )


def moves(game: AnyGame, actions: Iterable[Any]) -> tuple[Move, ...]:
    """Return actions as values and in notation."""
    return tuple(Move(game.format_action(action), msgspec.to_builtins(action)) for action in actions)


def _mark_of(result: SearchResult, after: float, is_lost: bool) -> Mark | None:
    """Return the mark of a turn by the value that it lost, or None."""
    lost = result.value - after
    if is_lost and result.proved >= 0 and after < 0 and lost > MISTAKE:
        return Mark.LOST
    return Mark.BLUNDER if lost >= BLUNDER else Mark.MISTAKE if lost >= MISTAKE else None


def _value_after(
    turns: Sequence[MatchTurn], results: Sequence[SearchResult], number: int, outcome: Outcome | None
) -> float:  # fmt: skip
    """Return the value of a match for a seat after its turn.

    With two sides it is the negated value of the opponent's next turn, with more the value of the seat's own next turn.
    """
    turn = turns[number]
    own = next((side for side in turn.sides if turn.seat in side), (turn.seat,))
    for later, result in zip(turns[number + 1 :], results[number + 1 :], strict=False):
        if later.seat in own:
            return result.value
        if len(turn.sides) == 2:
            return -result.value
    if outcome is None or is_aborted(outcome) or not outcome.winners:
        return results[number].value if outcome is None or is_aborted(outcome) else 0.0
    return WON if turn.seat in outcome.winners else -WON
