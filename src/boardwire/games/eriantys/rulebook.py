"""Summary of the rules of Eriantys, and its characters in our own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.games.eriantys.characters import SHEETS
from boardwire.games.eriantys.options import Character
from boardwire.games.game import Card


class CharacterCard(Card, frozen=True):
    """A character, with its initial price and contents and the number of swaps that it allows."""

    price: int
    students: int
    no_entry: int
    swaps: int


_WORDS: Final = {
    Character.MONK: "Take a student from this card and put it on an island of your choice.",
    Character.FARMER: "In this turn you also win a professor if you have as many students as its owner.",
    Character.HERALD: "Choose an island: its influence is counted at once, as if mother nature had stopped there.",
    Character.POSTMAN: "Mother nature may walk up to two islands further in this turn.",
    Character.GRANDMA: "Put a no-entry tile on an island: the next time its influence would be counted, "
    "the tile comes back here instead.",
    Character.CENTAUR: "Towers do not count for influence in this turn.",
    Character.JESTER: "Swap up to three students of this card with as many of your entrance.",
    Character.KNIGHT: "You have two additional influence in this turn.",
    Character.MUSHROOM: "Choose a colour: its students do not count for influence in this turn.",
    Character.MINSTREL: "Swap up to two students of your entrance with as many of your dining room.",
    Character.PRINCESS: "Seat a student of this card in your dining room.",
    Character.THIEF: "Choose a colour: each player puts three students of it, or all they have, "
    "from the dining room back into the bag.",
}

cards: Final = tuple(
    CharacterCard(character, character.value.capitalize(), text, **SHEETS[character]._asdict())
    for character, text in _WORDS.items()
)

_RULES: Final = (
    "Eriantys, for 2 to 4 players (4 in two teams).",
    "Each round each player plays an assistant, which sets the order and how far mother nature may go.",
    "Each turn: move students from your entrance to your hall or to islands, move mother nature, whose island "
    "goes to the side with the most influence, and refill your entrance from a cloud.",
    "Students seated win professors; professors make students on islands count.",
    "All towers placed wins at once; otherwise the game ends with three groups of islands, an empty bag or a last "
    "assistant: most towers win.",
    "In an expert game you can pay characters for help.  `boardwire rules eriantys CHARACTER`, or `help CHARACTER` in "
    "a match, tells what one does; there are:",
    f"  {', '.join(card.name for card in cards)}",
)


def explain(card: Card | None = None) -> Sequence[str]:
    """Return the rules, or the rule of a character."""
    if card is None:
        return _RULES
    price = SHEETS[Character(card.card)].price
    return f"{card.name} (costs {price} {'coin' if price == 1 else 'coins'} at first)", card.text
