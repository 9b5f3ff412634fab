"""What a seat may see: everything.

Entrances, boards and clouds are open, hands follow from the cards played, and what is in the bag from counting; only
the order of draws is unknown, and it is nobody's yet.  So every seat and every spectator has the same view.  Unlike a
position it is written for readers: counts by colour, islands as groups of tiles with the influence of each side, prices
as they are now.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from boardwire.errors import Illegal
from boardwire.games.eriantys.characters import price
from boardwire.games.eriantys.nature import influence, limit
from boardwire.games.eriantys.options import Character, CloudTime, Mode, Tower
from boardwire.games.eriantys.parts import Card
from boardwire.games.eriantys.piles import PILE, WIDTH, Colour, Counts, Pile, Piles, counts, slot
from boardwire.games.eriantys.places import BAG_SHIFT, CLOUD_SHIFT, CLOUDS, ISLANDS, SEATS, entrance_of, hall_of
from boardwire.games.eriantys.plans import HAND, HAND_SHIFT
from boardwire.games.eriantys.position import Position, owner
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.stages import Kind, Stage
from boardwire.games.game import Outcome, Seat


class Island(msgspec.Struct, frozen=True, gc=False):
    """A group of tiles, clockwise; actions and events name it by the first.  `towers` are those of `side`."""

    tiles: tuple[int, ...]
    students: Counts
    side: int | None
    towers: int
    no_entry: int
    influence: tuple[int, ...]
    """Of each side, if it were resolved now."""
    mother_nature: bool


class Board(msgspec.Struct, frozen=True, gc=False):
    """What lies before a player.  `coins` is None in the simplified game; `card` is the assistant of this round."""

    side: int
    entrance: Counts
    hall: Counts
    professors: tuple[Colour, ...]
    hand: tuple[int, ...]
    card: int | None
    coins: int | None
    gone: bool


class Side(msgspec.Struct, frozen=True, gc=False):
    """A player, or a team of two, with the towers it has not placed."""

    tower: Tower
    seats: tuple[Seat, ...]
    towers: int


class CharacterView(msgspec.Struct, frozen=True, gc=False):
    """A character on the table, with its price now."""

    character: Character
    price: int
    used: bool
    students: Counts
    no_entry: int


class View(msgspec.Struct, frozen=True, gc=False):
    """A match, as everybody sees it."""

    mode: Mode
    cloud: CloudTime
    round: int
    asked: Kind | None
    """What is being decided; None: the match is over."""
    turn: Seat | None
    """Who decides; None: luck, or nobody."""
    first: Seat
    order: tuple[Seat, ...]
    """Who has played an assistant, in order; once all have, the order of turns."""
    moved: int
    """Students moved in this turn, out of `moves`."""
    moves: int
    steps: int
    """The most steps for mother nature in this turn; 0 outside of a turn."""
    took_cloud: bool
    islands: tuple[Island, ...]
    mother_nature: int
    """The tile she stands on."""
    clouds: tuple[Counts, ...]
    bag: Counts
    professors: tuple[Seat | None, ...]
    """The holder of each colour's professor."""
    boards: tuple[Board, ...]
    sides: tuple[Side, ...]
    characters: tuple[CharacterView, ...]
    supply: int | None
    active: Character | None
    ignored: Colour | None
    last_round: str | None
    clouds_closed: bool
    """Whether nobody takes a cloud this round, because the bag could not fill them."""
    outcome: Outcome | None


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
    """The whole table, for anybody."""
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
        steps=limit(position) if acting else 0,
        took_cloud=acting and phase.took,
        islands=_islands(position),
        mother_nature=position.mother,
        clouds=_clouds(position.students & CLOUDS, terms.seats),
        bag=counts(position.students >> BAG_SHIFT),
        professors=position.professors.known,
        boards=_boards(position),
        sides=_sides(terms.colours, terms.teams, position.towers),
        characters=() if expert is None else tuple(map(_character, expert.cards)),
        supply=None if expert is None else expert.supply,
        active=None if expert is None else expert.active,
        ignored=None if expert is None else expert.ignored,
        last_round=position.ending.last,
        clouds_closed=position.ending.barren,
        outcome=position.ending.outcome,
    )


def head_at(view: View, index: int) -> int:
    """What actions call the island of that number, clockwise from 0: its first tile.  `Illegal` if there is none."""
    if not 0 <= index < len(view.islands):
        raise Illegal(f"islands are numbered 0 to {len(view.islands) - 1}")
    return view.islands[index].tiles[0]


_Key: TypeAlias = tuple[object, ...]
_KNOWN: Final[dict[_Key, Island]] = {}
"""Islands by what they depend on: a step changes one or two of twelve.  It forgets everything when it has grown too
large."""
_RINGS: Final[dict[_Key, tuple[Island, ...]]] = {}
"""All islands by what they depend on: every second step changes none.  It forgets everything, too."""
_MOST: Final = 4096
_NO_ENTRY: Final = (0,) * TILES


def _islands(position: Position) -> tuple[Island, ...]:
    expert, ring = position.expert, position.ring
    if expert is not None and expert.active is not None:  # whose influence is another in this turn
        return tuple([_island(position, group) for group in range(len(ring.heads))])
    no_entry = _NO_ENTRY if expert is None else expert.no_entry
    key = position.students & ISLANDS, position.owners, position.mother, ring.bits, position.professors.code, no_entry
    islands = _RINGS.get(key)
    if islands is None:
        if len(_RINGS) >= _MOST:
            _RINGS.clear()
        islands = _RINGS[key] = _look_up(position, no_entry)
    return islands


def _look_up(position: Position, no_entry: tuple[int, ...]) -> tuple[Island, ...]:
    ring, students, owners, code = position.ring, position.islands, position.owners, position.professors.code
    standing = 1 << 2 * position.mother
    found = []
    for group, head in enumerate(ring.heads):
        pairs = ring.pairs[group]
        key = students >> WIDTH * head & PILE, owners & 3 * pairs, standing & pairs, pairs, code, no_entry[head]
        island = _KNOWN.get(key)
        found.append(_learn(key, position, group) if island is None else island)
    return tuple(found)


def _learn(key: _Key, position: Position, group: int) -> Island:
    if len(_KNOWN) >= _MOST:
        _KNOWN.clear()
    island = _KNOWN[key] = _island(position, group)
    return island


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


def _boards(position: Position) -> tuple[Board, ...]:
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


@lru_cache(_MOST)
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
    """A board is built once: a step changes one of them, or none."""
    cards = tuple([one for one in range(1, 11) if hand >> one & 1])
    return Board(side, counts(entrance), counts(hall), professors, cards, card or None, coins, bool(gone))


@lru_cache(_MOST)
def _sides(
    colours: tuple[Tower, ...], teams: tuple[tuple[Seat, ...], ...], towers: tuple[int, ...]
) -> tuple[Side, ...]:
    return tuple(map(Side, colours, teams, towers))


@lru_cache(_MOST)
def _character(card: Card) -> CharacterView:
    return CharacterView(card.character, price(card), card.used, counts(card.students), card.no_entry)


@lru_cache(_MOST)
def _clouds(students: Piles, seats: int) -> tuple[Counts, ...]:
    return tuple([counts(students >> shift & PILE) for shift in CLOUD_SHIFT[:seats]])
