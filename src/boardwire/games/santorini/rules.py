"""The functions of the `Game` protocol for Santorini.

`setup` runs the stages of the draft; `step` and `turn` run the turns. The rules are those of docs/games/santorini.md;
`santorini@1` is this version of them.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal, Reason, Refused
from boardwire.games.game import CHANCE, Decision, Outcome, Seat
from boardwire.games.santorini import setup
from boardwire.games.santorini.actions import Action, Done
from boardwire.games.santorini.edits import with_stage
from boardwire.games.santorini.ending import lose, standing
from boardwire.games.santorini.events import Event, Termination, TurnSkipped
from boardwire.games.santorini.fast_steps import plain_step
from boardwire.games.santorini.lookahead import Effort
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import END, OPEN, OVER, Position
from boardwire.games.santorini.powers.catalogue import allowed
from boardwire.games.santorini.step import attempt
from boardwire.games.santorini.turn import settle

name: Final = "santorini"
rules: Final = 1
seat_counts: Final = (1, 2, 3, 4)
views_differ: Final = True

EFFORT: Final = 1500
"""Budget to compute the choices of a given position: about 20 ms. Few positions of real matches need more."""


def new(options: Options, seats: int) -> Position:
    """Return the first position: the start of the set-up, or the position in the options."""
    return _begin_match(options, seats)


@lru_cache(256)
def _begin_match(options: Options, seats: int) -> Position:
    """Return the given position or the start of the set-up; raise `Illegal` for contradictory options."""
    if seats not in seat_counts:
        raise Illegal(f"Santorini is for 1 to 4 players, not {seats}")
    setup.check(options)
    if options.draft is Draft.POSITION:
        position = parse_position(options.position, options, Effort(EFFORT))
        if position.lineup.seats != seats:
            raise Illegal(f"the position is for {position.lineup.seats} players, not {seats}")
        for god in position.lineup.cards:
            if not allowed(god, seats, options.wording is Wording.PRINTED):
                raise Illegal(f"{god.value} is not allowed with {seats} players")
        return position
    return setup.begin_setup(options, seats)


def pending(position: Position) -> Decision[Action] | None:
    """Return the open decision."""
    return position.decision


def apply(position: Position, seat: Seat, action: Action) -> tuple[Position, tuple[Event, ...]]:
    """Apply one of the choices."""
    decision = position.decision
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats:
        raise Refused("it is not your turn to choose", reason=Reason.NOT_YOUR_TURN)
    choices = decision.choices
    for choice in choices:
        if choice is action:  # the usual case, because actions are interned; `in` takes four times as long
            break
    else:
        if action not in choices:
            raise Illegal("this action is not among your choices")
    log: list[Event] = []
    if position.setup is not None:
        after = setup.answer(position, seat, action, log)
    else:
        after = plain_step(position, action, log) or settle(attempt(position, action, log), log)
    return after, tuple(log)


def play(position: Position, action: Action, log: list[Event]) -> Position:
    """Return the position after a choice of the current turn, without validation."""
    return plain_step(position, action, log) or settle(attempt(position, action, log), log)


def forfeit(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Let a seat give up, with its team."""
    if position.outcome is not None:
        raise Refused("the match is over", reason=Reason.OVER)
    if not 0 <= seat < position.lineup.seats:
        raise Refused(f"there is no seat {seat} in this match")
    if position.out >> seat & 1:
        raise Refused("you are already out of the match")
    log: list[Event] = []
    p = lose(position, seat, Termination.FORFEIT, log)
    if p.outcome is not None:
        return replace(p, decision=None), tuple(log)
    return (setup.resume(p, log) if p.setup is not None else settle(p, log)), tuple(log)


def skip(position: Position, seat: Seat) -> tuple[Position, tuple[Event, ...]]:
    """Pass the turn of an absent seat; a turn in progress ends at once, with the effects at its end.

    A question of the set-up or of a power cannot stay open: it is declined or, if that is impossible, answered with the
    first choice. Every seat therefore has a god and workers when it returns.
    """
    decision = position.decision
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats or seat == CHANCE:
        raise Refused("it is not that seat's turn to choose", reason=Reason.NOT_YOUR_TURN)
    log: list[Event] = [TurnSkipped(seat)]
    if position.setup is not None:
        return setup.answer(position, seat, _default(decision.choices), log), tuple(log)
    if position.turn.asks:
        return play(position, _default(decision.choices), log), tuple(log)
    turn = position.turn
    has_acted = turn.stage != OPEN or turn.worker >= 0 or turn.built
    return settle(replace(with_stage(position, END if has_acted else OVER), owed=()), log), tuple(log)


def _default(choices: Collection[Action]) -> Action:
    """Return `Done` if it is among the choices, else the first choice."""
    return next((action for action in choices if isinstance(action, Done)), next(iter(choices)))


def sides(position: Position) -> tuple[tuple[Seat, ...], ...]:
    """Return the sides still in the match, each with its seats; four players form two teams."""
    return tuple(position.lineup.seats_of(side) for side in standing(position))


def outcome(position: Position) -> Outcome | None:
    """Return how the match ended."""
    return position.outcome
