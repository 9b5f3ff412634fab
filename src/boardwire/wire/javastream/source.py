"""The bytes at hand, the place in them, and the handle table.

Whoever reads is a generator: where bytes are missing it yields, and goes on when more have come.  So reading is written
as if the whole message were there, and each byte is looked at once however it was cut into segments.

`end` is where reading must stop for now: the end of what has come, or the end of what one message may take.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from typing import Any, Final, TypeAlias, TypeVar

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import BASE_HANDLE, LONG_STRING, REFERENCE, STRING, Limits
from boardwire.wire.javastream.text import decode_text

T = TypeVar("T")
Reading: TypeAlias = Generator[None, None, T]
"""Reads a `T`; yields where it waits for bytes."""

U16: Final = struct.Struct(">H")
U32: Final = struct.Struct(">I")
U64: Final = struct.Struct(">Q")


class Source:
    """A buffer with a place in it, and what has been numbered so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits: Final = limits
        self.buffer = bytearray()
        self.start = 0
        self.at = 0
        self.end = 0
        self.handles: Final[list[Any]] = []
        self.most_handles: Final = limits.handles
        self.overhead = 0
        """Tokens that were read and belong to no value: resets beyond the one that ends a message, data that is passed
        over.  A peer could send nothing else, so they count like messages."""

    def append(self, data: bytes) -> None:
        """Take more bytes."""
        self.buffer += data
        self.bound()

    def release(self) -> None:
        """Let go of the bytes of finished messages."""
        if self.start:
            del self.buffer[: self.start]
            self.at -= self.start
            self.start = 0

    def begin(self) -> None:
        """A message starts here."""
        self.start = self.at
        self.bound()

    def bound(self) -> None:
        self.end = min(len(self.buffer), self.start + self.limits.size)

    def is_over_size(self) -> bool:
        """Whether more bytes would not help, because the message has had all it may take."""
        return self.end - self.start >= self.limits.size

    def need(self, count: int) -> Reading[None]:
        """Wait until `count` bytes are at hand."""
        while self.end - self.at < count:
            yield

    def take(self, count: int) -> Reading[bytes]:
        """The next `count` bytes."""
        yield from self.need(count)
        self.at += count
        return bytes(self.buffer[self.at - count : self.at])

    def number(self, what: struct.Struct) -> Reading[Any]:
        """The next number of that form."""
        yield from self.need(what.size)
        self.at += what.size
        return what.unpack_from(self.buffer, self.at - what.size)[0]

    def assign(self, entry: object) -> int:
        """Number `entry`; its handle."""
        handles = self.handles
        if len(handles) >= self.most_handles:
            raise Malformed("too many objects before the stream was reset")
        handles.append(entry)
        return len(handles) - 1

    def reference(self) -> Reading[int]:
        """The handle in a reference; its tag is the next byte."""
        self.at += 1
        handle: int = (yield from self.number(U32)) - BASE_HANDLE
        if not 0 <= handle < len(self.handles):
            raise Malformed("a reference to nothing that was sent")
        return handle

    def utf(self) -> Reading[str]:
        """A name, with its two-byte length before it."""
        length = yield from self.number(U16)
        return decode_text((yield from self._text(length)))

    def string(self) -> Reading[str]:
        """A string object, new or referred to."""
        yield from self.need(1)
        tag = self.buffer[self.at]
        if tag == REFERENCE:
            known = self.handles[(yield from self.reference())]
            if type(known) is not str:
                raise Malformed("a reference to something else where a text must be")
            return known
        if tag not in (STRING, LONG_STRING):
            raise Malformed("something else where a text must be")
        self.at += 1
        length = yield from self.number(U16 if tag == STRING else U64)
        text = decode_text((yield from self._text(length)))
        self.assign(text)
        return text

    def _text(self, length: int) -> Reading[bytes]:
        if length > self.limits.text:
            raise Malformed("a text is too long")
        return (yield from self.take(length))
