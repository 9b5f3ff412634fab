"""`boardwire check` against a server with a waiting player, who keeps the seat."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from tests.net.harbour import run

from boardwire import dialects
from boardwire.conformance.server import check as checking
from boardwire.conformance.server import checked_dialects
from boardwire.conformance.server.check import Check, CheckResult, Verdict, Wire
from boardwire.dialects.dialect import ClientOptions, PlayerMessage
from boardwire.net.client import ClientConnection, connect

from .judging import judge
from .test_shared_server import is_quick, node

SEEN_WITHOUT_HARM: Final = {"santorini-lobby", "eriantys-objects", "native"}
"""Dialects in which a check detects a waiting player before it takes a seat."""


class Waits:
    """A player that sends nothing after it has a seat."""

    def receive(self, connection: ClientConnection, notification: PlayerMessage) -> None:
        pass


async def wait_for_ever(dialect: str, port: int, here: asyncio.Event, thrown_out: list[str]) -> None:
    """Wait for an opponent; note the end of each match and wait again."""
    speaks = dialects.dialect(dialect)
    settings = {"mode": "simplified"} if speaks.game else {"game": "tris"}
    seating = ClientOptions("zoe", 2, settings)
    while True:
        connection = await connect(speaks, "127.0.0.1", port, seating, Waits())
        await asyncio.sleep(0.2)
        here.set()
        try:
            await connection.finished
        finally:
            connection.hang_up()
        thrown_out.append(dialect)


def verdicts(
    dialect: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, alone: bool
) -> tuple[list[CheckResult], list[str]]:
    """Return the results of all quick checks while a player waits, and how often that player's match ended."""
    monkeypatch.setattr("tests.net.harbour.PATIENCE", 120.0)
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    found: list[CheckResult] = []
    thrown_out: list[str] = []

    async def scenario() -> None:
        async with node(capsys) as ports:
            here = asyncio.Event()
            stranger = asyncio.create_task(wait_for_ever(dialect, ports[dialect], here, thrown_out))
            await here.wait()
            found.extend(await judge(dialect, ports[dialect], is_quick, 1.5, checking.MAX_CHECK_ATTEMPTS, alone=alone))
            stranger.cancel()
            await asyncio.wait({stranger})

    run(scenario)
    return found, thrown_out


@pytest.mark.parametrize("dialect", checked_dialects())
def test_a_waiting_player_keeps_the_seat(
    dialect: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, thrown_out = verdicts(dialect, capsys, monkeypatch, alone=False)
    others = [finding for finding in found if finding.verdict not in (Verdict.PASS, Verdict.SKIPPED)]
    assert [(finding.name, finding.verdict, finding.detail) for finding in others] == []
    skipped = [finding for finding in found if finding.verdict is Verdict.SKIPPED]
    assert skipped
    assert all("--alone" in finding.detail for finding in skipped)
    assert len(thrown_out) <= (0 if dialect in SEEN_WITHOUT_HARM else 1)


def test_alone_runs_every_check_despite_waiting_players(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, thrown_out = verdicts("tris-lines", capsys, monkeypatch, alone=True)
    assert {finding.verdict for finding in found} == {Verdict.PASS}
    assert len(thrown_out) > 1


def is_login(check: Check) -> bool:
    return check.name.startswith("the first client")


def test_a_player_who_has_left_does_not_count_as_waiting() -> None:
    """Some servers notice only when the second player connects that the first has left."""
    found: list[CheckResult] = []
    met: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        met.append(1)
        writer.write(b"READY\nDISCONNECTED\n" if len(met) == 1 else b"WAIT\n")
        if len(met) > 1:
            await reader.read()
        writer.close()

    async def scenario() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        found.extend(await judge("tris-lines", port, is_login, 0.5, alone=False))
        server.close()

    run(scenario)
    assert [finding.verdict for finding in found] == [Verdict.PASS]
