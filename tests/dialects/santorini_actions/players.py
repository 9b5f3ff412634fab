"""Players for these tests: random clients, and raw ones that know nothing but the page."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from boardwire.dialects.dialect import Answer, Ask, Dialect, Over, Result, Seating
from boardwire.dialects.santorini_actions import DIALECTS
from boardwire.testing.house import Client, House, Peer, play_together

DOCUMENT = DIALECTS["santorini-actions"]
SHIPPED = DIALECTS["santorini-actions/shipped"]


class RandomPlayer:
    """Answers every question with one of its choices, and remembers what it was told."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.asked: Counter[str] = Counter()
        self.over: list[Over] = []
        self.told: list[Any] = []

    def __call__(self, client: Client, tidings: Any) -> None:
        self.told.append(tidings)
        if isinstance(tidings, Over):
            self.over.append(tidings)
        if isinstance(tidings, Ask):
            self.asked[tidings.decision.kind] += 1
            choices = tuple(tidings.decision.choices)
            assert choices, f"{tidings.decision.kind} offers nothing"
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
