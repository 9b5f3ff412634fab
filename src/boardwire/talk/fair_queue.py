"""Bounded queue that is served round robin between keys, such as client addresses.

- Each key has a first-in, first-out line. Keys take turns, so an item waits for the earlier items of its key and, for
  each of them, at most one item of every other key.
- `per_key` limits the waiting items of one key, `total` all waiting items. If the queue is full, the newest item of the
  longest line is evicted for a key with a shorter line, so that the keys that queue most are refused. Items that were
  put back have been started and are never evicted.
- `active_per_key` limits the items of one key that are active at the same time. A key at this limit is skipped until
  `done` is called for one of its items.
- No operation searches the queue except `withdraw`, which searches one line, and an `offer` to a full queue, which
  compares the lengths of the lines.

The class has no clock, thread or event loop. Callers that share it between threads must hold a lock.
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
        """Waiting items that were put back, by key."""
        self._turns: dict[str, None] = {}
        """Keys that may start a waiting item, in the order of their turns."""
        self._active: Counter[str] = Counter()
        self._length = 0

    def __len__(self) -> int:
        """Return the number of waiting items."""
        return self._length

    def waiting(self, key: str) -> int:
        """Return the number of waiting items of `key`."""
        line = self._lines.get(key)
        return 0 if line is None else len(line)

    def active(self, key: str) -> int:
        """Return the number of active items of `key`: started and not done."""
        return self._active[key]

    def keys(self) -> int:
        """Return the number of keys with a waiting or active item."""
        return len(self._lines.keys() | self._active.keys())

    def offer(self, key: str, item: T) -> T | None:
        """Append `item` to the line of `key`.

        Return the item that must be refused because the queue is full: `item` itself, or the newest item of the longest
        line. Return None if no item must be refused.
        """
        line = self._lines.get(key)
        length = 0 if line is None else len(line)
        if length >= self._per_key:
            return item
        evicted = None
        if self._length >= self._total:
            longest_key = max(self._lines, key=self.waiting, default=key)
            if self.waiting(longest_key) <= length + 1:  # `key` would have the longest line then
                return item
            evicted = self._evict(longest_key)
            if evicted is None:
                return item
        if line is None:
            line = self._lines[key] = deque()
        line.append(item)
        self._length += 1
        self._schedule(key)
        return evicted

    def next(self) -> tuple[str, T] | None:
        """Remove and return the next item with its key; None if no item may start now.

        The item is active until `done` is called with its key.
        """
        if not self._turns:
            return None
        key = next(iter(self._turns))
        del self._turns[key]
        item = self._lines[key].popleft()
        self._unmark_started(key, item)
        self._length -= 1
        self._active[key] += 1
        self._schedule(key)
        return key, item

    def done(self, key: str) -> None:
        """Record that an active item of `key` is done."""
        if self._active[key] > 1:
            self._active[key] -= 1
        else:
            del self._active[key]
        self._schedule(key)

    def put_back(self, key: str, item: T, *, first: bool = False) -> None:
        """Put an active item back at the end of its line, regardless of limits; all other keys have their turns first.

        For work that is interrupted after a while. With `first` it goes to the front of its line, so that its key
        resumes it before it starts another item.
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
        """Remove a waiting item; return whether there was one."""
        line = self._lines.get(key)
        if line is None or item not in line:
            return False
        line.remove(item)
        self._unmark_started(key, item)
        self._length -= 1
        self._schedule(key)
        return True

    def drain(self) -> list[T]:
        """Remove and return all waiting items."""
        items = [item for line in self._lines.values() for item in line]
        self._lines.clear()
        self._started.clear()
        self._turns.clear()
        self._length = 0
        return items

    def _evict(self, key: str) -> T | None:
        """Remove and return the newest item of a line that has not been started; None if there is none."""
        line, started_items = self._lines[key], self._started.get(key, ())
        for index in range(len(line) - 1, -1, -1):
            if not any(line[index] is item for item in started_items):
                item = line[index]
                del line[index]
                self._length -= 1
                self._schedule(key)
                return item
        return None

    def _unmark_started(self, key: str, item: T) -> None:
        started_items = self._started.get(key)
        if started_items is not None:
            self._started[key] = started_items = [other for other in started_items if other is not item]
            if not started_items:
                del self._started[key]

    def _schedule(self, key: str) -> None:
        """Append `key` to the turns if it may start an item; remove its turn if it has no waiting item."""
        if not self._lines.get(key):
            self._lines.pop(key, None)
            self._turns.pop(key, None)
        elif not self._active_per_key or self._active[key] < self._active_per_key:
            self._turns.setdefault(key)
