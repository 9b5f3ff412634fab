"""What a seat may see: everything.

Entrances, boards and clouds are open, hands follow from the cards played, and what is in the bag from counting; only
the order of draws is unknown, and it is nobody's yet.  So every seat and every spectator has the same view.  Unlike a
position it is written for readers: counts by colour, islands as groups of tiles with the influence of each side, prices
as they are now.
"""

from __future__ import annotations

import msgspec

from boardwire.errors import Illegal
from boardwire.games.eriantys.characters import price
from boardwire.games.eriantys.nature import influence, limit
from boardwire.games.eriantys.options import Character, CloudTime, Mode, Tower
from boardwire.games.eriantys.piles import Colour, Counts, counts, slot
from boardwire.games.eriantys.plans import hand_of
from boardwire.games.eriantys.position import Kind, Position, Stage, is_gone, owner
from boardwire.games.game import Outcome, Seat


class Island(msgspec.Struct, frozen=True):
    """A group of tiles, clockwise; actions and events name it by the first.  `towers` are those of `side`."""

    tiles: tuple[int, ...]
    students: Counts
    side: int | None
    towers: int
    no_entry: int
    influence: tuple[int, ...]
    """Of each side, if it were resolved now."""
    mother_nature: bool


class Board(msgspec.Struct, frozen=True):
    """What lies before a player.  `coins` is None in the simplified game; `card` is the assistant of this round."""

    side: int
    entrance: Counts
    hall: Counts
    professors: tuple[Colour, ...]
    hand: tuple[int, ...]
    card: int | None
    coins: int | None
    gone: bool


class Side(msgspec.Struct, frozen=True):
    """A player, or a team of two, with the towers it has not placed."""

    tower: Tower
    seats: tuple[Seat, ...]
    towers: int


class CharacterView(msgspec.Struct, frozen=True):
    """A character on the table, with its price now."""

    character: Character
    price: int
    used: bool
    students: Counts
    no_entry: int


class View(msgspec.Struct, frozen=True):
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


_ASKED = {
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
    acting = position.stage >= Stage.CLOUD_FIRST and position.seat >= 0
    return View(
        mode=terms.options.mode,
        cloud=terms.options.cloud,
        round=position.round,
        asked=_ASKED[position.stage],
        turn=position.seat if position.seat >= 0 else None,
        first=position.plan.first,
        order=position.plan.order,
        moved=position.moved if acting else 0,
        moves=terms.moves,
        steps=limit(position) if acting else 0,
        took_cloud=acting and position.took,
        islands=tuple(_island(position, head) for head in position.ring.heads),
        mother_nature=position.mother,
        clouds=tuple(counts(cloud) for cloud in position.clouds),
        bag=counts(position.bag),
        professors=tuple(holder if holder >= 0 else None for holder in position.professors.holders),
        boards=tuple(_board(position, each) for each in range(terms.seats)),
        sides=tuple(Side(terms.colours[side], seats, position.towers[side]) for side, seats in enumerate(terms.teams)),
        characters=()
        if expert is None
        else tuple(
            CharacterView(card.character, price(card), card.used, counts(card.students), card.no_entry)
            for card in expert.cards
        ),
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


def _island(position: Position, head: int) -> Island:
    group = position.ring.groups[head]
    side = owner(position, head)
    tiles = position.ring.tiles[group]
    return Island(
        tiles=tiles,
        students=counts(slot(position.islands, head)),
        side=side,
        towers=sum(owner(position, tile) is not None for tile in tiles),
        no_entry=0 if position.expert is None else position.expert.no_entry[head],
        influence=tuple(influence(position, head)),
        mother_nature=position.mother in tiles,
    )


def _board(position: Position, seat: Seat) -> Board:
    return Board(
        side=position.terms.sides[seat],
        entrance=counts(slot(position.entrances, seat)),
        hall=counts(slot(position.halls, seat)),
        professors=tuple(colour for colour in Colour if position.professors.holders[colour] == seat),
        hand=tuple(card for card in range(1, 11) if hand_of(position.hands, seat) >> card & 1),
        card=position.plan.cards[seat] or None,
        coins=None if position.expert is None else position.expert.coins[seat],
        gone=is_gone(position, seat),
    )
