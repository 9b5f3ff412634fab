"""Compressed lists of encoded messages, with access to any part without decompressing the rest.

Consecutive steps, events and records of a match are similar, so a block shrinks to a tenth of their length or less. A
list is immutable: appending returns a new one that shares the blocks of the old one.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final, NamedTuple

BLOCK_BYTES: Final = 64 * 1024
"""Uncompressed size of a block, which must be decompressed to read one message."""
_LEVEL: Final = 1
_ITEM_BYTES: Final = 88
"""Memory of a message besides its text: two integers in tuples, or a bytes object and its slot in a tuple."""
_BLOCK_OVERHEAD: Final = 384
"""Memory of a block besides its compressed text and its messages, and of the list itself."""


class _Block(NamedTuple):
    """A compressed block of messages."""

    packed: bytes
    ends: tuple[int, ...]
    """End of each message in the uncompressed block."""

    def unpack(self, first: int, last: int) -> list[bytes]:
        """Return the messages from index `first` up to `last`, exclusive."""
        data = zlib.decompress(self.packed)
        starts = (0, *self.ends)
        return [data[starts[at] : self.ends[at]] for at in range(first, last)]


class Blocks:
    """A compressed list of messages, each with a number; the numbers never decrease."""

    __slots__ = ("_blocks", "_counts", "_numbers", "_tail", "size")

    def __init__(self) -> None:
        self._blocks: tuple[_Block, ...] = ()
        self._counts: tuple[int, ...] = ()
        """Number of messages up to the end of each block."""
        self._tail: tuple[bytes, ...] = ()
        """The last messages, which are not in a block yet."""
        self._numbers: tuple[int, ...] = ()
        self.size = 0
        """Approximate memory, in bytes."""

    def __len__(self) -> int:
        return len(self._numbers)

    def count_to(self, number: int) -> int:
        """Return the number of messages whose number is at most `number`."""
        return bisect_right(self._numbers, number)

    def number(self, index: int) -> int:
        """Return the number of the message at an index."""
        return self._numbers[index]

    def without_last(self) -> Blocks:
        """Return the list without its last message, which must not be in a block yet (see `extended`)."""
        shorter = Blocks()
        shorter._blocks, shorter._counts = self._blocks, self._counts
        shorter._tail, shorter._numbers = self._tail[:-1], self._numbers[:-1]
        shorter.size = self.size - len(self._tail[-1]) - _ITEM_BYTES
        return shorter

    def extended(self, messages: Iterable[tuple[int, bytes]]) -> Blocks:
        """Return the list with further messages, each with its number. The last message is never in a block."""
        blocks, counts, numbers = list(self._blocks), list(self._counts), list(self._numbers)
        tail, size = list(self._tail), sum(map(len, self._tail))
        for number, message in messages:
            if size >= BLOCK_BYTES:
                blocks.append(_compress_block(tail))
                counts.append(len(numbers))
                tail, size = [], 0
            tail.append(message)
            size += len(message)
            numbers.append(number)
        longer = Blocks()
        longer._blocks, longer._counts = tuple(blocks), tuple(counts)
        longer._tail, longer._numbers = tuple(tail), tuple(numbers)
        compressed_size = sum(len(block.packed) for block in blocks)
        longer.size = compressed_size + size + _ITEM_BYTES * len(numbers) + _BLOCK_OVERHEAD * (len(blocks) + 1)
        return longer

    def part(self, start: int, limit: int, max_bytes: int) -> list[bytes]:
        """Return at most `limit` messages from index `start`, up to the first that makes them exceed `max_bytes`."""
        end = min(len(self), start + limit)
        messages: list[bytes] = []
        size = 0
        while start < end and size <= max_bytes:
            for message in self._unpack(start, end):
                messages.append(message)
                start += 1
                size += len(message)
                if size > max_bytes:
                    break
        return messages

    def _unpack(self, start: int, end: int) -> list[bytes]:
        """Return the messages from index `start` up to `end`, or up to the end of the block of the first one."""
        at = bisect_right(self._counts, start)
        before = self._counts[at - 1] if at else 0
        if at == len(self._blocks):
            return list(self._tail[start - before : end - before])
        return self._blocks[at].unpack(start - before, min(end, self._counts[at]) - before)


def _compress_block(messages: list[bytes]) -> _Block:
    """Compress messages into a block that knows where each of them ends."""
    ends = []
    end = 0
    for message in messages:
        end += len(message)
        ends.append(end)
    return _Block(zlib.compress(b"".join(messages), _LEVEL), tuple(ends))
