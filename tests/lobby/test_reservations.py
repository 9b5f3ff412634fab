"""Seats that an organiser has reserved: who may take them, and how programs of every dialect find theirs."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over
from boardwire.errors import Reason, Refused
from boardwire.games import eriantys
from boardwire.lobby.requests import Enter, Seek, Watch
from boardwire.lobby.reservations import SeatReservation
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Refusal, Watching
from boardwire.table.match import Status, fold
from boardwire.table.policy import Policy

GAMES: Final = ("tris", "forza", "santorini", "eriantys")
DIALECTS: Final = [(name, game) for game in GAMES for name in dialects.of_game(game) if name != "native"]
NAMED: Final = [name for name, _ in DIALECTS if dialects.dialect(name).names_first]


def open_table(server: SimulatedServer, game: str, seats: list[SeatReservation], **fields: Any) -> str:
    options = eriantys.Options(eriantys.Mode.EXPERT) if game == "eriantys" else None
    seek = Seek(game, len(seats), Player(dialect="native"), options, Policy(per_move=30.0), **fields)
    return server.lobby.open_reserved(seek, seats).match.id


class Program:
    """A program that plays at random."""

    def __init__(
        self, server: SimulatedServer, dialect: str, name: str, seed: int, reserved: tuple[str, int] | None = None
    ) -> None:
        self._luck = Random(seed)
        self.over: Over | None = None
        mode = {"mode": "expert"} if dialect.startswith("eriantys") else {}
        self.client = SimulatedClient(dialect, self._receive, ClientOptions(name, 2, mode), server.clock)
        self.peer = SimulatedConnection(server, dialects.dialect(dialect), reserved)

    @property
    def pair(self) -> tuple[SimulatedClient, SimulatedConnection]:
        return self.client, self.peer

    def _receive(self, client: SimulatedClient, notification: Any) -> None:
        match notification:
            case Ask(decision=decision):
                client.talk.tell(Answer(self._luck.choice(tuple(decision.choices))))
            case Over():
                self.over = notification


def play(server: SimulatedServer, *programs: Program) -> None:
    pairs = [program.pair for program in programs]
    play_together(server, pairs)
    for _ in range(3):  # eriantys-objects looks again after a second
        server.clock.pass_time(1.0)
        play_together(server, pairs)


@pytest.mark.parametrize(("dialect", "game"), DIALECTS)
def test_a_program_that_comes_to_the_port_of_a_seat_plays_there(dialect: str, game: str) -> None:
    """Also if the seats are taken in the other order, and while other tables of the game wait."""
    server = SimulatedServer(seed=1)
    other = Program(server, dialect, "other", 9)
    play(server, other)
    match = open_table(server, game, [SeatReservation(0), SeatReservation(1)])
    second = Program(server, dialect, "ann", 1, (match, 1))
    play(server, other, second)
    assert [player is not None for player in server.match(match).players] == [False, True]
    first = Program(server, dialect, "bob", 2, (match, 0))
    play(server, other, second, first)
    assert server.match(match).status is Status.OVER
    assert first.over is not None
    assert second.over is not None
    assert other.over is None


@pytest.mark.parametrize("dialect", NAMED)
def test_a_program_finds_its_seat_by_its_name(dialect: str) -> None:
    server = SimulatedServer(seed=2)
    (game,) = [game for name, game in DIALECTS if name == dialect]
    family = dialect.partition("/")[0]
    match = open_table(server, game, [SeatReservation(0, "ann", family), SeatReservation(1, "Bob", family)])
    bob = Program(server, dialect, "bob", 1)
    stranger = Program(server, dialect, "eve", 3)
    play(server, stranger, bob)
    assert [player is not None for player in server.match(match).players] == [False, True]
    ann = Program(server, dialect, "ann", 2)
    play(server, stranger, bob, ann)
    assert server.match(match).status is Status.OVER
    assert stranger.over is None


@pytest.mark.parametrize(("dialect", "game"), DIALECTS)
def test_the_dialects_in_which_names_come_first_are_those_that_find_a_seat_by_name(dialect: str, game: str) -> None:
    server = SimulatedServer(seed=2)
    family = dialect.partition("/")[0]
    match = open_table(server, game, [SeatReservation(0, "ann", family), SeatReservation(1, "bob", family)])
    play(server, Program(server, dialect, "ann", 1))
    assert (server.match(match).players[0] is not None) == dialects.dialect(dialect).names_first


@pytest.mark.parametrize("dialect", ["forza-lines", "eriantys-objects"])
def test_a_name_with_several_seats_gets_the_oldest_waiting_table(dialect: str) -> None:
    server = SimulatedServer(seed=2)
    (game,) = [game for name, game in DIALECTS if name == dialect]
    seats = [SeatReservation(0, "ann", dialect), SeatReservation(1, "bob", dialect)]
    first, second = open_table(server, game, seats), open_table(server, game, seats)
    for match in (first, second):
        ann, bob = Program(server, dialect, "ann", 1), Program(server, dialect, "bob", 2)
        play(server, ann, bob)
        assert server.match(match).status is Status.OVER


def test_a_program_that_asks_for_another_size_is_refused() -> None:
    server = SimulatedServer()
    match = open_table(server, "santorini", [SeatReservation(0, "ann", "santorini-actions"), SeatReservation(1)])
    heard: list[Any] = []
    guest = Guest(heard.append)
    server.lobby.do(guest, Seek("santorini", 3, Player("ann", "santorini-actions")))
    (refusal,) = heard
    assert isinstance(refusal, Refusal)
    assert str(refusal.reason) == "your seat is at a table for 2 players, not 3"
    assert server.match(match).players == (None, None)


class Person:
    """A guest of the native dialect."""

    def __init__(self, server: SimulatedServer, address: str = "") -> None:
        self.heard: list[Any] = []
        self.guest = Guest(self.heard.append, address)
        self._server = server

    def ask(self, request: Any) -> Any:
        self._server.lobby.do(self.guest, request)
        return self.heard[-1]


def test_a_code_admits_to_its_seat_alone_and_gives_the_seats_name() -> None:
    server = SimulatedServer()
    match = open_table(server, "tris", [SeatReservation(0, "Rossi", code="A" * 12), SeatReservation(1, code="B" * 12)])
    guest = Person(server)
    guest.ask(Enter(match, Player("someone", "native"), "A" * 12, seat=1))
    players = server.match(match).players
    assert players[0] == Player("Rossi", "native")
    assert players[1] is None
    again = Person(server).ask(Enter(match, Player("else", "native"), "A" * 12))
    assert isinstance(again, Refusal)
    assert again.reason.reason is Reason.SEAT_TAKEN


@pytest.mark.parametrize("code", ["", "WRONG"])
def test_a_guest_without_a_seats_code_is_refused(code: str) -> None:
    server = SimulatedServer()
    match = open_table(server, "tris", [SeatReservation(0, code="A" * 12), SeatReservation(1, code="B" * 12)])
    refusal = Person(server).ask(Enter(match, Player("eve", "native"), code))
    assert isinstance(refusal, Refusal)
    assert refusal.reason.reason is Reason.PRIVATE
    assert isinstance(Person(server).ask(Watch(match, code)), Refusal)


def test_the_code_of_the_table_admits_spectators_but_gives_no_seat() -> None:
    server = SimulatedServer()
    match = open_table(server, "tris", [SeatReservation(0, code="A" * 12), SeatReservation(1, code="B" * 12)])
    code = server.lobby.table(match).match.setting.code
    refusal = Person(server).ask(Enter(match, Player("eve", "native"), code))
    assert isinstance(refusal, Refusal)
    assert refusal.reason.reason is Reason.PRIVATE
    assert isinstance(Person(server).ask(Watch(match, code)), Watching)


def test_wrong_codes_of_seats_are_limited_by_address() -> None:
    server = SimulatedServer()
    match = open_table(server, "tris", [SeatReservation(0, code="A" * 12), SeatReservation(1, code="B" * 12)])
    eve = Person(server, "192.0.2.1")
    for _ in range(60):
        assert eve.ask(Watch(match, "X")).reason.reason is Reason.PRIVATE
    assert eve.ask(Watch(match, "A" * 12)).reason.reason is Reason.LIMIT


def test_a_reserved_table_is_not_listed_and_not_offered() -> None:
    server = SimulatedServer()
    match = open_table(server, "tris", [SeatReservation(0, code="A" * 12), SeatReservation(1, code="B" * 12)])
    assert server.lobby.survey() == ()
    server.connect("tris-lines")
    assert server.match(match).players == (None, None)


def test_a_reserved_table_stays_open_when_its_players_leave_before_the_start() -> None:
    server = SimulatedServer()
    match = open_table(server, "tris", [SeatReservation(0), SeatReservation(1)])
    program = Program(server, "tris-lines", "", 1, (match, 0))
    play(server, program)
    program.peer.drop()
    assert server.match(match).status is Status.WAITING
    again, other = (Program(server, "tris-lines", "", seat, (match, seat)) for seat in (0, 1))
    play(server, again, other)
    assert server.match(match).status is Status.OVER


def test_a_waiting_table_is_restored_with_its_seats_free() -> None:
    server = SimulatedServer()
    seats = [SeatReservation(0), SeatReservation(1)]
    match = open_table(server, "tris", seats)
    play(server, Program(server, "tris-lines", "", 1, (match, 0)))
    again = SimulatedServer()
    for name in server.journal.names():
        again.journal.append(name, 1, server.journal.read(name), lambda result: None)
    again.lobby.restore_reserved(fold(again.journal.read(match)), seats)
    again.lobby.recover()
    assert again.match(match).players == (None, None)
    first, other = (Program(again, "tris-lines", "", seat, (match, seat)) for seat in (0, 1))
    play(again, first, other)
    assert again.match(match).status is Status.OVER


def test_a_table_that_could_not_be_played_is_not_opened() -> None:
    server = SimulatedServer()
    with pytest.raises(Refused, match="tris is for 2 players, not 3"):
        open_table(server, "tris", [SeatReservation(0), SeatReservation(1), SeatReservation(2)])
    assert list(server.journal.names()) == []
