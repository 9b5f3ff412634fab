"""A journal in memory: durable as long as the process lives.  For tests, trials and measurements."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from boardwire.store.group_commit import Post, tell
from boardwire.store.match_facts import NO_FACTS, Facts, facts_of
from boardwire.table.counters import CommitTally
from boardwire.table.events import Ended, Event, decode, encode
from boardwire.table.ports import Appended, AppendResult, ReadEvents, Wanted


class MemoryJournal:
    """Keeps events as the bytes a real journal would store; there are no commits to wait for, to count or to fail.

    It calls back at once, or when the present turn of its owner is over, if there is `soon` for that: what a turn
    brings is then told in one go, as it is by a journal on a disk, and that costs a server less than one by one."""

    failing = False
    waiting = 0

    def __init__(self, soon: Post | None = None) -> None:
        self._soon = soon
        self._untold: list[tuple[Appended, AppendResult]] = []
        self._matches: dict[str, list[bytes]] = {}
        self._ended: set[str] = set()
        self._index: dict[tuple[str, object], list[int]] = {}
        """The numbers of matches, in order, by what is said of them: a player's key or name, the game."""
        self._numbers: dict[str, int] = {}
        self._private: set[str] = set()
        self.tally = CommitTally()

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Store and confirm."""
        bodies = list(map(encode, events))  # before anything is kept: it is all or nothing
        kept = self._matches.setdefault(match, [])
        if first <= len(kept):
            self._answer(done, AppendResult.SUPERSEDED)
            return
        assert first == len(kept) + 1, f"event {first} of {match} comes after event {len(kept)}"
        kept += bodies
        if type(events[-1]) is Ended:
            self._ended.add(match)
        self._note(match, facts_of(events))
        self._answer(done, AppendResult.STORED)

    def _note(self, match: str, facts: Facts) -> None:
        if facts is NO_FACTS:
            return
        number = self._numbers.setdefault(match, len(self._matches))
        if facts.private:
            self._private.add(match)
        names = () if match in self._private else facts.names
        labels = [("key", key) for key in facts.keys] + [("name", name) for name in names]
        for label in (*labels, *([("game", facts.game)] if facts.game else ())):
            if not self._is(label, number):
                insort(self._index.setdefault(label, []), number)

    def _is(self, label: tuple[str, object], number: int) -> bool:
        """Whether something is said of a match."""
        numbers = self._index.get(label, [])
        at = bisect_left(numbers, number)
        return at < len(numbers) and numbers[at] == number

    def _answer(self, done: Appended, result: AppendResult) -> None:
        if self._soon is None:
            done(result)
            return
        if not self._untold:
            self._soon(self._tell)
        self._untold.append((done, result))

    def _tell(self) -> None:
        untold, self._untold = self._untold, []
        tell(untold)

    @property
    def busy(self) -> bool:
        """Whether somebody has not been told yet."""
        return bool(self._untold)

    def read(self, match: str, after: int = 0) -> Sequence[Event]:
        """The events of a match that come after event number `after`."""
        return [decode(body) for body in self._matches.get(match, ())[after:]]

    def names(self) -> Iterable[str]:
        """All matches, oldest first."""
        return tuple(self._matches)

    @contextmanager
    def reading(self) -> Iterator[ReadEvents]:
        """What reads several matches."""
        yield self.read

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """So many matches with their numbers, newest first, older than number `before`."""
        names = tuple(self._matches)
        last = len(names) if before is None else min(before - 1, len(names))
        return [(number, names[number - 1]) for number in range(last, max(last - count, 0), -1)]

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches in which the player with this key sat down."""
        return self._labelled(("key", key), before, count)

    def listed(self, wanted: Wanted, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches of public tables that are wanted."""
        label = ("name", wanted.player) if wanted.player else ("game", wanted.game) if wanted.game else None

        def is_wanted(row: tuple[int, str]) -> bool:
            number, name = row
            return (
                name not in self._private
                and (not wanted.game or self._is(("game", wanted.game), number))
                and wanted.over in (None, name in self._ended)
            )

        found: list[tuple[int, str]] = []
        while len(found) < count:
            rows = self.newest(before, count) if label is None else self._labelled(label, before, count)
            if not rows:
                break
            before = rows[-1][0]
            found += filter(is_wanted, rows)
        return found[:count]

    def _labelled(self, label: tuple[str, object], before: int | None, count: int) -> list[tuple[int, str]]:
        numbers = self._index.get(label, [])
        end = len(numbers) if before is None else bisect_left(numbers, before)
        names = tuple(self._matches)
        return [(number, names[number - 1]) for number in reversed(numbers[max(0, end - count) : end])]

    def unfinished(self) -> Iterable[str]:
        """The matches without an end."""
        return [name for name in self._matches if name not in self._ended]

    def probe(self) -> None:
        """Memory can always be written."""

    def close(self) -> None:
        """What was kept can still be read."""
