"""Analyses of matches, a cache beside the journal.

- Analyses are stored in a separate file or table, which may be deleted at any time.
- A lost analysis can be computed again, so errors are ignored.
- If there are more than `MAX_ANALYSES`, the least recently used ones are removed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from boardwire.errors import BoardwireError
from boardwire.store import postgres

ANALYSES_FILE: Final = "analyses.sqlite"
MAX_ANALYSES: Final = 5000
"""Maximum number of analyses in a store."""

Row: TypeAlias = tuple[str, bytes]
"""A match and its analysis."""
T = TypeVar("T")


class AnalysisStore(Protocol):
    """A store of analyses by match name, for use from any thread."""

    def get(self, match: str, /) -> bytes | None:
        """Return the analysis of a match, or None."""

    def put(self, match: str, body: bytes, /) -> None:
        """Store the analysis of a match if possible."""


class DurableAnalysisStore(AnalysisStore, Protocol):
    """A store that outlives the process."""

    def rows(self, after: int, count: int, /) -> list[Row]:
        """Return up to `count` analyses after the first `after`, least recently used first."""

    def fill(self, rows: Sequence[Row], /) -> None:
        """Store several analyses if possible."""


class MemoryAnalysisStore:
    """Analyses in memory."""

    def __init__(self, max_analyses: int = MAX_ANALYSES) -> None:
        self._max_analyses = max_analyses
        self._bodies: dict[str, bytes] = {}

    def get(self, match: str) -> bytes | None:
        """Return the analysis of a match, or None."""
        return self._bodies.get(match)

    def put(self, match: str, body: bytes) -> None:
        """Store the analysis of a match if possible."""
        self._bodies[match] = body
        while len(self._bodies) > self._max_analyses:
            del self._bodies[next(iter(self._bodies))]


class FileAnalysisStore:
    """Analyses in a data directory."""

    def __init__(self, directory: Path, max_analyses: int = MAX_ANALYSES) -> None:
        self._file = directory / ANALYSES_FILE
        self._max_analyses = max_analyses

    def get(self, match: str) -> bytes | None:
        """Return the analysis of a match, which then counts as used most recently, or None."""

        def use(db: sqlite3.Connection) -> bytes | None:
            row = db.execute("SELECT body FROM analyses WHERE match = ?", (match,)).fetchone()
            db.execute("UPDATE analyses SET used = (SELECT max(used) + 1 FROM analyses) WHERE match = ?", (match,))
            return None if row is None else bytes(row[0])

        return self._run(use) if self._file.exists() else None

    def put(self, match: str, body: bytes) -> None:
        """Store the analysis of a match if possible."""
        self.fill([(match, body)])

    def rows(self, after: int, count: int) -> list[Row]:
        """Return up to `count` analyses after the first `after`, least recently used first."""
        query = "SELECT match, body FROM analyses ORDER BY used LIMIT ? OFFSET ?"
        return (self._run(lambda db: db.execute(query, (count, after)).fetchall()) or []) if self._file.exists() else []

    def fill(self, rows: Sequence[Row]) -> None:
        """Store several analyses if possible."""

        def store(db: sqlite3.Connection) -> None:
            statement = "INSERT OR REPLACE INTO analyses SELECT ?, ?, coalesce(max(used), 0) + 1 FROM analyses"
            db.executemany(statement, rows)
            db.execute(
                "DELETE FROM analyses WHERE match NOT IN (SELECT match FROM analyses ORDER BY used DESC LIMIT ?)",
                (self._max_analyses,),
            )

        self._run(store)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Call `work` in a transaction; return its result, or None on failure."""
        try:
            with closing(sqlite3.connect(self._file, timeout=2.0)) as db, db:
                db.execute(
                    "CREATE TABLE IF NOT EXISTS analyses"
                    " (match TEXT PRIMARY KEY, body BLOB NOT NULL, used INTEGER NOT NULL)"
                )
                return work(db)
        except sqlite3.Error:
            return None


class DatabaseAnalysisStore:
    """Analyses in a PostgreSQL database, shared by all servers that use it."""

    def __init__(self, address: str, max_analyses: int = MAX_ANALYSES) -> None:
        self._address = address
        self._max_analyses = max_analyses

    def get(self, match: str) -> bytes | None:
        """Return the analysis of a match, which then counts as used most recently, or None."""
        query = "UPDATE boardwire.analyses SET used = DEFAULT WHERE match = %s RETURNING body"
        row = self._run(lambda db: db.execute(query, (match,), binary=True).fetchone())
        return None if row is None else row[0]

    def put(self, match: str, body: bytes) -> None:
        """Store the analysis of a match if possible."""
        self.fill([(match, body)])

    def rows(self, after: int, count: int) -> list[Row]:
        """Return up to `count` analyses after the first `after`, least recently used first."""
        query = "SELECT match, body FROM boardwire.analyses ORDER BY used LIMIT %s OFFSET %s"
        return self._run(lambda db: db.execute(query, (count, after), binary=True).fetchall()) or []

    def fill(self, rows: Sequence[Row]) -> None:
        """Store several analyses if possible."""

        def store(db: Any) -> None:
            db.cursor().executemany(
                "INSERT INTO boardwire.analyses VALUES (%s, %s, DEFAULT)"
                " ON CONFLICT (match) DO UPDATE SET body = excluded.body, used = excluded.used",
                rows,
            )
            db.execute(
                "DELETE FROM boardwire.analyses WHERE match IN"
                " (SELECT match FROM boardwire.analyses ORDER BY used DESC OFFSET %s)",
                (self._max_analyses,),
            )

        self._run(store)

    def _run(self, work: Callable[[Any], T]) -> T | None:
        """Call `work` in a transaction; return its result, or None on failure."""
        try:
            with postgres.connect(self._address) as db, postgres.writing(), db.transaction():
                db.execute(
                    "CREATE TABLE IF NOT EXISTS boardwire.analyses"
                    " (match text PRIMARY KEY, body bytea NOT NULL, used bigserial)"
                )
                return work(db)
        except BoardwireError:
            return None
