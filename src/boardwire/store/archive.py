"""Reader of a SQLite data directory, which a server may have open.

A reader of SQLite's write-ahead log shares an index with the writer, in a file beside the database. If the directory is
read-only and lacks this file, as on a mounted backup, SQLite refuses to open the database. It is then opened as
immutable. If a killed server has left events in the write-ahead log, a copy of both files is read instead, so that no
event is missing; the copy is used only if neither file changed while it was made.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from boardwire.errors import ConfigError, Reason, Unavailable
from boardwire.store.decoding import decode_events
from boardwire.store.entry import one_line, part_prefix, parts_of
from boardwire.store.group_commit import StoredMatch
from boardwire.store.log import LAST_UPDATE_ENTRIES
from boardwire.store.schema import LOG, version_of
from boardwire.table.events import Event
from boardwire.table.ports import Check, MatchFilter, never_stop

DATABASE_FILE: Final = "boardwire.sqlite"
COPY_ATTEMPTS: Final = 5
"""Attempts to copy a store that a server writes to."""
_MAX_NUMBER: Final = 2**63 - 1
"""Upper bound of match numbers, used for a list that begins with the newest match."""
_CANNOT_SHARE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""SQLite's error codes if it cannot create the index of the write-ahead log."""
_TAIL: Final = f"""
    SELECT max(number) FROM log
    WHERE number > (SELECT max(number) FROM log) / {LAST_UPDATE_ENTRIES} * {LAST_UPDATE_ENTRIES} AND instr(body, ?)
"""
"""The last entry with a part of a match among those after `matches.last` was updated (see `log.py`)."""


class Archive:
    """Reads a data directory. With `read_only`, the directory may be on a read-only file system."""

    def __init__(self, directory: Path, *, read_only: bool = False) -> None:
        path = directory / DATABASE_FILE
        if not path.exists():
            raise ConfigError(f"there are no matches in {directory}")
        with ExitStack() as on_failure:
            try:
                self._connection, version = self._open(path, on_failure, read_only=read_only)
            except (sqlite3.Error, OSError) as error:
                raise Unavailable(f"cannot read the matches in {directory}: {error}") from error
            if not version:
                raise ConfigError(f"there are no matches in {directory}")
            self._open_files = on_failure.pop_all()

    def _open(self, path: Path, files: ExitStack, *, read_only: bool) -> tuple[sqlite3.Connection, int]:
        """Open the store; return the connection and its format version. `files` closes both."""
        try:
            return _connect(path, "mode=ro", files)
        except sqlite3.OperationalError as error:
            if not read_only or error.sqlite_errorcode & 0xFF not in _CANNOT_SHARE:
                raise
        log = path.with_name(f"{DATABASE_FILE}-wal")
        if not log.exists() or not log.stat().st_size:
            return _connect(path, "immutable=1", files)
        copies = Path(files.enter_context(TemporaryDirectory(prefix="boardwire-")))
        _copy_unchanged((log, path), copies)
        return _connect(copies / DATABASE_FILE, "mode=ro", files)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._open_files.close()

    def events(self, match: str, after: int = 0, check: Check = never_stop) -> list[Event]:
        """Return the events of a match after number `after`, or an empty list for an unknown match.

        Raises `Unavailable` if an event cannot be decoded.
        """
        return decode_events(match, self.bodies(match, after, check), check)

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Read from one snapshot."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def bodies(self, match: str, after: int, check: Check = never_stop) -> list[bytes]:
        """Return the encoded events of a match after number `after`."""
        if version_of(self._connection) < LOG:  # not migrated to the log yet
            query = "SELECT body FROM events JOIN matches ON match = key WHERE id = ? AND seq > ? ORDER BY seq"
            return [one_line(body) for (body,) in self._connection.execute(query, (match, after))]
        key, entry = self._last_entry(match)
        newest_first: list[list[bytes]] = []
        entries = self._connection.cursor()  # one cursor: a long match has hundreds of entries
        while entry:  # entries never change: no snapshot is needed, which would delay checkpoints during a pause
            check()
            (body,) = entries.execute("SELECT body FROM log WHERE number = ?", (entry,)).fetchone()
            parts = parts_of(body, key)
            newest_first += [part.bodies[max(0, after + 1 - part.first) :] for part in reversed(parts)]
            entry = parts[0].before if parts[0].first > after + 1 else 0
        return list(chain.from_iterable(reversed(newest_first)))

    def _last_entry(self, match: str) -> tuple[int, int]:
        """Return the key of a match and the number of the last entry with a part of it; (0, 0) if there is none."""
        with nullcontext() if self._connection.in_transaction else self._snapshot():
            execute = self._connection.execute
            row = execute("SELECT key, last, ended FROM matches WHERE id = ?", (match,)).fetchone()
            if row is None:
                return 0, 0
            key, entry, ended = row
            if not ended:
                entry = execute(_TAIL, (part_prefix(key),)).fetchone()[0] or entry
            return key, entry

    def names(self) -> list[str]:
        """Return the names of all matches, oldest first."""
        return [name for (name,) in self._connection.execute("SELECT id FROM matches ORDER BY key")]

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """Return the numbers and names of up to `count` matches, newest first, older than number `before`."""
        bound = _MAX_NUMBER if before is None else before
        query = "SELECT key, id FROM matches WHERE key < ? ORDER BY key DESC LIMIT ?"
        return self._connection.execute(query, (bound, count)).fetchall()

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of the player with this token hash."""
        bound = _MAX_NUMBER if before is None else before
        query = """
            SELECT key, id FROM sitters JOIN matches ON match = key
            WHERE player = ? AND match < ? ORDER BY match DESC LIMIT ?
        """
        return self._connection.execute(query, (key, bound, count)).fetchall()

    def list_public(self, criteria: MatchFilter, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of public tables that pass the filter."""
        values: list[object] = [_MAX_NUMBER if before is None else before]
        tests = ["private = 0"]
        table, number = "matches", "key"
        if criteria.player:  # a player has few matches: scan them, whatever else is filtered
            table, number = "names CROSS JOIN matches ON key = match", "match"
            tests.append("name = ?")
            values.append(criteria.player)
        if criteria.game:
            tests.append("game = ?")
            values.append(criteria.game)
        if criteria.over is not None:
            tests.append("ended = ?")
            values.append(int(criteria.over))
        where = " AND ".join((f"{number} < ?", *tests))
        query = f"SELECT key, id FROM {table} WHERE {where} ORDER BY {number} DESC LIMIT ?"
        return self._connection.execute(query, (*values, count)).fetchall()

    def matches(self) -> Iterator[list[Event]]:
        """Return the events of every match, oldest match first."""
        return map(self.events, self.names())

    def unfinished(self) -> list[str]:
        """Return the names of unfinished matches, oldest first."""
        return [name for (name,) in self._connection.execute("SELECT id FROM matches WHERE ended = 0 ORDER BY key")]

    def count(self) -> int:
        """Return the number of matches."""
        with self._reading():
            count: int = self._connection.execute("SELECT count(*) FROM matches").fetchone()[0]
        return count

    def read_all(self) -> Generator[StoredMatch, None, None]:
        """Yield every match, oldest first, from one snapshot; only one match is in memory at a time."""
        with self._reading(), self._snapshot():
            for number, match, ended in self._connection.execute("SELECT key, id, ended FROM matches ORDER BY key"):
                yield StoredMatch(number, match, bool(ended), self.bodies(match, 0))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise Unavailable(f"cannot read the stored matches: {error}", reason=Reason.UNREADABLE) from error


def _connect(path: Path, parameters: str, files: ExitStack) -> tuple[sqlite3.Connection, int]:
    """Open a database with URI parameters; return the connection, which `files` closes, and the format version."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{parameters}", uri=True)
    files.callback(connection.close)
    return connection, version_of(connection)


def _copy_unchanged(files: tuple[Path, ...], target: Path) -> None:
    """Copy files that belong together, again if one changed meanwhile; raise `OSError` if they keep changing."""
    for _ in range(COPY_ATTEMPTS):
        before = _states(files)
        for file in files:
            shutil.copyfile(file, target / file.name)
        if _states(files) == before:
            return
    raise OSError(f"a server wrote to the files during each of {COPY_ATTEMPTS} attempts to copy them; try again")


def _states(files: tuple[Path, ...]) -> list[tuple[int, int]]:
    """Return the size and modification time of each file."""
    return [(state.st_size, state.st_mtime_ns) for state in map(Path.stat, files)]
