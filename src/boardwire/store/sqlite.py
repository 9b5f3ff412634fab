"""A journal in SQLite: an append-only log (`log.py`) with write-ahead logging and synchronous=FULL.

One process writes; any number read at the same time (`archive.py`). If another process has written to a match
nevertheless, the appends to that match fail and those to other matches are stored.
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
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.group_commit import Post, StoreJournal
from boardwire.store.log import SqliteLog
from boardwire.store.schema import migrate


class SqliteJournal(StoreJournal):
    """The journal of a data directory."""

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
        """Commit the pending appends, wait for that, and release the data directory."""
        super().close()
        self._writer.close()
        self._lock.close()


def _archive(directory: Path) -> Archive:
    """Open an archive. Clients may see the error, so it does not name the directory."""
    try:
        return Archive(directory)
    except BoardwireError as reason:
        raise Unavailable("the journal cannot be read at the moment", reason=Reason.UNAVAILABLE) from reason


def _open(directory: Path) -> tuple[IO[str], sqlite3.Connection]:
    """Lock the directory and open its store, migrated to the current format; raise `Unavailable` on failure."""
    with ExitStack() as on_failure:
        try:
            make(directory)
            lock = on_failure.enter_context(hold(directory))
            writer = sqlite3.connect(directory / DATABASE_FILE, isolation_level=None, check_same_thread=False)
            on_failure.callback(writer.close)
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("PRAGMA synchronous = FULL")
            migrate(writer)
        except (OSError, sqlite3.Error) as error:
            why = "that is a file, not a directory" if isinstance(error, FileExistsError) else error
            raise Unavailable(f"cannot store matches in {directory}: {why}") from error
        on_failure.pop_all()
    return lock, writer


def make(directory: Path) -> None:
    """Create the directory and its parents, and sync their parents.

    SQLite syncs the files inside, but losing the directory entry itself in a power failure would lose every match.
    """
    new = [path for path in (directory, *directory.parents) if not path.exists()]
    directory.mkdir(parents=True, exist_ok=True)
    for path in reversed(new):
        above = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(above)
        finally:
            os.close(above)


def hold(directory: Path) -> IO[str]:
    """Lock the directory for this process; raise `Unavailable` if another one has it."""
    file = (directory / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Unavailable(f"another boardwire server has {directory} open") from None
    return file
