"""The contract of records: the same over memory, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from boardwire.errors import Reason, Unavailable
from boardwire.records import records as module
from boardwire.records.postgres import translate
from boardwire.records.records import Records, Transaction
from boardwire.records.sqlite import RECORDS_FILE, SqliteRecords

FIRST = "CREATE TABLE pets (id {serial}, name TEXT NOT NULL UNIQUE, weight DOUBLE PRECISION NOT NULL, photo BYTEA);"
SECOND = "ALTER TABLE pets ADD COLUMN legs BIGINT NOT NULL DEFAULT 4; CREATE INDEX pets_by_legs ON pets (legs);"


def insert(name: str, weight: float = 1.0) -> Callable[[Transaction], int]:
    def work(db: Transaction) -> int:
        row = db.one("INSERT INTO pets (name, weight) VALUES (?, ?) RETURNING id", name, weight)
        assert row is not None
        return int(row[0])

    return work


def names(records: Records) -> list[str]:
    return [name for (name,) in records.read(lambda db: db.all("SELECT name FROM pets ORDER BY id"))]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_reads_the_files_of_the_records(tmp_path: Path) -> None:
    records = SqliteRecords(tmp_path)
    records.migrate("pets", [FIRST])
    records.write_now(insert("Rex"))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    records.close()
    assert RECORDS_FILE in modes
    assert set(modes.values()) == {0o600}


def test_a_component_runs_only_its_missing_migrations(records: Records) -> None:
    assert records.migrate("pets", [FIRST]) == 1
    records.write_now(insert("Rex"))
    assert records.migrate("pets", [FIRST, SECOND]) == 1
    assert records.migrate("pets", [FIRST, SECOND]) == 0
    assert records.migrate("toys", ["CREATE TABLE toys (id {serial}, name TEXT);"]) == 1
    assert records.read(lambda db: db.all("SELECT name, legs FROM pets")) == [("Rex", 4)]


def test_records_of_a_newer_program_are_refused(records: Records) -> None:
    records.migrate("pets", [FIRST, SECOND])
    with pytest.raises(Unavailable, match=r"newer boardwire \(format 2; this version supports up to 1\)"):
        records.migrate("pets", [FIRST])


def test_a_migration_that_fails_leaves_nothing(records: Records) -> None:
    with pytest.raises(Exception):  # noqa: B017 - each database has its own
        records.migrate("pets", [FIRST, "CREATE TABLE pets (id {serial});"])
    assert records.migrate("pets", [FIRST]) == 1


def test_values_of_every_type_are_read_as_they_were_written(records: Records) -> None:
    records.migrate("pets", [FIRST])
    row = ("Größe 100 % ?", 0.1 + 0.2, bytes(range(256)))
    records.write_now(lambda db: db.run("INSERT INTO pets (name, weight, photo) VALUES (?, ?, ?)", *row))
    assert records.read(lambda db: db.one("SELECT name, weight, photo FROM pets")) == row


def test_a_write_that_raises_changes_nothing(records: Records) -> None:
    records.migrate("pets", [FIRST])

    def work(db: Transaction) -> None:
        insert("Rex")(db)
        raise LookupError("no")

    with pytest.raises(LookupError):
        records.write_now(work)
    assert names(records) == []
    records.write_now(insert("Tom"))
    assert names(records) == ["Tom"]


def test_a_row_that_exists_is_detected_without_an_error(records: Records) -> None:
    records.migrate("pets", [FIRST])
    add = "INSERT INTO pets (name, weight) VALUES (?, ?) ON CONFLICT DO NOTHING"
    assert [records.write_now(lambda db: db.run(add, "Rex", 1.0)) for _ in range(2)] == [1, 0]


def test_many_rows_are_written_at_once(records: Records) -> None:
    records.migrate("pets", [FIRST])
    rows = [(f"pet {number}", float(number)) for number in range(100)]
    records.write_now(lambda db: db.many("INSERT INTO pets (name, weight) VALUES (?, ?)", rows))
    assert names(records) == [name for name, _ in rows]


def test_coroutines_write_and_get_the_result(records: Records) -> None:
    records.migrate("pets", [FIRST])
    assert asyncio.run(records.write(insert("Rex"))) == 1


def test_submitted_writes_are_done_in_order_before_the_records_close(reopen: Callable[[], Records]) -> None:
    records = reopen()
    records.migrate("pets", [FIRST])
    done: list[int] = []
    for number in range(20):
        records.submit(insert(f"pet {number}"), done.append)
    records.close()
    assert len(done) == 20
    assert names(reopen()) == [f"pet {number}" for number in range(20)]


def test_writes_of_two_processes_are_serial(reopen: Callable[[], Records]) -> None:
    one, other = reopen(), reopen()
    one.migrate("pets", [FIRST])
    one.write_now(insert("Rex", 0.0))

    def grow(db: Transaction) -> None:
        row = db.one("SELECT weight FROM pets")
        assert row is not None
        db.run("UPDATE pets SET weight = ?", row[0] + 1)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda records: [records.write_now(grow) for _ in range(25)], (one, other)))
    assert one.read(lambda db: db.one("SELECT weight FROM pets")) == (50.0,)


def test_readers_do_not_wait_for_a_writer(reopen: Callable[[], Records]) -> None:
    records = reopen()
    records.migrate("pets", [FIRST])
    inside, finish = threading.Event(), threading.Event()

    def work(db: Transaction) -> None:
        insert("Rex")(db)
        inside.set()
        assert finish.wait(10)

    records.submit(work)
    assert inside.wait(10)
    assert names(records) == []
    finish.set()
    records.write_now(lambda db: None)
    assert names(records) == ["Rex"]


def test_too_many_waiting_writes_are_refused(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING_WRITES", 3)
    inside, finish = threading.Event(), threading.Event()

    def work(db: Transaction) -> None:
        inside.set()
        assert finish.wait(10)

    for _ in range(3):
        records.submit(work)
    assert inside.wait(10)
    with pytest.raises(Unavailable, match="3 writes are already waiting"):
        records.write_now(lambda db: None)
    finish.set()


def test_closed_records_refuse_writes(reopen: Callable[[], Records]) -> None:
    records = reopen()
    records.close()
    with pytest.raises(Unavailable, match="stopping"):
        records.write_now(lambda db: None)


def test_parameters_are_translated_for_postgresql() -> None:
    assert translate("SELECT ? WHERE name LIKE 'a%'") == "SELECT %s WHERE name LIKE 'a%%'"


def test_closing_waits_for_a_reader_of_the_records_in_memory() -> None:
    records = SqliteRecords(None)
    reads, closes = threading.Event(), threading.Event()

    def read(db: Transaction) -> list[tuple[object, ...]]:
        reads.set()
        assert not closes.wait(0.1)
        return db.all("SELECT 1")

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(records.read, read)
        assert reads.wait(10)
        records.close()
        closes.set()
        assert found.result() == [(1,)]
    with pytest.raises(Unavailable, match="stopping"):
        records.read(lambda db: db.all("SELECT 1"))


def test_the_number_of_a_deleted_row_is_not_given_again(records: Records) -> None:
    records.migrate("pets", [FIRST])
    first, second = records.write_now(insert("Rex")), records.write_now(insert("Tom"))
    assert first < second
    records.write_now(lambda db: db.run("DELETE FROM pets WHERE id = ?", second))
    assert records.write_now(insert("Kim")) > second


def test_numbered_tables_of_an_older_program_are_rebuilt_with_rows_and_indexes(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / RECORDS_FILE)) as old:
        old.execute("CREATE TABLE record_components (name TEXT PRIMARY KEY, version BIGINT NOT NULL)")
        old.execute("INSERT INTO record_components VALUES ('pets', 2)")
        for statement in (FIRST + SECOND).replace("{serial}", "INTEGER PRIMARY KEY").split(";"):
            old.execute(statement)
        old.execute("INSERT INTO pets (id, name, weight, photo) VALUES (7, 'Rex', 1.5, x'00ff')")
        old.commit()
    index = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'pets' AND sql IS NOT NULL"
    for _ in range(2):  # the second time there is nothing to do
        records = SqliteRecords(tmp_path)
        assert records.migrate("pets", [FIRST, SECOND]) == 0
        assert records.read(lambda db: db.all("SELECT * FROM pets")) == [(7, "Rex", 1.5, b"\0\xff", 4)]
        (sql,) = records.read(lambda db: db.one("SELECT sql FROM sqlite_master WHERE name = 'pets'")) or ("",)
        assert "AUTOINCREMENT" in sql
        assert records.read(lambda db: db.all(index)) == [("pets_by_legs",)]
        records.close()
    records = SqliteRecords(tmp_path)
    records.write_now(lambda db: db.run("DELETE FROM pets"))
    assert records.write_now(insert("Tom")) == 8
    records.close()


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO pets (name, weight) VALUES ('Rex', 1.0), ('Rex', 2.0)",
        "INSERT INTO pets (name, weight) VALUES ('Rex', NULL)",
        "INSERT INTO nowhere VALUES (1)",
        "nonsense",
    ],
)
def test_every_error_of_the_database_is_unavailable(records: Records, sql: str) -> None:
    records.migrate("pets", [FIRST])
    with pytest.raises(Unavailable, match=r"cannot write (the records|to the database): ") as raised:
        records.write_now(lambda db: db.run(sql))
    assert raised.value.reason is Reason.UNAVAILABLE
    records.write_now(insert("Tom"))
    assert names(records) == ["Tom"]


def test_a_faulty_read_is_unavailable(records: Records) -> None:
    with pytest.raises(Unavailable):
        records.read(lambda db: db.all("SELECT * FROM nowhere"))
    assert records.read(lambda db: db.all("SELECT 1")) == [(1,)]
