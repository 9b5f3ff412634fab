"""The backend of a data directory: its store, and its records in an SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

from boardwire.errors import Refused, Unavailable
from boardwire.records import sqlite
from boardwire.records.records import Row, run_migrations
from boardwire.records.sqlite import RECORDS_FILE, SqliteRecords
from boardwire.records.transfer import Components, refuse_rows
from boardwire.store.directory import DirectoryStore

_UNFINISHED: Final = f"{RECORDS_FILE}.unfinished"
_SIDE_FILES: Final = (f"{RECORDS_FILE}-wal", f"{RECORDS_FILE}-shm")


class DirectoryBackend(DirectoryStore):
    """The store and the records of a data directory."""

    def records(self) -> SqliteRecords:
        """Open the records; create them if there are none."""
        return SqliteRecords(self.directory)

    def require_records(self) -> None:
        """Raise `Refused` if there are no records."""
        if not (self.directory / RECORDS_FILE).is_file():
            raise Refused(
                f"{self.directory} has no {RECORDS_FILE}; pass the --data directory of a server that has run before"
            )

    def record_rows(self, table: str, query: str) -> Sequence[Row]:
        """Return the rows of a query, without creating records; none if the table does not exist."""
        with self.reading_records() as side:
            return side.query(table, query) if side is not None else ()

    @contextmanager
    def reading_records(self) -> Iterator[SqliteEndpoint | None]:
        """Open the records for a copy, or yield None if there are none."""
        file = self.directory / RECORDS_FILE
        if not file.exists():
            yield None
            return
        try:
            with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                connection.execute("BEGIN")
                yield SqliteEndpoint(connection)
        except sqlite3.Error as error:
            raise Unavailable(f"cannot read the records in {self.directory}: {error}") from error

    @contextmanager
    def writing_records(self, opened: Any, components: Components) -> Iterator[SqliteEndpoint]:
        """Open a new file for a copy, which `writing` moves into place after that of the matches."""
        existing, unfinished = self.directory / RECORDS_FILE, self.directory / _UNFINISHED
        try:
            if existing.exists():
                with closing(sqlite3.connect(f"{existing.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                    refuse_rows(SqliteEndpoint(connection), components, self.label)
            sqlite.create_private(unfinished)
            with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode = OFF")  # a failed copy is deleted anyway
                connection.execute("BEGIN")
                yield SqliteEndpoint(connection)
                connection.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise Unavailable(f"cannot write the records in {self.directory}: {error}") from error

    def _finish_records(self) -> None:
        unfinished = self.directory / _UNFINISHED
        if not unfinished.exists():
            return
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        for name in _SIDE_FILES:
            (self.directory / name).unlink(missing_ok=True)
        unfinished.replace(self.directory / RECORDS_FILE)

    def _discard_records(self) -> None:
        (self.directory / _UNFINISHED).unlink(missing_ok=True)


class SqliteEndpoint:
    """Records of a data directory as one end of a copy."""

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

    def last_number(self, table: str, serial: str) -> int:
        (highest,) = self._connection.execute(f"SELECT coalesce(max({serial}), 0) FROM {table}").fetchone()
        if "sqlite_sequence" in self._tables:
            row = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
            highest = max(highest, 0 if row is None else row[0])
        return int(highest)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(columns))
        self._connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)

    def set_last_number(self, table: str, serial: str, number: int) -> None:
        self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))

    def run(self, sql: str) -> None:
        self._connection.execute(sql)

    def migrate(self, component: str, migrations: Sequence[str]) -> None:
        run_migrations(sqlite.SqliteTransaction(self._connection), sqlite.script, component, migrations)

    def query(self, table: str, query: str) -> list[Row]:
        """Return the rows of a query about a table; none if the table does not exist."""
        return self._connection.execute(query).fetchall() if table in self._tables else []
