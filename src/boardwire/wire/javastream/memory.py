"""Cache of decoded messages, shared by all connections with the same schema.

Clients repeat many messages byte for byte, above all heartbeats. Others differ only in a name. If a message begins with
its type, its first text is assumed to be the name of the sender, and the key of the cache is the message without the
occurrences of that name.

- Only messages that cannot refer to earlier ones are cached.
- A name is left out of the key only if replacing it gives exactly the bytes that `writer` produces for another name.
  Then the other bytes mean the same for every name.
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
"""Maximum number of cached messages of a schema."""
MAX_MESSAGE_BYTES: Final = 1024
"""Maximum size of a cached message."""

_OTHER_NAME: Final = "a name that no player has"


class Name(NamedTuple):
    """Sender name of a connection: the text, and its bytes."""

    text: str
    data: bytes


class _Known(NamedTuple):
    """A cached message."""

    message: msgspec.Struct
    name_attributes: tuple[str, ...]
    """Attributes that hold the name."""


class Memory:
    """The cached messages of a schema."""

    __slots__ = ("_known", "_max_bytes", "_plans", "_writer")

    def __init__(self, schema: Schema, framing: Framing, limits: StreamLimits) -> None:
        self._plans = plans_of(schema)
        self._writer = Writer(schema, framing)
        self._max_bytes = limits.size
        self._known: dict[tuple[bytes, ...], _Known] = {}
        """Messages by the bytes between the occurrences of the name; without a name, one piece."""

    def __len__(self) -> int:
        return len(self._known)

    def recall(self, data: bytes, name: Name | None) -> msgspec.Struct | None:
        """Return the cached message for these bytes, or None; `name` is the last sender on this connection."""
        if len(data) > MAX_MESSAGE_BYTES or len(data) > self._max_bytes:
            return None
        if name is not None:
            known = self._known.get(tuple(data.split(name.data)))
            if known is not None:
                return _with_name(name.text, known) if known.name_attributes else known.message
        known = self._known.get((data,))
        return None if known is None else known.message

    def keep(self, data: bytes, message: msgspec.Struct) -> Name | None:
        """Cache the message that these bytes encode; return its sender, if known."""
        if len(data) > MAX_MESSAGE_BYTES or len(data) > self._max_bytes:
            return None
        if len(self._known) >= MAX_MESSAGES:
            self._known.clear()  # simpler than evicting the oldest, and most senders have disconnected by then
        name = self._name(message)
        if name is not None and name.text != _OTHER_NAME:
            pieces = tuple(data.split(name.data))
            fields = [field for field in message.__struct_fields__ if getattr(message, field) == name.text]
            known = _Known(message, tuple(fields))
            if self._writer.encode(_with_name(_OTHER_NAME, known)) == string_object(_OTHER_NAME).join(pieces):
                self._known[pieces] = known
                return name
        self._known[(data,)] = _Known(message, ())
        return name

    def _name(self, message: msgspec.Struct) -> Name | None:
        if self._plans[type(message)].first is None:
            return None
        texts = (getattr(message, field) for field in message.__struct_fields__)
        text = next((field for field in texts if isinstance(field, str)), None)
        return None if text is None else Name(text, string_object(text))


def _with_name(name: str, known: _Known) -> msgspec.Struct:
    """Return a copy of a cached message from another sender."""
    message: msgspec.Struct = known.message.__copy__()  # type: ignore[attr-defined] # takes a quarter of the time of `replace`
    for attribute in known.name_attributes:
        msgspec.structs.force_setattr(message, attribute, name)
    return message


@lru_cache(maxsize=64)
def memory(schema: Schema, framing: Framing, limits: StreamLimits) -> Memory:
    """Return the cache of a schema, framing and limits."""
    return Memory(schema, framing, limits)
