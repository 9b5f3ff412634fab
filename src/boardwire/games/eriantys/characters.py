"""The twelve characters: prices, initial contents, and legal uses.

A player may use one character at any moment of each of its turns [4]. `offers` returns all legal uses of the seat to
move; `use_refusal` explains why a use is illegal. `effects` applies them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import ActionRow, ActionTable, Choices, UseCharacter
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.options import NO_ENTRY, Character
from boardwire.games.eriantys.parts import Card
from boardwire.games.eriantys.piles import ANY, CARRIES, COLOURS, FIELD, SHIFTS, Pile, present
from boardwire.games.eriantys.places import FULL, TABLE, entrance_of, hall_of
from boardwire.games.eriantys.position import Position
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.stages import Rule
from boardwire.games.game import Seat


class Sheet(NamedTuple):
    """The printed values of a character: price, initial contents, and the number of swaps that it allows."""

    price: int
    students: int = 0
    no_entry: int = 0
    swaps: int = 0


SHEETS: Final = {
    Character.MONK: Sheet(1, students=4),
    Character.FARMER: Sheet(2),
    Character.HERALD: Sheet(3),
    Character.POSTMAN: Sheet(1),
    Character.GRANDMA: Sheet(2, no_entry=NO_ENTRY),
    Character.CENTAUR: Sheet(3),
    Character.JESTER: Sheet(1, students=6, swaps=3),
    Character.KNIGHT: Sheet(2),
    Character.MUSHROOM: Sheet(3),
    Character.MINSTREL: Sheet(1, swaps=2),
    Character.PRINCESS: Sheet(2, students=4),
    Character.THIEF: Sheet(3),
}

_PLAIN: Final[dict[Character, ActionRow]] = {character: (UseCharacter(character),) for character in Character}
_COLOURED: Final[dict[Character, ActionRow]] = {
    character: tuple(UseCharacter(character, colour) for colour in Colour) for character in Character
}
_LANDED: Final[dict[Character, ActionTable]] = {
    character: (tuple(UseCharacter(character, island=tile) for tile in range(TILES)),)
    for character in (Character.HERALD, Character.GRANDMA)
}
_MONK: Final[ActionTable] = tuple(
    tuple(UseCharacter(Character.MONK, colour, tile) for tile in range(TILES)) for colour in Colour
)
_SWAPS: Final[dict[Character, ActionTable]] = {
    character: tuple(tuple(UseCharacter(character, colour, give=give) for give in Colour) for colour in Colour)
    for character in (Character.JESTER, Character.MINSTREL)
}


def price(card: Card) -> int:
    """Return the current price of a character: one more after its first use."""
    return SHEETS[card.character].price + card.used


def lowest_price(cards: tuple[Card, ...]) -> int:
    """Return the current price of the cheapest of these characters."""
    return min([price(card) for card in cards])


def card_of(position: Position, character: Character) -> Card | None:
    """Return the card of this character, if it is on the table."""
    expert = position.expert
    if expert is not None:
        for card in expert.cards:
            if card.character is character:
                return card
    return None


def seatable(position: Position, seat: Seat, students: Pile) -> tuple[int, ...]:
    """Return the colours of `students` whose table has a free seat."""
    full = hall_of(position.students, seat) + FULL & CARRIES
    return COLOURS[students + ANY & CARRIES & ~full]


def swaps(
    position: Position, seat: Seat, character: Character, table: ActionTable, more: Choices | None
) -> Choices | None:
    """Return the legal swaps of `seat`, followed by `more`; `table[colour][give]` has the actions."""
    entrance = entrance_of(position.students, seat)
    if character is Character.JESTER:
        card = card_of(position, character)
        assert card is not None
        taken, given = present(card.students), present(entrance)
        return Choices((), taken, given, table, more) if taken and given else more
    hall = hall_of(position.students, seat)
    listed = tuple(
        table[colour][give] for colour in present(hall) for give in present(entrance) if can_sit(hall, colour, give)
    )
    return Choices(listed, more=more) if listed else more


def can_sit(hall: Pile, colour: int, give: int) -> bool:
    """Return whether there is a free seat for `give` after `colour` has left the dining room."""
    return give == colour or hall >> SHIFTS[give] & FIELD < TABLE


def offers(position: Position) -> Choices | None:
    """Return all legal uses of characters by the seat to move, or None."""
    expert = position.expert
    if expert is None:
        return None
    seat = position.phase.seat
    coins = expert.coins[seat]
    if coins < expert.lowest_price or expert.active is not None:
        return None
    more: Choices | None = None
    for card in reversed(expert.cards):
        if price(card) <= coins:
            more = _uses(position, seat, card, more)
    return more


def _uses(position: Position, seat: Seat, card: Card, more: Choices | None) -> Choices | None:
    """Return the legal uses of a character, followed by `more`."""
    character = card.character
    heads = position.ring.heads
    match character:
        case Character.MONK:
            return Choices((), present(card.students), heads, _MONK, more) if card.students else more
        case Character.HERALD:
            return Choices((), (0,), heads, _LANDED[character], more)
        case Character.GRANDMA:
            return Choices((), (0,), heads, _LANDED[character], more) if card.no_entry else more
        case Character.JESTER | Character.MINSTREL:
            return swaps(position, seat, character, _SWAPS[character], more)
        case Character.PRINCESS:
            colours = seatable(position, seat, card.students)
            return Choices((), (0,), colours, (_COLOURED[character],), more) if colours else more
        case Character.MUSHROOM | Character.THIEF:
            return Choices(_COLOURED[character], more=more)
        case _:
            return Choices(_PLAIN[character], more=more)


def use_refusal(position: Position, seat: Seat, action: UseCharacter) -> Illegal | None:
    """Return the error for a use of a character that is illegal for the seat to move, or None if it is legal."""
    expert = position.expert
    name = action.character
    card = card_of(position, name)
    if expert is None or card is None:
        return Illegal(f"the {name} is not one of the characters of this match").by(Rule.NOT_ON_TABLE, card=name)
    if expert.active is not None:
        words = f"you have used the {expert.active} in this turn; only one character a turn is allowed"
        return Illegal(words).by(Rule.ONE_A_TURN, card=expert.active)
    if price(card) > expert.coins[seat]:
        words = f"the {name} costs {price(card)}, and you have {expert.coins[seat]}"
        return Illegal(words).by(Rule.TOO_DEAR, card=name, most=expert.coins[seat])
    offered = _uses(position, seat, card, None)
    if offered is None:
        return Illegal(f"the {name} has no legal target").by(Rule.USELESS, card=name)
    if action not in offered:
        return Illegal(f"the {name} cannot be used in this way: {_NEEDS[name]}").by(Rule.NOT_SO, card=name)
    return None


_NOTHING: Final = "choose nothing"
_NEEDS: Final = {
    Character.MONK: "choose a student on the card and an island",
    Character.FARMER: _NOTHING,
    Character.HERALD: "choose an island",
    Character.POSTMAN: _NOTHING,
    Character.GRANDMA: "choose an island",
    Character.CENTAUR: _NOTHING,
    Character.JESTER: "choose a student on the card and one in your entrance",
    Character.KNIGHT: _NOTHING,
    Character.MUSHROOM: "choose a colour",
    Character.MINSTREL: "choose a student in your dining room, and one in your entrance whose table has a free seat",
    Character.PRINCESS: "choose a student on the card whose table has a free seat",
    Character.THIEF: "choose a colour",
}
