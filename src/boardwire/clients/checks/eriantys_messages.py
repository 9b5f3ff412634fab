"""What the page of eriantys-messages says, tried on a server.  Sections are the rulings, or names of the document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.clients.checks.check import Check, Failed, Probe
from boardwire.clients.checks.eriantys_messages_player import NAMES, asked_next, connect, gather, planner, turn

# --- login ----------------------------------------------------------------------------------------------------------


async def login(probe: Probe) -> None:
    ann = await connect(probe, "ann")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True, connectionSuccessful=True)


async def no_nickname(probe: Probe) -> None:
    ann = await connect(probe, "")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=False)
    ann.name = "ann"
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True)


async def registered(probe: Probe) -> None:
    ann = await connect(probe, "ann")
    await ann.login("WHITE")
    await ann.expect("TowerMessage", nickname="ann", colorTower="WHITE", towerNumber=8)
    await ann.expect("AssignPlayerDeckResponseMessage", nickname="ann")
    if ann.deck != list(range(1, 11)):
        raise Failed(f"the deck is {ann.deck}; expected 1 to 10")


async def taken_tower(probe: Probe) -> None:
    ann, bob = await connect(probe, "ann"), await connect(probe, "bob")
    await ann.login("WHITE", 3)
    await bob.login("WHITE", 3)
    await bob.expect("InvalidTowerMessage")
    await bob.say("PlayerNicknameMessage", numPlayers=3, colorTower="GREY", gameMode="simplified")
    await bob.expect("TowerMessage", nickname="bob", colorTower="GREY", towerNumber=6)


async def taken_nickname(probe: Probe) -> None:
    ann, bob = await connect(probe, "ann"), await connect(probe, "ann")
    await ann.login("WHITE", 3)
    await bob.login("BLACK", 3)
    await bob.expect("InvalidNicknameMessage")
    bob.name = "bob"
    await bob.say("PlayerNicknameMessage", numPlayers=3, colorTower="BLACK", gameMode="simplified")
    await bob.expect("TowerMessage", nickname="bob", colorTower="BLACK")


def board(count: int, mode: str) -> Callable[[Probe], Any]:
    async def shown(probe: Probe) -> None:
        for player in await gather(probe, count, mode):
            last = "CharacterCardsMessage" if mode == "expert" else "DisplayCemeteryMessage"
            cards = await player.shown(last)
            sizes = len(player.islands), [len(cloud) for cloud in player.clouds], len(player.entrance)
            wanted = (12, [4 if count == 3 else 3] * count, 9 if count == 3 else 7)
            if sizes != wanted:
                raise Failed(f"islands, clouds and entrance have {sizes}; expected {wanted}")
            if player.halls != count:
                raise Failed(f"{player.halls} halls were shown; expected {count}")
            if mode == "expert" and (len(cards["characters"]), cards["coins"]) != (3, dict.fromkeys(NAMES[:count], 1)):
                raise Failed(f"{cards} came; expected three characters and a coin for everybody")

    return shown


# --- play -----------------------------------------------------------------------------------------------------------


async def cards(probe: Probe) -> None:
    first, second = await planner(await gather(probe))
    await second.play_card()
    await second.refused("TextMessage")
    await first.play_card()
    for player in (first, second):
        shown = await player.until("a card in the cemetery", lambda message: bool(message.get("cemetery")))
        if shown["cemetery"] != [{"nickname": first.name, "value": 1, "movement": 1}]:
            raise Failed(f"{shown} came; expected the card 1 of {first.name}")
    await second.asked("assistant")
    await second.say("PlayAssistantCardMessage", assistantCard=1)
    await second.refused("TextMessage")


async def students(probe: Probe) -> None:
    first, second = await turn(probe)
    one, *rest = first.entrance
    await first.say("StudentToHallMessage", students=[one])
    hall = await first.shown("DisplayHallMessage")
    if hall["hall"].get(one) != 1:
        raise Failed(f"{hall} came; expected one {one}")
    await first.asked("students")
    await second.shown("DisplayHallMessage")
    await first.say("StudentToIslandMessage", students=rest[:2], indexIsland=3)
    await first.shown("DisplayIslandMessage")
    await second.shown("DisplayIslandMessage")
    await first.asked("motherNature")


async def wrong_students(probe: Probe) -> None:
    first, second = await turn(probe)
    absent = next(iter({"GREEN", "RED", "YELLOW", "PINK", "BLUE"} - set(first.entrance)), None)
    await first.move_students(4)
    await first.refused("InvalidNumberStudentsMovedMessage")
    await first.say("StudentToHallMessage", students=[absent] if absent else [first.entrance[0]] * 8)
    await first.refused("InvalidNumberStudentsMovedMessage")
    await first.say("MoveMotherNatureMessage", movement=1)
    await first.refused("InvalidNumberStudentsMovedMessage")
    await second.say("StudentToHallMessage", students=second.entrance[:1])
    await second.refused("TextMessage")
    await first.wire.silent()


async def mother_nature(probe: Probe) -> None:
    first, second = await turn(probe)
    await first.move_students()
    await first.asked("motherNature")
    for steps in (0, 2, -1):
        await first.say("MoveMotherNatureMessage", movement=steps)
        await first.expect("InvalidMovementMessage", movementAllowed=1, movementInserted=steps)
    await first.say("MoveMotherNatureMessage", movement=1)
    await second.until("mother nature", lambda message: bool(message.get("islandModel", {}).get("motherNature")))
    await first.asked("cloud")


async def cloud_last(probe: Probe) -> None:
    first, second = await turn(probe)
    await first.move_students()
    await first.asked("motherNature")
    await first.say("MoveMotherNatureMessage", movement=1)
    await first.asked("cloud")
    await first.take_cloud()
    await first.until("a text that the turn is over", lambda message: message["type"] == "TextMessage")
    await second.asked("students", "studentsOrCloud")
    if [len(first.entrance), sorted(map(len, second.clouds))] != [7, [0, 3]]:
        raise Failed(f"entrance {first.entrance}, clouds {second.clouds}; expected 7 students and one empty cloud")


async def cloud_first(probe: Probe) -> None:
    first, second = await turn(probe)
    await first.take_cloud()
    await first.asked("students")
    if len(first.entrance) != 10:
        raise Failed(f"the entrance has {len(first.entrance)} students; expected 10")
    await first.move_students()
    await first.asked("motherNature")
    await first.say("MoveMotherNatureMessage", movement=1)
    await second.asked("students", "studentsOrCloud")


async def characters(probe: Probe) -> None:
    first, second = await turn(probe, "expert")
    for name in ("WIZARD", "MONK"):
        await first.say("PlayCharacterCardMessage", character=name)
        await first.refused("InvalidCharacterCardMessage")
    await second.wire.silent()


async def malformed(probe: Probe) -> None:
    ann = await connect(probe, "ann")
    bad = (b"{", b"[]", b'{"type":"Dance"}', b'{"type":"MoveMotherNatureMessage"}', b"\xff")
    for line in bad * 2:
        await ann.wire.send(line + b"\n")
        await ann.expect("ErrorMessage")
    await ann.wire.ends()


async def malformed_once(probe: Probe) -> None:
    ann = await connect(probe, "ann")
    await ann.wire.send(b"garbage\n")
    await ann.expect("ErrorMessage")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True)


# --- the end --------------------------------------------------------------------------------------------------------


async def leaving(probe: Probe) -> None:
    first, second = await turn(probe)
    first.wire.close()
    await second.expect("DisconnectionMessage", nicknameDisconnected=first.name)
    await second.wire.ends()


async def whole_match(probe: Probe) -> None:
    players = await gather(probe)
    while True:
        player, word = await asked_next(players)
        if word == "assistant":
            await player.play_card()
        elif word == "motherNature":
            await player.say("MoveMotherNatureMessage", movement=1)
        elif word == "cloud":
            await player.take_cloud()
        elif word:
            await player.move_students()
        else:
            break
    for player in players:
        if player.winner is None:
            await player.shown("WinMessage")
        if not player.winner:
            raise Failed(f"{player.name} was told that {player.winner} won; expected one or more players")
        await player.say("EndGameMessage")
        await player.wire.ends()


CHECKS: Final = (
    Check("LoginRequest gets LoginReply", "LoginReply", login),
    Check("an empty nickname is not accepted, and may be tried again", "r1", no_nickname),
    Check("a registered player gets towers and deck", "PlayerNicknameMessage", registered),
    Check("a taken tower gets InvalidTowerMessage, and may be tried again", "r1", taken_tower),
    Check("a taken nickname gets InvalidNicknameMessage, and may be tried again", "r1", taken_nickname),
    *(
        Check(f"the board of {count} players, {mode}, is displayed to all", "Login Phase", board(count, mode))
        for count in (2, 3, 4)
        for mode in ("simplified", "expert")
    ),
    Check("cards are played in order, once a round, and shown to all", "Planning Phase", cards),
    Check("students go in any split, and all see it", "r3", students),
    Check("too many students, absent ones, or too early a walk", "r3", wrong_students),
    Check("mother nature goes as far as the card says", "MoveMotherNatureMessage", mother_nature),
    Check("the cloud may be taken last, which ends the turn", "r2", cloud_last),
    Check("the cloud may be taken first", "r2", cloud_first),
    Check("a character that is none, or lacks what it needs, is refused", "r5", characters),
    Check("one message that cannot be read gets ErrorMessage", "r6", malformed_once),
    Check("ten messages that cannot be read end the connection", "r6", malformed),
    Check("a player who leaves ends the match for the others", "r7", leaving),
    Check("a whole match ends with WinMessage for all", "r7", whole_match),
)
