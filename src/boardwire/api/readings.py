"""What is read from the journal for HTTP, and what is kept of it for a while.

What is over never changes, so its summary and its steps are kept.  All of this happens on reader threads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from threading import Lock
from typing import Generic, Protocol, TypeVar

from boardwire.api.problem import Problem
from boardwire.api.replay import steps
from boardwire.games.game import GameError, Refused
from boardwire.table.events import Event
from boardwire.table.match import Status
from boardwire.table.summary import Summary, summarize


class Shelf(Protocol):
    """A journal, as the API uses it: appended to on the loop, read on reader threads."""

    def append(self, match: str, first: int, events: Sequence[Event], done: Callable[[bool], None], /) -> None: ...
    def read(self, match: str, /) -> Sequence[Event]: ...
    def reading(self) -> AbstractContextManager[Callable[[str], Sequence[Event]]]: ...
    def newest(self, before: int | None, count: int, /) -> list[tuple[int, str]]: ...


V = TypeVar("V")


class Kept(Generic[V]):
    """The few values that were asked for last.  Reader threads share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: dict[Hashable, V] = {}
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value, which is now the last to be forgotten."""
        with self._lock:
            value = self._values.pop(key, None)
            if value is not None:
                self._values[key] = value
            return value

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value; the one that nobody asked for longest goes."""
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._limit:
                del self._values[next(iter(self._values))]


class Readings:
    """What was read of matches that are over."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._summaries: Kept[Summary] = Kept(10_000)
        self._steps: Kept[list[tuple[int, bytes]]] = Kept(16)

    def summaries(self, names: Iterable[str]) -> list[Summary]:
        """The summaries of matches, private or not; what another version has written and this one cannot read is left
        out (the command line names such matches)."""
        found = {name: self._summaries.get(name) for name in names}
        if None in found.values():
            with self._shelf.reading() as read:
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
            events = self._shelf.read(name)
            summary = summarize(list(events)) if events else None
        except Refused as reason:
            raise Problem(503, f"match {name!r} cannot be read: {reason}") from None
        if summary is None or (summary.private and summary.status is not Status.OVER):
            raise Problem(404, f"there is no match {name!r}, or it is private and still being played")
        return summary, events

    def holds(self, name: str) -> bool:
        """Whether there is a match of this name, whoever may read it."""
        return bool(self._shelf.read(name))

    def steps(self, name: str) -> list[tuple[int, bytes]]:
        """The steps of a match that anybody may read."""
        found = self._steps.get(name)
        if found is not None:
            return found
        summary, events = self.events(name)
        try:
            told = list(steps(events))
        except GameError as reason:
            raise Problem(503, f"match {name!r} cannot be replayed: {reason}") from None
        if summary.status is Status.OVER:
            self._steps.put(name, told)
        return told
