"""Bounded queue that is served round robin between keys, such as client addresses.

- Each key has a first-in, first-out line. Keys take turns, so a key waits for its earlier items and for at most one
  item of every other key.
- `per_key` bounds the items of one key that wait, `total` bounds all of them. If the queue is full, the newest item
  of the longest line gives way to a key with a shorter line: a refusal hits those who queue most. Items that were put
  back have been started and never give way.
- `active_per_key` bounds the items of one key that are being worked on at the same time. A key at this limit is passed
  over until `done` is called for one of its items.
- No operation searches the queue except `withdraw`, which searches one line, and an `offer` to a full queue, which
  compares the lengths of the lines.

The class knows no clock, no thread and no event loop. Callers that share it between threads must hold a lock.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Bounded queue of items by key, served round robin. `active_per_key` 0 means no limit."""

    __slots__ = ("_active", "_active_per_key", "_length", "_lines", "_per_key", "_started", "_total", "_turns")

    def __init__(self, *, per_key: int, total: int, active_per_key: int = 0) -> None:
        self._per_key = per_key
        self._total = total
        self._active_per_key = active_per_key
        self._lines: dict[str, deque[T]] = {}
        """Waiting items by key; no line is empty."""
        self._started: dict[str, list[T]] = {}
        """Those of them that were put back, by key."""
        self._turns: dict[str, None] = {}
        """Keys that have a waiting item and may start it, in the order of their turns."""
        self._active: Counter[str] = Counter()
        self._length = 0

    def __len__(self) -> int:
        """Return how many items wait."""
        return self._length

    def waiting(self, key: str) -> int:
        """Return how many items of `key` wait."""
        line = self._lines.get(key)
        return 0 if line is None else len(line)

    def active(self, key: str) -> int:
        """Return how many items of `key` were started and are not done."""
        return self._active[key]

    def keys(self) -> int:
        """Return how many keys have an item that waits or is active."""
        return len(self._lines.keys() | self._active.keys())

    def offer(self, key: str, item: T) -> T | None:
        """Append `item` to the line of `key`.

        Return the item that has no place and must be refused: `item` itself, or the newest item of the longest line.
        Return None if every item has a place.
        """
        line = self._lines.get(key)
        length = 0 if line is None else len(line)
        if length >= self._per_key:
            return item
        evicted = None
        if self._length >= self._total:
            longest = max(self._lines, key=self.waiting, default=key)
            if self.waiting(longest) <= length + 1:  # the lines would only change places
                return item
            evicted = self._evict(longest)
            if evicted is None:
                return item
        if line is None:
            line = self._lines[key] = deque()
        line.append(item)
        self._length += 1
        self._schedule(key)
        return evicted

    def next(self) -> tuple[str, T] | None:
        """Remove and return the item whose turn it is, with its key; None if no item may start now.

        The item is active until `done` is called with its key.
        """
        if not self._turns:
            return None
        key = next(iter(self._turns))
        del self._turns[key]
        item = self._lines[key].popleft()
        self._no_longer_started(key, item)
        self._length -= 1
        self._active[key] += 1
        self._schedule(key)
        return key, item

    def done(self, key: str) -> None:
        """Note that an active item of `key` is done."""
        if self._active[key] > 1:
            self._active[key] -= 1
        else:
            del self._active[key]
        self._schedule(key)

    def put_back(self, key: str, item: T, *, first: bool = False) -> None:
        """Return an active item to the end of its line, beyond every limit, and let all other keys go first.

        For work that is interrupted after a while. With `first` it goes to the front of its line: then its key resumes
        it before it starts another item.
        """
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = deque()
        if first:
            line.appendleft(item)
        else:
            line.append(item)
        self._started.setdefault(key, []).append(item)
        self._length += 1
        self.done(key)

    def withdraw(self, key: str, item: T) -> bool:
        """Remove an item that waits; return whether it was there."""
        line = self._lines.get(key)
        if line is None or item not in line:
            return False
        line.remove(item)
        self._no_longer_started(key, item)
        self._length -= 1
        self._schedule(key)
        return True

    def drain(self) -> list[T]:
        """Remove and return every item that waits."""
        items = [item for line in self._lines.values() for item in line]
        self._lines.clear()
        self._started.clear()
        self._turns.clear()
        self._length = 0
        return items

    def _evict(self, key: str) -> T | None:
        """Remove and return the newest item of a line that was not started; None if there is none."""
        line, started = self._lines[key], self._started.get(key, ())
        for place in range(len(line) - 1, -1, -1):
            if not any(line[place] is one for one in started):
                item = line[place]
                del line[place]
                self._length -= 1
                self._schedule(key)
                return item
        return None

    def _no_longer_started(self, key: str, item: T) -> None:
        started = self._started.get(key)
        if started is not None:
            self._started[key] = started = [one for one in started if one is not item]
            if not started:
                del self._started[key]

    def _schedule(self, key: str) -> None:
        """Give `key` a turn after all others if it may start an item; take its turn away if no item waits."""
        if not self._lines.get(key):
            self._lines.pop(key, None)
            self._turns.pop(key, None)
        elif not self._active_per_key or self._active[key] < self._active_per_key:
            self._turns.setdefault(key)
