"""What was made of matches and could be made again: analyses, by the match's name.

It is no part of the journal: it stands in a file of its own that may be deleted at any time, and a write that fails
loses nothing but work.  What nobody has asked for longest goes when there is too much.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

FILE: Final = "analyses.sqlite"
MOST: Final = 5000
"""How many are kept."""
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS analyses (match TEXT PRIMARY KEY, body BLOB NOT NULL, used INTEGER NOT NULL)"
)


class Shelf:
    """See the module.  Without a directory it is kept in memory."""

    def __init__(self, directory: Path | None, most: int = MOST) -> None:
        self._file = None if directory is None else directory / FILE
        self._most = most
        self._memory: dict[str, bytes] = {}

    def get(self, match: str) -> bytes | None:
        """What was made of a match; None: nothing yet."""
        if self._file is None:
            return self._memory.get(match)
        if not self._file.exists():
            return None
        try:
            with closing(self._open(self._file)) as db, db:
                row = db.execute("SELECT body FROM analyses WHERE match = ?", (match,)).fetchone()
                db.execute("UPDATE analyses SET used = (SELECT max(used) + 1 FROM analyses) WHERE match = ?", (match,))
        except sqlite3.Error:
            return None
        return None if row is None else bytes(row[0])

    def put(self, match: str, body: bytes) -> None:
        """Keep what was made of a match, if that can be."""
        if self._file is None:
            self._memory[match] = body
            while len(self._memory) > self._most:
                del self._memory[next(iter(self._memory))]
            return
        try:
            with closing(self._open(self._file)) as db, db:
                db.execute(
                    "INSERT OR REPLACE INTO analyses SELECT ?, ?, coalesce(max(used), 0) + 1 FROM analyses",
                    (match, body),
                )
                db.execute(
                    "DELETE FROM analyses WHERE match NOT IN (SELECT match FROM analyses ORDER BY used DESC LIMIT ?)",
                    (self._most,),
                )
        except sqlite3.Error:
            return

    def _open(self, file: Path) -> sqlite3.Connection:
        db = sqlite3.connect(file, timeout=2.0)
        db.execute(_TABLE)
        return db
