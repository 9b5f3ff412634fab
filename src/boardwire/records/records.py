"""The contract of records: SQL in transactions, the same over SQLite and PostgreSQL.

- A **component** (`players`, for example) owns its tables and appends its own numbered migrations.
- `read` runs on the calling thread: use it on reader threads, never on the event loop.
- Writes are serial: one transaction at a time, over all processes and nodes that share the records, so a function may
  read, compute and write without another lock. `write` is for coroutines, `submit` for other code on the event
  loop, `write_now` for commands and reader threads.
- A function that raises is rolled back, and its error is raised to the caller. Every error of a database is raised as
  `Unavailable`. If the connection to it breaks, the result is unknown: make a write that matters idempotent and
  repeat it.
- The SQL is portable: parameters are `?`; types are TEXT, BIGINT, DOUBLE PRECISION and BYTEA; `{serial}` is a numbered
  primary key, and `INSERT ... RETURNING` gives its value. A number is never reused, even after its row is deleted.
  `INSERT ... ON CONFLICT DO NOTHING` detects what exists.
- Table names must not collide with those of other components or, in PostgreSQL, of the journal: begin them with the
  component's name.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import structlog

from boardwire.errors import BoardwireError, Reason, Unavailable

log = structlog.get_logger("boardwire.records")

MAX_WAITING_WRITES: Final = 1000
"""Writes that may wait for the writer thread; further ones are refused."""

COMPONENTS: Final = "CREATE TABLE IF NOT EXISTS record_components (name TEXT PRIMARY KEY, version BIGINT NOT NULL)"
"""Version of each component: the number of its last migration."""

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]


class Transaction(Protocol):
    """An open transaction."""

    def all(self, sql: str, /, *values: object) -> list[Row]:
        """Return all rows of a query."""

    def one(self, sql: str, /, *values: object) -> Row | None:
        """Return the first row of a query, or None."""

    def all_with_columns(self, sql: str, /, *values: object) -> tuple[list[str], list[Row]]:
        """Return the names of the columns of a query, and all rows."""

    def run(self, sql: str, /, *values: object) -> int:
        """Run a statement and return the number of rows that it changed."""

    def many(self, sql: str, rows: Iterable[Sequence[object]], /) -> None:
        """Run a statement for each row of values."""


Work: TypeAlias = Callable[[Transaction], T]
"""A function that runs in a transaction."""


def run_migrations(db: Transaction, translate: Callable[[str], str], component: str, migrations: Sequence[str]) -> int:
    """Run the missing migrations of a component and return how many; `translate` converts their SQL."""
    db.run(COMPONENTS)
    row = db.one("SELECT version FROM record_components WHERE name = ?", component)
    version = 0 if row is None else int(row[0])
    if version > len(migrations):
        versions = f"format {version}; this version supports up to {len(migrations)}"
        raise Unavailable(
            f"the records of {component} were written by a newer boardwire ({versions}); upgrade boardwire"
        )
    for script in migrations[version:]:
        for statement in filter(str.strip, translate(script).split(";")):
            db.run(statement)
    db.run(
        "INSERT INTO record_components VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = ?",
        component, len(migrations), len(migrations),
    )  # fmt: skip
    return len(migrations) - version


class Records(ABC):
    """Records of a server. Subclasses provide `read` and `_transact`; all other methods are shared."""

    def __init__(self) -> None:
        self._writer = ThreadPoolExecutor(1, "records")
        self._waiting = 0
        self._lock = Lock()
        self._closed = False

    @abstractmethod
    def read(self, work: Work[T], /) -> T:
        """Run `work` in a read transaction on this thread and return its result; it must not write."""

    @abstractmethod
    def _transact(self, work: Work[T], /) -> T:
        """Run `work` in a write transaction on this thread, which is the writer."""

    @abstractmethod
    def _script(self, text: str, /) -> str:
        """Return a migration in this database's SQL."""

    def migrate(self, component: str, migrations: Sequence[str]) -> int:
        """Run the missing migrations of a component and return how many.

        A migration is a script of statements that end with `;` and do not contain it otherwise. Released migrations
        never change; new ones are appended. Raises `Unavailable` for a newer format.
        """
        return self.write_now(lambda db: run_migrations(db, self._script, component, migrations))

    async def write(self, work: Work[T], /) -> T:
        """Run `work` in a write transaction on the writer thread and return its result."""
        return await asyncio.wrap_future(self._enqueue(work))

    def write_now(self, work: Work[T], /) -> T:
        """Run `work` in a write transaction on the writer thread and wait for it; not on the event loop."""
        return self._enqueue(work).result()

    def submit(self, work: Work[T], done: Callable[[T], None] | None = None, /) -> None:
        """Run `work` in a write transaction later; an error is logged. `done` gets the result on the writer thread."""

        def settle(future: Future[T]) -> None:
            error = future.exception()
            if error is not None:
                log.error("cannot write the records", error=str(error) or repr(error))
            elif done is not None:
                done(future.result())

        try:
            self._enqueue(work).add_done_callback(settle)
        except BoardwireError as error:
            log.error("cannot write the records", error=str(error))

    @property
    def waiting(self) -> int:
        """Number of writes that wait or run."""
        return self._waiting

    def _enqueue(self, work: Work[T]) -> Future[T]:
        """Queue work for the writer thread; raise `Unavailable` if too much is waiting or the records are closed."""
        with self._lock:
            if self._closed:
                raise Unavailable("the server is stopping", reason=Reason.UNAVAILABLE)
            if self._waiting >= MAX_WAITING_WRITES:
                message = f"{MAX_WAITING_WRITES} writes are already waiting; try again in a moment"
                raise Unavailable(message, reason=Reason.UNAVAILABLE)
            self._waiting += 1
        future = self._writer.submit(self._transact, work)
        future.add_done_callback(self._count_finished)
        return future

    def _count_finished(self, _: Future[Any]) -> None:
        with self._lock:
            self._waiting -= 1

    def close(self) -> None:
        """Finish the waiting writes and release all resources."""
        with self._lock:
            self._closed = True
        self._writer.shutdown()
