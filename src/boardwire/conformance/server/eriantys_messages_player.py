"""An eriantys-messages player for checks, and whole stages of a match.

It chooses from the entrance, the deck and the clouds that the server displayed last.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, Probe, Wire, fills_table, fresh_names, stage, unexpected
from boardwire.conformance.server.json_lines import JsonPlayer, Message
from boardwire.dialects.eriantys_messages.messages import REFUSED

TOWERS: Final = {2: ("WHITE", "BLACK"), 3: ("WHITE", "BLACK", "GREY"), 4: ("WHITE", "BLACK", "WHITE", "BLACK")}


class Player(JsonPlayer):
    """One connection, with the state that the server displayed last."""

    always_tagged = True

    def __init__(self, wire: Wire, name: str) -> None:
        super().__init__(wire)
        self.name = name
        self.entrance: list[str] = []
        self.deck: list[int] = []
        self.clouds: list[list[str]] = []
        self.cemetery: list[int] = []
        self.islands: dict[int, Message] = {}
        self.winner: list[str] | None = None
        self.towers: dict[str, int] = {}
        """Number of remaining towers, by player."""
        self.professors: dict[str, int] = {}
        """Number of professors, by player."""
        self.halls = 0
        """Number of halls displayed."""
        self.seen: set[str] = set()
        """Players whose entrances were displayed."""

    async def say(self, kind: str, /, **arguments: Any) -> None:
        await super().say(kind, nickname=self.name, **arguments)

    async def receive(self, what: str, wait: float | None = None) -> Message:
        message = await super().receive(what, wait)
        self._apply_display(message)
        return message

    def _apply_display(self, message: Message) -> None:
        """Update the player's knowledge of the table from a display message."""
        mine = message.get("nickname") == self.name
        if message["type"] == "DisplayEntranceMessage":
            self.seen.add(message["nickname"])
        match message:
            case {"type": "DisplayEntranceMessage", "entrance": entrance} if mine:
                self.entrance = entrance
            case {"type": "AssignPlayerDeckResponseMessage", "assistantCardsModel": cards} if mine:
                self.deck = [card["value"] for card in cards]
            case {"type": "DisplayCloudsMessage", "clouds": clouds}:
                self.clouds = clouds
            case {"type": "DisplayCemeteryMessage", "cemetery": cards}:
                self.cemetery = [card["value"] for card in cards]
            case {"type": "DisplayHallMessage", "nickname": name, "professors": professors}:
                self.halls += 1
                self.professors[name] = len(professors)
            case {"type": "TowerMessage", "nickname": name, "towerNumber": left}:
                self.towers[name] = left
            case {"type": "WinMessage", "winner": winner}:
                self.winner = winner
            case {"type": "DisplayIslandMessage", "islandIndex": index, "islandModel": island}:
                self.islands[index] = island

    async def receive_until(self, what: str, is_wanted: Callable[[Message], bool]) -> Message:
        """Receive displays until `found` accepts one."""
        while True:
            message = await self.receive(what)
            if is_wanted(message):
                return message
            if message["type"].startswith(("Invalid", "Error", "Disconnection")):
                raise unexpected(message, what)

    async def expect_display(self, kind: str) -> Message:
        """Receive displays until one of this type."""
        return await self.receive_until(kind, lambda message: message["type"] == kind)

    async def expect_question(self, *words: str) -> str:
        """Receive displays until a question, which must be one of these; return its keyword."""
        message = await self.receive_until(f"a question ({', '.join(words)})", _is_question)
        if message["ask"] not in words:
            raise unexpected(message, f"a question ({', '.join(words)})")
        return str(message["ask"])

    async def expect_refusal(self, *kinds: str) -> Message:
        """Receive one of these refusals."""
        message = await self.receive(" or ".join(kinds))
        if message["type"] not in kinds or _is_question(message):
            raise unexpected(message, " or ".join(kinds))
        return message

    async def login(self, tower: str, players: int = 2, mode: str = "simplified") -> None:
        """Log in and register, without receiving the reply to the registration."""
        await let_in(self)
        await self.say("PlayerNicknameMessage", numPlayers=players, colorTower=tower, gameMode=mode)

    async def register_first(self, tower: str, players: int = 2, mode: str = "simplified", towers: int = 8) -> None:
        """Log in and register as the first player of an attempt; receive towers and deck.

        The lobby must be empty before.
        """
        self.probe.enter_queue()
        await self.login(tower, players, mode)
        message = await self.receive("TowerMessage")
        if message["type"] == "InvalidTowerMessage":
            raise self.probe.other_player(f"the first player got {show(message)}", harmless=True)
        expected = {"type": "TowerMessage", "nickname": self.name, "colorTower": tower, "towerNumber": towers}
        if any(message.get(key) != value for key, value in expected.items()):
            raise unexpected(message, show(expected))
        await self.expect("AssignPlayerDeckResponseMessage", nickname=self.name)
        await self.wire.expect_no_opponent()

    async def play_card(self) -> None:
        """Play the lowest card that may be played."""
        free = [card for card in self.deck if card not in self.cemetery] or self.deck
        await self.say("PlayAssistantCardMessage", assistantCard=free[0])

    async def move_students(self, count: int = 3) -> None:
        """Move `count` students to island 0."""
        await self.say("StudentToIslandMessage", students=self.entrance[:count], indexIsland=0)

    def leaders(self) -> list[str]:
        """Return the players who would win now: with the fewest remaining towers, then with the most professors."""
        ranks = {name: (left, -self.professors.get(name, 0)) for name, left in self.towers.items()}
        return sorted(name for name, rank in ranks.items() if rank == min(ranks.values()))

    async def take_cloud(self) -> None:
        """Take the first cloud that is not empty."""
        index = next(index for index, cloud in enumerate(self.clouds) if cloud)
        await self.say("AddStudentFromCloudToWaitingMessage", cloudIndex=index)


@stage
async def let_in(player: Player) -> None:
    """Log in and receive the reply."""
    await player.say("LoginRequest")
    await player.expect("LoginReply", nicknameAccepted=True, connectionSuccessful=True)


async def connect(probe: Probe, name: str) -> Player:
    """Open a connection for a player of this name."""
    return Player(await probe.connect(), name)


@fills_table
async def gather(probe: Probe, count: int = 2, mode: str = "simplified") -> list[Player]:
    """Fill a table of `count` players and receive the displays up to the last entrance."""
    players: list[Player] = []
    names = fresh_names(count)
    for name, tower in zip(names, TOWERS[count], strict=True):
        player = await connect(probe, name)
        towers = 6 if count == 3 else 8
        if players:
            await player.login(tower, count, mode)
            await player.expect("TowerMessage", nickname=name, colorTower=tower, towerNumber=towers)
            await player.expect("AssignPlayerDeckResponseMessage", nickname=name)
        else:
            await player.register_first(tower, count, mode, towers)
        players.append(player)
    for player in players:
        while len(player.seen) < count:
            await player.expect_display("DisplayEntranceMessage")
        if player.seen != set(names):
            raise Failed(f"got the entrances of {show(player.seen)}; expected those of {show(names)}")
    return players


async def next_question(players: list[Player]) -> tuple[Player, str]:
    """Return the next player with a question, and its keyword; the keyword is '' at the end of the match."""
    tasks = [asyncio.create_task(player.receive_until("a question", _is_question_or_end)) for player in players]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    first = next(index for index, task in enumerate(tasks) if task in done)
    return players[first], str(tasks[first].result().get("ask", ""))


def _is_question(message: Message) -> bool:
    return message.get("ask", "") not in ("", REFUSED)


def _is_question_or_end(message: Message) -> bool:
    return _is_question(message) or message["type"] == "WinMessage"


async def planner(players: list[Player]) -> tuple[Player, Player]:
    """Return two players in the order in which they are asked for their cards."""
    first, _ = await next_question(players)
    return first, players[1 - players.index(first)]


@stage
async def turn(probe: Probe, mode: str = "simplified") -> tuple[Player, Player]:
    """Return two players who have played their cards, the player to move first."""
    first, second = await planner(await gather(probe, 2, mode))
    await first.play_card()
    await second.expect_question("assistant")
    await second.play_card()
    await first.expect_question("students", "studentsOrCloud")
    while len(second.cemetery) < 2:
        await second.receive("the second card")
    return first, second
