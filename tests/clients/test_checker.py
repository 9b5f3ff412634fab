"""`boardwire check`, on our own server and on servers that do not keep to the document."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from boardwire.clients import checker
from boardwire.clients.checks import check as checking
from boardwire.clients.checks import checks
from boardwire.clients.checks.check import Check, Failed, Finding, Probe, Verdict, Wire
from boardwire.games.game import Refused
from boardwire.wire.lines import LineDecoder

from ..net.harbour import harbour, run  # noqa: TID252 - tests are no installed package


def test_our_own_server_keeps_to_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            assert await checker._check("tris-lines", "127.0.0.1", port, True, 3.0)

    run(scenario)
    findings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(findings) == len(checks("tris-lines"))
    assert {finding["verdict"] for finding in findings} == {"pass"}


def test_a_server_that_is_not_there_is_skipped_and_does_not_pass(capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            await place.close()
            assert not await checker._check("tris-lines", "127.0.0.1", port, False, 1.0)

    run(scenario)
    out = capsys.readouterr().out
    assert out.endswith(f"0 passed, 0 failed, {len(checks('tris-lines'))} skipped\n")
    assert "cannot connect to 127.0.0.1:" in out


def test_a_dialect_without_checks_is_refused() -> None:
    with pytest.raises(Refused, match="there is no dialect called 'chess-lines'"):
        checks("chess-lines")
    with pytest.raises(Refused, match="there are no checks for native"):
        checks("native")


Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def verdict(answering: Answering, attempt: Callable[[Wire], Awaitable[None]]) -> Finding:
    """What a check that does `attempt` finds on a server that does `answering`."""
    found: list[Finding] = []

    async def trial(probe: Probe) -> None:
        await attempt(await probe.connect())

    async def scenario() -> None:
        server = await asyncio.start_server(answering, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        probe = Probe("127.0.0.1", port, lambda: LineDecoder(10), 0.2)
        found.extend([finding async for finding in checking.run([Check("a sentence", "1", trial)], probe)])
        server.close()

    run(scenario)
    return found[0]


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HELLO\n")
    await silent(reader, writer)


async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"x" * 100)
    await silent(reader, writer)


async def receives(wire: Wire) -> None:
    await wire.receive("'HELLO'")


async def is_silent(wire: Wire) -> None:
    await wire.silent(0.1)


async def ends(wire: Wire) -> None:
    await wire.ends()


@pytest.mark.parametrize(
    ("answering", "attempt", "outcome", "words"),
    [
        (hello, receives, Verdict.PASS, ""),
        (silent, receives, Verdict.FAIL, "nothing came; expected 'HELLO'"),
        (closing, receives, Verdict.FAIL, "the server closed the connection; expected 'HELLO'"),
        (endless, receives, Verdict.FAIL, "what came cannot be read"),
        (silent, is_silent, Verdict.PASS, ""),
        (hello, is_silent, Verdict.FAIL, "b'HELLO' came; expected silence"),
        (closing, is_silent, Verdict.FAIL, "the server closed the connection; expected silence"),
        (closing, ends, Verdict.PASS, ""),
        (hello, ends, Verdict.FAIL, "b'HELLO' came; expected the end of the connection"),
        (silent, ends, Verdict.FAIL, "the connection stays open; expected its end"),
    ],
)
def test_a_check_says_what_came_and_what_should_have_come(
    answering: Answering, attempt: Callable[[Wire], Awaitable[None]], outcome: Verdict, words: str
) -> None:
    finding = verdict(answering, attempt)
    assert finding.verdict is outcome
    assert finding.detail.startswith(words)


def test_a_finding_is_a_line_of_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(probe: Probe) -> None:
        raise Failed("'NO' came; expected 'OK'")

    monkeypatch.setattr(checker, "checks", lambda dialect: (Check("a move gets OK", "3", fails),))
    assert not checker.check("tris-lines", "127.0.0.1", 1, json=False, wait=0.1)
    assert capsys.readouterr().out == (
        "fail  a move gets OK (3)\n      'NO' came; expected 'OK'\n0 passed, 1 failed, 0 skipped\n"
    )
