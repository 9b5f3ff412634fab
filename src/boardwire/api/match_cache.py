"""What is read from the journal for HTTP, and what is kept of it for a while.

- What is kept of a match goes on where it ended: only later events are read, and only they are played.  So the cost of
  a page of steps or events does not depend on the length of the match, after the first.
- What is over changes no more, except that people may talk on: its summary in a list is not read again.
- Every cache is bounded in bytes; what was not asked for longest is forgotten first.
- A match that is too long to be read within the budget of one request is read in several: what was done is kept.

All of this happens on reader threads.  Values that are kept are never changed, so threads share them without locks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Final, Generic, TypeVar

from boardwire.api.compressed_list import Blocks
from boardwire.api.problem import Problem
from boardwire.api.reader_threads import OverBudget, check
from boardwire.api.replay import Account, Course, course
from boardwire.errors import BoardwireError, Reason
from boardwire.table.events import Event
from boardwire.table.match import Status
from boardwire.table.ports import Journal, ReadEvents
from boardwire.table.summary import Digest, Summary, digest, summarize

DIGEST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of summaries that are kept; one takes `SUMMARY_BYTES` and one for each move."""
STEP_BYTES: Final = 32 * 1024 * 1024
"""Bytes of steps that are kept, compressed, with the positions behind those of matches in play."""
EVENT_BYTES: Final = 16 * 1024 * 1024
"""Bytes of events that are kept, likewise."""
PART_EVENTS: Final = 100
"""Events that are read or played before the request's budget is looked at, and what was done is kept."""
SUMMARY_BYTES: Final = 2400
"""Memory of a summary and its place in the cache; measured: 825 bytes (Tris) to 1,873 (Eriantys) without the latter."""

V = TypeVar("V")


class Kept(Generic[V]):
    """The values that were asked for last, as many as weigh no more than `limit` together.  Reader threads share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: dict[Hashable, tuple[int, V]] = {}
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value, which is now the last to be forgotten."""
        with self._lock:
            kept = self._values.pop(key, None)
            if kept is None:
                return None
            self._values[key] = kept
            return kept[1]

    def put(self, key: Hashable, value: V, weight: int = 1) -> bool:
        """Keep a value; those that were not asked for longest go.  Return False if it weighs more than all may: then
        only an earlier value of this key goes."""
        with self._lock:
            self._weight -= self._values.pop(key, (0, None))[0]
            if weight > self._limit:
                return False
            self._weight += weight
            self._values[key] = weight, value
            while self._weight > self._limit:
                oldest = next(iter(self._values))
                self._weight -= self._values.pop(oldest)[0]
            return True


class Reader:
    """What was read of matches."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._digests: Kept[Digest] = Kept(DIGEST_BYTES)
        self._courses: Kept[Course] = Kept(STEP_BYTES)
        self._accounts: Kept[Account] = Kept(EVENT_BYTES)

    def summaries(self, names: Iterable[str]) -> list[Summary]:
        """The summaries of matches, private or not; what another version has written and this one cannot read is left
        out (the command line names such matches)."""
        found = {name: self._digests.get(name) for name in names}
        unsure = [name for name, known in found.items() if known is None or known.summary.status is not Status.OVER]
        if unsure:
            with self._journal.reading() as read:
                for name in unsure:
                    check()
                    found[name] = self._read_on(name, found[name], read)
        return [known.summary for known in found.values() if known is not None]

    def _read_on(self, name: str, known: Digest | None, read: ReadEvents) -> Digest | None:
        try:
            return self._digest(name, known, read)
        except BoardwireError:
            return None

    def _digest(self, name: str, known: Digest | None, read: ReadEvents) -> Digest | None:
        """The digest of a match as it stands; None: there is no such match."""
        events = read(name, 0 if known is None else known.summary.seq)
        if not events:
            return known
        found = digest(events, known)
        self._digests.put(name, found, SUMMARY_BYTES + len(found.acted))
        return found

    def digest(self, name: str) -> Digest:
        """The digest of a match that anybody may read."""
        try:
            found = self._digest(name, self._digests.get(name), self._journal.read)
        except BoardwireError as error:
            raise _unreadable(name, error) from None
        if found is None or not _is_open(found.summary):
            raise _no_such_match(name)
        return found

    def events(self, name: str) -> tuple[Summary, Sequence[Event]]:
        """A match that anybody may read, with all its events."""
        try:
            events = self._journal.read(name)
            summary = summarize(events) if events else None
        except BoardwireError as error:
            raise _unreadable(name, error) from None
        if summary is None or not _is_open(summary):
            raise _no_such_match(name)
        return summary, events

    def holds(self, name: str) -> bool:
        """Whether there is a match of this name, whoever may read it."""
        return bool(self._journal.read(name))

    def steps(self, name: str) -> Blocks:
        """The steps of a match that anybody may read."""
        self.digest(name)
        known = self._courses.get(name)

        def keep(longer: Course) -> bool:
            return self._courses.put(name, longer, longer.size)

        events = self._later(name, 0 if known is None else known.match.seq)
        with _replaying(name):
            if known is None:
                known, events = course(events[:1]), events[1:]
            return _in_parts(known, Course.then, events, keep).steps

    def account(self, name: str) -> tuple[Account, bool]:
        """The events of a match that anybody may read, and whether it is over."""
        known = self._accounts.get(name) or Account(Blocks())
        events = self._later(name, len(known.events))
        over = self.digest(name).summary.status is Status.OVER  # of these events, or of more

        def keep(longer: Account) -> bool:
            return self._accounts.put(name, longer, longer.size)

        with _replaying(name):
            return _in_parts(known, partial(Account.then, over=over), events, keep), over

    def _later(self, name: str, after: int) -> Sequence[Event]:
        """The events of a match after a number."""
        try:
            return self._journal.read(name, after)
        except BoardwireError as error:
            raise _unreadable(name, error) from None


def _in_parts(
    known: V, then: Callable[[V, Sequence[Event]], V], events: Sequence[Event], keep: Callable[[V], bool]
) -> V:
    """Go on with what is known of a match, some events at a time.  When the request has used up its budget, what was
    done is kept, and the client told to come again."""
    at = 0
    try:
        while at < len(events):
            check()
            known = then(known, events[at : at + PART_EVENTS])
            at += PART_EVENTS
    except OverBudget:
        if at and keep(known):
            words = f"the match is long: {at} of {len(events)} further events are read; try again for the rest"
            raise Problem(503, words, {"Retry-After": "1"}) from None
        raise
    if events:
        keep(known)
    return known


@contextmanager
def _replaying(name: str) -> Iterator[None]:
    try:
        yield
    except BoardwireError as error:
        raise Problem(503, f"match {name!r} cannot be replayed: {error}", reason=Reason.UNREADABLE) from None


def _is_open(summary: Summary) -> bool:
    """Whether anybody may read a match."""
    return not summary.private or summary.status is Status.OVER


def _unreadable(name: str, error: BoardwireError) -> Problem:
    return Problem(503, f"match {name!r} cannot be read: {error}", reason=error.reason)


def _no_such_match(name: str) -> Problem:
    words = f"there is no match {name!r}, or it is private and still being played"
    return Problem(404, words, reason=Reason.NO_SUCH_MATCH)
