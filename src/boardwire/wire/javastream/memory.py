"""What was read before, on all connections that speak alike: said again, it is given instead of read.

Clients say many things again and again, heartbeats above all, and say them with the same bytes.  More is the same but
for a name: where a message begins with its type, the first text in it is taken to be the name of whoever speaks, and it
is remembered as the bytes between the places where that name stands.

Only what came alone, with nothing before it to refer to, is remembered.  Names are left out only of what has, with
another name, the very bytes that we would write: then the rest means the same whatever the name is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from boardwire.wire.javastream.grammar import Framing, Limits
from boardwire.wire.javastream.plan import plans_of
from boardwire.wire.javastream.schema import Schema
from boardwire.wire.javastream.text import string_object
from boardwire.wire.javastream.writer import Writer

MOST_KEPT: Final = 2048
LONGEST_KEPT: Final = 1024

_ANOTHER: Final = "another name than anybody's"


class Name(NamedTuple):
    """Who speaks on a connection: the text, and the bytes that are it."""

    text: str
    data: bytes


class _Known(NamedTuple):
    message: msgspec.Struct
    signed: tuple[str, ...]
    """The attributes that have the name."""


class Memory:
    """What is remembered of all who speak alike."""

    __slots__ = ("_known", "_most", "_plans", "_writer")

    def __init__(self, schema: Schema, framing: Framing, limits: Limits) -> None:
        self._plans = plans_of(schema)
        self._writer = Writer(schema, framing)
        self._most = limits.size
        self._known: dict[tuple[bytes, ...], _Known] = {}
        """By the bytes between the names; what has none is one piece."""

    def __len__(self) -> int:
        return len(self._known)

    def recall(self, data: bytes, name: Name | None) -> msgspec.Struct | None:
        """The message that these bytes are, if it is remembered; `name` is who spoke last on this connection."""
        if len(data) > LONGEST_KEPT or len(data) > self._most:
            return None
        if name is not None:
            known = self._known.get(tuple(data.split(name.data)))
            if known is not None:
                return _with(name.text, known) if known.signed else known.message
        known = self._known.get((data,))
        return None if known is None else known.message

    def keep(self, data: bytes, message: msgspec.Struct) -> Name | None:
        """Remember what these bytes are; who speaks in it, if that can be told."""
        if len(data) > LONGEST_KEPT or len(data) > self._most:
            return None
        if len(self._known) >= MOST_KEPT:
            self._known.clear()  # most was said by somebody who is gone
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
def memory(schema: Schema, framing: Framing, limits: Limits) -> Memory:
    """What is remembered of all who speak that schema, framed like that, within these limits."""
    return Memory(schema, framing, limits)
