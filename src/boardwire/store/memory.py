"""A journal in memory: durable as long as the process lives.  For tests, trials and measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from boardwire.table.events import Ended, Event, decode, encode


class MemoryJournal:
    """Keeps events as the bytes a real journal would store, and calls back at once."""

    def __init__(self) -> None:
        self._matches: dict[str, list[bytes]] = {}
        self._ended: set[str] = set()

    def append(self, match: str, first: int, events: Sequence[Event], done: Callable[[bool], None]) -> None:
        """Store and confirm."""
        kept = self._matches.setdefault(match, [])
        assert first == len(kept) + 1, f"event {first} of {match} comes after event {len(kept)}"
        kept.extend(map(encode, events))
        if type(events[-1]) is Ended:
            self._ended.add(match)
        done(True)

    def read(self, match: str, after: int = 0) -> Sequence[Event]:
        """The events of a match that come after event number `after`."""
        return [decode(body) for body in self._matches.get(match, ())[after:]]

    def names(self) -> Iterable[str]:
        """All matches, oldest first."""
        return tuple(self._matches)

    @contextmanager
    def reading(self) -> Iterator[Callable[[str], Sequence[Event]]]:
        """What reads several matches."""
        yield self.read

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """So many matches with their numbers, newest first, older than number `before`."""
        names = tuple(self._matches)
        last = len(names) if before is None else min(before - 1, len(names))
        return [(number, names[number - 1]) for number in range(last, max(last - count, 0), -1)]

    def unfinished(self) -> Iterable[str]:
        """The matches without an end."""
        return [name for name in self._matches if name not in self._ended]
