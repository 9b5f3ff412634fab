"""A table that a moderator closes ends in every dialect: all clients are told in their protocol, and nothing hangs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.games.game import Outcome
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.table.commands import Close
from boardwire.table.match import Status
from boardwire.table.termination import Termination


@pytest.mark.parametrize("answers", [0, 3])
@pytest.mark.parametrize("door", dialects.DIALECT_PACKAGES)
def test_a_closed_table_ends_the_match_in_every_dialect(door: str, answers: int) -> None:
    server = SimulatedServer(seed=1)
    overs: list[Over] = []
    luck = Random(1)
    left = answers
    name = "santorini" if door == "native" else dialects.dialect(door).game

    def receive(client: SimulatedClient, notification: Any) -> None:
        nonlocal left
        if isinstance(notification, Ask) and left:
            left -= 1
            client.talk.tell(Answer(luck.choice(list(notification.decision.choices))))
        elif isinstance(notification, Over):
            overs.append(notification)

    pairs: list[Any] = []
    for player in ("Ann", "Bob"):
        client = SimulatedClient(door, receive, ClientOptions(player, 2, {"game": name}), server.clock)
        pairs.append((client, server.connect(door)))
        play_together(server, pairs)
    (table,) = server.lobby
    assert table.match.status is Status.PLAYING
    table.do(None, Close(Termination.CLOSED))
    server.clock.pass_time(60.0)
    play_together(server, pairs)
    assert [over.result for over in overs] == [Result.BROKEN_OFF] * 2
    assert all(peer.closed for _, peer in pairs) or door == "native"
    assert server.match(table.match.id).outcome == Outcome(Termination.CLOSED)


@pytest.mark.parametrize("door", dialects.DIALECT_PACKAGES)
def test_a_waiting_table_can_be_closed_in_every_dialect(door: str) -> None:
    server = SimulatedServer(seed=1)
    name = "santorini" if door == "native" else dialects.dialect(door).game
    client = SimulatedClient(door, lambda client, told: None, ClientOptions("Ann", 2, {"game": name}), server.clock)
    pairs = [(client, server.connect(door))]
    play_together(server, pairs)
    (table,) = server.lobby
    table.do(None, Close(Termination.CLOSED))
    server.clock.pass_time(60.0)
    play_together(server, pairs)
    assert server.match(table.match.id).status is Status.OVER
