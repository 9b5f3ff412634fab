"""What all stores share that take time: what is appended is gathered into commits, and everybody told what came of it.

Rules:

- `append` never waits.  What is appended in one turn of its owner, and while a commit runs, is gathered, and the next
  commit takes all of it: the busier the server, the larger the groups.  There is no timer.  A commit costs nearly the
  same for many events as for one.
- Commits are made in a thread of the journal's own.  But what is alone is stored by its owner itself, which saves two
  changes of threads, if the store is as near as a file: one append, if each of the last `ALONE` commits had one too and
  took less than `QUICK` seconds.  After a commit that took longer the thread has the next ones: a slow disk does not
  stop whoever waits for nothing from it.
- `done` is called on the owner's thread after the commit has returned, in the order of the appends.
- A batch that cannot be stored is reported as such; nothing of it is shown to anybody.
- While a commit takes longer than `OVERDUE` seconds, whatever else is appended is not stored, and told so at once: its
  sender learns that it has to wait, and the server says that it is not ready.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from queue import SimpleQueue
from time import perf_counter
from typing import Final, NamedTuple, Protocol, TypeAlias

from boardwire.store.match_facts import NO_FACTS, Facts, facts_of
from boardwire.table.counters import CommitTally
from boardwire.table.events import Ended, Event, encode
from boardwire.table.ports import Appended, AppendResult, ReadEvents, Wanted

Post: TypeAlias = Callable[..., object]
"""Runs a call with its arguments on the journal's owner's thread, soon."""

_STORED: Final = AppendResult.STORED

ALONE: Final = 8
QUICK: Final = 0.002
OVERDUE: Final = 5.0


class Append(NamedTuple):
    """Events of one match that are stored together; `ends`: the last of them is its end; `facts` are what lists find
    the match by (`sitters.py`)."""

    match: str
    first: int
    bodies: list[bytes]
    ends: bool
    done: Appended
    facts: Facts = NO_FACTS


class Log(Protocol):
    """What a store writes to; one thread at a time uses it."""

    def write(self, appends: Sequence[Append], /) -> list[AppendResult]:
        """Store all of it in one commit (nothing: a probe); gives what came of each.  Whatever it raises, nothing is
        stored."""

    def roll_back(self) -> None:
        """Take back what a failure has left unfinished."""


class Stored(NamedTuple):
    """A match as a store keeps it, its events as they were written."""

    number: int
    match: str
    ended: bool
    bodies: list[bytes]


class Archive(Protocol):
    """What a store is read from, by one reader at a time."""

    def events(self, match: str, after: int = 0, /) -> list[Event]:
        """The events of a match after number `after`; none if there is no such match.  `Unavailable` if this program cannot
        read them."""

    def names(self) -> list[str]:
        """All matches, oldest first."""

    def newest(self, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """So many matches with their numbers, newest first, older than number `before`."""

    def of_player(self, key: str, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """The same of the matches in which the player with this key sat down."""

    def listed(self, wanted: Wanted, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """The same of the matches of public tables that are wanted."""

    def unfinished(self) -> list[str]:
        """The matches without an end, oldest first."""

    def count(self) -> int:
        """How many matches there are."""

    def stored(self) -> Generator[Stored, None, None]:
        """Every match, oldest first, all as of one moment; one after the other is in memory."""


class StoreJournal:
    """A journal (`table.ports.Journal`) that writes to a log and reads from an archive; see the module.

    `archive` lends one to a reader; `post` may be called by any thread; `soon` is the same for the owner alone, which
    may be cheaper; `near` says that the owner may store by itself what is alone.
    """

    def __init__(
        self,
        log: Log,
        archive: Callable[[], AbstractContextManager[Archive]],
        post: Post,
        failed: Callable[[Exception], None],
        soon: Post | None = None,
        *,
        near: bool,
    ) -> None:
        self._log = log
        self._archive = archive
        self._post = post
        self._soon = post if soon is None else soon
        self._failed = failed
        self._near = near
        self._gathered: list[Append] = []
        self._writing = False
        """A commit runs, or begins soon."""
        self._begun = 0.0
        """Since when."""
        self._alone = 0
        """How many commits in a row were quick and of one append."""
        self.tally = CommitTally()
        self._failing = False
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

    @property
    def failing(self) -> bool:
        """Whether the last commit failed, or the one that runs is overdue."""
        return self._failing or (self._writing and perf_counter() - self._begun > OVERDUE)

    def probe(self) -> None:
        """Try to write, though there is nothing to store, to see whether it can be done again."""
        if not self.busy:
            self._writing = True
            self._begun = perf_counter()
            self._queue.put([])

    def _probe(self) -> None:
        """A server that starts where nothing can be stored must not say that it is ready."""
        try:
            self._log.write(())
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing can be stored
            self._log.roll_back()
            self._failing = True
            self._failed(error)

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Gather `events` for the next commit; if none is running, it begins when this turn of the owner is over."""
        bodies = [encode(event) for event in events]  # before anything is gathered: it is all or nothing
        if not self._writing:
            self._writing = True
            self._begun = perf_counter()
            self._soon(self._go_on)
        elif perf_counter() - self._begun > OVERDUE:
            self._soon(done, AppendResult.FAILED)
            return
        self._gathered.append(Append(match, first, bodies, type(events[-1]) is Ended, done, facts_of(events)))

    def _go_on(self) -> None:
        """Start the next commit, if there is something to store."""
        batch = self._gathered
        if not batch:
            self._writing = False
            return
        self._begun = perf_counter()
        self._gathered = []
        if len(batch) > 1 or self._alone < ALONE or not self._near:
            self._queue.put(batch)
            return
        try:
            tell(_answers(batch, self._store(batch)))
        finally:
            self._writing = bool(self._gathered)  # by whoever was told
            if self._writing:
                self._soon(self._go_on)

    def _committed(self, batch: list[Append], results: list[AppendResult]) -> None:
        self._soon(self._go_on)  # after all that is told here
        tell(_answers(batch, results))

    # --- the journal's own thread, or its owner's, one at a time ------------------------------------------------------

    def _run(self) -> None:
        while (batch := self._queue.get()) is not None:
            self._post(self._committed, batch, self._store(batch))

    def _store(self, batch: list[Append]) -> list[AppendResult]:
        """Commit a batch; gives what came of each append."""
        begun = perf_counter()
        try:
            results = self._log.write(batch)
        except Exception as error:  # noqa: BLE001 - if the thread ended, every table would wait for ever
            self._log.roll_back()
            self._alone = 0
            self._failing = True
            self.tally.failures += 1
            self._post(self._failed, error)
            return [AppendResult.FAILED] * len(batch)
        took = perf_counter() - begun
        self._alone = self._alone + 1 if len(batch) == 1 and took < QUICK else 0
        stored = [append for append, result in zip(batch, results, strict=True) if result is _STORED]
        self.tally.add(took, sum([len(append.bodies) for append in stored]))
        self._failing = False
        return results

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, match: str, after: int = 0) -> Sequence[Event]:
        """The durable events of a match that come after event number `after`."""
        with self._archive() as archive:
            return archive.events(match, after)

    @contextmanager
    def reading(self) -> Iterator[ReadEvents]:
        """What reads several matches over one connection; opening one takes longer than reading a short match."""
        with self._archive() as archive:
            yield archive.events

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """So many durable matches with their numbers, newest first, older than number `before`."""
        with self._archive() as archive:
            return archive.newest(before, count)

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches in which the player with this key sat down."""
        with self._archive() as archive:
            return archive.of_player(key, before, count)

    def listed(self, wanted: Wanted, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches of public tables that are wanted."""
        with self._archive() as archive:
            return archive.listed(wanted, before, count)

    def unfinished(self) -> Iterable[str]:
        """The matches without an end, oldest first."""
        with self._archive() as archive:
            return archive.unfinished()

    def close(self) -> None:
        """Store what is gathered, and wait for it."""
        batch, self._gathered = self._gathered, []
        if batch:
            self._queue.put(batch)
        self._queue.put(None)
        self._thread.join()


def tell(answers: Iterable[tuple[Appended, AppendResult]]) -> None:
    """Tell everybody what came of it, whatever others do when they are told."""
    faults = []
    for done, result in answers:
        try:
            done(result)
        except Exception as fault:  # noqa: BLE001 - one table's fault is not that of the others in the batch
            faults.append(fault)
    if faults:
        raise ExceptionGroup("faults of whoever was told that something is stored", faults)


def _answers(batch: list[Append], results: list[AppendResult]) -> Iterable[tuple[Appended, AppendResult]]:
    return zip([append.done for append in batch], results, strict=True)
