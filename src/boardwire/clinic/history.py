"""What an inspector remembers: the newest records of every connection, bounded in bytes.

Rules:

- A record is kept as JSON, numbered from 1 over all connections.  Of the bytes of a message it has `SHOWN_BYTES`.
- One connection keeps at most `CONNECTION_BYTES`, all of them together `TOTAL_BYTES`; the oldest are dropped first.
  What Python needs beside the JSON counts too, so that very many tiny records are bounded like few large ones.
- What was dropped is counted, by connection and in all.
- An answer has at most `ANSWER_BYTES`, and one record.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Collection
from itertools import takewhile
from typing import Final

import msgspec

from boardwire.clinic.monitor import Record, Said

CONNECTION_BYTES: Final = 1024 * 1024
"""Bytes that are remembered of one connection."""
TOTAL_BYTES: Final = 64 * 1024 * 1024
"""Bytes that are remembered of all connections."""
ANSWER_BYTES: Final = 1024 * 1024
"""Bytes of records in one answer."""
SHOWN_BYTES: Final = 4096
"""Bytes of a message that a record has."""
RECORD_OVERHEAD: Final = 320
"""Bytes that Python needs for a record beside its JSON, rounded up."""
CONNECTION_OVERHEAD: Final = 2048
"""Bytes that Python needs for a connection, rounded up."""


class Dropped(msgspec.Struct):
    """How much was dropped."""

    records: int = 0
    bytes: int = 0

    def add(self, size: int) -> None:
        """Count one record."""
        self.records += 1
        self.bytes += size


class _Connection:
    """The numbers of a connection's records, and their bytes."""

    __slots__ = ("dropped", "is_over", "numbers", "size")

    def __init__(self) -> None:
        self.numbers: deque[int] = deque()
        self.size = CONNECTION_OVERHEAD
        self.dropped = Dropped()
        self.is_over = False


class History:
    """The newest records; see the module."""

    def __init__(self, connection_bytes: int = CONNECTION_BYTES, total_bytes: int = TOTAL_BYTES) -> None:
        self._connection_bytes = connection_bytes
        self._total_bytes = total_bytes
        self._records: OrderedDict[int, tuple[int, bytes]] = OrderedDict()
        """By number, with the connection."""
        self._connections: dict[int, _Connection] = {}
        self.count = 0
        """Records so far, those that were dropped included."""
        self.size = 0
        """Bytes that are remembered."""
        self.dropped = Dropped()

    def __contains__(self, connection: int) -> bool:
        return connection in self._connections

    def __len__(self) -> int:
        return len(self._records)

    def add(self, record: Record) -> list[int]:
        """Remember a record; returns the closed connections that nothing is remembered of any more."""
        fields = record.fields()
        if isinstance(record, Said):
            fields["bytes"] = record.data[:SHOWN_BYTES].hex()
        data = msgspec.json.encode(fields)
        connection = self._connections.get(record.connection)
        if connection is None:
            connection = self._connections[record.connection] = _Connection()
            self.size += CONNECTION_OVERHEAD
        self.count += 1
        size = len(data) + RECORD_OVERHEAD
        self._records[self.count] = record.connection, data
        connection.numbers.append(self.count)
        connection.size += size
        self.size += size
        while connection.size > self._connection_bytes and len(connection.numbers) > 1:
            self._drop(connection.numbers[0])
        forgotten: list[int] = []
        while self.size > self._total_bytes and len(self._records) > 1:
            number = next(iter(self._records))
            name = self._records[number][0]
            self._drop(number)
            oldest = self._connections[name]
            if oldest.is_over and not oldest.numbers:
                del self._connections[name]
                self.size -= CONNECTION_OVERHEAD
                forgotten.append(name)
        return forgotten

    def close(self, connection: int) -> None:
        """The connection is over: when its last record is dropped, it is forgotten."""
        if connection in self._connections:
            self._connections[connection].is_over = True

    def _drop(self, number: int) -> None:
        """Drop the oldest record of its connection."""
        name, data = self._records.pop(number)
        size = len(data) + RECORD_OVERHEAD
        connection = self._connections[name]
        connection.numbers.popleft()
        connection.size -= size
        connection.dropped.add(len(data))
        self.size -= size
        self.dropped.add(len(data))

    def after(
        self, number: int, most: int, connections: Collection[int] | None = None
    ) -> tuple[int, tuple[msgspec.Raw, ...]]:
        """Return the records of these connections (None: all) after `number`, at most `most`, and the number to go on
        from.  A number that was not given yet is that of an earlier run, and means the beginning."""
        start = number if number <= self.count else 0
        newer = takewhile(lambda one: one[0] > start, reversed(self._records.items()))
        wanted = [(at, data) for at, (name, data) in newer if connections is None or name in connections]
        found: list[msgspec.Raw] = []
        size = 0
        while wanted and len(found) < most and size < ANSWER_BYTES:
            start, data = wanted.pop()
            found.append(msgspec.Raw(data))
            size += len(data)
        return start if wanted else self.count, tuple(found)

    def dropped_of(self, connections: Collection[int]) -> Dropped:
        """Return how much was dropped of these connections."""
        counts = [self._connections[name].dropped for name in connections if name in self._connections]
        return Dropped(sum(one.records for one in counts), sum(one.bytes for one in counts))
