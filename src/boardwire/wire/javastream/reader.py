"""Decoder of Java object streams.

- Feed bytes in any segments; each call returns the complete messages.
- Malformed input ends the stream, because the format has no way to find the next message. The messages before it are
  returned first; `fault` is set at once, and raised by this call if there are no messages to return, else by the next.
- Messages that cannot refer to earlier ones are cached for all connections (`memory`).
"""

from __future__ import annotations

import msgspec

from boardwire.errors import Malformed
from boardwire.wire.javastream.grammar import HEADER, RESET, Framing, StreamLimits
from boardwire.wire.javastream.graph import GraphSource
from boardwire.wire.javastream.memory import Memory, Name, memory
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.source import Reading


class Reader:
    """Decodes the messages of one connection.

    With several schemas, the class of the first object selects one; until then, `schema` is None.
    """

    def __init__(self, *schemas: Schema, framing: Framing = Framing.EACH, limits: StreamLimits | None = None) -> None:
        self._source = GraphSource(schemas, limits or StreamLimits())
        self._framing = framing
        self._reading: Reading[msgspec.Struct] | None = None
        self._schema_cache: Memory | None = None
        """Message cache of the selected schema."""
        self._cache: Memory | None = None
        """`_schema_cache` while the next message cannot refer to earlier ones of this connection, else None."""
        self._name: Name | None = None
        """Sender of the last message, if known."""
        self.fault: Malformed | None = None
        self.overhead = 0

    @property
    def schema(self) -> Schema | None:
        """The selected schema, or None."""
        return self._source.schema if self._source.is_settled else None

    @property
    def buffered(self) -> int:
        """Number of buffered bytes of an incomplete message."""
        return len(self._source.buffer)

    def feed(self, data: bytes) -> list[msgspec.Struct]:
        """Return the messages that `data` completes; raise `Malformed`."""
        if self.fault is not None:
            raise self.fault
        cache = self._cache
        if cache is not None:
            known = cache.recall(data, self._name)
            if known is not None:
                return [known]
        source = self._source
        source.append(data)
        messages: list[msgspec.Struct] = []
        try:
            while source.at < len(source.buffer) and (message := self._next()) is not None:
                messages.append(message)
        except Malformed as fault:
            self.fault = fault.without_frames()
            if not messages:
                raise
        self.overhead += source.overhead
        source.overhead = 0
        source.release()
        self._cache = self._usable_cache()
        if cache is not None and self._cache is cache and len(messages) == 1:
            self._name = cache.keep(bytes(data), messages[0]) or self._name
        return messages

    def _usable_cache(self) -> Memory | None:
        """Return the cache if the next message cannot refer to earlier ones, else None."""
        source = self._source
        if source.buffer or self.fault is not None or not source.is_settled:
            return None
        if self._framing is Framing.ONCE and (not source.is_open or source.handles):
            return None
        if self._schema_cache is None:
            self._schema_cache = memory(source.schema, self._framing, source.limits)
        return self._schema_cache

    def _next(self) -> msgspec.Struct | None:
        """Return the next message, or None if it is incomplete."""
        if self._reading is None:
            self._source.begin()
            self._reading = _read_stream(self._source) if self._framing is Framing.EACH else _read_next(self._source)
        try:
            next(self._reading)
        except StopIteration as done:
            self._reading = None
            self._source.begin()
            message: msgspec.Struct = done.value
            return message
        if self._source.is_over_size():
            raise Malformed(f"a message is longer than {self._source.limits.size} bytes")
        return None


# Not methods: a reader has its generator, so a generator that refers to the reader would be a reference cycle, which
# only the garbage collector could free after the connection is closed.


def _read_stream(source: GraphSource) -> Reading[msgspec.Struct]:
    """Decode a message that is a stream of its own."""
    source.reset()
    yield from _read_header(source)
    return (yield from _read_object(source))


def _read_next(source: GraphSource) -> Reading[msgspec.Struct]:
    """Decode the next message of a connection that is one stream."""
    if not source.is_open:
        yield from _read_header(source)
        source.is_open = True
    return (yield from _read_object(source))


def _read_header(source: GraphSource) -> Reading[None]:
    while source.end - source.at < len(HEADER) or not source.buffer.startswith(HEADER, source.at):
        if not HEADER.startswith(source.buffer[source.at : source.at + len(HEADER)]):
            raise Malformed("this is not a Java object stream: it does not begin with AC ED 00 05")
        yield
    source.at += len(HEADER)


def _read_object(source: GraphSource) -> Reading[msgspec.Struct]:
    """Decode a message and the resets before it; the first reset belongs to the previous message."""
    yield from source.need(1)
    resets = 0
    while source.buffer[source.at] == RESET:
        source.at += 1
        source.reset()
        source.begin()
        source.overhead += resets > 0
        resets += 1
        yield from source.need(1)
    message = yield from source.message()
    if not isinstance(message, msgspec.Struct):
        raise Malformed(f"a message must be an object of the protocol, not of type {type(message).__name__}")
    return message
