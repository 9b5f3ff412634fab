"""The end of turns, rounds and matches.

- A turn ends when students, mother nature and cloud are done; seats that gave up are passed over.
- The next round starts with the seat that acted first in this one, and goes clockwise from there [2].
- If the bag cannot fill every cloud, all stay empty and the round is the last one. If the bag is exactly emptied, or a
  hand is empty, the round is the last one, too, but clouds are taken as usual [3].
- All seats play the last round to its end. Then: most towers on islands, then most professors among those tied, then a
  shared result.

This module knows nothing about the actions within a turn.
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


def last_round(ending: Ending, reason: Termination, *, barren: bool = False) -> tuple[Ending, Events]:
    """Make this round the last, if it is not yet."""
    if ending.last is not None:
        return ending, ()
    return replace(ending, last=reason, barren=barren), (LastRound(reason, not barren),)


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
    """Return the sides that win if the match ends now [3]."""
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
    """End the turn of `position.phase`, with `students` as they are now."""
    seat = position.phase.seat
    expert = position.expert
    if expert is not None and expert.active is not None:
        position = changed(position, expert=replace(expert, active=None, ignored=None, user=NOBODY))
    plan, ending = position.plan, position.ending
    coming = plan.follows[seat]
    if ending.gone:
        coming = _next_here(plan, coming, ending)
    if coming < 0:
        return _end_round(position, students, (*events, TURN_ENDED[seat]))
    phase = _begun(position.terms, coming, ending)
    return changed(position, phase=phase, students=students), events + TURN_PASSED[seat][coming]


def _next_here(plan: Plan, seat: Seat, ending: Ending) -> Seat:
    """Return the first seat from `seat` on, in the order of turns, that has not given up; negative if there is none."""
    while seat >= 0 and ending.gone >> seat & 1:
        seat = plan.follows[seat]
    return seat


def _begun(terms: Terms, seat: Seat, ending: Ending) -> Phase:
    """Return the first phase of the turn of `seat`."""
    begun = BEGUN_EARLY if terms.early and not ending.barren else BEGUN
    return begun[terms.moves][seat]


def _end_round(position: Position, students: Piles, events: Events) -> Step:
    last = position.ending.last
    if last is not None:
        winners = players_of(position, leaders(position))
        return over(changed(position, students=students), last, winners, events)
    order = position.plan.order
    return begin_round(position, students, order[0] if order else position.plan.first, events)


def begin_round(position: Position, students: Piles, first: Seat, events: Events) -> Step:
    """Begin a round: refill the clouds if possible and needed, then plan."""
    terms = position.terms
    number = position.round + 1
    events = (*events, RoundBegan(number, first))
    plan = START[terms.seats][first]
    wanted = sum(missing(terms, students)) if students & CLOUDS else terms.need
    if 0 < wanted <= size(students >> BAG_SHIFT):
        return changed(position, round=number, plan=plan, phase=position.phase.refilled, students=students), events
    ending = position.ending
    if wanted:
        ending, more = last_round(ending, Termination.BAG, barren=True)
        events += more
    return plan_next(changed(position, round=number), students, position.hands, plan, ending, events)


def missing(terms: Terms, students: Piles) -> tuple[int, ...]:
    """Return how many students each cloud lacks."""
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
    coming = _next_here(plan, order[0], ending) if order else NOBODY
    if coming < 0:
        ended = changed(position, plan=plan, hands=hands, ending=ending)
        return _end_round(ended, students, (*events, OrderSet(order)))
    phase = _begun(terms, coming, ending)
    begun = changed(position, plan=plan, hands=hands, phase=phase, students=students, ending=ending)
    return begun, events + (plan.events if coming == plan.seat else (OrderSet(order), TURN_BEGAN[coming]))
