"""Shared fixtures: messages as text, tables with any set-up, and peers that exchange messages."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import msgspec

from boardwire.dialects.dialect import Answer, Ask, Dialect, Over
from boardwire.dialects.santorini_objects import DIALECTS
from boardwire.dialects.santorini_objects.editions import Edition, EditionDecoder
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.games.santorini.options import Draft, Options
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer
from boardwire.table.events import Event, Player
from boardwire.table.guest import Guest, Seated
from boardwire.table.policy import Policy

D = DIALECTS["santorini-objects"]
D1 = DIALECTS["santorini-objects/d1"]
F = DIALECTS["santorini-objects/shipped"]
BY_NAME = {"D": D, "D1": D1, "F": F}
EDITION = {"D": Edition.D2, "D1": Edition.D1, "F": Edition.F}


class Hall(SimulatedServer):
    """Simulated server with ports D, D1 and F, where tables with any set-up can wait."""

    def connect(self, dialect: str | Dialect) -> SimulatedConnection:
        return super().connect(BY_NAME[dialect] if isinstance(dialect, str) else dialect)

    def open(self, options: Options, seats: int = 2, policy: Policy | None = None) -> None:
        """A table that waits for its first guest."""
        self.lobby.matchmaking.open(
            Guest(lambda notification: None), Seek("santorini", seats, Player(), options, policy or Policy())
        )

    def guest(self, seats: int = 2, name: str = "native") -> tuple[Guest, list[Any]]:
        """Seat a guest of another dialect and return its notifications."""
        notification: list[Any] = []
        guest = Guest(notification.append)
        self.lobby.do(guest, Seek("santorini", seats, Player(name, "native")))
        assert isinstance(notification[0], Seated)
        return guest, notification

    def journals(self) -> list[list[Event]]:
        """Return every journal."""
        return [self.events(name) for name in self.journal.names()]


class Caller:
    """A peer that exchanges messages of one edition."""

    def __init__(self, server: SimulatedServer, name: str = "D") -> None:
        self.edition = EDITION[name]
        self.peer = server.connect(BY_NAME[name])
        self._hearing = EditionDecoder(self.edition)

    def say(self, *messages: msgspec.Struct) -> None:
        """Send messages in one segment."""
        self.peer.send(b"".join(map(self.edition.encode, messages)))

    def told(self) -> list[Any]:
        """Return the messages received since the last call."""
        return [heard for heard in self._hearing.feed(self.peer.take()) if not isinstance(heard, Edition)]

    def tell(self, *messages: msgspec.Struct) -> list[Any]:
        """Send messages and return the replies."""
        self.say(*messages)
        return self.told()

    def last(self) -> Any:
        """Return the last message received."""
        return self.told()[-1]


def login(edition: Edition, seats: int, name: str) -> msgspec.Struct:
    return wire.Connection(seats, name) if edition.is_shipped else wire.Message(f"{seats} players")


def seat(server: SimulatedServer, *doors: str) -> list[Caller]:
    """Return named clients of these editions at one table, up to the first request."""
    callers = [Caller(server, door) for door in doors]
    for number, caller in enumerate(callers, 1):
        caller.say(login(caller.edition, len(doors), f"Name{number}"))
    for number, caller in enumerate(callers, 1):
        if not caller.edition.is_shipped:
            caller.say(wire.Message(f"Name{number}"))
    return callers


def position(text: str) -> Options:
    """Return a table that starts from a position in notation."""
    return Options(Draft.POSITION, position=text)


def at_position(text: str, *doors: str) -> tuple[Hall, list[Caller]]:
    """Return clients at a table that starts from a position, with their input drained."""
    server = Hall(seed=0)
    server.open(position(text), len(doors))
    return server, seat(server, *doors)


def cell(x: int, y: int, z: int = 0) -> wire.Position:
    return wire.Position(x, y, z)


# --- messages as text -----------------------------------------------------------------------------------------------


def show(value: Any) -> str:
    """Return a message, or a part of one, as a short text."""
    if isinstance(value, wire.Position):
        return f"({value.x},{value.y},{value.z})"
    if isinstance(value, msgspec.Struct):
        return f"{type(value).__name__}({', '.join(show(getattr(value, name)) for name in value.__struct_fields__)})"
    if isinstance(value, tuple):
        return "[" + " ".join(map(show, value)) + "]"
    if isinstance(value, frozenset):
        return "{" + " ".join(sorted(map(show, value))) + "}"
    return repr(value)


def parse(text: str) -> msgspec.Struct:
    """Return the message of a transcript's text; lists and cells use commas."""
    name, _, rest = text.partition("(")
    kind: type[msgspec.Struct] = getattr(wire, name)
    return kind(*map(_value, ast.literal_eval(f"({rest[:-1]},)" if rest != ")" else "()")))


def _value(raw: Any) -> Any:
    if isinstance(raw, tuple):
        return wire.Position(*raw)
    return tuple(map(_value, raw)) if isinstance(raw, list) else raw


def read(data: bytes) -> list[str]:
    """Return the server's messages for a transcript."""
    heard = EditionDecoder(Edition.D2, Edition.F).feed(data)
    return [show(message) for message in heard if not isinstance(message, Edition)]


def write(text: str) -> bytes:
    """Return the bytes of `D Message("2 players")`, or of `raw` and hexadecimal bytes."""
    edition, _, message = text.partition(" ")
    return bytes.fromhex(message) if edition == "raw" else EDITION[edition].encode(parse(message))


# --- players --------------------------------------------------------------------------------------------------------


def random_player(random: Random, overs: list[Over]) -> Callable[[SimulatedClient, Any], None]:
    """Return a player that answers at random and records the result."""

    def receive(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            choices = tuple(notification.decision.choices)
            client.talk.tell(Answer(choices[random.randrange(len(choices))]))
        elif isinstance(notification, Over):
            overs.append(notification)

    return receive


def kinds(messages: Iterable[Any]) -> list[str]:
    return [type(message).__name__ for message in messages]
