"""Encoding and decoding of lines."""

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import IDENTIFIERS, OFFERED_GODS, god_by_name
from boardwire.errors import Malformed
from boardwire.games.santorini import God
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.games.santorini.squares import square_name

USER = wire.User("bob")
CELL = wire.Coordinate(1, 2)
MOVE = wire.ActionName("Move")
GOD = wire.GodName("Pan", "down")

LINES: dict[str, wire.Request | wire.Event | wire.Ping] = {
    '{"type":"PING","content":{}}': wire.Ping(),
    '{"type":"SELECT_PLAYER_NUMBER","content":{"size":2}}': wire.SelectPlayerNumber(2),
    '{"type":"ADD_USER","content":{"user":{"username":"bob"}}}': wire.AddUser(USER),
    '{"type":"SELECT_GODS","content":{"user":{"username":"bob"},"gods":[{"name":"Pan","description":"down"}]}}': (
        wire.SelectGods(USER, (GOD,))
    ),
    '{"type":"CHOOSE_GOD","content":{"user":{"username":"bob"},"god":{"name":"Pan","description":"down"}}}': (
        wire.ChooseGod(USER, GOD)
    ),
    '{"type":"CHOOSE_FIRST_PLAYER","content":{"self":{"username":"bob"},"firstPlayer":{"username":"ann"}}}': (
        wire.ChooseFirstPlayer(USER, wire.User("ann"))
    ),
    '{"type":"PLACE_PAWNS","content":{"user":{"username":"bob"},"c1":{"x":1,"y":2},"c2":{"x":0,"y":0}}}': (
        wire.PlacePawns(USER, CELL, wire.Coordinate())
    ),
    '{"type":"CHECK_ACTION","content":{"user":{"username":"bob"},"id":1,"actionIdentifier":{"description":"Move"},'
    '"coordinate":{"x":1,"y":2}}}': wire.CheckAction(user=USER, id=1, action=MOVE, coordinate=CELL),
    '{"type":"EXECUTE_ACTION","content":{"user":{"username":"bob"},"id":1,"actionIdentifier":{"description":"Move"},'
    '"coordinate":{"x":1,"y":2}}}': wire.ExecuteAction(user=USER, id=1, action=MOVE, coordinate=CELL),
    '{"type":"RESULT","content":{"value":true}}': wire.Result(True),
    '{"type":"SIZE_SELECTED","content":{"size":3}}': wire.SizeSelected(3),
    '{"type":"USER_JOINED","content":{"user":{"username":"bob"}}}': wire.UserJoined(USER),
    '{"type":"GODS_AVAILABLE","content":{"gods":[]}}': wire.GodsAvailable(()),
    '{"type":"GOD_CHOSEN","content":{"user":{"username":"bob"},"godIdentifier":{"name":"Pan","description":"down"}}}': (
        wire.GodChosen(USER, GOD)
    ),
    '{"type":"REQUEST_PLACE_PAWNS","content":{"user":{"username":"bob"}}}': wire.RequestPlacePawns(USER),
    '{"type":"PAWN_PLACED","content":{"owner":{"username":"bob"},"pawnId":0,"coordinate":{"x":1,"y":2}}}': (
        wire.PawnPlaced(USER, 0, CELL)
    ),
    '{"type":"TURN_CHANGE","content":{"user":{"username":"bob"},"turn":0}}': wire.TurnChange(USER, 0),
    '{"type":"ACTION_READY","content":{"user":{"username":"bob"},"actionIdentifiers":[{"description":"Pass_turn"}]}}': (
        wire.ActionReady(USER, (wire.ActionName("Pass_turn"),))
    ),
    '{"type":"MOVE","content":{"from":{"x":1,"y":2},"to":{"x":0,"y":0}}}': (
        wire.Move(CELL, wire.Coordinate())
    ),
    '{"type":"BUILD","content":{"building":{"level":"LEVEL1","dome":false},"coordinate":{"x":1,"y":2}}}': (
        wire.Build(wire.Building("LEVEL1"), CELL)
    ),
    '{"type":"ELIMINATION","content":{"user":{"username":"bob"}}}': wire.Elimination(USER),
    '{"type":"WIN","content":{"user":{"username":"bob"}}}': wire.Win(USER),
    '{"type":"SERVER_ERROR","content":{"type":"User disconnected","description":"gone"}}': (
        wire.ServerError("User disconnected", "gone")
    ),
}  # fmt: skip


def test_every_message_has_an_example() -> None:
    assert {type(message) for message in LINES.values()} == {*get_args(wire.Request), *get_args(wire.Event), wire.Ping}


@pytest.mark.parametrize("line", LINES)
def test_a_message_is_written_as_this_line_and_read_from_it(line: str) -> None:
    message = LINES[line]
    assert wire.encode(message) == line.encode() + b"\n"
    parse = wire.parse_request if isinstance(message, get_args(wire.Request)) else wire.parse_event
    assert parse(line.encode()) == message


@pytest.mark.parametrize("line", LINES)
def test_a_truncated_line_is_malformed(line: str) -> None:
    for end in range(len(line)):
        for parse in (wire.parse_request, wire.parse_event):
            with pytest.raises(Malformed):
                parse(line[:end].encode())


@settings(max_examples=60, deadline=None)
@given(some.text(max_size=20))
def test_names_in_all_scripts_are_encoded_as_ascii(name: str) -> None:
    line = wire.encode(wire.UserJoined(wire.User(name)))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["content"]["user"]["username"] == name
    assert wire.parse_event(line.rstrip(b"\n")) == wire.UserJoined(wire.User(name))


NOISE = some.none() | some.integers() | some.text(max_size=9) | some.lists(some.integers(), max_size=3)


@settings(max_examples=60, deadline=None)
@given(some.binary(max_size=99) | NOISE.map(lambda it: msgspec.json.encode({"type": "EXECUTE_ACTION", "content": it})))
def test_random_bytes_raise_only_malformed(noise: bytes) -> None:
    with pytest.raises(Malformed):
        wire.parse_request(noise)


def test_deviations_that_the_program_accepts_are_accepted() -> None:
    assert wire.parse_request(b'{"x":[],"content":{"size":"2","y":{}},"type":"SELECT_PLAYER_NUMBER"}') == (
        wire.SelectPlayerNumber(2)
    )
    deed = (
        b'{"type":"EXECUTE_ACTION","content":{"user":{"username":"bob"},'
        b'"actionIdentifier":{"description":"Move"},"coordinate":{"x":3}}}'
    )
    expected = wire.ExecuteAction(user=USER, action=MOVE, coordinate=wire.Coordinate(3, 0))
    assert wire.parse_request(deed) == expected, "a missing number is 0"


def test_a_cell_is_the_square_of_the_same_name() -> None:
    for square, cell in enumerate(wire.CELLS):
        assert square_name(square) == f"{'ABCDE'[cell.x]}{cell.y + 1}"
        assert wire.square_of(cell) == square
    for off in (wire.Coordinate(-1, 0), wire.Coordinate(0, 5), None):
        assert wire.square_of(off) is None


def test_the_sixteen_gods_are_on_offer_in_their_order() -> None:
    assert set(OFFERED_GODS) <= set(POWERS)
    assert len(set(OFFERED_GODS)) == 16


def test_a_god_is_known_by_its_name_in_any_case() -> None:
    for god, identifier in IDENTIFIERS.items():
        assert god_by_name(identifier.name.upper()) is god
        assert identifier.description
    assert god_by_name("Nobody") is None
    assert IDENTIFIERS[God.PAN].name == "Pan"
