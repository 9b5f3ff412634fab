"""Eriantys: the simplified game first, then coins and characters.

A group of islands is identified by its first tile, as in actions; the rows of its other tiles are empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from boardwire.games.eriantys.actions import (
    TO_HALL,
    TO_ISLAND,
    Action,
    Done,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    UseCharacter,
)
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.options import COINS, NO_ENTRY, Character, Mode, Options
from boardwire.games.eriantys.places import SEATS, TABLE
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.stages import Kind
from boardwire.games.eriantys.view import Board, CharacterView, Island, View
from boardwire.games.game import Seat
from boardwire.research.encodings import Part, flags, one_hot

MAX_CHANCE_OUTCOMES: Final = 220
"""Number of sets of three characters; the other draws are from at most 130 students."""
MAX_TURN_LENGTH: Final = 16
"""Actions of a seat in a round: an assistant, four students, a walk, a cloud, a character with its swaps."""
COLOURS: Final = len(Colour)
CARDS: Final = 10
MAX_STEPS: Final = 5
MAX_POSTMAN_STEPS: Final = MAX_STEPS + 2
MAX_ENTRANCE: Final = 9
MAX_PRICE: Final = 4
MAX_TOWERS: Final = 8
STUDENTS: Final = 26
"""Number of students of each colour."""
CHARACTERS: Final = tuple(Character)
KINDS: Final = tuple(Kind)


def actions(options: Options) -> Sequence[Action]:
    """Return the actions of the simplified game, or all in expert mode."""
    plain, expert = _actions()
    return plain if options.mode is Mode.SIMPLIFIED else (*plain, *expert)


def max_length(options: Options, seats: int) -> int:
    """Return the bound for ten rounds, one for each assistant."""
    return MAX_TURN_LENGTH * CARDS * seats


@lru_cache(1)
def _actions() -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    plain: list[Action] = [PlayAssistant(card) for card in range(1, CARDS + 1)]
    plain += TO_HALL
    plain += [action for row in TO_ISLAND for action in row]
    plain += [MoveMotherNature(steps) for steps in range(1, MAX_STEPS + 1)]
    plain += [TakeCloud(cloud) for cloud in range(SEATS)]
    plain.append(Done())
    expert: list[Action] = [MoveMotherNature(steps) for steps in range(MAX_STEPS + 1, MAX_POSTMAN_STEPS + 1)]
    expert += [use for character in Character for use in _uses(character)]
    expert += [Swap(colour, give) for colour in Colour for give in Colour]
    return tuple(plain), tuple(expert)


def _uses(character: Character) -> Iterator[UseCharacter]:
    match character:
        case Character.MONK:
            yield from (UseCharacter(character, colour, tile) for colour in Colour for tile in range(TILES))
        case Character.HERALD | Character.GRANDMA:
            yield from (UseCharacter(character, island=tile) for tile in range(TILES))
        case Character.JESTER | Character.MINSTREL:
            yield from (UseCharacter(character, colour, give=give) for colour in Colour for give in Colour)
        case Character.PRINCESS | Character.MUSHROOM | Character.THIEF:
            yield from (UseCharacter(character, colour) for colour in Colour)
        case _:
            yield UseCharacter(character)


def parts(view: View, seat: Seat, options: Options) -> Iterator[Part]:
    """Yield the table, the boards and the state of the round, then coins and characters in the expert game."""
    seats, sides = len(view.boards), len(view.sides)
    own = view.boards[seat].side
    around = [(seat + step) % seats for step in range(seats)]
    by_head = {island.tiles[0]: island for island in view.islands}
    tiles = [value for tile in range(TILES) for value in _island(by_head.get(tile), own, sides)]
    yield Part("islands", (TILES, _island_width(sides)), tiles)
    boards = [value for other in around for value in _board(view.boards[other], own, sides)]
    yield Part("boards", (seats, _board_width(sides)), boards)
    yield Part("towers", (sides,), [view.sides[(own + side) % sides].towers / MAX_TOWERS for side in range(sides)])
    clouds = [count / SEATS for cloud in view.clouds for count in cloud]
    yield Part("clouds", (seats, COLOURS), clouds)
    yield Part("bag", (COLOURS,), [count / STUDENTS for count in view.bag])
    yield Part("kind", (len(KINDS),), one_hot(len(KINDS), None if view.asked is None else KINDS.index(view.asked)))
    yield Part("turn", (seats,), one_hot(seats, None if view.turn is None else around.index(view.turn)))
    yield Part("first", (seats,), one_hot(seats, around.index(view.first) if 0 <= view.first < seats else None))
    places = [view.order.index(other) if other in view.order else None for other in around]
    yield Part("order", (seats, seats), [value for place in places for value in one_hot(seats, place)])
    yield Part("round", (1,), [min(1.0, view.round / CARDS)])
    yield Part(
        "progress",
        (5,),
        [
            view.moved / view.moves,
            view.steps / MAX_POSTMAN_STEPS,
            float(view.took_cloud),
            float(view.clouds_closed),
            float(view.last_round is not None),
        ],
    )
    if options.mode is Mode.EXPERT:
        yield from _expert(view, around)


def _expert(view: View, around: list[Seat]) -> Iterator[Part]:
    on_table = {card.character: card for card in view.characters}
    values = [value for character in CHARACTERS for value in _character(on_table.get(character))]
    yield Part("characters", (len(CHARACTERS), _CHARACTER_WIDTH), values)
    yield Part("coins", (len(around),), [(view.boards[other].coins or 0) / COINS for other in around])
    yield Part("supply", (1,), [(view.supply or 0) / COINS])
    active = None if view.active is None else CHARACTERS.index(view.active)
    yield Part("active", (len(CHARACTERS),), one_hot(len(CHARACTERS), active))
    yield Part("ignored", (COLOURS,), one_hot(COLOURS, view.ignored))


def _island_width(sides: int) -> int:
    return 1 + COLOURS + 2 * sides + 4


def _island(island: Island | None, own: int, sides: int) -> list[float]:
    if island is None:
        return [0.0] * _island_width(sides)
    return [
        1.0,
        *(count / STUDENTS for count in island.students),
        *one_hot(sides, None if island.side is None else (island.side - own) % sides),
        *(min(1.0, island.influence[(own + side) % sides] / STUDENTS) for side in range(sides)),
        len(island.tiles) / TILES,
        island.towers / TILES,
        island.no_entry / NO_ENTRY,
        float(island.mother_nature),
    ]


def _board_width(sides: int) -> int:
    return sides + 3 * COLOURS + 2 * CARDS + 1


def _board(board: Board, own: int, sides: int) -> list[float]:
    return [
        *one_hot(sides, (board.side - own) % sides),
        *(count / MAX_ENTRANCE for count in board.entrance),
        *(count / TABLE for count in board.hall),
        *flags(COLOURS, board.professors),
        *flags(CARDS, [card - 1 for card in board.hand]),
        *one_hot(CARDS, None if board.card is None else board.card - 1),
        float(board.gone),
    ]


_CHARACTER_WIDTH: Final = 4 + COLOURS
_MAX_STOCK: Final = 6
"""Largest number of students on a character."""


def _character(card: CharacterView | None) -> list[float]:
    if card is None:
        return [0.0] * _CHARACTER_WIDTH
    return [
        1.0,
        card.price / MAX_PRICE,
        float(card.used),
        card.no_entry / NO_ENTRY,
        *(count / _MAX_STOCK for count in card.students),
    ]
