"""The adapter on real sockets."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from boardwire import dialects
from boardwire.bots.server_bots import BOTS
from boardwire.bridge.server import Adapter, pair
from boardwire.dialects.dialect import ClientOptions, Over, Result
from boardwire.errors import Malformed
from boardwire.terminal.bot_player import Robot, play

from ..net.harbour import harbour, run


def robot(seed: int) -> Robot:
    return Robot(BOTS["random"], Random(seed).randrange)


@pytest.mark.parametrize(
    ("near", "far", "game"),
    [("native", "tris-lines", "tris"), ("santorini-lobby", "santorini-objects", "santorini")],
)
def test_each_client_gets_its_own_connection_to_the_foreign_server(near: str, far: str, game: str) -> None:
    ends: list[Over] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(far)
            adapter = Adapter(*pair(near, far), ("127.0.0.1", port), lambda text: None)
            _, own = await adapter.listen("127.0.0.1", 0)
            playing = []
            for number in range(4):
                name, seed = f"p{number}", number
                if number % 2:
                    playing.append(play(dialects.dialect(far), "127.0.0.1", port, ClientOptions(name, 2), robot(seed)))
                else:
                    settings = {"game": game} if near == "native" else {}
                    seating = ClientOptions(name, 2, settings)
                    playing.append(play(dialects.dialect(near), "127.0.0.1", own, seating, robot(seed)))
            ends.extend(await asyncio.gather(*playing))
            await adapter.stop()

    run(scenario)
    results = sorted(end.result for end in ends)
    assert Result.BROKEN_OFF not in results
    assert results.count(Result.WON) == results.count(Result.LOST)


def test_an_unreachable_server_is_reported_and_the_client_is_closed() -> None:
    said: list[str] = []

    async def scenario() -> None:
        adapter = Adapter(*pair("tris-lines", "native"), ("127.0.0.1", 1), said.append)
        _, port = await adapter.listen("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await reader.read() == b""
        writer.close()
        await adapter.stop()

    run(scenario)
    assert said == ["1: cannot connect to 127.0.0.1:1: Connection refused"]


def test_only_two_dialects_of_one_game_can_be_adapted() -> None:
    with pytest.raises(Malformed, match="choose two protocols of one game"):
        pair("tris-lines", "santorini-lobby")
    with pytest.raises(Malformed, match="both speak tris-lines need no adapter"):
        pair("tris-lines", "tris-lines")
    with pytest.raises(Malformed, match="santorini-actions/shipped has no message for declining an optional step"):
        pair("santorini-actions/shipped", "santorini-objects/d1")
    assert [one.name for one in pair("native", "tris-lines")] == ["native", "tris-lines"]
