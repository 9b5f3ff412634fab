"""Group commit for durable stores.

- `append` never waits. Appends of one loop iteration, and those made while a commit runs, go into the next commit: the
  busier the server, the larger the commits. There is no timer; a commit of many events costs little more than one of a
  single event.
- The owner commits to a local store itself if each of the last `QUICK_COMMITS` commits took less than `QUICK_SECONDS`.
  A slower commit, such as one to a remote store, runs in the journal's thread, so that a slow disk does not block the
  event loop. With the thread, a move waits for a processor three times instead of once: under the 20 attackers of `make
  soak` on two cores, nine of ten commits took up to 8.2 ms, 7.0 ms of them in the run queue. So the time in the run
  queue does not count here (`run_queue.py`).
- `done` is called on the owner's thread after the commit, in the order of the appends. The next commit starts after
  these callbacks, so that it includes their appends, or before them if an append has waited for `PATIENCE_SECONDS`.
- If a commit fails, all of its appends fail, and none is published.
- While a commit takes longer than `OVERDUE_SECONDS`, further appends are rejected at once and the journal counts as
  failing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from queue import SimpleQueue
from time import perf_counter
from typing import Final, NamedTuple, Protocol, TypeAlias

import msgspec

from boardwire.store.decoding import decode_events
from boardwire.store.match_facts import NO_FACTS, Facts, facts_of
from boardwire.store.run_queue import RunQueueClock
from boardwire.table.counters import CommitCounters
from boardwire.table.events import Ended, Event, encode
from boardwire.table.ports import Appended, AppendResult, Check, MatchFilter, ReadEvents, never_stop

Post: TypeAlias = Callable[..., object]
"""Schedules a call on the thread of the journal's owner."""

_STORED: Final = AppendResult.STORED

QUICK_COMMITS: Final = 8
"""Consecutive quick commits after which the owner commits itself."""
QUICK_SECONDS: Final = 0.005
"""Duration below which a commit is quick."""
PATIENCE_SECONDS: Final = 0.005
"""Waiting time of an append after which the next commit starts without waiting for the callbacks of the last one."""
OVERDUE_SECONDS: Final = 5.0
"""Duration of a commit after which the journal counts as failing."""


class Append(msgspec.Struct, frozen=True, gc=False):
    """Events of one match that are stored together; `first` is the number of the first one.

    `ends` is true if the last one ends the match; `facts` are indexed (`match_facts.py`).
    """

    match: str
    first: int
    bodies: list[bytes]
    ends: bool
    done: Appended
    facts: Facts = NO_FACTS


class Log(Protocol):
    """Writer of a store, used by one thread at a time."""

    def write(self, appends: Sequence[Append], /) -> list[AppendResult]:
        """Store all appends in one commit and return their results; without appends, probe the store.

        If it raises, nothing is stored.
        """

    def roll_back(self) -> None:
        """Roll back an unfinished transaction."""


class StoredMatch(NamedTuple):
    """A match with its encoded events."""

    number: int
    match: str
    ended: bool
    bodies: list[bytes]


class Archive(Protocol):
    """Reader of a store, used by one reader at a time."""

    def events(self, match: str, after: int = 0, check: Check = never_stop, /) -> list[Event]:
        """Return the events of a match after number `after`, or an empty list for an unknown match.

        Raises `Unavailable` if an event cannot be decoded.
        """

    def bodies(self, match: str, after: int, check: Check, /) -> list[bytes]:
        """Return the same events, encoded."""

    def names(self) -> list[str]:
        """Return the names of all matches, oldest first."""

    def newest(self, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """Return the numbers and names of up to `count` matches, newest first, older than number `before`."""

    def of_player(self, key: str, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of the player with this token hash."""

    def list_public(self, criteria: MatchFilter, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of public tables that pass the filter."""

    def unfinished(self) -> list[str]:
        """Return the names of unfinished matches, oldest first."""

    def count(self) -> int:
        """Return the number of matches."""

    def read_all(self) -> Generator[StoredMatch, None, None]:
        """Yield every match, oldest first, from one snapshot; only one match is in memory at a time."""


class StoreJournal:
    """A journal (`table.ports.Journal`) that writes to a log and reads from an archive.

    - `archive` opens a reader.
    - `post` schedules a call from any thread, `soon` only from the owner's thread, which may be cheaper.
    - `report_failure` is called with the error of a failed commit.
    - With `commits_inline`, the owner commits itself while the store is quick.
    """

    def __init__(
        self,
        log: Log,
        archive: Callable[[], AbstractContextManager[Archive]],
        post: Post,
        report_failure: Callable[[Exception], None],
        soon: Post | None = None,
        *,
        commits_inline: bool,
    ) -> None:
        self._log = log
        self._archive = archive
        self._post = post
        self._soon = post if soon is None else soon
        self._report_failure = report_failure
        self._commits_inline = commits_inline
        self._pending: list[Append] = []
        self._is_writing = False
        """Whether a commit runs or is scheduled."""
        self._started_at = 0.0
        """Start time of the running commit."""
        self._oldest_at = 0.0
        """Time of the first append that waits for the next commit."""
        self._quick_commits = 0
        """Number of consecutive quick commits."""
        self._run_queue = RunQueueClock()
        self.tally = CommitCounters()
        self._failing = False
        """Whether the last commit or the probe at start failed."""
        self._probe()
        self._queue: SimpleQueue[list[Append] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether appends are not stored yet."""
        return self._is_writing or bool(self._pending)

    @property
    def waiting(self) -> int:
        """Number of appends that wait for the next commit."""
        return len(self._pending)

    @property
    def failing(self) -> bool:
        """Whether the last commit failed or the running one is overdue."""
        return self._failing or (self._is_writing and perf_counter() - self._started_at > OVERDUE_SECONDS)

    def probe(self) -> None:
        """Try to write without events, to detect that the store works again."""
        if not self.busy:
            self._is_writing = True
            self._started_at = perf_counter()
            self._queue.put([])

    def _probe(self) -> None:
        """Probe the store at start, so that a server that cannot store does not report itself ready."""
        try:
            self._log.write(())
        except Exception as error:  # noqa: BLE001 - any error means that nothing can be stored
            self._log.roll_back()
            self._failing = True
            self._report_failure(error)

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Add `events` to the next commit, which starts after this loop iteration if none is running."""
        bodies = list(map(encode, events))  # before anything is queued: all or nothing
        now = perf_counter()
        if not self._is_writing:
            self._is_writing = True
            self._started_at = now
            self._soon(self._start_commit)
        elif now - self._started_at > OVERDUE_SECONDS:
            self._soon(done, AppendResult.FAILED)
            return
        if not self._pending:
            self._oldest_at = now
        self._pending.append(Append(match, first, bodies, type(events[-1]) is Ended, done, facts_of(events)))

    def _start_commit(self) -> None:
        """Start the next commit if there are appends."""
        batch = self._pending
        if not batch:
            self._is_writing = False
            return
        self._started_at = perf_counter()
        self._pending = []
        if self._quick_commits < QUICK_COMMITS or not self._commits_inline:
            self._queue.put(batch)
            return
        try:
            call_back(_callbacks(batch, self._store(batch)))
        finally:
            self._is_writing = bool(self._pending)  # appended by `done` callbacks
            if self._is_writing:
                self._soon(self._start_commit)

    def _finish_commit(self, batch: list[Append], results: list[AppendResult]) -> None:
        if self._pending and perf_counter() - self._oldest_at > PATIENCE_SECONDS:
            self._started_at = perf_counter()
            pending, self._pending = self._pending, []
            self._queue.put(pending)
        else:
            self._soon(self._start_commit)  # after the callbacks
        call_back(_callbacks(batch, results))

    # --- on the journal's thread, or on the owner's, one at a time ----------------------------------------------------

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            self._post(self._finish_commit, batch, self._store(batch))

    def _store(self, batch: list[Append]) -> list[AppendResult]:
        """Commit a batch and return the result of each append."""
        waited_before = self._run_queue.wait_seconds()
        started_at = perf_counter()
        try:
            results = self._log.write(batch)
        except Exception as error:  # noqa: BLE001 - if the thread ended, every table would wait forever
            self._log.roll_back()
            self._quick_commits = 0
            self._failing = True
            self.tally.failures += 1
            self._post(self._report_failure, error)
            return [AppendResult.FAILED] * len(batch)
        duration = perf_counter() - started_at
        # the run queue is read only after a long commit: reading it costs a system call
        is_quick = (
            duration < QUICK_SECONDS or duration - (self._run_queue.wait_seconds() - waited_before) < QUICK_SECONDS
        )
        self._quick_commits = self._quick_commits + 1 if is_quick else 0
        stored = [append for append, result in zip(batch, results, strict=True) if result is _STORED]
        self.tally.add(duration, sum([len(append.bodies) for append in stored]))
        self._failing = False
        return results

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, match: str, after: int = 0, check: Check = never_stop) -> Sequence[Event]:
        """Return the stored events of a match after number `after`."""
        with self._archive() as archive:
            bodies = archive.bodies(match, after, check)
        return decode_events(match, bodies, check)  # without the archive: a pause must not hold a connection

    @contextmanager
    def reading(self) -> Iterator[ReadEvents]:
        """Yield a reader of several matches over one connection: connecting takes longer than reading a match."""
        with self._archive() as archive:
            yield archive.events

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """Return the numbers and names of up to `count` stored matches, newest first, older than number `before`."""
        with self._archive() as archive:
            return archive.newest(before, count)

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of the player with this token hash."""
        with self._archive() as archive:
            return archive.of_player(key, before, count)

    def list_public(self, criteria: MatchFilter, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of public tables that pass the filter."""
        with self._archive() as archive:
            return archive.list_public(criteria, before, count)

    def unfinished(self) -> Iterable[str]:
        """Return the names of unfinished matches, oldest first."""
        with self._archive() as archive:
            return archive.unfinished()

    def close(self) -> None:
        """Commit the pending appends and wait until they are stored."""
        batch, self._pending = self._pending, []
        if batch:
            self._queue.put(batch)
        self._queue.put(None)
        self._thread.join()
        self._run_queue.close()


def call_back(callbacks: Iterable[tuple[Appended, AppendResult]]) -> None:
    """Call `done` of every append, even if some of them raise."""
    errors = []
    for done, result in callbacks:
        try:
            done(result)
        except Exception as error:  # noqa: BLE001 - one table must not affect the others in the batch
            errors.append(error)
    if errors:
        raise ExceptionGroup("exceptions in `done` callbacks", errors)


def _callbacks(batch: list[Append], results: list[AppendResult]) -> Iterable[tuple[Appended, AppendResult]]:
    return zip([append.done for append in batch], results, strict=True)
