"""A server, and the programs that come to it; whether play goes on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.table.match import Match

from .client import BROKEN_OFF, DRAWN, LOST, WON, StrictClient
from .eriantys_objects import Eriantys
from .lines import Forza, Tris
from .own import Own
from .santorini_actions import Actions, ActionsShipped
from .santorini_lobby import Lobby, LobbyCli
from .santorini_objects import D1, D2, F

PROGRAMS: dict[str, tuple[str, Callable[..., StrictClient] | None]] = {
    "actions": ("santorini-actions", Actions),
    "actions/shipped": ("santorini-actions/shipped", ActionsShipped),
    "lobby": ("santorini-lobby", Lobby),
    "lobby/cli": ("santorini-lobby", LobbyCli),
    "objects/d2": ("santorini-objects", D2),
    "objects/d1": ("santorini-objects/d1", D1),
    "objects/f": ("santorini-objects", F),
    "eriantys": ("eriantys-objects", Eriantys),
    "messages": ("eriantys-messages", None),
    "tris": ("tris-lines", Tris),
    "forza": ("forza-lines", Forza),
    "native": ("native", None),
}
"""The programs by name: their door, and their model; None: our own client."""

PATIENCE = 12
"""Seconds without an event after which a match does not go on."""


class Room:
    """Programs at one server, connected by nothing but bytes."""

    def __init__(self, seed: int, game: str = "santorini") -> None:
        self.server = SimulatedServer(seed=seed)
        self.seed, self._game = seed, game
        self.here: list[tuple[Any, SimulatedConnection]] = []

    def come(self, program: str, name: str, seats: int, **settings: str) -> Any:
        """A program connects, and says what it says by itself."""
        door, model = PROGRAMS[program]
        luck = Random(f"{self.seed} {name}")
        peer = self.server.connect(door)
        given = {"game": self._game, **settings}
        client: StrictClient | Own
        if model is None:
            client = Own(door, name, seats, luck, given, self.server.clock)
        else:
            client = model(name, seats, luck, **settings)
        self.here.append((client, peer))
        self.carry()
        return client

    def leave(self, client: Any) -> None:
        """A program is closed."""
        ((_, peer),) = [pair for pair in self.here if pair[0] is client]
        self.here = [pair for pair in self.here if pair[0] is not client]
        peer.drop()
        self.carry()

    def carry(self) -> None:
        """Let everyone say what there is to say."""
        for _ in range(100_000):
            busy = [self._carried(client, peer) for client, peer in self.here]
            if not any(busy):
                return
        raise AssertionError("has not settled")

    def _carried(self, client: Any, peer: SimulatedConnection) -> bool:
        said = client.take()
        if said and not client.fault:
            peer.send(said)
        told = peer.take()
        if told:
            client.receive(told)
        if client.closed and not peer.closed and not client.take():
            peer.drop()
            return True
        if peer.closed and not client.closed and not told:
            client.lose()
            return True
        return bool(said or told)

    def play(self) -> Match:
        """The match that has begun, played to its end; fails if it does not go on."""
        still = 0
        while (match := self._match()).outcome is None:
            before = sum(len(self.server.events(name)) for name in self.server.journal.names())
            self.server.clock.pass_time(1)
            for client, _ in self.here:
                client.idle()
            self.carry()
            after = sum(len(self.server.events(name)) for name in self.server.journal.names())
            still = 0 if after > before else still + 1
            assert still < PATIENCE, self._report(match)
        return match

    def _match(self) -> Match:
        begun = [one for name in self.server.journal.names() if (one := self.server.match(name)).position is not None]
        assert begun, "no match has begun"
        return begun[-1]

    def _report(self, match: Match) -> str:
        pending = match.pending
        seats = [player.name for player in match.players if player is not None]
        faults = {client.name: client.fault for client, _ in self.here if client.fault}
        asked = f"{pending.kind} of {[seats[seat] for seat in pending.seats]}" if pending is not None else "nothing"
        return f"play does not go on: {asked} is open at the table of {seats}; faults: {faults}"

    def ended_well(self) -> None:
        """Play the match; no one had a fault, and everyone was told the true result."""
        match = self.play()
        assert match.outcome is not None
        for client, _ in self.here:
            assert not client.fault, f"{client.name}: {client.fault}"
            assert client.result in self._results(match, client.name), (client.name, client.result, match.outcome)

    def _results(self, match: Match, name: str) -> tuple[str, ...]:
        """What the program may say at the end; two protocols have no word for a draw, and lines have no names."""
        assert match.outcome is not None
        names = [player.name if player is not None else "" for player in match.players]
        if not match.outcome.winners:
            return DRAWN, LOST, BROKEN_OFF
        if name not in names or len(names) == 4:  # a team's victory is told under one name
            return WON, LOST
        return (WON,) if names.index(name) in match.outcome.winners else (LOST,)
