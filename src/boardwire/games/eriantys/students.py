"""Step 1 of a turn: students, professors and coins.

Three students (four with three players) go from the entrance, one at a time, to the own dining room, where a table has
ten seats, or to any island.  After each seating the mover takes the professor with strictly more students of the colour
than every other player; with the Farmer also with as many as the one who holds it (and at least one).  In the expert
game the 3rd, 6th and 9th seat of a table give a coin each time, while the supply lasts.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.actions import TO_HALL, TO_ISLAND, Row, ToHall, ToIsland
from boardwire.games.eriantys.events import PLACED, SEATED, CoinTaken, Events, ProfessorTaken
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import (
    ANY,
    CARRIES,
    COLOURS,
    ONE,
    PILE,
    SHIFT,
    SHIFTS,
    WIDTH,
    Colour,
    Piles,
    at_least,
)
from boardwire.games.eriantys.position import Expert, Position, Stage, Step
from boardwire.games.eriantys.ring import ring_of
from boardwire.games.game import Illegal, Seat

TABLE: Final = 10
FULL: Final = at_least(TABLE)
COIN_SEATS: Final = (3, 6, 9)

_STUDENTS: Final = Stage.STUDENTS
_NATURE: Final = Stage.NATURE
_SEATINGS: Final[dict[int, Row]] = {
    flags: tuple(TO_HALL[colour] for colour in colours) for flags, colours in COLOURS.items()
}
_LOW: Final = CARRIES & (1 << 18) - 1
_HIGH: Final = CARRIES & ~_LOW


class _Placings(dict[int, Row]):
    """The moves to the islands of one ring, by the colours there are; each is worked out when first asked for."""

    def __init__(self, heads: tuple[int, ...]) -> None:
        super().__init__()
        self._heads = heads

    def __missing__(self, flags: int) -> Row:
        row = self[flags] = tuple(TO_ISLAND[colour][head] for colour in COLOURS[flags] for head in self._heads)
        return row


class _Rings(dict[int, _Placings]):
    """The placings of each ring, by its heads."""

    def __missing__(self, bits: int) -> _Placings:
        placings = self[bits] = _Placings(ring_of(bits).heads)
        return placings


_RINGS: Final = _Rings()


def moves(position: Position) -> Row:
    """The moves of a student that are open to the seat whose turn it is.

    About forty, in three pieces that are only put in a row: the seatings, and the placings of the first three and of the
    last two colours.
    """
    shift = WIDTH * position.seat
    there = (position.entrances >> shift & PILE) + ANY & CARRIES
    full = (position.halls >> shift & PILE) + FULL & CARRIES
    placings = _RINGS[position.ring.bits]
    return _SEATINGS[there & ~full] + placings[there & _LOW] + placings[there & _HIGH]


def to_island(position: Position, seat: Seat, action: ToIsland) -> Step:
    """Put a student on an island."""
    colour = action.colour
    island = action.island
    entrances = position.entrances
    if (
        position.stage is not _STUDENTS
        or not entrances >> SHIFT[seat][colour] & 63
        or island not in position.ring.heads
    ):
        raise _refusal(position, seat, colour, island)
    moved = position.moved + 1
    terms = position.terms
    return Position(
        terms,
        position.plan,
        _NATURE if moved == terms.moves else _STUDENTS,
        seat,
        moved,
        position.took,
        entrances - ONE[seat][colour],
        position.halls,
        position.professors,
        position.ring,
        position.islands + ONE[island][colour],
        position.towers,
        position.mother,
        position.clouds,
        position.bag,
        position.ending,
        position.expert,
    ), PLACED[seat][colour][island]


def to_hall(position: Position, seat: Seat, action: ToHall) -> Step:
    """Seat a student."""
    colour = action.colour
    shift = SHIFT[seat][colour]
    entrances = position.entrances
    halls = position.halls
    before = halls >> shift & 63
    if position.stage is not _STUDENTS or not entrances >> shift & 63 or before == TABLE:
        raise _refusal(position, seat, colour, None)
    one = ONE[seat][colour]
    halls += one
    terms = position.terms
    events = SEATED[seat][colour]
    professors = position.professors
    expert = position.expert
    if professors[colour] != seat and takes(halls, professors[colour], seat, colour, terms.seats, expert):
        professors, told = hand_over(professors, colour, seat)
        events += told
    if expert is not None and before + 1 in COIN_SEATS:
        expert, told = pay(expert, seat, colour)
        events += told
    moved = position.moved + 1
    return Position(
        terms,
        position.plan,
        _NATURE if moved == terms.moves else _STUDENTS,
        seat,
        moved,
        position.took,
        entrances - one,
        halls,
        professors,
        position.ring,
        position.islands,
        position.towers,
        position.mother,
        position.clouds,
        position.bag,
        position.ending,
        expert,
    ), events


def _refusal(position: Position, seat: Seat, colour: int, island: int | None) -> Illegal:
    """Why a student cannot go to that island, or to the dining room."""
    if position.stage is not _STUDENTS:
        return Illegal("students are moved in the first step of your turn only")
    called = Colour(colour).name.lower()
    if not position.entrances >> SHIFT[seat][colour] & 63:
        return Illegal(f"there is no {called} student in your entrance")
    if island is None:
        return Illegal(f"all {TABLE} seats of your {called} table are taken")
    return Illegal(f"there is no island {island}; an island is named by its first tile, clockwise")


def takes(halls: Piles, holder: Seat, seat: Seat, colour: int, seats: int, expert: Expert | None) -> bool:
    """Whether `seat`, who does not hold it, takes the professor of `colour` now."""
    mine = halls >> SHIFT[seat][colour] & 63
    if expert is not None and expert.active is Character.FARMER and holder >= 0 and mine:
        return mine >= halls >> SHIFT[holder][colour] & 63
    rivals = halls >> SHIFTS[colour]
    for other in range(seats):
        if rivals & 63 >= mine and other != seat:
            return False
        rivals >>= WIDTH
    return True


def hand_over(professors: tuple[Seat, ...], colour: int, seat: Seat) -> tuple[tuple[Seat, ...], Events]:
    """Give the professor of `colour` to `seat`."""
    holders = list(professors)
    previous = holders[colour]
    holders[colour] = seat
    return tuple(holders), (ProfessorTaken(seat, Colour(colour), previous if previous >= 0 else None),)


def pay(expert: Expert, seat: Seat, colour: int) -> tuple[Expert, Events]:
    """A coin from the supply, if it has one."""
    if not expert.supply:
        return expert, ()
    coins = expert.coins
    coins = (*coins[:seat], coins[seat] + 1, *coins[seat + 1 :])
    return replace(expert, coins=coins, supply=expert.supply - 1), (CoinTaken(seat, Colour(colour)),)
