"""Players for these tests: random clients, and raw ones that know only the specification."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over, Result
from boardwire.dialects.santorini_actions import DIALECTS
from boardwire.games.santorini import Draft, Options
from boardwire.lobby.requests import Open, Seek
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.events import Player
from boardwire.table.guest import Guest

DOCUMENT = DIALECTS["santorini-actions"]
SHIPPED = DIALECTS["santorini-actions/shipped"]


class RandomPlayer:
    """Answer every question at random and record all messages."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.asked: Counter[str] = Counter()
        self.over: list[Over] = []
        self.told: list[Any] = []

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        self.told.append(notification)
        if isinstance(notification, Over):
            self.over.append(notification)
        if isinstance(notification, Ask):
            self.asked[notification.decision.kind] += 1
            choices = tuple(notification.decision.choices)
            assert choices, f"{notification.decision.kind} offers nothing"
            client.talk.tell(Answer(self._random.choice(choices)))


def play_match(
    dialects: list[Dialect], seed: int, server: SimulatedServer | None = None
) -> tuple[SimulatedServer, list[RandomPlayer]]:
    """Play one match of this project's clients to the end."""
    server = SimulatedServer(seed=seed) if server is None else server
    players = [RandomPlayer(seed * 10 + seat) for seat in range(len(dialects))]
    pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []
    for seat, dialect in enumerate(dialects):
        seating = ClientOptions(f"Player{seat}", len(dialects))
        pairs.append((SimulatedClient(dialect, players[seat], seating, server.clock), server.connect(dialect)))
    play_together(server, pairs)
    for client, peer in pairs:
        assert not client.faults
        assert not peer.faults
    return server, players


def results(players: list[RandomPlayer]) -> list[Result]:
    """Return the result of each player; each gets exactly one."""
    assert all(len(player.over) == 1 for player in players)
    return [player.over[0].result for player in players]


class ActionsServer(SimulatedServer):
    """Simulated server that finds this package's dialects by name, registered or not."""

    def connect(self, dialect: str | Dialect) -> SimulatedConnection:
        """Open a connection to the port of `dialect`."""
        return super().connect(DIALECTS.get(dialect, dialect) if isinstance(dialect, str) else dialect)


def open_table(server: SimulatedServer, options: Options, seats: int = 2) -> None:
    """Open a waiting table with another set-up."""
    seek = Seek("santorini", seats, Player(dialect="another"), options)
    server.lobby.do(Guest(lambda notification: None), Open(seek))


def start_from(position: str, dialect: Dialect = DOCUMENT, seats: int = 2) -> tuple[SimulatedServer, list[Raw]]:
    """Return raw clients in a match that starts from a position, with their input drained."""
    server = SimulatedServer(seed=0)
    open_table(server, Options(draft=Draft.POSITION, position=position), seats)
    clients = [Raw(server, dialect, name, seats) for name in ("ann", "bill", "cleo")[:seats]]
    for client in clients:
        client.join()
    for client in clients:
        client.take()
    return server, clients


def actions(messages: list[dict[str, Any]]) -> list[str]:
    """Return the actions of messages."""
    return [message["action"] for message in messages]


class Raw:
    """A client that writes JSON by hand."""

    def __init__(self, server: SimulatedServer, dialect: Dialect, name: str, size: int = 2) -> None:
        self.peer = server.connect(dialect)
        self.name = name
        self.size = size

    def say(self, action: str, **data: Any) -> list[dict[str, Any]]:
        """Send a message and return the replies."""
        message: dict[str, Any] = {"action": action}
        if data:
            message["data"] = data
        return self.line(json.dumps(message))

    def line(self, text: str) -> list[dict[str, Any]]:
        """Send a line and return the replies."""
        self.peer.send(text.encode() + b"\n")
        return self.take()

    def take(self) -> list[dict[str, Any]]:
        """Return the messages received since the last call."""
        return [json.loads(line) for line in self.peer.take().splitlines()]

    def join(self) -> list[dict[str, Any]]:
        """Request a seat."""
        return self.say("addPlayer", playerNickname=self.name, lobbySize=self.size)

    def start(self, basic: bool = False) -> list[dict[str, Any]]:
        """Start the turn."""
        return self.say("setStartTurn", playerNickname=self.name, basicTurn=basic)

    def select(self, x: int, y: int) -> set[tuple[int, int]]:
        """Select a worker and return the cells of its view."""
        (view,) = self.say("selectWorker", playerNickname=self.name, x=x, y=y)
        return cells(view)

    def step(self, x: int, y: int) -> list[dict[str, Any]]:
        """Play a step."""
        return self.say("playStep", x=x, y=y)


def cells(view: dict[str, Any]) -> set[tuple[int, int]]:
    """Return the cells of a workerViewUpdate."""
    assert view["action"] == "workerViewUpdate", view
    return {(x, y) for x, row in enumerate(view["data"]["workerView"]) for y, flag in enumerate(row) if flag}
