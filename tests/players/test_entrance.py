"""The entrance: guests, players and programs at tables of every dialect."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from boardwire import dialects
from boardwire.dialects.native import messages as wire
from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import Seek
from boardwire.players.account import Scope
from boardwire.players.accounts import Accounts
from boardwire.players.entrance import Entrance
from boardwire.players.programs import Program
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.table.events import Joined, Player, account_key
from boardwire.table.guest import Guest
from boardwire.wire.codec import feed
from boardwire.wire.websocket import FrameDecoder, encode_text

GUEST = "a-guest's-token-from-the-welcome"


class Place:
    """A server with an entrance."""

    def __init__(self, accounts: Accounts, *programs: Program) -> None:
        self.accounts = accounts
        self.server = SimulatedServer()
        self.lobby = Entrance(self.server.lobby, accounts.directory, programs)

    @property
    def clock(self) -> ManualClock:
        return self.server.clock

    def native(self, name: str = "", token: str = "") -> Native:
        return Native(self, name, token)

    def players(self, match: str = "match-1") -> list[Player]:
        return [one.player for one in self.server.events(match) if isinstance(one, Joined)]


class Native:
    """A native client."""

    def __init__(self, place: Place, name: str, token: str) -> None:
        self._connection = SimulatedConnection(place, dialects.dialect("native"))
        self._decoder = FrameDecoder(masked=False)
        (self.welcome,) = self.ask(wire.Hello(name=name, token=token))

    def ask(self, request: wire.Request) -> list[Any]:
        self._connection.send(encode_text(wire.encode(request), b"\0\0\0\0"))
        told: list[Any] = []
        feed(self._decoder, self._connection.take(), told.append)
        return [wire.decode_reply(text) for text in told if isinstance(text, str)]

    def drop(self) -> None:
        self._connection.drop()


@pytest.fixture
def place(accounts: Accounts) -> Place:
    return Place(accounts)


def test_a_player_has_its_name_and_account_at_tables_on_every_device(place: Place) -> None:
    session = asyncio.run(place.accounts.claim("Ann"))
    other = asyncio.run(place.accounts.recover("Ann", session.recovery))
    first, second = place.native("whatever", session.token), place.native(token=other.token)
    assert first.welcome.name == second.welcome.name == "Ann"
    first.ask(wire.Open(game="tris"))
    (player,) = place.players()
    assert (player.name, player.account, player.key) == ("Ann", session.account.id, account_key(session.account.id))


def test_a_seat_is_resumed_from_another_device(place: Place) -> None:
    session = asyncio.run(place.accounts.claim("Ann"))
    first, bob = place.native(token=session.token), place.native("Bob")
    first.ask(wire.Open(game="tris"))
    bob.ask(wire.Join(match="match-1"))
    first.drop()
    other = asyncio.run(place.accounts.recover("Ann", session.recovery))
    second = place.native(token=other.token)
    assert [kept.match for kept in second.welcome.kept] == ["match-1"]
    assert isinstance(second.ask(wire.Resume(match="match-1", seat=0))[0], wire.Seated)


def test_a_seat_of_the_guest_time_is_resumed_by_the_account(place: Place) -> None:
    guest, bob = place.native("Ann", GUEST), place.native("Bob")
    guest.ask(wire.Open(game="tris"))
    bob.ask(wire.Join(match="match-1"))
    guest.drop()
    session = asyncio.run(place.accounts.claim("Ann", token_hash(GUEST)))
    ann = place.native(token=session.token)
    assert [kept.match for kept in ann.welcome.kept] == ["match-1"]
    assert isinstance(ann.ask(wire.Resume(match="match-1", seat=0))[0], wire.Seated)


def test_a_stranger_cannot_resume_the_seat_of_an_account(place: Place) -> None:
    session = asyncio.run(place.accounts.claim("Ann"))
    ann, bob = place.native(token=session.token), place.native("Bob")
    ann.ask(wire.Open(game="tris"))
    bob.ask(wire.Join(match="match-1"))
    ann.drop()
    stranger = place.native("Ann", "player:1-and-many-more-characters")
    assert stranger.welcome.kept == ()
    (refused,) = stranger.ask(wire.Resume(match="match-1", seat=0))
    assert refused.code == "not-your-seat"


def test_a_guest_with_a_claimed_name_is_called_a_guest(place: Place) -> None:
    asyncio.run(place.accounts.claim("Ann"))
    guest = place.native("ANN")
    assert guest.welcome.name == "ANN (guest)"
    guest.ask(wire.Open(game="tris"))
    assert [(one.name, one.account) for one in place.players()] == [("ANN (guest)", 0)]


def test_the_name_of_a_guest_who_sits_already_is_refused_at_the_next_table_once_it_is_claimed(place: Place) -> None:
    guest = place.native("Ann")
    asyncio.run(place.accounts.claim("Ann"))
    (refused,) = guest.ask(wire.Open(game="tris"))
    assert refused.code == "name-taken"


def test_a_token_that_may_not_play_is_refused(place: Place) -> None:
    session = asyncio.run(place.accounts.claim("Ann"))
    token = asyncio.run(place.accounts.add_api_token(session.account.id, "pairing", [Scope.ORGANISE]))
    assert place.native(token=token).welcome.code == "bad-token"


def test_a_deleted_account_cannot_sit_down_any_more(place: Place) -> None:
    session = asyncio.run(place.accounts.claim("Ann"))
    ann = place.native(token=session.token)
    asyncio.run(place.accounts.delete(session.account.id))
    (refused,) = ann.ask(wire.Open(game="tris"))
    assert refused.code == "bad-token"


# --- programs of the other dialects -----------------------------------------------------------------------------------


def line(place: Place, dialect: str, *lines: str) -> bytes:
    connection = SimulatedConnection(place, dialects.dialect(dialect))
    for one in lines:
        connection.send(one.encode() + b"\n")
    return connection.take()


def test_a_claimed_name_is_refused_to_programs(place: Place) -> None:
    asyncio.run(place.accounts.claim("Ann"))
    assert line(place, "forza-lines", "ann") != line(place, "forza-lines", "bob")
    assert [one.name for one in place.players()] == ["bob"]


def test_a_program_is_recognised_by_its_secret_name_which_is_not_shown(accounts: Accounts) -> None:
    accounts.ensure_programs(["blue"])
    place = Place(accounts, Program("blue", secret="-x7f2k9q"))
    told = line(place, "forza-lines", "blue-x7f2k9q")
    account = accounts.directory.named("blue")
    assert account is not None
    assert [(one.name, one.account) for one in place.players()] == [("blue", account.id)]
    assert b"x7f2k9q" not in told + line(place, "forza-lines", "red")


@pytest.mark.parametrize(
    ("program", "is_it"),
    [
        (Program("blue", port=7102), True), (Program("blue", port=7103), False),
        (Program("blue", address="10.0.0.0/8"), True), (Program("blue", address="10.0.0.8"), False),
        (Program("blue", port=7102, dialect="tris-lines"), True),
        (Program("blue", port=7102, dialect="forza-lines"), False),
        (Program("blue", secret="-secret"), False),
    ],
)  # fmt: skip
def test_a_program_is_recognised_by_its_port_or_address(program: Program, is_it: bool) -> None:
    assert program.matches("tris-lines", "x", "10.0.0.7", 7102) is is_it
    assert not program.matches("native", "x", "10.0.0.7", 7102)


def test_a_nameless_program_gets_the_name_of_its_player(accounts: Accounts) -> None:
    accounts.ensure_programs(["deep-tris"])
    place = Place(accounts, Program("deep-tris", port=7102))
    place.lobby.do(Guest(lambda _: None, port=7102), Seek("tris", 2, Player(dialect="tris-lines")))
    assert [one.name for one in place.players()] == ["deep-tris"]
