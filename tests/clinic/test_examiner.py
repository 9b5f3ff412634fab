"""`boardwire check-client`: our own clients pass every case, and each case finds a client with its fault."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from boardwire import dialects
from boardwire.clients.checks.check import Verdict
from boardwire.clinic import examiner
from boardwire.clinic.cases import Case, cases
from boardwire.errors import Refused

from ..pages import ROOT, sections  # noqa: TID252 - tests are no installed package
from .examined import Change, examine

EXAMINED = [name for name in dialects.NAMES if name != "native"]
QUICK = ["tris-lines", "forza-lines"]
ALL = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in EXAMINED]


def case(dialect: str, name: str) -> Case:
    return next(one for one in cases(dialect) if one.name == name)


@pytest.mark.parametrize("dialect", EXAMINED)
def test_every_case_has_a_name_of_its_own_and_a_section_that_is_in_the_page(dialect: str) -> None:
    found = cases(dialect)
    assert len({one.name for one in found}) == len(found) >= 14
    for one in found:
        page, _, number = one.section.partition(", ")
        assert number in sections((ROOT / page).read_text()), one.section


def test_a_dialect_without_cases_is_refused() -> None:
    with pytest.raises(Refused, match="there are no cases for clients of native; there are for tris-lines"):
        cases("native")


@pytest.mark.parametrize("dialect", ALL)
def test_our_own_client_passes_every_case(dialect: str) -> None:
    found = [examine(dialect, one, 1) for one in cases(dialect)]
    assert {one.name: one.detail for one in found if one.verdict is not Verdict.PASS} == {}


# --- faults, each with the case that finds it -----------------------------------------------------------------------


def first_only(data: bytes) -> bytes:
    """Looks at the first line of what comes together."""
    return data.splitlines(keepends=True)[0]


def whole_only(data: bytes) -> bytes:
    """Throws away what is no whole line."""
    return data if data.endswith(b"\n") else b""


class Deaf:
    """Hears nothing more after certain words."""

    def __init__(self, *words: bytes) -> None:
        self._words = words
        self._deaf = False

    def __call__(self, data: bytes) -> bytes:
        heard = b"" if self._deaf else data
        self._deaf = self._deaf or any(word in data for word in self._words)
        return b"" if self._deaf else heard


def twice(data: bytes) -> bytes:
    """Says everything twice."""
    return data + data


def mute(data: bytes) -> bytes:
    """Says nothing."""
    return b""


HEARS: list[tuple[str, Any]] = [
    ("comes last", lambda: Deaf(b",0,")),
    ("plays to the end", lambda: Deaf(b"OK")),
    ("goes on after a refusal", lambda: Deaf(b"KO")),
    ("takes one byte at a time", lambda: whole_only),
    ("takes several messages at once", lambda: first_only),
    ("survives an unknown message", lambda: Deaf(b"SURPRISE")),
    ("survives bytes that are no message", lambda: Deaf(b"\xff")),
]


@pytest.mark.parametrize(("name", "hears"), HEARS, ids=[name for name, _ in HEARS])
def test_a_client_that_does_not_hear_what_the_case_tries_is_found(name: str, hears: Any) -> None:
    found = examine("tris-lines", case("tris-lines", name), 1, hears=hears())
    assert found.verdict is Verdict.FAIL
    assert "nothing came for 3 s" in found.detail


STAYS = ["wins", "loses", "draws", "hears that the other has left", "ends after half a message"]


@pytest.mark.parametrize("name", [*STAYS, "ends when the server closes", "waits for a slow server"])
def test_a_client_that_never_closes_is_found(name: str) -> None:
    found = examine("tris-lines", case("tris-lines", name), 1, stays=True)
    assert found.verdict is Verdict.FAIL
    assert "the server has closed the connection, and the client has not" in found.detail


@pytest.mark.parametrize(("dialect", "sends"), [("tris-lines", twice), ("tris-lines", lambda data: b"x\n" + data)])
def test_a_client_that_says_what_the_page_does_not_allow_is_found_with_the_sentence(
    dialect: str, sends: Change
) -> None:
    found = examine(dialect, case(dialect, "comes first"), 1, sends=sends)
    assert found.verdict is Verdict.FAIL
    assert "docs/dialects/tris-lines.md, " in found.detail
    assert found.said


@pytest.mark.slow
@pytest.mark.parametrize("dialect", EXAMINED)
@pytest.mark.parametrize("name", ["hears that the other has left", "ends after half a message"])
def test_a_client_of_any_dialect_that_never_closes_is_found(dialect: str, name: str) -> None:
    found = examine(dialect, case(dialect, name), 1, stays=True)
    assert found.verdict is Verdict.FAIL
    assert "and the client has not" in found.detail


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["santorini-lobby", "eriantys-messages", "santorini-actions"])
@pytest.mark.parametrize("name", ["survives an unknown message", "takes several messages at once"])
def test_a_client_with_json_that_stumbles_is_found(dialect: str, name: str) -> None:
    hears = Deaf(b"SURPRISE", b"surprise") if "unknown" in name else first_only
    assert examine(dialect, case(dialect, name), 1, hears=hears).verdict is Verdict.FAIL


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["santorini-lobby", "eriantys-objects", "santorini-actions/shipped"])
def test_a_client_that_shows_no_sign_of_life_is_found(dialect: str) -> None:
    def silent(data: bytes) -> bytes:
        lines = data.splitlines(keepends=True) if dialect != "eriantys-objects" else [data]
        return b"".join(line for line in lines if b"ping" not in line.lower() and b"pong" not in line.lower())

    found = examine(dialect, case(dialect, "shows that it is there"), 1, sends=silent)
    assert found.verdict is Verdict.FAIL


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["santorini-lobby", "santorini-actions", "eriantys-messages"])
def test_a_client_that_stumbles_over_a_member_it_does_not_know_is_found(dialect: str) -> None:
    name = "passes over members it does not know"
    assert examine(dialect, case(dialect, name), 1, hears=Deaf(b'"boardwire"')).verdict is Verdict.FAIL


def test_a_client_that_wants_something_else_is_not_examined() -> None:
    found = examine("santorini-lobby", case("santorini-lobby", "plays with three"), 1, sends=mute)
    assert found.verdict is Verdict.NOT_EXAMINED


# --- over real sockets ----------------------------------------------------------------------------------------------

BOT = f"{sys.executable} -m boardwire bot tris --dialect tris-lines --connect {{host}}:{{port}}"


def test_a_command_is_started_for_each_case(capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"typed": None, "json": True, "wait": 3.0, "think": 10.0, "only": "comes"}
    found = examiner.check("tris-lines", "127.0.0.1", 0, run=BOT, **options)
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


# --- every case of every dialect has a fault that it finds ----------------------------------------------------------


class Counting:
    """Counts what comes; hears no more than `most` pieces of it."""

    def __init__(self, most: int | None = None) -> None:
        self.count = 0
        self._most = most

    def __call__(self, data: bytes) -> bytes:
        self.count += 1
        return data if self._most is None or self.count <= self._most else b""


def faults(dialect: str, one: Case) -> dict[str, Verdict]:
    """What a case says of clients that are deaf from the start or from half-way on, mute, or never close."""
    whole = Counting()
    examine(dialect, one, 1, hears=whole)
    return {
        "deaf": examine(dialect, one, 1, hears=Counting(0)).verdict,
        "deaf half-way": examine(dialect, one, 1, hears=Counting(max(1, whole.count // 2))).verdict,
        "mute": examine(dialect, one, 1, sends=mute).verdict,
        "stays": examine(dialect, one, 1, stays=True).verdict,
    }


@pytest.mark.parametrize("dialect", [pytest.param(name, marks=pytest.mark.slow) for name in EXAMINED])
def test_every_case_finds_a_client_with_a_fault(dialect: str) -> None:
    blind = [one.name for one in cases(dialect) if set(faults(dialect, one).values()) == {Verdict.PASS}]
    assert blind == []
