"""Buffer, position and handle table of the decoder.

Decoding functions are generators: they yield when bytes are missing and continue when more have arrived. So they are
written as if the whole message were there, and each byte is examined once, however it was split into segments.

`end` is where decoding must stop for now: the end of the buffer, or of what one message may take.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from typing import Any, Final, TypeAlias, TypeVar

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import BASE_HANDLE, LONG_STRING, REFERENCE, STRING, StreamLimits
from boardwire.wire.javastream.text import decode_text

T = TypeVar("T")
Reading: TypeAlias = Generator[None, None, T]
"""Decodes a `T`; yields while it waits for bytes."""

U16: Final = struct.Struct(">H")
U32: Final = struct.Struct(">I")
U64: Final = struct.Struct(">Q")


class Source:
    """A buffer with a position and the handle table."""

    def __init__(self, limits: StreamLimits) -> None:
        self.limits: Final = limits
        self.buffer = bytearray()
        self.start = 0
        self.at = 0
        self.end = 0
        self.handles: Final[list[Any]] = []
        self.max_handles: Final = limits.handles
        self.overhead = 0
        """Decoded tokens that belong to no value: extra resets, skipped data. A peer could send nothing else, so they
        count as messages."""

    def append(self, data: bytes) -> None:
        """Add bytes."""
        self.buffer += data
        self.bound()

    def release(self) -> None:
        """Drop the bytes of finished messages."""
        if self.start:
            del self.buffer[: self.start]
            self.at -= self.start
            self.start = 0

    def begin(self) -> None:
        """Mark the start of a message."""
        self.start = self.at
        self.bound()

    def bound(self) -> None:
        """Set `end` to the end of the buffer, or of what one message may take."""
        self.end = min(len(self.buffer), self.start + self.limits.size)

    def is_over_size(self) -> bool:
        """Whether the message has reached its size limit."""
        return self.end - self.start >= self.limits.size

    def need(self, count: int) -> Reading[None]:
        """Wait for `count` bytes."""
        while self.end - self.at < count:
            yield

    def take(self, count: int) -> Reading[bytes]:
        """Take `count` bytes."""
        yield from self.need(count)
        self.at += count
        return bytes(self.buffer[self.at - count : self.at])

    def number(self, what: struct.Struct) -> Reading[Any]:
        """Take a number."""
        yield from self.need(what.size)
        self.at += what.size
        return what.unpack_from(self.buffer, self.at - what.size)[0]

    def assign(self, entry: object) -> int:
        """Assign the next handle to `entry` and return it."""
        handles = self.handles
        if len(handles) >= self.max_handles:
            raise Malformed(f"too many objects before the stream was reset: at most {self.max_handles} are read")
        handles.append(entry)
        return len(handles) - 1

    def reference(self) -> Reading[int]:
        """Decode a reference, whose tag is the next byte; return its handle."""
        self.at += 1
        handle: int = (yield from self.number(U32)) - BASE_HANDLE
        if not 0 <= handle < len(self.handles):
            raise Malformed("a reference to an unknown handle")
        return handle

    def utf(self) -> Reading[str]:
        """Decode a name after its two-byte length."""
        length = yield from self.number(U16)
        return decode_text((yield from self._text(length)))

    def string(self) -> Reading[str]:
        """Decode a string object or a reference to one."""
        yield from self.need(1)
        tag = self.buffer[self.at]
        if tag == REFERENCE:
            known = self.handles[(yield from self.reference())]
            if type(known) is not str:
                raise Malformed("expected a string, found a reference to another value")
            return known
        if tag not in (STRING, LONG_STRING):
            raise Malformed("expected a string")
        self.at += 1
        length = yield from self.number(U16 if tag == STRING else U64)
        text = decode_text((yield from self._text(length)))
        self.assign(text)
        return text

    def _text(self, length: int) -> Reading[bytes]:
        if length > self.limits.text:
            raise Malformed(f"a string of {length} bytes is too long; at most {self.limits.text} are read")
        return (yield from self.take(length))
