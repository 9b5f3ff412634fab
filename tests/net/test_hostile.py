"""Malicious peers: the matches of the others go on, and memory stays bounded."""

from __future__ import annotations

import asyncio
import resource

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from boardwire.dialects.tris_lines.messages import LINE_LIMIT

from .harbour import Harbour, Wire, harbour, play, run


async def ended(wire: Wire) -> bytes:
    """Return all bytes until the server ended the connection, by a close or a reset."""
    try:
        return await wire.rest()
    except ConnectionError:
        return b""


def test_a_megabyte_without_a_line_end_ends_its_sender_alone() -> None:
    async def scenario() -> None:
        async with harbour(linger=0.2) as place:
            port = await place.open("tris-lines")
            pair = await place.pair(port)
            hostile, victim = await place.pair(port)
            with capture_logs() as logs:
                hostile.send(b"x" * 1_000_000)
                assert await victim.rest() == b"DISCONNECTED\n"
                assert await ended(hostile) == b""
            (log,) = logs
            assert (log["event"], log["connection"]) == ("unreadable input", 3)
            assert log["reason"] == f"a line is longer than {LINE_LIMIT} bytes"
            await play(*pair)

    run(scenario)


def test_a_line_that_grows_slowly_is_kept_only_up_to_the_limit() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            hostile, victim = await place.pair(await place.open("tris-lines"))
            for _ in range(LINE_LIMIT // 512):
                hostile.send(b"x" * 512)
                await asyncio.sleep(0)
            await victim.nothing()
            kept = [connection._decoder.buffered for connection in place.connections.connections]
            assert sorted(kept) == [0, LINE_LIMIT]
            hostile.send(b"x")
            assert await victim.rest() == b"DISCONNECTED\n"

    run(scenario)


def test_random_bytes_affect_only_their_sender() -> None:
    noise = st.lists(st.binary(max_size=200) | st.sampled_from([b"\n", b"\r", b"4\n", b"9\n"]), max_size=20)

    @settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    @given(noise)
    def attack(segments: list[bytes]) -> None:
        async def scenario() -> None:
            async with harbour() as place:
                port = await place.open("tris-lines")
                pair = await place.pair(port)
                hostile, victim = await place.pair(port)
                with capture_logs() as logs:
                    for segment in segments:
                        hostile.send(segment)
                        await asyncio.sleep(0)
                    hostile.close()
                    said = (await victim.rest()).decode().splitlines()
                assert said[-1] == "DISCONNECTED"
                assert len(said) <= 2, "one move at most, then it would be the victim's turn"
                assert not logs
                await play(*pair)

        run(scenario)

    attack()


def test_a_thousand_half_open_connections_block_no_one() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 4000:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4000), hard))

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            pair = await place.pair(port)
            half_open = await asyncio.gather(*(place.connect(port) for _ in range(1000)))
            for wire in half_open:
                wire.send(b"4")  # a move that never ends
            await place.settled(lambda: len(place.connections.connections) == 1002)
            await play(*pair)
            await play(*await place.pair(port))
            for wire in half_open:
                wire.reset()
            await place.settled(lambda: not place.connections.connections)
            assert len(place.lobby) == 0

    run(scenario)


@pytest.mark.parametrize("turn", ["its own", "the other's"])
def test_a_flood_of_lines_neither_stops_the_others_nor_fills_memory(turn: str) -> None:
    async def scenario() -> None:
        async with harbour(linger=0.2) as place:
            port = await place.open("tris-lines")
            pair = await place.pair(port)
            first, second = await place.pair(port)
            hostile, victim = (first, second) if turn == "its own" else (second, first)
            with capture_logs() as logs:
                hostile.send(b"4444\n" * 50_000)
                await play(*pair)
                if turn == "its own":
                    assert await victim.rest() == b"DISCONNECTED\n", "too many refused moves"
                else:
                    await check_flood_waits(place)
            slowed = [] if turn == "its own" else ["slowed down: too many messages a second"]
            assert [log["event"] for log in logs] == slowed, "it is gone before it has sent too many"

    run(scenario)


async def check_flood_waits(place: Harbour) -> None:
    """What comes faster than the limit waits in its sender's socket, but for one read's worth of it."""
    flooded = next(connection for connection in place.connections.connections if connection._backlog is not None)
    assert flooded._backlog is not None
    kept = len(flooded._backlog)
    assert kept <= 60_000, "at most one read of 256 KB"
    for _ in range(100):  # the rest is in the buffers of the system: a turn of the loop would read it
        await asyncio.sleep(0)
    assert len(flooded._backlog) == kept, "the socket is not read on"


def test_opening_and_leaving_in_a_hurry_leaves_nothing_behind() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            for _ in range(100):
                wire = await place.connect(port)
                wire.reset()
            await place.settled(lambda: place.connections.tally.accepted["tris-lines"] == 100)
            await place.settled(lambda: not place.connections.connections)
            assert len(place.lobby) == 0
            await play(*await place.pair(port))

    run(scenario)
