"""What `boardwire proxy` prints: each kind of finding once with its count, in memory that is bounded."""

from __future__ import annotations

import io
import json
import sys
import time
from contextvars import copy_context
from threading import Event

import msgspec
import pytest

from boardwire.conformance import language
from boardwire.conformance.finding import Finding, Phrase, Rule, Side
from boardwire.conformance.monitor import MessageRecord, Monitor, Opened, Record
from boardwire.conformance.report import Reporter
from boardwire.conformance.server.check import Verdict
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.proxy import console
from boardwire.proxy.console import Printer
from boardwire.proxy.transcript import Recorder

C, S = Side.CLIENT, Side.SERVER
RULING = Rule("tris-lines.dropped", "6.2", "ours", ruling=True)


def records() -> list[Record]:
    """A client that tries three cells which are none, and a server that breaks a ruling."""
    told: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, told.append, rulings=True)
    monitor.receive(S, b"WAIT\nREADY\n", 0.0)
    for cell in (b"9\n", b"17\n", b"-1\n"):
        monitor.receive(C, cell, 0.0)
        monitor.receive(S, b"KO\n", 0.0)
    monitor.watcher.blame(S, RULING, "got it")
    monitor.pass_time(1.0, 3.0)
    return told


def printed(*, as_json: bool, speaks: str = "en") -> list[str]:
    lines: list[str] = []

    def run() -> None:
        language.set_language(speaks)
        printer = Printer(json=as_json, say=lines.append)
        for record in records():
            printer(record)
        printer.finish()
        lines.append(printer.summary())

    copy_context().run(run)
    return lines


def test_a_finding_that_repeats_is_printed_once_and_counted_at_the_end() -> None:
    lines = printed(as_json=False)
    assert sum("got 9, but there is no such cell; expected one of" in line for line in lines) == 1
    assert not any("got 17" in line for line in lines)
    wanted = "3 times: the client breaks docs/dialects/tris-lines.md, 2: a move is a free cell from 0 to 8"
    assert lines[-2:] == [wanted, "0 connections, 8 messages; findings: 1 of the client's, 1 of the server's"]


def test_a_finding_that_repeats_is_one_object_of_json_and_one_with_its_count() -> None:
    objects = [json.loads(line) for line in printed(as_json=True)[:-1]]
    found = [(one["event"], one["code"], one["count"], one["ruling"]) for one in objects if "code" in one]
    assert found == [
        ("finding", "tris-lines.free", 1, False),
        ("finding", "tris-lines.dropped", 1, True),
        ("repeated", "tris-lines.free", 3, False),
    ]


def test_a_ruling_is_marked_for_people_too() -> None:
    assert any(
        "the server breaks docs/dialects/tris-lines.md, 6.2 (ruling): ours" in line for line in printed(as_json=False)
    )


def test_output_is_in_the_chosen_language() -> None:
    lines = printed(as_json=False, speaks="it")
    assert lines[-1] == "0 connessioni, 8 messaggi; violazioni: 1 del client, 1 del server"
    assert lines[-2].startswith("3 volte: il client viola docs/dialects/tris-lines.md, 2: una mossa")


def test_a_transcript_marks_repetitions_shortly() -> None:
    file = io.StringIO()
    recorder = Recorder(file, "tris-lines")
    for record in records():
        recorder.write(record)
    marks = [line for line in file.getvalue().splitlines() if line.startswith("# !")]
    assert marks[1:3] == ["# ! client: tris-lines.free, 2 times so far", "# ! client: tris-lines.free, 3 times so far"]


def test_a_report_has_each_kind_once_with_its_count_and_the_conversation_before_it() -> None:
    reporter = Reporter()
    for record in records():
        reporter(record)
    free, ruling = reporter.findings
    assert (free.name, free.count, free.ruling) == ("client: a move is a free cell from 0 to 8", 3, False)
    assert [(line.way, line.text) for line in free.conversation] == [("<", "WAIT"), ("<", "READY"), (">", "9")]
    assert (ruling.verdict, ruling.count, ruling.ruling) == (Verdict.FAIL, 1, True)


@pytest.mark.parametrize("speaks", language.LANGUAGES)
def test_peer_input_is_escaped_in_every_language(speaks: str) -> None:
    hostile = "\x1b[2J\x9b1m\u202e"
    found = Finding(
        side=C, section="s", rule="r", detail=f"got {hostile}", code="c", phrase=Phrase("got {}", (hostile,))
    )
    told: list[Record] = [
        Opened(connection=1, at=0.0, dialect="tris-lines", peer=hostile),
        MessageRecord(
            connection=1, number=1, at=0.0, side=C, name="x", text=hostile, data=b"", took=9.0, unread=hostile
        ),
        found,
        msgspec.structs.replace(found, count=2),
    ]
    lines: list[str] = []
    file = io.StringIO()

    def run() -> None:
        language.set_language(speaks)
        printer, recorder = Printer(json=False, say=lines.append), Recorder(file, "tris-lines")
        for record in told:
            printer(record)
            recorder.write(record)
        printer.finish()

    copy_context().run(run)
    everything = "\n".join(lines) + file.getvalue()
    assert not set(hostile[:1] + hostile[4:5] + hostile[-1]) & set(everything)
    assert "\\x1b[2J" in everything


class Held(io.StringIO):
    """A terminal that is held."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = Event()

    def write(self, text: str) -> int:
        self.go_on.wait(20)
        return super().write(text)


def test_lines_that_wait_are_bounded_in_bytes_and_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Held()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(console, "MAX_QUEUED_CHARACTERS", 8_000)
    outlet = console.PrintQueue()
    line = "x" * 1_000
    for _ in range(20):
        outlet.say(line)
    screen.go_on.set()
    end = time.monotonic() + 20
    while "not printed in time" not in screen.getvalue() and time.monotonic() < end:
        outlet.say("later")
    outlet.close()
    assert screen.getvalue().splitlines().count(line) == 9, "8,000 characters, and the line that was one too many"
