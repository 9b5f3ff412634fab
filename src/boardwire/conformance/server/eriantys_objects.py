"""Checks of eriantys-objects. The shipped program fails the checks of our rulings, as the specification notes."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Check, Failed, NotExamined, Probe, fresh_names, unexpected
from boardwire.conformance.server.eriantys_objects_player import (
    ADVANCED,
    BEGINNER,
    BLACK,
    GREY,
    QUESTIONS,
    WHITE,
    Bytes,
    Player,
    choosing,
    connect,
    enter,
    expect_number_request,
    gather,
    join,
    landing,
    let_in,
    open_table,
    order_of_play,
    reply,
    taking,
    turn,
    walking,
)  # fmt: skip
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import GREETING, encode
from boardwire.wire.javastream.library import ARRAY_LIST, COLL_SER

# --- from the connection to the first display -------------------------------------------------------------------------


async def header(probe: Probe) -> None:
    line = await probe.connect(Bytes)
    received = b""
    try:
        while len(received) < len(GREETING):
            received += await line.receive(f"the header {GREETING.hex(' ')}")
    finally:
        line.close()
    if received != GREETING:
        raise Failed(f"got {received.hex(' ')}; expected the header {GREETING.hex(' ')} and nothing else")


async def login(probe: Probe) -> None:
    await choosing(probe)


async def no_name(probe: Probe) -> None:
    player = await connect(probe, "")
    await player.login()
    await _expect_denial(player)
    player.name = fresh_names(1)[0]
    await let_in(player)


async def taken_name(probe: Probe) -> None:
    first = await open_table(probe, 3)
    player = await connect(probe, first.name)
    await player.login()
    await _expect_denial(player)
    player.name = fresh_names(1)[0]
    await let_in(player)


async def _expect_denial(player: Player) -> None:
    await player.expect(wire.GenericMessage)
    await player.expect(wire.LoginReply, nickname_accepted=False, connection_successful=True)


async def in_pieces(probe: Probe) -> None:
    player = await connect(probe, fresh_names(1)[0])
    data = encode(wire.LoginRequest(nickname=player.name))
    for start in range(0, len(data), 40):
        await player.wire.send(data[start : start + 40])
    await player.expect(wire.LoginReply, nickname_accepted=True)
    await expect_number_request(player)
    await player.say(
        wire.PlayerNumberReply(nickname=player.name, player_number=2),
        wire.ChosenTowerMessage(nickname=player.name, color_tower=WHITE),
    )
    await player.expect(wire.InitialResMessage)
    await player.expect(wire.GameModeReq)


async def without_reset(probe: Probe) -> None:
    player = await connect(probe, fresh_names(1)[0])
    await player.wire.send(encode(wire.PingMessage())[:-1] + encode(wire.LoginRequest(nickname=player.name)))
    await player.expect(wire.LoginReply, nickname_accepted=True)


async def pings(probe: Probe) -> None:
    player = await choosing(probe)
    await player.say(*[wire.PingMessage()] * 5)
    await player.wire.expect_silence()


def towers(count: int) -> Callable[[Probe], Awaitable[None]]:
    """Return the check of the towers offered at a table of `count` players."""

    async def offered(probe: Probe) -> None:
        await open_table(probe, count)

    return offered


async def bad_number(probe: Probe) -> None:
    first = await choosing(probe)
    for number in (1, 5, -2):
        await first.answer(wire.PlayerNumberReply, player_number=number)
        await first.expect(wire.TextMessage)
        await first.expect(wire.PlayerNumberRequest)


async def taken_tower(probe: Probe) -> None:
    await open_table(probe, 2)
    player, left = await join(probe)
    if left != [WHITE]:
        raise Failed(f"got the towers {show(left)}; expected WHITE only")
    for tower in (BLACK, GREY):
        await player.answer(wire.ChosenTowerMessage, color_tower=tower)
        await player.expect(wire.InitialResMessage, available_towers=(WHITE,), game_mode=BEGINNER)


async def held(probe: Probe) -> None:
    first = await choosing(probe)
    late = await connect(probe, fresh_names(2)[1])
    await late.login()
    await first.answer(wire.PlayerNumberReply, player_number=2)
    await first.expect(wire.InitialResMessage)
    await first.answer(wire.ChosenTowerMessage, color_tower=BLACK)
    await first.expect(wire.GameModeReq)
    await first.answer(wire.GameModeRes, game_mode=BEGINNER)
    await late.expect(wire.LoginReply, nickname_accepted=True, connection_successful=True)
    await late.expect(wire.InitialResMessage, game_mode=BEGINNER)


async def left_while_choosing(probe: Probe) -> None:
    first = await choosing(probe)
    await first.depart()
    again = await enter(probe, first.name)
    await again.expect(wire.PlayerNumberRequest)


def start(count: int, mode: wire.GameMode) -> Callable[[Probe], Awaitable[None]]:
    """Return the check of the first displays at a table of `count` players."""

    async def shown(probe: Probe) -> None:
        for player in await gather(probe, count, mode):
            await player.expect(wire.DisplayIslandsMessage, nickname=player.name)
            board = await player.expect(wire.DisplayPlayerBoardMessage, nickname=player.name)
            each = 4 if count == 3 else 3
            sizes = len(player.islands), [len(cloud.students or ()) for cloud in player.clouds], len(player.entrance)
            expected = (12, [each] * count, 9 if count == 3 else 7)
            if sizes != expected:
                raise Failed(f"islands, clouds and entrance have the sizes {show(sizes)}; expected {show(expected)}")
            if sum(len(island.students or ()) for island in player.islands) != 10:
                raise Failed(f"got the islands {show(player.islands)}; expected ten students on them")
            if board.player.nickname != player.name or len(set(board.towers)) != 1:
                raise unexpected(board, f"the board of {player.name}, with towers of one colour")

    return shown


# --- planning ---------------------------------------------------------------------------------------------------------


async def planning(probe: Probe) -> None:
    players = await gather(probe)
    first, second = await order_of_play(players, wire.DisplayDeckAndAskCardMessage)
    await first.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=2, player_model=first.name)
    for player in (first, second):
        await player.receive_until(wire.DisplayCemeteryMessage)
        cards = [(card.priority, card.owner.nickname if card.owner else None) for card in player.cemetery]
        if cards != [(3, first.name)]:
            raise Failed(f"got the cemetery {show(player.cemetery)}; expected card 3 of {first.name}")
    offer = await second.expect_question(wire.DisplayDeckAndAskCardMessage)
    if [card.priority for card in offer.deck] != [1, 2, 4, 5, 6, 7, 8, 9, 10]:
        raise unexpected(offer, "all cards but 3")
    await second.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=2, player_model=second.name)
    await first.receive_until(wire.DisplayCemeteryMessage)
    if {card.priority for card in first.cemetery} != {3, 4}:
        raise Failed(
            f"got the cemetery {show(first.cemetery)}; expected cards 3 and 4: an index is a position in the offer"
        )


async def wrong_cards(probe: Probe) -> None:
    first, second = await order_of_play(await gather(probe), wire.DisplayDeckAndAskCardMessage)
    for index in (-1, 10, 2**31 - 1):
        await first.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=index, player_model=first.name)
        await first.expect_refusal(wire.DisplayDeckAndAskCardMessage)
    await second.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=0, player_model=second.name)
    await second.receive_until(wire.TextMessage)
    await first.wire.expect_silence()


async def another_name(probe: Probe) -> None:
    first, second = await order_of_play(await gather(probe), wire.DisplayDeckAndAskCardMessage)
    card = wire.PlayAssistantCardMessage(nickname=first.name, index_assistant_card_model=0, player_model=first.name)
    await second.say(card)
    await first.wire.expect_silence()
    await first.say(card)
    await first.receive_until(wire.DisplayCemeteryMessage)


async def order(probe: Probe) -> None:
    first, second = await order_of_play(await gather(probe), wire.DisplayDeckAndAskCardMessage)
    await first.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=9, player_model=first.name)
    await second.expect_question(wire.DisplayDeckAndAskCardMessage)
    await second.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=0, player_model=second.name)
    await second.receive_until(wire.StartTurnMessage)
    await second.expect_question(wire.StudentToIslandMessage)
    text = await first.receive_until(wire.GenericMessage)
    if text.message != f"Hey {first.name}, {second.name} is playing...":
        raise unexpected(text, f"Hey {first.name}, {second.name} is playing...")


# --- turns ------------------------------------------------------------------------------------------------------------


async def to_island(probe: Probe) -> None:
    first, second = await landing(probe)
    student, before = first.entrance[0], len(first.islands[4].students or ())
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=4, students=(student,))
    hall = await first.expect_question(wire.StudentToHallMessage)
    if (hall.number_students_to_move, len(hall.entrance)) != (2, 6):
        raise unexpected(hall, "a request for two of six students")
    await second.receive_until(wire.DisplayIslandsMessage)
    for player in (first, second):
        if len(player.islands[4].students or ()) != before + 1:
            raise Failed(f"{player.name} sees {show(player.islands[4])} as island 4; expected one student more")


async def all_to_island(probe: Probe) -> None:
    await walking(probe)


async def to_hall(probe: Probe) -> None:
    first, second = await landing(probe)
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=())
    hall = await first.expect_question(wire.StudentToHallMessage)
    students = tuple(hall.entrance[: hall.number_students_to_move])
    await first.answer(wire.MovedStudentToHallMessage, students=students)
    await first.expect_question(wire.ReqMoveMotherNatureMessage)
    while first.board is None or sum(first.board.hall.values()) != 3:
        await first.receive_until(wire.DisplayPlayerBoardMessage)  # it may come after the request
    if any(first.board.hall.get(student, 0) != students.count(student) for student in students):
        raise unexpected(first.board, f"the students {show(students)} in the hall")
    second.leave()


async def immutable_list(probe: Probe) -> None:
    first, _ = await landing(probe)
    plain = encode(wire.MovedStudentOnIslandMessage(nickname=first.name, index_island=0, students=()))
    empty = struct.pack(">iBBi", 0, 0x77, 4, 0)
    ours, theirs = b"s" + ARRAY_LIST.head + b"p" + empty, b"s" + COLL_SER.head + b"p" + struct.pack(">i", 1) + empty[4:]
    await first.wire.send(plain.replace(ours, theirs))
    await first.expect_question(wire.StudentToHallMessage)
    await first.answer(wire.MovedStudentToHallMessage, students=None)
    await first.receive_until(wire.StudentToIslandMessage, wire.ReqMoveMotherNatureMessage, wire.StudentToHallMessage)


async def wrong_students(probe: Probe) -> None:
    first, second = await landing(probe)
    absent = next(
        (student for student in tuple(wire.ColorPawns)[:5] if student not in first.entrance), wire.ColorPawns.NULL
    )
    for island, students in (
        (0, first.entrance[:4]),
        (0, [absent]),
        (12, first.entrance[:1]),
        (-1, first.entrance[:1]),
    ):
        await first.answer(wire.MovedStudentOnIslandMessage, index_island=island, students=tuple(students))
        question = await first.expect_refusal(wire.StudentToIslandMessage)
        if len(question.entrance) != 7:
            raise unexpected(question, "the entrance unchanged")
    await second.wire.expect_silence()


async def out_of_turn(probe: Probe) -> None:
    first, second = await landing(probe)
    await second.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=tuple(first.entrance[:1]))
    await second.receive_until(wire.TextMessage)
    await first.wire.expect_silence()


async def too_early(probe: Probe) -> None:
    first, second = await landing(probe)
    await first.answer(wire.MovedMotherNatureMessage, movement=1, player_model=first.name)
    await first.expect_refusal(wire.StudentToIslandMessage)
    await second.wire.expect_silence()


async def mother_nature(probe: Probe) -> None:
    first, second, max_steps = await walking(probe)
    if max_steps != 1:
        raise Failed(f"mother nature may move at most {max_steps} islands; expected 1, as on the card")
    for steps in (2, 0, -1, 127):
        await first.answer(wire.MovedMotherNatureMessage, movement=steps, player_model=first.name)
        await first.expect_refusal(wire.ReqMoveMotherNatureMessage)
    before = _mother_nature_island(first)
    await first.answer(wire.MovedMotherNatureMessage, movement=1, player_model=first.name)
    await second.receive_until(wire.DisplayIslandsMessage)
    if len(second.islands) == 12 and _mother_nature_island(second) != (before + 1) % 12:
        raise Failed(f"mother nature is on island {_mother_nature_island(second)}; expected {(before + 1) % 12}")
    await first.expect_question(wire.ReqMoveCloudToEntranceMessage)


def _mother_nature_island(player: Player) -> int:
    """Return the index of the island with mother nature."""
    here = [index for index, island in enumerate(player.islands) if island.mother_nature]
    if len(here) != 1:
        raise Failed(f"mother nature is on the islands {show(here)}; expected exactly one island")
    return here[0]


async def cloud(probe: Probe) -> None:
    first, second = await taking(probe)
    for index in (-1, 2):
        await first.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=index)
        await first.expect_refusal(wire.ReqMoveCloudToEntranceMessage)
    await first.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=1)
    await first.receive_until(wire.EndTurnMessage)
    await second.receive_until(wire.StartTurnMessage)
    await second.expect_question(wire.StudentToIslandMessage)
    if (len(first.entrance), len(second.clouds)) != (7, 1):
        raise Failed(
            f"got the entrance {show(first.entrance)} and the clouds {show(second.clouds)}; "
            "expected 7 students and one cloud"
        )


async def next_round(probe: Probe) -> None:
    first, second = await taking(probe)
    await first.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
    question: Any = None
    while type(question) is not wire.ReqMoveCloudToEntranceMessage:
        question = await second.receive_until(*QUESTIONS)
        await reply(second, question)
    offer = await first.expect_question(wire.DisplayDeckAndAskCardMessage)
    if len(first.clouds) != 2 or 1 in {card.priority for card in offer.deck}:
        raise unexpected(offer, f"an offer without card 1, after a display of two clouds (got {len(first.clouds)})")


async def boards(probe: Probe) -> None:
    first, second = await landing(probe)
    await first.answer(wire.RequestPlayersBoard)
    names = [player.nickname for player in (await first.expect(wire.LobbyInfoMessage)).nickname_list]
    if names != [second.name]:
        raise Failed(f"got the players {show(names)}; expected the other one, {second.name}")
    await first.answer(wire.ReqRealPlayerBoardMessage, nick_to_send=second.name)
    await first.expect(wire.DisplayPlayerBoardMessage, nickname=second.name)


# --- characters -------------------------------------------------------------------------------------------------------


async def offered(probe: Probe) -> None:
    first, _ = await turn(probe, ADVANCED)
    offer = await first.expect_question(wire.ReqPlayCharacterCardMessage)
    numbers = [card.character_id for card in offer.character_deck]
    if len(set(numbers)) != len(numbers) or not set(numbers) <= set(range(8)) or offer.player.coins != 1:
        raise unexpected(offer, "different characters from 0 to 7, and one coin")
    await first.wire.expect_silence()  # one question at a time
    await first.answer(wire.PlayedCharacterCardMessage)
    await first.expect_question(wire.StudentToIslandMessage)
    await first.answer(wire.PlayedCharacterCardMessage)
    await first.wire.expect_silence()


async def forged(probe: Probe) -> None:
    first, second = await turn(probe, ADVANCED)
    offer = await first.expect_question(wire.ReqPlayCharacterCardMessage)
    numbers = {card.character_id for card in offer.character_deck}
    absent = next(number for number in range(8) if number not in numbers)
    effect = wire.ExtraMovementMotherEffect(cost_for_effect=-50, money_on_card=0)
    dear = next((card for card in offer.character_deck if getattr(card.effect, "cost_for_effect", 0) > 1), None)
    for card in (wire.CharacterCardModel(character_id=absent, effect=effect), dear):
        if card is not None:
            await first.answer(wire.PlayedCharacterCardMessage, card_played=card)
            offer = await first.expect_refusal(wire.ReqPlayCharacterCardMessage)
    if offer.player.coins != 1:
        raise unexpected(offer, "one coin, as before")
    await second.wire.expect_silence()


MAX_TABLES: Final = 16
"""Limit of the tables opened to find a character that costs one coin and can be used."""


async def played(probe: Probe) -> None:
    for _ in range(MAX_TABLES):
        first, second = await turn(probe, ADVANCED)
        offer = await first.expect_question(wire.ReqPlayCharacterCardMessage)
        cards = {card.character_id: card for card in offer.character_deck}
        if cards.keys() & {_MONK, _POSTMAN}:
            await _use_character(first, second, cards)
            return
        for player in (first, second):
            player.leave()
        await asyncio.sleep(0.1)
    raise NotExamined(f"none of {MAX_TABLES} tables had the Monk or the Postman, who cost one coin")


_MONK: Final = 0
_POSTMAN: Final = 3


async def _use_character(first: Player, second: Player, cards: dict[int, wire.CharacterCardModel]) -> None:
    """Use the Postman or, without it, the Monk; check the steps of mother nature and the price."""
    if _POSTMAN in cards:
        await first.answer(wire.PlayedCharacterCardMessage, card_played=cards[_POSTMAN])
    else:
        await first.answer(wire.PlayedCharacterCardMessage, card_played=cards[_MONK])
        card = await first.expect_question(wire.AskMoveStudentFromCardToIslandMessage)
        await first.answer(wire.MovedFromCardToIsland, island_index=5, student_to_move=card.students_on_card[0])
        await second.receive_until(wire.DisplayIslandsMessage)
    await first.expect_question(wire.StudentToIslandMessage)
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=tuple(first.entrance[:3]))
    steps = await first.expect_question(
        wire.ReqMoveMotherNatureMessage
    )  # a turn has one character: it is not offered again
    expected = (3 if _POSTMAN in cards else 1, 0)
    if (steps.max_movement_allowed, steps.player.coins) != expected:
        raise unexpected(steps, f"maxMovementAllowed and coins {show(expected)}")


# --- the end ----------------------------------------------------------------------------------------------------------


def invalid_data(data: bytes) -> Callable[[Probe], Awaitable[None]]:
    """Return the check that `data` ends the connection of a player, and frees its name."""

    async def ended(probe: Probe) -> None:
        player = await choosing(probe)
        await player.wire.send(data)
        await player.wire.expect_close()
        again = await enter(probe, player.name)
        await again.expect(wire.PlayerNumberRequest)

    return ended


async def no_stream(probe: Probe) -> None:
    line = await probe.connect()
    await line.send(b"GET / HTTP/1.1\r\n\r\n")
    await line.expect_close()


async def wrong_type(probe: Probe) -> None:
    first = await choosing(probe)
    number = wire.PlayerNumberReply(nickname=first.name, player_number=3)
    await first.say(msgspec.structs.replace(number, message_type=wire.MessageType.PING))
    await first.answer(wire.PlayerNumberReply, player_number=2)
    towers = await first.receive_until(wire.InitialResMessage)
    if len(towers.available_towers) != 2:
        raise unexpected(
            towers, "the towers of two players: a message whose type does not match its class is not accepted"
        )


async def leaving(probe: Probe) -> None:
    first, second = await landing(probe)
    first.leave()
    await _expect_disconnection(second, first.name)


async def leaving_off_turn(probe: Probe) -> None:
    players = await order_of_play(await gather(probe, 3), wire.DisplayDeckAndAskCardMessage)
    players[2].leave()
    for player in players[:2]:
        await _expect_disconnection(player, players[2].name)


async def _expect_disconnection(player: Player, leaver: str) -> None:
    """Receive the message that `gone` has left, and the end of the connection."""
    message: Any = await player.receive_until(wire.DisconnectionMessage)
    if message.nickname_disconnected != leaver:
        raise unexpected(message, f"the name {leaver}")
    await player.wire.expect_close()


async def several_tables(probe: Probe) -> None:
    first_table, second_table = await gather(probe), await gather(probe)
    first, _ = await order_of_play(first_table, wire.DisplayDeckAndAskCardMessage)
    second, _ = await order_of_play(second_table, wire.DisplayDeckAndAskCardMessage)
    for player in (second, first):
        await reply(player, wire.DisplayDeckAndAskCardMessage(nickname=player.name, deck=()))
        await player.receive_until(wire.DisplayCemeteryMessage)


def match_of(count: int, mode: wire.GameMode) -> Callable[[Probe], Awaitable[None]]:
    """Return the check of a whole match of `count` players."""

    async def played(probe: Probe) -> None:
        players = await gather(probe, count, mode)
        names = [player.name for player in players]
        ends = await asyncio.gather(*map(_to_the_end, players))
        for player, end in zip(players, ends, strict=True):
            if isinstance(end, wire.WinMessage) and end.winner.nickname not in names:
                raise unexpected(end, "the name of a player")
            await player.wire.expect_close()
        _judge_winner(players, ends)

    return played


def _judge_winner(players: list[Player], ends: list[wire.WinMessage | wire.DisconnectionMessage]) -> None:
    """Check that the winner has the fewest remaining towers.

    Team members share towers, so only matches of two and three players are judged. Every player has seen its own board
    after the last change.
    """
    left = {player.name: len(player.board.towers) for player in players if player.board is not None}
    fewest = [name for name, towers in left.items() if towers == min(left.values())]
    for end in ends:
        if isinstance(end, wire.WinMessage) and len(players) < 4 and end.winner.nickname not in fewest:
            raise Failed(
                f"got the winner {show(end.winner.nickname)}; "
                f"expected one of {show(fewest)}, with the fewest remaining towers of {show(left)}"
            )


async def _to_the_end(player: Player) -> wire.WinMessage | wire.DisconnectionMessage:
    """Answer all questions up to the end of the match, and return its message."""
    while True:
        message: Any = await player.next_message("a question, or the end")
        if type(message) in QUESTIONS:
            await reply(player, message)
        elif isinstance(message, wire.WinMessage):
            return message
        elif isinstance(message, wire.DisconnectionMessage) and not message.nickname_disconnected:
            return message  # the protocol has no message for a draw
        elif isinstance(message, wire.DisconnectionMessage | wire.ErrorMessage):
            raise unexpected(message, "a question, or WinMessage")


_PING: Final = encode(wire.PingMessage())

CHECKS: Final = (
    Check("the header comes at once, before anything is said", "1", header),
    Check("a player is let in, and the first is asked for a number", "3.2.1", login),
    Check("an empty name is refused in words, and may be tried again", "3.2.1", no_name),
    Check("a name in use is refused in words, and may be tried again", "3.2.1", taken_name),
    Check("a message may come in pieces, two in one segment", "1", in_pieces),
    Check("a message may come without a reset after it", "1", without_reset),
    Check("pings are not answered", "3.1", pings),
    *(
        Check(f"the towers of {count} players are offered", "3.2.3", towers(count))
        for count in (2, 3, 4)
    ),
    Check("an invalid number of players is not accepted", "3.2.3", bad_number),
    Check("a tower that is taken is asked for again", "3.2.5", taken_tower),
    Check("a login while the first player chooses is answered later", "3.2.4", held),
    Check("a first player who leaves frees name and lobby", "3.2.4", left_while_choosing),
    *(
        Check(f"{count} players, {mode.name}, see clouds, islands and their board", "3.2.7",
              start(count, mode))
        for count in (2, 3, 4)
        for mode in (BEGINNER, ADVANCED)
    ),
    Check("the index of a card counts in the offer, and all see the card", "3.3", planning),
    Check("a card that is not offered, or out of turn, is not played", "3.3", wrong_cards),
    Check("a message under another player's name is refused", "2", another_name),
    Check("the lower card begins, and all hear whose turn it is", "3.4", order),
    Check("students go to an island, all see it, the hall is asked for the rest", "3.4.1", to_island),
    Check("if all go to the island the hall is not asked for", "3.4.1", all_to_island),
    Check("students go to the hall, and the board shows it", "3.4.2", to_hall),
    Check("an immutable list and a missing one are lists of none", "1", immutable_list),
    Check("too many students, absent ones and unknown islands change nothing", "6.1", wrong_students),
    Check("students out of turn change nothing", "6.1", out_of_turn),
    Check("mother nature does not go before the students", "6.1", too_early),
    Check("mother nature goes as far as the card says", "3.4.3", mother_nature),
    Check("the cloud ends the turn, and is gone", "3.4.4", cloud),
    Check("the next round has new clouds, and the card is gone", "3.5", next_round),
    Check("boards of the others are shown on request", "2", boards),
    Check("characters are offered alone, and may be declined twice", "3.4", offered),
    Check("a character that is not on the table, or too expensive, is not played", "3.4", forged),
    Check("a character is paid, and works once in a turn", "3.4", played),
    Check("input that is not an object stream ends the connection", "1", no_stream),
    Check("an unknown class ends the connection, and frees the name", "1",
          invalid_data(_PING.replace(b"PingMessage", b"PongMessage"))),
    Check("another serialVersionUID ends the connection, and frees the name", "1",
          invalid_data(_PING.replace(bytes.fromhex("9e95a46c31d2b567"), bytes(8)))),
    Check("a corrupted stream ends the connection, and frees the name", "1", invalid_data(b"w\x05hello")),
    Check("a second header ends the connection, and frees the name", "1", invalid_data(GREETING)),
    Check("class and type must match", "2", wrong_type),
    Check("a player who leaves in its turn ends the match for the others", "3.6", leaving),
    Check("so does one who leaves in another's turn", "3.6", leaving_off_turn),
    Check("several matches at once", "6.5", several_tables),
    *(
        Check(f"a match of {count}, {mode.name}, ends with WinMessage for all", "3.6", match_of(count, mode))
        for count, mode in ((2, BEGINNER), (2, ADVANCED), (3, BEGINNER), (4, ADVANCED))
    ),
)  # fmt: skip
