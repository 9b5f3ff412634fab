"""`boardwire check-client`: our own clients pass every case, and each case finds a client with its fault."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from boardwire import dialects, games
from boardwire.clients.checks.check import Verdict
from boardwire.clinic import examiner
from boardwire.clinic.cases import Case, cases
from boardwire.errors import Refused

from ..pages import ROOT, sections  # noqa: TID252 - tests are no installed package
from .examined import examine
from .faulty import FAULTS, Flawless

EXAMINED = [(name, game) for name in dialects.NAMES for game in (games.NAMES if name == "native" else ("",))]
QUICK = {("tris-lines", ""), ("native", "tris"), ("santorini-lobby", "")}
ALL = [pytest.param(*one, id="-".join(filter(None, one)), marks=() if one in QUICK else pytest.mark.slow)
       for one in EXAMINED]  # fmt: skip


def case(dialect: str, name: str, game: str = "") -> Case:
    return next(one for one in cases(dialect, game) if one.name == name)


@pytest.mark.parametrize(("dialect", "game"), EXAMINED)
def test_every_case_has_a_name_of_its_own_and_a_section_that_is_in_the_page(dialect: str, game: str) -> None:
    found = cases(dialect, game)
    assert len({one.name for one in found}) == len(found) >= 14
    for one in found:
        page, _, number = one.section.partition(", ")
        assert number in sections((ROOT / page).read_text()), one.section


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_our_own_client_passes_every_case_and_a_proxy_finds_nothing_in_it(dialect: str, game: str) -> None:
    for one in cases(dialect, game):
        examined = examine(dialect, one, game=game)
        assert (examined.verdict.verdict, examined.verdict.detail) == (Verdict.PASS, ""), one.name
        examined.watch_on()
        assert examined.findings == [], one.name


# --- faults, each with the case that finds it -----------------------------------------------------------------------


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_every_case_finds_the_fault_that_it_is_for(dialect: str, game: str) -> None:
    blind = []
    for one in cases(dialect, game):
        found = examine(dialect, one, fault=FAULTS[one.name](dialect), game=game).verdict
        if found.verdict is not Verdict.FAIL or not found.detail:
            blind.append((one.name, found))
    assert blind == []


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_a_client_with_a_fault_passes_cases_that_it_is_not_for(dialect: str, game: str) -> None:
    usual = [case(dialect, name, game) for name in ("comes first", "comes last", "takes one byte at a time", "loses")]
    for name in (one.name for one in cases(dialect, game)):
        found = (examine(dialect, one, fault=FAULTS[name](dialect), game=game).verdict.verdict for one in usual)
        assert Verdict.PASS in found, name


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_a_proxy_sees_every_fault_of_a_program(dialect: str, game: str) -> None:
    unseen = []
    for one in cases(dialect, game):
        examined = examine(dialect, one, fault=FAULTS[one.name](dialect), game=game)
        examined.watch_on()
        if not examined.findings:
            unseen.append(one.name)
    assert unseen == []


class Wrong(Flawless):
    """Says something else in place of each of its words."""

    def __init__(self, dialect: str, wrong: Callable[[bytes], bytes]) -> None:
        super().__init__(dialect)
        self._wrong = wrong

    def says(self, data: bytes) -> bytes:
        return self._wrong(data)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda data: data + data, id="twice"),
        pytest.param(lambda data: b"9\n" if data else b"", id="no cell"),
        pytest.param(lambda data: b"hello\n" if data else b"", id="no number"),
    ],
)
def test_what_the_page_does_not_allow_is_found_with_the_sentence(wrong: Callable[[bytes], bytes]) -> None:
    found = examine("tris-lines", case("tris-lines", "comes first"), fault=Wrong("tris-lines", wrong)).verdict
    assert found.verdict is Verdict.FAIL
    assert "docs/dialects/tris-lines.md, " in found.detail
    assert found.said


class Mute(Flawless):
    """Says nothing."""

    def says(self, data: bytes) -> bytes:
        return b""


def test_a_client_that_wants_something_else_is_not_examined() -> None:
    found = examine("santorini-lobby", case("santorini-lobby", "plays with three"), fault=Mute("santorini-lobby"))
    assert found.verdict.verdict is Verdict.NOT_EXAMINED


# --- over real sockets ----------------------------------------------------------------------------------------------

BOT = f"{sys.executable} -m boardwire bot tris --dialect tris-lines --connect {{host}}:{{port}}"


@pytest.mark.parametrize("dialect", ["tris-lines", pytest.param("native", marks=pytest.mark.slow)])
def test_a_command_is_started_for_each_case(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"typed": None, "json": True, "wait": 3.0, "think": 10.0, "only": "comes"}
    found = examiner.check(dialect, "127.0.0.1", 0, run=BOT.replace("tris-lines", dialect), **options)
    assert [one.verdict for one in found] == [Verdict.PASS, Verdict.PASS]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(line) for line in lines] == [["name", "section", "verdict", "detail"]] * 2


def test_a_command_that_does_not_connect_is_one_sentence(tmp_path: Path) -> None:
    options: dict[str, Any] = {"json": True, "wait": 1.0, "think": 1.0, "only": "comes first"}
    with pytest.raises(Refused, match=r"'false' has not connected to 127.0.0.1:[0-9]+: it ended with exit code 1"):
        examiner.check("tris-lines", "127.0.0.1", 0, run="false", typed=None, **options)
    with pytest.raises(Refused, match="cannot run 'there-is-no-such-command'"):
        examiner.check("tris-lines", "127.0.0.1", 0, run="there-is-no-such-command", typed=None, **options)
    with pytest.raises(Refused, match=r"cannot read .*keys"):
        examiner.check("tris-lines", "127.0.0.1", 0, run=BOT, typed=tmp_path / "keys", **options)


def test_what_is_no_request_for_a_websocket_is_refused() -> None:
    class Nobody(asyncio.Transport):
        def __init__(self) -> None:
            super().__init__()
            self.said = b""
            self.closed = False

        def write(self, data: bytes | bytearray | memoryview) -> None:
            self.said += bytes(data)

        def close(self) -> None:
            self.closed = True

    client = Nobody()
    door = examiner.UpgradingDoor(cast("examiner.Examiner", None))
    door.connection_made(client)
    door.data_received(b"GET /ws HTTP/1.1\r\nHost: here\r\n\r\n")
    assert client.said.startswith(b"HTTP/1.1 400 ")
    assert client.closed
