"""Recording and replaying the clients' messages of a match."""

from __future__ import annotations

import pytest

from bench import tape
from boardwire.dialects import PROTOCOLS
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.table.match import Status


@pytest.mark.parametrize("dialect", PROTOCOLS)
def test_a_tape_plays_the_same_match_to_its_end(dialect: str) -> None:
    recorded = tape.record(dialect, 3)
    server = SimulatedServer(seed=3)
    peers: list[SimulatedConnection] = []
    for seat, data in recorded:
        if data:
            peers[seat].send(data)
        else:
            peers.append(server.connect(dialect))
    assert server.match().status is Status.OVER
    assert tape.play(dialect, 3, recorded) == sum(len(peer.take()) for peer in peers)
