"""First messages and names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.lobby import MAX_NAME_LENGTH, SeatRequest, greet, name_with
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.wish import Wish
from boardwire.lobby.requests import Seek
from boardwire.table.commands import Close
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.ports import AppendResult
from boardwire.table.termination import Termination

from .spoken import Caller, Hall, kinds, login


@pytest.mark.parametrize(("text", "seats"), [("2 players", 2), ("3 players", 3), ("2", 2), ("3x", 3)])
def test_only_the_first_character_counts(text: str, seats: int) -> None:
    for edition in (Edition.D1, Edition.D2):
        assert greet(edition, wire.Message(text)) == SeatRequest(seats)


@pytest.mark.parametrize("digit", "0145678９")
def test_quirk_d1_seats_any_other_digit_with_three(digit: str) -> None:
    assert greet(Edition.D1, wire.Message(f"{digit} players")) == (b"" if digit == "９" else SeatRequest(3))
    assert greet(Edition.D2, wire.Message(f"{digit} players")) == b""


@pytest.mark.parametrize("name", ["a\nb", "\ud800", "x" * 33, " ", "\u200b"])
def test_f_refuses_invalid_names(name: str) -> None:
    assert greet(Edition.F, wire.Connection(2, name)) == Edition.F.encode(wire.Message("ERROR_NOT_VALID_NAME"))


@pytest.mark.parametrize("name", ["Ännchen", "名前", "🙂", "x" * 32, "O'Neil, jr."])
def test_f_accepts_names_in_all_scripts(name: str) -> None:
    assert greet(Edition.F, wire.Connection(3, name)) == SeatRequest(3, name)


@pytest.mark.parametrize(
    ("name", "attempt", "fitted"),
    [
        ("Anna", 1, "Anna"),
        ("Anna", 2, "Anna 2"),
        ("  ", 1, "Player 2"),
        ("a\nb", 1, "a b"),
        ("\ud800", 1, "Player 2"),
        ("x" * 40, 1, "x" * MAX_NAME_LENGTH),
        ("x" * 40, 3, "x" * (MAX_NAME_LENGTH - 2) + " 3"),
    ],
)
def test_a_name_in_d_is_made_valid(name: str, attempt: int, fitted: str) -> None:
    assert name_with(name, 1, attempt) == fitted


@pytest.mark.parametrize("name", ["D", "D1", "F"])
def test_a_silent_client_is_disconnected_without_a_seat(name: str) -> None:
    server = Hall(seed=0)
    caller = Caller(server, name)
    caller.peer.drop()
    assert not server.journals()
    assert caller.peer.dialect.handshake == 10.0


@pytest.mark.parametrize("name", ["D", "F"])
def test_an_unnamed_client_that_leaves_frees_its_seat(name: str) -> None:
    server = Hall(seed=0)
    gone, stays = Caller(server, name), Caller(server, name)
    stays.say(login(stays.edition, 3, "Stays"))
    gone.say(login(gone.edition, 3, "Gone"))
    gone.peer.drop()
    assert stays.told() == []
    assert server.match().players[0] is not None
    assert server.match().players[1] is None


@pytest.mark.parametrize("name", ["D", "F"])
def test_a_table_with_unknown_gods_is_skipped_for_a_new_one(name: str) -> None:
    server = Hall(seed=0)
    other = Guest(lambda notification: None)
    wish = Wish((God.HERMES, God.SELENE))
    server.lobby.do(other, Seek("santorini", 2, Player("other", "native"), Options(Draft.PRINTED), wish=wish))
    caller = Caller(server, name)
    caller.say(login(caller.edition, 2, "Anna"))
    assert not caller.peer.closed
    assert len(server.journals()) == 2
    assert server.match("match-2").players[0] is not None


@pytest.mark.parametrize("name", ["D", "F"])
def test_a_stopping_server_disconnects_waiting_clients(name: str) -> None:
    server = Hall(seed=0)
    caller = Caller(server, name)
    caller.say(login(caller.edition, 2, "Anna"))
    for table in tuple(server.lobby):
        table.do(None, Close(Termination.INTERRUPTED))
    assert caller.peer.closed
    assert caller.told() == []


@pytest.mark.parametrize("name", ["D", "F"])
def test_a_hundred_bad_messages_while_waiting_end_the_connection(name: str) -> None:
    server = Hall(seed=0)
    caller = Caller(server, name)
    caller.say(login(caller.edition, 2, "Anna"))
    useless = wire.ConsolidateMove(1, None)
    caller.say(*[useless] * 99)
    assert not caller.peer.closed
    caller.say(useless)
    assert caller.peer.closed
    assert caller.told() == []


def test_attempts_to_store_a_name_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Hall(seed=0)
    anna, bruno = Caller(server), Caller(server)
    for caller in (anna, bruno):
        caller.say(wire.Message("2 players"))
    monkeypatch.setattr(server.journal, "append", lambda match, first, events, done: done(AppendResult.FAILED))
    anna.say(wire.Message("Anna"))
    assert anna.peer.closed
    assert kinds(bruno.told()) == ["Message"]


@pytest.mark.parametrize("name", ["D", "F"])
def test_a_server_without_free_seats_disconnects(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Hall(seed=0)
    monkeypatch.setattr(server.journal, "append", lambda match, first, events, done: done(AppendResult.FAILED))
    caller = Caller(server, name)
    caller.say(login(caller.edition, 2, "Anna"))
    assert caller.peer.closed


@pytest.mark.parametrize("name", ["D", "F"])
def test_a_client_may_disconnect_while_its_seat_is_being_stored(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Hall(seed=0)
    slow: list[Callable[[bool], None]] = []
    monkeypatch.setattr(server.journal, "append", lambda match, first, events, done: slow.append(done))
    caller = Caller(server, name)
    caller.say(login(caller.edition, 2, "Anna"))
    caller.peer.drop()
    assert len(slow) == 1
    assert not caller.peer.faults
