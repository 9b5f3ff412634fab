"""The planning phase: assistants.

Clockwise from the first player, each plays a card that nobody has played this round, team-mates included.  Whoever has
only such cards may play any of them (the general exception, rules 2).  Bit 1 to 10 of a hand is the card of that value.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.actions import Action, PlayAssistant
from boardwire.games.eriantys.events import AssistantPlayed, Events
from boardwire.games.eriantys.position import ONLY, Kind, Plan, Position, Stage
from boardwire.games.eriantys.turns import ASSISTANTS, last_round, plan_next
from boardwire.games.game import Decision, Illegal, Seat

HAND: Final = 0b111_1111_1110
CARDS: Final = range(1, 11)

_PLAYS: Final = tuple(PlayAssistant(card) for card in range(11))
_PLAN: Final = Stage.PLAN


def reach(card: int) -> int:
    """How many steps an assistant allows (rules 1.2)."""
    return (card + 1) // 2


def playable(plan: Plan, seat: Seat) -> int:
    """The cards `seat` may play, as bits."""
    hand = plan.hands[seat]
    played = 0
    for card in plan.cards:
        played |= 1 << card
    return hand & ~played or hand


@cache
def _decision(seat: Seat, cards: int) -> Decision[Action]:
    return Decision(Kind.ASSISTANT, ONLY[seat], tuple(_PLAYS[card] for card in CARDS if cards >> card & 1))


def ask(position: Position) -> Decision[Action]:
    """Which assistant?"""
    return _decision(position.seat, playable(position.plan, position.seat))


def play(position: Position, seat: Seat, action: PlayAssistant) -> tuple[Position, Events]:
    """Play an assistant."""
    plan = position.plan
    card = action.card
    if position.stage is not _PLAN:
        raise Illegal("assistants are played in the planning phase only")
    if not (1 <= card <= 10 and playable(plan, seat) >> card & 1):
        raise Illegal(_why_not(plan, seat, card))
    hand = plan.hands[seat] & ~(1 << card)
    hands = (*plan.hands[:seat], hand, *plan.hands[seat + 1 :])
    cards = (*plan.cards[:seat], card, *plan.cards[seat + 1 :])
    plan = Plan(plan.round, plan.first, plan.asked + 1, hands, cards, (*plan.order, seat))
    events: Events = (AssistantPlayed(seat, card),)
    ending = position.ending
    if not hand:
        ending, told = last_round(ending, ASSISTANTS)
        events += told
    return plan_next(replace(position, plan=plan, ending=ending), events)


def _why_not(plan: Plan, seat: Seat, card: int) -> str:
    if card not in CARDS:
        return f"there is no assistant {card}; they are 1 to 10"
    if plan.hands[seat] >> card & 1:
        return f"assistant {card} has been played in this round"
    return f"you have played assistant {card} before"
