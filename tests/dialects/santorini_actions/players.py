"""Players for these tests: random clients, and raw ones that know nothing but the page."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from boardwire.dialects.dialect import Answer, Ask, Dialect, Over, Result, Seating
from boardwire.dialects.santorini_actions import DIALECTS
from boardwire.games.santorini import Draft, Options
from boardwire.lobby.requests import Open, Seek
from boardwire.simulation.server import Client, House, Peer, play_together
from boardwire.table.events import Player
from boardwire.table.guest import Guest

DOCUMENT = DIALECTS["santorini-actions"]
SHIPPED = DIALECTS["santorini-actions/shipped"]


class RandomPlayer:
    """Answers every question with one of its choices, and remembers what it was told."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.asked: Counter[str] = Counter()
        self.over: list[Over] = []
        self.told: list[Any] = []

    def __call__(self, client: Client, news: Any) -> None:
        self.told.append(news)
        if isinstance(news, Over):
            self.over.append(news)
        if isinstance(news, Ask):
            self.asked[news.decision.kind] += 1
            choices = tuple(news.decision.choices)
            assert choices, f"{news.decision.kind} offers nothing"
            client.talk.tell(Answer(self._random.choice(choices)))


def play_match(dialects: list[Dialect], seed: int, house: House | None = None) -> tuple[House, list[RandomPlayer]]:
    """One match of clients of our own, to its end."""
    house = House(seed=seed) if house is None else house
    players = [RandomPlayer(seed * 10 + seat) for seat in range(len(dialects))]
    pairs: list[tuple[Client, Peer]] = []
    for seat, dialect in enumerate(dialects):
        seating = Seating(f"Player{seat}", len(dialects))
        pairs.append((Client(dialect, players[seat], seating, house.clock), house.connect(dialect)))
    play_together(house, pairs)
    for client, peer in pairs:
        assert not client.faults
        assert not peer.faults
    return house, players


def results(players: list[RandomPlayer]) -> list[Result]:
    """How it went, by player; each was told just once."""
    assert all(len(player.over) == 1 for player in players)
    return [player.over[0].result for player in players]


class ActionsHouse(House):
    """A house that finds this package's dialects by name, registered or not."""

    def connect(self, dialect: str | Dialect) -> Peer:
        """A new connection to the port of `dialect`."""
        return super().connect(DIALECTS.get(dialect, dialect) if isinstance(dialect, str) else dialect)


def open_table(house: House, options: Options, seats: int = 2) -> None:
    """A waiting table of somebody else's set-up."""
    seek = Seek("santorini", seats, Player(dialect="another"), options)
    house.lobby.do(Guest(lambda news: None), Open(seek))


def start_from(position: str, dialect: Dialect = DOCUMENT, seats: int = 2) -> tuple[House, list[Raw]]:
    """Raw clients in a match that starts from a position; everything said so far is taken."""
    house = House(seed=0)
    open_table(house, Options(draft=Draft.POSITION, position=position), seats)
    clients = [Raw(house, dialect, name, seats) for name in ("ann", "bill", "cleo")[:seats]]
    for client in clients:
        client.join()
    for client in clients:
        client.take()
    return house, clients


def actions(messages: list[dict[str, Any]]) -> list[str]:
    """The names of messages."""
    return [message["action"] for message in messages]


class Raw:
    """A client that writes JSON by hand."""

    def __init__(self, house: House, dialect: Dialect, name: str, size: int = 2) -> None:
        self.peer = house.connect(dialect)
        self.name = name
        self.size = size

    def say(self, action: str, **data: Any) -> list[dict[str, Any]]:
        """Send a message and give what comes back."""
        message: dict[str, Any] = {"action": action}
        if data:
            message["data"] = data
        return self.line(json.dumps(message))

    def line(self, text: str) -> list[dict[str, Any]]:
        """Send a line and give what comes back."""
        self.peer.send(text.encode() + b"\n")
        return self.take()

    def take(self) -> list[dict[str, Any]]:
        """What was said to it since the last time."""
        return [json.loads(line) for line in self.peer.take().splitlines()]

    def join(self) -> list[dict[str, Any]]:
        """Ask for a seat."""
        return self.say("addPlayer", playerNickname=self.name, lobbySize=self.size)

    def start(self, basic: bool = False) -> list[dict[str, Any]]:
        """Begin the turn."""
        return self.say("setStartTurn", playerNickname=self.name, basicTurn=basic)

    def select(self, x: int, y: int) -> set[tuple[int, int]]:
        """Select a worker; the cells of the view that comes back."""
        (view,) = self.say("selectWorker", playerNickname=self.name, x=x, y=y)
        return cells(view)

    def step(self, x: int, y: int) -> list[dict[str, Any]]:
        """Play a step."""
        return self.say("playStep", x=x, y=y)


def cells(view: dict[str, Any]) -> set[tuple[int, int]]:
    """The cells of a workerViewUpdate."""
    assert view["action"] == "workerViewUpdate", view
    return {(x, y) for x, row in enumerate(view["data"]["workerView"]) for y, flag in enumerate(row) if flag}
