"""Schema of the SQLite store, as numbered migrations.

`PRAGMA user_version` is the number of the last migration. Released migrations never change; new ones are appended. A
store that was written by a newer version is refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import Final

from boardwire.errors import Unavailable
from boardwire.store.entry import one_line, parts, write_part
from boardwire.store.match_facts import facts_in


def _tables(connection: sqlite3.Connection) -> None:
    """1: matches by name, events by match and number; the body is JSON."""
    connection.execute(
        "CREATE TABLE matches (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ended INTEGER NOT NULL DEFAULT 0)"
    )
    connection.execute(
        "CREATE TABLE events (match INTEGER NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,"
        " PRIMARY KEY (match, seq)) WITHOUT ROWID"
    )


def _index_unfinished(connection: sqlite3.Connection) -> None:
    """2: index of unfinished matches, which are few."""
    connection.execute("CREATE INDEX unfinished ON matches (key) WHERE ended = 0")


def _log(connection: sqlite3.Connection) -> None:
    """3: events in a log, in the order of the commits (`entry.py`, `log.py`); `last` is the entry with a match's last
    part."""
    connection.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    connection.execute("ALTER TABLE matches ADD COLUMN last INTEGER NOT NULL DEFAULT 0")
    rows = connection.execute("SELECT match, body FROM events ORDER BY match, seq")
    for number, (key, events) in enumerate(groupby(rows, itemgetter(0)), 1):
        bodies = [one_line(body) for _, body in events]
        connection.execute("INSERT INTO log VALUES (?, ?)", (number, write_part(key, 1, 0, bodies)))
        connection.execute("UPDATE matches SET last = ? WHERE key = ?", (number, key))
    connection.execute("DROP TABLE events")


def _sitters(connection: sqlite3.Connection) -> None:
    """4: matches by token hash (`match_facts.py`)."""
    connection.execute(
        "CREATE TABLE sitters (player TEXT NOT NULL, match INTEGER NOT NULL, PRIMARY KEY (player, match)) WITHOUT ROWID"
    )
    for (body,) in connection.execute("SELECT body FROM log"):
        rows = [(key, part.key) for part in parts(body) for key in facts_in(part.bodies).keys]
        connection.executemany("INSERT OR IGNORE INTO sitters VALUES (?, ?)", rows)


def _lists(connection: sqlite3.Connection) -> None:
    """5: facts for lists (`match_facts.py`): game, private, and player names at public tables."""
    connection.execute("ALTER TABLE matches ADD COLUMN game TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE matches ADD COLUMN private INTEGER NOT NULL DEFAULT 0")
    connection.execute(
        "CREATE TABLE names (name TEXT NOT NULL, match INTEGER NOT NULL, PRIMARY KEY (name, match)) WITHOUT ROWID"
    )
    for (body,) in connection.execute("SELECT body FROM log"):
        for part in parts(body):
            facts = facts_in(part.bodies)
            connection.executemany(
                "INSERT OR IGNORE INTO names VALUES (?, ?)", [(name, part.key) for name in facts.names]
            )
            if facts.game:
                row = (facts.game, facts.private, part.key)
                connection.execute("UPDATE matches SET game = ?, private = ? WHERE key = ?", row)
    connection.execute("DELETE FROM names WHERE match IN (SELECT key FROM matches WHERE private)")
    connection.execute("CREATE INDEX public ON matches (key) WHERE private = 0")
    connection.execute("CREATE INDEX public_by_game ON matches (game, key) WHERE private = 0")
    connection.execute("CREATE INDEX public_by_end ON matches (ended, key) WHERE private = 0")
    connection.execute("CREATE INDEX public_by_game_and_end ON matches (game, ended, key) WHERE private = 0")


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    _tables,
    _index_unfinished,
    _log,
    _sitters,
    _lists,
)

LOG: Final = MIGRATIONS.index(_log) + 1
"""First format with the log."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the number of the last migration, or 0; raise `Unavailable` for a newer format."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        supported = f"format {version}; this version supports up to {len(MIGRATIONS)}"
        raise Unavailable(f"the data was written by a newer boardwire ({supported}); upgrade boardwire")
    return version


def migrate(connection: sqlite3.Connection) -> int:
    """Run the missing migrations, each in a transaction; return their number."""
    version = version_of(connection)
    for number, change in enumerate(MIGRATIONS[version:], version + 1):
        connection.execute("BEGIN")
        try:
            change(connection)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:  # the migration failed, and SQLite has not rolled it back
                connection.execute("ROLLBACK")
    return len(MIGRATIONS) - version
