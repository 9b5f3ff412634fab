"""Step 1 of a turn: students, professors and coins.

- Three students (four with three players) move from the entrance, one at a time, to the player's dining room, where a
  table has ten seats, or to any island.
- After each seating the player takes the professor if it has strictly more students of the colour than every other
  player; with the Farmer, as many as the holder (and at least one) are enough.
- In the expert game the 3rd, 6th and 9th seat of a table give a coin each time they are filled, while the supply lasts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import TO_HALL, TO_ISLAND, Action, ActionRow, Choices, ToHall, ToIsland
from boardwire.games.eriantys.characters import offers
from boardwire.games.eriantys.clouds import with_early_clouds
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.events import PLACED, SEATED, CoinTaken, Events, ProfessorTaken
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.parts import Expert
from boardwire.games.eriantys.phases import Phase
from boardwire.games.eriantys.piles import ALL, ANY, CARRIES, COLOURS, ONE, SHIFT, WIDTH, Piles
from boardwire.games.eriantys.places import BOARD, ENTRANCE, FULL, HALL, ISLAND, TABLE
from boardwire.games.eriantys.position import Position, Step, changed
from boardwire.games.eriantys.professors import Professors, professors_of
from boardwire.games.eriantys.ring import TILES, Ring, ring_of
from boardwire.games.eriantys.stages import ONLY, Kind, Rule, Stage
from boardwire.games.game import Decision, Seat

COIN_SEATS: Final = (3, 6, 9)

_COLOURS: Final = tuple(Colour)
_SEATS: Final = range(len(ONLY))
_STUDENT: Final = Kind.STUDENT
_STUDENTS: Final = Stage.STUDENTS
_FARMER: Final = Character.FARMER

_SHIFT: Final = tuple(WIDTH * BOARD * seat for seat in _SEATS)
_OWN: Final = (1 << WIDTH * BOARD) - 1
_BUMP: Final = ANY + (FULL << WIDTH)
_FLAGS: Final = CARRIES + (CARRIES << WIDTH)
"""The bits of a seat's entrance and dining room: their shift by seat, their mask, and a number to add. The carries of
the sum, masked by `_FLAGS`, tell which colours are in the entrance and which tables are full."""

_SEATINGS: Final[dict[int, ActionRow]] = {
    flags: tuple(TO_HALL[colour] for colour in colours) for flags, colours in COLOURS.items()
}
_LOW: Final = CARRIES & (1 << 18) - 1
_HIGH: Final = CARRIES & ~_LOW

_LANDINGS: Final = tuple(
    {
        TO_ISLAND[colour][tile]: (
            ALL[ENTRANCE[seat]][colour],
            1 << tile,
            ONE[ISLAND + tile][colour] - ONE[ENTRANCE[seat]][colour],
            PLACED[seat][colour][tile],
        )
        for colour in _COLOURS
        for tile in range(TILES)
    }
    for seat in _SEATS
)
"""For each seat and move to an island: the mask of the student, the bit of the head, the difference, and the events."""


@lru_cache(2048)
def _island_moves(heads: int, colours: int) -> ActionRow:
    """Return the moves of students of these colours to each island; both arguments are bit sets."""
    return tuple([TO_ISLAND[colour][head] for colour in COLOURS[colours] for head in ring_of(heads).heads])


_CACHE: Final[dict[int, tuple[Decision[Action], ...]]] = {}
"""Cached decisions of all seats by a key of colours in the entrance, full tables and ring.

The same combinations occur again and again, so that most decisions of about forty moves are a look-up. The cache is
cleared when it is full.
"""
_CACHE_LIMIT: Final = 4096


def _cache_decisions(key: int, ring: Ring) -> tuple[Decision[Action], ...]:
    """Return the decisions of all seats for a key of colours and islands, and cache them."""
    colours = key & CARRIES
    seatable = colours & ~(key >> WIDTH)
    if len(_CACHE) >= _CACHE_LIMIT:
        _CACHE.clear()
    moves = _SEATINGS[seatable] + _island_moves(ring.bits, colours & _LOW) + _island_moves(ring.bits, colours & _HIGH)
    decisions = tuple([Decision(_STUDENT, only, moves) for only in ONLY])
    _CACHE[key] = decisions
    return decisions


def ask(position: Position) -> Decision[Action]:
    """Return the decision to move a student, to use a character or, with the option `either`, to take a cloud."""
    seat = position.phase.seat
    # The carries of the sum are the flags of the colours in the entrance and of the full tables.
    key = (((position.students >> _SHIFT[seat] & _OWN) + _BUMP) & _FLAGS) | position.ring.key
    decision = (_CACHE.get(key) or _cache_decisions(key, position.ring))[seat]
    if position.terms.plain:
        return decision
    more = offers(position)
    if position.terms.either:
        more = with_early_clouds(position, more)
    if more is None:
        return decision
    return Decision(_STUDENT, decision.seats, Choices(tuple(decision.choices), more=more))


def to_island(position: Position, phase: Phase, action: ToIsland) -> Step:
    """Put a student on an island."""
    students = position.students
    mask, head, difference, events = _LANDINGS[phase.seat].get(action, _NOWHERE)
    if phase.stage is not _STUDENTS or not students & mask or not position.ring.bits & head:
        raise _refusal(position, phase, action.colour, action.island)
    return changed(position, phase=phase.moved, students=students + difference), events


_NOWHERE: Final[tuple[int, int, int, Events]] = (0, 0, 0, ())


def to_hall(position: Position, phase: Phase, action: ToHall) -> Step:
    """Seat a student."""
    seat = phase.seat
    colour = action.colour
    students = position.students
    before = students >> SHIFT[HALL[seat]][colour] & 63
    if phase.stage is not _STUDENTS or not students & ALL[ENTRANCE[seat]][colour] or before == TABLE:
        raise _refusal(position, phase, colour, None)
    students += ONE[HALL[seat]][colour] - ONE[ENTRANCE[seat]][colour]
    events = SEATED[seat][colour]
    professors = position.professors
    expert = position.expert
    holder = professors.holders[colour]
    if holder != seat and takes(students, holder, seat, colour, position.terms.seats, expert):
        professors, new_events = hand_over(professors, colour, seat)
        events += new_events
    if expert is not None and before + 1 in COIN_SEATS:
        expert, new_events = pay(expert, seat, colour)
        events += new_events
    return changed(position, phase=phase.moved, students=students, professors=professors, expert=expert), events


def _refusal(position: Position, phase: Phase, colour: int, island: int | None) -> Illegal:
    """Return the error for a student that cannot move to an island, or to the dining room (None)."""
    if phase.stage is not _STUDENTS:
        return Illegal("students can be moved only in the first step of your turn").by(Rule.NOT_NOW)
    colour_name = _COLOURS[colour].name.lower()
    if not position.students & ALL[ENTRANCE[phase.seat]][colour]:
        return Illegal(f"there is no {colour_name} student in your entrance").by(Rule.NO_STUDENT)
    if island is None:
        return Illegal(f"all {TABLE} seats of your {colour_name} table are taken").by(Rule.TABLE_FULL, most=TABLE)
    return Illegal(f"there is no island {island}; an island has the number of its first tile, clockwise").by(
        Rule.NOWHERE
    )


def takes(students: Piles, holder: Seat, seat: Seat, colour: int, seats: int, expert: Expert | None) -> bool:
    """Return whether `seat` takes the professor of `colour` from `holder` (negative: it is free)."""
    mine = students >> SHIFT[HALL[seat]][colour] & 63
    if expert is not None and expert.active is _FARMER and holder >= 0 and mine:
        return mine >= students >> SHIFT[HALL[holder]][colour] & 63
    rivals = students >> SHIFT[HALL[0]][colour]
    for other in range(seats):
        if rivals & 63 >= mine and other != seat:
            return False
        rivals >>= WIDTH * BOARD
    return True


def hand_over(professors: Professors, colour: int, seat: Seat) -> tuple[Professors, Events]:
    """Give the professor of `colour` to `seat`."""
    holders = list(professors.holders)
    previous = holders[colour]
    holders[colour] = seat
    taken = ProfessorTaken(seat, _COLOURS[colour], previous if previous >= 0 else None)
    return professors_of(tuple(holders), professors.sides), (taken,)


def pay(expert: Expert, seat: Seat, colour: int) -> tuple[Expert, Events]:
    """Take a coin from the supply, if it has one."""
    if not expert.supply:
        return expert, ()
    coins = expert.coins
    coins = (*coins[:seat], coins[seat] + 1, *coins[seat + 1 :])
    return replace(expert, coins=coins, supply=expert.supply - 1), (CoinTaken(seat, _COLOURS[colour]),)
