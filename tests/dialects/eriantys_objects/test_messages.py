"""Java classes of eriantys-objects: golden bytes, completeness, quirks, object graphs."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec
import pytest

from boardwire.dialects.eriantys_objects import messages
from boardwire.dialects.eriantys_objects.messages import (
    SHIPPED,
    AddToHallEffect,
    AssistantCardModel,
    CharacterCardModel,
    ColorPawns,
    DisplayDeckAndAskCardMessage,
    DisplayMessage,
    GameController,
    GameModel,
    IslandModel,
    LoginRequest,
    Message,
    MessageType,
    MovedStudentOnIslandMessage,
    ObjectDisplay,
    PingMessage,
    PlayedCharacterCardMessage,
    PlayerModel,
    ReqPlayCharacterCardMessage,
    StudentToHallMessage,
    StudentToIslandMessage,
)
from boardwire.errors import Malformed
from boardwire.wire.javastream import Framing, Reader, Writer

PING = (
    "7372002b69742e706f6c696d692e696e6773772e6e6574776f726b2e6d6573736167652e50696e674d657373616765"
    "9e95a46c31d2b5670200007872002769742e706f6c696d692e696e6773772e6e6574776f726b2e6d6573736167652e"
    "4d6573736167655b717c2a3c6c77470200024c000b6d6573736167655479706574002d4c69742f706f6c696d692f69"
    "6e6773772f6e6574776f726b2f6d6573736167652f4d657373616765547970653b4c00086e69636b6e616d65740012"
    "4c6a6176612f6c616e672f537472696e673b78707e72002b69742e706f6c696d692e696e6773772e6e6574776f726b"
    "2e6d6573736167652e4d6573736167655479706500000000000000001200007872000e6a6176612e6c616e672e456e"
    "756d0000000000000000120000787074000450494e4770"
)
"""A PingMessage without a name, as the shipped client writes it."""

LOGIN = (
    PING.replace("002b" + b"it.polimi.ingsw.network.message.PingMessage".hex(),
                 "002c" + b"it.polimi.ingsw.network.message.LoginRequest".hex())
    .replace("9e95a46c31d2b567", "a7f849536c7c7636")
    .replace("740004" + b"PING".hex() + "70", "74000d" + b"LOGIN_REQUEST".hex() + "7400027031")
)  # fmt: skip

MESSAGES = sorted((t for t in SHIPPED.types if issubclass(t, Message)), key=lambda type_: type_.__name__)
CONCRETE = [type_ for type_ in MESSAGES if type_ not in (Message, DisplayMessage)]


def sample(type_: type[msgspec.Struct]) -> Any:
    """Return an instance with a value for every required field."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(type_):
        if field.required:
            values[field.name] = _value(str(type_.__annotations__[field.name]))
    return type_(**values)


def _value(hint: str) -> Any:
    if hint in ("int", "Byte", "bool"):
        return hint == "bool" or 3
    if hint == "str":
        return "text"
    if hint.startswith("Mapping"):
        return {ColorPawns.PINK: 2}
    if hint.startswith("Sequence"):
        return (_value(hint[9:-1]),)
    found: Any = getattr(messages, hint)
    return next(iter(found)) if issubclass(found, Enum) else found()


def through(message: msgspec.Struct) -> Any:
    """Write and read a message, whole and byte by byte."""
    writer = Writer(SHIPPED, Framing.ONCE)
    raw = writer.opening + writer.encode(message)
    (found,) = Reader(SHIPPED, framing=Framing.ONCE).feed(raw)
    drops = Reader(SHIPPED, framing=Framing.ONCE)
    (again,) = [drop for at in range(len(raw)) for drop in drops.feed(raw[at : at + 1])]
    assert repr(again) == repr(found)
    return found


def test_golden_bytes() -> None:
    writer, reader = Writer(SHIPPED, Framing.ONCE), Reader(SHIPPED, framing=Framing.ONCE)
    ping, login = bytes.fromhex(PING), bytes.fromhex(LOGIN)
    assert (len(ping), len(login)) == (305, 319)
    assert writer.encode(PingMessage()) == ping + b"y"
    assert writer.encode(LoginRequest(nickname="p1")) == login + b"y"
    stream = writer.opening + ping + b"y" + login + b"y" + ping + b"y"
    assert reader.feed(stream) == [PingMessage(), LoginRequest(nickname="p1"), PingMessage()]


def test_the_schema_is_complete() -> None:
    assert len(CONCRETE) == 62
    assert len(SHIPPED.types) == 62 + 2 + 16
    assert len(MessageType) == 51
    assert len({java.suid for java in SHIPPED.types.values()}) == len(SHIPPED.types)


@pytest.mark.parametrize("type_", CONCRETE, ids=lambda type_: type_.__name__)
def test_every_message_comes_back(type_: type[msgspec.Struct]) -> None:
    message = sample(type_)
    assert through(message) == message


def test_the_parent_of_all_messages_is_never_sent() -> None:
    raw = Writer(SHIPPED).encode(PingMessage())
    start, end = raw.index(b"r\0+"), raw.index(b"r\0'")
    with pytest.raises(Malformed, match="abstract"):
        Reader(SHIPPED).feed(raw[:start] + raw[end:])


def test_quirk_the_parent_of_displays_says_nothing() -> None:
    for type_ in CONCRETE:
        if issubclass(type_, DisplayMessage):
            message = sample(type_)
            assert message.parent_display is None
            assert isinstance(message.object_display, ObjectDisplay)
            assert message.message_type is MessageType.DISPLAY


def test_quirk_the_types_of_two_requests_are_swapped() -> None:
    island = StudentToIslandMessage(entrance=(), islands=(IslandModel(students=()),))
    assert island.message_type is MessageType.REQ_ENTRANCE_TO_HALL
    assert StudentToHallMessage(number_students_to_move=1, entrance=()).message_type is (
        MessageType.REQ_ENTRANCE_TO_ISLAND
    )


def test_an_immutable_list_is_accepted_like_any_other() -> None:
    """[1] it is what the shipped client with windows sends to skip a step."""
    raw = Writer(SHIPPED).encode(MovedStudentOnIslandMessage(index_island=0, students=()))
    array = raw[raw.index(b"sr\0\x13java.util.ArrayList") :]
    skip = (
        bytes.fromhex("73720011")
        + b"java.util.CollSer"
        + bytes.fromhex("578eabb63a1ba811030001490003746167787000000001")
    )
    assert Reader(SHIPPED).feed(raw.removesuffix(array) + skip + bytes.fromhex("77040000000078")) == [
        MovedStudentOnIslandMessage(index_island=0, students=())
    ]


def test_a_hand_leads_to_its_owner_and_back() -> None:
    player = PlayerModel(nickname="ada", student_in_hall={ColorPawns.RED: 2, ColorPawns.BLUE: 2})
    hand = tuple(AssistantCardModel(priority=value, owner=player) for value in range(1, 4))
    msgspec.structs.force_setattr(player, "deck_assistant_card_model", hand)
    found = through(DisplayDeckAndAskCardMessage(nickname="ada", deck=hand))
    assert [card.priority for card in found.deck] == [1, 2, 3]
    owner = found.deck[0].owner
    assert all(card.owner is owner for card in found.deck)
    assert owner.deck_assistant_card_model is found.deck
    assert owner.student_in_hall == player.student_in_hall


def test_the_shipped_server_sends_its_whole_self_and_gets_it_back() -> None:
    """[2.3] an effect holds the controller, which holds everything, the offered list included."""
    controller = GameController(test=1)
    card = CharacterCardModel(character_id=2, effect=AddToHallEffect(cost_for_effect=2, controller=controller))
    deck = (card,)
    player = PlayerModel(nickname="ada", character_deck=deck)
    game = GameModel(players_models=(player,), bag=(ColorPawns.RED,) * 120)
    msgspec.structs.force_setattr(controller, "game_instance", game)
    msgspec.structs.force_setattr(controller, "player_active", player)
    msgspec.structs.force_setattr(controller, "old_message", PingMessage())
    offer = through(ReqPlayCharacterCardMessage(exist_card=True, character_deck=deck, player=player))
    found = offer.character_deck[0]
    inner = found.effect.controller
    assert inner.game_instance.players_models[0] is offer.player
    assert offer.player.character_deck is offer.character_deck
    assert inner.old_message == PingMessage()
    assert len(inner.game_instance.bag) == 120
    played = through(PlayedCharacterCardMessage(nickname="ada", card_played=found))
    assert played.card_played.effect.controller.player_active.nickname == "ada"


def test_messages_without_resets_share_their_handles() -> None:
    """[1] resets are not required."""
    reader = Reader(SHIPPED, framing=Framing.ONCE)
    again = bytes.fromhex("7371007e0000" + "71007e0007" + "70")
    assert reader.feed(b"\xac\xed\0\5" + bytes.fromhex(PING) + again) == [PingMessage(), PingMessage()]
