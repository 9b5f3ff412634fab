"""Step 1 of a turn: students, professors and coins.

Three students (four with three players) go from the entrance, one at a time, to the own dining room, where a table has
ten seats, or to any island.  After each seating the mover takes the professor with strictly more students of the colour
than every other player; with the Farmer also with as many as the one who holds it (and at least one).  In the expert
game the 3rd, 6th and 9th seat of a table give a coin each time, while the supply lasts.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.actions import TO_HALL, TO_ISLAND, Action, Choices, Row, ToHall, ToIsland
from boardwire.games.eriantys.events import PLACED, SEATED, CoinTaken, Events, ProfessorTaken
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import ANY, CARRIES, COLOURS, ONE, PILE, SHIFT, WIDTH, Colour, Piles, at_least
from boardwire.games.eriantys.position import ONLY, Expert, Kind, Position, Stage
from boardwire.games.game import Decision, Illegal, Seat

TABLE: Final = 10
FULL: Final = at_least(TABLE)
COIN_SEATS: Final = (3, 6, 9)

_STUDENTS: Final = Stage.STUDENTS
_NATURE: Final = Stage.NATURE
_SEATINGS: Final[dict[int, Row]] = {
    flags: tuple(TO_HALL[colour] for colour in colours) for flags, colours in COLOURS.items()
}


def ask(position: Position, more: Choices | None) -> Decision[Action]:
    """Which student goes where?  `more` are the other things that may be done meanwhile."""
    seat = position.seat
    there = (position.entrances >> WIDTH * seat & PILE) + ANY & CARRIES
    full = (position.halls >> WIDTH * seat & PILE) + FULL & CARRIES
    choices = Choices(_SEATINGS[there & ~full], COLOURS[there], position.ring.heads, TO_ISLAND, more)
    return Decision(Kind.STUDENT, ONLY[seat], choices)


def to_island(position: Position, seat: Seat, action: ToIsland) -> tuple[Position, Events]:
    """Put a student on an island."""
    colour = action.colour
    island = action.island
    if position.stage is not _STUDENTS:
        raise Illegal("students are moved in the first step of your turn only")
    if not position.entrances >> SHIFT[seat][colour] & 63:
        raise Illegal(f"there is no {Colour(colour).name.lower()} student in your entrance")
    if island not in position.ring.heads:
        raise Illegal(no_island(island))
    moved = position.moved + 1
    terms = position.terms
    return Position(
        terms,
        position.plan,
        _NATURE if moved == terms.moves else _STUDENTS,
        seat,
        moved,
        position.took,
        position.entrances - ONE[seat][colour],
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


def no_island(island: object) -> str:
    """Why an island cannot be named like this."""
    return f"there is no island {island} (any more); an island is named by its first tile, clockwise"


def to_hall(position: Position, seat: Seat, action: ToHall) -> tuple[Position, Events]:
    """Seat a student."""
    colour = action.colour
    if position.stage is not _STUDENTS:
        raise Illegal("students are moved in the first step of your turn only")
    shift = SHIFT[seat][colour]
    if not position.entrances >> shift & 63:
        raise Illegal(f"there is no {Colour(colour).name.lower()} student in your entrance")
    halls = position.halls
    before = halls >> shift & 63
    if before == TABLE:
        raise Illegal(f"all {TABLE} seats of your {Colour(colour).name.lower()} table are taken")
    halls += ONE[seat][colour]
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
        position.entrances - ONE[seat][colour],
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


def takes(halls: Piles, holder: Seat, seat: Seat, colour: int, seats: int, expert: Expert | None) -> bool:
    """Whether `seat`, who does not hold it, takes the professor of `colour` now."""
    mine = halls >> SHIFT[seat][colour] & 63
    if expert is not None and expert.active is Character.FARMER and holder >= 0 and mine:
        return mine >= halls >> SHIFT[holder][colour] & 63
    return all(mine > halls >> SHIFT[other][colour] & 63 for other in range(seats) if other != seat)


def hand_over(professors: tuple[Seat, ...], colour: int, seat: Seat) -> tuple[tuple[Seat, ...], Events]:
    """Give the professor of `colour` to `seat`."""
    previous = professors[colour]
    told = ProfessorTaken(seat, Colour(colour), previous if previous >= 0 else None)
    return (*professors[:colour], seat, *professors[colour + 1 :]), (told,)


def pay(expert: Expert, seat: Seat, colour: int) -> tuple[Expert, Events]:
    """A coin from the supply, if it has one."""
    if not expert.supply:
        return expert, ()
    coins = expert.coins
    coins = (*coins[:seat], coins[seat] + 1, *coins[seat + 1 :])
    return replace(expert, coins=coins, supply=expert.supply - 1), (CoinTaken(seat, Colour(colour)),)
