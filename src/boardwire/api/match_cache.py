"""Journal reads of the HTTP API, and their caches.

- A cached match is extended: only events after the cached ones are read and replayed. So after the first request the
  cost of a page of steps or events does not depend on the length of the match.
- For lists, the summary of a finished match is not read again.
- Every cache is limited in bytes; the least recently used entries are evicted first.
- A match that is too long for the budget of one request is read by several: the progress is cached.

This code runs on reader threads. Cached values are immutable, so threads share them without locks.
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
from boardwire.api.replay import MatchEvents, MatchSteps, steps_of
from boardwire.errors import BoardwireError, Reason
from boardwire.table.events import Event
from boardwire.table.match import Status
from boardwire.table.ports import Journal, ReadEvents
from boardwire.table.summary import Digest, Summary, digest

DIGEST_BYTES: Final = 4 * 1024 * 1024
"""Size of the cache of summaries; each takes `SUMMARY_BYTES` and one byte per move."""
STEP_BYTES: Final = 32 * 1024 * 1024
"""Size of the cache of compressed steps, with the positions of matches in play."""
EVENT_BYTES: Final = 16 * 1024 * 1024
"""Size of the cache of compressed events, with the positions of matches in play."""
PART_EVENTS: Final = 100
"""Events replayed between two checks of the request's budget."""
SUMMARY_BYTES: Final = 2400
"""Memory of a cached summary; without the cache entry, 825 bytes (Tris) to 1,873 bytes (Eriantys) were measured."""

V = TypeVar("V")


class WeightedCache(Generic[V]):
    """A cache limited by the total weight of its values. The reader threads share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: dict[Hashable, tuple[int, V]] = {}
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """Return the value and mark it as recently used."""
        with self._lock:
            entry = self._values.pop(key, None)
            if entry is None:
                return None
            self._values[key] = entry
            return entry[1]

    def put(self, key: Hashable, value: V, weight: int = 1) -> bool:
        """Cache a value and evict the least recently used ones. Return False if it alone exceeds the limit; then only
        an earlier value of this key is removed."""
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

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()
            self._weight = 0


class MatchReader:
    """Cached reader of matches."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._digests: WeightedCache[Digest] = WeightedCache(DIGEST_BYTES)
        self._steps: WeightedCache[MatchSteps] = WeightedCache(STEP_BYTES)
        self._event_logs: WeightedCache[MatchEvents] = WeightedCache(EVENT_BYTES)

    def clear(self) -> None:
        """Clear all caches, because a name in them may no longer be shown."""
        for cache in (self._digests, self._steps, self._event_logs):
            cache.clear()

    def summaries(self, names: Iterable[str]) -> list[Summary]:
        """Return the summaries of matches, private ones included; unreadable matches are left out."""
        digests = {name: self._digests.get(name) for name in names}
        outdated = [
            name for name, digest in digests.items() if digest is None or digest.summary.status is not Status.OVER
        ]
        if outdated:
            with self._journal.reading() as read:
                for name in outdated:
                    check()
                    digests[name] = self._digest_or_none(name, digests[name], read)
        return [digest.summary for digest in digests.values() if digest is not None]

    def _digest_or_none(self, name: str, cached_digest: Digest | None, read: ReadEvents) -> Digest | None:
        """Return the current digest of a match, or None for an unknown or unreadable one."""
        try:
            return self._digest(name, cached_digest, read)
        except BoardwireError:
            return None

    def _digest(self, name: str, cached_digest: Digest | None, read: ReadEvents) -> Digest | None:
        """Return the current digest of a match, or None for an unknown match."""
        events = read(name, 0 if cached_digest is None else cached_digest.summary.seq, check)
        if not events:
            return cached_digest

        def keep(longer: Digest) -> bool:
            return self._digests.put(name, longer, SUMMARY_BYTES + len(longer.acted))

        return _digest_of(events, cached_digest, keep)

    def digest(self, name: str) -> Digest:
        """Return the digest of a public match."""
        try:
            digest = self._digest(name, self._digests.get(name), self._journal.read)
        except BoardwireError as error:
            raise _unreadable_problem(name, error) from None
        if digest is None or not _is_open(digest.summary):
            raise _no_match_problem(name)
        return digest

    def events(self, name: str) -> tuple[Summary, Sequence[Event]]:
        """Return the summary and all events of a public match."""
        try:
            events = self._journal.read(name, 0, check)
            summary = _digest_of(events).summary if events else None
        except BoardwireError as error:
            raise _unreadable_problem(name, error) from None
        if summary is None or not _is_open(summary):
            raise _no_match_problem(name)
        return summary, events

    def exists(self, name: str) -> bool:
        """Return whether a match of this name exists, public or not."""
        return bool(self._journal.read(name, 0, check))

    def steps(self, name: str) -> Blocks:
        """Return the steps of a public match."""
        self.digest(name)
        match_steps = self._steps.get(name)

        def keep(longer: MatchSteps) -> bool:
            return self._steps.put(name, longer, longer.size)

        events = self._events_after(name, 0 if match_steps is None else match_steps.match.seq)
        with _replay_problems(name):
            if match_steps is None:
                match_steps, events = steps_of(events[:1]), events[1:]
            return _extend_in_parts(match_steps, MatchSteps.extended, events, keep).steps

    def event_log(self, name: str) -> tuple[MatchEvents, bool]:
        """Return the events of a public match, and whether it is over."""
        match_events = self._event_logs.get(name) or MatchEvents(Blocks())
        events = self._events_after(name, len(match_events.events))
        # read after the events: if the match has ended in between, these events may already be shown without masks
        over = self.digest(name).summary.status is Status.OVER

        def keep(longer: MatchEvents) -> bool:
            return self._event_logs.put(name, longer, longer.size)

        with _replay_problems(name):
            return _extend_in_parts(match_events, partial(MatchEvents.extended, over=over), events, keep), over

    def _events_after(self, name: str, seq: int) -> Sequence[Event]:
        """Return the events of a match after event number `seq`; 0 returns all."""
        try:
            return self._journal.read(name, seq, check)
        except BoardwireError as error:
            raise _unreadable_problem(name, error) from None


def _digest_of(
    events: Sequence[Event], cached_digest: Digest | None = None, keep: Callable[[Digest], bool] = lambda longer: False
) -> Digest:
    """Return the digest of a match after these events."""
    if cached_digest is None:
        cached_digest, events = digest(events[:1]), events[1:]
    return _extend_in_parts(cached_digest, lambda so_far, part: digest(part, so_far), events, keep)


def _extend_in_parts(
    value: V, extend: Callable[[V, Sequence[Event]], V], events: Sequence[Event], keep: Callable[[V], bool]
) -> V:
    """Extend a cached value, some events at a time. If the budget is used up, cache the progress and raise `Problem`,
    which asks the client to retry."""
    at = 0
    try:
        while at < len(events):
            check()
            value = extend(value, events[at : at + PART_EVENTS])
            at += PART_EVENTS
    except OverBudget:
        if at and keep(value):
            detail = f"the match is long: {at} of {len(events)} further events were read; try again for the rest"
            raise Problem(503, detail, {"Retry-After": "1"}) from None
        raise
    if events:
        keep(value)
    return value


@contextmanager
def _replay_problems(name: str) -> Iterator[None]:
    """Convert errors of a replay to `Problem`."""
    try:
        yield
    except BoardwireError as error:
        raise Problem(503, f"match {name!r} cannot be replayed: {error}", reason=Reason.UNREADABLE) from None


def _is_open(summary: Summary) -> bool:
    """Return whether anyone may read a match: it is at a public table or over."""
    return not summary.private or summary.status is Status.OVER


def _unreadable_problem(name: str, error: BoardwireError) -> Problem:
    return Problem(503, f"match {name!r} cannot be read: {error}", reason=error.reason)


def _no_match_problem(name: str) -> Problem:
    detail = f"there is no match {name!r}, or it is private and still being played"
    return Problem(404, detail, reason=Reason.NO_SUCH_MATCH)
