"""Checks of eriantys-messages against our own server and faulty servers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest
from tests.net.harbour import harbour, run

from boardwire.conformance.server import checks
from boardwire.conformance.server.check import CheckResult, Verdict

from .judging import between, judge, serving

DIALECT = "eriantys-messages"
NAMES = [check.name for check in checks(DIALECT)]


def test_our_own_server_passes_all_checks() -> None:
    found: list[CheckResult] = []

    async def part(names: list[str]) -> None:
        async with harbour() as place:  # a separate server, so that players of two checks never meet
            found.extend(await judge(DIALECT, await place.open(DIALECT), lambda check: check.name in names))

    async def scenario() -> None:
        await asyncio.gather(*(part(NAMES[start::5]) for start in range(5)))

    run(scenario)
    assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []
    assert len(found) == len(NAMES) >= 20


def verdict(name: str, wrong: Callable[[bytes], bytes]) -> CheckResult:
    """Return the result of a check against our server with its lines changed by `wrong`."""
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with (
            harbour() as place,
            serving(between(await place.open(DIALECT), lambda line: line, wrong)) as port,
        ):
            found.extend(await judge(DIALECT, port, lambda check: check.name == name))

    run(scenario)
    return found[0]


def _richer(line: bytes) -> bytes:
    return re.sub(rb'"(ann\w+)":1', rb'"\1":2', line)


def mute(kind: bytes) -> Callable[[bytes], bytes]:
    """Return a change that drops messages of one type."""
    return lambda line: b"" if b'"type":"' + kind in line else line


def swap(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    """Return a change of the server's messages."""
    return lambda line: line.replace(old, new)


@pytest.mark.parametrize(
    ("name", "wrong", "detail"),
    [
        (
            "LoginRequest gets LoginReply",
            mute(b"LoginReply"),
            'nothing arrived for 3 s; expected {"type":"LoginReply"',
        ),
        ("LoginRequest gets LoginReply", lambda line: b"hello\n", "which is not a JSON object with a type"),
        ("LoginRequest gets LoginReply", lambda line: b"[]\n", "which is not a JSON object with a type"),
        ("a registered player gets towers and deck", swap(b'"value":10', b'"value":11'), "the values 1 to 10"),
        (
            "the board of 2 players, simplified, is displayed to all",
            swap(b'"islandIndex":11', b'"islandIndex":0'),
            "[11,[3,3],7]",
        ),
        ("the board of 2 players, simplified, is displayed to all", mute(b"DisplayHall"), "0 halls were displayed"),
        (
            "the board of 2 players, expert, is displayed to all",
            lambda line: re.sub(rb'"(ann\w+)":1', rb'"\1":2', line),
            "a coin for each player",
        ),
        (
            "cards are played in order, once a round, and shown to all",
            swap(b'"movement":1', b'"movement":2'),
            "expected card 1 of",
        ),
        ("students go in any split, and all see it", swap(b'":1,', b'":2,'), "expected one"),
        (
            "students go in any split, and all see it",
            swap(b'"ask":"motherNature"', b'"ask":"cloud"'),
            "a question (mother",
        ),
        (
            "too many students, absent ones, or too early a walk",
            swap(b"Students", b"Student"),
            "expected InvalidNumber",
        ),
        (
            "mother nature goes as far as the card says",
            swap(b"Allowed", b"allowed"),
            'expected {"type":"InvalidMovement',
        ),
        ("the cloud may be taken last, which ends the turn", swap(b"[[],", b'[["RED"],'), "one empty cloud"),
        ("the cloud may be taken first", swap(b'"entrance":["', b'"entrance":["RED","'), "expected 10"),
        ("a player who leaves ends the match for the others", mute(b"Disconn"), "the server closed the connection"),
        ("ten messages that cannot be read end the connection", mute(b"Error"), 'expected {"type":"ErrorMessage"'),
        ("a whole match ends with WinMessage for all", lambda line: _nobody(line), "expected one or more players"),
        (
            "a whole match ends with WinMessage for all",
            swap(b'"type":"DisplayCem', b'"type":"ErrorCem'),
            "expected a question",
        ),
    ],
)
def test_a_server_that_breaks_the_specification_fails(name: str, wrong: Callable[[bytes], bytes], detail: str) -> None:
    finding = verdict(name, wrong)
    assert finding.verdict is Verdict.FAIL
    assert detail in finding.detail


def _nobody(line: bytes) -> bytes:
    return line.partition(b'"winner"')[0] + b'"winner":[]}\n' if b'"WinMessage"' in line else line
