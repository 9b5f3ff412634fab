"""Checks of the Santorini dialects against our own server and faulty servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.net.harbour import harbour, run

from boardwire.conformance.server import checks
from boardwire.conformance.server.check import Check, CheckResult, Verdict, Wire
from boardwire.conformance.server.climb import FIRST, SECOND, TURNS, around
from boardwire.net.connection import Connection

from .judging import judge

DIALECTS = (
    "santorini-actions",
    "santorini-actions/shipped",
    "santorini-lobby",
    "santorini-objects",
    "santorini-objects/d1",
    "santorini-objects/shipped",
)
LUCKY = {
    "the player whose turn it is gets the moves of the workers",
    "after the move come the builds of the worker",
    "all see a build",
    "all hear who won, and the match is over",
}
PATIENT = {"the next ping follows 5 seconds after the pong", "a connection is pinged every 5 seconds"}


def run_all(wanted: Callable[[Check], bool]) -> dict[str, list[CheckResult]]:
    """Run all dialects concurrently, each against its own server."""
    found: dict[str, list[CheckResult]] = {}

    async def one(dialect: str) -> None:
        async with harbour() as place:
            found[dialect] = await judge(dialect, await place.open(dialect), wanted)

    async def scenario() -> None:
        await asyncio.gather(*map(one, DIALECTS))

    run(scenario)
    return found


def test_our_own_server_passes_all_checks_of_santorini(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))  # nothing is slow on the loopback
    found = run_all(lambda check: check.name not in PATIENT)
    for dialect in DIALECTS:
        assert [finding for finding in found[dialect] if finding.verdict is not Verdict.PASS] == [], dialect
        assert len(found[dialect]) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["santorini-objects", "santorini-objects/d1", "santorini-objects/shipped"])
def test_checks_pass_with_any_gods(dialect: str) -> None:
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            for _ in range(25):
                found.extend(await judge(dialect, port, lambda check: check.name in LUCKY))

    run(scenario)
    assert [finding for finding in found if finding.verdict is not Verdict.PASS] == []


@pytest.mark.slow
def test_our_own_server_passes_the_ping_checks() -> None:
    found = run_all(lambda check: check.name in PATIENT)
    assert [len(found[dialect]) for dialect in DIALECTS] == [0, 1, 1, 0, 0, 0]
    assert all(finding.verdict is Verdict.PASS for findings in found.values() for finding in findings)


def test_check_names_are_unique_and_have_a_section() -> None:
    for dialect in DIALECTS:
        found = checks(dialect)
        assert len({check.name for check in found}) == len(found)
        assert all(check.section for check in found)


def test_the_scripted_match_is_legal_and_ends_with_a_win() -> None:
    levels: dict[tuple[int, int], int] = {}
    workers = [FIRST[0], SECOND[0]]
    others = {FIRST[1], SECOND[1]}
    for number, turn in enumerate(TURNS):
        mover, foe = number % 2, workers[1 - number % 2]
        assert workers[mover] == turn.frm
        assert turn.to in around(turn.frm) - others - {foe}
        assert turn.height == levels.get(turn.to, 0) <= levels.get(turn.frm, 0) + 1
        workers[mover] = turn.to
        if turn.build is not None:
            assert turn.build in around(turn.to) - others - {foe}
            levels[turn.build] = levels.get(turn.build, 0) + 1
            assert levels[turn.build] == turn.level <= 3
    assert (TURNS[-1].height, levels[TURNS[-1].frm]) == (3, 2)
    assert TURNS[-1].to in around((2, 2)), "Hera lets nobody win on the edge"


FAULTS = [
    ("santorini-actions", b'"validNick":false', b'"validNick":true', "a name that is in use is refused"),
    ("santorini-actions", b'"nextStep":"BUILD"', b'"nextStep":"MOVE"', "playStep: the battlefield to all"),
    ("santorini-actions", b"youLose", b"youWin", "the winner gets youWin"),
    ("santorini-actions", b"skipStepResponse", b"playStepResponse", "skipStep passes over"),
    ("santorini-actions/shipped", b'"listOfCards"', b'"cards"', "all players may ask for the deck"),
    ("santorini-lobby", b'"value":false', b'"value":true', "the size is set once"),
    ("santorini-lobby", b'"turn":1', b'"turn":2', "actions are told to all"),
    ("santorini-lobby", b'{"type":"WIN"', b'{"type":"ELIMINATION"', "all hear of the win"),
    ("santorini-objects", b"Player's name", b"Player's mane", "two players who want to be two"),
    ("santorini-objects/shipped", b"REJECTED", b"ACCEPTED", "a move that is not on offer"),
    ("santorini-objects/shipped", b"PLAYER_2", b"PLAYER_1", "two players who want to be two"),
]


@pytest.mark.parametrize(("dialect", "right", "wrong", "name"), FAULTS)
def test_a_server_that_sends_a_wrong_message_fails(
    dialect: str, right: bytes, wrong: bytes, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[CheckResult] = []
    write = Connection.write
    monkeypatch.setattr(Connection, "write", lambda self, data: write(self, data.replace(right, wrong)))

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            found.extend(await judge(dialect, port, lambda check: check.name.startswith(name), 0.3))

    run(scenario)
    (finding,) = found
    assert finding.verdict is Verdict.FAIL
    assert "expected" in finding.detail


ANSWERED = b'{"action":"playStepResponse","data":{"x":1,"y":1,"nextStep":"END"}}\n'
WON = b'{"action":"youWin"}\n'


@pytest.mark.parametrize("said", [ANSWERED + WON, WON + ANSWERED], ids=["before", "after"])
@pytest.mark.parametrize("dialect", ["santorini-actions", "santorini-actions/shipped"])
def test_a_server_that_answers_the_winning_step_passes(
    dialect: str, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[CheckResult] = []
    write = Connection.write
    monkeypatch.setattr(Connection, "write", lambda self, data: write(self, data.replace(WON, said)))
    ends = {"the winner gets youWin, the other youLose", "after the end a new match may be asked for"}

    async def scenario() -> None:
        async with harbour() as place:
            found.extend(await judge(dialect, await place.open(dialect), lambda check: check.name in ends))

    run(scenario)
    assert [finding.verdict for finding in found] == [Verdict.PASS] * 2
