"""The checks of santorini-lobby on servers where somebody waits, and on servers with one fault each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from boardwire.clients.checks.check import Finding, Verdict, Wire

from ..net.harbour import harbour, run  # noqa: TID252 - tests are no installed package
from .judging import Change, between, judge, serving

DIALECT = "santorini-lobby"
BAD_SIZE = "a size that is not valid is refused"
LINE_ENDS = "lines may end with CR LF"
ANY_ORDER = "members may be in any order, and unknown ones are ignored"
WAITING = (
    b'{"type":"SELECT_PLAYER_NUMBER","content":{"size":3}}\n{"type":"ADD_USER","content":{"user":{"username":"zoe"}}}\n'
)


def same(line: bytes) -> bytes:
    return line


def findings(
    wanted: Callable[[str], bool],
    monkeypatch: pytest.MonkeyPatch,
    up: Change = same,
    down: Change = same,
    waiting: bytes = b"",
) -> dict[str, Finding]:
    """What some checks find on our server behind a proxy that changes lines."""
    monkeypatch.setattr(Wire.silent, "__defaults__", (0.05,))
    found: list[Finding] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(DIALECT)
            if waiting:
                stranger = await place.connect(port)
                stranger.send(waiting)
                await stranger.lines(4)
            async with serving(between(port, up, down)) as wrong_port:
                found.extend(await judge(DIALECT, wrong_port, lambda check: wanted(check.name), 0.4))

    run(scenario)
    return {finding.name: finding for finding in found}


@pytest.mark.parametrize("name", [BAD_SIZE, LINE_ENDS, ANY_ORDER])
def test_the_greeting_of_a_lobby_where_somebody_waits_is_no_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(lambda one: one == name, monkeypatch, waiting=WAITING)
    assert found[name].verdict is Verdict.PASS, found[name].detail


def takes_any_size(line: bytes) -> bytes:
    message: dict[str, Any] = json.loads(line)
    if message["type"] == "SELECT_PLAYER_NUMBER" and message["content"]["size"] in (0, 4, -1):
        message["content"]["size"] = 3
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def test_a_server_that_takes_a_size_of_four_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(
        lambda name: name == BAD_SIZE, monkeypatch, up=takes_any_size,
        down=lambda line: line.replace(b'"size":3', b'"size":4'),
    )  # fmt: skip
    assert found[BAD_SIZE].verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("name", "up"),
    [
        (LINE_ENDS, lambda line: b"{}\n" if line.endswith(b"\r\n") else line),
        (ANY_ORDER, lambda line: b"" if b'"more"' in line else line),
    ],
)
def test_a_server_that_is_strict_about_lines_fails_the_check_that_says_so(
    name: str, up: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (LINE_ENDS, ANY_ORDER)
    deaf = findings(lambda one: one in names, monkeypatch, up=up if name == ANY_ORDER else _deaf_to_cr)
    assert [one for one, finding in deaf.items() if finding.verdict is Verdict.FAIL] == [name]


def _deaf_to_cr(line: bytes) -> bytes:
    return b"" if line.endswith(b"\r\n") else line


def test_a_server_that_answers_nothing_of_it_is_not_blamed_for_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(lambda name: name in (LINE_ENDS, ANY_ORDER), monkeypatch, down=lambda line: b"{}\n")
    assert {one.verdict for one in found.values()} == {Verdict.NOT_EXAMINED}
