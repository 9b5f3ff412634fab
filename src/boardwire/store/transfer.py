"""Copies all that one store keeps into another, which must be empty: a data directory, or a PostgreSQL database.

Rules:

- All or nothing: a database gets it in one transaction, a directory as a file that takes its place when it is whole.
  Whatever is interrupted leaves the target as it was, and can be begun again.
- What is stored stays as it is, to the letter: matches keep their names, numbers and order, events their bytes.  What
  cannot be read is copied too; only a match that lacks events is refused, by name.
- No server has either of them open meanwhile: what it stored then would be missing in the copy.
- What is in memory is a batch of about `BATCH` bytes, or one match, if that is longer.
- Nothing of the source is changed.
- Analyses come last, and are copied if that can be: they are no part of what is kept (`shelf.py`).
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
from boardwire.store.analyses import DatabaseShelf, FileShelf, LastingShelf
from boardwire.store.archive import FILE
from boardwire.store.archive import Archive as SqliteArchive
from boardwire.store.entry import one_line, write_part
from boardwire.store.group_commit import Archive, Stored
from boardwire.store.log import LONGEST
from boardwire.store.match_facts import facts_in
from boardwire.store.postgres import PostgresArchive
from boardwire.store.schema import migrate, version_of

Place: TypeAlias = Path | str
"""A directory, or the address of a database."""
Take: TypeAlias = Callable[[list[Stored]], object]
"""Takes some matches in."""

BATCH: Final = 1024 * 1024
_ANALYSES: Final = 50
"""How many analyses are copied at a time."""
_UNFINISHED: Final = f"{FILE}.unfinished"
_BESIDE: Final = (f"{FILE}-wal", f"{FILE}-shm")
"""What SQLite keeps beside its file while that is used, and leaves there after a crash."""


class Copied(NamedTuple):
    """How much was copied."""

    matches: int = 0
    events: int = 0
    analyses: int = 0


def copy(source: Place, target: Place, tell: Callable[[Copied, int], object] = lambda done, of: None) -> Copied:
    """Copy everything; `tell` hears batch by batch how much is copied, and of how many matches.  `Unavailable` says why it
    cannot be done; then nothing was."""
    done = Copied()
    with _reading(source) as archive, _writing(target) as take:
        of = archive.count()
        with closing(archive.stored()) as matches:
            for batch in _batches(matches):
                take(batch)
                done = Copied(done.matches + len(batch), done.events + sum([len(one.bodies) for one in batch]))
                tell(done, of)
    return done._replace(analyses=_copy_analyses(_shelf(source), _shelf(target)))


def _copy_analyses(source: LastingShelf, target: LastingShelf) -> int:
    count = 0
    while rows := source.rows(count, _ANALYSES):
        target.fill(rows)
        count += len(rows)
    return count


def _shelf(place: Place) -> LastingShelf:
    return FileShelf(place) if isinstance(place, Path) else DatabaseShelf(place)


def _batches(matches: Iterable[Stored]) -> Iterator[list[Stored]]:
    batch: list[Stored] = []
    size = 0
    for one in matches:
        batch.append(one)
        size += sum(map(len, one.bodies)) + len(one.match)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@contextmanager
def _reading(place: Place) -> Iterator[Archive]:
    """What reads a store that no server has open."""
    if isinstance(place, Path):
        with SqliteArchive(place) as directory, sqlite.hold(place):
            yield directory
    else:
        with PostgresArchive(place) as database:
            database.hold()
            yield database


@contextmanager
def _writing(place: Place) -> Iterator[Take]:
    """What an empty store takes matches in by; they are there when this is left, and only if nothing was raised."""
    with _into_directory(place) if isinstance(place, Path) else _into_database(place) as take:
        yield take


# --- a directory ------------------------------------------------------------------------------------------------------


@contextmanager
def _into_directory(directory: Path) -> Iterator[Take]:
    unfinished = directory / _UNFINISHED
    try:
        sqlite.make(directory)
        with sqlite.hold(directory):
            _refuse_matches(directory / FILE)
            unfinished.unlink(missing_ok=True)
            try:
                with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                    connection.execute("PRAGMA journal_mode = OFF")  # what fails is thrown away
                    connection.execute("PRAGMA synchronous = OFF")
                    migrate(connection)
                    connection.execute("BEGIN")
                    yield _Entries(connection).take
                    connection.execute("COMMIT")
                _sync(unfinished)
                for name in _BESIDE:
                    (directory / name).unlink(missing_ok=True)
                unfinished.replace(directory / FILE)
                _sync(directory)
            finally:
                unfinished.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"cannot keep matches in {directory}: {error}") from error


def _refuse_matches(file: Path) -> None:
    if not file.exists():
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        used = "SELECT 1 FROM matches" if version_of(connection) else "SELECT 1 FROM sqlite_master"
        if connection.execute(f"{used} LIMIT 1").fetchone() is not None:
            whose = "has matches already" if version_of(connection) else f"has a {FILE} of another program"
            raise ConfigError(f"{file.parent} {whose}; what is copied needs an empty directory")


def _sync(path: Path) -> None:
    """Let it reach the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class _Entries:
    """Writes each match into entries of its own (`entry.py`), one after the other."""

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
    """Events as entries hold them, so many at a time that an entry does not become long; with the first's number."""
    part: list[bytes] = []
    first, size = 1, 0
    for number, body in enumerate(map(one_line, bodies), 1):
        if part and size + len(body) > LONGEST:
            yield first, part
            part, first, size = [], number, 0
        part.append(body)
        size += len(body) + 1
    if part:
        yield first, part


# --- a database -------------------------------------------------------------------------------------------------------


@contextmanager
def _into_database(address: str) -> Iterator[Take]:
    with postgres.connect(address) as connection, postgres.writing(), postgres.opening(), connection.transaction():
        postgres.hold(connection)
        postgres.migrate(connection)
        if connection.execute("SELECT 1 FROM boardwire.matches LIMIT 1").fetchone() is not None:
            raise ConfigError("the database has matches already; what is copied needs an empty one")
        yield lambda batch: _insert(connection, batch)
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
