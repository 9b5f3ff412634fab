"""Cache of decoded messages, shared by all connections with the same schema.

Clients repeat many messages byte for byte, above all heartbeats. Others differ only in a name: if a message begins with
its type, its first text is assumed to be the name of the sender, and the message is cached as the bytes between the
places of that name.

- Only messages that cannot refer to earlier ones are cached.
- Names are left out only if the message with another name has exactly the bytes that `writer` would produce: then the
  rest means the same for every name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from boardwire.wire.javastream.grammar import Framing, StreamLimits
from boardwire.wire.javastream.plan import plans_of
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.text import string_object
from boardwire.wire.javastream.writer import Writer

MAX_MESSAGES: Final = 2048
"""Cached messages of a schema."""
MAX_MESSAGE_BYTES: Final = 1024
"""Largest message that is cached."""

_ANOTHER: Final = "a name that no player has"


class Name(NamedTuple):
    """Sender name of a connection: the text, and its bytes."""

    text: str
    data: bytes


class _Known(NamedTuple):
    message: msgspec.Struct
    signed: tuple[str, ...]
    """Attributes that hold the name."""


class Memory:
    """The cached messages of a schema."""

    __slots__ = ("_known", "_max_bytes", "_plans", "_writer")

    def __init__(self, schema: Schema, framing: Framing, limits: StreamLimits) -> None:
        self._plans = plans_of(schema)
        self._writer = Writer(schema, framing)
        self._max_bytes = limits.size
        self._known: dict[tuple[bytes, ...], _Known] = {}
        """Messages by the bytes between the names; without a name, one piece."""

    def __len__(self) -> int:
        return len(self._known)

    def recall(self, data: bytes, name: Name | None) -> msgspec.Struct | None:
        """Return the cached message for these bytes, or None; `name` is the last sender on this connection."""
        if len(data) > MAX_MESSAGE_BYTES or len(data) > self._max_bytes:
            return None
        if name is not None:
            known = self._known.get(tuple(data.split(name.data)))
            if known is not None:
                return _with(name.text, known) if known.signed else known.message
        known = self._known.get((data,))
        return None if known is None else known.message

    def keep(self, data: bytes, message: msgspec.Struct) -> Name | None:
        """Cache the message of these bytes; return its sender if that is known."""
        if len(data) > MAX_MESSAGE_BYTES or len(data) > self._max_bytes:
            return None
        if len(self._known) >= MAX_MESSAGES:
            self._known.clear()  # most senders are gone by now
        name = self._name(message)
        if name is not None and name.text != _ANOTHER:
            pieces = tuple(data.split(name.data))
            signed = tuple([one for one in message.__struct_fields__ if getattr(message, one) == name.text])
            other = self._writer.encode(_with(_ANOTHER, _Known(message, signed)))
            if other == string_object(_ANOTHER).join(pieces):
                self._known[pieces] = _Known(message, signed)
                return name
        self._known[(data,)] = _Known(message, ())
        return name

    def _name(self, message: msgspec.Struct) -> Name | None:
        if self._plans[type(message)].first is None:
            return None
        texts = (getattr(message, one) for one in message.__struct_fields__)
        text = next((one for one in texts if isinstance(one, str)), None)
        return None if text is None else Name(text, string_object(text))


def _with(name: str, known: _Known) -> msgspec.Struct:
    message: msgspec.Struct = known.message.__copy__()  # type: ignore[attr-defined] # a quarter of `replace`'s time
    for attribute in known.signed:
        msgspec.structs.force_setattr(message, attribute, name)
    return message


@lru_cache(maxsize=64)
def memory(schema: Schema, framing: Framing, limits: StreamLimits) -> Memory:
    """Return the cache of a schema, framing and limits."""
    return Memory(schema, framing, limits)
