"""Checks of eriantys-objects against our own server and faulty servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.net.harbour import harbour, run

from boardwire.conformance.display import MAX_TEXT_LENGTH, show
from boardwire.conformance.server import checks, eriantys_objects
from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import GREETING, encode, replies

from .judging import Serving, judge, serving

DIALECT = "eriantys-objects"
NAMES = [check.name for check in checks(DIALECT)]


@pytest.mark.parametrize("half", [0, 1])
def test_our_own_server_passes_all_checks(half: int) -> None:
    found: list[CheckResult] = []
    mine = NAMES[half::2]

    async def part(names: list[str]) -> None:
        async with harbour() as place:  # a separate server, so that players of two checks never meet
            found.extend(await judge(DIALECT, await place.open(DIALECT), lambda check: check.name in names))

    async def scenario() -> None:
        await asyncio.gather(*(part(mine[start::6]) for start in range(6)))

    run(scenario)
    assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []
    assert len(found) == len(mine) >= 25


Wrong = Callable[[Any], Any]
"""The message that a faulty server sends instead: another one, None for nothing, bytes unchanged."""


def says(wrong: Wrong, port: int, greeting: bytes = GREETING) -> Serving:
    """Return a proxy of our server at this port that changes objects by `wrong`."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(greeting)

        async def up() -> None:
            while data := await reader.read(65536):
                far_writer.write(data)
            far_writer.close()

        async def down() -> None:
            decoder = replies()
            while data := await far_reader.read(65536):
                for message in decoder.feed(data):
                    said = wrong(message)
                    if said is not None:
                        writer.write(said if isinstance(said, bytes) else encode(said))
            writer.close()

        await asyncio.gather(up(), down(), return_exceptions=True)

    return serve


def verdict(name: str, wrong: Wrong, greeting: bytes = GREETING) -> CheckResult:
    """Return the result of a check against such a server."""
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(DIALECT)
            async with serving(says(wrong, port, greeting)) as wrong_port:
                found.extend(await judge(DIALECT, wrong_port, lambda check: check.name == name, 0.4))

    run(scenario)
    return found[0]


def mute(kind: type) -> Wrong:
    """Return a change that drops messages of one class."""
    return lambda message: None if type(message) is kind else message


def change(kind: type[Any], **fields: Any) -> Wrong:
    """Return a change of fields in messages of one class."""

    def say(message: Any) -> Any:
        return msgspec.structs.replace(message, **fields) if type(message) is kind else message

    return say


def _one_student_less(message: Any) -> Any:
    if isinstance(message, wire.DisplayIslandsMessage):
        bare = [msgspec.structs.replace(island, students=()) for island in message.island_models]
        return msgspec.structs.replace(message, island_models=bare)
    return message


def _lose(kind: type, again: type) -> Wrong:
    """Return a change that answers an illegal reply with a protocol error, against the specification."""
    return lambda message: wire.InvalidNicknameMessage(nickname="ann") if type(message) in (kind, again) else message


LOGIN = "a player is let in, and the first is asked for a number"
START = "2 players, BEGINNER, see clouds, islands and their board"
CARDS = "the index of a card counts in the offer, and all see the card"
NAME = "an empty name is refused in words, and may be tried again"
ORDER = "the lower card begins, and all hear whose turn it is"
ISLAND = "students go to an island, all see it, the hall is asked for the rest"
STUDENTS = "too many students, absent ones and unknown islands change nothing"
STEPS = "mother nature goes as far as the card says"
CLOUD = "the cloud ends the turn, and is gone"
OFFER = "characters are offered alone, and may be declined twice"
LEAVE = "a player who leaves in its turn ends the match for the others"
MATCH = "a match of 2, BEGINNER, ends with WinMessage for all"
SWAPPED = wire.MessageType.REQ_ENTRANCE_TO_ISLAND


FAULTS: list[tuple[str, Wrong, str]] = [
    (LOGIN, mute(wire.LoginReply), "PlayerNumberRequest"),
    (LOGIN, change(wire.LoginReply, nickname_accepted=False), "expected LoginReply {nicknameAccepted: true"),
    (LOGIN, change(wire.LoginReply, message_type=wire.MessageType.PING), "expected the type of LoginReply"),
    (LOGIN, lambda message: b"\x77\x05hello", "cannot be decoded"),
    (NAME, mute(wire.GenericMessage), "expected GenericMessage"),
    (
        "the towers of 3 players are offered",
        change(wire.InitialResMessage, available_towers=()),
        "[BLACK,WHITE,GREY]",
    ),
    (
        "a tower that is taken is asked for again",
        change(wire.InitialResMessage, game_mode=None),
        "gameMode: BEGINNER",
    ),
    (START, _one_student_less, "expected ten students"),
    (START, change(wire.DisplayCloudsMessage, object_display=None), "expected objectDisplay CLOUDS"),
    (START, change(wire.DisplayCloudsMessage, parent_display=wire.ObjectDisplay.CLOUDS), "null in DisplayMessage"),
    (START, change(wire.DisplayCloudsMessage, nickname="server"), 'expected DisplayCloudsMessage {nickname: "ann'),
    (CARDS, mute(wire.DisplayCemeteryMessage), "expected DisplayCemeteryMessage"),
    (CARDS, change(wire.DisplayDeckAndAskCardMessage, nickname="SERVER"), "expected the nickname"),
    (ORDER, change(wire.GenericMessage, message="go on"), "is playing..."),
    (ISLAND, change(wire.StudentToIslandMessage, message_type=SWAPPED), "the type of StudentToIslandMessage"),
    (ISLAND, _one_student_less, "expected one student more"),
    (STUDENTS, _lose(wire.TextMessage, wire.TextMessage), "InvalidNicknameMessage"),
    (STEPS, change(wire.ReqMoveMotherNatureMessage, max_movement_allowed=3), "may move at most 3 islands"),
    (CLOUD, change(wire.ReqMoveCloudToEntranceMessage, message_type=SWAPPED), "the type of ReqMoveCloud"),
    (CLOUD, mute(wire.EndTurnMessage), "expected EndTurnMessage"),
    (OFFER, change(wire.ReqPlayCharacterCardMessage, nickname="bob and ann"), "expected the nickname"),
    ("pings are not answered", lambda message: encode(message) + encode(wire.PingMessage()), "PingMessage"),
    (LEAVE, mute(wire.DisconnectionMessage), "the server closed the connection"),
    (LEAVE, change(wire.DisconnectionMessage, nickname_disconnected="nobody"), "expected the name"),
    (MATCH, change(wire.WinMessage, winner=wire.PlayerModel(nickname="nobody")), "expected the name of a player"),
    (
        "a message under another player's name is refused",
        mute(wire.DisplayCemeteryMessage),
        "expected DisplayCemeteryMessage",
    ),
]


@pytest.mark.parametrize(
    ("name", "wrong", "detail"),
    # each plays up to a match: every other one is left to the long run
    [pytest.param(*fault, marks=[pytest.mark.slow] * (at % 2)) for at, fault in enumerate(FAULTS)],
)
def test_a_server_that_breaks_the_specification_fails(name: str, wrong: Wrong, detail: str) -> None:
    finding = verdict(name, wrong)
    assert finding.verdict is Verdict.FAIL
    assert detail in finding.detail


def test_a_server_that_delays_its_header_fails() -> None:
    finding = verdict("the header comes at once, before anything is said", lambda message: message, b"")
    assert finding.verdict is Verdict.FAIL
    assert "expected the header ac ed 00 05" in finding.detail


def test_without_a_character_for_one_coin_that_check_is_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eriantys_objects, "MAX_TABLES", 1)
    dear = tuple(wire.CharacterCardModel(character_id=number) for number in (1, 2, 4))
    wrong = change(wire.ReqPlayCharacterCardMessage, character_deck=dear)
    finding = verdict("a character is paid, and works once in a turn", wrong)
    assert finding.verdict is Verdict.NOT_EXAMINED


def test_a_cyclic_object_is_shown_to_a_limited_depth() -> None:
    player = wire.PlayerModel(nickname="ann", student_in_hall={wire.ColorPawns.RED: 2})
    msgspec.structs.force_setattr(player, "deck_assistant_card_model", (wire.AssistantCardModel(owner=player),))
    text = show(wire.WinMessage(nickname="server", winner=player))
    assert text.startswith('WinMessage {messageType: WIN, nickname: "server", winner: PlayerModel {coins: 0,')
    assert text.count("PlayerModel {") == 2
    assert len(text) <= MAX_TEXT_LENGTH + 4
