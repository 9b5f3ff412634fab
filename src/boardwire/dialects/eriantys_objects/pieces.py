"""Conversion between the game's views and the models in messages [2.3], for both ends.

- Effects have no controller, and offered cards no owner [2.3, 6.4]: the shipped client needs neither, and both would
  reveal hidden information.
- A group of islands is one island; its size is sent as a text [3.5].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.errors import Illegal
from boardwire.games.eriantys import Character, Colour, Mode, Tower, View
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.planning import assistant_steps
from boardwire.games.eriantys.view import CharacterView, Island
from boardwire.games.game import Seat

PAWNS: Final = tuple(wire.ColorPawns[colour.name] for colour in Colour)
_GREEN, _RED, _YELLOW, _PINK, _BLUE = zip(PAWNS)
COLOURS: Final = dict(zip(PAWNS, Colour, strict=True))
TOWERS: Final = {tower: wire.ColorTower[tower.name] for tower in Tower}
TOWER_OF: Final[dict[wire.ColorTower | None, Tower]] = {model: tower for tower, model in TOWERS.items()}
MODES: Final = {Mode.SIMPLIFIED: wire.GameMode.BEGINNER, Mode.EXPERT: wire.GameMode.ADVANCED}
MODE_OF: Final[dict[wire.GameMode | None, Mode]] = {model: mode for mode, model in MODES.items()}

CHARACTERS: Final = (
    Character.MONK,
    Character.FARMER,
    Character.PRINCESS,
    Character.POSTMAN,
    Character.GRANDMA,
    Character.CENTAUR,
    Character.KNIGHT,
    Character.MUSHROOM,
)
"""Characters that the protocol can express, by number [2.3]."""


def pawns(students: Counts) -> tuple[wire.ColorPawns, ...]:
    """Return students as a new list, because Java clients would share one object if the list was shared."""
    green, red, yellow, pink, blue = students
    return (*_GREEN * green, *_RED * red, *_YELLOW * yellow, *_PINK * pink, *_BLUE * blue)


def colours(students: Iterable[wire.ColorPawns] | None) -> tuple[Colour, ...]:
    """Convert students to colours, or raise `Illegal`; a missing list is empty [3.4.2]."""
    try:
        return tuple(COLOURS[pawn] for pawn in students or ())
    except KeyError:
        raise Illegal("a student is GREEN, RED, YELLOW, PINK or BLUE") from None


def hall(students: Counts) -> dict[wire.ColorPawns, int]:
    """Return a hall as the wire shows it."""
    return dict(zip(PAWNS, students, strict=True))


def count_by_colour(students: Iterable[wire.ColorPawns | None] | None) -> Counts:
    """Count students by colour, ignoring anything else."""
    numbers = [0] * 5
    for pawn in students or ():
        if pawn in COLOURS:
            numbers[COLOURS[pawn]] += 1
    return (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])


def counts_of(table: Mapping[wire.ColorPawns, int] | None) -> Counts:
    """Return the students of a hall by colour."""
    green, red, yellow, pink, blue = ((table or {}).get(pawn, 0) for pawn in PAWNS)
    return (green, red, yellow, pink, blue)


def card(priority: int, owner: wire.PlayerModel | None = None) -> wire.AssistantCardModel:
    """Return an assistant card."""
    return wire.AssistantCardModel(mother_nature_movement=assistant_steps(priority), priority=priority, owner=owner)


def islands(
    view: View, before: View | None = None, models: tuple[wire.IslandModel, ...] = ()
) -> tuple[wire.IslandModel, ...]:
    """Return all islands by index; `models` are those of the view `before`.

    Unchanged islands keep their model objects: a step changes one or two, and the writer caches the others.
    """
    if before is None or len(before.islands) != len(view.islands):
        return tuple([_island_model(view, island) for island in view.islands])
    if before.islands == view.islands:
        return models
    pairs = zip(view.islands, before.islands, models, strict=True)
    return tuple(
        [model if island is old or island == old else _island_model(view, island) for island, old, model in pairs]
    )


def _island_model(view: View, island: Island) -> wire.IslandModel:
    return wire.IslandModel(
        is_joined=len(island.tiles) > 1,
        mother_nature=island.mother_nature,
        prohibition=island.no_entry > 0,
        color_tower=wire.ColorTower.NULL if island.side is None else TOWERS[view.sides[island.side].tower],
        students=pawns(island.students),
    )


def clouds(size: int, clouds: tuple[Counts, ...]) -> tuple[wire.CloudModel, ...]:
    """Return the clouds not taken yet, as the shipped program lists them."""
    return tuple(wire.CloudModel(size=size, students=pawns(cloud)) for cloud in clouds if any(cloud))


def player(view: View, seat: Seat, name: str) -> wire.PlayerModel:
    """Return a player with all its pieces."""
    board = view.boards[seat]
    side = view.sides[board.side]
    return wire.PlayerModel(
        coins=board.coins or 0,
        is_first=side.seats[0] == seat,
        movement_mother_nature_current_action_phase=0 if board.card is None else assistant_steps(board.card),
        num_profs=len(board.professors),
        tower_number=side.towers,
        color_tower=TOWERS[side.tower],
        deck_assistant_card_model=_hand_models(seat, board.hand),
        nickname=name,
        profs=tuple(PAWNS[colour] for colour in board.professors),
        student_in_entrance=pawns(board.entrance),
        student_in_hall=hall(board.hall),
    )


@lru_cache(1024)
def _hand_models(seat: Seat, cards: tuple[int, ...]) -> tuple[wire.AssistantCardModel, ...]:
    """Return a hand; each seat has its own objects, because one message may hold the hands of two seats."""
    return tuple(map(card, cards))


def outline(view: View, seat: Seat, name: str) -> wire.PlayerModel:
    """Return a player with only name, coins and tower."""
    board = view.boards[seat]
    return wire.PlayerModel(coins=board.coins or 0, color_tower=TOWERS[view.sides[board.side].tower], nickname=name)


def board(view: View, seat: Seat, name: str) -> wire.DisplayPlayerBoardMessage:
    """Return the display of a player's board."""
    model = player(view, seat, name)
    tower = TOWERS[view.sides[view.boards[seat].side].tower]
    return wire.DisplayPlayerBoardMessage(
        nickname=name,
        is_first=model.is_first,
        entrance=model.student_in_entrance or (),
        hall=model.student_in_hall or {},
        player=model,
        profs=model.profs or (),
        towers=(tower,) * model.tower_number,
    )


def cemetery(view: View, names: Sequence[str]) -> tuple[wire.AssistantCardModel, ...]:
    """Return the assistants of this round in the order played, or in turn order once all are played."""
    cards = [(seat, view.boards[seat].card) for seat in view.order]
    return tuple(card(value, outline(view, seat, names[seat])) for seat, value in cards if value is not None)


def character(model: CharacterView) -> wire.CharacterCardModel:
    """Return the model of a character that the protocol can express."""
    return wire.CharacterCardModel(character_id=CHARACTERS.index(model.character), effect=_effect_model(model))


def character_of(model: wire.CharacterCardModel) -> Character | None:
    """Return the character of a card, or None for an unknown number."""
    return CHARACTERS[model.character_id] if 0 <= model.character_id < len(CHARACTERS) else None


def deck(view: View) -> tuple[wire.CharacterCardModel, ...]:
    """Return the characters on the table that the protocol can express."""
    return tuple(character(model) for model in view.characters if model.character in CHARACTERS)


def has_characters(view: View) -> bool:
    """Return whether the table has a character that the protocol can express."""
    return any(model.character in CHARACTERS for model in view.characters)


def _effect_model(model: CharacterView) -> wire.AnyEffect:
    """Return the effect of a character, which has its price and the pieces on its card."""
    cost, money = model.price, int(model.used)
    students = pawns(model.students)
    match model.character:
        case Character.MONK | Character.PRINCESS:
            kind = wire.AddToIslandEffect if model.character is Character.MONK else wire.AddToHallEffect
            return kind(cost_for_effect=cost, money_on_card=money, num_students=len(students), students=students)
        case Character.GRANDMA:
            return wire.ProhibitionEffect(cost_for_effect=cost, money_on_card=money, number_prohibition=model.no_entry)
        case other:
            return _PLAIN[other](cost_for_effect=cost, money_on_card=money)


_PLAIN: Final[dict[Character, Callable[..., wire.AnyEffect]]] = {
    Character.FARMER: wire.ControlProfEffect,
    Character.POSTMAN: wire.ExtraMovementMotherEffect,
    Character.CENTAUR: wire.IgnoreTowerEffect,
    Character.KNIGHT: wire.AddInfluenceEffect,
    Character.MUSHROOM: wire.ExcludeColorInfluenceEffect,
}
