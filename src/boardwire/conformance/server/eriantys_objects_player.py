"""An eriantys-objects player for checks: objects, the state displayed last, and whole stages of a match.

- Every received object must have the type of its class; a display must set its own field and not its parent's.
- Displays arrive in any order: a player receives them until the expected question arrives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

from boardwire.conformance.display import java, show
from boardwire.conformance.server.check import Failed, Probe, Wire, fills_table, fresh_names, stage, unexpected
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import GREETING, encode
from boardwire.errors import Malformed

WHITE, BLACK, GREY = wire.ColorTower.WHITE, wire.ColorTower.BLACK, wire.ColorTower.GREY
TOWERS: Final = {2: (BLACK, WHITE), 3: (BLACK, WHITE, GREY), 4: (BLACK, WHITE, BLACK, WHITE)}
BEGINNER, ADVANCED = wire.GameMode.BEGINNER, wire.GameMode.ADVANCED
PING: Final = encode(wire.PingMessage())
PING_SECONDS: Final = 1.0
HALL_SEATS: Final = 10
"""Seats of each colour in a hall."""
LIST_SECONDS: Final = 0.5
"""Seconds for a server to list the players of a table; some servers never do."""

Received = TypeVar("Received", bound=wire.Message)


def _declared(kind: type[wire.Message], name: str) -> Any:
    """Return the default of a field of a class, or None if there is no such field."""
    return next((field.default for field in msgspec.structs.fields(kind) if field.name == name), None)


class Player:
    """One connection, with the state that the server displayed last."""

    def __init__(self, line: Wire, name: str) -> None:
        self.wire = line
        self.probe = line.probe
        self.name = name
        self.entrance: list[wire.ColorPawns] = []
        self.islands: list[wire.IslandModel] = []
        self.clouds: list[wire.CloudModel] = []
        self.cemetery: list[wire.AssistantCardModel] = []
        self.board: wire.DisplayPlayerBoardMessage | None = None
        self._heartbeats = asyncio.create_task(self._stay_alive())

    async def _stay_alive(self) -> None:
        """Send heartbeats, the first at once, until the connection is closed."""
        try:
            while True:
                await self.wire.ping(PING)
                await asyncio.sleep(PING_SECONDS)
        except EOFError:
            return

    def leave(self) -> None:
        """Close the connection."""
        self._heartbeats.cancel()
        self.wire.close()

    async def depart(self) -> None:
        """Close the connection and wait until the server has closed it."""
        self._heartbeats.cancel()
        await self.wire.leave()

    # --- sending ------------------------------------------------------------------------------------------------------

    async def say(self, *messages: wire.Message) -> None:
        """Send objects in one segment."""
        await self.wire.send(b"".join(map(encode, messages)), " ".join(map(show, messages)))

    async def answer(self, kind: type[wire.Message], **fields: Any) -> None:
        """Send an object with this player's nickname."""
        await self.say(kind(nickname=self.name, **fields))

    async def login(self) -> None:
        """Request a login."""
        await self.answer(wire.LoginRequest)

    # --- receiving ----------------------------------------------------------------------------------------------------

    async def next_message(self, what: str) -> Any:
        """Return the next object; raise `Failed` if its type or its display fields are wrong."""
        message = await self.wire.receive(what)
        if not isinstance(message, wire.Message):
            raise unexpected(message, what)
        if message.message_type is not _declared(type(message), "message_type"):
            raise unexpected(message, f"the type of {type(message).__name__}")
        if isinstance(message, wire.DisplayMessage):
            expected = _declared(type(message), "object_display")
            if message.parent_display is not None or getattr(message, "object_display", None) is not expected:
                raise unexpected(message, f"objectDisplay {show(expected)} in the subclass and null in DisplayMessage")
        self._apply_display(message)
        return message

    def _apply_display(self, message: wire.Message) -> None:
        """Update the player's knowledge of the table from a display message."""
        match message:
            case wire.DisplayCloudsMessage(clouds=clouds) | wire.ReqMoveCloudToEntranceMessage(clouds=clouds):
                self.clouds = list(clouds)
            case wire.DisplayIslandsMessage(island_models=islands):
                self.islands = list(islands)
            case wire.StudentToIslandMessage(entrance=entrance, islands=islands):
                self.entrance, self.islands = list(entrance), list(islands)
            case (
                wire.StudentToHallMessage(entrance=entrance) | wire.EntranceChangeMessage(student_in_entrance=entrance)
            ):
                self.entrance = list(entrance)
            case wire.DisplayPlayerBoardMessage(nickname=name, entrance=entrance) if name == self.name:
                self.entrance, self.board = list(entrance), message
            case wire.DisplayCemeteryMessage(cemetery=cards):
                self.cemetery = list(cards)

    async def expect(self, kind: type[Received], **fields: Any) -> Received:
        """Receive an object of this class with these values."""
        expected = java(kind, **fields)
        message = await self.next_message(expected)
        if type(message) is not kind or any(getattr(message, name) != value for name, value in fields.items()):
            raise unexpected(message, expected)
        return message

    async def receive_until(self, *kinds: type[Received]) -> Received:
        """Receive displays until an object of one of these classes."""
        expected = " or ".join(kind.__name__ for kind in kinds)
        while True:
            message = await self.next_message(expected)
            if type(message) in kinds:
                received: Received = message
                return received
            if type(message) in QUESTIONS or type(message) in ENDS:
                raise unexpected(message, expected)

    async def expect_question(self, kind: type[Received]) -> Received:
        """Receive displays until this question, addressed to this player."""
        question = await self.receive_until(kind)
        if question.nickname != self.name:
            raise unexpected(question, f"the nickname {self.name} in it")
        return question

    async def expect_refusal(self, kind: type[Received]) -> Received:
        """Receive TextMessage or InvalidMovementMessage, then the same question again; the reason is optional."""
        reason = await self.next_message("TextMessage with the reason")
        if type(reason) not in (wire.TextMessage, wire.InvalidMovementMessage, kind):
            raise unexpected(reason, f"TextMessage and {kind.__name__}")
        return reason if type(reason) is kind else await self.expect_question(kind)


QUESTIONS: Final[frozenset[type[wire.Message]]] = frozenset(
    {
        wire.DisplayDeckAndAskCardMessage,
        wire.ReqPlayCharacterCardMessage,
        wire.StudentToIslandMessage,
        wire.StudentToHallMessage,
        wire.ReqMoveMotherNatureMessage,
        wire.ReqMoveCloudToEntranceMessage,
        wire.AskMoveStudentFromCardToIslandMessage,
        wire.ReqStudentFromCardToHall,
        wire.AskMoveBanCardMessage,
        wire.AskColorToIgnore,
    }
)
"""Classes of questions in a match."""

ENDS: Final[frozenset[type[wire.Message]]] = frozenset({wire.WinMessage, wire.DisconnectionMessage, wire.ErrorMessage})
"""Classes that end a match."""


# --- stages of a match -----------------------------------------------------------------------------------------------


async def connect(probe: Probe, name: str) -> Player:
    """Open a connection and send the stream header."""
    line = await probe.connect()
    await line.ping(GREETING)
    return Player(line, name)


class Bytes:
    """A decoder that returns its input."""

    fault: Malformed | None = None
    buffered = 0
    overhead = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bytes unchanged."""
        return [data]


@stage
async def let_in(player: Player) -> None:
    """Log in and receive the reply."""
    await player.login()
    await player.expect(wire.LoginReply, nickname_accepted=True, connection_successful=True)


async def enter(probe: Probe, name: str = "") -> Player:
    """Connect and log in."""
    player = await connect(probe, name or fresh_names(1)[0])
    await let_in(player)
    return player


async def expect_number_request(player: Player) -> None:
    """Receive the request for a number of players; any other message shows that another player waits."""
    message = None if player.probe.alone else await player.wire.next_within(player.probe.wait)
    if message is not None:
        player.wire.put_back([message])
    elif not player.probe.alone:
        raise player.probe.other_player("the first player is not asked for a number", harmless=True)
    if isinstance(message, wire.InitialResMessage):
        raise player.probe.other_player(f"the first player got {show(message)}", harmless=True)
    await player.expect(wire.PlayerNumberRequest)


@stage
async def choosing(probe: Probe) -> Player:
    """Log in as the first player of a table, up to the request for a number of players."""
    first = await enter(probe)
    await expect_number_request(first)
    return first


@stage
async def open_table(probe: Probe, count: int = 2, mode: wire.GameMode = BEGINNER) -> Player:
    """Open a table and make all choices of its first player.

    The table has no mode until the last choice, so the mode in earlier messages is not checked.
    """
    first = await choosing(probe)
    await first.answer(wire.PlayerNumberReply, player_number=count)
    towers = (await first.expect(wire.InitialResMessage, nickname=first.name)).available_towers
    if sorted(map(show, towers)) != sorted(map(show, TOWERS[count])):
        raise Failed(f"got the towers {show(towers)}; expected {show(TOWERS[count])}")
    await first.answer(wire.ChosenTowerMessage, color_tower=TOWERS[count][0])
    await first.expect(wire.GameModeReq)
    await first.answer(wire.GameModeRes, game_mode=mode)
    return first


async def join(probe: Probe, mode: wire.GameMode = BEGINNER) -> tuple[Player, list[wire.ColorTower]]:
    """Join a waiting table; return the player and the free towers."""
    player = await enter(probe)
    towers = await player.expect(wire.InitialResMessage, nickname=player.name, game_mode=mode)
    return player, list(towers.available_towers)


@fills_table
async def gather(probe: Probe, count: int = 2, mode: wire.GameMode = BEGINNER) -> list[Player]:
    """Fill a table and receive the displays up to the clouds."""
    players = [await open_table(probe, count, mode)]
    for tower in TOWERS[count][1:]:
        player, free_towers = await join(probe, mode)
        if tower not in free_towers:
            raise Failed(f"got the towers {show(free_towers)}; expected {show(tower)} among them")
        await player.answer(wire.ChosenTowerMessage, color_tower=tower)
        players.append(player)
    for player in players:
        await player.expect(wire.DisplayCloudsMessage, nickname=player.name)
    for player in players:
        others = await _others_of(player)
        if others is not None and others != {other.name for other in players} - {player.name}:
            raise Failed(f"{player.name} got the other players {show(others)}; expected the players of this table")
    return players


async def _others_of(player: Player) -> set[str | None] | None:
    """Return the other players of the table, or None if the server does not list them.

    Other messages stay in the queue.
    """
    await player.answer(wire.RequestPlayersBoard)
    other_messages: list[Any] = []
    try:
        while not isinstance(message := await player.wire.receive(wait=LIST_SECONDS), wire.LobbyInfoMessage):
            other_messages.append(message)
    except Failed:
        return None
    finally:
        player.wire.put_back(other_messages)
    return {other.nickname for other in message.nickname_list} - {player.name}


async def order_of_play(players: list[Player], kind: type[wire.Message]) -> list[Player]:
    """Return the players in the order of play: the player who is asked this question first, then the others."""
    tasks = [asyncio.create_task(player.expect_question(kind)) for player in players]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    first = next(index for index, task in enumerate(tasks) if task in done)
    tasks[first].result()
    return [players[first], *players[:first], *players[first + 1 :]]


async def play_cards(players: list[Player]) -> None:
    """Play the first card of each player, in this order; the first player has been asked already."""
    for number, player in enumerate(players):
        if number:
            await player.expect_question(wire.DisplayDeckAndAskCardMessage)
        await player.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=0, player_model=player.name)


@stage
async def turn(probe: Probe, mode: wire.GameMode = BEGINNER) -> tuple[Player, Player]:
    """Return two players who have played their cards, the player to move first, before its first question."""
    players = await order_of_play(await gather(probe, 2, mode), wire.DisplayDeckAndAskCardMessage)
    await play_cards(players)
    first, second = players
    await first.receive_until(wire.StartTurnMessage)
    await second.receive_until(wire.GenericMessage)
    return first, second


@stage
async def landing(probe: Probe) -> tuple[Player, Player]:
    """Play cards, up to the first question for students; return the player to move and the other."""
    first, second = await turn(probe)
    await first.expect_question(wire.StudentToIslandMessage)
    return first, second


@stage
async def walking(probe: Probe) -> tuple[Player, Player, int]:
    """Continue `landing`: move all students to island 0. Also return the maximum steps of mother nature."""
    first, second = await landing(probe)
    await first.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=tuple(first.entrance[:3]))
    max_steps = (await first.expect_question(wire.ReqMoveMotherNatureMessage)).max_movement_allowed
    await second.receive_until(wire.DisplayIslandsMessage)
    return first, second, max_steps


@stage
async def taking(probe: Probe) -> tuple[Player, Player]:
    """Continue `walking`: move mother nature by one island, up to the question for a cloud."""
    first, second, _ = await walking(probe)
    await first.answer(wire.MovedMotherNatureMessage, movement=1, player_model=first.name)
    await first.expect_question(wire.ReqMoveCloudToEntranceMessage)
    await second.receive_until(wire.DisplayIslandsMessage)
    return first, second


def _students_for_hall(player: Player, entrance: Sequence[wire.ColorPawns], number: int) -> tuple[wire.ColorPawns, ...]:
    """Return up to `number` students of the entrance for whom the hall has a free seat."""
    hall = dict(player.board.hall) if player.board is not None else {}
    students: list[wire.ColorPawns] = []
    for student in entrance:
        if len(students) < number and hall.get(student, 0) < HALL_SEATS:
            hall[student] = hall.get(student, 0) + 1
            students.append(student)
    return tuple(students)


async def reply(player: Player, question: Any) -> None:
    """Send the simplest answer: no character, students to the hall, one step, the first cloud."""
    match question:
        case wire.DisplayDeckAndAskCardMessage():
            await player.answer(wire.PlayAssistantCardMessage, index_assistant_card_model=0, player_model=player.name)
        case wire.StudentToIslandMessage(entrance=entrance):
            await player.answer(wire.MovedStudentOnIslandMessage, index_island=0, students=tuple(entrance[:1]))
        case wire.StudentToHallMessage(entrance=entrance, number_students_to_move=number):
            await player.answer(wire.MovedStudentToHallMessage, students=_students_for_hall(player, entrance, number))
        case wire.ReqMoveMotherNatureMessage():
            await player.answer(wire.MovedMotherNatureMessage, movement=1, player_model=player.name)
        case wire.ReqMoveCloudToEntranceMessage():
            await player.answer(wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
        case _:
            await player.answer(wire.PlayedCharacterCardMessage)
