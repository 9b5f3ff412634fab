"""SQLite as a log beside one row per event: CPU time and bytes written per stored move.

`python -m bench sqlite_layout`. Both layouts store the same events with the same settings (WAL, synchronous=FULL), in
commits of one move for each of `games` matches, as a busy server does. Rounds alternate; figures are medians.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from bench.config import RunConfig
from boardwire.games import tris
from boardwire.store.group_commit import Append
from boardwire.store.log import SqliteLog
from boardwire.store.schema import migrate
from boardwire.table.events import Acted, Opened, encode
from boardwire.table.policy import Policy

COMMITS: Final = 40
"""Commits per round."""
MOVE: Final = encode(Acted(1_700_000_000.0, 0, 4))

Write = Callable[[Sequence[Append]], object]


def _connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def log_layout(connection: sqlite3.Connection) -> Write:
    """Return the writer of our log."""
    migrate(connection)
    return SqliteLog(connection).write


def row_layout(connection: sqlite3.Connection) -> Write:
    """Return a writer of one row per event, keyed by match and number."""
    connection.execute(
        "CREATE TABLE events (match TEXT, number INTEGER, body BLOB, PRIMARY KEY (match, number)) WITHOUT ROWID"
    )

    def write(appends: Sequence[Append]) -> None:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO events VALUES (?, ?, ?)",
            [
                (append.match, append.first + offset, body)
                for append in appends
                for offset, body in enumerate(append.bodies)
            ],
        )
        connection.execute("COMMIT")

    return write


LAYOUTS: Final = {"log": log_layout, "row per event": row_layout}


class _Store:
    """One layout with `games` open matches."""

    def __init__(self, folder: Path, layout: Callable[[sqlite3.Connection], Write], games: int) -> None:
        self._path = folder / "matches.db"
        self._connection = _connection(self._path)
        self._connection.execute("PRAGMA wal_autocheckpoint = 0")  # the size of the WAL then counts all written bytes
        self._write = layout(self._connection)
        self._names = [
            f"{number * 2_654_435_761 % 2**32:08x}" for number in range(games)
        ]  # spread over the key space, like our random names
        self._next = 2
        policy = Policy()
        self._write(
            [
                Append(name, 1, [encode(Opened(1.0, name, f"tris@{tris.rules}", 2, {}, policy))], False, lambda _: None)
                for name in self._names
            ]
        )

    def round(self) -> tuple[float, float]:
        """Return the CPU microseconds and the bytes of the write-ahead log per move."""
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        start = time.process_time()
        for _ in range(COMMITS):
            self._write([Append(name, self._next, [MOVE], False, lambda _: None) for name in self._names])
            self._next += 1
        moves = COMMITS * len(self._names)
        written = self._path.with_name("matches.db-wal").stat().st_size
        return (time.process_time() - start) / moves * 1e6, written / moves

    def close(self) -> None:
        self._connection.close()


def run(config: RunConfig) -> None:
    """Print the table."""
    print("\nSQLite layouts: CPU microseconds and bytes written per stored move, by matches in one commit\n")
    print(f"{'matches':>8}{'layout':>16}{'CPU us':>9}{'bytes':>9}")
    for games in config.games:
        with tempfile.TemporaryDirectory() as folder:
            stores = {}
            for name, layout in LAYOUTS.items():
                (place := Path(folder, name)).mkdir()
                stores[name] = _Store(place, layout, games)
            rounds = [{name: store.round() for name, store in stores.items()} for _ in range(config.rounds + 1)][1:]
            for name, store in stores.items():
                cpu, size = (median(sizes[name][part] for sizes in rounds) for part in (0, 1))
                print(f"{games:>8,}{name:>16}{cpu:>9.1f}{size:>9,.0f}", flush=True)
                store.close()
    print()
