"""A journal in memory: durable as long as the process lives.  For tests, trials and measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from boardwire.store.sitters import keys_of
from boardwire.table.events import Ended, Event, decode, encode
from boardwire.table.ports import Appended, AppendResult
from boardwire.table.tally import CommitTally


class MemoryJournal:
    """Keeps events as the bytes a real journal would store, and calls back at once: there are no commits to wait for,
    to count or to fail."""

    busy = failing = False
    waiting = 0

    def __init__(self) -> None:
        self._matches: dict[str, list[bytes]] = {}
        self._ended: set[str] = set()
        self._sat: dict[str, set[str]] = {}
        """The matches in which each player sat down."""
        self.tally = CommitTally()

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Store and confirm."""
        bodies = list(map(encode, events))  # before anything is kept: it is all or nothing
        kept = self._matches.setdefault(match, [])
        if first <= len(kept):
            done(AppendResult.SUPERSEDED)
            return
        assert first == len(kept) + 1, f"event {first} of {match} comes after event {len(kept)}"
        kept += bodies
        if type(events[-1]) is Ended:
            self._ended.add(match)
        for key in keys_of(events):
            self._sat.setdefault(key, set()).add(match)
        done(AppendResult.STORED)

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

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches in which the player with this key sat down."""
        sat = self._sat.get(key, set())
        return [row for row in self.newest(before, len(self._matches)) if row[1] in sat][:count]

    def unfinished(self) -> Iterable[str]:
        """The matches without an end."""
        return [name for name in self._matches if name not in self._ended]

    def probe(self) -> None:
        """Memory can always be written."""

    def close(self) -> None:
        """What was kept can still be read."""
