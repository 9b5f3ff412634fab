"""Bad input in every phase leaves the journal unchanged and is reported only to its sender."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.session import MAX_BAD_MESSAGES
from boardwire.errors import Malformed
from boardwire.simulation.server import SimulatedServer

from .players import Raw, kinds, sit, start_from

GARBAGE = [
    b"",
    b"garbage",
    b"[]",
    b"7",
    b"null",
    b"{}",
    b"\xff\xfe",
    b'{"type":7}',
    b'{"type":"Dance"}',
    b'{"type":"WinMessage","winner":["bob"]}',
    b'{"type":"LoginRequest","nickname":"\xff"}',
    b'{"type":"LoginRequest","nickname":"\\ud800"}',
    b'{"type":"LoginRequest","nickname":null}',
    b'{"type":"PlayerNicknameMessage","numPlayers":"2","colorTower":"WHITE","gameMode":"expert"}',
    b'{"type":"PlayerNicknameMessage","numPlayers":2,"colorTower":"WHITE"}',
    b'{"type":"PlayAssistantCardMessage"}',
    b'{"type":"PlayAssistantCardMessage","assistantCard":"3"}',
    b'{"type":"PlayAssistantCardMessage","assistantCard":{"movement":3}}',
    b'{"type":"PlayAssistantCardMessage","assistantCard":true}',
    b'{"type":"StudentToHallMessage","students":"RED"}',
    b'{"type":"StudentToHallMessage","students":[1]}',
    b'{"type":"StudentToIslandMessage","students":["RED"]}',
    b'{"type":"StudentToIslandMessage","students":["RED"],"indexIsland":1.5}',
    b'{"type":"MoveMotherNatureMessage","movement":100000000000000000000000000}',
    b'{"type":"MoveMotherNatureMessage","movement":-2147483649}',
    b'{"type":"MoveMotherNatureMessage","movement":' + b"9" * 5000 + b"}",
    b'{"type":"AddStudentFromCloudToWaitingMessage","cloudIndex":null}',
    b'{"type":"PlayCharacterCardMessage","character":3}',
    b'{"type":"PlayCharacterCardMessage","character":"MONK","indexIsland":"1"}',
    b'{"type":"PingMessage"} and more',
    b'{"type":"PingMessage","more":' + b"[" * 5000,
    b"[" * 5000,
    b'{"type":"PingMessage"',
]

BOBS_TURN = (
    "turn = B; order = B A; card A = 3; card B = 5; cloud-time = either; entrance A = red 3 blue 4; entrance B = pink 7"
)
CLOUDS = "; cloud 0 = yellow 3; cloud 1 = green 3"
EXPERT = "; characters = jester thief knight; coins A = 9; coins B = 9"
PHASES = {
    "planning": f"asked = assistant; turn = B; first = B; cloud-time = either{CLOUDS}",
    "students": f"{BOBS_TURN}{CLOUDS}",
    "mother nature": f"{BOBS_TURN}{CLOUDS}; asked = steps; moved = 3",
    "cloud": f"{BOBS_TURN}{CLOUDS}; asked = cloud; moved = 3",
}


def moves() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every kind of move, valid and invalid."""
    for card in (-1, 0, 1, 3, 10, 11, {"value": 4}):
        yield "PlayAssistantCardMessage", {"assistantCard": card}
    for students in ([], ["RED"], ["RED", "RED", "BLUE"], ["PINK"], ["RED"] * 4, ["RED"] * 1000):
        yield "StudentToHallMessage", {"students": students}
        for index in (-1, 0, 11, 12):
            yield "StudentToIslandMessage", {"students": students, "indexIsland": index}
    for steps in (-1, 0, 1, 2, 3, 2**31 - 1):
        yield "MoveMotherNatureMessage", {"movement": steps}
    for cloud in (-1, 0, 1, 2):
        yield "AddStudentFromCloudToWaitingMessage", {"cloudIndex": cloud}
    yield "PlayCharacterCardMessage", {"character": "KNIGHT"}
    yield "PlayCharacterCardMessage", {"character": "THIEF", "student": "RED"}
    yield "PlayCharacterCardMessage", {"character": "JESTER", "students": ["RED"], "entrance": ["RED"]}
    yield "PlayCharacterCardMessage", {"character": "nobody", "indexIsland": 99}


ANSWERS = {
    "TextMessage",
    "InvalidCharacterCardMessage",
    "InvalidNumberStudentsMovedMessage",
    "InvalidMovementMessage",
    "LoginReply",
}


def assault(
    server: SimulatedServer, attacker: Raw, others: list[Raw], wrong: Iterator[tuple[str, dict[str, Any]]]
) -> set[str]:
    """Send everything that `attacker` may not request now; return the answers."""
    before = server.events()
    table = server.lobby.table("match-1").match
    heard: set[str] = set()
    for kind, arguments in wrong:
        (said,) = attacker.say(kind, **arguments)
        assert said["type"] in ANSWERS, (kind, arguments, said)
        assert said.get("ask", wire.REFUSED) == wire.REFUSED, "a program can tell it from information"
        heard.add(said["type"])
    assert server.events() == before
    assert server.lobby.table("match-1").match is table
    assert not [said for other in others for said in other.take()]
    return heard


@pytest.mark.parametrize("mode", ["simplified", "expert"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_player_without_a_decision_can_do_nothing_in_any_phase(phase: str, mode: str) -> None:
    server, (ann, bob) = start_from(PHASES[phase] + (EXPERT if mode == "expert" else ""), mode)
    heard = assault(server, ann, [bob], moves())
    assert heard == {"TextMessage", "InvalidCharacterCardMessage"}
    assault(server, ann, [bob], iter([("LoginRequest", {}), ("EndGameMessage", {})]))
    register = {"numPlayers": 2, "colorTower": "WHITE", "gameMode": mode}
    assault(server, ann, [bob], iter([("PlayerNicknameMessage", register)]))
    assert ann.say("PingMessage") == []
    assert not ann.peer.closed


RIGHT = {
    "planning": ("PlayAssistantCardMessage",),
    "students": ("StudentToHallMessage", "StudentToIslandMessage", "AddStudentFromCloudToWaitingMessage"),
    "mother nature": ("MoveMotherNatureMessage",),
    "cloud": ("AddStudentFromCloudToWaitingMessage",),
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_player_with_a_decision_can_do_nothing_else(phase: str) -> None:
    server, (ann, bob) = start_from(PHASES[phase])
    wrong = [(kind, arguments) for kind, arguments in moves() if kind not in RIGHT[phase]]
    assault(server, bob, [ann], iter(wrong))
    for name in ("ann", "nobody"):
        for_another = [(kind, {**arguments, "nickname": name}) for kind, arguments in moves()]
        assert assault(server, bob, [ann], iter(for_another)) == {"TextMessage"}


def test_before_the_match_no_move_is_made() -> None:
    server = SimulatedServer(seed=1)
    ann = Raw(server, "ann")
    for kind, arguments in moves():
        assert kinds(ann.say(kind, **arguments)) == ["TextMessage"]
    ann.join("WHITE")
    assault(server, ann, [], moves())


@pytest.mark.parametrize("line", GARBAGE, ids=lambda line: line[:60].decode(errors="replace"))
def test_an_unreadable_message_is_reported_only_to_its_sender(line: bytes) -> None:
    server = SimulatedServer(seed=1)
    stranger = Raw(server, "eve")
    assert kinds(stranger.line(line)) == ["ErrorMessage"]
    ann, bob = sit(server)
    ann.take()
    bob.take()
    before = server.events()
    for count in range(1, MAX_BAD_MESSAGES):
        assert kinds(ann.line(line)) == ["ErrorMessage"], count
    assert not ann.peer.closed
    assert server.events() == before
    assert bob.take() == []
    assert kinds(ann.line(line)) == ["ErrorMessage"]
    assert ann.peer.closed
    assert kinds(bob.take()) == ["DisconnectionMessage"]


def test_unknown_colours_are_unreadable_even_if_the_island_is_wrong_too() -> None:
    _, (_, bob) = start_from(PHASES["students"])
    said = bob.say("StudentToIslandMessage", students=["PURPLE"], indexIsland=99)
    assert kinds(said) == ["ErrorMessage"]
    assert not bob.peer.closed


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        (b"", "a message is a JSON object with a type: "),
        (b"[]", "a message is a JSON object with a type: "),
        (b'{"type":7}', "a message is a JSON object with a type: "),
        (b'{"type":"Dance"}', "there is no message 'Dance'; a client sends LoginRequest, PlayerNicknameMessage, "),
        (b'{"type":"WinMessage","winner":["bob"]}', "there is no message 'WinMessage'; a client sends "),
        (b'{"type":"MoveMotherNatureMessage"}', "MoveMotherNatureMessage cannot be read: "),
        (b'{"type":"StudentToHallMessage","students":"RED"}', "StudentToHallMessage cannot be read: "),
    ],
    ids=repr,
)
def test_the_report_of_an_unreadable_message_explains_it(line: bytes, begins: str) -> None:
    with pytest.raises(Malformed, match=f"^{re.escape(begins)}"):
        wire.decode_request(line)


def test_a_line_that_is_too_long_is_an_error_and_ends_the_connection() -> None:
    server = SimulatedServer(seed=1)
    ann = Raw(server, "ann")
    assert kinds(ann.line(b"x" * 70_000)) == ["ErrorMessage"]
    assert ann.peer.closed


def test_the_tests_try_every_request() -> None:
    tried = {kind for kind, _ in moves()} | {"LoginRequest", "PlayerNicknameMessage", "EndGameMessage", "PingMessage"}
    assert tried == {request.__name__ for request in get_args(wire.Request)}


def test_messages_may_come_byte_by_byte_or_all_at_once() -> None:
    lines = b"".join(
        json.dumps(message).encode() + b"\n"
        for message in (
            {"type": "LoginRequest", "nickname": "ann"},
            {"type": "PlayerNicknameMessage", "numPlayers": 2, "colorTower": "WHITE", "gameMode": "simplified"},
            {"type": "MoveMotherNatureMessage", "movement": 1},
        )
    )
    said = []
    for size in (1, 7, len(lines)):
        peer = SimulatedServer(seed=1).connect("eriantys-messages")
        for start in range(0, len(lines), size):
            peer.send(lines[start : start + size])
        said.append(peer.take())
    assert said[0] == said[1] == said[2]
    assert said[0].count(b"\n") == 4


TEXT = st.text(max_size=12) | st.sampled_from(["ann", "WHITE", "RED", "expert", "MONK"])
VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | st.lists(TEXT, max_size=4)
FIELDS = sorted({field for request in get_args(wire.Request) for field in request.__struct_fields__})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.sampled_from([request.__name__ for request in get_args(wire.Request)]),
    st.dictionaries(st.sampled_from(FIELDS), VALUES),
    st.sampled_from(sorted(PHASES)),
)
def test_no_message_raises_an_exception(kind: str, arguments: dict[str, Any], phase: str) -> None:
    _, (ann, bob) = start_from(PHASES[phase])
    for client in (ann, bob):
        client.line(json.dumps({"type": kind, **arguments}).encode())
        assert not client.peer.faults
        assert not client.peer.closed
