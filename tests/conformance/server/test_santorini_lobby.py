"""Checks of santorini-lobby against servers with other players, and against faulty servers."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from tests.net.harbour import harbour, run

from boardwire.conformance.server import checks, santorini_lobby
from boardwire.conformance.server.check import MAX_CHECK_ATTEMPTS, CheckResult, Verdict, Wire

from .judging import Change, Serving, between, judge, serving

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
) -> dict[str, CheckResult]:
    """Return the results of checks against our server behind a proxy that changes lines."""
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(DIALECT)
            if waiting:
                stranger = await place.connect(port)
                stranger.send(waiting)
                await stranger.lines(4)
            async with serving(between(port, up, down)) as wrong_port:
                found.extend(await judge(DIALECT, wrong_port, lambda check: wanted(check.name), 1.5))

    run(scenario)
    return {finding.name: finding for finding in found}


@pytest.mark.parametrize("name", [BAD_SIZE, LINE_ENDS, ANY_ORDER])
def test_the_greeting_of_a_lobby_with_users_is_not_a_reply(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_server_that_is_strict_about_lines_fails_the_check_for_it(
    name: str, up: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (LINE_ENDS, ANY_ORDER)
    deaf = findings(lambda one: one in names, monkeypatch, up=up if name == ANY_ORDER else _deaf_to_cr)
    assert [one for one, finding in deaf.items() if finding.verdict is Verdict.FAIL] == [name]


def _deaf_to_cr(line: bytes) -> bytes:
    return b"" if line.endswith(b"\r\n") else line


def test_a_server_that_does_not_reply_is_not_blamed_for_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(lambda name: name in (LINE_ENDS, ANY_ORDER), monkeypatch, down=lambda line: b"{}\n")
    assert {one.verdict for one in found.values()} == {Verdict.NOT_EXAMINED}


# --- a lobby that dies ------------------------------------------------------------------------------------------------

TOGETHER: Final = 0.02
"""Seconds between two closes that count as simultaneous in the model; the original takes about a tenth."""

PACED: Final = 0.1


class DyingLobby:
    """A lobby with the original server's fault: after two simultaneous closes every new connection joins a dead lobby.

    A dead lobby greets with its size and its users, answers one line, and closes the connection.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._closed_at = -1.0
        self.shortest = 1.0
        """Shortest time between two closes."""
        self.is_dead = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_dead:
            writer.write(b'{"type":"SIZE_SELECTED","content":{"size":2}}\n')
            writer.write(b'{"type":"USER_JOINED","content":{"user":{"username":"ghost"}}}\n')
            await reader.readline()
            writer.write(b'{"type":"RESULT","content":{"value":false}}\n')
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)

        async def up() -> None:
            try:
                while line := await reader.readline():
                    far_writer.write(line)
            except ConnectionResetError:
                pass
            if not writer.is_closing():  # the client is the first to close
                now = asyncio.get_running_loop().time()
                self.shortest = min(self.shortest, now - self._closed_at)
                self.is_dead = self.is_dead or now - self._closed_at < TOGETHER
                self._closed_at = now
            far_writer.close()

        async def down() -> None:
            while line := await far_reader.readline():
                writer.write(line)
            writer.close()

        await asyncio.gather(up(), down(), return_exceptions=True)


def verdicts_on_a_dying_lobby(runs: int, monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, Verdict]]:
    """Count the verdicts of each check over several runs against one server."""
    monkeypatch.setattr("tests.net.harbour.PATIENCE", 3600.0)
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.02,))
    found: Counter[tuple[str, Verdict]] = Counter()

    async def scenario() -> None:
        async with harbour() as place:
            lobby = DyingLobby(await place.open(DIALECT))
            async with serving(lobby.serve) as port:
                for _ in range(runs):
                    for finding in await judge(
                        DIALECT, port, lambda check: "pinged" not in check.name, 0.5, MAX_CHECK_ATTEMPTS
                    ):
                        found[finding.name, finding.verdict] += 1
            assert not lobby.is_dead, f"two connections closed within {lobby.shortest:.3f} seconds"

    run(scenario)
    return found


@pytest.mark.parametrize("runs", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_a_server_that_dies_of_simultaneous_closes_has_the_same_verdicts_in_each_run(
    runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(santorini_lobby, "PACE", PACED)
    wanted = {(check.name, Verdict.PASS): runs for check in checks(DIALECT) if "pinged" not in check.name}
    assert verdicts_on_a_dying_lobby(runs, monkeypatch) == wanted


def test_simultaneous_closes_kill_the_lobby_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(santorini_lobby, "PACE", 0.0)
    with pytest.raises(AssertionError):
        verdicts_on_a_dying_lobby(1, monkeypatch)


def test_a_dead_lobby_is_reported_as_dead_and_fails_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(santorini_lobby, "PACE", PACED)
    found: list[CheckResult] = []

    async def scenario() -> None:
        lobby = DyingLobby(0)
        lobby.is_dead = True
        serve: Serving = lobby.serve
        async with serving(serve) as port:
            found.extend(await judge(DIALECT, port, lambda check: "size" in check.name, 0.3, MAX_CHECK_ATTEMPTS))

    run(scenario)
    assert [finding.verdict for finding in found] == [Verdict.NOT_EXAMINED] * len(found)
    assert len(found) > 2
    assert found[0].detail.startswith("the lobby that accepts connections is dead")
    assert "--restart" in found[0].detail


def test_a_lobby_that_closes_during_a_look_is_not_reported_as_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waiting user leaves at that moment."""
    seen: list[int] = []
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            lobby = DyingLobby(await place.open(DIALECT))

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                seen.append(1)
                lobby.is_dead = len(seen) < 3
                await lobby.serve(reader, writer)

            async with serving(serve) as port:
                found.extend(await judge(DIALECT, port, lambda check: check.name == BAD_SIZE, 0.3, MAX_CHECK_ATTEMPTS))

    monkeypatch.setattr(santorini_lobby, "PACE", PACED)
    run(scenario)
    assert [finding.verdict for finding in found] == [Verdict.PASS]
    assert len(seen) == 4
