"""Records in SQLite: a file beside the journal's, or in memory for a server that stores nothing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from boardwire.errors import Reason, Unavailable
from boardwire.records.records import Records, Row, Work

RECORDS_FILE: Final = "players.sqlite3"
"""Name of the file in the data directory."""
BUSY_SECONDS: Final = 5.0
"""How long a write waits for another process, such as `boardwire admin`."""
IDLE_READERS: Final = 8
"""Idle connections that are kept for the next reader."""

_REUSED_SERIAL: Final = "INTEGER PRIMARY KEY"
_SERIAL: Final = f"{_REUSED_SERIAL} AUTOINCREMENT"
"""Without AUTOINCREMENT, SQLite reuses the number of a deleted last row: a request about a deleted token or challenge
would then concern another one."""

T = TypeVar("T")


class SqliteTransaction:
    """A transaction of an SQLite connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, /, *values: object) -> list[Row]:
        return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, /, *values: object) -> Row | None:
        cursor = self._connection.execute(sql, values)
        row: Row | None = cursor.fetchone()
        cursor.close()
        return row

    def all_with_columns(self, sql: str, /, *values: object) -> tuple[list[str], list[Row]]:
        cursor = self._connection.execute(sql, values)
        return [column[0] for column in cursor.description], cursor.fetchall()

    def run(self, sql: str, /, *values: object) -> int:
        return self._connection.execute(sql, values).rowcount

    def many(self, sql: str, rows: Iterable[Sequence[object]], /) -> None:
        self._connection.executemany(sql, rows)


def script(text: str) -> str:
    """Return a migration in the SQL of SQLite."""
    return text.replace("{serial}", _SERIAL).replace("BYTEA", "BLOB")


class SqliteRecords(Records):
    """Records in the file `players.sqlite3` of a directory, or in memory for None."""

    def __init__(self, directory: Path | None) -> None:
        super().__init__()
        self._file = None if directory is None else directory / RECORDS_FILE
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = Lock()
        self._memory = Lock()
        """Held by each transaction in memory, where readers and the writer share one connection."""
        with _errors("open"):
            if self._file is not None:
                try:
                    self._file.parent.mkdir(parents=True, exist_ok=True)
                    create_private(self._file)
                except OSError as error:
                    raise sqlite3.OperationalError(str(error)) from error
            self._connection = self._connect()
            with _transaction(self._connection, "BEGIN IMMEDIATE"):
                _rebuild_serials(self._connection)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._file or ":memory:", timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def read(self, work: Work[T], /) -> T:
        """Run `work` in a read transaction on this thread and return its result."""
        with _errors("read"), self._reader() as connection, _transaction(connection, "BEGIN"):
            return work(SqliteTransaction(connection))

    def _transact(self, work: Work[T], /) -> T:
        with _errors("write"), self._memory, _transaction(self._connection, "BEGIN IMMEDIATE"):
            return work(SqliteTransaction(self._connection))

    def _script(self, text: str, /) -> str:
        return script(text)

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading, an idle one if there is one; one that raised is closed."""
        if self._closed:
            raise Unavailable("the server is stopping", reason=Reason.UNAVAILABLE)
        if self._file is None:
            with self._memory:
                if self._closed:
                    raise Unavailable("the server is stopping", reason=Reason.UNAVAILABLE)
                yield self._connection
            return
        with self._idle_lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._idle_lock:
            if len(self._idle) < IDLE_READERS and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Finish the waiting writes and close all connections."""
        super().close()
        with self._idle_lock:
            idle, self._idle = self._idle, []
        with self._memory:  # a reader on another thread may be using it: closing it then would crash the process
            for connection in (*idle, self._connection):
                connection.close()


def _rebuild_serials(connection: sqlite3.Connection) -> None:
    """Rebuild the numbered tables that were created without AUTOINCREMENT, in the caller's transaction."""
    find = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%' || ? || '%' AND sql NOT LIKE ?"
    for name, sql in connection.execute(find, (_REUSED_SERIAL, f"%{_SERIAL}%")).fetchall():
        index = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type = 'index' AND sql IS NOT NULL"
        indices = [row[0] for row in connection.execute(index, (name,))]
        connection.execute(sql.replace(name, f"{name}_numbered", 1).replace(_REUSED_SERIAL, _SERIAL))
        connection.execute(f"INSERT INTO {name}_numbered SELECT * FROM {name}")
        connection.execute(f"DROP TABLE {name}")
        connection.execute(f"ALTER TABLE {name}_numbered RENAME TO {name}")
        for create_index in indices:
            connection.execute(create_index)


def create_private(file: Path) -> None:
    """Create a file that only its owner may read; an existing one keeps its permissions.

    SQLite applies the permissions of the database to the files that it writes beside it.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself after some errors
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def _errors(verb: str) -> Iterator[None]:
    """Convert all errors of the database to `Unavailable`."""
    try:
        yield
    except sqlite3.Error as error:
        raise Unavailable(f"cannot {verb} the records: {error}", reason=Reason.UNAVAILABLE) from error
