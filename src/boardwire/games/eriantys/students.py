"""Step 1 of a turn: students, professors and coins.

Three students (four with three players) go from the entrance, one at a time, to the own dining room, where a table has
ten seats, or to any island.  After each seating the mover takes the professor with strictly more students of the colour
than every other player; with the Farmer also with as many as the one who holds it (and at least one).  In the expert
game the 3rd, 6th and 9th seat of a table give a coin each time, while the supply lasts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.actions import TO_HALL, TO_ISLAND, Action, Row, ToHall, ToIsland
from boardwire.games.eriantys.events import PLACED, SEATED, CoinTaken, Events, ProfessorTaken
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import (
    ALL,
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
from boardwire.games.eriantys.position import ONLY, Expert, Kind, Position, Stage, Step
from boardwire.games.eriantys.professors import Professors, professors_of
from boardwire.games.eriantys.ring import APART, TILES, ring_of
from boardwire.games.game import Decision, Illegal, Seat

TABLE: Final = 10
FULL: Final = at_least(TABLE)
COIN_SEATS: Final = (3, 6, 9)

_COLOURS: Final = tuple(Colour)
_STUDENTS: Final = Stage.STUDENTS
_NATURE: Final = Stage.NATURE
_SEATINGS: Final[dict[int, Row]] = {
    flags: tuple(TO_HALL[colour] for colour in colours) for flags, colours in COLOURS.items()
}
_LOW: Final = CARRIES & (1 << 18) - 1
_HIGH: Final = CARRIES & ~_LOW


@lru_cache(8192)
def _placings(heads: int, colours: int) -> Row:
    return tuple([TO_ISLAND[colour][head] for colour in COLOURS[colours] for head in ring_of(heads).heads])


def _decisions(heads: int, there: int, free: int) -> tuple[Decision[Action], ...]:
    """Where students of the colours `there` may go, those of `free` also to the dining room; for each seat."""
    moves = _SEATINGS[free] + _placings(heads, there & _LOW) + _placings(heads, there & _HIGH)
    return tuple([Decision(Kind.STUDENT, only, moves) for only in ONLY])


class _Known(dict[int, tuple[Decision[Action], ...]]):
    """Decisions by colours and heads, as long as no table is full.

    There are about forty moves, but players meet the same combinations again and again, so that most decisions are a
    look-up.  It forgets everything when it has grown too large.
    """

    def __missing__(self, key: int) -> tuple[Decision[Action], ...]:
        if len(self) >= 8192:
            self.clear()
        there = key >> TILES
        decisions = self[key] = _decisions(key & APART, there, there)
        return decisions


_KNOWN: Final = _Known()


def ask(position: Position) -> Decision[Action]:
    """Which student goes where?"""
    seat = position.seat
    shift = WIDTH * seat
    there = (position.entrances >> shift & PILE) + ANY & CARRIES
    full = (position.halls >> shift & PILE) + FULL & CARRIES
    if full:
        return _decisions(position.ring.bits, there, there & ~full)[seat]
    return _KNOWN[there << TILES | position.ring.bits][seat]


def to_island(position: Position, seat: Seat, action: ToIsland) -> Step:
    """Put a student on an island."""
    colour = action.colour
    island = action.island
    entrances = position.entrances
    if position.stage is not _STUDENTS or not entrances & ALL[seat][colour] or island not in position.ring.heads:
        raise _refusal(position, seat, colour, island)
    moved = position.moved + 1
    return replace(
        position,
        stage=_NATURE if moved == position.terms.moves else _STUDENTS,
        moved=moved,
        entrances=entrances - ONE[seat][colour],
        islands=position.islands + ONE[island][colour],
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
    events = SEATED[seat][colour]
    professors = position.professors
    expert = position.expert
    holder = professors.holders[colour]
    if holder != seat and takes(halls, holder, seat, colour, position.terms.seats, expert):
        professors, told = hand_over(professors, colour, seat)
        events += told
    if expert is not None and before + 1 in COIN_SEATS:
        expert, told = pay(expert, seat, colour)
        events += told
    moved = position.moved + 1
    return replace(
        position,
        stage=_NATURE if moved == position.terms.moves else _STUDENTS,
        moved=moved,
        entrances=entrances - one,
        halls=halls,
        professors=professors,
        expert=expert,
    ), events


def _refusal(position: Position, seat: Seat, colour: int, island: int | None) -> Illegal:
    """Why a student cannot go to that island, or to the dining room."""
    if position.stage is not _STUDENTS:
        return Illegal("students are moved in the first step of your turn only")
    called = _COLOURS[colour].name.lower()
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


def hand_over(professors: Professors, colour: int, seat: Seat) -> tuple[Professors, Events]:
    """Give the professor of `colour` to `seat`."""
    holders = list(professors.holders)
    previous = holders[colour]
    holders[colour] = seat
    told = ProfessorTaken(seat, _COLOURS[colour], previous if previous >= 0 else None)
    return professors_of(tuple(holders), professors.sides), (told,)


def pay(expert: Expert, seat: Seat, colour: int) -> tuple[Expert, Events]:
    """A coin from the supply, if it has one."""
    if not expert.supply:
        return expert, ()
    coins = expert.coins
    coins = (*coins[:seat], coins[seat] + 1, *coins[seat + 1 :])
    return replace(expert, coins=coins, supply=expert.supply - 1), (CoinTaken(seat, _COLOURS[colour]),)
