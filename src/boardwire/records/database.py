"""The backend of a PostgreSQL database: its store, and its records in the same schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from boardwire.records import postgres
from boardwire.records.postgres import PostgresRecords
from boardwire.records.records import Row, run_migrations
from boardwire.records.transfer import BATCH_ROWS, Components
from boardwire.store.database import DatabaseStore
from boardwire.store.postgres import connect, writing


class DatabaseBackend(DatabaseStore):
    """The store and the records of a PostgreSQL database."""

    def records(self) -> PostgresRecords:
        """Open the records; create them if there are none."""
        return PostgresRecords(self.address)

    def require_records(self) -> None:
        """Do nothing: a database without records gets empty ones."""

    def record_rows(self, table: str, query: str) -> Sequence[Row]:
        """Return the rows of a query, without creating records; none if the table does not exist."""
        with writing(), closing(connect(self.address)) as database, database.transaction():
            if database.execute("SELECT to_regclass(%s)", (f"boardwire.{table}",)).fetchone() == (None,):
                return ()
            database.execute("SET LOCAL search_path = boardwire")
            rows: list[Row] = database.execute(query.encode()).fetchall()
            return rows

    @contextmanager
    def reading_records(self) -> Iterator[PostgresEndpoint | None]:
        """Open the records for a copy."""
        with writing(), closing(connect(self.address)) as database, database.transaction():
            database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield PostgresEndpoint(database)

    @contextmanager
    def writing_records(self, opened: Any, components: Components) -> Iterator[PostgresEndpoint]:
        """Write the records in the transaction of `opened`, the connection to which the matches are copied."""
        opened.execute("SET LOCAL search_path = boardwire")
        yield PostgresEndpoint(opened)
        opened.execute("SET LOCAL search_path TO DEFAULT")


class PostgresEndpoint:
    """Records of a PostgreSQL database as one end of a copy."""

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

    def last_number(self, table: str, serial: str) -> int:
        query = "SELECT pg_get_serial_sequence(%s, %s)"
        (sequence,) = self._connection.execute(query, (f"boardwire.{table}", serial)).fetchone()
        (number,) = self._connection.execute(
            f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"
        ).fetchone()
        return int(number)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        with self._connection.cursor().copy(f"COPY boardwire.{table} ({', '.join(columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(postgres.without_nul(row))

    def set_last_number(self, table: str, serial: str, number: int) -> None:
        query = "SELECT setval(pg_get_serial_sequence(%s, %s), %s)"
        self._connection.execute(query, (f"boardwire.{table}", serial, number))

    def run(self, sql: str) -> None:
        self._connection.execute(sql)

    def migrate(self, component: str, migrations: Sequence[str]) -> None:
        run_migrations(postgres.PostgresTransaction(self._connection), postgres.script, component, migrations)
