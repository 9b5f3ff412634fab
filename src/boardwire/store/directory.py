"""Store in a data directory: a SQLite file for the journal, and one for the analyses."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from boardwire.errors import ConfigError, Unavailable
from boardwire.store import sqlite
from boardwire.store.analyses import FileAnalysisStore
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.entry import one_line, write_part
from boardwire.store.group_commit import Post, StoredMatch
from boardwire.store.log import ENTRY_BYTES
from boardwire.store.match_facts import facts_in
from boardwire.store.schema import migrate, version_of
from boardwire.store.store import Insert, ReportFailure
from boardwire.table.ports import Journal

_UNFINISHED: Final = f"{DATABASE_FILE}.unfinished"
_SQLITE_SIDE_FILES: Final = (f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm")
"""Files that SQLite keeps beside a database in use, and leaves behind after a crash."""


class DirectoryStore:
    """A store in a data directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @property
    def label(self) -> str:
        """Description of the store for messages."""
        return str(self.directory)

    def journal(self, post: Post, report_failure: ReportFailure, soon: Post, *, shared: bool) -> Journal:
        """Open the journal; a directory is never `shared`."""
        return sqlite.SqliteJournal(self.directory, post, report_failure, soon)

    def analyses(self) -> FileAnalysisStore:
        """Return the cache of analyses."""
        return FileAnalysisStore(self.directory)

    @contextmanager
    def archive(self) -> Iterator[Archive]:
        """Open the matches for reading, also while a server writes."""
        try:
            with Archive(self.directory, read_only=True) as archive:
                yield archive
        except sqlite3.Error as error:
            raise Unavailable(f"cannot read the matches in {self.directory}: {error}") from None

    @contextmanager
    def reading(self) -> Iterator[Archive]:
        """Open the matches for a copy, and lock the directory."""
        with Archive(self.directory) as archive, sqlite.lock_directory(self.directory):
            yield archive

    @contextmanager
    def writing(self) -> Iterator[tuple[Insert, None]]:
        """Lock the directory and open a new file for a copy; it is renamed on exit unless an exception was raised."""
        directory = self.directory
        unfinished = directory / _UNFINISHED
        try:
            sqlite.create_directory(directory)
            with sqlite.lock_directory(directory):
                _refuse_matches(directory / DATABASE_FILE)
                unfinished.unlink(missing_ok=True)
                self._discard_records()
                try:
                    with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                        connection.execute("PRAGMA journal_mode = OFF")  # a failed copy is deleted anyway
                        connection.execute("PRAGMA synchronous = OFF")
                        migrate(connection)
                        connection.execute("BEGIN")
                        yield _EntryWriter(connection).insert, None
                        connection.execute("COMMIT")
                    _sync(unfinished)
                    for name in _SQLITE_SIDE_FILES:
                        (directory / name).unlink(missing_ok=True)
                    unfinished.replace(directory / DATABASE_FILE)
                    self._finish_records()
                    _sync(directory)
                finally:
                    unfinished.unlink(missing_ok=True)
                    self._discard_records()
        except (OSError, sqlite3.Error) as error:
            raise Unavailable(f"cannot store matches in {directory}: {error}") from error

    def _finish_records(self) -> None:
        """Move the copied records into place, after the matches; called while the directory is locked."""

    def _discard_records(self) -> None:
        """Remove unfinished records; called while the directory is locked, so that they belong to no running copy."""


def _refuse_matches(file: Path) -> None:
    """Raise `ConfigError` if the file contains matches or is another program's database."""
    if not file.exists():
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        query = "SELECT 1 FROM matches" if version_of(connection) else "SELECT 1 FROM sqlite_master"
        if connection.execute(f"{query} LIMIT 1").fetchone() is not None:
            content = "already has matches" if version_of(connection) else f"has another program's {DATABASE_FILE}"
            raise ConfigError(f"{file.parent} {content}; copying needs an empty directory")


def _sync(path: Path) -> None:
    """Sync a file or directory to disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class _EntryWriter:
    """Writes matches to a new log (`entry.py`); no entry has parts of two matches."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._last = 0

    def insert(self, batch: list[StoredMatch]) -> None:
        """Insert matches after those of earlier calls."""
        entries: list[tuple[int, bytes]] = []
        rows, sitters, names = [], [], []
        for number, match, ended, bodies in batch:
            entry = 0
            for first, part in _parts(bodies):
                self._last += 1
                entries.append((self._last, write_part(number, first, entry, part)))
                entry = self._last
            facts = facts_in(bodies)
            rows.append((number, match, ended, entry, facts.game, facts.private))
            sitters += [(key, number) for key in facts.keys]
            names += [(name, number) for name in facts.names if not facts.private]
        self._connection.executemany(
            "INSERT INTO matches (key, id, ended, last, game, private) VALUES (?, ?, ?, ?, ?, ?)", rows
        )
        self._connection.executemany("INSERT INTO log (number, body) VALUES (?, ?)", entries)
        self._connection.executemany("INSERT INTO sitters (player, match) VALUES (?, ?)", sitters)
        self._connection.executemany("INSERT INTO names (name, match) VALUES (?, ?)", names)


def _parts(bodies: list[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Split events into parts of limited size, each with the number of its first event."""
    part: list[bytes] = []
    first, size = 1, 0
    for number, body in enumerate(map(one_line, bodies), 1):
        if part and size + len(body) > ENTRY_BYTES:
            yield first, part
            part, first, size = [], number, 0
        part.append(body)
        size += len(body) + 1
    if part:
        yield first, part
