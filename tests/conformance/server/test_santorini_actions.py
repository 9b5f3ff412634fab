"""Checks of santorini-actions against servers that let a player cheat."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.net.harbour import harbour, run

from boardwire.conformance.server.check import CheckResult, Verdict

from .judging import Serving, between, judge, serving

DIALECT = "santorini-actions"


def finding(name: str, faulty: Callable[[int], Serving], dialect: str = DIALECT) -> CheckResult:
    """Return the result of a check against a faulty proxy of our server."""
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place, serving(faulty(await place.open(dialect))) as port:
            found.extend(await judge(dialect, port, lambda check: check.name == name, 0.3))

    run(scenario)
    return found[0]


def taking(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[int], Serving]:
    """Return a server that replaces a client's messages."""

    def up(line: bytes) -> bytes:
        return json.dumps(change(json.loads(line))).encode() + b"\n"

    return lambda port: between(port, up, lambda line: line)


def distinct(message: dict[str, Any]) -> dict[str, Any]:
    if message["action"] == "setPickedCards" and len(set(message["data"]["cards"])) == 1:
        message["data"]["cards"] = ["PAN", "APOLLO"]
    return message


def elsewhere(message: dict[str, Any]) -> dict[str, Any]:
    first = {"workerID": 2, "x": 0, "y": 0}
    if message["action"] == "setWorkersPosition" and first in message["data"]["workersPosition"]:
        message["data"]["workersPosition"] = [{"workerID": 2, "x": 2, "y": 2}, {"workerID": 3, "x": 2, "y": 3}]
    return message


def skipping(step: str, follows: str) -> Callable[[int], Serving]:
    """Return a server that lets a compulsory step be skipped."""
    said = json.dumps({"action": "skipStepResponse", "data": {"currentStep": follows}}).encode() + b"\n"

    def faulty(port: int) -> Serving:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            due = ""

            def up(line: bytes) -> bytes:
                if b'"skipStep"' in line and due == step:
                    writer.write(said)
                    return b""
                return line

            def down(line: bytes) -> bytes:
                nonlocal due
                data = json.loads(line).get("data", {})
                due = data.get("currentStep") or data.get("nextStep") or due
                return line

            await between(port, up, down)(reader, writer)

        return serve

    return faulty


def lending(port: int) -> Serving:
    """Serve steps of any player with the worker selected last."""
    selecting: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)

        async def up() -> None:
            while line := await reader.readline():
                if b'"selectWorker"' in line:
                    selecting[:] = [far_writer]
                (selecting[0] if b'"playStep"' in line else far_writer).write(line)
            far_writer.close()

        async def down() -> None:
            while line := await far_reader.readline():
                writer.write(line)
            writer.close()

        await asyncio.gather(up(), down(), return_exceptions=True)

    return serve


@pytest.mark.parametrize("dialect", [DIALECT, f"{DIALECT}/shipped"])
@pytest.mark.parametrize(
    ("name", "faulty", "words"),
    [
        ("equal cards are not taken", taking(distinct), "expected no setPlayerCard"),
        ("workers stand on different free cells of the board", taking(elsewhere), "expected the battlefield unchanged"),
        (
            "a step with the worker that another player has selected is not played",
            lending,
            "expected the battlefield unchanged",
        ),
        ("skipStep does not pass over the move", skipping("MOVE", "BUILD"), "expected the battlefield unchanged"),
        ("skipStep does not pass over the build", skipping("BUILD", "END"), "expected the battlefield unchanged"),
    ],
)
def test_a_server_that_lets_a_player_cheat_fails(
    name: str, faulty: Callable[[int], Serving], words: str, dialect: str
) -> None:
    found = finding(name, faulty, dialect)
    assert found.verdict is Verdict.FAIL
    assert words in found.detail


@pytest.mark.parametrize("response", [b"", b'{"action":"playStepResponse","data":{"x":1,"y":2,"nextStep":"END"}}\n'])
def test_a_last_step_may_have_a_response_or_none(response: bytes) -> None:
    """The document leaves this open."""

    def down(line: bytes) -> bytes:
        return response + line if b'"youWin"' in line else line

    found = finding("the winner gets youWin, the other youLose", lambda port: between(port, lambda line: line, down))
    assert found.verdict is Verdict.PASS
