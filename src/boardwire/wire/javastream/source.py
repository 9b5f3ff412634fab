"""Buffer, position and handle table of the decoder.

Decoding functions are generators: they yield when bytes are missing and continue when more have arrived. So they can be
written as if the whole message were there, and each byte is examined once, however the message is split into segments.

Decoding stops at `end`: the end of the buffer, or the size limit of the message if that comes first.
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
        self.is_open = False
        """Whether the header of a stream of several messages was read."""
        self.overhead = 0
        """Decoded tokens that belong to no value: extra resets, skipped data.

        They count as messages, because a peer could send nothing else.
        """

    def append(self, data: bytes) -> None:
        """Add bytes."""
        self.buffer += data
        self.set_end()

    def release(self) -> None:
        """Drop the bytes of finished messages."""
        if self.start:
            del self.buffer[: self.start]
            self.at -= self.start
            self.start = 0

    def begin(self) -> None:
        """Mark the start of a message."""
        self.start = self.at
        self.set_end()

    def set_end(self) -> None:
        """Set `end` to the end of the buffer, or to the size limit of the message if that comes first."""
        self.end = min(len(self.buffer), self.start + self.limits.size)

    def is_over_size(self) -> bool:
        """Return whether the message has reached its size limit."""
        return self.end - self.start >= self.limits.size

    def need(self, count: int) -> Reading[None]:
        """Yield until `count` bytes are available."""
        while self.end - self.at < count:
            yield

    def take(self, count: int) -> Reading[bytes]:
        """Take `count` bytes."""
        yield from self.need(count)
        self.at += count
        return bytes(self.buffer[self.at - count : self.at])

    def number(self, form: struct.Struct) -> Reading[Any]:
        """Take a number."""
        yield from self.need(form.size)
        self.at += form.size
        return form.unpack_from(self.buffer, self.at - form.size)[0]

    def assign(self, entry: object) -> int:
        """Assign the next handle to `entry` and return it."""
        handles = self.handles
        if len(handles) >= self.max_handles:
            raise Malformed(f"too many objects without a reset of the stream: at most {self.max_handles} are allowed")
        handles.append(entry)
        return len(handles) - 1

    def reference(self) -> Reading[int]:
        """Decode a reference, whose tag is the next byte; return its handle."""
        self.at += 1
        handle: int = (yield from self.number(U32)) - BASE_HANDLE
        if not 0 <= handle < len(self.handles):
            raise Malformed(f"a reference to the unknown handle 0x{handle + BASE_HANDLE:x}")
        return handle

    def utf(self) -> Reading[str]:
        """Decode a text with its length in two bytes before it, as in descriptors."""
        length = yield from self.number(U16)
        return decode_text((yield from self._text(length)))

    def string(self) -> Reading[str]:
        """Decode a string object or a reference to one."""
        yield from self.need(1)
        tag = self.buffer[self.at]
        if tag == REFERENCE:
            target = self.handles[(yield from self.reference())]
            if type(target) is not str:
                raise Malformed("expected a string, found a reference to another value")
            return target
        if tag not in (STRING, LONG_STRING):
            raise Malformed(f"expected a string, found the tag 0x{tag:02x}")
        self.at += 1
        length = yield from self.number(U16 if tag == STRING else U64)
        text = decode_text((yield from self._text(length)))
        self.assign(text)
        return text

    def _text(self, length: int) -> Reading[bytes]:
        if length > self.limits.text:
            raise Malformed(f"a string has {length} bytes; at most {self.limits.text} are allowed")
        return (yield from self.take(length))
