"""Conversion of a position to a view (`view.py`).

A step changes at most one board and often no island, so each board, and all islands together, are cached by the values
that they depend on. The caches are small, because only entries of matches in play are useful.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from boardwire.games.eriantys.characters import price
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.nature import influence, max_steps
from boardwire.games.eriantys.options import Tower
from boardwire.games.eriantys.parts import Card
from boardwire.games.eriantys.piles import PILE, Counts, Pile, Piles, counts, slot
from boardwire.games.eriantys.places import BAG_SHIFT, CLOUD_SHIFT, CLOUDS, ISLANDS, SEATS, entrance_of, hall_of
from boardwire.games.eriantys.plans import HAND, HAND_SHIFT
from boardwire.games.eriantys.position import Position, owner
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.stages import Kind, Stage
from boardwire.games.eriantys.view import Board, CharacterView, Island, Side, View
from boardwire.games.game import Seat

_CLOUD_FIRST: Final = Stage.CLOUD_FIRST

_ASKED: Final = {
    Stage.MOTHER_NATURE: Kind.MOTHER_NATURE,
    Stage.ISLANDS: Kind.ISLANDS,
    Stage.ENTRANCES: Kind.ENTRANCES,
    Stage.CHARACTERS: Kind.CHARACTERS,
    Stage.STOCK: Kind.STOCK,
    Stage.FIRST: Kind.FIRST,
    Stage.REFILL: Kind.REFILL,
    Stage.RESTOCK: Kind.RESTOCK,
    Stage.PLAN: Kind.ASSISTANT,
    Stage.CLOUD_FIRST: Kind.CLOUD,
    Stage.STUDENTS: Kind.STUDENT,
    Stage.NATURE: Kind.STEPS,
    Stage.CLOUD: Kind.CLOUD,
    Stage.SWAP: Kind.SWAP,
    Stage.FINISH: Kind.FINISH,
    Stage.OVER: None,
}


def view(position: Position, seat: Seat | None) -> View:
    """Return the view of all seats and spectators."""
    terms = position.terms
    expert = position.expert
    phase = position.phase
    seat_asked = phase.seat if phase.seat >= 0 else None
    acting = phase.stage >= _CLOUD_FIRST and seat_asked is not None
    return View(
        mode=terms.options.mode,
        cloud=terms.options.cloud,
        round=position.round,
        asked=_ASKED[phase.stage],
        turn=seat_asked,
        first=position.plan.first,
        order=position.plan.order,
        moved=terms.moves - phase.left if acting else 0,
        moves=terms.moves,
        steps=max_steps(position) if acting else 0,
        took_cloud=acting and phase.took,
        islands=_islands_of(position),
        mother_nature=position.mother,
        clouds=_clouds_of(position.students & CLOUDS, terms.seats),
        bag=counts(position.students >> BAG_SHIFT),
        professors=position.professors.known,
        boards=_boards_of(position),
        sides=_sides_of(terms.colours, terms.teams, position.towers),
        characters=() if expert is None else tuple(map(_character_view, expert.cards)),
        supply=None if expert is None else expert.supply,
        active=None if expert is None else expert.active,
        ignored=None if expert is None else expert.ignored,
        last_round=position.ending.last,
        clouds_closed=position.ending.clouds_closed,
        outcome=position.ending.outcome,
    )


_Key: TypeAlias = tuple[object, ...]
_RINGS: Final[dict[_Key, tuple[Island, ...]]] = {}
"""Cache of all islands by the values that they depend on, cleared when it is full; a third of the steps change none."""
_RING_CACHE_LIMIT: Final = 1024
"""Enough for the matches in play. An entry takes 2 KB; computing the islands again takes 3 µs."""
_BOARD_CACHE_LIMIT: Final = 2048
_CACHE_LIMIT: Final = 1024
_NO_ENTRY: Final = (0,) * TILES


def _islands_of(position: Position) -> tuple[Island, ...]:
    """Return the islands of a view; cached unless a character may change the influence."""
    expert, ring = position.expert, position.ring
    if expert is not None and expert.active is not None:  # the character may change the influence in this turn
        return _all_islands(position)
    no_entry = _NO_ENTRY if expert is None else expert.no_entry
    key = position.students & ISLANDS, position.owners, position.mother, ring.bits, position.professors.code, no_entry
    islands = _RINGS.get(key)
    if islands is None:
        if len(_RINGS) >= _RING_CACHE_LIMIT:
            _RINGS.clear()
        islands = _RINGS[key] = _all_islands(position)
    return islands


def _all_islands(position: Position) -> tuple[Island, ...]:
    return tuple([_island(position, group) for group in range(len(position.ring.heads))])


def _island(position: Position, group: int) -> Island:
    tiles = position.ring.tiles[group]
    head = tiles[0]
    return Island(
        tiles=tiles,
        students=counts(slot(position.islands, head)),
        side=owner(position, head),
        towers=sum(owner(position, tile) is not None for tile in tiles),
        no_entry=0 if position.expert is None else position.expert.no_entry[head],
        influence=tuple(influence(position, head)),
        mother_nature=position.mother in tiles,
    )


def _boards_of(position: Position) -> tuple[Board, ...]:
    students, hands, gone = position.students, position.hands, position.ending.gone
    sides, cards, held = position.terms.sides, position.plan.cards, position.professors.held
    coins = _NO_COINS if position.expert is None else position.expert.coins
    boards = []
    for seat in range(position.terms.seats):
        hand = hands >> HAND_SHIFT[seat] & HAND
        entrance, hall = entrance_of(students, seat), hall_of(students, seat)
        boards.append(_board(sides[seat], entrance, hall, held[seat], hand, cards[seat], coins[seat], gone >> seat & 1))
    return tuple(boards)


_NO_COINS: Final = (None,) * SEATS


@lru_cache(_BOARD_CACHE_LIMIT)
def _board(
    side: int,
    entrance: Pile,
    hall: Pile,
    professors: tuple[Colour, ...],
    hand: int,
    card: int,
    coins: int | None,
    gone: int,
) -> Board:
    """Return a board; cached, because a step changes at most one."""
    cards = tuple([value for value in range(1, 11) if hand >> value & 1])
    return Board(side, counts(entrance), counts(hall), professors, cards, card or None, coins, bool(gone))


@lru_cache(_CACHE_LIMIT)
def _sides_of(
    colours: tuple[Tower, ...], teams: tuple[tuple[Seat, ...], ...], towers: tuple[int, ...]
) -> tuple[Side, ...]:
    return tuple(map(Side, colours, teams, towers))


@lru_cache(_CACHE_LIMIT)
def _character_view(card: Card) -> CharacterView:
    return CharacterView(card.character, price(card), card.used, counts(card.students), card.no_entry)


@lru_cache(_CACHE_LIMIT)
def _clouds_of(students: Piles, seats: int) -> tuple[Counts, ...]:
    return tuple([counts(students >> shift & PILE) for shift in CLOUD_SHIFT[:seats]])
