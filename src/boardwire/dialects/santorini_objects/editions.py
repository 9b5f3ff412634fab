"""The editions of santorini-objects: how each is written and read, and which one a peer speaks.

`D1` and `D2` are the document's, `F` is the shipped program's.  They share one listener: the class of the first object
tells D from F; D1 and D2 cannot be told apart, so a listener serves one of the two [1].
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_objects.messages import classes
from boardwire.errors import Malformed
from boardwire.wire.javastream import Limits, Reader, Schema, Writer

LIMITS: Final = Limits(size=8192, depth=8, handles=256, elements=64, text=2048, fields=16)
"""No message of the protocol comes near [2]."""

_KEPT: Final = 1024
"""Messages that an edition keeps in bytes, about 600 each, before it begins anew."""


class Edition(Enum):
    """One wire.  `is_shipped`: the conversation is F's."""

    D1 = classes.D1
    D2 = classes.D2
    F = classes.F

    def __init__(self, schema: Schema) -> None:
        self.schema: Final = schema
        self.is_shipped: Final = schema is classes.F
        self.encode: Final = Writer(schema).encode
        self._known: Final[dict[msgspec.Struct, bytes]] = {}

    __hash__ = object.__hash__  # editions are keys on the way of every message, and Enum's own hash is slow

    def known(self, message: msgspec.Struct) -> bytes:
        """The bytes of a message that comes again and again in many matches: turns, moves, builds."""
        found = self._known.get(message)
        if found is None:
            found = self.encode(message)
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[message] = found
        return found


class Hearing:
    """The decoder of both ends.  It gives the peer's edition first, then its messages."""

    def __init__(self, *editions: Edition) -> None:
        self._editions = {id(edition.schema): edition for edition in editions}
        self._reader = Reader(*(edition.schema for edition in editions), limits=LIMITS)
        self._settled = False

    @property
    def fault(self) -> Malformed | None:
        """Why nothing more can be read."""
        return self._reader.fault

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished message that are kept."""
        return self._reader.buffered

    @property
    def overhead(self) -> int:
        """Tokens that belong to no message."""
        return self._reader.overhead

    @overhead.setter
    def overhead(self, count: int) -> None:
        self._reader.overhead = count

    def feed(self, data: bytes) -> Sequence[Any]:
        """What `data` completes.  `Malformed` if nothing can be read any more."""
        heard: list[Any] = list(self._reader.feed(data))
        if heard and not self._settled:
            self._settled = True
            heard.insert(0, self._editions[id(self._reader.schema)])
        return heard
