"""The thread that owns a SQLite journal, for tests: calls are posted to it and run when the test says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Event as Flag
from typing import Any

from boardwire.store.sqlite import SqliteJournal, _Batch


class Desk:
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

    def run(self, journal: SqliteJournal) -> None:
        """Do calls until the journal has stored or refused everything."""
        while journal.busy:
            call, arguments = self._calls.get(timeout=10)
            call(*arguments)

    @contextmanager
    def open(self, directory: Path) -> Iterator[SqliteJournal]:
        """A journal whose owner is this desk."""
        journal = SqliteJournal(directory, self.post, self.failed)
        try:
            yield journal
        finally:
            journal.close()


class Turnstile:
    """Stops the journal's thread before each commit until it is opened; notes what each commit takes."""

    def __init__(self, journal: SqliteJournal) -> None:
        self.flag = Flag()
        self.sizes: list[int] = []
        self._commit = journal._commit
        journal._commit = self._wait  # type: ignore[method-assign]

    def _wait(self, batch: _Batch) -> None:
        assert self.flag.wait(10)
        self.sizes.append(len(batch.rows))
        self._commit(batch)
