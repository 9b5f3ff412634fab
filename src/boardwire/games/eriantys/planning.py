"""The planning phase: assistants.

Clockwise from the first player, each plays a card that nobody has played this round, team-mates included.  Whoever has
only such cards may play any of them (the general exception, rules 2).  Bit 1 to 10 of a hand is the card of that value.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.eriantys.actions import Action, PlayAssistant, Row
from boardwire.games.eriantys.events import AssistantPlayed, Events
from boardwire.games.eriantys.position import ONLY, Kind, Plan, Position, Stage, Step
from boardwire.games.eriantys.turns import ASSISTANTS, last_round, plan_next
from boardwire.games.game import Decision, Illegal, Seat

HAND: Final = 0b111_1111_1110
CARDS: Final = range(1, 11)

_ASSISTANT: Final = Kind.ASSISTANT
_PLAN: Final = Stage.PLAN
_PLAYED: Final = tuple(tuple((AssistantPlayed(seat, card),) for card in range(11)) for seat in range(4))

_HALF: Final = 6
_LOW: Final[tuple[Row, ...]] = tuple(
    tuple(PlayAssistant(card) for card in range(_HALF) if bits >> card & 1) for bits in range(1 << _HALF)
)
_HIGH: Final[tuple[Row, ...]] = tuple(
    tuple(PlayAssistant(card + _HALF) for card in range(5) if bits >> card & 1) for bits in range(1 << 5)
)
"""The plays of a set of cards, in two halves, so that the tables stay small."""

REACH: Final = tuple((card + 1) // 2 for card in range(11))
"""How many steps each assistant allows (rules 1.2)."""


def playable(plan: Plan, seat: Seat) -> int:
    """The cards `seat` may play, as bits."""
    hand = plan.hands[seat]
    return hand & ~plan.played or hand


def ask(position: Position) -> Decision[Action]:
    """Which assistant?"""
    seat = position.seat
    cards = playable(position.plan, seat)
    return Decision(_ASSISTANT, ONLY[seat], _LOW[cards & 63] + _HIGH[cards >> _HALF])


def play(position: Position, seat: Seat, action: PlayAssistant) -> Step:
    """Play an assistant."""
    plan = position.plan
    card = action.card
    if position.stage is not _PLAN:
        raise Illegal("assistants are played in the planning phase only")
    if not (1 <= card <= 10 and playable(plan, seat) >> card & 1):
        raise Illegal(_why_not(plan, seat, card))
    bit = 1 << card
    hands = list(plan.hands)
    hand = hands[seat] = hands[seat] - bit
    cards = list(plan.cards)
    cards[seat] = card
    plan = Plan(
        plan.round, plan.first, plan.asked + 1, tuple(hands), tuple(cards), plan.played | bit, (*plan.order, seat)
    )
    events: Events = _PLAYED[seat][card]
    ending = position.ending
    if not hand:
        ending, told = last_round(ending, ASSISTANTS)
        events += told
    return plan_next(position, position.students, plan, ending, events)


def _why_not(plan: Plan, seat: Seat, card: int) -> str:
    if card not in CARDS:
        return f"there is no assistant {card}; they are 1 to 10"
    if plan.hands[seat] >> card & 1:
        return f"assistant {card} has been played in this round"
    return f"you have played assistant {card} before"
