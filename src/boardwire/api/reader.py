"""What is read from the journal for HTTP, and what is kept of it for a while.

What is over changes no more, except that people may talk on: so its summary is kept.  The steps of a match are kept
too, and go on where they ended.  All of this happens on reader threads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from threading import Lock
from typing import Final, Generic, TypeVar

from boardwire.api.problem import Problem
from boardwire.api.replay import Course, course
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.table.events import Event
from boardwire.table.match import Status
from boardwire.table.ports import Journal
from boardwire.table.summary import Summary, summarize

SUMMARIES: Final = 2000
"""How many summaries are kept."""
STEP_BYTES: Final = 8 * 1024 * 1024
"""How many bytes of steps are kept; a long match alone may have more, and is then not kept."""


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

    def put(self, key: Hashable, value: V, weight: int = 1) -> None:
        """Keep a value; those that nobody asked for longest go."""
        with self._lock:
            self._weight += weight - self._values.pop(key, (0, None))[0]
            self._values[key] = weight, value
            while self._weight > self._limit:
                oldest = next(iter(self._values))
                self._weight -= self._values.pop(oldest)[0]


class Reader:
    """What was read of matches."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._summaries: Kept[Summary] = Kept(SUMMARIES)
        self._courses: Kept[Course] = Kept(STEP_BYTES)

    def summaries(self, names: Iterable[str]) -> list[Summary]:
        """The summaries of matches, private or not; what another version has written and this one cannot read is left
        out (the command line names such matches)."""
        found = {name: self._summaries.get(name) for name in names}
        if None in found.values():
            with self._journal.reading() as read:
                for name, known in found.items():
                    if known is None:
                        found[name] = self._summary(name, read)
        return [summary for summary in found.values() if summary is not None]

    def _summary(self, name: str, read: Callable[[str], Sequence[Event]]) -> Summary | None:
        try:
            summary = summarize(list(read(name)))
        except Refused:
            return None
        if summary.status is Status.OVER:
            self._summaries.put(name, summary)
        return summary

    def events(self, name: str) -> tuple[Summary, Sequence[Event]]:
        """A match that anybody may read, with its events."""
        try:
            events = self._journal.read(name)
            summary = summarize(list(events)) if events else None
        except Refused as error:
            raise Problem(503, f"match {name!r} cannot be read: {error}", reason=error.reason) from None
        if summary is None or (summary.private and summary.status is not Status.OVER):
            words = f"there is no match {name!r}, or it is private and still being played"
            raise Problem(404, words, reason=Reason.NO_SUCH_MATCH)
        return summary, events

    def holds(self, name: str) -> bool:
        """Whether there is a match of this name, whoever may read it."""
        return bool(self._journal.read(name))

    def steps(self, name: str) -> list[tuple[int, bytes]]:
        """The steps of a match that anybody may read.  What was told before is not read or played again."""
        kept = self._courses.get(name)
        try:
            if kept is None:
                _, events = self.events(name)
                known = course(events)
            else:
                known = kept.then(self._journal.read(name, kept.match.seq))
        except BoardwireError as error:
            raise Problem(503, f"match {name!r} cannot be replayed: {error}", reason=Reason.UNREADABLE) from None
        if kept is None or known.match.seq > kept.match.seq:
            self._courses.put(name, known, known.size)
        return known.steps
