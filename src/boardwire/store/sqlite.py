"""A journal in SQLite: a log at the end of which every commit is written (`log.py`), write-ahead log, synchronous=FULL.

Rules:

- `append` never waits.  What is appended in one turn of its owner, and while a commit runs, is gathered, and the next
  commit takes all of it: the busier the server, the larger the groups.  There is no timer.  A commit costs nearly the
  same for many events as for one.
- Commits are made in a thread of the journal's own.  But what is alone is stored by its owner itself, which saves two
  changes of threads: one append, if each of the last `ALONE` commits had one too and took less than `QUICK` seconds.
  After a commit that took longer the thread has the next ones: a slow disk does not stop whoever waits for nothing
  from it.
- `done` is called on the owner's thread after the commit has returned, in the order of the appends.
- A batch that cannot be stored is reported as such; nothing of it is shown to anybody.  Only where the numbers of
  events are taken already, because somebody else wrote them, all other matches of the batch are stored.
- One process writes; any number read at the same time (`archive.py`).
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Final, TypeAlias

from boardwire.errors import Reason, Refused
from boardwire.store.archive import FILE, Archive
from boardwire.store.log import Append, Log
from boardwire.store.schema import migrate
from boardwire.table.events import Ended, Event, encode
from boardwire.table.ports import Appended, AppendResult
from boardwire.table.tally import CommitTally

Post: TypeAlias = Callable[..., object]
"""Runs a call with its arguments on the journal's owner's thread, soon."""

ALONE: Final = 8
QUICK: Final = 0.002


class SqliteJournal:
    """The journal of one data directory.  `close` stores what is gathered and ends the thread.

    `post` may be called by any thread; `soon` is the same for the owner alone, which may be cheaper."""

    def __init__(
        self,
        directory: Path,
        post: Post,
        failed: Callable[[Exception], None] = lambda error: None,
        soon: Post | None = None,
    ) -> None:
        self._path = directory / FILE
        self._post = post
        self._soon = post if soon is None else soon
        self._failed = failed
        self._lock, self._writer = _open(directory)
        self._log = Log(self._writer)
        self._gathered: list[Append] = []
        self._writing = False
        """A commit runs, or begins soon."""
        self._alone = 0
        """How many commits in a row were quick and of one append."""
        self.tally = CommitTally()
        self.failing = False
        """Whether the last commit failed, or the first could not be made."""
        self._probe()
        self._queue: SimpleQueue[list[Append] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something is not stored yet."""
        return self._writing or bool(self._gathered)

    @property
    def waiting(self) -> int:
        """How many appends are gathered for the next commit."""
        return len(self._gathered)

    def probe(self) -> None:
        """Try to write, though there is nothing to store, to see whether it can be done again."""
        if not self.busy:
            self._writing = True
            self._queue.put([])

    def _probe(self) -> None:
        """A server that starts where nothing can be stored must not say that it is ready."""
        try:
            self._log.write(())
        except sqlite3.Error as error:
            self._log.roll_back()
            self.failing = True
            self._failed(error)

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Gather `events` for the next commit; if none is running, it begins when this turn of the owner is over."""
        bodies = [encode(event) for event in events]  # before anything is gathered: it is all or nothing
        self._gathered.append(Append(match, first, bodies, type(events[-1]) is Ended, done))
        if not self._writing:
            self._writing = True
            self._soon(self._go_on)

    def _go_on(self) -> None:
        """Start the next commit, if there is something to store."""
        batch = self._gathered
        if not batch:
            self._writing = False
            return
        self._gathered = []
        if len(batch) > 1 or self._alone < ALONE:
            self._queue.put(batch)
            return
        try:
            _tell(batch, self._store(batch))
        finally:
            self._writing = bool(self._gathered)  # by whoever was told
            if self._writing:
                self._soon(self._go_on)

    def _committed(self, batch: list[Append], results: list[AppendResult]) -> None:
        self._soon(self._go_on)  # after all that is told here
        _tell(batch, results)

    # --- the journal's own thread, or its owner's, one at a time ------------------------------------------------------

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            self._post(self._committed, batch, self._store(batch))

    def _store(self, batch: list[Append]) -> list[AppendResult]:
        """Commit a batch; gives what came of each append."""
        begun = time.perf_counter()
        try:
            results = self._log.write(batch)
        except Exception as error:  # noqa: BLE001 - if the thread ended, every table would wait for ever
            self._log.roll_back()
            self._alone = 0
            self.failing = True
            self.tally.failures += 1
            self._post(self._failed, error)
            return [AppendResult.FAILED] * len(batch)
        took = time.perf_counter() - begun
        self._alone = self._alone + 1 if len(batch) == 1 and took < QUICK else 0
        stored = [append for append, result in zip(batch, results, strict=True) if result is AppendResult.STORED]
        self.tally.add(took, sum([len(append.bodies) for append in stored]))
        self.failing = False
        return results

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

    def _archive(self) -> Archive:
        """What reads; a peer may be told why it cannot be had, so that says nothing of where it is."""
        try:
            return Archive(self._path.parent)
        except Refused as reason:
            raise Refused("the journal cannot be read at the moment", reason=Reason.UNAVAILABLE) from reason

    def close(self) -> None:
        """Store what is gathered, wait for it, and let go of the data directory."""
        batch, self._gathered = self._gathered, []
        if batch:
            self._queue.put(batch)
        self._queue.put(None)
        self._thread.join()
        self._writer.close()
        self._lock.close()


def _tell(batch: list[Append], results: list[AppendResult]) -> None:
    """Tell everybody what came of it, whatever others do when they are told."""
    faults = []
    for append, result in zip(batch, results, strict=True):
        try:
            append.done(result)
        except Exception as fault:  # noqa: BLE001 - one table's fault is not that of the others in the batch
            faults.append(fault)
    if faults:
        raise ExceptionGroup("faults of whoever was told that something is stored", faults)


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
