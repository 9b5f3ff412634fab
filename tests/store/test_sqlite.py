"""The SQLite journal: grouped commits, failures, the lock, readers beside the writer."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from queue import Queue
from threading import current_thread
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.errors import ConfigError, Unavailable
from boardwire.games.game import Outcome
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.entry import parts_of
from boardwire.store.group_commit import PATIENCE_SECONDS, QUICK_COMMITS, QUICK_SECONDS, Append
from boardwire.store.log import SqliteLog
from boardwire.store.schema import MIGRATIONS
from boardwire.store.sqlite import RESERVED_PAGES, SqliteJournal
from boardwire.table.events import Acted, Chatted, Ended, Event, Joined, Left, Opened, Player, encode
from boardwire.table.guest import Guest, Notification
from boardwire.table.match import Status, fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import AppendResult, MatchFilter
from boardwire.table.summary import summarize

from .harness import Harness, Turnstile, execute

FIXTURES = Path(__file__).parent / "fixtures"
END = Ended(9.0, Outcome("abandoned"))
STORED, FAILED, SUPERSEDED = AppendResult


def opening(match: str) -> Opened:
    return Opened(1.0, match, "tris@1", 2, {}, Policy())


def written(match: str, first: int, *events: Event) -> Append:
    """What someone else appends to the same log."""
    return Append(match, first, [encode(event) for event in events], events[-1] == END, ignore)


def ignore(result: AppendResult) -> None:
    """Not every test wants the answer."""


def note(answers: list[int], number: int, result: AppendResult) -> None:
    """Write down who was answered."""
    answers.append(number)


# --- grouped commits ------------------------------------------------------------------------------------------------


def test_appends_during_a_commit_go_into_the_next_one(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        turnstile = Turnstile(journal)
        answers: list[int] = []
        for number in range(3):
            journal.append(f"m{number}", 1, [opening(f"m{number}")], partial(note, answers, number))
        harness.step()  # the turn in which they came is over
        for number in range(3, 41):
            journal.append(f"m{number}", 1, [opening(f"m{number}")], partial(note, answers, number))
        assert journal.busy
        assert answers == []
        turnstile.flag.set()
        harness.run(journal)
        assert turnstile.sizes == [3, 38]
        assert answers == list(range(41))
        assert not journal.busy


def test_appends_made_by_commit_callbacks_go_into_the_next_commit(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        turnstile = Turnstile(journal)

        def go_on(match: str, result: AppendResult) -> None:
            journal.append(match, 2, [Left(2.0, 0)], ignore)

        for name in ("m0", "m1", "m2"):
            journal.append(name, 1, [opening(name)], partial(go_on, name))
        turnstile.flag.set()
        harness.run(journal)
        assert turnstile.sizes == [3, 3]


@pytest.mark.parametrize(("waited", "sizes"), [(0.9, [3, 4]), (1.1, [3, 1, 3])])
def test_an_append_that_has_waited_is_committed_before_what_the_answers_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waited: float, sizes: list[int]
) -> None:
    now = 0.0
    monkeypatch.setattr("boardwire.store.group_commit.perf_counter", lambda: now)
    harness = Harness()
    answers: list[int] = []
    with harness.open(tmp_path) as journal:
        turnstile = Turnstile(journal)

        def go_on(number: int, result: AppendResult) -> None:
            answers.append(number)
            journal.append(f"m{number}", 2, [Left(2.0, 0)], partial(note, answers, number))

        for number in range(3):
            journal.append(f"m{number}", 1, [opening(f"m{number}")], partial(go_on, number))
        harness.step()
        journal.append("late", 1, [opening("late")], partial(note, answers, 3))
        now += waited * PATIENCE_SECONDS
        turnstile.flag.set()
        harness.run(journal)
        assert turnstile.sizes == sizes
        assert answers == [0, 1, 2, 3, 0, 1, 2]


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 200])
def test_a_commit_keeps_any_number_of_events_in_order(tmp_path: Path, count: int) -> None:
    harness = Harness()
    events: list[Event] = [opening("m0"), *(Chatted(float(number), None, str(number)) for number in range(count))]
    with harness.open(tmp_path) as journal:
        journal.append("m0", 1, events[:1], ignore)
        harness.run(journal)
        journal.append("m0", 2, events[1:], ignore)
        harness.run(journal)
        assert [event.at for event in journal.read("m0")] == [event.at for event in events]


def test_nothing_is_said_to_be_stored_before_it_can_be_read(tmp_path: Path) -> None:
    harness = Harness()
    seen: list[int] = []
    with harness.open(tmp_path) as journal:

        def look(name: str, result: AppendResult) -> None:
            seen.append(len(journal.read(name)))

        for number in range(10):
            name = f"m{number}"
            journal.append(name, 1, [opening(name)], partial(look, name))
        harness.run(journal)
    assert seen == [1] * 10


def test_the_writer_waits_for_the_disk_at_every_commit(tmp_path: Path) -> None:
    with Harness().open(tmp_path) as journal:
        assert execute(journal, "PRAGMA journal_mode").fetchone() == ("wal",)
        assert execute(journal, "PRAGMA synchronous").fetchone() == (2,)


def test_commits_do_not_make_the_write_ahead_log_longer(tmp_path: Path) -> None:
    wal, harness = tmp_path / f"{DATABASE_FILE}-wal", Harness()
    with harness.open(tmp_path) as journal:
        before = wal.stat().st_size
        journal.append("m", 1, [opening("m")], lambda result: None)
        for number in range(2, 30):
            harness.run(journal)
            journal.append("m", number, [Chatted(float(number), None, "hello")], lambda result: None)
        harness.run(journal)
        assert wal.stat().st_size == before > RESERVED_PAGES * 4096
        assert len(journal.read("m")) == 29


def test_a_fault_in_one_callback_does_not_affect_the_others(tmp_path: Path) -> None:
    harness = Harness()
    answers: list[AppendResult] = []

    def broken(result: AppendResult) -> None:
        raise ZeroDivisionError

    with harness.open(tmp_path) as journal:
        turnstile = Turnstile(journal)
        journal.append("m0", 1, [opening("m0")], ignore)
        journal.append("m1", 1, [opening("m1")], broken)
        journal.append("m2", 1, [opening("m2")], answers.append)
        turnstile.flag.set()
        with pytest.raises(ExceptionGroup) as raised:
            harness.run(journal)
        assert raised.group_contains(ZeroDivisionError)
        assert answers == [STORED]


def test_closing_stores_what_is_gathered(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        turnstile = Turnstile(journal)
        for number in range(5):
            journal.append(f"m{number}", 1, [opening(f"m{number}")], ignore)
        turnstile.flag.set()
    with Archive(tmp_path) as archive:
        assert len(list(archive.matches())) == 5


# --- who commits ----------------------------------------------------------------------------------------------------


class Play:
    """A lone match, one event after the other; notes in which thread each was stored."""

    def __init__(self, harness: Harness, journal: SqliteJournal) -> None:
        self._harness = harness
        self._journal = journal
        self.turnstile = Turnstile(journal, opened=True)
        self._next = 1

    def go(self, count: int) -> list[str]:
        before = len(self.turnstile.threads)
        for number in range(self._next, self._next + count):
            self._journal.append("m", number, [opening("m") if number == 1 else Acted(2.0, 0, 4)], ignore)
            self._harness.run(self._journal)
        self._next += count
        return self.turnstile.threads[before:]


HERE, THREAD = current_thread().name, "journal"


class Disk:
    """How long each commit takes, by the journal's clock: it is asked before and after."""

    def __init__(self) -> None:
        self.takes = QUICK_SECONDS / 2
        self._now = 0.0

    def clock(self) -> float:
        self._now += self.takes
        return self._now


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr("boardwire.store.group_commit.perf_counter", disk.clock)
    monkeypatch.setattr(
        "boardwire.store.run_queue.RunQueueClock.wait_seconds", lambda self: 0.0
    )  # also on a busy machine
    return disk


def test_the_owner_commits_itself_after_some_quick_commits(tmp_path: Path, disk: Disk) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        play = Play(harness, journal)
        assert play.go(QUICK_COMMITS + 5) == [THREAD] * QUICK_COMMITS + [HERE] * 5
        assert len(journal.read("m")) == QUICK_COMMITS + 5


def test_the_owner_commits_many_appends_at_once_too(tmp_path: Path, disk: Disk) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        play = Play(harness, journal)
        play.go(QUICK_COMMITS)
        for name in ("a", "b"):
            journal.append(name, 1, [opening(name)], ignore)
        harness.run(journal)
        assert (play.turnstile.sizes[-1], play.turnstile.threads[-1]) == (2, HERE)


@pytest.mark.parametrize(("share", "then"), [(0.9, HERE), (0.1, THREAD)])
def test_a_commit_that_waited_for_a_processor_does_not_count_as_slow(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch, share: float, then: str
) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        play = Play(harness, journal)
        play.go(QUICK_COMMITS)
        disk.takes = QUICK_SECONDS * 2
        waits = count(0.0, disk.takes * share)
        monkeypatch.setattr("boardwire.store.run_queue.RunQueueClock.wait_seconds", lambda self: next(waits))
        assert play.go(2) == [HERE, then]


def test_a_slow_disk_stops_its_owner_once_and_then_the_thread_waits_for_it(tmp_path: Path, disk: Disk) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        play = Play(harness, journal)
        assert play.go(QUICK_COMMITS + 2)[-2:] == [HERE] * 2
        disk.takes = QUICK_SECONDS * 2
        assert play.go(3) == [HERE, THREAD, THREAD]
        disk.takes = QUICK_SECONDS / 2
        assert play.go(QUICK_COMMITS + 1) == [THREAD] * QUICK_COMMITS + [HERE]


def test_a_failure_on_its_owners_thread_is_answered_as_any_other(tmp_path: Path, disk: Disk) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.open(tmp_path) as journal:
        play = Play(harness, journal)
        assert play.go(QUICK_COMMITS + 1)[-1] == HERE
        break_store(tmp_path, "ABORT")
        journal.append("m", QUICK_COMMITS + 2, [END], answers.append)
        harness.run(journal)
        mend_store(tmp_path)
        assert (answers, journal.failing, play.turnstile.threads[-1]) == ([FAILED], True, HERE)
        assert play.go(2) == [THREAD] * 2
        assert len(journal.read("m")) == QUICK_COMMITS + 3


def test_a_single_append_is_acknowledged_only_when_it_is_stored(tmp_path: Path, disk: Disk) -> None:
    harness = Harness()
    seen: list[int] = []
    with harness.open(tmp_path) as journal:
        Play(harness, journal).go(QUICK_COMMITS)
        journal.append("m", QUICK_COMMITS + 1, [END], lambda result: seen.append(len(journal.read("m"))))
        assert (seen, journal.busy) == ([], True)
        harness.run(journal)
    assert seen == [QUICK_COMMITS + 1]


# --- failures -------------------------------------------------------------------------------------------------------


def break_store(directory: Path, how: str) -> None:
    connection = sqlite3.connect(directory / DATABASE_FILE)
    connection.execute(
        f"CREATE TRIGGER broken BEFORE INSERT ON log BEGIN SELECT RAISE({how}, 'the disk is on fire'); END"
    )
    connection.commit()
    connection.close()


def mend_store(directory: Path) -> None:
    connection = sqlite3.connect(directory / DATABASE_FILE)
    connection.execute("DROP TRIGGER broken")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("how", ["ABORT", "ROLLBACK"])
def test_a_failed_append_is_reported_and_nothing_of_it_is_kept(tmp_path: Path, how: str) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.open(tmp_path) as journal:
        journal.append("old", 1, [opening("old")], answers.append)
        harness.run(journal)
        break_store(tmp_path, how)
        journal.append("old", 2, [Acted(2.0, 0, 4)], answers.append)
        harness.run(journal)
        journal.append("new", 1, [opening("new"), END], answers.append)
        harness.run(journal)
        journal.append("old", 2, [END], answers.append)
        harness.run(journal)
        assert answers == [STORED, FAILED, FAILED, FAILED]
        assert ["the disk is on fire" in str(error) for error in harness.errors] == [True, True, True]
        assert (journal.read("old"), journal.read("new")) == ([opening("old")], [])
        assert journal.unfinished() == ["old"]

        mend_store(tmp_path)
        journal.append("old", 2, [Acted(3.0, 0, 5), END], answers.append)
        journal.append("new", 1, [opening("new")], answers.append)
        harness.run(journal)
        assert answers[4:] == [STORED, STORED]
        assert journal.read("old") == [opening("old"), Acted(3.0, 0, 5), END]
        assert journal.read("new") == [opening("new")]
        assert journal.unfinished() == ["new"]


def test_no_failure_of_whatever_kind_ends_the_journals_thread(tmp_path: Path) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.open(tmp_path) as journal:
        journal.append("m", 1, [opening("m")], answers.append)
        harness.run(journal)
        journal.append("m", 9, [Acted(2.0, 0, 4)], answers.append)  # there is no event 8
        harness.run(journal)
        journal.append("m", 2, [Acted(2.0, 0, 4)], answers.append)
        harness.run(journal)
        assert answers == [STORED, FAILED, STORED]
        assert [type(error) for error in harness.errors] == [AssertionError]


def test_a_full_disk_is_reported_and_recovered_from(tmp_path: Path) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    long = [Chatted(float(number), None, "x" * 500) for number in range(400)]
    with harness.open(tmp_path) as journal:
        (pages,) = execute(journal, "PRAGMA page_count").fetchone()
        execute(journal, f"PRAGMA max_page_count = {pages + 3}")
        journal.append("m", 1, [opening("m"), *long], answers.append)
        harness.run(journal)
        assert answers == [FAILED]
        assert isinstance(harness.errors[0], sqlite3.Error)
        assert "full" in str(harness.errors[0])
        execute(journal, "PRAGMA max_page_count = 100000")
        journal.append("m", 1, [opening("m"), *long], answers.append)
        harness.run(journal)
        assert answers == [FAILED, STORED]
        assert journal.read("m") == [opening("m"), *long]


def test_without_a_reporter_a_failure_is_only_answered(tmp_path: Path) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    journal = SqliteJournal(tmp_path, harness.post)
    break_store(tmp_path, "ABORT")
    journal.append("m", 1, [opening("m")], answers.append)
    harness.run(journal)
    journal.close()
    assert answers == [FAILED]


def test_a_journal_that_failed_is_well_again_when_a_probe_can_be_written(tmp_path: Path) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.open(tmp_path) as journal:
        execute(journal, "PRAGMA query_only = 1")
        journal.append("m1", 1, [opening("m1")], answers.append)
        harness.run(journal)
        assert (answers, journal.failing, len(harness.errors)) == ([FAILED], True, 1)
        journal.probe()
        journal.probe()  # one at a time is enough
        harness.run(journal)
        assert (journal.failing, len(harness.errors)) == (True, 2)
        execute(journal, "PRAGMA query_only = 0")
        journal.probe()
        harness.run(journal)
        assert not journal.failing
        assert journal.tally.failures == 2
        journal.append("m1", 1, [opening("m1")], answers.append)
        harness.run(journal)
        assert answers == [FAILED, STORED]


def test_waiting_appends_can_be_counted(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        for name in ("m1", "m2", "m3"):
            journal.append(name, 1, [opening(name)], ignore)
        assert journal.waiting == 3
        harness.run(journal)
        assert journal.waiting == 0


# --- someone else writes too ---------------------------------------------------------------------------------------


def test_only_matches_that_another_node_wrote_first_are_left_out_of_a_commit(tmp_path: Path) -> None:
    harness = Harness()
    answers: dict[str, AppendResult] = {}
    with harness.open(tmp_path) as journal:
        for name in ("mine", "theirs"):
            journal.append(name, 1, [opening(name)], ignore)
        harness.run(journal)
        with closing(sqlite3.connect(tmp_path / DATABASE_FILE, isolation_level=None)) as other:
            SqliteLog(other).write([written("theirs", 2, END), written("opened", 1, opening("opened"))])

        turnstile = Turnstile(journal, opened=True)
        appends: list[tuple[str, int, list[Event]]] = [
            ("mine", 2, [Acted(2.0, 0, 4)]),
            ("theirs", 2, [Acted(2.0, 0, 4), END]),
            ("new", 1, [opening("new"), END]),
            ("theirs", 4, [Chatted(9.0, None, "well played")]),
            ("opened", 1, [opening("opened")]),
        ]
        for name, first, events in appends:
            journal.append(name, first, events, partial(answers.__setitem__, name))
        harness.run(journal)
        assert answers == {"mine": STORED, "theirs": SUPERSEDED, "new": STORED, "opened": SUPERSEDED}
        assert turnstile.sizes == [7]
        assert (journal.failing, journal.tally.failures, harness.errors) == (False, 0, [])
        assert journal.read("theirs") == [opening("theirs"), END]
        assert journal.read("mine") == [opening("mine"), Acted(2.0, 0, 4)]
        assert journal.read("new") == [opening("new"), END]
        assert journal.tally.events == 2 + 1 + 2
        assert journal.unfinished() == ["mine", "opened"]
        journal.append("mine", 3, [END], partial(answers.__setitem__, "mine"))
        harness.run(journal)
        assert journal.read("mine") == [opening("mine"), Acted(2.0, 0, 4), END]


def test_when_it_cannot_be_seen_who_wrote_first_nothing_is_stored(tmp_path: Path) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.open(tmp_path) as journal:

        def taken(statement: str, rows: Sequence[object]) -> None:
            execute(journal, "INSERT INTO matches (key, id) VALUES (1, 'x'), (2, 'x')")

        assert isinstance(journal._log, SqliteLog)
        journal._log._insert = taken  # type: ignore[method-assign]  # only another process could cause this
        journal.append("m", 1, [opening("m")], answers.append)
        harness.run(journal)
        assert (answers, journal.failing, len(harness.errors)) == ([FAILED], True, 1)


# --- the directory --------------------------------------------------------------------------------------------------


def test_one_process_writes(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path), pytest.raises(Unavailable, match="another boardwire process"):
        SqliteJournal(tmp_path, harness.post)
    with harness.open(tmp_path):
        pass


def test_a_missing_directory_is_made(tmp_path: Path) -> None:
    with Harness().open(tmp_path / "deep" / "er"):
        assert (tmp_path / "deep" / "er" / DATABASE_FILE).exists()


def test_a_directory_that_cannot_be_used_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(Unavailable, match="cannot store matches in"):
        SqliteJournal(tmp_path / "file", Harness().post)


def test_a_file_that_is_no_store_is_refused_in_words_and_let_go(tmp_path: Path) -> None:
    (tmp_path / DATABASE_FILE).write_text("certainly not a database" * 100)
    for _ in range(2):
        with pytest.raises(Unavailable, match="not a database"):
            SqliteJournal(tmp_path, Harness().post)
        with pytest.raises(Unavailable, match="not a database"):
            Archive(tmp_path)


def test_matches_go_on_where_the_last_process_stopped(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        journal.append("a", 1, [opening("a")], ignore)
        journal.append("b", 1, [opening("b"), END], ignore)
    with harness.open(tmp_path) as journal:
        journal.append("a", 2, [Acted(2.0, 0, 4)], ignore)
        journal.append("b", 3, [Chatted(3.0, 0, "hi")], ignore)
        journal.append("c", 1, [opening("c")], ignore)
        harness.run(journal)
        assert journal.read("a") == [opening("a"), Acted(2.0, 0, 4)]
        assert journal.read("b") == [opening("b"), END, Chatted(3.0, 0, "hi")]
        assert journal.unfinished() == ["a", "c"]


# --- migrations -----------------------------------------------------------------------------------------------------


def version_one(directory: Path, *bodies: bytes) -> None:
    """A store as the first version of the program left it, with one match."""
    connection = sqlite3.connect(directory / DATABASE_FILE)
    connection.executescript("""
        CREATE TABLE matches (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ended INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE events (
            match INTEGER NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (match, seq)
        ) WITHOUT ROWID;
        PRAGMA user_version = 1;
        INSERT INTO matches (key, id) VALUES (7, 'old');
    """)
    connection.executemany("INSERT INTO events VALUES (7, ?, ?)", list(enumerate(bodies, 1)))
    connection.commit()
    connection.close()


OLD: tuple[bytes, ...] = (
    b'{"event":"opened","at":1,"match":"old","game":"tris@1","seats":2,"options":{},"policy":{}}',
    b'{"event":"joined","at":2,"seat":0,"player":{}}',
    b'{"event":"joined","at":3,"seat":1,"player":{}}',
    b'{"event":"started","at":3,"options":{}}',
    b'{"event":"acted","at":4,"seat":0,"action":4}',
)


def test_a_store_of_version_1_is_brought_up_to_date_and_goes_on(tmp_path: Path) -> None:
    version_one(tmp_path, *OLD)
    with Archive(tmp_path) as archive:
        assert len(archive.events("old")) == 5
    harness = Harness()
    with harness.open(tmp_path) as journal:
        assert execute(journal, "PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert journal.unfinished() == ["old"]
        assert fold(journal.read("old")).moves == 1
        journal.append("old", 6, [Acted(5.0, 1, 0)], ignore)
        journal.append("new", 1, [opening("new")], ignore)
        harness.run(journal)
        assert fold(journal.read("old")).moves == 2
        assert journal.unfinished() == ["old", "new"]
    with harness.open(tmp_path) as journal:
        assert journal.unfinished() == ["old", "new"]


@pytest.fixture
def stored_by_format_2(tmp_path: Path) -> dict[str, list[bytes]]:
    """A directory as the program left it that kept each event in a row of its own; its events, by match."""
    (tmp_path / DATABASE_FILE).write_bytes((FIXTURES / "format2.sqlite").read_bytes())
    events: dict[str, list[bytes]] = {}
    for line in (FIXTURES / "format2.txt").read_bytes().splitlines():
        match, _, body = line.partition(b" ")
        events.setdefault(match.decode(), []).append(body)
    return events


def test_a_store_of_format_2_is_read_as_it_is(tmp_path: Path, stored_by_format_2: dict[str, list[bytes]]) -> None:
    with Archive(tmp_path) as archive:
        assert {name: list(map(encode, archive.events(name))) for name in archive.names()} == stored_by_format_2
        assert list(map(encode, archive.events("match-2", 4))) == stored_by_format_2["match-2"][4:]
        assert archive.unfinished() == ["match-2"]


def test_a_store_of_format_2_becomes_a_log_and_goes_on(
    tmp_path: Path, stored_by_format_2: dict[str, list[bytes]]
) -> None:
    harness = Harness()
    reader = Archive(tmp_path)  # it was there before the server that changes the format
    with reader, harness.open(tmp_path) as journal:
        assert {name: list(map(encode, reader.events(name))) for name in reader.names()} == stored_by_format_2
        tables = {name for (name,) in execute(journal, "SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert tables == {"matches", "log", "sitters", "names"}
        assert [name for _, name in journal.of_player("A" * 32, None, 9)] == ["match-3", "match-2", "match-1"]
        found = {name: summarize(journal.read(name)) for name in stored_by_format_2}
        for wanted in (
            MatchFilter(),
            MatchFilter(game="tris"),
            MatchFilter(over=True),
            MatchFilter(over=False),
            MatchFilter(player="ann"),
        ):
            assert {name for _, name in journal.list_public(wanted, None, 9)} == {
                name
                for name, one in found.items()
                if not one.private
                and wanted.game in ("", one.game)
                and wanted.over in (None, one.status is Status.OVER)
                and wanted.player in ("", *(player.name for player in one.chairs if player))
            }
        assert journal.unfinished() == ["match-2"]
        count = len(stored_by_format_2["match-2"])
        answers: list[AppendResult] = []
        journal.append("match-2", count, [Acted(3.0, 0, 8)], answers.append)
        journal.append("match-3", 1, [opening("match-3")], answers.append)
        harness.run(journal)
        assert answers == [SUPERSEDED, SUPERSEDED]
        journal.append("match-2", count + 1, [Acted(3.0, 0, 8)], answers.append)
        journal.append("match-1", len(stored_by_format_2["match-1"]) + 1, [Chatted(9.0, 1, "thanks")], answers.append)
        harness.run(journal)
        assert answers[2:] == [STORED, STORED]
    with harness.open(tmp_path) as journal:
        assert fold(journal.read("match-2")).moves == 3
        assert journal.read("match-1")[-1] == Chatted(9.0, 1, "thanks")
        assert journal.unfinished() == ["match-2"]


def test_a_store_that_was_brought_up_to_date_is_not_gone_through_again(
    tmp_path: Path, stored_by_format_2: dict[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Harness().open(tmp_path):
        pass
    asked: list[str] = []
    connect = sqlite3.connect

    def noted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **named)
        connection.set_trace_callback(asked.append)
        return connection

    monkeypatch.setattr("boardwire.store.sqlite.sqlite3.connect", noted)
    with Harness().open(tmp_path):
        pass
    assert 5 < len(asked) < 20, asked  # however many matches there are


def test_an_interrupted_migration_changes_nothing(
    tmp_path: Path, stored_by_format_2: dict[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> bytes:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("boardwire.store.schema.write_part", no_room)
        with pytest.raises(Unavailable, match="disk is full"):
            SqliteJournal(tmp_path, Harness().post)
    with Archive(tmp_path) as archive:
        assert {name: list(map(encode, archive.events(name))) for name in archive.names()} == stored_by_format_2
    with Harness().open(tmp_path) as journal:
        assert list(map(encode, journal.read("match-1"))) == stored_by_format_2["match-1"]


def test_unreadable_matches_stay_unreadable_after_a_migration(tmp_path: Path) -> None:
    version_one(tmp_path, OLD[0], b"7 1 0", b"{\n7 1 0\n", OLD[1])
    with Harness().open(tmp_path) as journal:
        with pytest.raises(Unavailable, match="match 'old' cannot be read"):
            journal.read("old")
        assert len(parts_of(execute(journal, "SELECT body FROM log").fetchone()[0], 7)[0].bodies) == 4


def test_a_store_from_a_newer_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    version_one(tmp_path, *OLD)
    connection = sqlite3.connect(tmp_path / DATABASE_FILE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for opens in (lambda: SqliteJournal(tmp_path, Harness().post), lambda: Archive(tmp_path)):
        with pytest.raises(Unavailable, match=r"newer boardwire.*format 99"):
            opens()
    connection = sqlite3.connect(tmp_path / DATABASE_FILE)
    assert connection.execute("SELECT count(*) FROM events").fetchone() == (5,)
    assert connection.execute("PRAGMA user_version").fetchone() == (99,)
    connection.close()


# --- the archive ----------------------------------------------------------------------------------------------------


def test_the_archive_reads_while_a_writer_is_open(tmp_path: Path) -> None:
    harness = Harness()
    with harness.open(tmp_path) as journal:
        journal.append("a", 1, [opening("a"), Acted(2.0, 0, 4)], ignore)
        journal.append("b", 1, [opening("b"), END], ignore)
        harness.run(journal)
        with Archive(tmp_path) as archive:
            assert list(archive.matches()) == [[opening("a"), Acted(2.0, 0, 4)], [opening("b"), END]]
            assert archive.unfinished() == ["a"]
            journal.append("a", 3, [END], ignore)
            harness.run(journal)
            assert archive.events("a")[-1] == END
            assert archive.events("c") == []


def test_the_archive_reads_what_a_killed_process_left_behind(tmp_path: Path) -> None:
    """The write-ahead log is still there, and holds what was durable."""
    harness = Harness()
    with harness.open(tmp_path) as journal:
        journal.append("a", 1, [opening("a"), Acted(2.0, 0, 4)], ignore)
        harness.run(journal)
        copy = tmp_path / "copy"
        copy.mkdir()
        for file in (DATABASE_FILE, f"{DATABASE_FILE}-wal"):
            (copy / file).write_bytes((tmp_path / file).read_bytes())
    with Archive(copy) as archive:
        assert archive.events("a") == [opening("a"), Acted(2.0, 0, 4)]


@pytest.mark.parametrize("name", ["plain", "per cent %41", "question?mode=rw", "hash#tag"])
def test_a_directory_may_have_any_name(tmp_path: Path, name: str) -> None:
    harness = Harness()
    with harness.open(tmp_path / name) as journal:
        journal.append("a", 1, [opening("a")], ignore)
        harness.run(journal)
        assert journal.read("a") == [opening("a")]


def test_a_relative_directory_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Harness().open(tmp_path / "data"):
        pass
    monkeypatch.chdir(tmp_path)
    with Archive(Path("data")) as archive:
        assert list(archive.matches()) == []


def test_without_a_store_there_are_no_matches(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no matches in"):
        Archive(tmp_path)
    sqlite3.connect(tmp_path / DATABASE_FILE).close()
    os.truncate(tmp_path / DATABASE_FILE, 0)
    with pytest.raises(ConfigError, match="no matches in"):
        Archive(tmp_path)


# --- a whole server on it --------------------------------------------------------------------------------------------


def test_a_server_on_sqlite_takes_its_matches_up_again(tmp_path: Path) -> None:
    harness = Harness()
    heard: list[Notification] = []
    seek = Seek("tris", 2, Player("ann", key="A"), policy=Policy(Leaving.HOLDS, 30.0))
    other = Seek("tris", 2, Player("bob", key="B"))
    with harness.open(tmp_path) as journal:
        lobby = Lobby(journal, ManualClock(), ScriptedDealer(), CountedNames())
        lobby.do(Guest(heard.append), seek)
        assert heard == []
        harness.run(journal)
        lobby.do(Guest(heard.append), other)
        harness.run(journal)
        events: list[Event] = list(journal.read("match-1"))
        assert fold(events) == lobby.table("match-1").match
    with harness.open(tmp_path) as journal:
        lobby = Lobby(journal, ManualClock(), ScriptedDealer(), CountedNames())
        assert lobby.recover() == (1, 0)
        harness.run(journal)
        assert lobby.table("match-1").match.status is Status.PLAYING
        assert fold(journal.read("match-1")) == lobby.table("match-1").match


def test_a_journal_that_starts_where_nothing_can_be_stored_says_so_at_once_and_when_it_can_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(log: SqliteLog, batch: object) -> None:
        log._connection.execute("BEGIN")
        raise sqlite3.OperationalError("database or disk is full")

    failures: list[Exception] = []
    posted: Queue[tuple[Any, ...]] = Queue()
    with monkeypatch.context() as patch:
        patch.setattr(SqliteLog, "write", no_room)
        journal = SqliteJournal(tmp_path, lambda *call: posted.put(call), failures.append)
        assert journal.failing
        assert [str(failure) for failure in failures] == ["database or disk is full"]
        assert not journal._writer.in_transaction
    journal.probe()
    call, *arguments = posted.get(timeout=10)
    call(*arguments)
    assert not journal.failing
    journal.close()


def test_an_error_for_a_peer_does_not_contain_the_path_of_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = SqliteJournal(tmp_path, lambda call, *arguments: None)

    def no_file(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("boardwire.store.archive.sqlite3.connect", no_file)
    for read in (journal.unfinished, lambda: journal.newest(None, 1), lambda: journal.read("x")):
        with pytest.raises(Unavailable) as reason:
            read()
        assert str(reason.value) == "the journal cannot be read at the moment"
    journal.close()


LISTS = (
    MatchFilter(), MatchFilter("tris"), MatchFilter("forza"), MatchFilter(over=True), MatchFilter(over=False),
    MatchFilter("tris", over=True), MatchFilter("forza", over=False), MatchFilter(player="ann"),
    MatchFilter("tris", "eve"), MatchFilter("tris", "nobody", True),
)  # fmt: skip


@pytest.mark.parametrize("wanted", LISTS, ids=str)
def test_a_page_of_a_list_costs_the_same_however_many_matches_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: MatchFilter
) -> None:
    """Ann has played every match, Eve the first one; one in a hundred is of Forza Quattro, one is not over, and the
    last quarter is private."""
    connect, steps = sqlite3.connect, 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    def counted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **named)
        connection.set_progress_handler(count, 1)
        return connection

    costs = []
    for size in (200, 2000):
        harness, place = Harness(), tmp_path / str(size)
        with harness.open(place) as journal:
            for number in range(size):
                name = f"m{number}"
                first = replace(opening(name), game="forza@1" if number % 100 == 50 else "tris@1",
                                code="code" if number > size * 3 // 4 else "")  # fmt: skip
                players = [Player("ann"), Player("eve" if number == 0 else "bob")]
                joined = [Joined(1.0, seat, player) for seat, player in enumerate(players)]
                journal.append(name, 1, [first, *joined, *([] if number == 150 else [END])], lambda result: None)
            harness.run(journal)
            monkeypatch.setattr(sqlite3, "connect", counted)
            for before in (None, size // 2):
                steps = 0
                journal.list_public(wanted, before, 3)
                costs.append(steps)
            monkeypatch.setattr(sqlite3, "connect", connect)
    assert max(costs[2:]) <= max(costs[:2]) + 60
