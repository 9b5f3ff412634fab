"""A store in memory, for tests, trials and benchmarks."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from boardwire.store.analyses import MemoryAnalysisStore
from boardwire.store.decoding import decode_events
from boardwire.store.group_commit import Post, call_back
from boardwire.store.match_facts import NO_FACTS, Facts, facts_of
from boardwire.store.store import ReportFailure
from boardwire.table.counters import CommitCounters
from boardwire.table.events import Ended, Event, encode
from boardwire.table.ports import Appended, AppendResult, Check, Journal, MatchFilter, ReadEvents, never_stop


class MemoryJournal:
    """A journal in memory, with events as the bytes that a durable journal would store.

    Appends are confirmed at once or, with `soon`, after the current loop iteration: the results of an iteration are
    then published together, as with a durable journal.
    """

    failing = False
    waiting = 0

    def __init__(self, soon: Post | None = None) -> None:
        self._soon = soon
        self._unconfirmed: list[tuple[Appended, AppendResult]] = []
        self._matches: dict[str, list[bytes]] = {}
        self._ended: set[str] = set()
        self._index: dict[tuple[str, object], list[int]] = {}
        """Match numbers, in order, by fact: token hash, player name or game."""
        self._numbers: dict[str, int] = {}
        self._private: set[str] = set()
        self.tally = CommitCounters()

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Store `events` and confirm the append."""
        bodies = list(map(encode, events))  # before anything is stored: all or nothing
        stored_bodies = self._matches.setdefault(match, [])
        if first <= len(stored_bodies):
            self._finish(done, AppendResult.SUPERSEDED)
            return
        count = len(stored_bodies)
        assert first == count + 1, f"event {first} of match {match} does not follow event {count}"
        stored_bodies += bodies
        if type(events[-1]) is Ended:
            self._ended.add(match)
        self._index_facts(match, facts_of(events))
        self._finish(done, AppendResult.STORED)

    def _index_facts(self, match: str, facts: Facts) -> None:
        """Add the facts of some events to the index; names only at public tables."""
        if facts is NO_FACTS:
            return
        number = self._numbers.setdefault(match, len(self._matches))
        if facts.private:
            self._private.add(match)
        names = () if match in self._private else facts.names
        labels = [("key", key) for key in facts.keys] + [("name", name) for name in names]
        for label in (*labels, *([("game", facts.game)] if facts.game else ())):
            if not self._has_fact(label, number):
                insort(self._index.setdefault(label, []), number)

    def _has_fact(self, label: tuple[str, object], number: int) -> bool:
        """Return whether a match has this fact."""
        numbers = self._index.get(label, [])
        index = bisect_left(numbers, number)
        return index < len(numbers) and numbers[index] == number

    def _finish(self, done: Appended, result: AppendResult) -> None:
        if self._soon is None:
            done(result)
            return
        if not self._unconfirmed:
            self._soon(self._confirm)
        self._unconfirmed.append((done, result))

    def _confirm(self) -> None:
        unconfirmed, self._unconfirmed = self._unconfirmed, []
        call_back(unconfirmed)

    @property
    def busy(self) -> bool:
        """Whether some appends are not confirmed yet."""
        return bool(self._unconfirmed)

    def read(self, match: str, after: int = 0, check: Check = never_stop) -> Sequence[Event]:
        """Return the events of a match after number `after`."""
        return decode_events(match, self._matches.get(match, ())[after:], check)

    def names(self) -> Iterable[str]:
        """Return the names of all matches, oldest first."""
        return tuple(self._matches)

    @contextmanager
    def reading(self) -> Iterator[ReadEvents]:
        """Yield a reader of several matches."""
        yield self.read

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """Return the numbers and names of up to `count` matches, newest first, older than number `before`."""
        names = tuple(self._matches)
        last = len(names) if before is None else min(before - 1, len(names))
        return [(number, names[number - 1]) for number in range(last, max(last - count, 0), -1)]

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of the player with this token hash."""
        return self._with_label(("key", key), before, count)

    def list_public(self, criteria: MatchFilter, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of public tables that pass the filter."""
        label = ("name", criteria.player) if criteria.player else ("game", criteria.game) if criteria.game else None

        def is_wanted(row: tuple[int, str]) -> bool:
            number, name = row
            return (
                name not in self._private
                and (not criteria.game or self._has_fact(("game", criteria.game), number))
                and criteria.over in (None, name in self._ended)
            )

        matches: list[tuple[int, str]] = []
        while len(matches) < count:
            rows = self.newest(before, count) if label is None else self._with_label(label, before, count)
            if not rows:
                break
            before = rows[-1][0]
            matches += filter(is_wanted, rows)
        return matches[:count]

    def _with_label(self, label: tuple[str, object], before: int | None, count: int) -> list[tuple[int, str]]:
        numbers = self._index.get(label, [])
        end = len(numbers) if before is None else bisect_left(numbers, before)
        names = tuple(self._matches)
        return [(number, names[number - 1]) for number in reversed(numbers[max(0, end - count) : end])]

    def unfinished(self) -> Iterable[str]:
        """Return the names of unfinished matches."""
        return [name for name in self._matches if name not in self._ended]

    def probe(self) -> None:
        """Do nothing: memory can always be written."""

    def close(self) -> None:
        """Do nothing: the events can still be read."""


class MemoryStore:
    """A store that is lost when the process ends."""

    label = "memory"

    def journal(self, post: Post, report_failure: ReportFailure, soon: Post, *, shared: bool) -> Journal:
        """Return an empty journal."""
        return MemoryJournal(soon)

    def analyses(self) -> MemoryAnalysisStore:
        """Return an empty cache of analyses."""
        return MemoryAnalysisStore()
