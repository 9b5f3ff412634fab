"""The monitor of a proxy finds every fault planted in the tests of the checks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.conformance.faulty import FAULTS, Flawless
from tests.conformance.illegal import ILLEGAL, Illegal, two_rounds
from tests.conformance.server import (
    test_eriantys_messages as eriantys_messages_checks,
)
from tests.conformance.server import (
    test_eriantys_objects as eriantys_objects_checks,
)
from tests.conformance.server import (
    test_forza_lines as forza_lines_checks,
)
from tests.conformance.server import (
    test_santorini_actions as santorini_actions_checks,
)
from tests.conformance.server import (
    test_santorini_dialects as santorini_dialects_checks,
)
from tests.conformance.server.judging import Serving, judge, serving
from tests.conformance.server.judging import between as changed
from tests.conformance.wired import examine
from tests.net.harbour import harbour, run
from tests.proxy.test_proxy import between

from boardwire import dialects, games
from boardwire.conformance.client.cases import Case, cases
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Record
from boardwire.conformance.server.check import Check, Wire
from boardwire.net.connection import Connection

PATIENCE = 0.15
ALL = [
    pytest.param(name, game, id="-".join(filter(None, (name, game))), marks=pytest.mark.slow)
    for name in dialects.DIALECT_PACKAGES
    for game in (games.NAMES if name == "native" else ("",))
]


def seen(
    dialect: str, faulty: Callable[[int], Serving] | None, wanted: Callable[[Check], bool], wait: float
) -> list[Finding]:
    """Return the findings about the server while a check runs against a faulty server."""
    records: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            if faulty is None:
                async with between(port, records, dialect, wait=PATIENCE, rulings=True) as own:
                    await judge(dialect, own, wanted, wait)
            else:
                async with (
                    serving(faulty(port)) as wrong,
                    between(wrong, records, dialect, wait=PATIENCE, rulings=True) as own,
                ):
                    await judge(dialect, own, wanted, wait)

    run(scenario, asyncio.new_event_loop)
    return [one for one in records if isinstance(one, Finding) and one.side is Side.SERVER]


def parameters(function: Callable[..., Any], name: str) -> list[Any]:
    """Return the parameters of a test."""
    marks: list[Any] = vars(function)["pytestmark"]
    return next(mark.args[1] for mark in marks if mark.name == "parametrize" and name in mark.args[0])


@pytest.mark.slow
@pytest.mark.parametrize("fault", forza_lines_checks.FAULTS)
def test_forza_lines(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    up, down, name = forza_lines_checks.FAULTS[fault]
    assert seen("forza-lines", lambda port: changed(port, up, down), lambda one: one.name.startswith(name), 0.5)


CHEATS = parameters(santorini_actions_checks.test_a_server_that_lets_a_player_cheat_fails, "faulty")


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["santorini-actions", "santorini-actions/shipped"])
@pytest.mark.parametrize(("name", "faulty"), [row[:2] for row in CHEATS], ids=[row[0] for row in CHEATS])
def test_santorini_actions(name: str, faulty: Callable[[int], Serving], dialect: str) -> None:
    assert seen(dialect, faulty, lambda one: one.name == name, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "right", "wrong", "name"), santorini_dialects_checks.FAULTS)
def test_santorini(dialect: str, right: bytes, wrong: bytes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Connection.write
    monkeypatch.setattr(Connection, "write", lambda self, data: write(self, data.replace(right, wrong)))
    assert seen(dialect, None, lambda one: one.name.startswith(name), 0.3)


DIFFERS = parameters(eriantys_messages_checks.test_a_server_that_breaks_the_specification_fails, "wrong")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wrong"), [row[:2] for row in DIFFERS])
def test_eriantys_messages(name: str, wrong: Callable[[bytes], bytes]) -> None:
    def faulty(port: int) -> Serving:
        return changed(port, lambda line: line, wrong)

    assert seen("eriantys-messages", faulty, lambda one: one.name == name, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wrong"), [row[:2] for row in eriantys_objects_checks.FAULTS])
def test_eriantys_objects(name: str, wrong: Callable[[Any], Any]) -> None:
    def faulty(port: int) -> Serving:
        return eriantys_objects_checks.says(wrong, port)

    assert seen("eriantys-objects", faulty, lambda one: one.name == name, 1.0)


# --- clients --------------------------------------------------------------------------------------------------------


def found_in(dialect: str, case: Case, fault: Flawless, game: str) -> list[Finding]:
    """Return a proxy's findings about a client in one case, with a time limit for each."""
    seen: list[Finding] = []

    async def scenario() -> None:
        seen.extend((await examine(dialect, case, fault, game)).findings)

    run(scenario, asyncio.new_event_loop)
    return seen


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_every_client_fault_is_found(dialect: str, game: str) -> None:
    faults = [(case, FAULTS[case.name](dialect)) for case in cases(dialect, game)]
    assert [case.name for case, fault in faults if not found_in(dialect, case, fault, game)] == []


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_every_illegal_client_move_is_found(dialect: str, game: str) -> None:
    unseen = []
    for name, make in ILLEGAL[dialect, game].items():
        move = make()
        found = found_in(dialect, two_rounds(dialect, game), Illegal(dialect, move.change), game)
        if not any(move.says in one.detail for one in found):
            unseen.append(name)
    assert unseen == []


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_nothing_is_found_in_our_own_clients(dialect: str, game: str) -> None:
    for case in cases(dialect, game):
        assert found_in(dialect, case, Flawless(dialect), game) == [], case.name
