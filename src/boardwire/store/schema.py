"""The tables of the SQLite store, as numbered migrations.

`PRAGMA user_version` is the number of the last migration that ran.  A migration is never changed once it is released:
a new one is added behind it.  A store from a newer program is refused, never guessed at.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from boardwire.errors import Refused

MIGRATIONS: Final = (
    # 1: matches by their public name, events by match and number; the body is the event's JSON
    """
    CREATE TABLE matches (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ended INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE events (
        match INTEGER NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (match, seq)
    ) WITHOUT ROWID;
    """,
    # 2: recovery asks for the unfinished ones; among many finished ones they are few
    "CREATE INDEX unfinished ON matches (key) WHERE ended = 0;",
)


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the last migration that ran (0: none); `Refused` if this program does not know it."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise Refused(f"the data was written by a newer boardwire (format {version}; this one knows {len(MIGRATIONS)})")
    return version


def migrate(connection: sqlite3.Connection) -> int:
    """Bring the store up to date; gives the number of migrations that ran."""
    version = version_of(connection)
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
    return len(MIGRATIONS) - version
