"""Counters of connections by dialect."""

from __future__ import annotations

import pytest

from boardwire.dialects.native.session import LISTS
from boardwire.net import connections
from boardwire.wire.websocket import encode_text

from .harbour import harbour, run


def test_connections_refusals_and_unreadable_input_are_counted() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            tally = place.connections.tally
            first, second = await place.pair(await place.open("tris-lines"))
            assert tally.accepted == {"tris-lines": 2}
            first.send(b"4\n")
            await second.line()
            second.send(b"4\n")
            assert await second.line() != ""
            assert tally.refusals["tris-lines", "illegal"] == 1
            second.send(b"x" * 70_000)
            await place.settled(lambda: tally.refusals["tris-lines", "malformed"] == 1)

    run(scenario)


def test_refusals_of_the_native_script_are_counted_too() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            wire = await place.connect(await place.open("native"))
            for request in (b"no JSON", b'{"type":"list"}', b'{"type":"hello"}', b'{"type":"act","seq":1,"action":4}'):
                wire.send(encode_text(request, bytes(4)))
            wire.send(encode_text(b'{"type":"list"}', bytes(4)) * (LISTS.max_requests + 1))
            tally = place.connections.tally
            await place.settled(lambda: tally.refusals["native", "limit"] == 1)
            assert tally.refusals == {
                ("native", "malformed"): 1, ("native", "refused"): 1, ("native", "no-seat"): 1, ("native", "limit"): 1,
            }  # fmt: skip
            wire.close()

    run(scenario)


def test_peers_that_say_nothing_are_counted_when_they_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SWEEP_SECONDS", 0.02)

    async def scenario() -> None:
        async with harbour(idle=0.01) as place:
            wire = await place.connect(await place.open("tris-lines"))
            await place.settled(lambda: bool(place.connections.tally.drops))
            assert place.connections.tally.drops == {("tris-lines", "idle"): 1}
            wire.close()

    run(scenario)


def test_unsent_bytes_of_a_peer_can_be_queried() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            await place.connect(await place.open("tris-lines"))
            await place.settled(lambda: len(place.connections.connections) == 1)
            (connection,) = place.connections.connections
            assert (connection.dialect, connection.unsent) == ("tris-lines", 0)

    run(scenario)
