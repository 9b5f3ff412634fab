"""The planning phase: assistants.

Clockwise from the first player, each plays a card that no other player, team mates included, has played in this round.
A player who has no such card may play any card [5.2]. Bits 1 to 10 of a hand are the cards of these values.
"""

from __future__ import annotations

from typing import Final

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import Action, PlayAssistant
from boardwire.games.eriantys.events import AssistantPlayed, Events, Termination
from boardwire.games.eriantys.phases import Phase
from boardwire.games.eriantys.plans import HAND, HAND_SHIFT, after
from boardwire.games.eriantys.position import Position, Step
from boardwire.games.eriantys.stages import ONLY, Kind, Rule, Stage
from boardwire.games.eriantys.turns import last_round, plan_next
from boardwire.games.game import Decision, Seat

CARDS: Final = range(1, 11)

_ASSISTANT: Final = Kind.ASSISTANT
_PLAN: Final = Stage.PLAN

_DECISIONS: Final[tuple[dict[int, Decision[Action]], ...]] = ({}, {}, {}, {})
"""Cached decisions by seat and by the cards that may be played."""


def assistant_steps(card: int) -> int:
    """Return the maximum number of mother nature's steps that an assistant allows [2.3]."""
    return (card + 1) // 2


POSTMAN_STEPS: Final = 2
"""Additional steps that the Postman allows."""

REACH: Final = tuple(map(assistant_steps, range(11)))
"""`assistant_steps` by card; card 0 is no card."""


_PLAYS: Final[tuple[dict[PlayAssistant, tuple[int, Events]], ...]] = tuple(
    {PlayAssistant(card): (1 << card, (AssistantPlayed(seat, card),)) for card in CARDS} for seat in range(4)
)
"""For each seat and action, the card as a bit, and the events."""

_NONE: Final[tuple[int, Events]] = (0, ())


def ask(position: Position) -> Decision[Action]:
    """Return the decision to play an assistant."""
    seat = position.phase.seat
    hand = position.hands >> HAND_SHIFT[seat] & HAND
    cards = hand & ~position.plan.played or hand  # without a card that is new in this round, any card [5.2]
    try:
        return _DECISIONS[seat][cards]
    except KeyError:
        return _cache_decision(seat, cards)


def _cache_decision(seat: Seat, cards: int) -> Decision[Action]:
    plays = tuple(PlayAssistant(card) for card in CARDS if cards >> card & 1)
    decision = _DECISIONS[seat][cards] = Decision(_ASSISTANT, ONLY[seat], plays)
    return decision


def play(position: Position, phase: Phase, action: PlayAssistant) -> Step:
    """Play an assistant."""
    if phase.stage is not _PLAN:
        raise Illegal("assistants are played in the planning phase only").by(Rule.NOT_NOW)
    seat, hands = phase.seat, position.hands
    hand = hands >> HAND_SHIFT[seat] & HAND
    plan = position.plan
    card, events = _PLAYS[seat].get(action, _NONE)
    if not (hand & ~plan.played or hand) & card:
        raise _refusal(hand, action.card)
    ending = position.ending
    if hand == card:
        ending, new_events = last_round(ending, Termination.ASSISTANTS)
        events += new_events
    hands -= card << HAND_SHIFT[seat]
    return plan_next(position, position.students, hands, after(plan, action.card), ending, events)


def _refusal(hand: int, card: int) -> Illegal:
    """Return the error for an assistant that cannot be played."""
    if card not in CARDS:
        return Illegal(f"there is no assistant {card}; assistants are 1 to 10").by(Rule.NOWHERE)
    if hand >> card & 1:
        return Illegal(f"assistant {card} has been played in this round; play another one").by(Rule.PLAYED)
    return Illegal(f"you have played assistant {card} in an earlier round").by(Rule.SPENT)
