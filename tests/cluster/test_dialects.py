"""Clients of every dialect at tables of a cluster whose hosts are killed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer
from boardwire.table.match import Status, fold

from .world import Weather, World, WorldNode

SLOW = pytest.mark.slow
QUICK = {"tris-lines", "forza-lines", "native", "santorini-objects"}
DOORS = tuple(
    pytest.param(name, dialects.dialect(name).game or "tris", marks=() if name in QUICK else SLOW)
    for name in dialects.PROTOCOLS
)


class Participant:
    """One client, its connection to a node, and the bytes between them, which take a moment."""

    def __init__(self, node: WorldNode, door: str, game: str, name: str, luck: Random) -> None:
        self.node = node
        self.overs: list[Over] = []
        self._luck = luck
        self._thinks = 1.5 if game == "tris" else 0.2
        server = cast(SimulatedServer, SimpleNamespace(lobby=node.member, clock=node))
        self.peer = SimulatedConnection(server, dialects.dialect(door))
        self.client = SimulatedClient(door, self._hear, ClientOptions(name, 2, {"game": game}), cast(Any, node))
        self._carry()

    def _hear(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            choices = tuple(notification.decision.choices)
            self.node.later(self._thinks, lambda: client.talk.tell(Answer(self._luck.choice(choices))))
        elif isinstance(notification, Over):
            self.overs.append(notification)

    def _carry(self) -> None:
        said, told = self.client.take(), self.peer.take()
        if said:
            self.peer.send(said)
        if told:
            self.client.receive(told)
        if self.peer.closed and not self.client.closed and not self.peer.output:
            self.client.lose()
        elif not (self.peer.closed and self.client.closed):
            self.node.later(0.01, self._carry)


def host_of(world: World, match: str) -> str:
    return next(name for name, node in world.nodes.items() if not node.dead and node.lobby.hosted(match) is not None)


def place(world: World, match: str, name: str) -> None:
    """Let another node host a match, as the lease says."""
    world.database.leases[match] = name, world.nodes[name].generation
    world.run(3)
    assert host_of(world, match) == name


@pytest.mark.parametrize(("door", "game"), DOORS)
def test_clients_play_on_when_the_host_of_their_table_is_killed(door: str, game: str) -> None:
    world = World(1)
    world.run(2)
    pair = [
        Participant(world.nodes["b"], door, game, "ann", Random(1)),
        Participant(world.nodes["c"], door, game, "bob", Random(2)),
    ]
    world.run(1.5)
    (match,) = [one for one in world.database.events if fold(world.journal(one)).status == "playing"]
    place(world, match, "a")
    before = len(world.journal(match))
    world.nodes["a"].kill()
    world.run(9)
    assert len(world.journal(match)) > before, "somebody has moved since"
    world.run(600)
    final = fold(world.journal(match))
    assert final.outcome is not None
    assert not any(one.peer.faults or one.client.faults for one in pair)
    results = sorted(over.result for one in pair for over in one.overs[:1])
    assert results in ([Result.LOST, Result.WON], [Result.DRAWN] * 2), (final.outcome, results)


def slow_world(luck: Random, seed: int) -> World:
    """Return a cluster whose messages and commits have random delays."""
    weather = Weather(delay=luck.choice([0.01, 0.05, 0.2]), commit=luck.choice([0.01, 0.1]))
    world = World(seed, weather=weather)
    world.run(2)
    return world


def come(world: World, luck: Random, door: str, game: str, nodes: str = "abc") -> list[Participant]:
    """Connect four clients at nearly the same moment."""
    clients = []
    for number in range(4):
        node = world.nodes[luck.choice(nodes)]
        clients.append(Participant(node, door, game, f"g{number}", Random(number)))
        world.run(luck.choice([0, 0.01, 0.05, 0.3]))
    return clients


@pytest.mark.parametrize("seed", [7, 37, 58])
def test_lobby_users_who_arrive_at_the_same_moment_play_at_the_announced_seats(seed: int) -> None:
    """Each requests its own lobby while the others' are opened, and is moved from one to the next."""
    luck = Random(seed)
    world = slow_world(luck, seed)
    users = come(world, luck, "santorini-lobby", "santorini")
    world.run(10)
    matches = [fold(world.journal(match)) for match in world.database.events]
    begun = [match for match in matches if match.position is not None]
    assert begun
    assert all(match.moves > 10 for match in begun), "nobody waits for somebody who was told something else"
    seated = {player.name for match in matches for player in match.players if player is not None}
    refused = {f"g{number}" for number, one in enumerate(users) if one.overs}
    assert seated | refused == {"g0", "g1", "g2", "g3"}
    assert not seated & refused
    assert all(any(match.players) or match.outcome is not None for match in matches), "an empty table stays for ever"


def stop(world: World, node: WorldNode) -> None:
    node.stop(5)


def kill(world: World, node: WorldNode) -> None:
    node.kill()


def lose_letters(world: World, node: WorldNode) -> None:
    world.bus_away = True


@pytest.mark.parametrize(
    ("door", "game", "seed", "fault"),
    [
        ("santorini-actions", "santorini", 10, stop),  # the former lobby wakes up and says where it has seated someone
        ("santorini-objects", "santorini", 10, stop),
        ("santorini-lobby", "santorini", 12, lose_letters),  # a seat that was given is not told
        pytest.param("eriantys-objects", "eriantys", 12, lose_letters, marks=SLOW),  # it watches before it sits
        ("santorini-lobby", "santorini", 13, kill),  # a table that was opened, and then entered, waits for others
        ("tris-lines", "tris", 11, kill),  # a seat was given to someone without a name, and not told
        ("santorini-actions", "santorini", 17, stop),  # one who plays is seated elsewhere by a former lobby
        ("santorini-lobby", "santorini", 6, stop),  # the player who opened a table has not entered it yet
        ("santorini-lobby", "santorini", 11, kill),
        ("santorini-lobby", "santorini", 10, stop),  # it hears where it sits when the new host was told that it watches
    ],
)
def test_clients_who_arrive_while_there_is_no_lobby_play_one_match_each(
    door: str, game: str, seed: int, fault: Callable[[World, WorldNode], None]
) -> None:
    luck = Random(seed)
    world = slow_world(luck, seed)
    lobby = next(node for node in world.nodes.values() if node.lobby.presiding)
    luck.choice(range(5))  # as in the scan that found these seeds
    world.later(luck.uniform(0, 0.5), lambda: fault(world, lobby))
    world.later(2.5, lambda: setattr(world, "bus_away", False))
    nodes = "abc" if fault is lose_letters else "abc".replace(lobby.name, "")
    clients = come(world, luck, door, game, nodes)
    world.run(25)
    assert not any(one.peer.faults or one.client.faults for one in clients)
    matches = [fold(world.journal(match)) for match in world.database.events]
    seated = {player.name for match in matches for player in match.players if player is not None and player.name}
    broken = [number for number, one in enumerate(clients) if Result.BROKEN_OFF in {over.result for over in one.overs}]
    assert not [number for number in broken if not seated or f"g{number}" in seated], "whoever came too late never sat"
    assert all(match.moves > 10 for match in matches if match.status is Status.PLAYING)
    alone = [match for match in matches if match.status is Status.WAITING]
    assert len(alone) < 2, "they meet"


def test_a_request_on_its_way_to_the_lobby_is_not_repeated_when_earlier_ones_were_lost() -> None:
    """A repeated request opened two tables for one client; another client at the first was told "abandoned"."""
    seed = 91
    luck = Random(seed)
    world = slow_world(luck, seed)
    lobby = next(node for node in world.nodes.values() if node.lobby.presiding)
    luck.choice(range(5))  # as in the scan that found this seed
    world.later(luck.uniform(0, 0.5), lambda: lose_letters(world, lobby))
    world.later(2.5, lambda: setattr(world, "bus_away", False))
    clients = come(world, luck, "santorini-lobby", "santorini")
    world.run(25)
    assert len(world.database.events) == 2
    assert sorted(over.result for one in clients for over in one.overs) == [Result.LOST] * 2 + [Result.WON] * 2
