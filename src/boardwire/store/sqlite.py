"""A journal in SQLite: a log at the end of which every commit is written (`log.py`), write-ahead log, synchronous=FULL.

Only where the numbers of events are taken already, because somebody else wrote them, all other matches of a commit are
stored.  One process writes; any number read at the same time (`archive.py`).
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO

from boardwire.errors import BoardwireError, Reason, Unavailable
from boardwire.store.archive import FILE, Archive
from boardwire.store.group_commit import Post, StoreJournal
from boardwire.store.log import SqliteLog
from boardwire.store.schema import migrate


class SqliteJournal(StoreJournal):
    """The journal of one data directory.  `close` stores what is gathered and ends the thread."""

    def __init__(
        self,
        directory: Path,
        post: Post,
        failed: Callable[[Exception], None] = lambda error: None,
        soon: Post | None = None,
    ) -> None:
        self._lock, self._writer = _open(directory)
        super().__init__(SqliteLog(self._writer), partial(_archive, directory), post, failed, soon, near=True)

    def close(self) -> None:
        """Store what is gathered, wait for it, and let go of the data directory."""
        super().close()
        self._writer.close()
        self._lock.close()


def _archive(directory: Path) -> Archive:
    """What reads; a peer may be told why it cannot be had, so that says nothing of where it is."""
    try:
        return Archive(directory)
    except BoardwireError as reason:
        raise Unavailable("the journal cannot be read at the moment", reason=Reason.UNAVAILABLE) from reason


def _open(directory: Path) -> tuple[IO[str], sqlite3.Connection]:
    """The lock of the directory, and a connection to its store, brought up to date; `Unavailable` if that cannot be."""
    with ExitStack() as on_failure:
        try:
            make(directory)
            lock = on_failure.enter_context(hold(directory))
            writer = sqlite3.connect(directory / FILE, isolation_level=None, check_same_thread=False)
            on_failure.callback(writer.close)
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("PRAGMA synchronous = FULL")
            migrate(writer)
        except (OSError, sqlite3.Error) as error:
            why = "that is a file, not a directory" if isinstance(error, FileExistsError) else error
            raise Unavailable(f"cannot keep matches in {directory}: {why}") from error
        on_failure.pop_all()
    return lock, writer


def make(directory: Path) -> None:
    """Make the directory and those above it, and let their names reach the disk too: SQLite sees to all that is inside,
    but if the machine lost the directory itself, it would lose every match with it."""
    new = [path for path in (directory, *directory.parents) if not path.exists()]
    directory.mkdir(parents=True, exist_ok=True)
    for path in reversed(new):
        above = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(above)
        finally:
            os.close(above)


def hold(directory: Path) -> IO[str]:
    """Hold the directory for this process; `Unavailable` if another one does."""
    file = (directory / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Unavailable(f"another boardwire server has {directory} open") from None
    return file
