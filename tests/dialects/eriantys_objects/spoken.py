"""Shared helpers: connections with messages, tables of any kind, messages as text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import Enum
from random import Random
from typing import Any

import msgspec

from boardwire.dialects.dialect import Answer, Ask, Over
from boardwire.dialects.eriantys_objects import DIALECTS
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.games.eriantys import Character, CloudTime, Mode, Options
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedClient, SimulatedServer
from boardwire.table.events import Event, Player
from boardwire.table.guest import Guest, Seated
from boardwire.table.policy import Policy

OBJECTS = DIALECTS["eriantys-objects"]
GREEN, RED, YELLOW, PINK, BLUE, NO_PAWN = wire.ColorPawns
GREY, BLACK, WHITE, NO_TOWER = wire.ColorTower
BEGINNER, ADVANCED = wire.GameMode


class Hall(SimulatedServer):
    """A server where tables of any kind can wait."""

    def open(self, options: Options, seats: int = 2, policy: Policy | None = None) -> None:
        """Open a table that waits for its first guest."""
        terms = (options.mode.value,)
        self.lobby.matchmaking.open(
            Guest(lambda notification: None),
            Seek("eriantys", seats, Player(), options, policy or Policy(), terms=terms),
        )

    def guest(self, seats: int = 2, name: str = "native", **more: Any) -> tuple[Guest, list[Any]]:
        """Add a guest of another dialect to a table; return it with its notifications."""
        notification: list[Any] = []
        guest = Guest(notification.append)
        terms = (more.get("options", Options()).mode.value,)
        self.lobby.do(guest, Seek("eriantys", seats, Player(name, "native"), terms=terms, **more))
        assert any(isinstance(one, Seated) for one in notification)
        return guest, notification

    def journals(self) -> list[list[Event]]:
        """Return all journals."""
        return [self.events(name) for name in self.journal.names()]


class Caller:
    """A peer that sends and receives messages."""

    def __init__(self, server: SimulatedServer, name: str = "") -> None:
        self.peer = server.connect(OBJECTS)
        self.peer.send(wire.GREETING)
        self.name = name
        self._reader = wire.replies()
        if name:
            self.say(wire.LoginRequest(nickname=name))

    def say(self, *messages: msgspec.Struct) -> None:
        """Send messages, all in one segment."""
        self.peer.send(b"".join(map(wire.encode, messages)))

    def told(self) -> list[Any]:
        """Return the messages received since the last call."""
        data = self.peer.take()
        return list(self._reader.feed(data)) if data else []

    def tell(self, *messages: msgspec.Struct) -> list[Any]:
        """Send messages and return the replies."""
        self.say(*messages)
        return self.told()

    def answer(self, **fields: Any) -> list[Any]:
        """Return a message of class `kind` with the own name."""
        kind = fields.pop("kind")
        return self.tell(kind(nickname=self.name, **fields))


def kinds(messages: Iterable[Any]) -> list[str]:
    return [type(message).__name__ for message in messages]


def texts(messages: Iterable[Any]) -> list[str]:
    return [message.text for message in messages if isinstance(message, wire.TextMessage)]


def seat(server: SimulatedServer, count: int = 2, mode: wire.GameMode = BEGINNER) -> list[Caller]:
    """Return clients called p0, p1 ... at one table, with their input still to be read."""
    callers = [Caller(server, f"p{number}") for number in range(count)]
    first = callers[0]
    first.say(
        wire.PlayerNumberReply(nickname="p0", player_number=count),
        wire.ChosenTowerMessage(nickname="p0", color_tower=BLACK),
        wire.GameModeRes(nickname="p0", game_mode=mode),
    )
    left = {2: [WHITE], 3: [WHITE, GREY], 4: [WHITE, BLACK, WHITE]}[count]
    for caller, tower in zip(callers[1:], left, strict=True):
        caller.say(wire.ChosenTowerMessage(nickname=caller.name, color_tower=tower))
    return callers


def at_table(options: Options, seats: int = 2, seed: int = 0) -> tuple[Hall, list[Caller]]:
    """Return clients at a table with these options."""
    server = Hall(seed=seed)
    server.open(options, seats)
    callers = [Caller(server, f"p{number}") for number in range(seats)]
    server.clock.pass_time(1)  # no one has sat down yet, and the first of them waited for that
    for number, caller in enumerate(callers):
        offer = next(one for one in caller.told() if isinstance(one, wire.InitialResMessage))
        caller.say(wire.ChosenTowerMessage(nickname=caller.name, color_tower=offer.available_towers[number]))
    return server, callers


def expert(*characters: Character, cloud: CloudTime = CloudTime.LAST) -> Options:
    """Return the options of an expert game with these three characters."""
    return Options(Mode.EXPERT, cloud, characters=characters)


# --- answers --------------------------------------------------------------------------------------------------------


def default_answer(request: Any) -> msgspec.Struct | None:
    """Return the simplest answer to a request; None for other messages."""
    name = request.nickname
    match request:
        case wire.DisplayDeckAndAskCardMessage():
            return wire.PlayAssistantCardMessage(nickname=name, index_assistant_card_model=0)
        case wire.ReqPlayCharacterCardMessage():
            return wire.PlayedCharacterCardMessage(nickname=name)
        case wire.StudentToIslandMessage():
            return wire.MovedStudentOnIslandMessage(nickname=name, index_island=0, students=())
        case wire.StudentToHallMessage(entrance=entrance, number_students_to_move=number):
            return wire.MovedStudentToHallMessage(nickname=name, students=tuple(entrance[:number]))
        case wire.ReqMoveMotherNatureMessage():
            return wire.MovedMotherNatureMessage(nickname=name, movement=1, player_model=name)
        case wire.ReqMoveCloudToEntranceMessage():
            return wire.AddStudentFromCloudToEntranceMessage(nickname=name, cloud_index=0)
    return None


def run_until(callers: list[Caller], kind: type, rounds: int = 400) -> tuple[Caller, Any]:
    """Let all clients answer until one gets a request of this class, which stays unanswered."""
    for _ in range(rounds):
        for caller in callers:
            for message in caller.told():
                if type(message) is kind:
                    return caller, message
                answer = default_answer(message)
                if answer is not None:
                    caller.say(answer)
    raise AssertionError(f"nobody is ever asked by {kind.__name__}")


def random_player(random: Random, overs: list[Over]) -> Callable[[SimulatedClient, Any], None]:
    """Return a player that answers at random and records the result."""

    def receive(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            assert not notification.again, notification.again
            choices = tuple(notification.decision.choices)
            client.talk.tell(Answer(choices[random.randrange(len(choices))]))
        elif isinstance(notification, Over):
            overs.append(notification)

    return receive


# --- messages as text -----------------------------------------------------------------------------------------------

_ENUMS: dict[str, type[Enum]] = {
    "color_tower": wire.ColorTower,
    "game_mode": wire.GameMode,
    "students": wire.ColorPawns,
}


def show(value: Any) -> str:
    """Return a message, or a part of one, as short text without unset fields."""
    if isinstance(value, msgspec.Struct):
        hidden = ("message_type", "parent_display", "object_display", "nickname")
        fields = [one for one in value.__struct_fields__ if one not in hidden or type(value) is wire.PlayerModel]
        shown = [(one, getattr(value, one)) for one in fields]
        return f"{type(value).__name__}({', '.join(f'{k}={show(v)}' for k, v in shown if v not in (None, 0, False))})"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple | list):
        return "[" + " ".join(map(show, value)) + "]"
    return repr(value)


def parse(text: str) -> msgspec.Struct:
    """Return the message of a transcript's text: `Name(field="value", ...)`."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    fields: dict[str, Any] = {}
    for keyword in call.keywords:
        assert keyword.arg is not None
        raw = ast.literal_eval(keyword.value)
        enum = _ENUMS.get(keyword.arg)
        if enum is not None and raw is not None:
            raw = tuple(enum[one] for one in raw) if isinstance(raw, list) else enum[raw]
        fields[keyword.arg] = raw
    kind: Any = getattr(wire, call.func.id)
    made: msgspec.Struct = kind(**fields)
    return made


def read(data: bytes) -> list[str]:
    """Return the server's messages as text for transcripts, without the header."""
    reader = wire.replies()
    data = data.removeprefix(wire.GREETING)
    return [show(message) for message in reader.feed(wire.GREETING + data)] if data else []


def write(text: str) -> bytes:
    """Return the bytes of a transcript's message, or of `raw` and hexadecimal digits."""
    return bytes.fromhex(text[4:]) if text.startswith("raw ") else wire.encode(parse(text))
