"""What the page of eriantys-messages says, tried on a server.  Sections are the rulings, or names of the document.

The players of these checks play by what they are shown: their own entrance, deck, clouds, and the question put to them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from boardwire.clients.checks.check import Check, Failed, Probe, Wire

Message: TypeAlias = dict[str, Any]

TOWERS: Final = {2: ("WHITE", "BLACK"), 3: ("WHITE", "BLACK", "GREY"), 4: ("WHITE", "BLACK", "WHITE", "BLACK")}
NAMES: Final = ("ann", "bob", "cleo", "dan")


class Player:
    """One client, with what it was shown last."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.wire = wire
        self.name = name
        self.entrance: list[str] = []
        self.deck: list[int] = []
        self.clouds: list[list[str]] = []
        self.cemetery: list[int] = []
        self.islands: dict[int, Message] = {}
        self.winner: list[str] | None = None
        self.halls = 0
        """How many halls were shown."""

    async def say(self, kind: str, **arguments: Any) -> None:
        """Send a message."""
        message = {"type": kind, "nickname": self.name, **arguments}
        await self.wire.send(json.dumps(message).encode() + b"\n")

    async def next(self, what: str) -> Message:
        """The next message that is no ping."""
        while True:
            line = await self.wire.receive(what)
            try:
                message = json.loads(line)
            except ValueError:
                message = None
            if not isinstance(message, dict) or "type" not in message:
                raise Failed(f"{line!r} came, which is no JSON object with a type; expected {what}")
            if message["type"] != "PingMessage":
                self._take(message)
                return message

    def _take(self, message: Message) -> None:
        mine = message.get("nickname") == self.name
        match message:
            case {"type": "DisplayEntranceMessage", "entrance": entrance} if mine:
                self.entrance = entrance
            case {"type": "AssignPlayerDeckResponseMessage", "assistantCardsModel": cards} if mine:
                self.deck = [card["value"] for card in cards]
            case {"type": "DisplayCloudsMessage", "clouds": clouds}:
                self.clouds = clouds
            case {"type": "DisplayCemeteryMessage", "cemetery": cards}:
                self.cemetery = [card["value"] for card in cards]
            case {"type": "DisplayHallMessage"}:
                self.halls += 1
            case {"type": "WinMessage", "winner": winner}:
                self.winner = winner
            case {"type": "DisplayIslandMessage", "islandIndex": index, "islandModel": island}:
                self.islands[index] = island

    async def expect(self, kind: str, **fields: Any) -> Message:
        """The next message must be of this type and have these fields."""
        wanted = f"{kind} {fields or ''}".strip()
        message = await self.next(wanted)
        if message["type"] != kind or any(message.get(key) != value for key, value in fields.items()):
            raise Failed(f"{message} came; expected {wanted}")
        return message

    async def until(self, what: str, found: Callable[[Message], bool]) -> Message:
        """Hear displays until this one comes."""
        while True:
            message = await self.next(what)
            if found(message):
                return message
            if message["type"].startswith(("Invalid", "Error", "Disconnection")):
                raise Failed(f"{message} came; expected {what}")

    async def shown(self, kind: str) -> Message:
        """Hear displays until one of this type comes."""
        return await self.until(kind, lambda message: message["type"] == kind)

    async def asked(self, *words: str) -> str:
        """Hear displays until a question comes, which must be one of these."""
        message = await self.until(f"a question ({', '.join(words)})", lambda message: bool(message.get("ask")))
        if message["ask"] not in words:
            raise Failed(f"{message} came; expected a question ({', '.join(words)})")
        return str(message["ask"])

    async def refused(self, *kinds: str) -> Message:
        """The next message must be one of these refusals."""
        message = await self.next(" or ".join(kinds))
        if message["type"] not in kinds or message.get("ask"):
            raise Failed(f"{message} came; expected {' or '.join(kinds)}")
        return message

    async def login(self, tower: str, players: int = 2, mode: str = "simplified") -> None:
        """Log in and register; the answer is still to be heard."""
        await self.say("LoginRequest")
        await self.expect("LoginReply", nicknameAccepted=True, connectionSuccessful=True)
        await self.say("PlayerNicknameMessage", numPlayers=players, colorTower=tower, gameMode=mode)

    async def play_card(self) -> None:
        """Play the lowest card that may be played."""
        free = [card for card in self.deck if card not in self.cemetery] or self.deck
        await self.say("PlayAssistantCardMessage", assistantCard=free[0])

    async def move_students(self, count: int = 3) -> None:
        """Put so many students on island 0."""
        await self.say("StudentToIslandMessage", students=self.entrance[:count], indexIsland=0)

    async def take_cloud(self) -> None:
        """Take the first cloud that is not empty."""
        index = next(index for index, cloud in enumerate(self.clouds) if cloud)
        await self.say("AddStudentFromCloudToWaitingMessage", cloudIndex=index)


async def _connect(probe: Probe, name: str) -> Player:
    return Player(await probe.connect(), name)


async def _table(probe: Probe, count: int = 2, mode: str = "simplified") -> list[Player]:
    """So many players at one table; what is displayed at the start is still to be heard."""
    players = []
    for name, tower in zip(NAMES, TOWERS[count], strict=False):
        player = await _connect(probe, name)
        await player.login(tower, count, mode)
        await player.expect("TowerMessage", nickname=name, colorTower=tower, towerNumber=6 if count == 3 else 8)
        await player.expect("AssignPlayerDeckResponseMessage", nickname=name)
        players.append(player)
    return players


async def _asked(players: list[Player]) -> tuple[Player, str]:
    """Whoever is asked next, and what; no word: the match is over."""
    tasks = [asyncio.create_task(player.until("a question", _is_turning)) for player in players]
    done, late = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    first = next(index for index, task in enumerate(tasks) if task in done)
    return players[first], str(tasks[first].result().get("ask", ""))


def _is_turning(message: Message) -> bool:
    return bool(message.get("ask")) or message["type"] == "WinMessage"


async def _planner(players: list[Player]) -> tuple[Player, Player]:
    """Of two players, the one who is asked for the first card, and the other."""
    first, _ = await _asked(players)
    return first, players[1 - players.index(first)]


async def _turn(probe: Probe, mode: str = "simplified") -> tuple[Player, Player]:
    """Two players whose cards are played: the one whose turn it is, and the other."""
    first, second = await _planner(await _table(probe, 2, mode))
    await first.play_card()
    await second.asked("assistant")
    await second.play_card()
    await first.asked("students", "studentsOrCloud")
    while len(second.cemetery) < 2:
        await second.next("the second card")
    return first, second


# --- login ----------------------------------------------------------------------------------------------------------


async def login(probe: Probe) -> None:
    ann = await _connect(probe, "ann")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True, connectionSuccessful=True)


async def no_nickname(probe: Probe) -> None:
    ann = await _connect(probe, "")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=False)
    ann.name = "ann"
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True)


async def registered(probe: Probe) -> None:
    ann = await _connect(probe, "ann")
    await ann.login("WHITE")
    await ann.expect("TowerMessage", nickname="ann", colorTower="WHITE", towerNumber=8)
    await ann.expect("AssignPlayerDeckResponseMessage", nickname="ann")
    if ann.deck != list(range(1, 11)):
        raise Failed(f"the deck is {ann.deck}; expected 1 to 10")


async def taken_tower(probe: Probe) -> None:
    ann, bob = await _connect(probe, "ann"), await _connect(probe, "bob")
    await ann.login("WHITE", 3)
    await bob.login("WHITE", 3)
    await bob.expect("InvalidTowerMessage")
    await bob.say("PlayerNicknameMessage", numPlayers=3, colorTower="GREY", gameMode="simplified")
    await bob.expect("TowerMessage", nickname="bob", colorTower="GREY", towerNumber=6)


async def taken_nickname(probe: Probe) -> None:
    ann, bob = await _connect(probe, "ann"), await _connect(probe, "ann")
    await ann.login("WHITE", 3)
    await bob.login("BLACK", 3)
    await bob.expect("InvalidNicknameMessage")
    bob.name = "bob"
    await bob.say("PlayerNicknameMessage", numPlayers=3, colorTower="BLACK", gameMode="simplified")
    await bob.expect("TowerMessage", nickname="bob", colorTower="BLACK")


def _board(count: int, mode: str) -> Callable[[Probe], Any]:
    async def board(probe: Probe) -> None:
        for player in await _table(probe, count, mode):
            last = "CharacterCardsMessage" if mode == "expert" else "DisplayCemeteryMessage"
            shown = await player.shown(last)
            sizes = len(player.islands), [len(cloud) for cloud in player.clouds], len(player.entrance)
            wanted = (12, [4 if count == 3 else 3] * count, 9 if count == 3 else 7)
            if sizes != wanted:
                raise Failed(f"islands, clouds and entrance have {sizes}; expected {wanted}")
            if player.halls != count:
                raise Failed(f"{player.halls} halls were shown; expected {count}")
            if mode == "expert" and (len(shown["characters"]), shown["coins"]) != (3, dict.fromkeys(NAMES[:count], 1)):
                raise Failed(f"{shown} came; expected three characters and a coin for everybody")

    return board


# --- play -----------------------------------------------------------------------------------------------------------


async def cards(probe: Probe) -> None:
    first, second = await _planner(await _table(probe))
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
    first, second = await _turn(probe)
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
    first, second = await _turn(probe)
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
    first, second = await _turn(probe)
    await first.move_students()
    await first.asked("motherNature")
    for steps in (0, 2, -1):
        await first.say("MoveMotherNatureMessage", movement=steps)
        await first.expect("InvalidMovementMessage", movementAllowed=1, movementInserted=steps)
    await first.say("MoveMotherNatureMessage", movement=1)
    await second.until("mother nature", lambda message: bool(message.get("islandModel", {}).get("motherNature")))
    await first.asked("cloud")


async def cloud_last(probe: Probe) -> None:
    first, second = await _turn(probe)
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
    first, second = await _turn(probe)
    await first.take_cloud()
    await first.asked("students")
    if len(first.entrance) != 10:
        raise Failed(f"the entrance has {len(first.entrance)} students; expected 10")
    await first.move_students()
    await first.asked("motherNature")
    await first.say("MoveMotherNatureMessage", movement=1)
    await second.asked("students", "studentsOrCloud")


async def characters(probe: Probe) -> None:
    first, second = await _turn(probe, "expert")
    for name in ("WIZARD", "MONK"):
        await first.say("PlayCharacterCardMessage", character=name)
        await first.refused("InvalidCharacterCardMessage")
    await second.wire.silent()


async def malformed(probe: Probe) -> None:
    ann = await _connect(probe, "ann")
    bad = (b"{", b"[]", b'{"type":"Dance"}', b'{"type":"MoveMotherNatureMessage"}', b"\xff")
    for line in bad * 2:
        await ann.wire.send(line + b"\n")
        await ann.expect("ErrorMessage")
    await ann.wire.ends()


async def malformed_once(probe: Probe) -> None:
    ann = await _connect(probe, "ann")
    await ann.wire.send(b"garbage\n")
    await ann.expect("ErrorMessage")
    await ann.say("LoginRequest")
    await ann.expect("LoginReply", nicknameAccepted=True)


# --- the end --------------------------------------------------------------------------------------------------------


async def leaving(probe: Probe) -> None:
    first, second = await _turn(probe)
    first.wire.close()
    await second.expect("DisconnectionMessage", nicknameDisconnected=first.name)
    await second.wire.ends()


async def whole_match(probe: Probe) -> None:
    players = await _table(probe)
    while True:
        player, word = await _asked(players)
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
        Check(f"the board of {count} players, {mode}, is displayed to all", "Login Phase", _board(count, mode))
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
