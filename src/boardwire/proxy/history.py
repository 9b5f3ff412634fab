"""History of an inspector: the newest records of every connection, bounded in bytes.

- A record is stored as JSON, numbered from 1 over all connections, with at most `SHOWN_BYTES` of its message.
- The records of one connection use at most `CONNECTION_BYTES`, all records `TOTAL_BYTES`; the oldest are dropped first.
  Memory besides the JSON counts too, so that many tiny records are bounded like few large ones.
- If the total exceeds its limit, the client address that uses the most bytes loses its oldest record. So an address
  that uses less than its share of `TOTAL_BYTES` loses nothing, whatever others send.
- Dropped records are counted, by connection and in total.
- An answer ends with the record that reaches `ANSWER_BYTES`, and has at least one.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Collection
from heapq import heapify, heappop, heappush
from itertools import takewhile
from typing import Final

import msgspec

from boardwire.conformance.monitor import MessageRecord, Opened, Record

CONNECTION_BYTES: Final = 1024 * 1024
"""Limit of the bytes stored for one connection."""
TOTAL_BYTES: Final = 64 * 1024 * 1024
"""Limit of the bytes stored for all connections."""
ANSWER_BYTES: Final = 1024 * 1024
"""Size of the records in one answer at which it ends."""
SHOWN_BYTES: Final = 4096
"""Bytes of the message that a record stores."""
RECORD_OVERHEAD: Final = 480
"""Memory per record besides its JSON, rounded up."""
CONNECTION_OVERHEAD: Final = 2048
"""Memory per connection, including its part of the address's memory, rounded up."""
_STALE_ENTRIES: Final = 64
"""The heap of addresses is rebuilt when it has more than this number plus twice the number of addresses."""


class Dropped(msgspec.Struct):
    """Number of dropped records and bytes."""

    records: int = 0
    bytes: int = 0

    def add(self, size: int) -> None:
        """Count one record."""
        self.records += 1
        self.bytes += size


class _Address:
    """Record numbers of one client address (or IPv6 network), oldest first, and the bytes that it uses."""

    __slots__ = ("name", "numbers", "size")

    def __init__(self, name: str) -> None:
        self.name = name
        self.numbers: OrderedDict[int, None] = OrderedDict()
        self.size = 0


class _Connection:
    """Record numbers of one connection, and the bytes they use."""

    __slots__ = ("address", "dropped", "is_over", "numbers", "size")

    def __init__(self, address: _Address) -> None:
        self.address = address
        self.numbers: deque[int] = deque()
        self.size = CONNECTION_OVERHEAD
        self.dropped = Dropped()
        self.is_over = False


class History:
    """The newest records of all connections."""

    def __init__(self, connection_bytes: int = CONNECTION_BYTES, total_bytes: int = TOTAL_BYTES) -> None:
        self._connection_bytes = connection_bytes
        self._total_bytes = total_bytes
        self._records: OrderedDict[int, tuple[int, bytes]] = OrderedDict()
        """Connection and JSON by record number."""
        self._connections: dict[int, _Connection] = {}
        self._addresses: dict[str, _Address] = {}
        self._largest: list[tuple[int, str]] = []
        """Heap of addresses by descending size.

        Every address with records has an entry with its current size; outdated entries are discarded at the top.
        """
        self.count = 0
        """Number of records so far, including dropped ones."""
        self.size = 0
        """Bytes in use."""
        self.dropped = Dropped()

    def __contains__(self, connection: int) -> bool:
        return connection in self._connections

    def __len__(self) -> int:
        return len(self._records)

    def add(self, record: Record) -> list[int]:
        """Store a record; return the closed connections that have lost their last record because of it."""
        fields = record.fields()
        if isinstance(record, MessageRecord):
            fields["bytes"] = record.data[:SHOWN_BYTES].hex()
        data = msgspec.json.encode(fields)
        connection = self._connections.get(record.connection)
        if connection is None:
            connection = self._open(record)
        self.count += 1
        self._records[self.count] = record.connection, data
        connection.numbers.append(self.count)
        connection.address.numbers[self.count] = None
        self._grow(connection, len(data) + RECORD_OVERHEAD)
        while connection.size > self._connection_bytes and len(connection.numbers) > 1:
            self._drop(connection.numbers[0])
        self._rank(connection.address)
        forgotten: list[int] = []
        while self.size > self._total_bytes and (address := self._pop_largest()) is not None:
            name = self._drop(next(iter(address.numbers)))
            oldest = self._connections[name]
            if oldest.is_over and not oldest.numbers:
                self._forget(name)
                forgotten.append(name)
            self._rank(address)
        return forgotten

    def _open(self, record: Record) -> _Connection:
        name = record.address_key if isinstance(record, Opened) else ""
        address = self._addresses.get(name)
        if address is None:
            address = self._addresses[name] = _Address(name)
        connection = self._connections[record.connection] = _Connection(address)
        address.size += CONNECTION_OVERHEAD
        self.size += CONNECTION_OVERHEAD
        return connection

    def _forget(self, name: int) -> None:
        """Remove a connection without records."""
        address = self._connections.pop(name).address
        address.size -= CONNECTION_OVERHEAD
        self.size -= CONNECTION_OVERHEAD
        if not address.size:
            del self._addresses[address.name]

    def _grow(self, connection: _Connection, size: int) -> None:
        connection.size += size
        connection.address.size += size
        self.size += size

    def _rank(self, address: _Address) -> None:
        """Add an entry with the current size of an address to the heap."""
        if not address.numbers:
            return
        heappush(self._largest, (-address.size, address.name))
        if len(self._largest) > 2 * len(self._addresses) + _STALE_ENTRIES:
            self._largest = [
                (-candidate.size, candidate.name) for candidate in self._addresses.values() if candidate.numbers
            ]
            heapify(self._largest)

    def _pop_largest(self) -> _Address | None:
        """Pop and return the address that uses the most bytes and has a record besides the newest."""
        newest: tuple[int, str] | None = None
        largest: _Address | None = None
        while largest is None and self._largest:
            size, name = heappop(self._largest)
            address = self._addresses.get(name)
            if address is None or not address.numbers or -size != address.size:
                continue
            if next(iter(address.numbers)) == self.count:
                newest = size, name
            else:
                largest = address
        if newest is not None:
            heappush(self._largest, newest)
        return largest

    def close(self, connection: int) -> None:
        """Mark a connection as closed: it is removed with its last record."""
        if connection in self._connections:
            self._connections[connection].is_over = True

    def _drop(self, number: int) -> int:
        """Drop a record, the oldest of its connection; return the connection."""
        name, data = self._records.pop(number)
        connection = self._connections[name]
        connection.numbers.popleft()
        del connection.address.numbers[number]
        self._grow(connection, -len(data) - RECORD_OVERHEAD)
        connection.dropped.add(len(data))
        self.dropped.add(len(data))
        return name

    def after(
        self, number: int, limit: int, connections: Collection[int] | None = None
    ) -> tuple[int, tuple[msgspec.Raw, ...]]:
        """Return the number to continue from, and up to `limit` records after `number` of the connections (None: all).

        A number beyond the last record is from an earlier run; the answer then starts at the beginning.
        """
        start = number if number <= self.count else 0
        newer = takewhile(lambda item: item[0] > start, reversed(self._records.items()))
        matching = [(at, data) for at, (name, data) in newer if connections is None or name in connections]
        records: list[msgspec.Raw] = []
        size = 0
        while matching and len(records) < limit and size < ANSWER_BYTES:
            start, data = matching.pop()
            records.append(msgspec.Raw(data))
            size += len(data)
        return start if matching else self.count, tuple(records)

    def dropped_of(self, connections: Collection[int]) -> Dropped:
        """Return the dropped records and bytes of these connections."""
        counts = [self._connections[name].dropped for name in connections if name in self._connections]
        return Dropped(sum(dropped.records for dropped in counts), sum(dropped.bytes for dropped in counts))
