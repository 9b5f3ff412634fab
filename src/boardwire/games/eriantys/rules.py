"""The functions of the `Game` protocol for Eriantys.

Each stage has a decision, which is in the module of that stage; this module only selects it. `apply` dispatches on the
type of the action to a function that checks the stage and the legality itself, because that is faster than a look-up in
the choices. A test over whole games checks that both agree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from boardwire.errors import Illegal, Objection, Reason, Refused
from boardwire.games.eriantys import chance, clouds, effects, nature, planning, students
from boardwire.games.eriantys.actions import (
    Action,
    DealEntrances,
    Done,
    DrawCharacters,
    DrawFirst,
    MoveMotherNature,
    PlaceMotherNature,
    PlayAssistant,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.eriantys.events import CloudTaken, Event, Events, Forfeited, Termination, TurnSkipped
from boardwire.games.eriantys.options import Options
from boardwire.games.eriantys.parts import Ending
from boardwire.games.eriantys.phases import Phase, phase_of
from boardwire.games.eriantys.piles import Pile, counts, pile, size
from boardwire.games.eriantys.places import AT, BAG, CLOUD, ENTRANCE, entrance_of
from boardwire.games.eriantys.plans import HAND, HAND_SHIFT, NOBODY, PASSED, START, after
from boardwire.games.eriantys.position import Position, Step, changed, is_gone
from boardwire.games.eriantys.professors import professors_of
from boardwire.games.eriantys.ring import APART, ring_of
from boardwire.games.eriantys.stages import Rule, Stage
from boardwire.games.eriantys.terms import Terms
from boardwire.games.eriantys.turns import end_turn, over, plan_next, players_of, sides_left
from boardwire.games.game import CHANCE, Decision, Outcome, Seat, objection_of_apply

name: Final = "eriantys"
rules: Final = 1
seat_counts: Final = (2, 3, 4)
views_differ: Final = False


def new(options: Options, seats: int) -> Position:
    """Return the position before the set-up, which chance decides step by step."""
    return _begin_match(options, seats)


@lru_cache(256)
def _begin_match(options: Options, seats: int) -> Position:
    """Return the first position, in which chance places mother nature."""
    terms = Terms(options, seats)
    return Position(
        terms=terms,
        round=0,
        plan=START[seats][0],
        hands=sum(HAND << shift for shift in HAND_SHIFT[:seats]),
        phase=phase_of(Stage.MOTHER_NATURE, CHANCE, 0, False),
        students=0,
        professors=professors_of((NOBODY,) * 5, terms.sides),
        ring=ring_of(APART),
        owners=0,
        towers=(terms.towers,) * len(terms.teams),
        mother=0,
        ending=Ending(),
        expert=None,
    )


_ASK: Final[tuple[Callable[[Position], Decision[Action] | None], ...]] = (
    *chance.ASK,
    planning.ask,
    clouds.ask,
    students.ask,
    nature.ask,
    clouds.ask,
    effects.ask_swap,
    clouds.ask_finish,
    lambda position: None,
)


def pending(position: Position) -> Decision[Action] | None:
    """Return the open decision, or None if the match is over."""
    return _ASK[position.phase.stage](position)


def _apply_done(position: Position, phase: Phase, action: Done) -> Step:
    if phase.stage is Stage.SWAP:
        return effects.settle(position)
    if phase.stage is Stage.FINISH:
        return end_turn(position, position.students)
    raise Illegal("done is only for swaps and for the end of a turn without clouds").by(Rule.NOT_NOW)


_APPLY: Final[dict[type, Callable[[Position, Phase, Any], Step]]] = {
    PlayAssistant: planning.play,
    ToHall: students.to_hall,
    ToIsland: students.to_island,
    MoveMotherNature: nature.walk,
    TakeCloud: clouds.take,
    UseCharacter: effects.use,
    Swap: effects.swap,
    Done: _apply_done,
    PlaceMotherNature: chance.place_mother_nature,
    StockIslands: chance.stock_islands,
    DealEntrances: chance.deal_entrances,
    DrawCharacters: chance.draw_characters,
    StockCharacters: chance.stock_characters,
    DrawFirst: chance.draw_first,
    Refill: chance.refill,
    Restock: chance.restock,
}
"""The functions that apply each type of action."""


def apply(position: Position, seat: Seat, action: Action) -> Step:
    """Return the position after `action` of `seat`, and the events."""
    phase = position.phase
    if seat != phase.seat:
        raise _refusal(position)
    try:
        do = _APPLY[type(action)]
    except KeyError:
        raise Illegal(f"{type(action).__name__} is not an action of Eriantys").by(Rule.NOT_NOW) from None
    return do(position, phase, action)


def objection(position: Position, seat: Seat, action: Action) -> Objection | None:
    """Return the rule that makes `action` illegal, or None."""
    return objection_of_apply(apply, position, seat, action)


def _refusal(position: Position) -> Refused:
    if position.phase.stage is Stage.OVER:
        return Refused("the match is over", reason=Reason.OVER)
    if position.phase.seat == CHANCE:
        return Refused("a random draw comes first", reason=Reason.NOT_YOUR_TURN)
    return Refused("it is {}'s turn", position.phase.seat, reason=Reason.NOT_YOUR_TURN)


def forfeit(position: Position, seat: Seat) -> Step:
    """Let `seat` give up: its turns are skipped from now on; the last remaining side wins at once."""
    if position.phase.stage is Stage.OVER:
        raise Refused("the match is over", reason=Reason.OVER)
    if not 0 <= seat < position.terms.seats or is_gone(position, seat):
        raise Refused(f"seat {seat} is not in the match, or has given up")
    ending = position.ending
    position = changed(position, ending=replace(ending, gone=ending.gone | 1 << seat))
    events: tuple[Event, ...] = (Forfeited(seat),)
    left = sides_left(position)
    if len(left) == 1:
        return over(position, Termination.FORFEIT, players_of(position, left), events)
    if position.phase.seat == seat:
        position, new_events = _pass_decision(position, seat)
        events += new_events
    return position, events


def skip(position: Position, seat: Seat) -> Step:
    """Pass for an absent `seat`, which may return: it plays no assistant in this round, or its turn ends.

    Students that it has moved stay where they are. Its entrance is filled to its size, so that the seat does not start
    its next turn with too few students [5.20].
    """
    if position.phase.seat != seat or seat < 0:
        raise _refusal(position)
    events: Events = (TurnSkipped(seat),)
    if position.phase.stage is not Stage.PLAN:
        position, filled = _fill_entrance(position, seat)
        events += filled
    position, more = _pass_decision(position, seat)
    return position, events + more


def _pass_decision(position: Position, seat: Seat) -> Step:
    """Continue without the open decision, which was that of `seat`."""
    if position.phase.stage is Stage.PLAN:
        return plan_next(position, position.students, position.hands, after(position.plan, PASSED), position.ending, ())
    events: Events = ()
    if position.phase.stage is Stage.SWAP:
        position, events = effects.settle(position)
    position, new_events = end_turn(position, position.students)
    return position, events + new_events


def _fill_entrance(position: Position, seat: Seat) -> Step:
    """Fill the entrance from the first cloud that has not been taken, or return surplus students to the bag.

    The rest of the cloud goes into the bag, because a partial cloud would leave the seat that takes it with too few
    students. There is a cloud left, because there are as many clouds as players; in a round without clouds, the last
    one, the entrance no longer matters. There is a surplus if a cloud was taken before the students moved.
    """
    students = position.students
    present = entrance_of(students, seat)
    wanted = position.terms.entrance - size(present)
    if wanted < 0:
        students += _first(present, -wanted) * (AT[BAG] - AT[ENTRANCE[seat]])
        return changed(position, students=students), ()
    events: Events = ()
    for cloud, contents in enumerate(position.clouds):
        if wanted and contents and not position.ending.clouds_closed:
            taken = _first(contents, wanted)
            students += taken * AT[ENTRANCE[seat]] + (contents - taken) * AT[BAG] - contents * AT[CLOUD + cloud]
            wanted -= size(taken)
            events += (CloudTaken(seat, cloud, counts(taken)),)
    return changed(position, students=students), events


def _first(students: Pile, most: int) -> Pile:
    """Return the first `most` students of a pile, in the order of colours."""
    chosen = []
    for available in counts(students):
        chosen.append(min(available, most))
        most -= chosen[-1]
    return pile(chosen)


def sides(position: Position) -> tuple[tuple[Seat, ...], ...]:
    """Return the sides that still have players, with their seats."""
    return tuple(players_of(position, (side,)) for side in sides_left(position))


def show(event: Event, seat: Seat | None) -> Event | None:
    """Return the event: nothing is hidden."""
    return event


def conceals(position: Position, seat: Seat, action: Action) -> bool:
    """Return False: nothing is hidden."""
    return False


def outcome(position: Position) -> Outcome | None:
    """Return how the match ended, or None while a decision is pending."""
    return position.ending.outcome
