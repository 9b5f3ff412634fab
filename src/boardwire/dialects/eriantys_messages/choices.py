"""What a player may choose, as far as the displays tell: the client's side of what the rules allow.

The Jester and the Minstrel are offered with one swap, of different colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.eriantys_messages.play import ASK, STUDENTS_OR_CLOUD, SWAPS
from boardwire.dialects.eriantys_messages.table import Table
from boardwire.games.eriantys import (
    Action,
    Character,
    Colour,
    Kind,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)

WORDS: Final = {**{word: kind for kind, (word, _) in ASK.items()}, STUDENTS_OR_CLOUD: Kind.STUDENT}
"""What each word of a question asks."""

_WITH_ISLAND: Final = (Character.HERALD, Character.GRANDMA)
_WITH_COLOUR: Final = (Character.MUSHROOM, Character.THIEF)
_FULL: Final = 10


def choices(table: Table, word: str) -> tuple[Action, ...]:
    """What may be answered to this question."""
    match WORDS[word]:
        case Kind.ASSISTANT:
            return _assistants(table)
        case Kind.STUDENT:
            early = _taking(table) if word == STUDENTS_OR_CLOUD else ()
            return (*_students(table), *early, *_characters(table))
        case Kind.STEPS:
            return (*map(MoveMotherNature, range(1, table.steps + 1)), *_characters(table))
        case _:
            return (*(_taking(table) or _any_cloud(table)), *_characters(table))


def _assistants(table: Table) -> tuple[Action, ...]:
    played = {card.value for card in table.cemetery}
    hand = table.decks[table.me]
    return tuple(PlayAssistant(card) for card in [card for card in hand if card not in played] or hand)


def _students(table: Table) -> tuple[Action, ...]:
    mine = _entrance(table)
    seats = [ToHall(colour) for colour in mine if _has_seat(table, colour)]
    return (*seats, *(ToIsland(colour, head) for colour in mine for head in table.heads))


def _entrance(table: Table) -> list[Colour]:
    return [colour for colour in Colour if colour.name in table.entrances[table.me]]


def _has_seat(table: Table, colour: Colour) -> bool:
    return table.halls[table.me].hall.get(colour.name, 0) < _FULL


def _taking(table: Table) -> tuple[Action, ...]:
    return tuple(TakeCloud(index) for index, cloud in enumerate(table.clouds) if cloud)


def _any_cloud(table: Table) -> tuple[Action, ...]:
    """In a round without clouds the choice of any ends the turn [r2]."""
    return tuple(map(TakeCloud, range(len(table.clouds))))


def _characters(table: Table) -> tuple[Action, ...]:
    if table.turn.used is not None or table.turn.barred:
        return ()
    coins = table.characters.coins.get(table.me, 0)
    models = [model for model in table.characters.characters if model.cost <= coins]
    return tuple(use for model in models for use in _uses(table, model))


def _uses(table: Table, model: say.CharacterModel) -> Iterator[Action]:
    character = say.CHARACTERS[model.name]
    on_card = [colour for colour in Colour if colour.name in model.students]
    if character is Character.MONK:
        yield from (UseCharacter(character, colour, head) for colour in on_card for head in table.heads)
    elif character is Character.PRINCESS:
        yield from (UseCharacter(character, colour) for colour in on_card if _has_seat(table, colour))
    elif character in SWAPS:
        seated = [colour for colour in Colour if table.halls[table.me].hall.get(colour.name, 0)]
        for take in on_card if character is Character.JESTER else seated:
            for give in _entrance(table):
                if take != give and (character is Character.JESTER or _has_seat(table, give)):
                    yield UseCharacter(character, take, give=give)
    elif character in _WITH_COLOUR:
        yield from (UseCharacter(character, colour) for colour in Colour)
    elif character in _WITH_ISLAND:
        if character is not Character.GRANDMA or model.noEntry:
            yield from (UseCharacter(character, island=head) for head in table.heads)
    else:
        yield UseCharacter(character)
