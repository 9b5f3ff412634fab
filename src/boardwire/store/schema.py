"""The tables of the SQLite store, as numbered migrations.

`PRAGMA user_version` is the number of the last migration that ran.  A migration is never changed once it is released:
a new one is added behind it.  A store from a newer program is refused, never guessed at.
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
    """1: matches by their public name, events by match and number; the body is the event's JSON."""
    connection.execute(
        "CREATE TABLE matches (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ended INTEGER NOT NULL DEFAULT 0)"
    )
    connection.execute(
        "CREATE TABLE events (match INTEGER NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,"
        " PRIMARY KEY (match, seq)) WITHOUT ROWID"
    )


def _unfinished(connection: sqlite3.Connection) -> None:
    """2: recovery asks for the unfinished ones; among many finished ones they are few."""
    connection.execute("CREATE INDEX unfinished ON matches (key) WHERE ended = 0")


def _log(connection: sqlite3.Connection) -> None:
    """3: events in a log, in the order in which they were stored (`entry.py`, `log.py`); `last` is the number of the
    entry with the last part of a match."""
    connection.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    connection.execute("ALTER TABLE matches ADD COLUMN last INTEGER NOT NULL DEFAULT 0")
    rows = connection.execute("SELECT match, body FROM events ORDER BY match, seq")
    for number, (key, events) in enumerate(groupby(rows, itemgetter(0)), 1):
        bodies = [one_line(body) for _, body in events]
        connection.execute("INSERT INTO log VALUES (?, ?)", (number, write_part(key, 1, 0, bodies)))
        connection.execute("UPDATE matches SET last = ? WHERE key = ?", (number, key))
    connection.execute("DROP TABLE events")


def _sitters(connection: sqlite3.Connection) -> None:
    """4: who sat down where, by the player's key (`sitters.py`)."""
    connection.execute(
        "CREATE TABLE sitters (player TEXT NOT NULL, match INTEGER NOT NULL, PRIMARY KEY (player, match)) WITHOUT ROWID"
    )
    for (body,) in connection.execute("SELECT body FROM log"):
        rows = [(key, part.key) for part in parts(body) for key in facts_in(part.bodies).keys]
        connection.executemany("INSERT OR IGNORE INTO sitters VALUES (?, ?)", rows)


def _lists(connection: sqlite3.Connection) -> None:
    """5: what lists find a match by (`sitters.py`): its game, whether its table is private, who sat down by name at
    public tables."""
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


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (_tables, _unfinished, _log, _sitters, _lists)

LOG: Final = MIGRATIONS.index(_log) + 1
"""Since this format events are in the log."""


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the last migration that ran (0: none); `Unavailable` if this program does not know it."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise Unavailable(f"the data was written by a newer boardwire (format {version}; this one knows {len(MIGRATIONS)})")
    return version


def migrate(connection: sqlite3.Connection) -> int:
    """Bring the store up to date, each step whole or not at all; gives the number of migrations that ran."""
    version = version_of(connection)
    for number, change in enumerate(MIGRATIONS[version:], version + 1):
        connection.execute("BEGIN")
        try:
            change(connection)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:  # it failed, and SQLite has not taken it back by itself
                connection.execute("ROLLBACK")
    return len(MIGRATIONS) - version
