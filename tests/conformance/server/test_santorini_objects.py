"""Checks of santorini-objects against faulty servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.net.harbour import harbour, run

from boardwire import dialects
from boardwire.conformance.server import checks
from boardwire.conformance.server.check import CheckResult, Verdict, Wire
from boardwire.conformance.server.objects_player import EDITIONS
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire

from .judging import ObjectChange, decoded_between, judge, serving

SHIPPED = "santorini-objects/shipped"
AGAIN = "after what is not taken the request comes again"


def same(message: Any) -> list[Any]:
    return [] if isinstance(message, Edition) else [message]


def findings(
    dialect: str, make: Callable[[], tuple[ObjectChange, ObjectChange]], monkeypatch: pytest.MonkeyPatch, only: str = ""
) -> dict[str, CheckResult]:
    """Return the results of the checks against our server behind a proxy that changes objects."""
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    speaks, edition = dialects.dialect(dialect), EDITIONS[dialect.partition("/")[2]]
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            decoders = speaks.decoder, speaks.replies or speaks.decoder
            async with serving(decoded_between(port, decoders, edition.encode, make)) as wrong_port:
                found.extend(await judge(dialect, wrong_port, lambda check: only in check.name, 2.0))

    run(scenario)
    return {finding.name: finding for finding in found}


def rejects_and_waits() -> tuple[ObjectChange, ObjectChange]:
    """Return changes like the original program of the shipped edition: no request follows a rejection."""
    rejected = False

    def down(message: Any) -> list[Any]:
        nonlocal rejected
        was, rejected = rejected, isinstance(message, wire.RequestError)
        return [] if was and type(message).__name__.startswith("Request") else same(message)

    return same, down


def test_a_server_that_rejects_and_waits_fails_only_the_check_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(SHIPPED, rejects_and_waits, monkeypatch)
    assert {name for name, one in found.items() if one.verdict is not Verdict.PASS} == {AGAIN}
    assert found[AGAIN].verdict is Verdict.FAIL
    assert found[AGAIN].detail.startswith("nothing arrived for 2 s; expected RequestAction")
    assert len(found) == len(checks(SHIPPED))
