"""A simplified Eriantys board for the greedy bot: dining rooms, professors, islands and towers, from a view.

It has no bag, no clouds and no turn order; `after` applies a step to the other parts. Islands are in the order of the
ring and are never unified.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from boardwire.games.eriantys import Action, Character, MoveMotherNature, Swap, ToHall, ToIsland, UseCharacter, View
from boardwire.games.eriantys.planning import POSTMAN_STEPS
from boardwire.games.game import Seat

Counts: TypeAlias = tuple[int, ...]
NOBODY: int = -1


class Land(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """An island: its students by colour, its side (or none), towers and no-entry tiles."""

    students: Counts
    side: int
    towers: int
    no_entry: int


class SimpleBoard(msgspec.Struct, frozen=True, gc=False):
    """A simplified board.

    - `holders`: the seats that hold the professors, by colour; `sides`: the side of each seat.
    - `towers`: the numbers of towers that the sides have not placed.
    - `heads`: the first tiles of the islands, which identify them in actions; `mother`: the index of mother nature's.
    """

    seat: Seat
    sides: tuple[int, ...]
    holders: Counts
    halls: tuple[Counts, ...]
    lands: tuple[Land, ...]
    heads: tuple[int, ...]
    mother: int
    steps: int
    towers: Counts
    coins: int
    active: Character | None
    ignored: int

    @property
    def side(self) -> int:
        return self.sides[self.seat]


def simple_board(view: View, seat: Seat) -> SimpleBoard:
    """Return the simplified table of a view, for one seat."""
    lands = tuple(
        Land(island.students, NOBODY if island.side is None else island.side, island.towers, island.no_entry)
        for island in view.islands
    )
    return SimpleBoard(
        seat,
        tuple(board.side for board in view.boards),
        tuple(NOBODY if holder is None else holder for holder in view.professors),
        tuple(board.hall for board in view.boards),
        lands,
        tuple(island.tiles[0] for island in view.islands),
        next((index for index, island in enumerate(view.islands) if island.mother_nature), 0),
        view.steps,
        tuple(side.towers for side in view.sides),
        view.boards[seat].coins or 0,
        view.active,
        NOBODY if view.ignored is None else int(view.ignored),
    )


def influence(s: SimpleBoard, land: Land) -> list[int]:
    """Return the influence of each side on an island."""
    totals = [0] * len(s.towers)
    for colour, count in enumerate(land.students):
        holder = s.holders[colour]
        if count and holder >= 0 and colour != s.ignored:
            totals[s.sides[holder]] += count
    if land.side >= 0 and s.active is not Character.CENTAUR:
        totals[land.side] += land.towers
    if s.active is Character.KNIGHT:
        totals[s.side] += 2
    return totals


def taker_of(s: SimpleBoard, land: Land) -> int:
    """Return the owner that an island will have after it is resolved."""
    if land.no_entry:
        return land.side
    totals = influence(s, land)
    highest = max(totals)
    return land.side if totals.count(highest) > 1 else totals.index(highest)


def resolve(s: SimpleBoard, index: int) -> SimpleBoard:
    """Resolve the influence on an island."""
    land = s.lands[index]
    side = taker_of(s, land)
    if side == land.side:
        return s if not land.no_entry else _with_land(s, index, replace(land, no_entry=land.no_entry - 1))
    count = max(1, land.towers)
    towers = list(s.towers)
    towers[side] = max(0, towers[side] - count)
    if land.side >= 0:
        towers[land.side] += count
    return replace(_with_land(s, index, replace(land, side=side, towers=count)), towers=tuple(towers))


def walk(s: SimpleBoard, steps: int) -> SimpleBoard:
    """Move mother nature and resolve the island where she stops."""
    index = (s.mother + steps) % len(s.lands)
    return resolve(replace(s, mother=index), index)


def after(s: SimpleBoard, action: Action) -> SimpleBoard:
    """Return the board after a step of the seat, without effects that depend on parts the board does not have."""
    match action:
        case ToHall(colour=colour):
            return seat_student(s, colour)
        case ToIsland(colour=colour, island=head):
            return _with_student(s, colour, head)
        case MoveMotherNature(steps=steps):
            return walk(s, steps)
        case Swap(colour=colour, give=give) if s.active is Character.MINSTREL:
            return seat_student(_without_student(s, colour), give)
        case UseCharacter(character=character):
            return _use_character(replace(s, active=character), action)
        case _:
            return s


def seat_student(s: SimpleBoard, colour: int) -> SimpleBoard:
    """Add a student to the seat's dining room, and the professor if the seat now has the majority."""
    hall = s.halls[s.seat]
    hall = (*hall[:colour], hall[colour] + 1, *hall[colour + 1 :])
    s = replace(s, halls=(*s.halls[: s.seat], hall, *s.halls[s.seat + 1 :]))
    return _with_professor(s, colour)


def _with_professor(s: SimpleBoard, colour: int) -> SimpleBoard:
    """Return the board after the mover takes the professor of a colour, if it has enough students."""
    holder, own = s.holders[colour], s.halls[s.seat][colour]
    rival = s.halls[holder][colour] if holder >= 0 else 0
    if holder == s.seat or not (own > rival or (own == rival > 0 and s.active is Character.FARMER)):
        return s
    return replace(s, holders=(*s.holders[:colour], s.seat, *s.holders[colour + 1 :]))


def _without_student(s: SimpleBoard, colour: int) -> SimpleBoard:
    """Return the board without one student of a colour in the mover's dining room."""
    hall = s.halls[s.seat]
    hall = (*hall[:colour], max(0, hall[colour] - 1), *hall[colour + 1 :])
    return replace(s, halls=(*s.halls[: s.seat], hall, *s.halls[s.seat + 1 :]))


def _with_student(s: SimpleBoard, colour: int, head: int) -> SimpleBoard:
    """Return the board with another student on an island."""
    index = s.heads.index(head)
    land = s.lands[index]
    students = (*land.students[:colour], land.students[colour] + 1, *land.students[colour + 1 :])
    return _with_land(s, index, Land(students, land.side, land.towers, land.no_entry))


def _with_land(s: SimpleBoard, index: int, land: Land) -> SimpleBoard:
    return replace(s, lands=(*s.lands[:index], land, *s.lands[index + 1 :]))


def _use_character(s: SimpleBoard, use: UseCharacter) -> SimpleBoard:
    """Return the board after the effect of a character, as far as the board contains it."""
    colour, island, give = use.colour, use.island, use.give
    match use.character:
        case Character.MONK if colour is not None and island is not None:
            return _with_student(s, colour, island)
        case Character.HERALD if island is not None:
            return resolve(s, s.heads.index(island))
        case Character.GRANDMA if island is not None:
            index = s.heads.index(island)
            return _with_land(s, index, replace(s.lands[index], no_entry=s.lands[index].no_entry + 1))
        case Character.POSTMAN:
            return replace(s, steps=s.steps + POSTMAN_STEPS)
        case Character.MUSHROOM if colour is not None:
            return replace(s, ignored=int(colour))
        case Character.PRINCESS if colour is not None:
            return seat_student(s, colour)
        case Character.MINSTREL if colour is not None and give is not None:
            return seat_student(_without_student(s, colour), give)
        case Character.THIEF if colour is not None:
            halls = tuple((*hall[:colour], max(0, hall[colour] - 3), *hall[colour + 1 :]) for hall in s.halls)
            return replace(s, halls=halls)
        case Character.FARMER:
            for professor in range(5):
                s = _with_professor(s, professor)
            return s
        case _:
            return s
