"""Clients that play Eriantys for the benchmark, one class per dialect.

- All play the same fixed moves: the first card, one student to the hall and two to island 0, one step, the first cloud.
- They decode only the messages that they need to answer, so that the driver does not become the bottleneck.
- A message of eriantys-objects is recognised by its class name, which follows the reset after the previous message.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count
from typing import Any, ClassVar, Protocol, TypeAlias, cast

import msgspec

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import GREETING, encode, replies

Move: TypeAlias = tuple[str, str, int]
"""Player, kind of move, and the card, colour or number of steps."""

PLAYER_NUMBERS = count(1)
COLOURS = ("GREEN", "RED", "YELLOW", "PINK", "BLUE")


class SeatCallbacks(Protocol):
    """Callbacks of a seat."""

    def on_seated(self, seat: Seat) -> None:
        """Called when the seat is set up and the next player may connect."""

    def on_question(self, seat: Seat, answer: bytes, *moves: Move) -> None:
        """Called when the server asks the seat for moves; `answer` is the message to send."""

    def on_finished(self, seat: Seat) -> None:
        """Called when the server announces the winner."""

    def on_data(self, seat: Seat, size: int) -> None:
        """Called when `size` bytes arrive."""

    def on_failure(self, seat: Seat, reason: str) -> None:
        """Called when the server refuses a message or closes the connection before the end."""


class Seat(asyncio.Protocol, ABC):
    """Connection of one player."""

    ping: bytes
    """The heartbeat message."""

    def __init__(self, game: SeatCallbacks, first: bool) -> None:
        self.game = game
        self.first = first
        self.name = f"p{next(PLAYER_NUMBERS)}"
        self.rest = b""
        self.sent = 0.0
        """Time of the last answer; 0 once the server has sent something back."""
        self.finished = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.log_in()

    def data_received(self, data: bytes) -> None:
        self.game.on_data(self, len(data))
        self.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.finished:
            self.game.on_failure(self, f"{self.name}: the server closed the connection ({exc})")

    def finish(self) -> None:
        self.finished = True
        self.game.on_finished(self)

    @abstractmethod
    def log_in(self) -> None: ...

    @abstractmethod
    def receive(self, data: bytes) -> None: ...


class MessagesSeat(Seat):
    """Client of eriantys-messages."""

    ping = b'{"type":"PingMessage","nickname":""}\n'

    def log_in(self) -> None:
        self.entrance: list[str] = []
        self.hand = list(range(1, 11))
        self.cemetery: list[int] = []
        self.clouds: list[list[str]] = []
        self.moved = 0
        self.transport.write(self._encoded("LoginRequest"))

    def _encoded(self, kind: str, **arguments: Any) -> bytes:
        return msgspec.json.encode({"type": kind, "nickname": self.name, **arguments}) + b"\n"

    def receive(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            handler = self._HANDLERS.get(line[9:15])  # the type's first six letters, after {"type":"
            if handler is not None:
                handler(self, line)

    def _on_login_reply(self, line: bytes) -> None:
        tower = "WHITE" if self.first else "BLACK"
        settings = {"numPlayers": 2, "colorTower": tower, "gameMode": "simplified"}
        self.transport.write(self._encoded("PlayerNicknameMessage", **settings))
        if self.first:
            self.game.on_seated(self)

    def _on_display(self, line: bytes) -> None:
        if line.startswith(b'{"type":"DisplayEnt'):
            message = msgspec.json.decode(line)
            if message["nickname"] == self.name:
                self.entrance = message["entrance"]
        elif line.startswith(b'{"type":"DisplayCl'):
            self.clouds = msgspec.json.decode(line)["clouds"]
        elif line.startswith(b'{"type":"DisplayCe'):
            self.cemetery = [card["value"] for card in msgspec.json.decode(line)["cemetery"]]

    def _on_text(self, line: bytes) -> None:
        question = msgspec.json.decode(line).get("ask", "")
        if question == "assistant":
            card = next((card for card in self.hand if card not in self.cemetery), self.hand[0])
            self.hand.remove(card)
            answer = self._encoded("PlayAssistantCardMessage", assistantCard=card)
            self.game.on_question(self, answer, (self.name, "assistant", card))
        elif question == "motherNature":
            answer = self._encoded("MoveMotherNatureMessage", movement=1)
            self.game.on_question(self, answer, (self.name, "steps", 1))
        elif question == "cloud":
            index = next(index for index, cloud in enumerate(self.clouds) if cloud)
            answer = self._encoded("AddStudentFromCloudToWaitingMessage", cloudIndex=index)
            self.game.on_question(self, answer, (self.name, "cloud", 0))
        elif question and not self.moved:
            self._move_students("StudentToHallMessage", "hall", self.entrance[:1])
        elif question:
            self._move_students("StudentToIslandMessage", "island", self.entrance[:2], indexIsland=0)

    def _move_students(self, kind: str, where: str, students: list[str], **arguments: int) -> None:
        self.moved = (self.moved + len(students)) % 3
        moves = [(self.name, where, COLOURS.index(student)) for student in students]
        self.game.on_question(self, self._encoded(kind, students=students, **arguments), *moves)

    def _on_win(self, line: bytes) -> None:
        self.finish()
        self.transport.write(self._encoded("EndGameMessage"))

    def _on_refusal(self, line: bytes) -> None:
        self.game.on_failure(self, line.decode())

    _HANDLERS: ClassVar[dict[bytes, Callable[[Any, bytes], None]]] = {
        b"LoginR": _on_login_reply,
        b"Displa": _on_display,
        b"TextMe": _on_text,
        b"WinMes": _on_win,
        b"Invali": _on_refusal,
        b"ErrorM": _on_refusal,
        b"Discon": _on_refusal,
    }


class ObjectsSeat(Seat):
    """Client of eriantys-objects."""

    ping = encode(wire.PingMessage())
    _SEPARATOR = b"ysr\0"
    """TC_RESET, then TC_OBJECT, TC_CLASSDESC and the high byte of the length of the next class name."""

    def log_in(self) -> None:
        self.greeted = False
        self.transport.write(GREETING + encode(wire.LoginRequest(nickname=self.name)))

    def receive(self, data: bytes) -> None:
        if not self.greeted:
            self.greeted = True
            self.rest, data = b"y", data.removeprefix(GREETING)
        *pieces, last = (self.rest + data).split(self._SEPARATOR)
        self.rest = last
        for piece in pieces:
            self._handle(piece + b"y")
        if last.endswith(b"y") and self._handle(last):
            self.rest = b"y"

    def _handle(self, piece: bytes) -> bool:
        """Handle a piece; return whether it is a complete message that this client answers."""
        kind = piece[1 : 1 + piece[0]].rpartition(b".")[2] if len(piece) > 1 else b""
        answer = self._ANSWERS.get(kind)
        if answer is None:
            return False
        messages = replies().feed(GREETING + b"sr\0" + piece)
        for message in messages:
            answer(self, message)
        return bool(messages)

    def _send(self, message: wire.Message) -> None:
        self.transport.write(encode(message))

    def _send_player_number(self, _: Any) -> None:
        self._send(wire.PlayerNumberReply(nickname=self.name, player_number=2))

    def _send_tower(self, message: wire.InitialResMessage) -> None:
        self._send(wire.ChosenTowerMessage(nickname=self.name, color_tower=message.available_towers[0]))

    def _send_mode(self, _: Any) -> None:
        self._send(wire.GameModeRes(nickname=self.name, game_mode=wire.GameMode.BEGINNER))
        self.game.on_seated(self)

    def _play_card(self, message: wire.DisplayDeckAndAskCardMessage) -> None:
        answer = wire.PlayAssistantCardMessage(nickname=self.name, index_assistant_card_model=0)
        self.game.on_question(self, encode(answer), (self.name, "assistant", message.deck[0].priority))

    def _move_to_island(self, message: wire.StudentToIslandMessage) -> None:
        students = tuple(message.entrance[1:3])
        answer = wire.MovedStudentOnIslandMessage(nickname=self.name, index_island=0, students=students)
        self._move_students(answer, "island", students)

    def _move_to_hall(self, message: wire.StudentToHallMessage) -> None:
        students = tuple(message.entrance[: message.number_students_to_move])
        self._move_students(wire.MovedStudentToHallMessage(nickname=self.name, students=students), "hall", students)

    def _move_students(self, answer: wire.Message, where: str, students: tuple[wire.ColorPawns, ...]) -> None:
        self.game.on_question(
            self, encode(answer), *[(self.name, where, COLOURS.index(student.name)) for student in students]
        )

    def _move_mother_nature(self, _: Any) -> None:
        answer = wire.MovedMotherNatureMessage(nickname=self.name, movement=1, player_model=self.name)
        self.game.on_question(self, encode(answer), (self.name, "steps", 1))

    def _take_cloud(self, _: Any) -> None:
        answer = wire.AddStudentFromCloudToEntranceMessage(nickname=self.name, cloud_index=0)
        self.game.on_question(self, encode(answer), (self.name, "cloud", 0))

    def _on_win(self, _: Any) -> None:
        self.finish()

    def _on_text(self, message: Any) -> None:
        """Ignore the announcements of the game; fail on any other text, error or disconnection."""
        text = getattr(message, "text", "")
        if not text.startswith(("Updated", "JOINING", "Island ", "This is the last")) and "win together" not in text:
            self.game.on_failure(self, repr(message))

    _ANSWERS: ClassVar[dict[bytes, Callable[[Any, Any], None]]] = {
        b"PlayerNumberRequest": _send_player_number,
        b"InitialResMessage": _send_tower,
        b"GameModeReq": _send_mode,
        b"DisplayDeckAndAskCardMessage": _play_card,
        b"StudentToIslandMessage": _move_to_island,
        b"StudentToHallMessage": _move_to_hall,
        b"ReqMoveMotherNatureMessage": _move_mother_nature,
        b"ReqMoveCloudToEntranceMessage": _take_cloud,
        b"WinMessage": _on_win,
        b"TextMessage": _on_text,
        b"ErrorMessage": _on_text,
        b"DisconnectionMessage": _on_text,
    }


SEATS: dict[str, type[Seat]] = {"eriantys-messages": MessagesSeat, "eriantys-objects": ObjectsSeat}
