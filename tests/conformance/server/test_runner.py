"""`boardwire check` against our own server and faulty servers."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.net.harbour import harbour, run
from tests.pages import ROOT, sections

from boardwire.conformance import verdicts
from boardwire.conformance.display import MAX_TEXT_LENGTH, show
from boardwire.conformance.server import check as checking
from boardwire.conformance.server import checked_dialects, checks, probe, runner
from boardwire.conformance.server.check import (
    Blocked,
    Check,
    CheckResult,
    ConversationLine,
    Failed,
    NotExamined,
    Probe,
    Verdict,
    Wire,
    stage,
    unexpected,
)
from boardwire.dialects.santorini_objects.messages import classes as objects
from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.terminal.colours import Paint
from boardwire.wire.lines import LineDecoder

from .judging import Serving, between, judge, serving

PLAIN = Paint(False)


def test_our_own_server_passes_all_checks(capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            assert verdicts.all_passed(
                await runner.run_checks(checks("tris-lines"), probe("tris-lines", "127.0.0.1", port, 3.0), True)
            )

    run(scenario)
    findings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(findings) == len(checks("tris-lines"))
    assert {finding["verdict"] for finding in findings} == {"pass"}
    assert all(list(finding) == ["name", "section", "verdict", "detail"] for finding in findings)


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(Refused, match="there is no dialect called 'chess-lines'"):
        checks("chess-lines")


@pytest.mark.parametrize("dialect", checked_dialects())
def test_check_names_are_unique_and_their_sections_exist(dialect: str) -> None:
    found = checks(dialect)
    assert len({check.name for check in found}) == len(found) >= 5
    for check in found:
        page, _, number = check.section.partition(", ")
        assert number in sections((ROOT / page).read_text()), check.section


# --- what is not there ----------------------------------------------------------------------------------------------


def test_a_closed_port_gives_a_one_line_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        with pytest.raises(Unavailable, match=f"^cannot connect to 127.0.0.1:{port}: Connection refused$"):
            runner.check("tris-lines", "127.0.0.1", port, json=False, wait=3.0)
    assert capsys.readouterr().out == ""


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@pytest.mark.parametrize("dialect", checked_dialects())
def test_a_silent_server_costs_two_timeouts_in_total(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.01,))
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with serving(silent) as port:
            found.extend(await judge(dialect, port, wait=0.05))

    run(scenario)
    failed = [finding for finding in found if finding.verdict is Verdict.FAIL]
    assert 1 <= len(failed) <= 2, [finding.name for finding in failed]
    assert all(finding.because in {one.name for one in failed} for finding in found if finding not in failed)


def test_a_server_that_goes_away_fails_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "RECONNECT_SECONDS", 0.0)
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")

            async def leaves(probe: Probe) -> None:
                await place.close()

            async def comes(probe: Probe) -> None:
                await probe.connect()

            chosen = [
                Check(name, "1", conversation)
                for name, conversation in (("a", comes), ("b", leaves), ("c", comes), ("d", comes))
            ]
            probe = Probe("127.0.0.1", port, LineDecoder, 0.2)
            probe.tries = 1
            found.extend([finding async for finding in checking.run(chosen, probe)])

    run(scenario)
    assert [finding.verdict for finding in found] == [*[Verdict.PASS] * 2, Verdict.FAIL, Verdict.NOT_EXAMINED]
    assert "accepts no connection for " in found[2].detail
    assert found[3].because == "c"


# --- verdicts -------------------------------------------------------------------------------------------------------


def result_first(line: bytes) -> bytes:
    """Return a line of a server that sends results before their events and has no game."""
    if b"SIZE_SELECTED" in line:
        return b'{"type":"RESULT","content":{"value":true}}\n' + line
    return b"" if b"GODS_AVAILABLE" in line else line


def test_a_wrong_server_without_a_game_does_not_pass(
    capsys: pytest.CaptureFixture[str],
) -> None:
    quick = [check for check in checks("santorini-lobby") if "pinged" not in check.name]

    async def scenario() -> None:
        async with (
            harbour() as place,
            serving(between(await place.open("santorini-lobby"), lambda line: line, result_first)) as port,
        ):
            tested = probe("santorini-lobby", "127.0.0.1", port, 0.1)
            assert not verdicts.all_passed(await runner.run_checks(quick, tested, False))

    run(scenario)
    lines = capsys.readouterr().out.splitlines()
    name = "the size is set once, and told before the result"
    assert lines[0] == f"fail  {name} (docs/dialects/santorini-lobby.md, 4)"
    assert lines[1:5] == [
        '      got {"type":"RESULT","content":{"value":true}}; expected {"type":"SIZE_SELECTED","content":{"size":2}}',
        '      1 > {"type":"SELECT_PLAYER_NUMBER","content":{"size":2}}',
        '      1 < {"type":"RESULT","content":{"value":true}}',
        '      1 < {"type":"SIZE_SELECTED","content":{"size":2}}',
    ]
    assert re.fullmatch(rf'4 passed, 1 failed, 23 not examined because of "{name}"', lines[-1]), lines[-1]


Conversation = Callable[[Probe], Awaitable[None]]


def findings(
    *chosen: tuple[str, Conversation], serve: Serving = silent, tries: int = 1, alone: bool = False
) -> list[CheckResult]:
    """Return the results of checks against a server that calls `serve`."""
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with serving(serve) as port:
            probe = Probe("127.0.0.1", port, lambda: LineDecoder(10), 0.2, alone=alone)
            probe.tries = tries
            some = [Check(name, "1", conversation) for name, conversation in chosen]
            found.extend([finding async for finding in checking.run(some, probe)])

    run(scenario)
    return found


@stage
async def seated(probe: Probe, players: int) -> None:
    if players > 2:
        raise Failed("nothing arrived; expected a seat")


async def two(probe: Probe) -> None:
    await seated(probe, 2)


async def three(probe: Probe) -> None:
    await seated(probe, 3)


def test_checks_behind_a_failed_stage_are_not_examined() -> None:
    found = findings(("three sit", three), ("three play", three), ("two sit", two))
    assert [finding.verdict for finding in found] == [Verdict.FAIL, Verdict.NOT_EXAMINED, Verdict.NOT_EXAMINED]
    assert [finding.because for finding in found] == ["", "three sit", "three sit"]


def test_a_stage_that_succeeded_with_other_values_is_run_again() -> None:
    found = findings(("two sit", two), ("three sit", three), ("two play", two), ("three play", three))
    passed, failed, lost = Verdict.PASS, Verdict.FAIL, Verdict.NOT_EXAMINED
    assert [finding.verdict for finding in found] == [passed, failed, passed, lost]


def test_a_stage_that_succeeded_before_blocks_at_its_second_failure() -> None:
    turns = iter([True, False, False, True])

    @stage
    async def enters(probe: Probe) -> None:
        if not next(turns):
            raise Failed("nothing arrived; expected a seat")

    async def way(probe: Probe) -> None:
        await (await probe.connect()).receive()
        await enters(probe)

    found = findings(*((name, way) for name in "abcd"), serve=hello)
    passed, failed, lost = Verdict.PASS, Verdict.FAIL, Verdict.NOT_EXAMINED
    assert [finding.verdict for finding in found] == [passed, failed, failed, lost]
    assert found[3].because == "b"


@stage
async def opened(probe: Probe, **settings: object) -> None:
    if settings:
        json.loads("{}")["data"]


async def plain(probe: Probe) -> None:
    await opened(probe)


async def timed(probe: Probe) -> None:
    await opened(probe, per_move=0.2)


def test_settings_distinguish_stages_and_a_wrong_structure_blocks() -> None:
    found = findings(("opens", plain), ("opens with a clock", timed), ("plays", plain), ("plays with a clock", timed))
    passed, failed, lost = Verdict.PASS, Verdict.FAIL, Verdict.NOT_EXAMINED
    assert [finding.verdict for finding in found] == [passed, failed, passed, lost]
    assert found[3].because == "opens with a clock"


def test_results_are_printed_failures_first_with_a_sum() -> None:
    found = [
        CheckResult("a", "p, A", Verdict.PASS),
        CheckResult("b", "p, B", Verdict.NOT_EXAMINED, "the server offers no Pan"),
        CheckResult("c", "p, C", Verdict.FAIL, "got NO; expected OK\n1 > 4\n1 < NO"),
        CheckResult("d", "p, D", Verdict.NOT_EXAMINED, because="c"),
        CheckResult("e", "p, E", Verdict.NOT_EXAMINED, because="c"),
    ]
    assert list(verdicts.lines(found, PLAIN)) == [
        "fail  c (p, C)",
        "      got NO; expected OK",
        "      1 > 4",
        "      1 < NO",
        "not examined  b (p, B)",
        "      the server offers no Pan",
        "not examined  d (p, D)",
        '      because of "c"',
        "not examined  e (p, E)",
        '      because of "c"',
        "pass  a (p, A)",
        '1 passed, 1 failed, 1 not examined, 2 not examined because of "c"',
    ]


def test_a_check_that_was_not_examined_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    async def offers_nothing(probe: Probe) -> None:
        raise NotExamined("the server offers no Pan")

    monkeypatch.setattr(runner, "checks", lambda dialect: (Check("a", "A", two), Check("b", "B", offers_nothing)))
    assert not verdicts.all_passed(runner.check("tris-lines", "127.0.0.1", 1, json=False, wait=0.1))


def test_only_selects_checks_by_part_of_their_name() -> None:
    some = checks("tris-lines")
    assert verdicts.select(some, "") == some
    assert [check.name for check in verdicts.select(some, "several matches")] == ["several matches at once"]
    with pytest.raises(Malformed, match=r"--only 'severel mach': .* the closest are: several matches at once; "):
        verdicts.select(some, "severel mach")


def test_a_failure_has_the_whole_conversation() -> None:
    async def talks(probe: Probe) -> None:
        wire = await probe.connect()
        await wire.send(b"4\n")
        raise unexpected(await wire.receive(), "silence")

    (finding,) = findings(("plays", talks), serve=hello)
    assert finding.conversation[0] == ConversationLine(1, ">", "4")
    assert [
        f"{line.connection} {line.way} {line.text}" for line in finding.conversation
    ] == finding.detail.splitlines()[1:]


def test_a_message_with_another_structure_is_a_failure_and_no_crash() -> None:
    async def reads(probe: Probe) -> None:
        json.loads("{}")["data"]

    (finding,) = findings(("a", reads))
    assert finding.verdict is Verdict.FAIL
    assert finding.detail == "a message does not have the structure of the specification"


# --- one connection -------------------------------------------------------------------------------------------------


def verdict(serve: Serving, attempt: Callable[[Wire], Awaitable[None]]) -> CheckResult:
    """Return the result of a check that runs `attempt` against a server that calls `serve`."""

    async def conversation(probe: Probe) -> None:
        await attempt(await probe.connect())

    return findings(("a sentence", conversation), serve=serve)[0]


async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HELLO\n")
    await silent(reader, writer)


async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"x" * 100)
    await silent(reader, writer)


async def receives(wire: Wire) -> None:
    await wire.receive("HELLO")


async def is_silent(wire: Wire) -> None:
    await wire.expect_silence(0.1)


async def ends(wire: Wire) -> None:
    await wire.expect_close()


@pytest.mark.parametrize(
    ("serve", "attempt", "outcome", "words"),
    [
        (hello, receives, Verdict.PASS, ""),
        (silent, receives, Verdict.FAIL, "nothing arrived for 0.2 s; expected HELLO"),
        (closing, receives, Verdict.FAIL, "the server closed the connection; expected HELLO"),
        (endless, receives, Verdict.FAIL, "got data that cannot be decoded"),
        (silent, is_silent, Verdict.PASS, ""),
        (hello, is_silent, Verdict.FAIL, "got HELLO; expected silence\n1 < HELLO"),
        (closing, is_silent, Verdict.FAIL, "the server closed the connection; expected silence"),
        (closing, ends, Verdict.PASS, ""),
        (hello, ends, Verdict.FAIL, "got HELLO; expected the end of the connection"),
        (silent, ends, Verdict.FAIL, "the connection stays open; expected the server to close it"),
    ],
)
def test_a_failure_says_what_came_and_what_was_expected(
    serve: Serving, attempt: Callable[[Wire], Awaitable[None]], outcome: Verdict, words: str
) -> None:
    finding = verdict(serve, attempt)
    assert finding.verdict is outcome
    assert finding.detail.startswith(words)


def test_a_failure_shows_the_last_message_sent_and_the_replies() -> None:
    probe = Probe("127.0.0.1", 1, LineDecoder)
    for number in range(30):
        probe.note(1, ">" if number == 4 else "<", str(number))
    lines = probe.conversation().splitlines()
    assert lines[:3] == ["1 > 4", "1 < 5", "... 16 more ..."]
    assert lines[3:] == [f"1 < {number}" for number in range(22, 30)]


# --- trials are isolated --------------------------------------------------------------------------------------------


def test_a_ping_on_an_idle_connection_is_answered() -> None:
    heard: list[bytes] = []

    async def asks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HELLO\n")
        heard.append(await reader.readline())
        await silent(reader, writer)

    async def scenario() -> None:
        async with serving(asks) as port:
            probe = Probe(
                "127.0.0.1", port, LineDecoder, 1.0, answering=lambda line: b"HERE\n" if line == b"HELLO" else None
            )
            wires = [await probe.connect() for _ in range(3)]
            while len(heard) < len(wires):
                await asyncio.sleep(0.001)
            await wires[0].expect_silence(0.01)
            await wires[0].expect_heartbeat("HELLO")
            await probe.leave()

    run(scenario)
    assert heard == [b"HERE\n"] * 3


def test_the_next_attempt_starts_when_the_last_connections_are_closed() -> None:
    here: list[int] = []
    crowd: list[int] = []

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here.append(1)
        crowd.append(len(here))
        await reader.read()
        await asyncio.sleep(0.05)  # as a server that takes its time to notice
        here.pop()
        writer.close()

    async def comes(probe: Probe) -> None:
        wire = await probe.connect()
        await wire.expect_silence(0.01)

    found = findings(("a", comes), ("b", comes), ("c", comes), serve=slow)
    assert [finding.verdict for finding in found] == [Verdict.PASS] * 3
    assert crowd == [1, 1, 1]


def test_an_attempt_disturbed_by_others_is_repeated() -> None:
    tried: list[int] = []

    async def at_last(probe: Probe) -> None:
        tried.append(1)
        await (await probe.connect()).receive()
        if len(tried) < 3:
            raise Failed("got READY; expected WAIT")

    (finding,) = findings(("a", at_last), serve=hello, tries=5)
    assert (finding.verdict, len(tried)) == (Verdict.PASS, 3)
    assert finding.detail == (
        "passed at attempt 3 of at most 5; other players on the server may have interfered; "
        "the previous attempt: got READY; expected WAIT"
    )


def test_a_pass_at_a_later_attempt_is_noted_with_alone() -> None:
    tried: list[int] = []

    async def at_last(probe: Probe) -> None:
        tried.append(1)
        await (await probe.connect()).receive()
        if len(tried) < 2:
            raise Failed("got READY; expected WAIT")

    (finding,) = findings(("a", at_last), serve=hello, tries=3, alone=True)
    assert finding.verdict is Verdict.PASS
    assert finding.detail == "passed at attempt 2 of at most 3; the previous attempt: got READY; expected WAIT"


def test_a_server_that_has_never_sent_anything_is_not_tried_again() -> None:
    tried: list[int] = []

    async def waits(probe: Probe) -> None:
        tried.append(1)
        await (await probe.connect()).receive(wait=0.01)

    (finding,) = findings(("a", waits), tries=5)
    assert (finding.verdict, len(tried)) == (Verdict.FAIL, 1)


def test_the_timeout_is_shorter_in_repeated_attempts_except_at_our_own_table() -> None:
    waits: list[float] = []

    async def at_last(probe: Probe) -> None:
        waits.append(probe.wait)
        await (await probe.connect()).receive()
        if len(waits) == 1:
            raise Failed("got READY; expected WAIT")
        probe.ours = True
        waits.append(probe.wait)

    findings(("a", at_last), serve=hello, tries=2)
    assert waits == [0.2, 0.2 / checking.RETRY_DIVISOR, 0.2]


def test_a_failure_among_our_own_players_is_not_repeated() -> None:
    tried: list[int] = []

    async def fails(probe: Probe) -> None:
        tried.append(1)
        probe.ours = True
        raise Failed("got KO; expected OK")

    (finding,) = findings(("a", fails), tries=5)
    assert (finding.verdict, len(tried)) == (Verdict.FAIL, 1)


def test_a_server_that_restarts_after_each_match_is_waited_for() -> None:
    found: list[CheckResult] = []

    async def scenario() -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        left, started = asyncio.Event(), asyncio.Event()

        async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await silent(reader, writer)
            left.set()

        async def loop() -> None:
            while True:
                left.clear()
                async with await asyncio.start_server(once, "127.0.0.1", port):
                    started.set()
                    await left.wait()
                await asyncio.sleep(0.05)  # no one listens for a moment

        async def comes(probe: Probe) -> None:
            await (await probe.connect()).expect_silence(0.01)

        server = asyncio.create_task(loop())
        await started.wait()
        probe = Probe("127.0.0.1", port, LineDecoder, 1.0)
        found.extend([one async for one in checking.run([Check(name, "1", comes) for name in "abc"], probe)])
        server.cancel()

    run(scenario)
    assert [finding.verdict for finding in found] == [Verdict.PASS] * 3


def test_a_command_restarts_the_server_between_attempts(tmp_path: Path) -> None:
    log = tmp_path / "restarts"
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with serving(silent) as port:
            probe = Probe("127.0.0.1", port, LineDecoder, 0.2, restart=f"echo again >> {log}")
            found.extend([one async for one in checking.run([Check(name, "1", two) for name in "abc"], probe)])

    run(scenario)
    assert log.read_text() == "again\n" * 2
    assert len(found) == 3


def test_a_failing_restart_command_is_reported(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(silent) as port:
            probe = Probe("127.0.0.1", port, LineDecoder, 0.2, restart="exit 3")
            with pytest.raises(Unavailable, match=r"^the restart command 'exit 3' failed with exit code 3$"):
                [one async for one in checking.run([Check(name, "1", two) for name in "ab"], probe)]

    run(scenario)


def test_a_blocked_stage_names_the_check_that_reported_it() -> None:
    async def scenario() -> None:
        probe = Probe("127.0.0.1", 1, LineDecoder)
        with pytest.raises(Failed):
            await seated(probe, 3)
        probe.block("three sit")
        with pytest.raises(Blocked, match=r"^three sit$"):
            await seated(probe, 3)

    run(scenario)


# --- how things are shown -------------------------------------------------------------------------------------------


CELL = "Position {x: 0, y: 1, z: 2}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"0,0,0,0,1,0,0,0,0,", "0,0,0,0,1,0,0,0,0,"),
        (b'{"type":"WIN"}\r\n', '{"type":"WIN"}'),
        (b"", '""'),
        (b"a\tb", '"a\\tb"'),
        (b"\xac\xed\x00\x05", "ac ed 00 05"),
        ({"cards": ["PAN", None], "valid": True}, '{"cards":["PAN",null],"valid":true}'),
        ((1, 2), "[1,2]"),
        ({(2, 1), (1, 2)}, "[[1,2],[2,1]]"),
        (objects.UpdateBuild(False, objects.Position(0, 1, 2)), f"UpdateBuild {{dome: false, newPosition: {CELL}}}"),
        (objects.Message(None), "Message {}"),
    ],
)
def test_messages_are_shown_as_on_the_wire(value: object, text: str) -> None:
    assert show(value) == text


def test_a_long_message_is_cut() -> None:
    assert show("x" * 1000) == "x" * MAX_TEXT_LENGTH + " ..."


# --- other players ----------------------------------------------------------------------------------------------------


async def meets(probe: Probe) -> None:
    probe.enter_queue()
    raise probe.other_player("got READY")


async def sees(probe: Probe) -> None:
    raise probe.other_player("a table is in the list", harmless=True)


def test_after_meeting_a_player_no_attempt_joins_the_queue() -> None:
    joined: list[int] = []

    async def joins(probe: Probe) -> None:
        probe.enter_queue()
        joined.append(1)

    found = findings(("meets", meets), ("joins", joins), ("does not join", two))
    assert [finding.verdict for finding in found] == [Verdict.SKIPPED, Verdict.SKIPPED, Verdict.PASS]
    assert joined == []
    assert found[0].detail == found[1].detail
    assert "got READY: another player uses this server" in found[0].detail


def test_a_check_waits_for_a_visible_player_before_it_is_skipped() -> None:
    tried: list[int] = []

    async def sees_once(probe: Probe) -> None:
        tried.append(1)
        if len(tried) == 1:
            raise probe.other_player("a table is in the list", harmless=True)

    found = findings(("sees", sees_once), ("sees for ever", sees), tries=5)
    assert [finding.verdict for finding in found] == [Verdict.PASS, Verdict.SKIPPED]
    assert len(tried) == 2


def test_with_alone_an_unexpected_player_causes_another_attempt() -> None:
    async def scenario() -> None:
        async with serving(hello) as port:
            probe = Probe("127.0.0.1", port, LineDecoder, 0.1, alone=True)
            probe.tries = 2
            (finding,) = [one async for one in checking.run([Check("meets", "1", meets)], probe)]
            assert finding.verdict is Verdict.FAIL
            assert "got READY; expected an empty lobby" in finding.detail

    run(scenario)


def test_the_reason_of_skipped_checks_is_printed_once() -> None:
    found = [CheckResult(name, "p, A", Verdict.SKIPPED, "somebody waits") for name in "ab"]
    assert list(verdicts.lines(found, PLAIN)) == [
        "skipped  a (p, A)",
        "      somebody waits",
        "skipped  b (p, A)",
        "0 passed, 0 failed, 0 not examined, 2 skipped",
    ]
    assert not verdicts.all_passed(found)
