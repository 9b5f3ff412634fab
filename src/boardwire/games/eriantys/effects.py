"""The effects of characters.

The price is paid first: at the first use one coin stays on the card, all others go to the supply [4]. Then:

- Monk, Princess: the student moves, and chance restocks the card, unless the bag is empty.
- Farmer: takes professors at once; `students.takes` handles later seatings.
- Herald: resolves an island without mother nature.
- Grandma, Mushroom Hunter, Thief: see their functions. Postman, Centaur, Knight: only become active; see `nature`.
- Jester, Minstrel: make one swap or several. The Minstrel's professors and coins are settled after the last swap, by
  comparing the dining room before and after, so that the order of swaps does not matter [5.6].
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import Action, ActionTable, Choices, Done, Swap, UseCharacter
from boardwire.games.eriantys.characters import SHEETS, card_of, lowest_price, price, swaps, use_refusal
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.events import (
    CharacterUsed,
    Events,
    NoEntryPlaced,
    StudentPlaced,
    StudentSeated,
    StudentsReturned,
    StudentsSwapped,
)
from boardwire.games.eriantys.nature import resolve
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.parts import Card, Expert
from boardwire.games.eriantys.phases import Phase, at
from boardwire.games.eriantys.piles import FIELD, ONE, SHIFT, SHIFTS
from boardwire.games.eriantys.places import BAG, ENTRANCE, HALL, ISLAND, hall_of
from boardwire.games.eriantys.position import Position, Step, changed
from boardwire.games.eriantys.stages import ONLY, Kind, Rule, Stage
from boardwire.games.eriantys.students import COIN_SEATS, hand_over, pay, takes
from boardwire.games.game import CHANCE, Decision, Seat

TURN: Final = (Stage.CLOUD_FIRST, Stage.STUDENTS, Stage.NATURE, Stage.CLOUD, Stage.FINISH)
"""The stages in which a character may be used."""

_SWAP: Final[ActionTable] = tuple(tuple(Swap(colour, give) for give in Colour) for colour in Colour)
_DONE: Final = Done()


def use(position: Position, phase: Phase, action: UseCharacter) -> Step:
    """Pay and use a character."""
    if phase.stage not in TURN:
        raise Illegal("a character can be used only in your turn, and not during a swap or a draw").by(Rule.NOT_NOW)
    seat = phase.seat
    refusal = use_refusal(position, seat, action)
    if refusal is not None:
        raise refusal
    card = card_of(position, action.character)
    assert card is not None
    used = CharacterUsed(seat, action.character, price(card), action.colour, action.island)
    position = _pay_for(position, seat, card)
    if action.character is Character.HERALD and action.island is not None:
        return resolve(position, action.island, position.mother, phase, used)
    position, events = _apply_effect(position, seat, action)
    return position, (used, *events)


def _expert_of(position: Position) -> Expert:
    assert position.expert is not None
    return position.expert


def _pay_for(position: Position, seat: Seat, card: Card) -> Position:
    """Take the price from a seat, and make its character the active one."""
    expert = _expert_of(position)
    cost = price(card)
    coins = (*expert.coins[:seat], expert.coins[seat] - cost, *expert.coins[seat + 1 :])
    supply = expert.supply + cost - (not card.used)
    cards = _with_card(expert.cards, replace(card, used=True))
    expert = replace(
        expert,
        coins=coins,
        supply=supply,
        cards=cards,
        lowest_price=lowest_price(cards),
        active=card.character,
        user=seat,
        resume=position.phase.stage,
    )
    return changed(position, expert=expert)


def _with_card(cards: tuple[Card, ...], changed: Card) -> tuple[Card, ...]:
    return tuple(changed if card.character is changed.character else card for card in cards)


def _replace_card(position: Position, card: Card) -> Position:
    expert = _expert_of(position)
    return changed(position, expert=replace(expert, cards=_with_card(expert.cards, card)))


def _apply_effect(position: Position, seat: Seat, action: UseCharacter) -> Step:
    """Apply the effect of a character that has been paid."""
    colour, island, give = action.colour, action.island, action.give
    match action.character:
        case Character.MONK if colour is not None and island is not None:
            return _use_monk(position, seat, colour, island)
        case Character.PRINCESS if colour is not None:
            return _use_princess(position, seat, colour)
        case Character.GRANDMA if island is not None:
            return _use_grandma(position, seat, island)
        case Character.MUSHROOM:
            return changed(position, expert=replace(_expert_of(position), ignored=colour)), ()
        case Character.THIEF if colour is not None:
            return _use_thief(position, colour)
        case Character.JESTER | Character.MINSTREL if colour is not None and give is not None:
            hall = hall_of(position.students, seat)
            swaps_left = SHEETS[action.character].swaps
            expert = replace(_expert_of(position), swaps=swaps_left, hall=hall)
            return _swap_students(changed(position, expert=expert), seat, colour, give)
        case Character.FARMER:
            return _use_farmer(position, seat)
        case _:
            return position, ()


def _take_from_card(position: Position, character: Character, colour: Colour) -> Position:
    """Take a student from a card; chance restocks the card unless the bag is empty."""
    card = card_of(position, character)
    assert card is not None
    position = _replace_card(position, replace(card, students=card.students - ONE[0][colour]))
    return changed(position, phase=at(position.phase, Stage.RESTOCK, CHANCE)) if position.bag else position


def _use_monk(position: Position, seat: Seat, colour: Colour, island: int) -> Step:
    """Move a student from the card to an island."""
    position = _take_from_card(position, Character.MONK, colour)
    position = changed(position, students=position.students + ONE[ISLAND + island][colour])
    return position, (StudentPlaced(seat, colour, island, Character.MONK),)


def _use_princess(position: Position, seat: Seat, colour: Colour) -> Step:
    """Seat a student from the card, with its professor and coins."""
    position = _take_from_card(position, Character.PRINCESS, colour)
    before = hall_of(position.students, seat)
    position = changed(position, students=position.students + ONE[HALL[seat]][colour])
    events: Events = (StudentSeated(seat, colour, Character.PRINCESS),)
    holder = position.professors.holders[colour]
    if holder != seat and takes(position.students, holder, seat, colour, position.terms.seats, None):
        professors, new_events = hand_over(position.professors, colour, seat)
        position = changed(position, professors=professors)
        events += new_events
    position, new_events = _pay_coins(position, seat, before)
    return position, events + new_events


def _use_farmer(position: Position, seat: Seat) -> Step:
    """Take the professors of colours in which the seat has as many students as the holder."""
    professors = position.professors
    events: Events = ()
    for colour in Colour:
        holder = professors.holders[colour]
        if (
            holder >= 0
            and holder != seat
            and takes(position.students, holder, seat, colour, position.terms.seats, position.expert)
        ):
            professors, new_events = hand_over(professors, colour, seat)
            events += new_events
    return changed(position, professors=professors), events


def _use_grandma(position: Position, seat: Seat, island: int) -> Step:
    """Put a no-entry tile on an island."""
    card = card_of(position, Character.GRANDMA)
    assert card is not None
    position = _replace_card(position, replace(card, no_entry=card.no_entry - 1))
    expert = _expert_of(position)
    tiles = expert.no_entry
    tiles = (*tiles[:island], tiles[island] + 1, *tiles[island + 1 :])
    return changed(position, expert=replace(expert, no_entry=tiles)), (NoEntryPlaced(seat, island),)


def _use_thief(position: Position, colour: Colour) -> Step:
    """Return up to three students of a colour from every dining room to the bag."""
    students = position.students
    returned = []
    for slot in HALL[: position.terms.seats]:
        count = min(3, students >> SHIFT[slot][colour] & FIELD)
        students += count * (ONE[BAG][colour] - ONE[slot][colour])
        returned.append(count)
    return changed(position, students=students), (StudentsReturned(colour, tuple(returned)),)


def ask_swap(position: Position) -> Decision[Action]:
    """Return the decision to swap again or stop."""
    seat = position.phase.seat
    character = _expert_of(position).active
    assert character is not None
    more = swaps(position, seat, character, _SWAP, None)
    return Decision(Kind.SWAP, ONLY[seat], Choices((_DONE,), more=more))


def swap(position: Position, phase: Phase, action: Swap) -> Step:
    """Make another swap."""
    if phase.stage is not Stage.SWAP:
        raise Illegal("students can be swapped only after using the Jester or the Minstrel").by(Rule.NOT_NOW)
    if action not in ask_swap(position).choices:
        words = "both students must be available, and a student for the dining room needs a free seat"
        raise Illegal(words).by(Rule.NOT_SO, card=_expert_of(position).active or "")
    return _swap_students(position, phase.seat, action.colour, action.give)


def _swap_students(position: Position, seat: Seat, colour: Colour, give: Colour) -> Step:
    """Swap two students; after the last swap, settle."""
    expert = _expert_of(position)
    character = expert.active
    assert character is not None
    students = position.students + ONE[ENTRANCE[seat]][colour] - ONE[ENTRANCE[seat]][give]
    if character is Character.JESTER:
        card = card_of(position, character)
        assert card is not None
        position = _replace_card(position, replace(card, students=card.students - ONE[0][colour] + ONE[0][give]))
    else:
        students += ONE[HALL[seat]][give] - ONE[HALL[seat]][colour]
    events: Events = (StudentsSwapped(seat, character, colour, give),)
    continued = replace(_expert_of(position), swaps=expert.swaps - 1)
    phase = at(position.phase, Stage.SWAP, seat)
    position = changed(position, phase=phase, students=students, expert=continued)
    if expert.swaps > 1:
        return position, events
    position, new_events = settle(position)
    return position, events + new_events


def settle(position: Position) -> Step:
    """End the swaps: settle the Minstrel's professors and coins, and resume the turn."""
    expert = _expert_of(position)
    seat = position.phase.seat
    events: Events = ()
    if expert.active is Character.MINSTREL:
        professors = position.professors
        for colour in Colour:
            leader = _leader(position, colour)
            if leader is not None and leader != professors.holders[colour]:
                professors, new_events = hand_over(professors, colour, leader)
                events += new_events
        position, new_events = _pay_coins(changed(position, professors=professors), seat, expert.hall)
        events += new_events
    expert = replace(_expert_of(position), swaps=0, hall=0)
    return changed(position, phase=at(position.phase, expert.resume, seat), expert=expert), events


def _leader(position: Position, colour: Colour) -> Seat | None:
    """Return the seat with strictly the most students of a colour, or None [5.6]."""
    seated = [position.students >> SHIFT[HALL[seat]][colour] & FIELD for seat in range(position.terms.seats)]
    most = max(seated)
    return seated.index(most) if seated.count(most) == 1 else None


def _pay_coins(position: Position, seat: Seat, before: int) -> Step:
    """Pay the coins of the seats that have been filled, given the dining room before."""
    after = hall_of(position.students, seat)
    expert = _expert_of(position)
    events: Events = ()
    for colour, shift in enumerate(SHIFTS):
        old, new = before >> shift & FIELD, after >> shift & FIELD
        for _ in (place for place in COIN_SEATS if old < place <= new):
            expert, new_events = pay(expert, seat, colour)
            events += new_events
    return changed(position, expert=expert), events
