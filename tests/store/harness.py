"""The thread that owns a journal, for tests: calls are posted to it and run when the test says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Event as Flag
from threading import current_thread
from typing import Any

from boardwire.store.group_commit import Append, StoreJournal
from boardwire.store.memory import MemoryJournal
from boardwire.store.postgres import PostgresJournal
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.ports import AppendResult, Journal


class Harness:
    """Collects posted calls; `run` does them, here."""

    def __init__(self) -> None:
        self._calls: Queue[tuple[Callable[..., object], tuple[Any, ...]]] = Queue()
        self.errors: list[Exception] = []

    def post(self, call: Callable[..., object], *arguments: Any) -> None:
        """From any thread."""
        self._calls.put((call, arguments))

    def failed(self, error: Exception) -> None:
        """Note why something could not be stored."""
        self.errors.append(error)

    def run(self, journal: StoreJournal | MemoryJournal) -> None:
        """Do calls until the journal has stored or refused everything."""
        while journal.busy:
            self.step()

    def step(self) -> None:
        """Do the next call."""
        call, arguments = self._calls.get(timeout=10)
        call(*arguments)

    @contextmanager
    def open(self, directory: Path) -> Iterator[SqliteJournal]:
        """A journal whose owner is this harness."""
        journal = SqliteJournal(directory, self.post, self.failed)
        try:
            yield journal
        finally:
            journal.close()

    @contextmanager
    def connect(self, url: str) -> Iterator[PostgresJournal]:
        """A journal in a database whose owner is this harness."""
        journal = PostgresJournal(url, self.post, self.failed)
        try:
            yield journal
        finally:
            journal.close()


def execute(journal: Journal, sql: str) -> sqlite3.Cursor:
    """Run a statement on the connection of a journal: its pragmas are of that connection alone."""
    assert isinstance(journal, SqliteJournal)
    return journal._writer.execute(sql)


class Turnstile:
    """Blocks the committing thread until it is opened; notes how many events each commit takes, and in which thread."""

    def __init__(self, journal: StoreJournal, *, opened: bool = False) -> None:
        self.flag = Flag()
        self.sizes: list[int] = []
        self.threads: list[str] = []
        if opened:
            self.flag.set()
        self._write = journal._log.write
        journal._log.write = self._wait  # type: ignore[method-assign]  # the log has no port for a delay

    def _wait(self, batch: Sequence[Append]) -> list[AppendResult]:
        assert self.flag.wait(10)
        self.sizes.append(sum(len(append.bodies) for append in batch))
        self.threads.append(current_thread().name)
        return self._write(batch)
