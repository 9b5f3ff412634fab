"""Models of the original programs play at tables of every kind, in every seat, and the match always continues."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations, product
from typing import Any

import pytest

from boardwire.games import eriantys
from boardwire.games.eriantys.options import CloudTime, Mode
from boardwire.games.santorini import Draft, God, Options
from boardwire.lobby.requests import Open, Seek
from boardwire.table.events import Player
from boardwire.table.guest import Guest

from .strict_clients.room import PROGRAMS, Room

SANTORINI = tuple(name for name, (door, _) in PROGRAMS.items() if door.startswith("santorini") or door == "native")
STRICT = tuple(program for program in SANTORINI if program != "native")
GODS = (God.PAN, God.ATLAS, God.APOLLO)
POSITION = "0001022a40000000000000000/1/pan:A1,B1/apollo:C1,D1/atlas:A2,B2"


def slow_unless(quick: Callable[..., bool], cases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Mark the cases of a test that run only with the slow tests."""
    return [pytest.param(*case, marks=() if quick(*case) else pytest.mark.slow) for case in cases]


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
    room.server.lobby.do(Guest(lambda notification: None), Open(seek))


def sit(room: Room, programs: tuple[str, ...]) -> None:
    for number, program in enumerate(programs):
        room.come(program, f"name{number}", len(programs))


SETUPS = [(draft, seats) for draft in Draft for seats in (2, 3) if (draft, seats) != (Draft.FLEECE, 3)]


@pytest.mark.parametrize("first", range(len(STRICT)), ids=STRICT.__getitem__)
@pytest.mark.parametrize(("draft", "seats"), SETUPS)
def test_every_program_plays_in_every_seat_of_a_table_with_any_draft(draft: Draft, seats: int, first: int) -> None:
    """Programs join in a ring, so each takes each seat once."""
    room = Room(first)
    open_natively(room, draft, seats)
    sit(room, tuple(STRICT[(first + seat) % len(STRICT)] for seat in range(seats)))
    room.ended_well()


@pytest.mark.parametrize("program", STRICT)
@pytest.mark.parametrize("draft", list(Draft))
def test_a_program_that_comes_last_may_have_the_first_seat(draft: Draft, program: str) -> None:
    """Its login completes the table: its own identity must come before its first question."""
    room = Room(5)
    holder = Guest(lambda notification: None)
    room.server.lobby.do(holder, Seek("santorini", 2, Player(), options(draft, 2), ready=False))
    room.come("native", "name1", 2)
    room.server.lobby.disconnected(holder)
    room.come(program, "name0", 2)
    room.ended_well()
    assert [player and player.name for player in room.play().players] == ["name0", "name1"]


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


def follows(opener: str, third: str) -> bool:
    """Return whether one program is next in the ring of all."""
    return (SANTORINI.index(opener) + 3) % len(SANTORINI) == SANTORINI.index(third)


@pytest.mark.parametrize(("opener", "third"), slow_unless(follows, product(SANTORINI, repeat=2)))
def test_a_program_plays_in_the_seat_of_an_opener_who_left(opener: str, third: str) -> None:
    number = SANTORINI.index(opener) + SANTORINI.index(third)
    second, fourth = (SANTORINI[(number + more) % len(SANTORINI)] for more in (1, 4))
    play_after_the_opener_left(opener, second, third, fourth, number)


@pytest.mark.slow
@pytest.mark.parametrize("programs", [*product(SANTORINI, repeat=3)], ids=" ".join)
def test_any_three_programs_play_at_the_table_of_the_first_and_after_an_opener_left(programs: tuple[str, ...]) -> None:
    room = Room(3)
    sit(room, programs)
    room.ended_well()
    opener, third, fourth = programs
    for second in SANTORINI[len(third) % 3 :: 3]:
        play_after_the_opener_left(opener, second, third, fourth, 4)


# --- Eriantys ---------------------------------------------------------------------------------------------------------

ERIANTYS = ("eriantys", "messages", "native")
TOWERS = {2: "WHITE BLACK", 3: "WHITE BLACK GREY", 4: "WHITE BLACK WHITE BLACK"}


def sit_for_eriantys(room: Room, programs: tuple[str, ...], mode: Mode) -> None:
    for number, (program, tower) in enumerate(zip(programs, TOWERS[len(programs)].split(), strict=True)):
        wanted = {"options": f'{{"mode":"{mode}"}}'} if program == "native" else {"mode": mode, "tower": tower}
        room.come(program, f"name{number}", len(programs), **wanted)


def includes_the_shipped_program(programs: tuple[str, ...], mode: Mode) -> bool:
    return len(programs) == 2 and "eriantys" in programs and mode is Mode.EXPERT


@pytest.mark.parametrize(
    ("programs", "mode"),
    slow_unless(
        includes_the_shipped_program, product([*product(ERIANTYS, repeat=2), *permutations(ERIANTYS)], list(Mode))
    ),
)
def test_any_programs_of_eriantys_play_at_the_table_of_the_first(programs: tuple[str, ...], mode: Mode) -> None:
    room = Room(1, "eriantys")
    sit_for_eriantys(room, programs, mode)
    room.ended_well()


@pytest.mark.parametrize(
    ("first", "seats", "mode", "cloud"),
    slow_unless(
        lambda first, seats, mode, cloud: seats == 2 and mode is Mode.SIMPLIFIED,
        product(range(2), (2, 3, 4), list(Mode), list(CloudTime)),
    ),
)
def test_the_shipped_program_of_eriantys_plays_in_every_seat_with_any_options(
    first: int, seats: int, mode: Mode, cloud: CloudTime
) -> None:
    room = Room(2, "eriantys")
    options = eriantys.Options(mode=mode, cloud=cloud)
    seek = Seek("eriantys", seats, Player(dialect="native"), options, terms=(mode.value,))
    room.server.lobby.do(Guest(lambda notification: None), Open(seek))
    sit_for_eriantys(room, tuple(ERIANTYS[(first + seat) % 2] for seat in range(seats)), mode)
    room.ended_well()


@pytest.mark.parametrize(
    ("opener", "second"),
    slow_unless(lambda opener, second: second == "eriantys", product(ERIANTYS, repeat=2)),
)
def test_a_program_of_eriantys_plays_in_the_seat_of_an_opener_who_left(opener: str, second: str) -> None:
    room = Room(3, "eriantys")
    gone = room.come(opener, "gone", 3, mode="simplified", tower="GREY")
    room.come(second, "name0", 3, mode="simplified", tower="WHITE")
    room.leave(gone)
    room.come("eriantys", "name1", 3, mode="simplified", tower="BLACK")
    room.come(second, "name2", 3, mode="simplified", tower="GREY")
    room.ended_well()


# --- Tris and Forza Quattro -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", [False, True], ids=["stays", "leaves"])
@pytest.mark.parametrize("game", ["tris", "forza"])
@pytest.mark.parametrize("natives", [(False, False), (False, True), (True, False)], ids=["lines", "opens", "joins"])
def test_programs_of_lines_play_in_both_seats(natives: tuple[bool, bool], game: str, leaves: bool) -> None:
    for seed in range(3):
        room = Room(seed, game)
        if leaves:
            room.leave(room.come(game, "gone", 2))
        for number, native in enumerate(natives):
            room.come("native" if native else game, f"name{number}", 2)
        room.ended_well()
