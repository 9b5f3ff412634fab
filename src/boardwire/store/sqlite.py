"""A journal in SQLite: write-ahead log, synchronous=FULL, a thread of its own.

Rules:

- `append` never waits.  What is appended while a commit runs is gathered, and the next commit takes all of it: the
  busier the server, the larger the groups.  There is no timer.  The next one starts when everybody has been told of the
  last and its owner has turned to other things once: on a busy server those are more appends, and a commit costs nearly
  the same for many events as for one.
- `done` is called on the caller's thread (through `post`, for instance `loop.call_soon_threadsafe`) after the commit
  has returned, in the order of the appends.
- A batch that cannot be stored is reported as such; nothing of it is shown to anybody.  Only where the numbers of
  events are taken already, because somebody else wrote them, all other matches of the batch are stored.
- One process writes; any number read at the same time.

Many rows go into one INSERT statement, because the sqlite3 module gives up the interpreter lock at each statement and
has to get it back from a busy main thread.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Final, TypeAlias

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.store.schema import MIGRATIONS, migrate, version_of
from boardwire.table.events import Ended, Event, decode, encode
from boardwire.table.ports import Appended, AppendResult
from boardwire.table.tally import CommitTally

FILE: Final = "boardwire.sqlite"

Post: TypeAlias = Callable[..., object]
"""Runs a call with its arguments on the journal's owner's thread, soon."""

_Row: TypeAlias = tuple[int, int, bytes]
_MOST_ROWS: Final = 64
"""How many rows one statement inserts at most."""
_AFTER_ALL: Final = 2**63 - 1
_NO_MATCH: Final = 0
"""Keys begin with 1."""
_TAKEN: Final = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)
"""How SQLite says that there is such a row already."""


class _Batch:
    """What one commit stores."""

    __slots__ = ("done", "ended", "opened", "rows")

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self.opened: list[tuple[int, str]] = []
        self.ended: list[tuple[int]] = []
        self.done: list[tuple[int, Appended]] = []
        """Who is told, each with the key of its match."""

    def without(self, keys: Container[int]) -> _Batch:
        """The rest, if these matches are left out."""
        rest = _Batch()
        rest.rows = [row for row in self.rows if row[0] not in keys]
        rest.opened = [opened for opened in self.opened if opened[0] not in keys]
        rest.ended = [ended for ended in self.ended if ended[0] not in keys]
        rest.done = [done for done in self.done if done[0] not in keys]
        return rest


class SqliteJournal:
    """The journal of one data directory.  `close` stores what is gathered and ends the thread."""

    def __init__(self, directory: Path, post: Post, failed: Callable[[Exception], None] = lambda error: None) -> None:
        self._path = directory / FILE
        self._post = post
        self._failed = failed
        self._lock, self._writer = _open(directory)
        (last,) = self._writer.execute("SELECT coalesce(max(key), 0) FROM matches").fetchone()
        self._last_key: int = last
        self._keys: dict[str, int] = dict(
            self._writer.execute("SELECT id, key FROM matches WHERE ended = 0").fetchall()
        )
        self._gathered = _Batch()
        self._writing = False
        self.tally = CommitTally()
        self.failing = not self._can_write()
        """Whether the last commit failed, or the first could not be made."""
        self._queue: SimpleQueue[_Batch | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something is not stored yet."""
        return self._writing or bool(self._gathered.done)

    @property
    def waiting(self) -> int:
        """How many appends are gathered for the next commit."""
        return len(self._gathered.done)

    def probe(self) -> None:
        """Try to write, though there is nothing to store, to see whether it can be done again."""
        if not self.busy:
            self._gathered.done.append((_NO_MATCH, lambda result: None))
            self._hand_over()

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Gather `events` for the next commit, which starts at once if none is running."""
        batch = self._gathered
        bodies = list(map(encode, events))  # before anything is gathered: it is all or nothing
        key = self._keys.get(match)
        if key is None:
            key = self._new_key(match, batch) if first == 1 else self._old_key(match)
        for seq, body in enumerate(bodies, first):
            batch.rows.append((key, seq, body))
        if type(events[-1]) is Ended:
            batch.ended.append((key,))
            self._keys.pop(match, None)
        batch.done.append((key, done))
        if not self._writing:
            self._hand_over()

    def _new_key(self, match: str, batch: _Batch) -> int:
        self._last_key += 1
        self._keys[match] = self._last_key
        batch.opened.append((self._last_key, match))
        return self._last_key

    def _archive(self) -> Archive:
        """What reads; a peer may be told why it cannot be had, so that says nothing of where it is."""
        try:
            return Archive(self._path.parent)
        except Refused as reason:
            raise Refused("the journal cannot be read at the moment", reason=Reason.UNAVAILABLE) from reason

    def _old_key(self, match: str) -> int:
        """The key of a match that has ended; only talk comes after that, so it is not kept in memory."""
        with self._archive() as archive:
            return archive.key(match)

    def _hand_over(self) -> None:
        self._writing = True
        batch, self._gathered = self._gathered, _Batch()
        self._queue.put(batch)

    def _committed(self, batch: _Batch, unstored: dict[int, AppendResult]) -> None:
        for key, match in batch.opened:
            if key in unstored:
                self._keys.pop(match, None)  # as if it had never been opened
        self._post(self._go_on)  # soon: after all that is told here
        faults = []
        for key, done in batch.done:
            try:
                done(unstored.get(key, AppendResult.STORED))
            except Exception as fault:  # noqa: BLE001 - one table's fault is not that of the others in the batch
                faults.append(fault)
        if faults:
            raise ExceptionGroup("faults of whoever was told that something is stored", faults)

    def _go_on(self) -> None:
        """Start the next commit, if there is something to store."""
        self._writing = False
        if self._gathered.done:
            self._hand_over()

    def _can_write(self) -> bool:
        """Whether a commit reaches the disk now: a server that starts where nothing can be stored must not say that
        it is ready."""
        try:
            self._commit(_Batch())
        except sqlite3.Error as error:
            self._roll_back()
            self._failed(error)
            return False
        return True

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    # --- the journal's own thread ---------------------------------------------------------------------------------

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            self._post(self._committed, batch, self._store(batch))

    def _store(self, batch: _Batch) -> dict[int, AppendResult]:
        """Commit a batch; gives the keys of the matches of which nothing was stored, and why not."""
        begun = time.perf_counter()
        try:
            self._commit(batch)
            self.tally.add(time.perf_counter() - begun, len(batch.rows))
            self.failing = False
        except Exception as error:  # noqa: BLE001 - if this thread ended, every table would wait for ever
            self._roll_back()
            if isinstance(error, sqlite3.IntegrityError) and (superseded := self._superseded(batch, error)):
                unstored = dict.fromkeys(superseded, AppendResult.SUPERSEDED)
                return unstored | self._store(batch.without(superseded))
            self.failing = True
            self.tally.failures += 1
            self._post(self._failed, error)
            return {key: AppendResult.FAILED for key, _ in batch.done}
        return {}

    def _superseded(self, batch: _Batch, error: sqlite3.IntegrityError) -> set[int]:
        """The matches of a batch at which somebody else has written first, if that is what was wrong with it."""
        if error.sqlite_errorcode not in _TAKEN:
            return set()
        event = "SELECT 1 FROM events WHERE match = ? AND seq = ?"
        match = "SELECT 1 FROM matches WHERE key = ? OR id = ?"
        find = self._writer.execute
        try:
            events = {key for key, seq, _ in batch.rows if find(event, (key, seq)).fetchone()}
            return events | {opened[0] for opened in batch.opened if find(match, opened).fetchone()}
        except sqlite3.Error:
            return set()

    def _commit(self, batch: _Batch) -> None:
        execute = self._writer.execute
        rows = batch.rows
        if 0 < len(rows) <= _MOST_ROWS and not batch.opened and not batch.ended:
            execute(_INSERT[len(rows)], list(chain.from_iterable(rows)))  # one statement is a transaction by itself
            return
        execute("BEGIN")
        if batch.opened:
            self._writer.executemany("INSERT INTO matches (key, id) VALUES (?, ?)", batch.opened)
        for start in range(0, len(rows), _MOST_ROWS):
            some = rows[start : start + _MOST_ROWS]
            execute(_INSERT[len(some)], list(chain.from_iterable(some)))
        if batch.ended:
            self._writer.executemany("UPDATE matches SET ended = 1 WHERE key = ?", batch.ended)
        if not rows:
            execute(f"PRAGMA user_version = {len(MIGRATIONS)}")  # a probe: it must reach the disk
        execute("COMMIT")

    # --- reading --------------------------------------------------------------------------------------------------

    def read(self, match: str, after: int = 0) -> Sequence[Event]:
        """The durable events of a match that come after event number `after`."""
        with self._archive() as archive:
            return archive.events(match, after)

    @contextmanager
    def reading(self) -> Iterator[Callable[[str], Sequence[Event]]]:
        """What reads several matches over one connection; opening one takes longer than reading a short match."""
        with self._archive() as archive:
            yield archive.events

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """So many durable matches with their numbers, newest first, older than number `before`."""
        with self._archive() as archive:
            return archive.newest(before, count)

    def unfinished(self) -> Iterable[str]:
        """The matches without an end, oldest first."""
        with self._archive() as archive:
            return archive.unfinished()

    def close(self) -> None:
        """Store what is gathered, wait for it, and let go of the data directory."""
        if self._gathered.done:
            self._hand_over()
        self._queue.put(None)
        self._thread.join()
        self._writer.close()
        self._lock.close()


_INSERT: Final = tuple(
    f"INSERT INTO events (match, seq, body) VALUES {','.join(['(?,?,?)'] * size)}" for size in range(_MOST_ROWS + 1)
)
"""The statement for each number of rows."""


def _open(directory: Path) -> tuple[IO[str], sqlite3.Connection]:
    """The lock of the directory, and a connection to its store, brought up to date; `Refused` if that cannot be."""
    with ExitStack() as on_failure:
        try:
            _make(directory)
            lock = on_failure.enter_context(_lock(directory))
            writer = sqlite3.connect(directory / FILE, isolation_level=None, check_same_thread=False)
            on_failure.callback(writer.close)
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("PRAGMA synchronous = FULL")
            migrate(writer)
        except (OSError, sqlite3.Error) as error:
            why = "that is a file, not a directory" if isinstance(error, FileExistsError) else error
            raise Refused(f"cannot keep matches in {directory}: {why}") from error
        on_failure.pop_all()
    return lock, writer


def _make(directory: Path) -> None:
    """Make the directory and those above it, and let their names reach the disk too: SQLite sees to all that is inside,
    but if the machine lost the directory itself, it would lose every match with it."""
    new = [path for path in (directory, *directory.parents) if not path.exists()]
    directory.mkdir(parents=True, exist_ok=True)
    for path in reversed(new):
        above = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(above)
        finally:
            os.close(above)


def _lock(directory: Path) -> IO[str]:
    """Hold the directory for this process; `Refused` if another one does."""
    file = (directory / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Refused(f"another boardwire server has {directory} open") from None
    return file


class Archive:
    """Reads a data directory, also while a server has it open."""

    def __init__(self, directory: Path) -> None:
        path = directory / FILE
        if not path.exists():
            raise Refused(f"there are no matches in {directory}")
        with ExitStack() as on_failure:
            try:
                self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
                on_failure.callback(self._connection.close)
                if not version_of(self._connection):
                    raise Refused(f"there are no matches in {directory}")
            except sqlite3.Error as error:
                raise Refused(f"cannot read the matches in {directory}: {error}") from error
            on_failure.pop_all()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def events(self, match: str, after: int = 0) -> list[Event]:
        """The events of a match after number `after`; none if there is no such match.  `Refused` if this program cannot
        read them."""
        rows = self._connection.execute(
            "SELECT body FROM events WHERE match = (SELECT key FROM matches WHERE id = ?) AND seq > ? ORDER BY seq",
            (match, after),
        )
        try:
            return [decode(body) for (body,) in rows]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Refused(f"match {match!r} cannot be read: {error}", reason=Reason.UNREADABLE) from None

    def key(self, match: str) -> int:
        """The number under which the events of a match are kept."""
        row = self._connection.execute("SELECT key FROM matches WHERE id = ?", (match,)).fetchone()
        if row is None:
            raise Refused(f"there is no match {match!r}", reason=Reason.NO_SUCH_MATCH)
        return int(row[0])

    def names(self) -> list[str]:
        """All matches, oldest first."""
        return [name for (name,) in self._connection.execute("SELECT id FROM matches ORDER BY key")]

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """So many matches with their numbers, newest first, older than number `before`."""
        bound = _AFTER_ALL if before is None else before
        query = "SELECT key, id FROM matches WHERE key < ? ORDER BY key DESC LIMIT ?"
        return self._connection.execute(query, (bound, count)).fetchall()

    def matches(self) -> Iterator[list[Event]]:
        """The events of every match, oldest match first."""
        return map(self.events, self.names())

    def unfinished(self) -> list[str]:
        """The matches without an end, oldest first."""
        return [name for (name,) in self._connection.execute("SELECT id FROM matches WHERE ended = 0 ORDER BY key")]
