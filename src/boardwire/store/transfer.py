"""Copy a store to another, empty one: a data directory or a PostgreSQL database.

- All or nothing: a database is filled in one transaction, a directory gets a complete file by renaming. An interrupted
  copy leaves the target unchanged and can be repeated.
- Matches keep their names, numbers and order, events their bytes. Unreadable events are copied too; only a match with
  missing events is refused, by name.
- Both stores are locked: a server would add events that the copy misses.
- Memory holds a batch of about `BATCH_BYTES`, or one match if that is larger.
- The source is not changed.
- Analyses are copied last, if possible: they are only a cache (`analyses.py`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from boardwire.errors import ConfigError, Unavailable
from boardwire.store import postgres, sqlite
from boardwire.store.analyses import DatabaseAnalysisStore, DurableAnalysisStore, FileAnalysisStore
from boardwire.store.archive import DATABASE_FILE
from boardwire.store.archive import Archive as SqliteArchive
from boardwire.store.entry import one_line, write_part
from boardwire.store.group_commit import Archive, Stored
from boardwire.store.log import ENTRY_BYTES
from boardwire.store.match_facts import facts_in
from boardwire.store.postgres import PostgresArchive
from boardwire.store.schema import migrate, version_of

StoreLocation: TypeAlias = Path | str
"""A data directory, or the address of a database."""
Insert: TypeAlias = Callable[[list[Stored]], object]
"""Inserts some matches."""

BATCH_BYTES: Final = 1024 * 1024
_ANALYSES_PER_BATCH: Final = 50
"""Analyses per batch."""
_UNFINISHED: Final = f"{DATABASE_FILE}.unfinished"
_SQLITE_SIDE_FILES: Final = (f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm")
"""Files that SQLite keeps beside a database in use, and leaves behind after a crash."""


class Copied(NamedTuple):
    """Numbers of copied matches, events and analyses."""

    matches: int = 0
    events: int = 0
    analyses: int = 0


def copy(
    source: StoreLocation,
    target: StoreLocation,
    tell: Callable[[Copied, int], object] = lambda done, of: None,
    also: Callable[[Path | Any], object] = lambda target: None,
    committed: Callable[[], object] = lambda: None,
) -> Copied:
    """Copy everything; `tell` is called after each batch with the progress and the total number of matches.

    `also` copies what is not part of the journal.  It is called before the matches are committed, with the target
    directory, or with the connection whose transaction fills the database.

    `committed` is called when the matches are committed, before the analyses are copied.

    Raises `Unavailable` or `ConfigError`; if that is before `committed` is called, nothing was copied.
    """
    done = Copied()
    with _reading(source) as archive, _writing(target) as (take, place):
        of = archive.count()
        with closing(archive.stored()) as matches:
            for batch in _batches(matches):
                take(batch)
                done = Copied(done.matches + len(batch), done.events + sum([len(one.bodies) for one in batch]))
                tell(done, of)
        also(place)
    committed()
    return done._replace(analyses=_copy_analyses(_shelf(source), _shelf(target)))


def _copy_analyses(source: DurableAnalysisStore, target: DurableAnalysisStore) -> int:
    count = 0
    while rows := source.rows(count, _ANALYSES_PER_BATCH):
        target.fill(rows)
        count += len(rows)
    return count


def _shelf(place: StoreLocation) -> DurableAnalysisStore:
    return FileAnalysisStore(place) if isinstance(place, Path) else DatabaseAnalysisStore(place)


def _batches(matches: Iterable[Stored]) -> Iterator[list[Stored]]:
    batch: list[Stored] = []
    size = 0
    for one in matches:
        batch.append(one)
        size += sum(map(len, one.bodies)) + len(one.match)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@contextmanager
def _reading(place: StoreLocation) -> Iterator[Archive]:
    """Open and lock a store for reading."""
    if isinstance(place, Path):
        with SqliteArchive(place) as directory, sqlite.hold(place):
            yield directory
    else:
        with PostgresArchive(place) as database:
            database.hold()
            yield database


@contextmanager
def _writing(place: StoreLocation) -> Iterator[tuple[Insert, Path | Any]]:
    """Open an empty store for writing; the matches are committed on exit unless an exception was raised."""
    with _into_directory(place) if isinstance(place, Path) else _into_database(place) as target:
        yield target


# --- a directory ------------------------------------------------------------------------------------------------------


@contextmanager
def _into_directory(directory: Path) -> Iterator[tuple[Insert, Path]]:
    unfinished = directory / _UNFINISHED
    try:
        sqlite.make(directory)
        with sqlite.hold(directory):
            _refuse_matches(directory / DATABASE_FILE)
            unfinished.unlink(missing_ok=True)
            try:
                with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                    connection.execute("PRAGMA journal_mode = OFF")  # a failed copy is deleted anyway
                    connection.execute("PRAGMA synchronous = OFF")
                    migrate(connection)
                    connection.execute("BEGIN")
                    yield _Entries(connection).take, directory
                    connection.execute("COMMIT")
                _sync(unfinished)
                for name in _SQLITE_SIDE_FILES:
                    (directory / name).unlink(missing_ok=True)
                unfinished.replace(directory / DATABASE_FILE)
                _sync(directory)
            finally:
                unfinished.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"cannot store matches in {directory}: {error}") from error


def _refuse_matches(file: Path) -> None:
    if not file.exists():
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        used = "SELECT 1 FROM matches" if version_of(connection) else "SELECT 1 FROM sqlite_master"
        if connection.execute(f"{used} LIMIT 1").fetchone() is not None:
            whose = "already has matches" if version_of(connection) else f"has a {DATABASE_FILE} of another program"
            raise ConfigError(f"{file.parent} {whose}; copying needs an empty directory")


def _sync(path: Path) -> None:
    """Sync a file or directory to disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class _Entries:
    """Writes each match into separate log entries (`entry.py`)."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._last = 0

    def take(self, batch: list[Stored]) -> None:
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


# --- a database -------------------------------------------------------------------------------------------------------


@contextmanager
def _into_database(address: str) -> Iterator[tuple[Insert, Any]]:
    with postgres.connect(address) as connection, postgres.writing(), postgres.opening(), connection.transaction():
        postgres.hold(connection)
        postgres.migrate(connection)
        if connection.execute("SELECT 1 FROM boardwire.matches LIMIT 1").fetchone() is not None:
            raise ConfigError("the database already has matches; copying needs an empty one")
        yield (lambda batch: _insert(connection, batch)), connection
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('boardwire.matches', 'number'), max(number)) FROM boardwire.matches"
        )


def _insert(connection: Any, batch: list[Stored]) -> None:
    found = [(number, match, ended, facts_in(bodies)) for number, match, ended, bodies in batch]
    with connection.cursor().copy(
        "COPY boardwire.matches (number, id, ended, game, private) FROM STDIN BINARY"
    ) as rows:
        rows.set_types(("int8", "text", "bool", "text", "bool"))
        for number, match, ended, facts in found:
            rows.write_row((number, match, ended, facts.game, facts.private))
    with connection.cursor().copy("COPY boardwire.sitters (player, match, number) FROM STDIN BINARY") as rows:
        rows.set_types(("text", "text", "int8"))
        for number, match, _, facts in found:
            for key in facts.keys:
                rows.write_row((key, match, number))
    with connection.cursor().copy("COPY boardwire.names (name, number) FROM STDIN BINARY") as rows:
        rows.set_types(("text", "int8"))
        for number, _, _, facts in found:
            for name in () if facts.private else facts.names:
                rows.write_row((name, number))
    with connection.cursor().copy("COPY boardwire.events (match, seq, body) FROM STDIN BINARY") as rows:
        rows.set_types(("text", "int4", "bytea"))
        for _, match, _, bodies in batch:
            for seq, body in enumerate(bodies, 1):
                rows.write_row((match, seq, body))
