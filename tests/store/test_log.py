"""The log of the SQLite store: entries, where the last part of a match is found, and who else writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from boardwire.games.game import Outcome
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.group_commit import Append
from boardwire.store.log import ENTRY_BYTES, LAST_UPDATE_ENTRIES, SqliteLog
from boardwire.store.match_facts import Facts
from boardwire.store.schema import migrate
from boardwire.table.events import Chatted, Ended, Event, Opened, encode
from boardwire.table.policy import Policy
from boardwire.table.ports import AppendResult

STORED, FAILED, SUPERSEDED = AppendResult
END = Ended(9.0, Outcome("abandoned"))


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / DATABASE_FILE, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    migrate(connection)
    yield connection
    connection.close()


def opening(match: str) -> Opened:
    return Opened(1.0, match, "tris@1", 2, {}, Policy())


def said(number: int, size: int = 1) -> Chatted:
    return Chatted(float(number), 0, "x" * size)


def append(match: str, first: int, *events: Event) -> Append:
    return Append(match, first, [encode(event) for event in events], type(events[-1]) is Ended, lambda result: None)


def entries(connection: sqlite3.Connection) -> list[int]:
    return [number for (number,) in connection.execute("SELECT number FROM log ORDER BY number")]


def events(directory: Path, match: str, after: int = 0) -> list[Event]:
    with Archive(directory) as archive:
        return archive.events(match, after)


def test_one_commit_is_one_entry_at_the_end(connection: sqlite3.Connection) -> None:
    log = SqliteLog(connection)
    log.write([append("a", 1, opening("a")), append("b", 1, opening("b"))])
    log.write([append("b", 2, said(1)), append("a", 2, said(1)), append("b", 3, said(2))])
    assert entries(connection) == [1, 2]


def test_a_long_copy_is_divided_between_matches(connection: sqlite3.Connection, tmp_path: Path) -> None:
    log = SqliteLog(connection)
    names = [f"m{number}" for number in range(7)]
    log.write([append(name, 1, opening(name), said(1, ENTRY_BYTES // 3)) for name in names])
    assert entries(connection) == [1, 2, 3, 4]
    longest = max(size for (size,) in connection.execute("SELECT length(body) FROM log"))
    assert longest <= ENTRY_BYTES
    assert all(events(tmp_path, name) == [opening(name), said(1, ENTRY_BYTES // 3)] for name in names)
    log.write([append(name, 3, *[said(number, ENTRY_BYTES // 2) for number in range(9)]) for name in names])
    assert len(entries(connection)) == 4 + 7, "what is appended together stays together"
    assert all(len(events(tmp_path, name)) == 11 for name in names)


def test_the_statements_of_a_commit_do_not_grow_with_its_matches(connection: sqlite3.Connection) -> None:
    log = SqliteLog(connection)
    facts = [Facts(game="tris@1", keys=(f"key{number}",), names=(f"name{number}",)) for number in range(30)]

    def statements(appends: list[Append]) -> int:
        executed: list[str] = []
        connection.set_trace_callback(executed.append)
        assert set(log.write(appends)) == {STORED}
        connection.set_trace_callback(None)
        return len(executed)

    one = statements([replace(append("m", 1, opening("m")), facts=facts[0])])
    many = [replace(append(f"m{number}", 1, opening(f"m{number}")), facts=facts[number]) for number in range(30)]
    assert statements(many) == one
    assert statements([append(f"m{number}", 2, END) for number in range(30)]) == 4
    found = connection.execute("SELECT count(*), sum(ended), max(last), min(last) FROM matches").fetchone()
    assert found == (31, 30, 3, 0)
    assert connection.execute("SELECT count(*) FROM names").fetchone() == (31,)
    assert connection.execute("SELECT count(*) FROM sitters").fetchone() == (31,)


def test_very_many_entries_are_one_commit(connection: sqlite3.Connection, tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(100)]
    SqliteLog(connection).write([append(name, 1, opening(name), said(1, ENTRY_BYTES)) for name in names])
    assert entries(connection) == list(range(1, 101))
    with Archive(tmp_path) as archive:
        assert archive.unfinished() == names


@pytest.mark.parametrize("busy", [False, True], ids=["alone", "beside a busy one"])
@pytest.mark.parametrize(
    "length", [2, LAST_UPDATE_ENTRIES - 2, LAST_UPDATE_ENTRIES, LAST_UPDATE_ENTRIES + 1, 3 * LAST_UPDATE_ENTRIES]
)
def test_a_match_is_found_however_long_ago_it_was_written_to(
    connection: sqlite3.Connection, tmp_path: Path, length: int, busy: bool
) -> None:
    log = SqliteLog(connection)
    log.write([append("quiet", 1, opening("quiet")), append("busy", 1, opening("busy"))])
    log.write([append("quiet", 2, said(1))])
    wanted = [opening("busy")]
    for number in range(2, length):
        log.write([append("busy", number, said(number))])
    assert events(tmp_path, "quiet") == [opening("quiet"), said(1)]
    assert events(tmp_path, "busy") == wanted + [said(number) for number in range(2, length)]
    again = SqliteLog(connection)  # as the next process finds it
    assert again.write([append("quiet", 2, said(1))]) == [SUPERSEDED]
    if busy:
        again.write([append("busy", length, said(length))] if length > 2 else [append("busy", 2, said(2))])
    assert again.write([append("quiet", 3, END)]) == [STORED]
    for number in range(LAST_UPDATE_ENTRIES):
        again.write([append(f"m{number}", 1, opening(f"m{number}"))])
    assert events(tmp_path, "quiet") == [opening("quiet"), said(1), END]


def test_every_part_of_a_match_can_be_read_alone(connection: sqlite3.Connection, tmp_path: Path) -> None:
    log = SqliteLog(connection)
    wanted: list[Event] = [opening("m"), said(2)]
    log.write([append("m", 1, opening("m"), said(2))])
    for number in range(3, 20, 3):
        some = [said(number), said(number + 1), said(number + 2)]
        log.write([append("m", number, *some[:2]), append("m", number + 2, some[2])])
        wanted += some
    for after in range(len(wanted) + 2):
        assert events(tmp_path, "m", after) == wanted[after:]


def test_chat_after_the_end_is_found_too(connection: sqlite3.Connection, tmp_path: Path) -> None:
    log = SqliteLog(connection)
    log.write([append("m", 1, opening("m"), END), append("m", 3, said(3))])
    log.write([append("m", 4, said(4))])
    log = SqliteLog(connection)
    log.write([append("m", 5, said(5))])
    assert events(tmp_path, "m") == [opening("m"), END, said(3), said(4), said(5)]
    with Archive(tmp_path) as archive:
        assert archive.unfinished() == []


def test_a_reader_finds_one_state_however_much_is_written_meanwhile(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    """Between finding where a match ends and reading that, others may write so much that it is noted elsewhere."""
    log = SqliteLog(connection)
    log.write([append("m", 1, opening("m")), append("other", 1, opening("other"))])
    with Archive(tmp_path) as archive:
        read = archive._connection
        read.execute("BEGIN")
        assert read.execute("SELECT last FROM matches WHERE id = 'm'").fetchone() == (0,)
        for number in range(2, LAST_UPDATE_ENTRIES + 9):
            log.write([append("m", number, said(number))])
        assert archive.bodies("m", 0) == [encode(opening("m"))]
        read.rollback()
        assert len(archive.events("m")) == LAST_UPDATE_ENTRIES + 8


def test_the_second_writer_gets_the_matches_that_it_has_lost(connection: sqlite3.Connection, tmp_path: Path) -> None:
    mine = SqliteLog(connection)
    mine.write([append("a", 1, opening("a")), append("b", 1, opening("b"))])
    theirs = SqliteLog(connection)
    assert theirs.write([append("a", 2, said(2)), append("c", 1, opening("c"))]) == [STORED, STORED]
    assert mine.write([append("a", 2, END), append("b", 2, said(2)), append("c", 1, opening("c"))]) == [
        SUPERSEDED, STORED, SUPERSEDED,
    ]  # fmt: skip
    assert theirs.write([append("b", 2, said(3)), append("a", 3, END)]) == [SUPERSEDED, STORED]
    assert events(tmp_path, "a") == [opening("a"), said(2), END]
    assert events(tmp_path, "b") == [opening("b"), said(2)]
    assert entries(connection) == [1, 2, 3, 4]


def test_a_failed_append_leaves_the_log_unchanged(connection: sqlite3.Connection, tmp_path: Path) -> None:
    log = SqliteLog(connection)
    log.write([append("m", 1, opening("m"))])
    connection.execute("PRAGMA query_only = 1")
    for first in (append("m", 2, END), append("n", 1, opening("n"))):
        with pytest.raises(sqlite3.OperationalError):
            log.write([first])
        log.roll_back()
    connection.execute("PRAGMA query_only = 0")
    assert log.write([append("m", 2, said(2)), append("n", 1, opening("n"))]) == [STORED, STORED]
    assert (events(tmp_path, "m"), events(tmp_path, "n")) == ([opening("m"), said(2)], [opening("n")])
