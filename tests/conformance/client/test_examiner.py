"""`boardwire check-client`: our own clients pass every case, and each case finds its fault."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from tests.conformance.examined import examine, examine_all
from tests.conformance.faulty import FAULTS, FirstOnly, Flawless, HangsAt, SlowToSend
from tests.pages import ROOT, sections

from boardwire import dialects, games
from boardwire.conformance.client import examiner
from boardwire.conformance.client.case_run import MAX_BREACHES, CaseRun
from boardwire.conformance.client.cases import COALESCED, Case, Goal, cases
from boardwire.conformance.server.check import Verdict
from boardwire.dialects.dialect import ClientOptions
from boardwire.errors import Malformed, Unavailable
from boardwire.simulation.server import SimulatedClient

EXAMINED = [(name, game) for name in dialects.DIALECT_PACKAGES for game in (games.NAMES if name == "native" else ("",))]
QUICK = {("tris-lines", ""), ("native", "tris"), ("santorini-lobby", "")}
ALL = [pytest.param(*one, id="-".join(filter(None, one)), marks=() if one in QUICK else pytest.mark.slow)
       for one in EXAMINED]  # fmt: skip


def case(dialect: str, name: str, game: str = "") -> Case:
    return next(one for one in cases(dialect, game) if one.name == name)


@pytest.mark.parametrize(("dialect", "game"), EXAMINED)
def test_case_names_are_unique_and_their_sections_exist(dialect: str, game: str) -> None:
    found = cases(dialect, game)
    assert len({one.name for one in found}) == len(found) >= 14
    for one in found:
        page, _, number = one.section.partition(", ")
        assert number in sections((ROOT / page).read_text()), one.section


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_our_own_client_passes_every_case_without_findings(dialect: str, game: str) -> None:
    for one in cases(dialect, game):
        examined = examine(dialect, one, game=game)
        assert (examined.verdict.verdict, examined.verdict.detail) == (Verdict.PASS, ""), one.name
        examined.watch_on()
        assert examined.findings == [], one.name


# --- faults, each with the case that finds it -----------------------------------------------------------------------


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_every_case_finds_its_fault(dialect: str, game: str) -> None:
    blind = []
    for one in cases(dialect, game):
        found = examine(dialect, one, fault=FAULTS[one.name](dialect), game=game).verdict
        if found.verdict is not Verdict.FAIL or not found.detail:
            blind.append((one.name, found))
    assert blind == []


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_a_faulty_client_passes_other_cases(dialect: str, game: str) -> None:
    usual = [case(dialect, name, game) for name in ("comes first", "comes last", "takes one byte at a time", "loses")]
    for name in (one.name for one in cases(dialect, game)):
        found = (examine(dialect, one, fault=FAULTS[name](dialect), game=game).verdict.verdict for one in usual)
        assert Verdict.PASS in found, name


@pytest.mark.parametrize(("dialect", "game"), ALL)
def test_a_monitor_finds_every_fault_of_a_program(dialect: str, game: str) -> None:
    unseen = []
    for one in cases(dialect, game):
        examined = examine(dialect, one, fault=FAULTS[one.name](dialect), game=game)
        examined.watch_on()
        if not examined.findings:
            unseen.append(one.name)
    assert unseen == []


class Wrong(Flawless):
    """Sends something else in place of each word."""

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
def test_a_breach_of_the_specification_is_found_with_its_rule(wrong: Callable[[bytes], bytes]) -> None:
    found = examine("tris-lines", case("tris-lines", "comes first"), fault=Wrong("tris-lines", wrong)).verdict
    assert found.verdict is Verdict.FAIL
    assert "docs/dialects/tris-lines.md, " in found.detail
    assert found.conversation


class Mute(Flawless):
    """Sends nothing."""

    def says(self, data: bytes) -> bytes:
        return b""


def test_a_client_that_requests_other_settings_is_not_examined() -> None:
    found = examine("santorini-lobby", case("santorini-lobby", "plays with three"), fault=Mute("santorini-lobby"))
    assert found.verdict.verdict is Verdict.NOT_EXAMINED


# --- both seats -----------------------------------------------------------------------------------------------------


def test_a_client_that_pings_while_no_match_begins_is_not_examined_either() -> None:
    found: list[bytes] = []
    run = CaseRun(
        "eriantys-messages", case("eriantys-messages", "plays in expert mode"), found.append, lambda: None,
        wait=5.0, think=6.0,
    )  # fmt: skip
    client = SimulatedClient("eriantys-messages", lambda *_: None, ClientOptions("ann", 2, {"mode": "simplified"}))
    for _ in range(1000):
        if run.result is not None:
            break
        while found:
            client.receive(found.pop(0))
        if said := client.take():
            run.receive(said)
        client.clock.pass_time(0.1)
        run.pass_time(0.1)
    assert run.result is not None
    assert run.result.verdict is Verdict.NOT_EXAMINED
    assert "your client must request the same kind of match" in run.result.detail


@pytest.mark.parametrize("dialect", ["tris-lines", "forza-lines", "native"])
def test_every_result_is_examined_in_both_seats(dialect: str) -> None:
    for goal in (Goal.WON, Goal.LOST, Goal.DRAWN):
        assert {one.last for one in cases(dialect) if one.goal is goal} == {False, True}


def test_a_client_that_misreads_the_draw_on_the_board_line_is_found() -> None:
    found = examine_all("tris-lines", lambda dialect: HangsAt(dialect, b",P\n"))
    assert [one.name for one in found if one.verdict is not Verdict.PASS] == ["draws, coming last"]


# --- other players leave only when the client rests -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        pytest.param(dialect, name, id=f"{dialect} {name}", marks=() if dialect == "tris-lines" else pytest.mark.slow)
        for dialect in ("tris-lines", "forza-lines", "santorini-lobby", "eriantys-messages", "eriantys-objects")
        for name in ("learns that the other has left", "plays in expert mode", "is out while others play on")
        if name in {one.name for one in cases(dialect)}
    ],
)
def test_other_players_do_not_leave_while_a_slow_client_is_sending(dialect: str, name: str) -> None:
    for seed in range(1, 7):
        examined = examine(dialect, case(dialect, name), seed=seed, fault=SlowToSend(dialect))
        assert (examined.verdict.verdict, examined.verdict.detail) == (Verdict.PASS, ""), seed


def test_another_player_leaves_while_the_client_is_not_asked() -> None:
    for seed in range(1, 20):
        said = examine("tris-lines", case("tris-lines", "comes first"), seed=seed).verdict.conversation
        end = next(at for at, one in enumerate(said) if one.text == "DISCONNECTED")
        assert said[end - 1].text == "OK", seed


def test_a_client_that_is_still_sending_has_longer_to_close() -> None:
    sent: list[bytes | None] = []
    case_run = CaseRun("tris-lines", case("tris-lines", "ends when the server closes"), sent.append,
                  lambda: sent.append(None), wait=3.0, think=3.0)  # fmt: skip

    def wait(seconds: float) -> None:
        for _ in range(int(seconds * 100)):
            case_run.pass_time(0.01)

    for cell in b"0123":
        if not case_run.misbehaved:
            wait(0.5)
            case_run.receive(b"%c\n" % cell)
    assert case_run.misbehaved
    for _ in range(5):
        wait(2.0)
        case_run.receive(b"5\n")
    assert case_run.result is None
    case_run.client_closed()
    assert case_run.result is not None
    assert case_run.result.verdict is Verdict.PASS


# --- one cause, one finding -----------------------------------------------------------------------------------------


def test_the_same_cause_is_one_failure_with_the_number_of_cases() -> None:
    found = examine_all("tris-lines", lambda dialect: Wrong(dialect, lambda data: data + data))
    failed = [one for one in found if one.verdict is Verdict.FAIL]
    assert [one.name for one in failed] == ["comes first"]
    because = [one for one in found if one.because == "comes first"]
    assert len(because) > 10
    assert {one.verdict for one in because} == {Verdict.NOT_EXAMINED}
    assert failed[0].detail.endswith(f"the same in {len(because)} more cases")


def test_a_case_continues_after_a_breach_and_lists_every_cause_with_its_count() -> None:
    said = iter(range(100))

    def wrong(data: bytes) -> bytes:
        return b"" if not data else (b"9\n", data, b"9\n", data + b"9\n")[next(said) % 4]

    found = examine("tris-lines", case("tris-lines", "plays to the end"), fault=Wrong("tris-lines", wrong)).verdict
    assert found.verdict is Verdict.FAIL
    free, turn = (one for one in found.detail.splitlines() if "docs/dialects/tris-lines.md" in one)
    assert free.startswith("a move is a free cell from 0 to 8: ")
    assert turn.startswith("a line out of turn is dropped")
    assert free.endswith(" times)")
    assert any(one.text == "OK" for one in found.conversation), "play went on"


def test_the_excerpt_of_every_cause_ends_with_the_offending_line() -> None:
    """Each cause of a case, and a cause that remains when another case reported the first."""
    said = iter(range(100))

    def wrong(data: bytes) -> bytes:
        return b"" if not data else (b"9\n", data, data + b"7777\n", data)[next(said) % 4]

    found = examine("tris-lines", case("tris-lines", "plays to the end"), fault=Wrong("tris-lines", wrong))
    first, second = found.case_run.breaches
    lines = found.verdict.detail.splitlines()
    assert lines[lines.index(str(second)) - 1] == "1 > 9"
    assert lines[-1] == "1 > 7777"
    alone = found.case_run.failure([second])
    assert alone.detail.splitlines()[0] == str(second)
    assert alone.detail.splitlines()[-1] == "1 > 7777"
    assert first.conversation[-1] in alone.conversation


def test_the_conversation_of_a_finding_has_the_offending_line_in_a_long_match() -> None:
    said = iter(range(1000))

    def wrong(data: bytes) -> bytes:
        return data if not data or next(said) != 1 else b"nonsense\n" + data

    found = examine("forza-lines", case("forza-lines", "plays to the end"), fault=Wrong("forza-lines", wrong)).verdict
    assert found.verdict is Verdict.FAIL
    assert "nonsense" in [one.text for one in found.conversation[-60:]]
    assert "1 > nonsense" in found.detail.splitlines()


def test_a_client_that_repeats_a_refused_move_for_ever_is_stopped() -> None:
    refused = Wrong("tris-lines", lambda data: b"9\n" if data else b"")
    found = examine("tris-lines", case("tris-lines", "comes first"), fault=refused).verdict
    assert found.detail.splitlines()[0].endswith(f"({MAX_BREACHES} times)")


# --- unframed reads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["tris-lines", "forza-lines", "santorini-lobby", "santorini-actions", "native"])
def test_a_client_that_reads_one_message_of_several_gets_one_failure_with_a_hint(dialect: str) -> None:
    found = examine_all(dialect, FirstOnly)
    failed = [one for one in found if one.verdict is Verdict.FAIL]
    assert [one.name for one in failed] == [COALESCED]
    assert failed[0].detail.startswith("the client answers only the first of several messages that arrive together")
    assert {one.because for one in found if one.verdict is Verdict.NOT_EXAMINED} <= {COALESCED}


def test_the_hint_is_given_without_the_case_for_it() -> None:
    (found,) = examine_all("santorini-lobby", FirstOnly, only="comes last")
    assert found.verdict is Verdict.FAIL
    assert found.detail.startswith("the client answers only the first of several messages that arrive together")


def test_silence_after_spaced_messages_gets_no_hint() -> None:
    found = examine_all("tris-lines", lambda dialect: HangsAt(dialect, b"READY"))
    assert not any("coalesced" in one.detail for one in found)
    assert [one.name for one in found if one.verdict is Verdict.FAIL] == ["comes first", "comes last"]


# --- the command ----------------------------------------------------------------------------------------------------


def test_placeholders_of_a_command_are_filled_in_for_each_case() -> None:
    command = "java -jar client.jar {host} {port} --players={players} --mode {mode} '{name} {{x}}'"
    expert = case("eriantys-messages", "plays in expert mode")
    assert examiner.fill_command(command, "127.0.0.1", 7, expert)[3:] == [
        "127.0.0.1", "7", "--players=2", "--mode", "expert", "client {x}",
    ]  # fmt: skip
    three = case("eriantys-messages", "plays with three")
    assert examiner.fill_command(command, "127.0.0.1", 7, three)[5:8] == ["--players=3", "--mode", "simplified"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("client {hots}", r"--run: unknown placeholder \{hots\}; known: \{host\}, \{port\}, \{players\}"),
        ("client {}", r"unknown placeholder \{\}"),
        ("client {host.x}", r"unknown placeholder \{host\.x\}"),
        ("client {host", r"--run 'client \{host': .*; write \{\{ and \}\} for braces"),
        ("client 'x", "--run .*: No closing quotation"),
    ],
)
def test_an_unknown_placeholder_gives_a_one_line_error(command: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        examiner.check("tris-lines", "127.0.0.1", 0, run=command, typed=None, json=True, wait=1.0, think=1.0)


# --- over real sockets ----------------------------------------------------------------------------------------------

BOT = f"{sys.executable} -m boardwire bot tris --dialect tris-lines --connect {{host}}:{{port}}"


@pytest.mark.parametrize("dialect", ["tris-lines", pytest.param("native", marks=pytest.mark.slow)])
def test_a_command_is_started_for_each_case(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"typed": None, "json": True, "wait": 3.0, "think": 10.0, "only": "comes"}
    found = examiner.check(dialect, "127.0.0.1", 0, run=BOT.replace("tris-lines", dialect), **options)
    assert [one.verdict for one in found] == [Verdict.PASS, Verdict.PASS]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(line) for line in lines] == [["name", "section", "verdict", "detail"]] * 2


def test_a_command_that_does_not_connect_gives_a_one_line_error(tmp_path: Path) -> None:
    options: dict[str, Any] = {"json": True, "wait": 1.0, "think": 1.0, "only": "comes first"}
    with pytest.raises(Unavailable, match=r"'false' has not connected to 127.0.0.1:[0-9]+: it ended with exit code 1"):
        examiner.check("tris-lines", "127.0.0.1", 0, run="false", typed=None, **options)
    with pytest.raises(Unavailable, match="cannot run 'there-is-no-such-command'"):
        examiner.check("tris-lines", "127.0.0.1", 0, run="there-is-no-such-command", typed=None, **options)
    with pytest.raises(Unavailable, match=r"cannot read .*keys"):
        examiner.check("tris-lines", "127.0.0.1", 0, run=BOT, typed=tmp_path / "keys", **options)


def test_a_request_without_websocket_upgrade_is_refused() -> None:
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
    door = examiner.WebSocketConnection(cast("examiner.Examiner", None))
    door.connection_made(client)
    door.data_received(b"GET /ws HTTP/1.1\r\nHost: here\r\n\r\n")
    assert client.said.startswith(b"HTTP/1.1 400 ")
    assert client.closed
