"""Writer of the SQLite log: a commit is written to one place, at the end of the file.

- An entry (`entry.py`) has the events of one commit, of any number of matches. Only a large commit is divided into
  several entries, so that reading one match never reads much else.
- Entries are numbered without gaps, and the writer chooses the number. If another process has written, the number is
  taken: the writer stores nothing before it has read which matches the other process wrote to.
- `matches.last` is the number of the entry with the last part of a match. It is exact for finished matches. For others
  it is updated by every commit that passes a multiple of `LAST_UPDATE_ENTRIES`, so a reader scans the entries after
  the last multiple.
- One thread at a time uses the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final

import msgspec

from boardwire.store.entry import parts, parts_of, write_part
from boardwire.store.group_commit import Append
from boardwire.store.match_facts import NO_FACTS
from boardwire.store.schema import MIGRATIONS
from boardwire.table.ports import AppendResult

LAST_UPDATE_ENTRIES: Final = 64
"""Entries after which `matches.last` of unfinished matches is updated."""
ENTRY_BYTES: Final = 8 * 1024
"""Size above which a commit is divided into entries. One append is never divided."""
_ROWS_PER_STATEMENT: Final = 32
"""Rows per statement: sqlite3 releases the interpreter lock for each statement, and for each row of `executemany`, and
must get it back from a busy main thread. With `executemany` a commit on a flooded server took 6 ms at the median."""
_INSERT_ENTRIES: Final = "INSERT INTO log (number, body) VALUES {}"
_DUPLICATE_ROW: Final = (
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
)
"""SQLite's error codes for a duplicate row."""


class _Head(msgspec.Struct, frozen=True, gc=False):
    """Last event of a match: its number (`seq`) and the number of the entry that has it."""

    key: int
    seq: int
    entry: int
    over: bool = False


class _Commit:
    """Changes of one transaction."""

    __slots__ = ("entries", "heads", "names", "opened", "results", "sitters")

    def __init__(self, count: int) -> None:
        self.entries: list[tuple[int, bytes]] = []
        self.opened: list[tuple[int, str, str, bool]] = []
        self.heads: dict[str, _Head] = {}
        self.sitters: list[tuple[str, int]] = []
        self.names: list[tuple[str, int]] = []
        self.results = [AppendResult.STORED] * count


class SqliteLog:
    """The writing side of a SQLite store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._heads: dict[str, _Head] = {}
        """Unfinished matches that were written to."""
        self._last: int = connection.execute("SELECT coalesce(max(number), 0) FROM log").fetchone()[0]
        self._last_key: int = connection.execute("SELECT coalesce(max(key), 0) FROM matches").fetchone()[0]
        self._exact_to = self._last - self._last % LAST_UPDATE_ENTRIES
        """Entry up to which `matches.last` is exact."""
        self._outdated: dict[int, int] = {}
        """Later last entries by match key, written by another process."""
        for number, body in self._entries_after(self._exact_to):
            self._outdated.update((part.key, number) for part in parts(body))

    def write(self, appends: Sequence[Append]) -> list[AppendResult]:
        """Store all appends in one commit and return their results. If it raises, nothing is stored."""
        try:
            return self._write(appends, careful=False)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode not in _DUPLICATE_ROW:
                raise
            self.roll_back()
            self._catch_up()
            return self._write(appends, careful=True)

    def roll_back(self) -> None:
        """Roll back an unfinished transaction."""
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _write(self, appends: Sequence[Append], *, careful: bool) -> list[AppendResult]:
        """Write a commit and return the result of each append; `careful`: look up every match that is not known."""
        commit = self._prepare(appends, careful=careful)
        entries, heads = commit.entries, commit.heads
        last = entries[-1][0] if entries else self._last
        finished = [head for head in heads.values() if head.over]
        updates_last = last // LAST_UPDATE_ENTRIES > self._exact_to // LAST_UPDATE_ENTRIES
        moves_only = not (commit.opened or commit.sitters or commit.names or finished or updates_last)
        if moves_only and 0 < len(entries) <= _ROWS_PER_STATEMENT:
            self._insert(_INSERT_ENTRIES, entries)  # one statement is a transaction by itself
        else:
            self._transact(commit, finished, heads if updates_last else None)
        self._last = last
        self._heads.update(heads)
        if finished:
            for match in [match for match, head in heads.items() if head.over]:
                self._outdated.pop(self._heads.pop(match).key, None)
        if updates_last:
            self._exact_to = last
            self._outdated.clear()
        return commit.results

    def _prepare(self, appends: Sequence[Append], *, careful: bool) -> _Commit:
        """Plan a transaction. Unless `careful`, an unknown match is assumed to be new; SQLite reports if it is not."""
        commit = _Commit(len(appends))
        heads, stored_heads = commit.heads, self._heads
        number, last_key = self._last + 1, self._last_key
        texts: list[bytes] = []
        size = 0
        superseded: set[str] = set()
        for index, append in enumerate(appends):
            match, first, bodies, facts = append.match, append.first, append.bodies, append.facts
            head = heads.get(match) or stored_heads.get(match)
            if head is None:
                head = self._find(match) if careful or first > 1 else None
            if head is None:
                last_key += 1
                commit.opened.append((last_key, match, facts.game, facts.private))
                head = _Head(last_key, 0, 0)
            key, seq = head.key, head.seq
            if first <= seq or match in superseded:
                superseded.add(match)
                commit.results[index] = AppendResult.SUPERSEDED
                continue
            assert first == seq + 1, f"event {first} of match {match} does not follow event {seq}"
            text = write_part(key, first, head.entry, bodies)
            if size and size + len(text) > ENTRY_BYTES:
                commit.entries.append((number, b"".join(texts)))
                texts.clear()
                size = 0
                number += 1
            texts.append(text)
            size += len(text)
            heads[match] = _Head(key, seq + len(bodies), number, head.over or append.ends)
            if facts is not NO_FACTS:
                commit.sitters += [(player, key) for player in facts.keys]
                commit.names += [(name, key) for name in facts.names]
        if texts:
            commit.entries.append((number, b"".join(texts)))
        return commit

    def _transact(self, commit: _Commit, finished: list[_Head], heads: dict[str, _Head] | None) -> None:
        """Write a commit in one transaction; given its `heads`, update `matches.last` of unfinished matches too."""
        execute = self._connection.execute
        execute("BEGIN")
        self._insert("INSERT INTO matches (key, id, game, private) VALUES {}", commit.opened)
        self._insert("INSERT OR IGNORE INTO sitters VALUES {}", commit.sitters)
        self._insert(
            "INSERT OR IGNORE INTO names SELECT column1, key FROM (VALUES {}) JOIN matches ON key = column2"
            " WHERE private = 0",
            commit.names,
        )
        self._insert(_INSERT_ENTRIES, commit.entries)
        self._update("UPDATE matches SET ended = 1, last = {}", [(match.key, match.entry) for match in finished])
        if heads is not None:
            self._update("UPDATE matches SET last = {}", self._outdated_rows(heads))
        if not commit.entries:
            execute(f"PRAGMA user_version = {len(MIGRATIONS)}")  # a probe must write to the disk
        execute("COMMIT")
        if commit.opened:
            self._last_key = commit.opened[-1][0]

    def _insert(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Execute an INSERT for many rows at a time; `{}` stands for their values."""
        for start in range(0, len(rows), _ROWS_PER_STATEMENT):
            chunk = rows[start : start + _ROWS_PER_STATEMENT]
            row = f"({','.join('?' * len(chunk[0]))})"
            self._connection.execute(statement.format(",".join([row] * len(chunk))), list(chain.from_iterable(chunk)))

    def _update(self, statement: str, values: Sequence[tuple[int, int]]) -> None:
        """Execute an UPDATE of many matches at a time; `{}` stands for the value by match key."""
        for start in range(0, len(values), _ROWS_PER_STATEMENT):
            chunk = values[start : start + _ROWS_PER_STATEMENT]
            case = f"CASE key {'WHEN ? THEN ? ' * len(chunk)}END"
            keys = ",".join("?" * len(chunk))
            self._connection.execute(
                f"{statement.format(case)} WHERE key IN ({keys})",
                [*chain.from_iterable(chunk), *[key for key, _ in chunk]],
            )

    def _outdated_rows(self, heads: dict[str, _Head]) -> list[tuple[int, int]]:
        """Return match key and last entry of the unfinished matches for which `matches.last` is out of date."""
        entries = dict(self._outdated)
        entries.update((head.key, head.entry) for head in self._heads.values() if head.entry > self._exact_to)
        entries.update((head.key, head.entry) for head in heads.values())
        return sorted(entries.items())

    # --- reading the log ----------------------------------------------------------------------------------------------

    def _find(self, match: str) -> _Head | None:
        """Return the head of a match, or None for an unknown match."""
        execute = self._connection.execute
        row = execute("SELECT key, last, ended FROM matches WHERE id = ?", (match,)).fetchone()
        if row is None:
            return None
        key, entry, ended = row
        entry = max(entry, self._outdated.get(key, 0))
        body = execute("SELECT body FROM log WHERE number = ?", (entry,)).fetchone()
        seq = 0 if body is None else parts_of(body[0], key)[-1].last
        return _Head(key, seq, entry, bool(ended))

    def _entries_after(self, number: int) -> Iterable[tuple[int, bytes]]:
        """Return the entries after this number."""
        return self._connection.execute("SELECT number, body FROM log WHERE number > ? ORDER BY number", (number,))

    def _catch_up(self) -> None:
        """Read the entries that another process has appended."""
        heads: dict[int, _Head] = {}
        for number, body in self._entries_after(self._last):
            heads.update((part.key, _Head(part.key, part.last, number)) for part in parts(body))
            self._last = number
        self._outdated.update((key, head.entry) for key, head in heads.items())
        self._heads.update((match, heads[head.key]) for match, head in self._heads.items() if head.key in heads)
        self._last_key = self._connection.execute("SELECT coalesce(max(key), 0) FROM matches").fetchone()[0]
