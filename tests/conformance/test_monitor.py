"""Monitor: no findings in correct matches, and every breach in others."""

from __future__ import annotations

import gc
import sys

import pytest
from tests.pages import PAGES, sections

from boardwire.conformance.finding import Finding, Rule, Side
from boardwire.conformance.monitor import MessageRecord, Monitor, Record
from boardwire.conformance.watchers import watched_dialects, watcher
from boardwire.conformance.watchers.watcher import WatcherGroup

from .watch_matches import SIZES, Manner, Setup, faults_of, manner, play, setups
from .watched import Table

QUICK = {"tris-lines": 5, "forza-lines": 2}
"""Matches of a dialect in the quick run; default 1."""


def alone(dialect: str) -> list[Setup]:
    """Return the tables with one protocol; those of Eriantys take longest."""
    tables = [setup for setup in setups(dialect) if set(setup.seats) == {dialect}]
    return tables[:1] if dialect == "eriantys-objects" else tables[:3]


@pytest.mark.parametrize("dialect", [*SIZES, "native"])
def test_nothing_is_found_in_a_correct_match(dialect: str) -> None:
    for setup in alone(dialect):
        for seed in range(QUICK.get(dialect, 1)):
            table = play(seed, setup)
            assert faults_of(table) == [], (seed, setup)
            assert table.said


@pytest.mark.parametrize("dialect", ["tris-lines", "forza-lines"])
def test_nothing_is_found_at_mixed_tables(dialect: str) -> None:
    for seed, setup in enumerate(setups(dialect)):
        assert faults_of(play(seed, setup)) == [], setup


@pytest.mark.parametrize("dialect", ["tris-lines", "santorini-objects"])
def test_nothing_is_found_when_a_player_leaves(dialect: str) -> None:
    table = play(1, alone(dialect)[0], Manner(leaves=2))
    assert faults_of(table) == []
    assert sum(person.gone for person in table.people) == 1


@pytest.mark.slow
@pytest.mark.parametrize("dialect", [*SIZES, "native"])
def test_nothing_is_found_with_any_settings_or_at_any_mixed_table(dialect: str) -> None:
    tables = setups(dialect)
    for seed in range(max(100, 2 * len(tables))):
        assert faults_of(play(seed, tables[seed % len(tables)], manner(seed))) == [], seed


@pytest.mark.parametrize("dialect", watched_dialects())
def test_sections_of_every_watcher_exist(dialect: str) -> None:
    kind = watcher(dialect)
    there = sections(PAGES[dialect.partition("/")[0]].read_text("utf-8"))
    rules = [one for one in vars(sys.modules[kind.__module__]).values() if isinstance(one, Rule)]
    assert rules
    assert {one.section for one in (kind.framing, kind.unknown, *rules)} <= set(there)


def conversation(dialect: str, *pieces: tuple[Side, bytes]) -> list[Record]:
    """Return the records of a conversation."""
    records: list[Record] = []
    monitor = Monitor(dialect, WatcherGroup(), 1, records.append)
    for number, (side, data) in enumerate(pieces):
        monitor.receive(side, data, float(number))
    assert not monitor.failed
    return records


def findings(records: list[Record]) -> list[tuple[Side, str]]:
    return [(one.side, one.section) for one in records if isinstance(one, Finding)]


C, S = Side.CLIENT, Side.SERVER


def test_a_record_has_name_section_and_delay() -> None:
    wait, ready, cell = conversation("tris-lines", (S, b"WAIT\n"), (S, b"READY\n"), (C, b"4\n"))
    assert isinstance(wait, MessageRecord)
    assert (wait.name, wait.section, wait.data) == ("WAIT", "docs/dialects/tris-lines.md, 2", b"WAIT\n")
    assert isinstance(ready, MessageRecord)
    assert ready.expected == "client: one of 0, 1, 2, 3, 4, 5, 6, 7, 8"
    assert isinstance(cell, MessageRecord)
    assert (cell.name, cell.text, cell.took) == ("cell", "4", 1.0)


TRIS = [
    ("a legal move is refused", S, "5", [(S, b"WAIT\nREADY\n"), (C, b"4\n"), (S, b"KO\n")]),
    ("no cell is taken", S, "5", [(S, b"WAIT\nREADY\n"), (C, b"9\n"), (S, b"OK\n")]),
    ("a move out of turn", C, "5", [(S, b"READY\n"), (C, b"4\n")]),
    ("a cell that is none", C, "2", [(S, b"WAIT\nREADY\n"), (C, b"9\n")]),
    ("a word that there is none of", S, "2", [(S, b"WELCOME\n")]),
    ("a board with a mark too many", S, "2", [(S, b"READY\n"), (S, b"1,1,0,0,0,0,0,0,0,\n")]),
    ("a board that lost a mark", S, "2", [(S, b"READY\n"), (S, b"0,0,0,0,0,0,0,0,0,\n")]),
    ("a win that is none", S, "3", [(S, b"WAIT\nREADY\n"), (C, b"4\n"), (S, b"W\n")]),
    ("a second start", S, "2", [(S, b"WAIT\nREADY\nREADY\n")]),
    ("an endless line", C, "1", [(S, b"WAIT\nREADY\n"), (C, b"4" * 2_000_000)]),
]


@pytest.mark.parametrize(("side", "section", "pieces"), [row[1:] for row in TRIS], ids=[row[0] for row in TRIS])
def test_a_finding_has_the_side_and_the_rule(side: Side, section: str, pieces: list[tuple[Side, bytes]]) -> None:
    found = findings(conversation("tris-lines", *pieces))
    assert (side, f"docs/dialects/tris-lines.md, {section}") in found


@pytest.mark.parametrize(
    "after",
    [
        pytest.param([(S, b"KO\n"), (C, b"0\n"), (S, b"OK\n")], id="taken for an answer and refused"),
        pytest.param([(S, b"OK\n"), (S, b"1,0,0,0,0,0,0,0,2,\n")], id="taken for an answer"),
        pytest.param([(C, b"0\n"), (S, b"OK\n"), (S, b"2,1,0,0,1,0,0,0,0,\n")], id="dropped"),
    ],
)
def test_a_line_out_of_turn_that_crosses_a_board_is_only_the_clients_fault(after: list[tuple[Side, bytes]]) -> None:
    crossing = [(S, b"READY\n"), (C, b"8\n"), (S, b"0,0,0,0,1,0,0,0,0,\n")]
    assert findings(conversation("tris-lines", *crossing, *after)) == [(C, "docs/dialects/tris-lines.md, 5")]


def test_a_missing_reply_is_reported_once() -> None:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append)
    monitor.receive(S, b"WAIT\nREADY\n", 0.0)
    monitor.receive(C, b"4\n", 1.0)
    monitor.pass_time(2.0, 3.0)
    assert findings(records) == []
    monitor.pass_time(4.5, 3.0)
    monitor.pass_time(9.0, 3.0)
    assert findings(records) == [(S, "docs/dialects/tris-lines.md, 2")]


def test_a_stream_reset_before_the_close_is_no_unfinished_message() -> None:
    records: list[Record] = []
    monitor = Monitor("eriantys-objects", WatcherGroup(), 1, records.append)
    monitor.receive(S, b"\xac\xed\x00\x05y", 0.0)
    monitor.close(S, 1.0)
    assert findings(records) == []


PING, PONG_LINE = b'{"action":"ping"}\n', b'{"action":"pong"}\n'


@pytest.mark.parametrize(
    ("said", "found"),
    [
        pytest.param([(S, PING, 0.0)], [], id="who never answers is left alone"),
        pytest.param([(S, PING, 0.0), (C, PONG_LINE, 0.5), (S, PING, 5.5), (C, PONG_LINE, 6.0)], [S], id="no third"),
        pytest.param([(S, PING, 0.0), (C, PONG_LINE, 0.5), (S, PING, 5.5)], [C], id="no second pong"),
        pytest.param([], [S], id="no ping at all"),
    ],
)
def test_missing_heartbeats_are_found(said: list[tuple[Side, bytes, float]], found: list[Side]) -> None:
    records: list[Record] = []
    monitor = Monitor("santorini-actions/shipped", WatcherGroup(), 1, records.append)
    monitor.start(0.0)
    for side, data, at in said:
        monitor.receive(side, data, at)
        monitor.pass_time(at + 1.0, 3.0)
    assert findings(records) == []
    for at in (20.0, 40.0):
        monitor.pass_time(at, 3.0)
    assert findings(records) == [(side, "docs/dialects/santorini-actions.md, 4.6") for side in found]


def test_the_documents_edition_has_no_pings() -> None:
    assert findings(conversation("santorini-actions", (S, PING))) == [(S, "docs/dialects/santorini-actions.md, 4.6")]


def test_bytes_of_another_dialect_are_reported_and_monitoring_continues() -> None:
    records = conversation("santorini-objects", (C, b'{"action":"addPlayer"}\n'), (C, b"more\n"))
    assert [one.data for one in records if isinstance(one, MessageRecord)] == [b'{"action":"addPlayer"}\n', b"more\n"]
    assert (
        "a Java object stream begins with ac ed 00 05"
        in next(one for one in records if isinstance(one, Finding)).detail
    )


def test_a_failing_monitor_only_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append)

    def breaks(message: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(monitor.watcher, "server", breaks)
    monitor.receive(S, b"WAIT\n", 0.0)
    monitor.receive(S, b"READY\n", 0.0)
    assert monitor.failed
    assert records == []


def test_a_god_picked_by_another_meanwhile_may_be_refused() -> None:
    """Found at tables where all pick at the same time."""
    shipped = "santorini-objects/shipped"
    for seed in (19, 46, 73):
        assert faults_of(play(seed, Setup("santorini", ("santorini-lobby", shipped, shipped)))) == []


def test_a_table_may_ask_for_the_cloud_before_the_students() -> None:
    """Found at tables that a native player opened so."""
    wishes = (("mode", "simplified"), ("options", '{"mode":"simplified","cloud":"first"}'))
    table = play(70, Setup("eriantys", ("native", "eriantys-messages"), wishes))
    assert faults_of(table) == []
    assert any('"ask":"cloud"' in one.text for one in table.said)


def test_a_cloud_between_the_students_and_mother_nature_is_found() -> None:
    def asks(what: str) -> tuple[Side, bytes]:
        return S, f'{{"type":"TextMessage","nickname":"ann","text":"?","ask":"{what}"}}\n'.encode()

    student = (C, b'{"type":"StudentToHallMessage","nickname":"ann","students":["RED"]}\n')
    records = conversation("eriantys-messages", asks("students"), student, asks("cloud"))
    assert (S, "docs/dialects/eriantys-messages.md, 4.5") in findings(records)
    cloud = (C, b'{"type":"AddStudentFromCloudToWaitingMessage","nickname":"ann","cloudIndex":0}\n')
    records = conversation("eriantys-messages", asks("cloud"), cloud, asks("students"), student, asks("motherNature"))
    assert (S, "docs/dialects/eriantys-messages.md, 4.5") not in findings(records)


def test_no_workers_are_expected_of_a_player_who_left_while_placing_them() -> None:
    """Found in santorini-objects: no workers came for one who had placed the first of them."""
    seats = ("native", "santorini-objects", "santorini-objects")
    table = play(4547, Setup("santorini", seats, (("options", '{"draft":"challenger"}'),)), Manner(leaves=6))
    assert faults_of(table) == []


@pytest.mark.parametrize(
    ("seats", "draft"),
    [
        pytest.param(("native", "santorini-objects", "santorini-objects"), "challenger", id="objects"),
        pytest.param(("native", "santorini-lobby"), "online", id="lobby"),
    ],
)
def test_others_may_wait_for_a_slow_player(seats: tuple[str, ...], draft: str) -> None:
    """Found in santorini-objects, whose set-up others can hold up, and in our client of santorini-lobby, which proposed
    gods without an end."""
    table = Table(1)
    for number, dialect in enumerate(seats):
        settings = {} if number else {"game": "santorini", "options": f'{{"draft":"{draft}"}}'}
        table.join(dialect, f"p{number}", len(seats), settings, thinks=0.0 if number else 60.0)
    for _ in range(50):
        table.pass_time(1.0)
    assert table.findings == []
    assert len(table.said) < 400


def test_a_leaving_god_player_may_have_begun_to_pick() -> None:
    """Found in santorini-actions, whose clients pick a card for each player: the table waited for ever."""
    shipped = "santorini-actions/shipped"
    table = Table(1)
    table.join("native", "ann", 3, {"game": "santorini", "options": '{"draft":"challenger"}'}, leaves=2)
    table.join(shipped, "bob", 3)
    table.join(shipped, "cleo", 3)
    for _ in range(130):
        table.pass_time(1.0)
    assert table.over
    assert faults_of(table) == []


@pytest.mark.parametrize(
    ("think", "found"),
    [pytest.param(0.0, [], id="a person"), pytest.param(5.0, [(C, "docs/dialects/tris-lines.md, 2")], id="a program")],
)
def test_silence_of_a_program_is_found(think: float, found: list[tuple[Side, str]]) -> None:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append, think)
    monitor.start(100.0)
    monitor.receive(S, b"WAIT\n", 100.0)
    monitor.pass_time(200.0, 3.0)
    monitor.receive(S, b"READY\n", 201.0)
    monitor.pass_time(205.0, 3.0)
    assert findings(records) == []
    for at in (207.0, 300.0):
        monitor.pass_time(at, 3.0)
    assert findings(records) == found


@pytest.mark.parametrize(("think", "found"), [(0.0, []), (5.0, [(C, "docs/dialects/tris-lines.md, 5")])])
def test_a_program_that_leaves_its_match_is_found(think: float, found: list[tuple[Side, str]]) -> None:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append, think)
    monitor.receive(S, b"WAIT\nREADY\n", 0.0)
    monitor.close(C, 1.0)
    assert findings(records) == found


def test_a_client_that_does_not_close_after_the_server_is_reported_once() -> None:
    records: list[Record] = []
    monitor = Monitor("tris-lines", WatcherGroup(), 1, records.append)
    monitor.receive(S, b"WAIT\nREADY\nDISCONNECTED\n", 0.0)
    monitor.close(S, 1.0)
    monitor.pass_time(3.0, 3.0)
    assert findings(records) == []
    for at in (4.5, 9.0):
        monitor.pass_time(at, 3.0)
    assert findings(records) == [(C, "docs/dialects/tris-lines.md, 5")]


@pytest.mark.parametrize("dialect", ["native", "tris-lines", "santorini-lobby", "santorini-objects"])
def test_unreadable_messages_leave_no_cycle(dialect: str) -> None:
    """An attacker's messages must not fill the memory until the garbage collector stops the server for a second."""
    monitor = Monitor(dialect, WatcherGroup(), 1, lambda record: None)
    monitor.start(0.0)
    junk = b"\x80\x04x" * 20 if dialect == "native" else b"\xff\xfe\n" * 20
    monitor.receive(Side.CLIENT, junk, 0.1)
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            monitor.receive(Side.CLIENT, junk, 0.2)
        assert gc.collect() == 0
    finally:
        gc.enable()
