"""The bus, over a real NATS server."""

from __future__ import annotations

import asyncio

import pytest
from scripts.nats import nats

from boardwire.cluster.bus import NatsBus

pytestmark = pytest.mark.cluster


def test_what_is_larger_than_the_server_carries_comes_whole_and_in_order() -> None:
    messages = [b"before", bytes(number % 251 for number in range(2_500_000)), b"after"]
    heard: list[bytes] = []

    async def scenario(url: str) -> None:
        one, other = NatsBus(url, "c", "one", heard.append), NatsBus(url, "c", "other", heard.append)
        await one.connect()
        await other.connect()
        for message in messages:
            one.send("other", message)
        async with asyncio.timeout(20):
            while len(heard) < len(messages):
                await asyncio.sleep(0.01)
        await one.close()
        await other.close()

    with nats() as server:
        asyncio.run(scenario(server.url))
    assert heard == messages
