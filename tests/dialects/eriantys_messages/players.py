"""Players for these tests: random clients, and raw ones that write JSON by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

from msgspec.structs import replace

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over
from boardwire.dialects.eriantys_messages import DIALECTS
from boardwire.games.eriantys import Options, Position, View, pending, view
from boardwire.games.eriantys.diagram import build_position
from boardwire.lobby.requests import Open, Seek
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.events import Chatted, Player
from boardwire.table.guest import Guest, Step
from boardwire.table.match import Moment
from boardwire.table.policy import Policy
from boardwire.table.table import Table

DIALECT = DIALECTS["eriantys-messages"]
NAMES = ("ann", "bob", "cleo", "dan")
COLOURS = {2: "WHITE BLACK", 3: "WHITE BLACK GREY", 4: "WHITE BLACK WHITE BLACK"}


class RandomPlayer:
    """Answer every question at random and record all messages."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.asked: list[Ask] = []
        self.over: list[Over] = []
        self.told: list[Any] = []

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        self.told.append(notification)
        if isinstance(notification, Over):
            self.over.append(notification)
        if isinstance(notification, Ask):
            self.asked.append(notification)
            self.check(notification)
            client.talk.tell(Answer(self._random.choice(tuple(notification.decision.choices))))

    def check(self, ask: Ask) -> None:
        """Check every question; overridden by tests."""
        assert ask.decision.choices, f"{ask.decision.kind} offers nothing"


def seat(
    server: SimulatedServer, player: RandomPlayer, name: str, players: int, mode: str
) -> tuple[SimulatedClient, SimulatedConnection]:
    """Return a connected client of this project."""
    seating = ClientOptions(name, players, {"mode": mode})
    return SimulatedClient(DIALECT, player, seating, server.clock), server.connect(DIALECT)


def truth(server: SimulatedServer) -> View:
    """Return the match as the server has it."""
    return view(server.match().position, None)


def play_match(server: SimulatedServer, players: list[RandomPlayer], mode: str) -> None:
    """Play one match of this project's clients to the end."""
    pairs = [seat(server, player, NAMES[n], len(players), mode) for n, player in enumerate(players)]
    play_together(server, pairs)
    for client, peer in pairs:
        assert not client.faults
        assert not peer.faults
        assert peer.closed


def open_table(server: SimulatedServer, options: Options, seats: int = 2, policy: Policy | None = None) -> None:
    """Open a waiting table as another dialect."""
    seek = Seek("eriantys", seats, Player(dialect="another"), options, policy or Policy(), terms=(options.mode.value,))
    server.lobby.do(Guest(lambda notification: None), Open(seek))


class Raw:
    """A client that writes JSON by hand."""

    def __init__(self, server: SimulatedServer, name: str) -> None:
        self.peer = server.connect(DIALECT)
        self.name = name

    def say(self, kind: str, **arguments: Any) -> list[dict[str, Any]]:
        """Send a message of this type and return the replies."""
        return self.line(json.dumps({"type": kind, "nickname": self.name, **arguments}).encode())

    def line(self, line: bytes) -> list[dict[str, Any]]:
        """Send a line and return the replies."""
        self.peer.send(line + b"\n")
        return self.take()

    def take(self) -> list[dict[str, Any]]:
        """Return the messages received since the last call."""
        return [json.loads(line) for line in self.peer.take().splitlines()]

    def join(self, colour: str, players: int = 2, mode: str = "simplified") -> list[dict[str, Any]]:
        """Log in and register."""
        self.say("LoginRequest")
        return self.say("PlayerNicknameMessage", numPlayers=players, colorTower=colour, gameMode=mode)

    def asked(self) -> str:
        """Return the keyword of the last message if it is a question, and drain the input."""
        said = self.take()
        return str(said[-1].get("ask", "")) if said else ""


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    """Return the types of messages."""
    return [message["type"] for message in messages]


def sit(server: SimulatedServer, count: int = 2, mode: str = "simplified") -> list[Raw]:
    """Return raw clients in a match that has just begun, with their input still to be read."""
    clients = [Raw(server, name) for name in NAMES[:count]]
    for client, colour in zip(clients, COLOURS[count].split(), strict=True):
        client.join(colour, count, mode)
    return clients


def put(server: SimulatedServer, peers: Iterable[SimulatedConnection], given: str) -> None:
    """Let the match go on from this position (`subject = value; ...`, see `boardwire.games.eriantys.diagram`), and
    forget what was said so far.  The journal knows nothing of it."""
    statements = [tuple(map(str.strip, line.split("=", 1))) for line in given.split(";") if line.strip()]
    position = build_position([(subject, value) for subject, value in statements])
    table = server.lobby.table("match-1")
    assert isinstance(table, Table)
    table.match = replace(table.match, position=position, pending=pending(position))
    for peer in peers:
        peer.talk.tell(Step((Moment(Chatted(0.0, None, "meanwhile"), table.match),)))
        peer.take()


def start_from(given: str, mode: str = "simplified", count: int = 2) -> tuple[SimulatedServer, list[Raw]]:
    """Return raw clients in a match that continues from this position, with their input drained."""
    server = SimulatedServer(seed=1)
    clients = sit(server, count, mode)
    put(server, [client.peer for client in clients], given)
    return server, clients


def position_of(server: SimulatedServer) -> Position:
    """Return the position of a match set by `put`."""
    position: Position = server.lobby.table("match-1").match.position
    return position
