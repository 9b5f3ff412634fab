"""Decisions of chance: the set-up, the refills of clouds, and the students put on characters.

There is one decision for each logical draw. A draw of students is a `Deal` (see `deals`) for all entrances, clouds or
cards at once. `ASK` has the decisions by stage; one function for each action follows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import (
    Action,
    DealEntrances,
    DrawCharacters,
    DrawFirst,
    PlaceMotherNature,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
)
from boardwire.games.eriantys.bags import pack
from boardwire.games.eriantys.characters import SHEETS, card_of, lowest_price
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.deals import Deal, Scatter
from boardwire.games.eriantys.events import (
    CharacterRestocked,
    CharactersDrawn,
    CharactersStocked,
    EntrancesDealt,
    Events,
    FirstDrawn,
    IslandsStocked,
    MotherNaturePlaced,
    Refilled,
    Termination,
)
from boardwire.games.eriantys.options import COINS, Character
from boardwire.games.eriantys.parts import Card, Expert
from boardwire.games.eriantys.phases import Phase, at
from boardwire.games.eriantys.piles import CARRIES, ONE, PACKED, SHIFTS, Pile, Piles, pile
from boardwire.games.eriantys.places import AT, BAG, BAG_SHIFT, CLOUD, ENTRANCE, ISLAND
from boardwire.games.eriantys.position import Position, Step, changed, is_gone
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.stages import Kind, Rule, Stage
from boardwire.games.eriantys.turns import begin_round, end_turn, last_round, missing, plan_next
from boardwire.games.game import CHANCE, Decision

LUCK: Final = (CHANCE,)
_FULL_BAG: Final = pile((24,) * 5) * AT[BAG]
"""The bag after the islands have been stocked."""

_PLACES: Final = tuple(PlaceMotherNature(tile) for tile in range(TILES))
_FIRSTS: Final = tuple(DrawFirst(seat) for seat in range(4))
_SCATTER: Final = Scatter()
_ASK_MOTHER_NATURE: Final[Decision[Action]] = Decision(Kind.MOTHER_NATURE, LUCK, _PLACES)
_ASK_ISLANDS: Final[Decision[Action]] = Decision(Kind.ISLANDS, LUCK, _SCATTER)
_ASK_FIRST: Final[tuple[Decision[Action], ...]] = tuple(
    Decision(Kind.FIRST, LUCK, _FIRSTS[:seats]) for seats in range(5)
)
_AROUND: Final = tuple(
    tuple(
        ((tile + step) % TILES, ONE[ISLAND + (tile + step) % TILES]) for step in range(1, TILES) if step != TILES // 2
    )
    for tile in range(TILES)
)
"""For each tile, the tiles clockwise after it without the opposite one, each with one student per colour there."""
_CLOUD_DEALS: Final[tuple[tuple[dict[tuple[int, ...], tuple[Pile, Piles]], ...], ...]] = tuple(
    tuple(
        {hand: (packed, packed * (AT[CLOUD + cloud] - AT[BAG])) for hand, packed in by_counts.items()}
        for by_counts in PACKED
    )
    for cloud in range(4)
)
"""For each cloud, number of students and counts: the pile, and the difference of moving it from bag to cloud."""

_ENTRANCES: Final = Kind.ENTRANCES
_REFILL: Final = Kind.REFILL
_PLACING: Final = Stage.MOTHER_NATURE
_STOCKING: Final = Stage.ISLANDS
_DEALING: Final = Stage.ENTRANCES
_DRAWING: Final = Stage.FIRST
_REFILLING: Final = Stage.REFILL


@lru_cache(16)  # bounded: players choose the catalogue, and one has up to 220 triples
def _draws_of_three(catalogue: tuple[Character, ...]) -> dict[tuple[Character, ...], DrawCharacters]:
    """Return the draw of each combination of three characters."""
    return {three: DrawCharacters(three) for three in combinations(catalogue, 3)}


def _stock_sizes(expert: Expert | None) -> tuple[int, ...]:
    assert expert is not None
    return tuple([SHEETS[card.character].students for card in expert.cards])


def _entrance_sizes(position: Position) -> tuple[int, ...]:
    return (position.terms.entrance,) * position.terms.seats


def _ask_mother_nature(position: Position) -> Decision[Action]:
    return _ASK_MOTHER_NATURE


def _ask_islands(position: Position) -> Decision[Action]:
    return _ASK_ISLANDS


def _ask_entrances(position: Position) -> Decision[Action]:
    return Decision(_ENTRANCES, LUCK, Deal(_ENTRANCES, position.students >> BAG_SHIFT, _entrance_sizes(position)))


def _ask_characters(position: Position) -> Decision[Action]:
    return Decision(Kind.CHARACTERS, LUCK, tuple(_draws_of_three(position.terms.options.catalogue).values()))


def _ask_stock(position: Position) -> Decision[Action]:
    return Decision(Kind.STOCK, LUCK, Deal(Kind.STOCK, position.bag, _stock_sizes(position.expert)))


def _ask_first(position: Position) -> Decision[Action]:
    return _ASK_FIRST[position.terms.seats]


def _ask_refill(position: Position) -> Decision[Action]:
    students = position.students
    return Decision(_REFILL, LUCK, Deal(_REFILL, students >> BAG_SHIFT, missing(position.terms, students)))


def _ask_restock(position: Position) -> Decision[Action]:
    return Decision(Kind.RESTOCK, LUCK, Deal(Kind.RESTOCK, position.bag, (1,)))


ASK: Final[tuple[Callable[[Position], Decision[Action]], ...]] = (
    _ask_mother_nature,
    _ask_islands,
    _ask_entrances,
    _ask_characters,
    _ask_stock,
    _ask_first,
    _ask_refill,
    _ask_restock,
)


def _wrong_draw() -> Illegal:
    return Illegal("this draw is not an outcome of the open decision").by(Rule.NOT_NOW)


def place_mother_nature(position: Position, phase: Phase, action: PlaceMotherNature) -> Step:
    """Place mother nature on her first tile."""
    if phase.stage is not _PLACING or action not in _PLACES:
        raise _wrong_draw()
    return changed(position, mother=action.island, phase=at(phase, _STOCKING, CHANCE)), (
        MotherNaturePlaced(action.island),
    )


def stock_islands(position: Position, phase: Phase, action: StockIslands) -> Step:
    """Stock the islands clockwise from mother nature, except hers and the opposite one [1]."""
    if phase.stage is not _STOCKING or action not in _SCATTER:
        raise _wrong_draw()
    students: list[Colour | None] = [None] * TILES
    placed = _FULL_BAG
    for (tile, ones), colour in zip(_AROUND[position.mother], action.colours, strict=True):
        students[tile] = colour
        placed += ones[colour]
    stocked = changed(position, students=placed, phase=at(phase, _DEALING, CHANCE))
    return stocked, (IslandsStocked(tuple(students)),)


def deal_entrances(position: Position, phase: Phase, action: DealEntrances) -> Step:
    """Fill every entrance for the first time."""
    if phase.stage is not _DEALING:
        raise _wrong_draw()
    piles = pack(position.bag, _entrance_sizes(position), action.entrances)
    if piles is None:
        raise _wrong_draw()
    students = _move_from_bag(position.students, piles, ENTRANCE)
    position = changed(position, students=students, phase=at(phase, _DRAWING, CHANCE))
    events: Events = (EntrancesDealt(action.entrances),)
    if not position.terms.expert:
        return position, events
    given = position.terms.options.characters
    if given is None:
        return changed(position, phase=at(phase, Stage.CHARACTERS, CHANCE)), events
    position, new_events = _lay_out(position, given)
    return position, events + new_events


def _move_from_bag(students: Piles, piles: list[Pile], slots: tuple[int, ...]) -> Piles:
    """Move piles from the bag to the first of these slots, and return the students."""
    for slot, dealt in zip(slots, piles):  # noqa: B905 - there are four slots even for fewer seats
        students += dealt * (AT[slot] - AT[BAG])
    return students


def draw_characters(position: Position, phase: Phase, action: DrawCharacters) -> Step:
    """Put three drawn characters on the table."""
    if phase.stage is not Stage.CHARACTERS or action.characters not in _draws_of_three(
        position.terms.options.catalogue
    ):
        raise _wrong_draw()
    return _lay_out(position, action.characters)


def _lay_out(position: Position, characters: tuple[Character, ...]) -> Step:
    """Put the three characters on the table, and give every player a coin."""
    seats = position.terms.seats
    cards = tuple(Card(character, no_entry=SHEETS[character].no_entry) for character in characters)
    expert = Expert(
        coins=(1,) * seats, supply=COINS - seats, cards=cards, lowest_price=lowest_price(cards), no_entry=(0,) * TILES
    )
    stage = Stage.STOCK if any(_stock_sizes(expert)) else _DRAWING
    return changed(position, expert=expert, phase=at(position.phase, stage, CHANCE)), (CharactersDrawn(characters),)


def stock_characters(position: Position, phase: Phase, action: StockCharacters) -> Step:
    """Put the first students on Monk, Princess and Jester."""
    if phase.stage is not Stage.STOCK:
        raise _wrong_draw()
    piles = pack(position.bag, _stock_sizes(position.expert), action.students)
    if piles is None or position.expert is None:
        raise _wrong_draw()
    cards = tuple(replace(card, students=stock) for card, stock in zip(position.expert.cards, piles, strict=True))
    expert = replace(position.expert, cards=cards)
    students = position.students - sum(piles) * AT[BAG]
    stocked = changed(position, expert=expert, students=students, phase=at(phase, _DRAWING, CHANCE))
    return stocked, (CharactersStocked(action.students),)


def draw_first(position: Position, phase: Phase, action: DrawFirst) -> Step:
    """Set the seat that plays the first assistant."""
    if phase.stage is not _DRAWING or not 0 <= action.seat < position.terms.seats:
        raise _wrong_draw()
    events: Events = (FirstDrawn(action.seat),)
    return begin_round(position, position.students, action.seat, events)


def refill(position: Position, phase: Phase, action: Refill) -> Step:
    """Fill the clouds."""
    if phase.stage is not _REFILLING:
        raise _wrong_draw()
    students = position.students
    bag = students >> BAG_SHIFT
    sizes = missing(position.terms, students)
    clouds: tuple[tuple[int, ...], ...] = action.clouds
    if len(clouds) != len(sizes):
        raise _wrong_draw()
    drawn = 0
    try:
        for deals_by_size, wanted, hand in zip(_CLOUD_DEALS, sizes, clouds):  # noqa: B905 - there are four clouds even for fewer seats
            packed, moved = deals_by_size[wanted][hand]
            drawn += packed
            students += moved
    except KeyError:
        raise _wrong_draw() from None
    if (bag | CARRIES) - drawn & CARRIES != CARRIES:
        raise _wrong_draw()
    ending = position.ending
    events: Events = (Refilled(action.clouds),)
    if bag == drawn:
        ending, new_events = last_round(ending, Termination.BAG)
        events += new_events
    return plan_next(position, students, position.hands, position.plan, ending, events)


def restock(position: Position, phase: Phase, action: Restock) -> Step:
    """Put a student on the card and continue the turn; end it if its seat has given up meanwhile."""
    expert = position.expert
    if phase.stage is not Stage.RESTOCK or not position.bag >> SHIFTS[action.colour] & 63:
        raise _wrong_draw()
    assert expert is not None
    assert expert.active is not None
    card = card_of(position, expert.active)
    assert card is not None
    student = ONE[0][action.colour]
    cards = tuple(replace(card, students=card.students + student) if other is card else other for other in expert.cards)
    ending = position.ending
    events: Events = (CharacterRestocked(card.character, action.colour),)
    students = position.students - student * AT[BAG]
    if not students >> BAG_SHIFT:
        ending, new_events = last_round(ending, Termination.BAG)
        events += new_events
    position = changed(
        position,
        students=students,
        ending=ending,
        phase=at(phase, expert.resume, expert.user),
        expert=replace(expert, cards=cards),
    )
    if not is_gone(position, expert.user):
        return position, events
    return end_turn(position, position.students, events)
