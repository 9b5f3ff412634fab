"""Bad input at any moment leaves the journal unchanged and is reported only to its sender."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.session import MAX_BAD_MESSAGES
from boardwire.games.eriantys import Character

from .spoken import (
    BEGINNER,
    BLACK,
    BLUE,
    NO_PAWN,
    Caller,
    Hall,
    at_table,
    expert,
    kinds,
    run_until,
    seat,
)

CARDS = (Character.MONK, Character.FARMER, Character.KNIGHT)
REQUESTS = [
    wire.DisplayDeckAndAskCardMessage,
    wire.StudentToIslandMessage,
    wire.StudentToHallMessage,
    wire.ReqMoveMotherNatureMessage,
    wire.ReqMoveCloudToEntranceMessage,
]


def nonsense(name: str) -> list[msgspec.Struct]:
    """Return a message of every class, with values that no request accepts."""
    card = wire.CharacterCardModel(character_id=99)
    wrong: dict[str, Any] = {
        "player_number": 9, "color_tower": wire.ColorTower.NULL, "game_mode": None, "index_assistant_card_model": 77,
        "index_island": -3, "students": (NO_PAWN,), "movement": 100, "cloud_index": 17, "nick_to_send": "nobody",
        "card_played": card, "island_index": 99, "student_to_move": NO_PAWN, "picked_student": NO_PAWN,
        "chosen_color": NO_PAWN, "num_players": 1, "number_players": 1,
    }  # fmt: skip
    made = []
    for kind in wire.TYPES:
        if kind in (wire.LoginRequest, wire.PingMessage, wire.RequestPlayersBoard):
            continue
        fields = {one.name: wrong[one.name] for one in msgspec.structs.fields(kind) if one.name in wrong}
        made.append(kind(nickname=name, **fields))
    made.append(wire.LoginRequest(nickname="somebody else"))
    made += [wire.WinMessage(nickname=name, winner=wire.PlayerModel()), wire.GameModeReq(nickname=name)]
    made.append(wire.MovedMotherNatureMessage(nickname="another", movement=1))
    made.append(wire.MovedMotherNatureMessage(nickname=name, movement=1, message_type=wire.MessageType.PING))
    made.append(wire.MovedStudentOnIslandMessage(nickname=name, index_island=0, students=(BLUE,) * 9))
    made.append(wire.MovedStudentToHallMessage(nickname=name, students=(BLUE,) * 9))
    return made


@pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
def test_nonsense_gets_a_text_and_the_same_request_and_changes_nothing(kind: type) -> None:
    server = Hall(seed=3)
    callers = seat(server)
    caller, request = run_until(callers, kind)
    other = next(one for one in callers if one is not caller)
    other.told()
    before = server.events()
    for message in nonsense(caller.name):
        told = caller.tell(message)
        assert kinds(told) in ([], ["TextMessage", kind.__name__]), message
        assert not told or wire.encode(told[-1]) == wire.encode(request)
        told = other.tell(*[msgspec.structs.replace(message, nickname=other.name)])
        assert kinds(told) in ([], ["TextMessage"]), message
    assert server.events() == before
    assert not caller.peer.closed


def test_nonsense_about_characters_gets_a_text_and_the_same_offer() -> None:
    server, callers = at_table(expert(*CARDS))
    caller, _ = run_until(callers, wire.ReqPlayCharacterCardMessage)
    before = server.events()
    for message in nonsense(caller.name):
        told = caller.tell(message)
        assert kinds(told) in ([], ["TextMessage", "ReqPlayCharacterCardMessage"]), message
    assert server.events() == before


def test_nonsense_while_a_character_is_being_paid_gets_the_same_question() -> None:
    server, callers = at_table(expert(*CARDS))
    caller, request = run_until(callers, wire.ReqPlayCharacterCardMessage)
    monk = next(card for card in request.character_deck if card.character_id == 0)
    asked = caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=monk)
    assert kinds(asked) == ["AskMoveStudentFromCardToIslandMessage"]
    before = server.events()
    for message in nonsense(caller.name):
        told = caller.tell(message)
        assert kinds(told) in ([], ["TextMessage", "AskMoveStudentFromCardToIslandMessage"]), message
    assert server.events() == before


def test_refusals_about_characters_name_the_choice_and_the_usable_characters() -> None:
    _, callers = at_table(expert(*CARDS))
    caller, request = run_until(callers, wire.ReqPlayCharacterCardMessage)
    unknown = wire.CharacterCardModel(character_id=99)
    told = caller.tell(wire.PlayedCharacterCardMessage(nickname=caller.name, card_played=unknown))
    assert told[0].text == "character 99 cannot be used now; usable characters: monk"
    monk = next(card for card in request.character_deck if card.character_id == 0)
    caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=monk)
    missing = next(pawn for pawn in wire.ColorPawns if pawn in pieces.COLOURS and pawn not in monk.effect.students)
    told = caller.tell(wire.MovedFromCardToIsland(nickname=caller.name, student_to_move=missing, island_index=3))
    assert told[0].text == f"the monk cannot be used with the colour {missing.name.lower()} and island 3"


def test_nonsense_in_the_lobby_opens_no_table() -> None:
    server = Hall()
    caller = Caller(server, "ann")
    caller.told()
    steps = [
        (wire.PlayerNumberReply(nickname="ann", player_number=2), "PlayerNumberRequest"),
        (wire.ChosenTowerMessage(nickname="ann", color_tower=BLACK), "InitialResMessage"),
        (wire.GameModeRes(nickname="ann", game_mode=BEGINNER), "GameModeReq"),
    ]
    for answer, request in steps:
        for message in nonsense("ann"):
            assert kinds(caller.tell(message)) == ["TextMessage", request], message
        assert server.journals() == []
        caller.tell(answer)
    before = server.events()
    for message in nonsense("ann"):
        assert kinds(caller.tell(message)) == ["TextMessage"], message
    assert server.events() == before


def test_a_hundred_refused_messages_end_the_connection() -> None:
    server = Hall(seed=0)
    callers = seat(server)
    caller, _ = run_until(callers, wire.StudentToIslandMessage)
    bad = wire.MovedMotherNatureMessage(nickname=caller.name, movement=1)
    for _ in range(MAX_BAD_MESSAGES - 1):
        caller.say(bad)
    assert not caller.peer.closed
    caller.say(bad)
    assert caller.peer.closed


def test_names_that_are_refused_end_the_connection_as_well() -> None:
    caller = Caller(Hall())
    for _ in range(MAX_BAD_MESSAGES):
        caller.say(wire.LoginRequest(nickname=""))
    assert caller.peer.closed


@pytest.mark.parametrize(
    "data",
    [
        "00", "7073", "ffff", "79ff", "7372000873747261" + "00" * 40,
        "74000568656c6c6f", "73720019696e742e73656372657400", "7e",
    ],
)  # fmt: skip
def test_unreadable_bytes_end_only_their_connection(data: str) -> None:
    server = Hall(seed=0)
    callers = seat(server)
    stranger = Caller(server)
    stranger.peer.send(bytes.fromhex(data) + b"\x00" * 40)
    assert stranger.peer.closed
    assert not any(caller.peer.closed for caller in callers)


def test_a_client_that_corrupted_its_stream_may_log_in_again_at_once() -> None:
    server = Hall(seed=0)
    first = Caller(server, "ann")
    first.peer.send(b"\x77\x02\x00\x00" + b"\xff" * 20)
    assert first.peer.closed
    again = Caller(server, "ann")
    assert kinds(again.told()) == ["LoginReply", "PlayerNumberRequest"]


def test_a_message_may_come_byte_by_byte_or_with_others_in_one_segment() -> None:
    whole, bytewise = Caller(Hall()), Caller(Hall())
    messages = [
        wire.PingMessage(),
        wire.LoginRequest(nickname="ann"),
        wire.PingMessage(),
        wire.PlayerNumberReply(nickname="ann", player_number=2),
    ]
    data = b"".join(map(wire.encode, messages))
    whole.peer.send(data)
    for byte in data:
        bytewise.peer.send(bytes([byte]))
    expected = ["LoginReply", "PlayerNumberRequest", "InitialResMessage"]
    assert kinds(whole.told()) == kinds(bytewise.told()) == expected


def test_no_prefix_of_a_message_does_anything() -> None:
    data = wire.encode(wire.LoginRequest(nickname="ann"))[:-1]
    for size in range(0, len(data), 7):
        caller = Caller(Hall())
        caller.peer.send(data[:size])
        assert caller.told() == []
        assert not caller.peer.closed


def test_a_message_that_is_too_long_ends_its_connection() -> None:
    caller = Caller(Hall())
    caller.say(wire.LoginRequest(nickname="a" * 40_000))
    assert caller.peer.closed
