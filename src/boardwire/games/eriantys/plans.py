"""The cards of a round: the assistant of each seat, and the resulting order of turns.

A `Plan` is built once with all values that depend on it, and shared by positions; `after` caches the next plan by card.
*Hands* are the cards that seats still have, sixteen bits per seat: bits 1 to 10 are the cards of these values.

This module depends neither on the cards that may be played nor on the seats that gave up.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from boardwire.games.eriantys.events import TURN_BEGAN, Events, OrderSet
from boardwire.games.eriantys.places import SEATS
from boardwire.games.game import Seat

NOBODY: Final[Seat] = -2
HAND: Final = 0b111_1111_1110
"""All cards of a seat."""
HAND_SHIFT: Final = (0, 16, 32, 48)
PASSED: Final = 0
"""The card of a seat that gave up or is absent."""


class Plan:
    """The cards of a round.

    `asked` is the number of seats, clockwise from `first`, that have been asked; when all have been, `order` is the
    order of turns. Plans with the same code are equal.
    """

    __slots__ = ("asked", "cards", "code", "events", "first", "follows", "order", "played", "seat")

    first: Seat
    asked: int
    cards: tuple[int, ...]
    """The card that each seat has played in this round; 0: none."""
    order: tuple[Seat, ...]
    """The seats that have played a card, in the order of playing or, when all have been asked, of turns."""
    played: int
    """The cards played in this round, as bits."""
    seat: Seat
    """The seat to ask or, when all have been asked, the seat that acts first."""
    follows: tuple[Seat, ...]
    """The next seat in the order of turns after each seat; `NOBODY` after the last."""
    events: Events
    """Events when all have been asked and at least one card was played: the order, and the first turn."""
    code: int
    """All values of the plan, packed into four bits each."""

    def __init__(self, first: Seat, asked: int, cards: tuple[int, ...], order: tuple[Seat, ...]) -> None:
        code = len(cards) << 8 | first << 4 | asked
        played = 0
        for card in cards:
            code = code << 4 | card
            played |= 1 << card
        for seat in order:
            code = code << 4 | seat + 1
        code <<= 4 * (2 * SEATS - len(cards) - len(order))
        follows = [NOBODY] * len(cards)
        for seat, next_seat in pairwise(order):
            follows[seat] = next_seat
        all_asked = asked == len(cards) and len(order) > 0
        self.first = first
        self.asked = asked
        self.cards = cards
        self.order = order
        self.played = played & HAND
        self.seat = order[0] if all_asked else (first + asked) % len(cards)
        self.follows = tuple(follows)
        self.events = (OrderSet(order), TURN_BEGAN[order[0]]) if all_asked else ()
        self.code = code

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and other.code == self.code

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        return Plan, (self.first, self.asked, self.cards, self.order)

    def __repr__(self) -> str:
        return f"Plan({self.first}, {self.asked}, {self.cards}, {self.order})"


def plan_of(first: Seat, asked: int, cards: tuple[int, ...], order: tuple[Seat, ...]) -> Plan:
    """Return the plan in which `asked` seats have been asked."""
    return Plan(first, asked, cards, order)


START: Final = tuple(tuple(plan_of(first, 0, (0,) * seats, ()) for first in range(seats)) for seats in range(5))
"""The plan at the start of a round: `START[seats][first]`."""

_AFTER: Final[dict[int, Plan]] = {}
"""Cached next plans, by the code of a plan and a card."""
_CACHE_LIMIT: Final = 4096


def after(plan: Plan, card: int) -> Plan:
    """Return the plan after the seat to ask has played `card`, or passed (`PASSED`)."""
    try:
        return _AFTER[plan.code << 4 | card]
    except KeyError:
        return _cache_next(plan, card)


def _cache_next(plan: Plan, card: int) -> Plan:
    """Compute and cache the plan after a card."""
    if len(_AFTER) >= _CACHE_LIMIT:
        _AFTER.clear()
    cards, order = plan.cards, plan.order
    if card != PASSED:
        cards = (*cards[: plan.seat], card, *cards[plan.seat + 1 :])
        order = (*order, plan.seat)
    if plan.asked + 1 == len(cards):
        # `sorted` is stable: among equal cards, the one played first acts first [2.3].
        order = tuple(sorted(order, key=cards.__getitem__))
    next_plan = _AFTER[plan.code << 4 | card] = plan_of(plan.first, plan.asked + 1, cards, order)
    return next_plan
