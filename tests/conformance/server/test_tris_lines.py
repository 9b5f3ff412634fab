"""Checks of tris-lines against a correct server and faulty servers."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from tests.net.harbour import run

from boardwire.conformance.server import checks
from boardwire.conformance.server.check import CheckResult, Probe, Verdict, Wire
from boardwire.wire.lines import LineDecoder

from .judging import judge, serving
from .tris_server import Faults, tris_server

DIALECT = "tris-lines"
RESET = "a reset is a disconnection too"
LINE_ENDS = "lines may end with CR LF"


def findings(faults: Faults, monkeypatch: pytest.MonkeyPatch, only: str = "") -> dict[str, CheckResult]:
    """Return the results of the checks against a server with these faults."""
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with serving(tris_server(faults)) as port:
            found.extend(await judge(DIALECT, port, lambda check: only in check.name, 1.5))

    run(scenario)
    return {finding.name: finding for finding in found}


def failed(found: dict[str, CheckResult]) -> list[str]:
    return [name for name, finding in found.items() if finding.verdict is Verdict.FAIL]


def test_the_model_without_faults_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(Faults(), monkeypatch)
    assert {name: one.detail for name, one in found.items() if one.verdict is not Verdict.PASS} == {}
    assert len(found) == len(checks(DIALECT))


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_the_server_sees_a_reset_and_not_a_close(loop: str) -> None:
    seen: list[str] = []
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            seen.append(repr(await reader.read()))
        except ConnectionResetError:
            seen.append("ECONNRESET")
        writer.close()
        over.set()

    async def scenario() -> None:
        async with serving(serve) as port:
            probe = Probe("127.0.0.1", port, LineDecoder, 1.0)
            (await probe.connect()).close(reset=True)
            await over.wait()
            await probe.leave()

    run(scenario, *([asyncio.new_event_loop] if loop == "asyncio" else []))
    assert seen == ["ECONNRESET"]


def test_a_server_that_says_nothing_after_a_reset_fails_that_check_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failed(findings(Faults(silent_after_reset=True), monkeypatch)) == [RESET]


@pytest.mark.parametrize("only", ["", LINE_ENDS])
def test_boards_of_another_format_are_not_blamed_on_the_line_end(only: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(Faults(board_prefix="null"), monkeypatch, only)
    assert found[LINE_ENDS].verdict is Verdict.PASS


def test_a_move_that_fails_with_lf_too_is_not_blamed_on_the_line_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = not deaf.__dict__.setdefault("met", False)
        deaf.__dict__["met"] = first
        writer.write(b"WAIT\n" if first else b"READY\n")
        if first:
            writer.write(b"READY\n")
        while await reader.readline():
            writer.write(b"KO\n")
        writer.close()

    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with serving(deaf) as port:
            found.extend(await judge(DIALECT, port, lambda check: check.name == LINE_ENDS, 0.2))

    run(scenario)
    assert found[0].verdict is Verdict.NOT_EXAMINED
    assert found[0].detail.startswith("a line that ends with LF does not work either")


def test_a_server_that_reads_no_cr_lf_fails_that_check_only(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(Faults(strict_lf=True), monkeypatch)
    assert failed(found) == [LINE_ENDS]
    assert "got KO; expected OK" in found[LINE_ENDS].detail


RULES = {
    "takes_occupied": "an occupied cell gets KO",
    "refuses_corner": "an occupied cell gets KO",
    "same_player_again": "a valid move gets OK",
    "queues_moves": "a move out of turn",
    "no_diagonals": "every row, column and diagonal wins",
    "no_columns": "every row, column and diagonal wins",
    "result_to_winner_only": "the winner gets W",
    "swapped_result": "the winner gets W",
    "draw_is_a_win": "a draw: P",
}


@pytest.mark.parametrize(("fault", "name"), RULES.items(), ids=RULES.keys())
def test_a_server_that_breaks_a_rule_of_the_game_fails(fault: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(msgspec.structs.replace(Faults(), **{fault: True}), monkeypatch)
    assert any(one.startswith(name) for one in failed(found)), failed(found)
