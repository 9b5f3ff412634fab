"""Copy the records of a store to another, empty one: from a directory to a database, or back.

- All components are copied, each in the format that it has in the source.  The server that opens the target runs the
  missing migrations; the source is not changed.
- Numbers stay the same, and the next ones follow the last that the source has given, also if its row is deleted.
- A database is filled in the transaction of its caller.  A directory gets a file beside its records, which
  `finish_directory` puts into their place.
- Target tables that a server has made and left empty are made again.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from boardwire.errors import ConfigError, Unavailable
from boardwire.records import postgres, sqlite
from boardwire.records.records import COMPONENTS, Row, run_migrations
from boardwire.records.sqlite import RECORDS_FILE
from boardwire.store.postgres import connect, writing

Components: TypeAlias = Mapping[str, Sequence[str]]
"""Migrations by component."""

BATCH_ROWS: Final = 5000
"""Rows that are inserted at a time."""
_UNFINISHED: Final = f"{RECORDS_FILE}.unfinished"
_SIDE_FILES: Final = (f"{RECORDS_FILE}-wal", f"{RECORDS_FILE}-shm")
_TABLE: Final = re.compile(r"CREATE TABLE (\w+) \((.*?)\)\s*;", re.DOTALL)
_SERIAL: Final = re.compile(r"(\w+) \{serial\}")


def tables_of(migrations: Iterable[str]) -> dict[str, str]:
    """Return the tables that migrations make, with the name of their numbered column, or ''."""
    found = {}
    for script in migrations:
        for name, body in _TABLE.findall(script):
            serial = _SERIAL.search(body)
            found[name] = "" if serial is None else serial[1]
    return found


class CopiedRecords(NamedTuple):
    """Numbers of copied accounts, tournaments, and rows in all."""

    accounts: int = 0
    tournaments: int = 0
    rows: int = 0


class _Side(Protocol):
    """Records that are read or written."""

    def version(self, component: str, /) -> int:
        """Return the number of migrations of a component; 0: it has none."""

    def columns(self, table: str, /) -> list[str]: ...
    def rows(self, table: str, columns: str, /) -> Iterator[Row]: ...
    def last(self, table: str, serial: str, /) -> int:
        """Return the last number that was given to a row; 0: none."""

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row], /) -> None: ...
    def set_last(self, table: str, serial: str, number: int, /) -> None: ...
    def run(self, sql: str, /) -> None: ...
    def migrate(self, component: str, migrations: Sequence[str], /) -> None: ...


class _SqliteSide:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def version(self, component: str) -> int:
        if "record_components" not in self._tables:
            return 0
        find = "SELECT version FROM record_components WHERE name = ?"
        row = self._connection.execute(find, (component,)).fetchone()
        return 0 if row is None else int(row[0])

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]

    def rows(self, table: str, columns: str) -> Iterator[Row]:
        yield from self._connection.execute(f"SELECT {columns} FROM {table}")

    def last(self, table: str, serial: str) -> int:
        (highest,) = self._connection.execute(f"SELECT coalesce(max({serial}), 0) FROM {table}").fetchone()
        if "sqlite_sequence" in self._tables:
            row = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
            highest = max(highest, 0 if row is None else row[0])
        return int(highest)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(columns))
        self._connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)

    def set_last(self, table: str, serial: str, number: int) -> None:
        self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))

    def run(self, sql: str) -> None:
        self._connection.execute(sql)

    def migrate(self, component: str, migrations: Sequence[str]) -> None:
        run_migrations(sqlite.SqliteTransaction(self._connection), sqlite.script, component, migrations)


class _PostgresSide:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def version(self, component: str) -> int:
        if self._connection.execute("SELECT to_regclass('boardwire.record_components')").fetchone() == (None,):
            return 0
        find = "SELECT version FROM boardwire.record_components WHERE name = %s"
        row = self._connection.execute(find, (component,)).fetchone()
        return 0 if row is None else int(row[0])

    def columns(self, table: str) -> list[str]:
        find = (
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'boardwire' AND table_name = %s"
            " ORDER BY ordinal_position"
        )
        return [name for (name,) in self._connection.execute(find, (table,)).fetchall()]

    def rows(self, table: str, columns: str) -> Iterator[Row]:
        with self._connection.cursor(name=f"copy_{table}") as cursor:
            cursor.itersize = BATCH_ROWS
            cursor.execute(f"SELECT {columns} FROM boardwire.{table}")
            yield from cursor

    def last(self, table: str, serial: str) -> int:
        query = "SELECT pg_get_serial_sequence(%s, %s)"
        (sequence,) = self._connection.execute(query, (f"boardwire.{table}", serial)).fetchone()
        (number,) = self._connection.execute(
            f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"
        ).fetchone()
        return int(number)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        with self._connection.cursor().copy(f"COPY boardwire.{table} ({', '.join(columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(postgres.storable(row))

    def set_last(self, table: str, serial: str, number: int) -> None:
        query = "SELECT setval(pg_get_serial_sequence(%s, %s), %s)"
        self._connection.execute(query, (f"boardwire.{table}", serial, number))

    def run(self, sql: str) -> None:
        self._connection.execute(sql)

    def migrate(self, component: str, migrations: Sequence[str]) -> None:
        run_migrations(postgres.PostgresTransaction(self._connection), postgres.script, component, migrations)


def copy_records(source: Path | str, target: Path | Any, components: Components) -> CopiedRecords:
    """Copy all records of a directory or of the database at an address.

    The target is a directory, which needs `finish_directory` then, or an open connection to a database, in a
    transaction.  Raises `ConfigError` if it has records already.
    """
    with _reading(source) as reader:
        if reader is None:
            return CopiedRecords()
        if isinstance(target, Path):
            return _into_directory(reader, target, components)
        target.execute("SET LOCAL search_path = boardwire")
        copied = _copy(reader, _PostgresSide(target), components, "the database")
        target.execute("SET LOCAL search_path TO DEFAULT")
        return copied


@contextmanager
def _reading(place: Path | str) -> Iterator[_Side | None]:
    if isinstance(place, Path):
        file = place / RECORDS_FILE
        if not file.exists():
            yield None
            return
        try:
            with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                connection.execute("BEGIN")
                yield _SqliteSide(connection)
        except sqlite3.Error as error:
            raise Unavailable(f"the records in {place} cannot be copied: {error}") from error
    else:
        with writing(), closing(connect(place)) as database, database.transaction():
            database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield _PostgresSide(database)


def _into_directory(reader: _Side, directory: Path, components: Components) -> CopiedRecords:
    existing, unfinished = directory / RECORDS_FILE, directory / _UNFINISHED
    try:
        if existing.exists():
            with closing(sqlite3.connect(f"{existing.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                _refuse_rows(_SqliteSide(connection), components, str(directory))
        unfinished.unlink(missing_ok=True)
        sqlite.create_private(unfinished)
        try:
            with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode = OFF")  # a failed copy is deleted anyway
                connection.execute("BEGIN")
                copied = _copy(reader, _SqliteSide(connection), components, str(directory))
                connection.execute("COMMIT")
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"cannot store records in {directory}: {error}") from error
    return copied


def finish_directory(directory: Path) -> None:
    """Put the copied records of a directory into their place, durably."""
    unfinished = directory / _UNFINISHED
    if not unfinished.exists():
        return
    try:
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        for name in _SIDE_FILES:
            (directory / name).unlink(missing_ok=True)
        unfinished.replace(directory / RECORDS_FILE)
    except OSError as error:
        raise Unavailable(f"cannot store records in {directory}: {error}") from error


def discard_unfinished(directory: Path) -> None:
    """Remove the copied records of a directory that `finish_directory` has not put into their place."""
    (directory / _UNFINISHED).unlink(missing_ok=True)


def _refuse_rows(side: _Side, components: Components, place: str) -> None:
    for component, migrations in components.items():
        for table in tables_of(migrations[: side.version(component)]):
            if next(side.rows(table, "1"), None) is not None:
                raise ConfigError(f"{place} already has records of {component}; copying needs an empty store")


def _copy(reader: _Side, writer: _Side, components: Components, place: str) -> CopiedRecords:
    _refuse_rows(writer, components, place)
    writer.run(COMPONENTS)
    counts: dict[str, int] = {}
    for component, migrations in components.items():
        version = reader.version(component)
        if version > len(migrations):
            known = f"format {version}; this one knows {len(migrations)}"
            raise Unavailable(f"the {component} were written by a newer boardwire ({known})")
        if not version:
            continue
        if writer.version(component) != version:
            for table in tables_of(migrations[: writer.version(component)]):
                writer.run(f"DROP TABLE {table}")
            writer.run(f"DELETE FROM record_components WHERE name = '{component}'")
            writer.migrate(component, migrations[:version])
        for table, serial in tables_of(migrations[:version]).items():
            counts[table] = _copy_table(reader, writer, table, serial)
    return CopiedRecords(counts.get("players", 0), counts.get("tournaments", 0), sum(counts.values()))


def _copy_table(reader: _Side, writer: _Side, table: str, serial: str) -> int:
    columns = reader.columns(table)
    rows = reader.rows(table, ", ".join(columns))
    count = 0
    while batch := list(islice(rows, BATCH_ROWS)):
        writer.insert(table, columns, batch)
        count += len(batch)
    if serial and (last := reader.last(table, serial)):
        writer.set_last(table, serial, last)
    return count
