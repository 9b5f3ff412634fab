"""Checks of eriantys-messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Answering, Check, Failed, Probe, fresh_names, unexpected
from boardwire.conformance.server.eriantys_messages_player import connect, gather, let_in, next_question, planner, turn
from boardwire.conformance.server.json_lines import answers

# --- login ------------------------------------------------------------------------------------------------------------


async def login(probe: Probe) -> None:
    await let_in(await connect(probe, "ann"))


async def no_nickname(probe: Probe) -> None:
    ann = await connect(probe, "")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=False)
    ann.name = "ann"
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True)


async def registered(probe: Probe) -> None:
    (name,) = fresh_names(1)
    ann = await connect(probe, name)
    await ann.register_first("WHITE")
    if ann.deck != list(range(1, 11)):
        raise Failed(f"got the deck {show(ann.deck)}; expected the values 1 to 10")


async def taken_tower(probe: Probe) -> None:
    names = fresh_names(2)
    ann, bob = [await connect(probe, name) for name in names]
    await ann.register_first("WHITE", 3, towers=6)
    await bob.login("WHITE", 3)
    await bob.expect("InvalidTowerMessage")
    await bob.say("PlayerNicknameMessage", numPlayers=3, colorTower="GREY", gameMode="simplified")
    await bob.expect("TowerMessage", nickname=bob.name, colorTower="GREY", towerNumber=6)


async def taken_nickname(probe: Probe) -> None:
    names = fresh_names(2)
    ann, bob = await connect(probe, names[0]), await connect(probe, names[0])
    await ann.register_first("WHITE", 3, towers=6)
    await bob.login("BLACK", 3)
    await bob.expect("InvalidNicknameMessage")
    bob.name = names[1]
    await bob.say("PlayerNicknameMessage", numPlayers=3, colorTower="BLACK", gameMode="simplified")
    await bob.expect("TowerMessage", nickname=bob.name, colorTower="BLACK")


def board(count: int, mode: str) -> Callable[[Probe], Any]:
    """Return the check of the first displays at a table of `count` players."""

    async def shown(probe: Probe) -> None:
        players = await gather(probe, count, mode)
        coins = {player.name: 1 for player in players}
        for player in players:
            last = "CharacterCardsMessage" if mode == "expert" else "DisplayCemeteryMessage"
            cards = await player.expect_display(last)
            sizes = len(player.islands), [len(cloud) for cloud in player.clouds], len(player.entrance)
            expected = (12, [4 if count == 3 else 3] * count, 9 if count == 3 else 7)
            if sizes != expected:
                raise Failed(f"islands, clouds and entrance have the sizes {show(sizes)}; expected {show(expected)}")
            if player.halls != count:
                raise Failed(f"{player.halls} halls were displayed; expected {count}")
            if mode == "expert" and (len(cards["characters"]), cards["coins"]) != (3, coins):
                raise unexpected(cards, "three characters and a coin for each player")

    return shown


# --- play -------------------------------------------------------------------------------------------------------------


async def cards(probe: Probe) -> None:
    first, second = await planner(await gather(probe))
    await second.play_card()
    await second.expect_refusal("TextMessage")
    await first.play_card()
    for player in (first, second):
        shown = await player.receive_until("a card in the cemetery", lambda message: bool(message.get("cemetery")))
        if shown["cemetery"] != [{"nickname": first.name, "value": 1, "movement": 1}]:
            raise unexpected(shown, f"card 1 of {first.name}")
    await second.expect_question("assistant")
    await second.say("PlayAssistantCardMessage", assistantCard=1)
    await second.expect_refusal("TextMessage")


async def students(probe: Probe) -> None:
    first, second = await turn(probe)
    student, *rest = first.entrance
    await first.say("StudentToHallMessage", students=[student])
    hall = await first.expect_display("DisplayHallMessage")
    if hall["hall"].get(student) != 1:
        raise unexpected(hall, f"one {student}")
    await first.expect_question("students")
    await second.expect_display("DisplayHallMessage")
    await first.say("StudentToIslandMessage", students=rest[:2], indexIsland=3)
    await first.expect_display("DisplayIslandMessage")
    await second.expect_display("DisplayIslandMessage")
    await first.expect_question("motherNature")


async def wrong_students(probe: Probe) -> None:
    first, second = await turn(probe)
    absent = next(iter({"GREEN", "RED", "YELLOW", "PINK", "BLUE"} - set(first.entrance)), None)
    await first.move_students(4)
    await first.expect_refusal("InvalidNumberStudentsMovedMessage")
    await first.say("StudentToHallMessage", students=[absent] if absent else [first.entrance[0]] * 8)
    await first.expect_refusal("InvalidNumberStudentsMovedMessage")
    await first.say("MoveMotherNatureMessage", movement=1)
    await first.expect_refusal("InvalidNumberStudentsMovedMessage")
    await second.say("StudentToHallMessage", students=second.entrance[:1])
    await second.expect_refusal("TextMessage")
    await first.wire.expect_silence()


async def mother_nature(probe: Probe) -> None:
    first, second = await turn(probe)
    await first.move_students()
    await first.expect_question("motherNature")
    for steps in (0, 2, -1):
        await first.say("MoveMotherNatureMessage", movement=steps)
        await first.expect("InvalidMovementMessage", movementAllowed=1, movementInserted=steps)
    await first.say("MoveMotherNatureMessage", movement=1)
    await second.receive_until(
        "mother nature", lambda message: bool(message.get("islandModel", {}).get("motherNature"))
    )
    await first.expect_question("cloud")


async def cloud_last(probe: Probe) -> None:
    first, second = await turn(probe)
    await first.move_students()
    await first.expect_question("motherNature")
    await first.say("MoveMotherNatureMessage", movement=1)
    await first.expect_question("cloud")
    await first.take_cloud()
    await first.receive_until("a text that the turn is over", lambda message: message["type"] == "TextMessage")
    await second.expect_question("students", "studentsOrCloud")
    if [len(first.entrance), sorted(map(len, second.clouds))] != [7, [0, 3]]:
        received = {"entrance": first.entrance, "clouds": second.clouds}
        raise unexpected(received, "7 students and one empty cloud")


async def cloud_first(probe: Probe) -> None:
    first, second = await turn(probe)
    await first.take_cloud()
    await first.expect_question("students")
    if len(first.entrance) != 10:
        raise Failed(f"the entrance has {len(first.entrance)} students; expected 10")
    await first.move_students()
    await first.expect_question("motherNature")
    await first.say("MoveMotherNatureMessage", movement=1)
    await second.expect_question("students", "studentsOrCloud")


async def characters(probe: Probe) -> None:
    first, second = await turn(probe, "expert")
    for name in ("WIZARD", "MONK"):
        await first.say("PlayCharacterCardMessage", character=name)
        await first.expect_refusal("InvalidCharacterCardMessage")
    await second.wire.expect_silence()


async def malformed(probe: Probe) -> None:
    ann = await connect(probe, "ann")
    bad = (b"{", b"[]", b'{"type":"Dance"}', b'{"type":"MoveMotherNatureMessage"}', b"\xff")
    for line in bad * 2:
        await ann.wire.send(line + b"\n")
        await ann.expect("ErrorMessage")
    await ann.wire.expect_close()


async def malformed_once(probe: Probe) -> None:
    ann = await connect(probe, "ann")
    await ann.wire.send(b"garbage\n")
    await ann.expect("ErrorMessage")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True)


# --- the end ----------------------------------------------------------------------------------------------------------


async def leaving(probe: Probe) -> None:
    first, second = await turn(probe)
    first.wire.close()
    await second.expect("DisconnectionMessage", nicknameDisconnected=first.name)
    await second.wire.expect_close()


HALL_TURNS: Final = 3
"""Turns in which one player moves its students to the hall, for professors and towers; no colour is full after them."""


async def whole_match(probe: Probe) -> None:
    """Check a match of two players from the first card to its end."""
    players = await gather(probe)
    turns = 0
    while True:
        player, word = await next_question(players)
        if word == "assistant":
            await player.play_card()
        elif word == "motherNature":
            await player.say("MoveMotherNatureMessage", movement=1)
        elif word == "cloud":
            await player.take_cloud()
        elif word and player is players[0] and turns < HALL_TURNS:
            turns += 1
            await player.say("StudentToHallMessage", students=player.entrance[:3])
        elif word:
            await player.move_students()
        else:
            break
    for player in players:
        if player.winner is None:
            await player.expect_display("WinMessage")
        if not player.winner:
            raise Failed(f"{player.name} got the winners {show(player.winner)}; expected one or more players")
        if sorted(player.winner) != player.leaders():
            raise Failed(
                f"{player.name} got the winners {show(player.winner)}; expected {show(player.leaders())}: "
                f"remaining towers {show(player.towers)}, professors {show(player.professors)}"
            )
        await player.say("EndGameMessage")
        await player.wire.expect_close()


CHECKS: Final = (
    Check("LoginRequest gets LoginReply", "4.1", login),
    Check("an empty nickname is not accepted, and may be tried again", "4.1", no_nickname),
    Check("a registered player gets towers and deck", "4.2", registered),
    Check("a taken tower gets InvalidTowerMessage, and may be tried again", "6.1", taken_tower),
    Check("a taken nickname gets InvalidNicknameMessage, and may be tried again", "6.1", taken_nickname),
    *(
        Check(f"the board of {count} players, {mode}, is displayed to all", "4.3", board(count, mode))
        for count in (2, 3, 4)
        for mode in ("simplified", "expert")
    ),
    Check("cards are played in order, once a round, and shown to all", "4.4", cards),
    Check("students go in any split, and all see it", "6.3", students),
    Check("too many students, absent ones, or too early a walk", "6.3", wrong_students),
    Check("mother nature goes as far as the card says", "3", mother_nature),
    Check("the cloud may be taken last, which ends the turn", "6.2", cloud_last),
    Check("the cloud may be taken first", "6.2", cloud_first),
    Check("an unknown character, or one without its arguments, is refused", "6.5", characters),
    Check("one message that cannot be read gets ErrorMessage", "6.6", malformed_once),
    Check("ten messages that cannot be read end the connection", "6.6", malformed),
    Check("a player who leaves ends the match for the others", "6.7", leaving),
    Check("a whole match ends with WinMessage for all", "6.7", whole_match),
)


def answering(edition: str) -> Answering:
    """Return the function that answers pings; a reply is also the ping that a client must send."""
    return answers(lambda message: message.get("type") == "PingMessage", {"type": "PingMessage"})
