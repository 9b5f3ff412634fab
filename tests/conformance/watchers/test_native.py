"""Watcher of native through a proxy, including the upgrade: no findings on our server, and all planted faults."""

from __future__ import annotations

import asyncio

import pytest
from tests.conformance.server import test_native as native
from tests.conformance.server.judging import judge
from tests.net.harbour import harbour, run
from tests.proxy.test_proxy import between

from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Record
from boardwire.net.connection import Connection
from boardwire.net.http import HttpServer
from boardwire.net.listener import address, listen


def seen(name: str) -> list[Finding]:
    """Return the findings about the server while checks whose names begin so run through a proxy."""
    records: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place:
            http = HttpServer(
                native._nothing, place.connections, lambda address: Connection(native.NATIVE, place.connections)
            )
            server = await listen(http.protocol, "http", "127.0.0.1", 0, asyncio.get_running_loop())
            async with between(address(server)[1], records, "native", wait=0.15) as own:
                await judge("native", own, lambda check: check.name.startswith(name), 0.3)
            server.close()

    run(scenario, asyncio.new_event_loop)
    return [one for one in records if isinstance(one, Finding) and one.side is Side.SERVER]


def test_nothing_is_found_on_our_own_server() -> None:
    assert seen("open gets seated") == []


@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong", "name"), native.FAULTS)
def test_a_planted_fault_is_found(right: bytes, wrong: bytes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Connection.write
    monkeypatch.setattr(Connection, "write", lambda self, data: write(self, data.replace(right, wrong)))
    assert seen(name)
