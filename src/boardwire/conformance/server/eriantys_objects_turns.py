"""Checks of eriantys-objects: planning, turns and characters."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, NotExamined, Probe, unexpected
from boardwire.conformance.server.eriantys_objects_player import (
    ADVANCED,
    QUESTIONS,
    Player,
    asked_first,
    gather,
    landing,
    reply,
    taking,
    turn,
    walking,
)
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import encode
from boardwire.wire.javastream.library import ARRAY_LIST, COLL_SER


async def planning(probe: Probe) -> None:
    players = await gather(probe)
    first, second = await asked_first(players, wire.DisplayDeckAndAskCardMessage)
    await first.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=2, player_model=first.name)
    for player in (first, second):
        await player.until(wire.DisplayCemeteryMessage)
        cards = [(card.priority, card.owner.nickname if card.owner else None) for card in player.cemetery]
        if cards != [(3, first.name)]:
            raise Failed(f"the cemetery {show(player.cemetery)} came; expected card 3 of {first.name}")
    offer = await second.asked(wire.DisplayDeckAndAskCardMessage)
    if [card.priority for card in offer.deck] != [1, 2, 4, 5, 6, 7, 8, 9, 10]:
        raise unexpected(offer, "all cards but 3")
    await second.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=2, player_model=second.name)
    await first.until(wire.DisplayCemeteryMessage)
    if {card.priority for card in first.cemetery} != {3, 4}:
        raise Failed(f"the cemetery {show(first.cemetery)} came; expected cards 3 and 4: an index counts in the offer")


async def wrong_cards(probe: Probe) -> None:
    first, second = await asked_first(await gather(probe), wire.DisplayDeckAndAskCardMessage)
    for index in (-1, 10, 2**31 - 1):
        await first.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=index, player_model=first.name)
        await first.refused(wire.DisplayDeckAndAskCardMessage)
    await second.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=0, player_model=second.name)
    await second.until(wire.TextMessage)
    await first.wire.silent()


async def another_name(probe: Probe) -> None:
    first, second = await asked_first(await gather(probe), wire.DisplayDeckAndAskCardMessage)
    card = wire.PlayAssistantCardMessage(nickname=first.name, index_assistant_card_model=0, player_model=first.name)
    await second.say(card)
    await first.wire.silent()
    await first.say(card)
    await first.until(wire.DisplayCemeteryMessage)


async def order(probe: Probe) -> None:
    first, second = await asked_first(await gather(probe), wire.DisplayDeckAndAskCardMessage)
    await first.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=9, player_model=first.name)
    await second.asked(wire.DisplayDeckAndAskCardMessage)
    await second.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=0, player_model=second.name)
    await second.until(wire.StartTurnMessage)
    await second.asked(wire.StudentToIslandMessage)
    text = await first.until(wire.GenericMessage)
    if text.message != f"Hey {first.name}, {second.name} is playing...":
        raise unexpected(text, f"Hey {first.name}, {second.name} is playing...")


# --- turns ------------------------------------------------------------------------------------------------------------


async def to_island(probe: Probe) -> None:
    first, second = await landing(probe)
    one, before = first.entrance[0], len(first.islands[4].students or ())
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=4, students=(one,))
    hall = await first.asked(wire.StudentToHallMessage)
    if (hall.number_students_to_move, len(hall.entrance)) != (2, 6):
        raise unexpected(hall, "a request for two of six students")
    await second.until(wire.DisplayIslandsMessage)
    for player in (first, second):
        if len(player.islands[4].students or ()) != before + 1:
            raise Failed(f"{player.name} sees {show(player.islands[4])} as island 4; expected one student more")


async def all_to_island(probe: Probe) -> None:
    await walking(probe)


async def to_hall(probe: Probe) -> None:
    first, second = await landing(probe)
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=())
    hall = await first.asked(wire.StudentToHallMessage)
    students = tuple(hall.entrance[: hall.number_students_to_move])
    await first.answer(wire.MovedStudentToHallMessage, students=students)
    await first.asked(wire.ReqMoveMotherNatureMessage)
    while first.board is None or sum(first.board.hall.values()) != 3:
        await first.until(wire.DisplayPlayerBoardMessage)  # the request may come before it
    if any(first.board.hall.get(one, 0) != students.count(one) for one in students):
        raise unexpected(first.board, f"the students {show(students)} in the hall")
    second.leave()


async def immutable_list(probe: Probe) -> None:
    first, _ = await landing(probe)
    plain = encode(wire.MovedStudentOnIslandMessage(nickname=first.name, index_island=0, students=()))
    empty = struct.pack(">iBBi", 0, 0x77, 4, 0)
    ours, theirs = b"s" + ARRAY_LIST.head + b"p" + empty, b"s" + COLL_SER.head + b"p" + struct.pack(">i", 1) + empty[4:]
    await first.wire.send(plain.replace(ours, theirs))
    await first.asked(wire.StudentToHallMessage)
    await first.answer(wire.MovedStudentToHallMessage, students=None)
    await first.until(wire.StudentToIslandMessage, wire.ReqMoveMotherNatureMessage, wire.StudentToHallMessage)


async def wrong_students(probe: Probe) -> None:
    first, second = await landing(probe)
    absent = next((one for one in tuple(wire.ColorPawns)[:5] if one not in first.entrance), wire.ColorPawns.NULL)
    for island, students in (
        (0, first.entrance[:4]),
        (0, [absent]),
        (12, first.entrance[:1]),
        (-1, first.entrance[:1]),
    ):
        await first.answer(wire.MovedStudentOnIslandMessage, index_island=island, students=tuple(students))
        question = await first.refused(wire.StudentToIslandMessage)
        if len(question.entrance) != 7:
            raise unexpected(question, "the entrance as it was")
    await second.wire.silent()


async def out_of_turn(probe: Probe) -> None:
    first, second = await landing(probe)
    await second.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=tuple(first.entrance[:1]))
    await second.until(wire.TextMessage)
    await first.wire.silent()


async def too_early(probe: Probe) -> None:
    first, second = await landing(probe)
    await first.answer(wire.MovedMotherNatureMessage, movement=1, player_model=first.name)
    await first.refused(wire.StudentToIslandMessage)
    await second.wire.silent()


async def mother_nature(probe: Probe) -> None:
    first, second, most = await walking(probe)
    if most != 1:
        raise Failed(f"mother nature may go {most}; expected 1, as the card says")
    for steps in (2, 0, -1, 127):
        await first.answer(wire.MovedMotherNatureMessage, movement=steps, player_model=first.name)
        await first.refused(wire.ReqMoveMotherNatureMessage)
    before = _at(first)
    await first.answer(wire.MovedMotherNatureMessage, movement=1, player_model=first.name)
    await second.until(wire.DisplayIslandsMessage)
    if len(second.islands) == 12 and _at(second) != (before + 1) % 12:
        raise Failed(f"mother nature is on island {_at(second)}; expected {(before + 1) % 12}")
    await first.asked(wire.ReqMoveCloudToEntranceMessage)


def _at(player: Player) -> int:
    """Return the island of mother nature."""
    here = [index for index, island in enumerate(player.islands) if island.mother_nature]
    if len(here) != 1:
        raise Failed(f"mother nature is on the islands {show(here)}; expected one")
    return here[0]


async def cloud(probe: Probe) -> None:
    first, second = await taking(probe)
    for index in (-1, 2):
        await first.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=index)
        await first.refused(wire.ReqMoveCloudToEntranceMessage)
    await first.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=1)
    await first.until(wire.EndTurnMessage)
    await second.until(wire.StartTurnMessage)
    await second.asked(wire.StudentToIslandMessage)
    if (len(first.entrance), len(second.clouds)) != (7, 1):
        raise Failed(
            f"entrance {show(first.entrance)}, clouds {show(second.clouds)}; expected 7 students and one cloud"
        )


async def next_round(probe: Probe) -> None:
    first, second = await taking(probe)
    await first.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
    question: Any = None
    while type(question) is not wire.ReqMoveCloudToEntranceMessage:
        question = await second.until(*QUESTIONS)
        await reply(second, question)
    offer = await first.asked(wire.DisplayDeckAndAskCardMessage)
    if len(first.clouds) != 2 or 1 in {card.priority for card in offer.deck}:
        raise unexpected(offer, f"cards without 1, after two clouds and not {len(first.clouds)}")


async def boards(probe: Probe) -> None:
    first, second = await landing(probe)
    await first.answer(wire.RequestPlayersBoard)
    names = [one.nickname for one in (await first.expect(wire.LobbyInfoMessage)).nickname_list]
    if names != [second.name]:
        raise Failed(f"the players {show(names)} came; expected the others, {second.name}")
    await first.answer(wire.ReqRealPlayerBoardMessage, nick_to_send=second.name)
    await first.expect(wire.DisplayPlayerBoardMessage, nickname=second.name)


# --- characters -------------------------------------------------------------------------------------------------------


async def offered(probe: Probe) -> None:
    first, _ = await turn(probe, ADVANCED)
    offer = await first.asked(wire.ReqPlayCharacterCardMessage)
    numbers = [card.character_id for card in offer.character_deck]
    if len(set(numbers)) != len(numbers) or not set(numbers) <= set(range(8)) or offer.player.coins != 1:
        raise unexpected(offer, "different characters of 0 to 7, and one coin")
    await first.wire.silent()  # one question at a time
    await first.answer(wire.PlayedCharacterCardMessage)
    await first.asked(wire.StudentToIslandMessage)
    await first.answer(wire.PlayedCharacterCardMessage)
    await first.wire.silent()


async def forged(probe: Probe) -> None:
    first, second = await turn(probe, ADVANCED)
    offer = await first.asked(wire.ReqPlayCharacterCardMessage)
    numbers = {card.character_id for card in offer.character_deck}
    absent = next(number for number in range(8) if number not in numbers)
    effect = wire.ExtraMovementMotherEffect(cost_for_effect=-50, money_on_card=0)
    dear = next((card for card in offer.character_deck if getattr(card.effect, "cost_for_effect", 0) > 1), None)
    for card in (wire.CharacterCardModel(character_id=absent, effect=effect), dear):
        if card is not None:
            await first.answer(wire.PlayedCharacterCardMessage, card_played=card)
            offer = await first.refused(wire.ReqPlayCharacterCardMessage)
    if offer.player.coins != 1:
        raise unexpected(offer, "one coin, as before")
    await second.wire.silent()


MAX_TABLES: Final = 16
"""Tables tried for a character that costs one coin and can be used."""


async def played(probe: Probe) -> None:
    for _ in range(MAX_TABLES):
        first, second = await turn(probe, ADVANCED)
        offer = await first.asked(wire.ReqPlayCharacterCardMessage)
        cards = {card.character_id: card for card in offer.character_deck}
        if cards.keys() & {_MONK, _POSTMAN}:
            await _play(first, second, cards)
            return
        for player in (first, second):
            player.leave()
        await asyncio.sleep(0.1)
    raise NotExamined(f"no character for one coin was drawn at {MAX_TABLES} tables")


_MONK: Final = 0
_POSTMAN: Final = 3


async def _play(first: Player, second: Player, cards: dict[int, wire.CharacterCardModel]) -> None:
    if _POSTMAN in cards:
        await first.answer(wire.PlayedCharacterCardMessage, card_played=cards[_POSTMAN])
    else:
        await first.answer(wire.PlayedCharacterCardMessage, card_played=cards[_MONK])
        card = await first.asked(wire.AskMoveStudentFromCardToIslandMessage)
        await first.answer(wire.MovedFromCardToIsland, island_index=5, student_to_move=card.students_on_card[0])
        await second.until(wire.DisplayIslandsMessage)
    await first.asked(wire.StudentToIslandMessage)
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=tuple(first.entrance[:3]))
    steps = await first.asked(wire.ReqMoveMotherNatureMessage)  # no second character in one turn
    wanted = (3 if _POSTMAN in cards else 1, 0)
    if (steps.max_movement_allowed, steps.player.coins) != wanted:
        raise unexpected(steps, f"steps and coins {show(wanted)}")
