"""Checks of native against our own server and faulty servers."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from tests.net.harbour import Harbour, harbour, run

from boardwire import dialects
from boardwire.config import Settings
from boardwire.conformance.server import checks
from boardwire.conformance.server.check import MAX_CHECK_ATTEMPTS, CheckResult, Verdict
from boardwire.net.connection import Connection
from boardwire.net.http import HttpServer
from boardwire.net.listener import address, listen
from boardwire.node import Node

from .judging import Wanted, judge

NATIVE = dialects.dialect("native")
NAMES = [check.name for check in checks("native")]


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """Serve no HTTP."""


async def find(place: Harbour, wanted: Wanted, wait: float = 3.0) -> list[CheckResult]:
    """Return the results of checks against our server's HTTP port."""
    http = HttpServer(_nothing, place.connections, lambda address: Connection(NATIVE, place.connections))
    server = await listen(http.protocol, "http", "127.0.0.1", 0, asyncio.get_running_loop())
    try:
        return await judge("native", address(server)[1], wanted, wait)
    finally:
        server.close()


def test_our_own_server_passes_all_checks(capsys: pytest.CaptureFixture[str]) -> None:
    found: list[CheckResult] = []

    async def scenario() -> None:
        node = Node(Settings(data=":memory:", http="0", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start()
        port = int(re.findall(r"listening http .*:(\d+)", capsys.readouterr().out)[0])

        async def part(names: list[str]) -> None:
            found.extend(await judge("native", port, lambda check: check.name in names, tries=MAX_CHECK_ATTEMPTS))

        await asyncio.gather(*(part(NAMES[start::6]) for start in range(6)))
        await node.stop()

    run(scenario)
    assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []
    assert len(found) == len(NAMES) >= 30


FAULTS = [
    (b'"name":"guest"', b'"name":"nobod"', "a name is cut after 32 characters, and is guest if it is empty"),
    (b'"malformed"', b'"forbidden"', "what cannot be read is refused as malformed"),
    (b'"status":"waiting"', b'"status":"playing"', "open gets seated, then step"),
    (b'"winners":[0]', b'"winners":[1]', "a match that is won is over for all, with its winner"),
    (b'"code":"stale"', b'"code":"wrong"', "an act by an old state is stale, and gets the state"),
    (b'"away":true', b'"away":null', "a seat that is held is kept for its player, who comes back"),
    (b'"abandoned"', b'"something"', "at a table that ends with a player who leaves, the match is abandoned"),
    (b'"event":"started"', b'"event":"stopped"', "when all seats are taken the match begins"),
]


@pytest.mark.parametrize(("right", "wrong", "name"), FAULTS)
def test_a_server_that_sends_a_wrong_message_fails(
    right: bytes, wrong: bytes, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(right) == len(wrong), "or the frame's length is wrong"
    found: list[CheckResult] = []
    write = Connection.write
    monkeypatch.setattr(Connection, "write", lambda self, data: write(self, data.replace(right, wrong)))

    async def scenario() -> None:
        async with harbour() as place:
            found.extend(await find(place, lambda check: check.name.startswith(name), 0.3))

    run(scenario)
    (finding,) = found
    assert finding.verdict is Verdict.FAIL
    assert "expected" in finding.detail


def test_checks_leave_few_held_seats() -> None:
    """A server limits the held seats of one address; checks must not use them up."""
    tables: list[int] = []

    async def scenario() -> None:
        async with harbour() as place:
            unfit = ("time is up", "stays away", "bot")  # they take seconds, or need bots
            found = await find(place, lambda check: not any(word in check.name for word in unfit))
            assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []
            tables.append(len(place.lobby))

    run(scenario)
    assert tables[0] <= 4
