"""What was made of matches and could be made again: analyses, by the match's name.

It is no part of the journal: it stands in a file of its own, or in a table that is made when it is needed, which may be
deleted at any time, and a write that fails loses nothing but work.  What nobody has asked for longest goes when there
is too much.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from boardwire.errors import BoardwireError
from boardwire.store import postgres

FILE: Final = "analyses.sqlite"
MOST: Final = 5000
"""How many are kept."""

Row: TypeAlias = tuple[str, bytes]
"""A match, and what was made of it."""
T = TypeVar("T")


class Shelf(Protocol):
    """See the module.  Any thread may use it."""

    def get(self, match: str, /) -> bytes | None:
        """What was made of a match; None: nothing yet."""

    def put(self, match: str, body: bytes, /) -> None:
        """Keep what was made of a match, if that can be."""


class LastingShelf(Shelf, Protocol):
    """One that outlives the process."""

    def rows(self, after: int, count: int, /) -> list[Row]:
        """So many after the first `after` of all that is kept, what was asked for last at the end."""

    def fill(self, rows: Sequence[Row], /) -> None:
        """Put one after the other, if that can be."""


class MemoryShelf:
    """Kept as long as the process lives."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._bodies: dict[str, bytes] = {}

    def get(self, match: str) -> bytes | None:
        """What was made of a match; None: nothing yet."""
        return self._bodies.get(match)

    def put(self, match: str, body: bytes) -> None:
        """Keep what was made of a match."""
        self._bodies[match] = body
        while len(self._bodies) > self._most:
            del self._bodies[next(iter(self._bodies))]


class FileShelf:
    """Kept in a data directory."""

    def __init__(self, directory: Path, most: int = MOST) -> None:
        self._file = directory / FILE
        self._most = most

    def get(self, match: str) -> bytes | None:
        """What was made of a match; None: nothing yet."""

        def find(db: sqlite3.Connection) -> bytes | None:
            row = db.execute("SELECT body FROM analyses WHERE match = ?", (match,)).fetchone()
            db.execute("UPDATE analyses SET used = (SELECT max(used) + 1 FROM analyses) WHERE match = ?", (match,))
            return None if row is None else bytes(row[0])

        return self._do(find) if self._file.exists() else None

    def put(self, match: str, body: bytes) -> None:
        """Keep what was made of a match, if that can be."""
        self.fill([(match, body)])

    def rows(self, after: int, count: int) -> list[Row]:
        """So many after the first `after` of all that is kept, what was asked for last at the end."""
        find = "SELECT match, body FROM analyses ORDER BY used LIMIT ? OFFSET ?"
        return (self._do(lambda db: db.execute(find, (count, after)).fetchall()) or []) if self._file.exists() else []

    def fill(self, rows: Sequence[Row]) -> None:
        """Put one after the other, if that can be."""

        def store(db: sqlite3.Connection) -> None:
            put = "INSERT OR REPLACE INTO analyses SELECT ?, ?, coalesce(max(used), 0) + 1 FROM analyses"
            db.executemany(put, rows)
            db.execute(
                "DELETE FROM analyses WHERE match NOT IN (SELECT match FROM analyses ORDER BY used DESC LIMIT ?)",
                (self._most,),
            )

        self._do(store)

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            with closing(sqlite3.connect(self._file, timeout=2.0)) as db, db:
                db.execute(
                    "CREATE TABLE IF NOT EXISTS analyses"
                    " (match TEXT PRIMARY KEY, body BLOB NOT NULL, used INTEGER NOT NULL)"
                )
                return work(db)
        except sqlite3.Error:
            return None


class DatabaseShelf:
    """Kept in a PostgreSQL database, for all servers that have their matches there."""

    def __init__(self, address: str, most: int = MOST) -> None:
        self._address = address
        self._most = most

    def get(self, match: str) -> bytes | None:
        """What was made of a match; None: nothing yet."""
        use = "UPDATE boardwire.analyses SET used = DEFAULT WHERE match = %s RETURNING body"
        row = self._do(lambda db: db.execute(use, (match,), binary=True).fetchone())
        return None if row is None else row[0]

    def put(self, match: str, body: bytes) -> None:
        """Keep what was made of a match, if that can be."""
        self.fill([(match, body)])

    def rows(self, after: int, count: int) -> list[Row]:
        """So many after the first `after` of all that is kept, what was asked for last at the end."""
        find = "SELECT match, body FROM boardwire.analyses ORDER BY used LIMIT %s OFFSET %s"
        return self._do(lambda db: db.execute(find, (count, after), binary=True).fetchall()) or []

    def fill(self, rows: Sequence[Row]) -> None:
        """Put one after the other, if that can be."""

        def store(db: Any) -> None:
            db.cursor().executemany(
                "INSERT INTO boardwire.analyses VALUES (%s, %s, DEFAULT)"
                " ON CONFLICT (match) DO UPDATE SET body = excluded.body, used = excluded.used",
                rows,
            )
            db.execute(
                "DELETE FROM boardwire.analyses WHERE match IN"
                " (SELECT match FROM boardwire.analyses ORDER BY used DESC OFFSET %s)",
                (self._most,),
            )

        self._do(store)

    def _do(self, work: Callable[[Any], T]) -> T | None:
        try:
            with postgres.connect(self._address) as db, postgres.writing(), db.transaction():
                db.execute(
                    "CREATE TABLE IF NOT EXISTS boardwire.analyses"
                    " (match text PRIMARY KEY, body bytea NOT NULL, used bigserial)"
                )
                return work(db)
        except BoardwireError:
            return None
