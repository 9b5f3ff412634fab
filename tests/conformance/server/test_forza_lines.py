"""Checks of forza-lines against our own server and faulty servers."""

from __future__ import annotations

import pytest
from tests.net.harbour import harbour, run

from boardwire.conformance.server import checks
from boardwire.conformance.server.check import CheckResult, Verdict, Wire

from .judging import Change, between, judge, serving
from .test_rules import FORZA

DIALECT = "forza-lines"
NAMES = [check.name for check in checks(DIALECT)]


def same(line: bytes) -> bytes:
    return line


def findings(up: Change, down: Change, monkeypatch: pytest.MonkeyPatch) -> dict[str, CheckResult]:
    """Return the results of the checks against our server behind a proxy that changes lines."""
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))  # nothing is slow on the loopback
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place, serving(between(await place.open(DIALECT), up, down)) as port:
            found.extend(await judge(DIALECT, port, wait=2.0))

    run(scenario)
    return {finding.name: finding for finding in found}


def test_our_own_server_passes_all_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(same, same, monkeypatch)
    assert {name: finding.detail for name, finding in found.items() if finding.verdict is not Verdict.PASS} == {}
    assert list(found) == NAMES


FAULTS = {
    "takes any name": (lambda line: b"x\n" if len(line) > 20 else line, same, "an invalid name"),
    "mixes up the colours": (same, lambda line: line.replace(b"START RED", b"START YELLOW"), "both get their colour"),
    "draws no discs": (same, lambda line: line.replace(b"| . . . R", b"| . . . ."), "a disc is told to both"),
    "is short of words": (same, lambda line: b"NO\n" if b"is not a column" in line else line, "input that is not"),
    "does not tell turns from rules": (
        same, lambda line: line.replace(b"not-your-turn", b"illegal"), "a column out of turn",
    ),
    "is deaf to talk": (same, lambda line: b"" if line.startswith(b"SAID YELLOW") else line, "talk is told"),
    "cheers the loser": (same, lambda line: line.replace(b"LOST line", b"WON line"), "four in a row"),
    "knows no way to give up": (lambda line: line.replace(b"RESIGN", b"SAY no"), same, "a player who resigns"),
    "is silent about who leaves": (same, lambda line: b"" if b"BROKEN_OFF" in line else line, "a player who leaves"),
}  # fmt: skip


@pytest.mark.parametrize(("up", "down", "name"), FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_fails_its_check_only(up: Change, down: Change, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(up, down, monkeypatch)
    failed = [one for one, finding in found.items() if finding.verdict is Verdict.FAIL]
    assert len(failed) == 1
    assert failed[0].startswith(name)


def test_every_check_has_a_planted_fault() -> None:
    planted = tuple(start for _, _, start in FAULTS.values()) + tuple(start for start, _ in FORZA.values())
    assert [name for name in NAMES if not name.startswith(planted)] == []
