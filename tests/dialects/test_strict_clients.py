"""Models of the original programs play at tables of every kind, in every seat, and the match always goes on."""

from __future__ import annotations

from itertools import product

import pytest

from boardwire.games.santorini import Draft, God, Options
from boardwire.table.errands import Open, Seek
from boardwire.table.events import Player
from boardwire.table.guest import Guest

from .strict_clients.room import PROGRAMS, Room

SANTORINI = tuple(PROGRAMS)
STRICT = tuple(program for program in SANTORINI if program != "native")
GODS = (God.PAN, God.ATLAS, God.APOLLO)
POSITION = "0001022a40000000000000000/1/pan:A1,B1/apollo:C1,D1/atlas:A2,B2"


def options(draft: Draft, seats: int) -> Options:
    if draft is Draft.GIVEN:
        return Options(draft, gods=GODS[:seats])
    if draft is Draft.FLEECE:
        return Options(draft, gods=(God.PAN,))
    if draft is Draft.POSITION:
        return Options(draft, position=POSITION if seats == 3 else POSITION.rpartition("/")[0])
    return Options(draft)


def open_natively(room: Room, draft: Draft, seats: int) -> None:
    seek = Seek("santorini", seats, Player(dialect="native"), options(draft, seats))
    room.house.lobby.do(Guest(lambda news: None), Open(seek))


def sit(room: Room, programs: tuple[str, ...]) -> None:
    for number, program in enumerate(programs):
        room.come(program, f"name{number}", len(programs))


SETUPS = [(draft, seats) for draft in Draft for seats in (2, 3) if (draft, seats) != (Draft.FLEECE, 3)]


@pytest.mark.parametrize("first", range(len(STRICT)), ids=STRICT.__getitem__)
@pytest.mark.parametrize(("draft", "seats"), SETUPS)
def test_every_program_plays_in_every_seat_of_a_table_with_any_draft(draft: Draft, seats: int, first: int) -> None:
    """Programs come in a ring, so each of them sits in each seat once."""
    room = Room(first)
    open_natively(room, draft, seats)
    sit(room, tuple(STRICT[(first + seat) % len(STRICT)] for seat in range(seats)))
    room.ended_well()


@pytest.mark.parametrize("programs", [*product(SANTORINI, repeat=2)], ids=" ".join)
def test_any_two_programs_play_at_the_table_of_the_first(programs: tuple[str, ...]) -> None:
    room = Room(1)
    sit(room, programs)
    room.ended_well()


def play_after_the_opener_left(opener: str, second: str, third: str, fourth: str, seed: int) -> None:
    """A program opens a table for three, another one joins, the opener leaves, and two more come.

    A lobby that a user has left is over for its connections, so such a program connects again."""
    room = Room(seed)
    gone = room.come(opener, "gone", 3)
    other = room.come(second, "name0", 3)
    room.leave(gone)
    if other.closed:
        room.here.clear()
        room.come(second, "name0", 3)
    room.come(third, "name1", 3)
    room.come(fourth, "name2", 3)
    room.ended_well()


@pytest.mark.parametrize(("opener", "third"), [*product(SANTORINI, repeat=2)])
def test_a_program_plays_in_the_seat_of_an_opener_who_left(opener: str, third: str) -> None:
    number = SANTORINI.index(opener) + SANTORINI.index(third)
    second, fourth = (SANTORINI[(number + more) % len(SANTORINI)] for more in (1, 4))
    play_after_the_opener_left(opener, second, third, fourth, number)
