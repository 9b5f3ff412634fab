"""Step 1 of a turn: students, professors and coins.

- Three students (four with three players) go from the entrance, one at a time, to the own dining room, where a table
  has ten seats, or to any island.
- After each seating the mover takes the professor with strictly more students of the colour than every other player;
  with the Farmer also with as many as the holder (and at least one).
- In the expert game the 3rd, 6th and 9th seat of a table give a coin each time, while the supply lasts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import TO_HALL, TO_ISLAND, Action, ActionRow, Choices, ToHall, ToIsland
from boardwire.games.eriantys.characters import offers
from boardwire.games.eriantys.clouds import early
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
"""By seat: the shift of its slots, their mask, the number that is added, and the carries that then show which colours
are in the entrance and which tables are full."""

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
"""For each seat and move to an island: the student's mask, the island's head, the difference, and the events."""


@lru_cache(2048)
def _placings(heads: int, colours: int) -> ActionRow:
    return tuple([TO_ISLAND[colour][head] for colour in COLOURS[colours] for head in ring_of(heads).heads])


_KNOWN: Final[dict[int, tuple[Decision[Action], ...]]] = {}
"""The decisions, by seat, by what the moves depend on: the colours there, the tables that are full, and the ring.

There are about forty moves, but players meet the same combinations again and again, so that most decisions are a
look-up. It forgets everything when it has grown too large.
"""


def _learn(key: int, ring: Ring) -> tuple[Decision[Action], ...]:
    there = key & CARRIES
    free = there & ~(key >> WIDTH)
    if len(_KNOWN) >= 4096:
        _KNOWN.clear()
    moves = _SEATINGS[free] + _placings(ring.bits, there & _LOW) + _placings(ring.bits, there & _HIGH)
    decisions = tuple([Decision(_STUDENT, only, moves) for only in ONLY])
    _KNOWN[key] = decisions
    return decisions


def ask(position: Position) -> Decision[Action]:
    """Return the decision which student to move; a character or, with the option `either`, a cloud may come first."""
    seat = position.phase.seat
    # The sum carries out of the slot of each colour in the entrance and of each full table; the carries are the flags.
    key = (((position.students >> _SHIFT[seat] & _OWN) + _BUMP) & _FLAGS) | position.ring.key
    decision = (_KNOWN.get(key) or _learn(key, position.ring))[seat]
    if position.terms.plain:
        return decision
    more = offers(position)
    if position.terms.either:
        more = early(position, more)
    if more is None:
        return decision
    return Decision(_STUDENT, decision.seats, Choices(tuple(decision.choices), more=more))


def to_island(position: Position, phase: Phase, action: ToIsland) -> Step:
    """Put a student on an island."""
    students = position.students
    there, head, going, events = _LANDINGS[phase.seat].get(action, _NOWHERE)
    if phase.stage is not _STUDENTS or not students & there or not position.ring.bits & head:
        raise _refusal(position, phase, action.colour, action.island)
    return changed(position, phase=phase.moved, students=students + going), events


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
    """Return why a student cannot go to that island, or to the dining room."""
    if phase.stage is not _STUDENTS:
        return Illegal("students are moved in the first step of your turn only").by(Rule.NOT_NOW)
    called = _COLOURS[colour].name.lower()
    if not position.students & ALL[ENTRANCE[phase.seat]][colour]:
        return Illegal(f"there is no {called} student in your entrance").by(Rule.NO_STUDENT)
    if island is None:
        return Illegal(f"all {TABLE} seats of your {called} table are taken").by(Rule.TABLE_FULL, most=TABLE)
    return Illegal(f"there is no island {island}; an island is named by its first tile, clockwise").by(Rule.NOWHERE)


def takes(students: Piles, holder: Seat, seat: Seat, colour: int, seats: int, expert: Expert | None) -> bool:
    """Whether `seat`, which does not hold it, takes the professor of `colour` now."""
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
