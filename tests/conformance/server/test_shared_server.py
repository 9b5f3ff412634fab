"""Checks against a server with other players or pings: the verdicts stay the same."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Final

import pytest
from tests.net.harbour import harbour, run

from boardwire import dialects
from boardwire.bots.server_bots import BOTS
from boardwire.config import Settings
from boardwire.conformance.server import check as checking
from boardwire.conformance.server import checked_dialects, checks
from boardwire.conformance.server.check import MAX_CHECK_ATTEMPTS, Check, CheckResult, Verdict, Wire
from boardwire.dialects.dialect import ClientOptions
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes
from boardwire.net.client import connect
from boardwire.node import Node
from boardwire.terminal.bot_player import Robot

from .judging import Serving, Wanted, judge, serving

FIRST_WORDS: Final = {
    "tris-lines": b"",
    "santorini-actions": b'{"action":"addPlayer","data":{"playerNickname":"zoe","lobbySize":2}}\n',
    "santorini-lobby": b'{"type":"SELECT_PLAYER_NUMBER","content":{"size":2}}\n'
    b'{"type":"ADD_USER","content":{"user":{"username":"zoe"}}}\n',
}
EARLY: Final = {
    "the first client gets WAIT",
    "a valid move gets OK, and the other player the board",
    "a full lobby of two: setPickedCards with the god player's name to all",
    "after a turn actualPlayer names the next player",
    "a login before the lobby has a size is refused",
    "a full lobby of two gets the gods",
}


def is_early(check: Check) -> bool:
    return check.name in EARLY


@pytest.mark.parametrize("dialect", FIRST_WORDS)
def test_a_waiting_player_is_not_a_fault_of_the_server(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.02,))
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            stranger = await place.connect(port)
            stranger.send(FIRST_WORDS[dialect])
            await place.settled(lambda: len(place.connections.connections) == 1)
            await stranger.line()
            found.extend(await judge(dialect, port, is_early, 0.3, MAX_CHECK_ATTEMPTS))

    run(scenario)
    assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []
    assert len(found) == 2


def test_a_tris_player_who_keeps_waiting_is_not_a_fault_of_the_server() -> None:
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")

            async def come_again() -> None:
                while True:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                    try:
                        await reader.read()  # until the opponent has left
                    finally:
                        writer.close()

            stranger = asyncio.create_task(come_again())
            await place.settled(lambda: len(place.connections.connections) == 1)
            found.extend(await judge("tris-lines", port, is_early, 0.3, MAX_CHECK_ATTEMPTS))
            stranger.cancel()
            await asyncio.wait({stranger})

    run(scenario)
    assert [finding.verdict for finding in found] == [Verdict.PASS] * 2


def asking(port: int) -> Serving:
    """Return a server that pings every client at once and drops those that do not answer."""
    hello = Edition.F.encode(classes.Message("HELLO"))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        here = asyncio.Event()

        async def up() -> None:
            while data := await reader.read(65536):
                if hello in data:
                    here.set()
                far_writer.write(data.replace(hello, b""))
            far_writer.close()

        async def down() -> None:
            while data := await far_reader.read(65536):
                writer.write(data)
            writer.close()

        async def watch() -> None:
            writer.write(hello)
            try:
                await asyncio.wait_for(here.wait(), 0.1)
            except TimeoutError:
                writer.close()
                far_writer.close()

        await asyncio.gather(up(), down(), watch(), return_exceptions=True)

    return serve


def test_pings_are_answered_on_idle_connections_too() -> None:
    found: list[CheckResult] = []
    names = {"only players who want the same number meet", "three players who want to be three get numbers and names"}

    async def scenario() -> None:
        dialect = "santorini-objects/shipped"
        async with harbour() as place, serving(asking(await place.open(dialect))) as port:
            found.extend(await judge(dialect, port, lambda check: check.name in names))

    run(scenario)
    assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []
    assert len(found) == len(names)


# --- many runs on one server ----------------------------------------------------------------------------------------

RUNS: Final = int(os.environ.get("CHECK_RUNS", "50"))
PATIENT: Final = ("pinged", "ping follows")
"""Parts of the names of checks that wait for pings, which other players do not affect."""


def is_quick(check: Check) -> bool:
    return not any(word in check.name for word in PATIENT)


@asynccontextmanager
async def node(capsys: pytest.CaptureFixture[str]) -> AsyncIterator[dict[str, int]]:
    """Run a whole server in this loop; yield its ports. All players share one address, so held seats are not
    limited."""
    listen = tuple(f"{name}=0" for name in dialects.DIALECT_PACKAGES if name != "native")
    settings = Settings(data=":memory:", http="0", listen=listen, log="error", held=0)
    one = Node(settings, asyncio.get_running_loop())
    await one.start()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    ports = {line[1]: int(line[2].rpartition(":")[2]) for line in lines if line[0] == "listening"}
    try:
        yield {**ports, "native": ports["http"]}
    finally:
        await one.stop()


async def comes_and_goes(dialect: str, port: int, rng: Random) -> None:
    """Run bots in sequence that play or leave at any time."""
    speaks = dialects.dialect(dialect)
    mode = {"mode": rng.choice(("simplified", "expert"))} if speaks.game == "eriantys" else {}
    settings = {"game": speaks.game or "tris", **mode}
    while True:
        players = 2 if settings["game"] == "tris" else rng.choice((2, 3))
        seating = ClientOptions(f"guest{rng.randrange(10**6)}", players, settings)
        connection = await connect(speaks, "127.0.0.1", port, seating, Robot(BOTS["random"], rng.randrange))
        await asyncio.wait({connection.finished}, timeout=rng.uniform(0.05, 0.5))
        connection.hang_up()
        await asyncio.sleep(rng.uniform(0.05, 0.5))


def verdicts(
    dialect: str,
    runs: int,
    wanted: Wanted,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    alone: bool,
) -> tuple[Counter[tuple[str, Verdict]], list[CheckResult]]:
    """Count the verdicts of each check against one server while others come and go; also return everything that did not
    pass."""
    monkeypatch.setattr("tests.net.harbour.PATIENCE", 7200.0)
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    monkeypatch.setattr(checking, "QUIET_SECONDS", 0.1)
    found: Counter[tuple[str, Verdict]] = Counter()
    unusual: list[CheckResult] = []

    async def scenario() -> None:
        async with node(capsys) as ports:
            others = [asyncio.create_task(comes_and_goes(dialect, ports[dialect], Random(seed))) for seed in range(2)]
            for _ in range(runs):
                for finding in await judge(dialect, ports[dialect], wanted, 1.5, MAX_CHECK_ATTEMPTS, alone=alone):
                    found[finding.name, finding.verdict] += 1
                    if finding.verdict is not Verdict.PASS:
                        unusual.append(finding)
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    run(scenario)
    return found, unusual


def is_sample(dialect: str) -> Wanted:
    """Select every seventh check, without those that wait for pings."""
    names = [check.name for check in checks(dialect) if is_quick(check)][::7]
    return lambda check: check.name in names


@pytest.mark.parametrize("dialect", checked_dialects())
def test_verdicts_are_the_same_while_others_come_and_go(
    dialect: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = is_sample(dialect)
    found, unusual = verdicts(dialect, 2, wanted, capsys, monkeypatch, alone=True)
    assert unusual == []
    assert found == {(check.name, Verdict.PASS): 2 for check in checks(dialect) if wanted(check)}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", checked_dialects())
def test_fifty_runs_have_the_same_verdicts_while_others_come_and_go(
    dialect: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, unusual = verdicts(dialect, RUNS, is_quick, capsys, monkeypatch, alone=True)
    assert unusual == []
    assert found == {(check.name, Verdict.PASS): RUNS for check in checks(dialect) if is_quick(check)}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", checked_dialects())
def test_without_alone_every_check_passes_or_is_skipped(
    dialect: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, unusual = verdicts(dialect, 5, is_quick, capsys, monkeypatch, alone=False)
    assert [finding for finding in unusual if finding.verdict is not Verdict.SKIPPED] == []
