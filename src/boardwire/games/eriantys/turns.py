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
    Event,
    Events,
    LastRound,
    OrderSet,
    RoundBegan,
)
from boardwire.games.eriantys.options import CloudTime
from boardwire.games.eriantys.piles import size
from boardwire.games.eriantys.position import NOBODY, Ending, Position, Stage, is_gone
from boardwire.games.game import CHANCE, Outcome, Seat

BAG: Final = "bag"
ASSISTANTS: Final = "assistants"
TOWERS: Final = "towers"
ISLANDS: Final = "islands"
FORFEIT: Final = "forfeit"


def last_round(ending: Ending, reason: str, *, barren: bool = False) -> tuple[Ending, Events]:
    """Make this round the last, if it is not yet."""
    if ending.last is not None:
        return ending, ()
    return replace(ending, last=reason, barren=barren), (LastRound(reason, not barren),)


def over(position: Position, outcome: Outcome) -> tuple[Position, Events]:
    """The match has ended."""
    ending = replace(position.ending, outcome=outcome)
    ended = replace(position, stage=Stage.OVER, seat=NOBODY, ending=ending)
    return ended, (Ended(outcome.termination, outcome.winners),)


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


def end_turn(position: Position) -> tuple[Position, Events]:
    """Pass the turn on; `position.seat` is whose it was."""
    order = position.plan.order
    index = order.index(position.seat) + 1
    passed, events = _act(position, index)
    return passed, (TURN_ENDED[position.seat], *events)


def _act(position: Position, index: int) -> tuple[Position, Events]:
    """The turn of the first seat still here from `index` in the order of turns; or else the end of the round."""
    order = position.plan.order
    gone = position.ending.gone
    while index < len(order) and gone >> order[index] & 1:
        index += 1
    expert = position.expert
    if expert is not None and expert.active is not None:
        expert = replace(expert, active=None, ignored=None, user=NOBODY)
    if index == len(order):
        return _end_round(replace(position, expert=expert))
    seat = order[index]
    early = position.terms.options.cloud is CloudTime.FIRST and not position.ending.barren
    stage = Stage.CLOUD_FIRST if early else Stage.STUDENTS
    return replace(position, stage=stage, seat=seat, moved=0, took=False, expert=expert), (TURN_BEGAN[seat],)


def _end_round(position: Position) -> tuple[Position, Events]:
    last = position.ending.last
    if last is not None:
        return over(position, Outcome(last, players_of(position, leaders(position))))
    order = position.plan.order
    return begin_round(position, order[0] if order else position.plan.first)


def begin_round(position: Position, first: Seat) -> tuple[Position, Events]:
    """A new round: refill if there is something to fill and enough to fill it, then plan."""
    seats = position.terms.seats
    plan = replace(position.plan, round=position.plan.round + 1, first=first, asked=0, cards=(0,) * seats, order=())
    events: tuple[Event, ...] = (RoundBegan(plan.round, first),)
    position = replace(position, plan=plan)
    wanted = sum(missing(position))
    if wanted == 0:
        return plan_next(position, events)
    if wanted > size(position.bag):
        ending, told = last_round(position.ending, BAG, barren=True)
        return plan_next(replace(position, ending=ending), events + told)
    return replace(position, stage=Stage.REFILL, seat=CHANCE), events


def missing(position: Position) -> tuple[int, ...]:
    """How many students each cloud lacks."""
    return tuple(position.terms.moves - size(cloud) for cloud in position.clouds)


def plan_next(position: Position, events: Events) -> tuple[Position, Events]:
    """Ask the next seat, clockwise, for an assistant; or else begin the turns."""
    plan = position.plan
    seats = position.terms.seats
    gone = position.ending.gone
    asked = plan.asked
    while asked < seats and gone >> (plan.first + asked) % seats & 1:
        asked += 1
    if asked < seats:
        plan = plan if asked == plan.asked else replace(plan, asked=asked)
        return replace(position, stage=Stage.PLAN, seat=(plan.first + asked) % seats, plan=plan), events
    cards = plan.cards
    # `sorted` is stable: of equal cards the one played first acts first (rules 1.3).
    order = tuple(sorted(plan.order, key=cards.__getitem__))
    position, began = _act(replace(position, plan=replace(plan, asked=seats, order=order)), 0)
    return position, (*events, OrderSet(order), *began)
