"""How turns, rounds and matches end.

- The turn ends when students, mother nature and cloud are done; seats that are gone are passed over.
- The next round starts with whoever acted first in this one, and goes clockwise from there (rules 1.3).
- A bag that cannot fill every cloud leaves them all alone, and makes the round the last one; so does one that is
  exactly emptied, or an empty hand, but then clouds are taken as usual (rules 1.6).
- The last round is played to its end by everybody.  Then: most towers on islands, then most professors among those
  tied, then a shared result.

This module knows nothing of what players do within a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.events import (
    TURN_BEGAN,
    TURN_ENDED,
    Ended,
    Events,
    LastRound,
    OrderSet,
    RoundBegan,
)
from boardwire.games.eriantys.options import Terms
from boardwire.games.eriantys.piles import Pile, Piles, size
from boardwire.games.eriantys.position import NOBODY, Ending, Expert, Plan, Position, Stage, Step, is_gone
from boardwire.games.game import CHANCE, Outcome, Seat

BAG: Final = "bag"
ASSISTANTS: Final = "assistants"
TOWERS: Final = "towers"
ISLANDS: Final = "islands"
FORFEIT: Final = "forfeit"

_REFILL: Final = Stage.REFILL
_PLAN: Final = Stage.PLAN
_CLOUD_FIRST: Final = Stage.CLOUD_FIRST
_STUDENTS: Final = Stage.STUDENTS


def last_round(ending: Ending, reason: str, *, barren: bool = False) -> tuple[Ending, Events]:
    """Make this round the last, if it is not yet."""
    if ending.last is not None:
        return ending, ()
    return replace(ending, last=reason, barren=barren), (LastRound(reason, not barren),)


def over(position: Position, outcome: Outcome, told: Events) -> Step:
    """The match has ended."""
    ending = replace(position.ending, outcome=outcome)
    ended = replace(position, stage=Stage.OVER, seat=NOBODY, ending=ending)
    return ended, (*told, Ended(outcome.termination, outcome.winners))


def sides_left(position: Position) -> tuple[int, ...]:
    """The sides that still have somebody at the table."""
    teams = position.terms.teams
    return tuple(side for side, seats in enumerate(teams) if not all(is_gone(position, seat) for seat in seats))


def players_of(position: Position, sides: Iterable[int]) -> tuple[Seat, ...]:
    """The seats of these sides that are still at the table."""
    of_seat = position.terms.sides
    chosen = set(sides)
    return tuple(
        seat for seat in range(position.terms.seats) if of_seat[seat] in chosen and not is_gone(position, seat)
    )


def leaders(position: Position) -> tuple[int, ...]:
    """The sides that win if the match ends now (rules 1.6)."""
    left = sides_left(position)
    placed = {side: position.towers[side].bit_count() for side in left}
    most = max(placed.values())
    tied = [side for side in left if placed[side] == most]
    held = dict.fromkeys(tied, 0)
    for holder in position.professors:
        if holder >= 0 and position.terms.sides[holder] in held:
            held[position.terms.sides[holder]] += 1
    best = max(held.values())
    return tuple(side for side in tied if held[side] == best)


def end_turn(position: Position, entrances: Piles, clouds: tuple[Pile, ...], told: Events = ()) -> Step:
    """Pass the turn on, with these entrances and clouds; `position.seat` is whose turn it was."""
    plan = position.plan
    index = plan.order.index(position.seat) + 1
    told = (*told, TURN_ENDED[position.seat])
    return _next_turn(position, plan, index, entrances, clouds, position.bag, position.ending, told)


def _go(
    position: Position,
    plan: Plan,
    stage: Stage,
    seat: Seat,
    entrances: Piles,
    clouds: tuple[Pile, ...],
    bag: Pile,
    ending: Ending,
    expert: Expert | None,
) -> Position:
    """The position with all that passing the turn can change."""
    return Position(
        position.terms,
        plan,
        stage,
        seat,
        0,
        False,
        entrances,
        position.halls,
        position.professors,
        position.ring,
        position.islands,
        position.towers,
        position.mother,
        clouds,
        bag,
        ending,
        expert,
    )


def _next_turn(
    position: Position,
    plan: Plan,
    index: int,
    entrances: Piles,
    clouds: tuple[Pile, ...],
    bag: Pile,
    ending: Ending,
    told: Events,
) -> Step:
    """The turn of the first seat still here from `index` in the order of turns; or else the end of the round."""
    order = plan.order
    while index < len(order) and ending.gone >> order[index] & 1:
        index += 1
    expert = position.expert
    if expert is not None and expert.active is not None:
        expert = replace(expert, active=None, ignored=None, user=NOBODY)
    if index < len(order):
        seat = order[index]
        stage = _CLOUD_FIRST if position.terms.early and not ending.barren else _STUDENTS
        told = (*told, TURN_BEGAN[seat])
        return _go(position, plan, stage, seat, entrances, clouds, bag, ending, expert), told
    if ending.last is None:
        first = order[0] if order else plan.first
        return begin_round(position, first, entrances, clouds, expert, told)
    position = _go(position, plan, _STUDENTS, NOBODY, entrances, clouds, bag, ending, expert)
    return over(position, Outcome(ending.last, players_of(position, leaders(position))), told)


def begin_round(
    position: Position,
    first: Seat,
    entrances: Piles,
    clouds: tuple[Pile, ...],
    expert: Expert | None,
    told: Events,
) -> Step:
    """A new round: refill if there is something to fill and enough to fill it, then plan."""
    old = position.plan
    plan = Plan(old.round + 1, first, 0, old.hands, position.terms.blank, 0, ())
    told = (*told, RoundBegan(plan.round, first))
    wanted = sum(missing(position.terms, clouds))
    bag = position.bag
    ending = position.ending
    if 0 < wanted <= size(bag):
        return _go(position, plan, _REFILL, CHANCE, entrances, clouds, bag, ending, expert), told
    position = _go(position, plan, _REFILL, CHANCE, entrances, clouds, bag, ending, expert)
    if wanted:
        ending, more = last_round(ending, BAG, barren=True)
        told += more
    return plan_next(position, plan, clouds, bag, ending, told)


def missing(terms: Terms, clouds: tuple[Pile, ...]) -> tuple[int, ...]:
    """How many students each cloud lacks."""
    return tuple([terms.moves - size(cloud) for cloud in clouds]) if any(clouds) else terms.fill


def plan_next(
    position: Position, plan: Plan, clouds: tuple[Pile, ...], bag: Pile, ending: Ending, told: Events
) -> Step:
    """Ask the next seat, clockwise, for an assistant; or else begin the turns."""
    seats = position.terms.seats
    asked = plan.asked
    while asked < seats and ending.gone >> (plan.first + asked) % seats & 1:
        asked += 1
    entrances = position.entrances
    if asked < seats:
        if asked != plan.asked:
            plan = replace(plan, asked=asked)
        seat = (plan.first + asked) % seats
        return _go(position, plan, _PLAN, seat, entrances, clouds, bag, ending, position.expert), told
    # `sorted` is stable: of equal cards the one played first acts first (rules 1.3).
    order = tuple(sorted(plan.order, key=plan.cards.__getitem__))
    plan = Plan(plan.round, plan.first, seats, plan.hands, plan.cards, plan.played, order)
    return _next_turn(position, plan, 0, entrances, clouds, bag, ending, (*told, OrderSet(order)))
