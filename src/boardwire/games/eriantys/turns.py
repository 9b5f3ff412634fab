"""The end of turns, rounds and matches.

- A turn ends when students, mother nature and cloud are done; seats that gave up are skipped.
- The next round starts with the seat that acted first in this one, and goes clockwise from there [2].
- If the bag cannot fill every cloud, all stay empty and the round is the last one. If the bag is exactly emptied, or a
  hand is empty, the round is the last one too, but clouds are taken as usual [3].
- The last round is played to its end. The side with the most towers on islands wins, then the one with the most
  professors; sides that are still tied share the win.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.events import (
    TURN_BEGAN,
    TURN_ENDED,
    TURN_PASSED,
    Ended,
    Events,
    LastRound,
    OrderSet,
    RoundBegan,
    Termination,
)
from boardwire.games.eriantys.parts import Ending
from boardwire.games.eriantys.phases import BEGUN, BEGUN_EARLY, Phase, at
from boardwire.games.eriantys.piles import PILE, Piles, size
from boardwire.games.eriantys.places import BAG_SHIFT, CLOUD_SHIFT, CLOUDS
from boardwire.games.eriantys.plans import NOBODY, PASSED, START, Plan, after
from boardwire.games.eriantys.position import Position, Step, changed, is_gone
from boardwire.games.eriantys.stages import Stage
from boardwire.games.eriantys.terms import Terms
from boardwire.games.game import Outcome, Seat

_OVER: Final = Stage.OVER


def last_round(ending: Ending, reason: Termination, *, clouds_closed: bool = False) -> tuple[Ending, Events]:
    """Make this round the last one unless it is already."""
    if ending.last is not None:
        return ending, ()
    return replace(ending, last=reason, clouds_closed=clouds_closed), (LastRound(reason, not clouds_closed),)


def over(position: Position, how: Termination, winners: tuple[Seat, ...], events: Events) -> Step:
    """End the match."""
    ending = replace(position.ending, outcome=Outcome(how, winners))
    ended = changed(position, phase=at(position.phase, _OVER, NOBODY), ending=ending)
    return ended, (*events, Ended(how, winners))


def sides_left(position: Position) -> tuple[int, ...]:
    """Return the sides that still have players."""
    teams = position.terms.teams
    return tuple(side for side, seats in enumerate(teams) if not all(is_gone(position, seat) for seat in seats))


def players_of(position: Position, sides: Iterable[int]) -> tuple[Seat, ...]:
    """Return the seats of these sides that have not given up."""
    of_seat = position.terms.sides
    chosen = set(sides)
    return tuple(
        seat for seat in range(position.terms.seats) if of_seat[seat] in chosen and not is_gone(position, seat)
    )


def leaders(position: Position) -> tuple[int, ...]:
    """Return the sides that would win if the match ended now [3]."""
    left = sides_left(position)
    fewest = min(position.towers[side] for side in left)
    tied = [side for side in left if position.towers[side] == fewest]
    held = dict.fromkeys(tied, 0)
    for holder in position.professors.holders:
        if holder >= 0 and position.terms.sides[holder] in held:
            held[position.terms.sides[holder]] += 1
    best = max(held.values())
    return tuple(side for side in tied if held[side] == best)


def end_turn(position: Position, students: Piles, events: Events = ()) -> Step:
    """End the turn of the seat to act; `students` are those after its last step."""
    seat = position.phase.seat
    expert = position.expert
    if expert is not None and expert.active is not None:
        position = changed(position, expert=replace(expert, active=None, ignored=None, user=NOBODY))
    plan, ending = position.plan, position.ending
    next_seat = plan.follows[seat]
    if ending.gone:
        next_seat = _next_active(plan, next_seat, ending)
    if next_seat < 0:
        return _end_round(position, students, (*events, TURN_ENDED[seat]))
    phase = _first_phase(position.terms, next_seat, ending)
    return changed(position, phase=phase, students=students), events + TURN_PASSED[seat][next_seat]


def _next_active(plan: Plan, seat: Seat, ending: Ending) -> Seat:
    """Return the first seat from `seat` on, in the order of turns, that has not given up, or `NOBODY`."""
    while seat >= 0 and ending.gone >> seat & 1:
        seat = plan.follows[seat]
    return seat


def _first_phase(terms: Terms, seat: Seat, ending: Ending) -> Phase:
    """Return the first phase of the turn of `seat`."""
    begun = BEGUN_EARLY if terms.early and not ending.clouds_closed else BEGUN
    return begun[terms.moves][seat]


def _end_round(position: Position, students: Piles, events: Events) -> Step:
    last = position.ending.last
    if last is not None:
        winners = players_of(position, leaders(position))
        return over(changed(position, students=students), last, winners, events)
    order = position.plan.order
    return begin_round(position, students, order[0] if order else position.plan.first, events)


def begin_round(position: Position, students: Piles, first: Seat, events: Events) -> Step:
    """Begin a round: refill the clouds if that is needed and possible, then begin the planning."""
    terms = position.terms
    number = position.round + 1
    events = (*events, RoundBegan(number, first))
    plan = START[terms.seats][first]
    wanted = sum(missing(terms, students)) if students & CLOUDS else terms.need
    if 0 < wanted <= size(students >> BAG_SHIFT):
        return changed(position, round=number, plan=plan, phase=position.phase.refilled, students=students), events
    ending = position.ending
    if wanted:
        ending, more = last_round(ending, Termination.BAG, clouds_closed=True)
        events += more
    return plan_next(changed(position, round=number), students, position.hands, plan, ending, events)


def missing(terms: Terms, students: Piles) -> tuple[int, ...]:
    """Return the number of students missing on each cloud."""
    if not students & CLOUDS:
        return terms.fill
    return tuple([terms.moves - size(students >> shift & PILE) for shift in CLOUD_SHIFT[: terms.seats]])


def plan_next(position: Position, students: Piles, hands: int, plan: Plan, ending: Ending, events: Events) -> Step:
    """Ask the next seat, clockwise, for an assistant; after the last, begin the turns."""
    terms = position.terms
    seats = terms.seats
    if ending.gone:
        while plan.asked < seats and ending.gone >> plan.seat & 1:
            plan = after(plan, PASSED)
    if plan.asked < seats:
        phase = position.phase.asked[plan.seat]
        return changed(position, plan=plan, hands=hands, phase=phase, students=students, ending=ending), events
    order = plan.order
    first_seat = _next_active(plan, order[0], ending) if order else NOBODY
    if first_seat < 0:
        ended = changed(position, plan=plan, hands=hands, ending=ending)
        return _end_round(ended, students, (*events, OrderSet(order)))
    phase = _first_phase(terms, first_seat, ending)
    started = changed(position, plan=plan, hands=hands, phase=phase, students=students, ending=ending)
    return started, events + (plan.events if first_seat == plan.seat else (OrderSet(order), TURN_BEGAN[first_seat]))
