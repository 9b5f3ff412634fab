"""Editions of santorini-objects: their encoders, and the decoder that detects a peer's edition.

`D1` and `D2` are the document's editions, `F` is the shipped program's. One listener serves D and F, which the class of
the first object distinguishes. D1 and D2 are indistinguishable, so a listener serves one of them [1].
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_objects.messages import classes
from boardwire.errors import Malformed
from boardwire.wire.javastream import Reader, Schema, StreamLimits, Writer

LIMITS: Final = StreamLimits(size=8192, depth=8, handles=256, elements=64, text=2048, fields=16)
"""Decoder limits, well above any message of the protocol [2]."""

_MAX_CACHED_MESSAGES: Final = 1024
"""Limit of the encoded messages in an edition's cache, about 600 bytes each; a full cache is cleared."""


class Edition(Enum):
    """One wire format. `is_shipped` selects F's conversation."""

    D1 = classes.D1
    D2 = classes.D2
    F = classes.F

    def __init__(self, schema: Schema) -> None:
        self.schema: Final = schema
        self.is_shipped: Final = schema is classes.F
        self.encode: Final = Writer(schema).encode
        self._cache: Final[dict[msgspec.Struct, bytes]] = {}

    __hash__ = object.__hash__  # editions are dict keys for every message, and Enum.__hash__ is slow

    def encode_cached(self, message: msgspec.Struct) -> bytes:
        """Return the cached encoding of a message that recurs in many matches: turns, moves, builds."""
        encoded = self._cache.get(message)
        if encoded is None:
            encoded = self.encode(message)
            if len(self._cache) >= _MAX_CACHED_MESSAGES:
                self._cache.clear()
            self._cache[message] = encoded
        return encoded


class EditionDecoder:
    """Decoder of both ends. It yields the peer's edition first, then its messages."""

    def __init__(self, *editions: Edition) -> None:
        self._editions = {id(edition.schema): edition for edition in editions}
        self._reader = Reader(*(edition.schema for edition in editions), limits=LIMITS)
        self._has_edition = False

    @property
    def fault(self) -> Malformed | None:
        """The error that ended decoding, if any."""
        return self._reader.fault

    @property
    def buffered(self) -> int:
        """Number of buffered bytes of an incomplete message."""
        return self._reader.buffered

    @property
    def overhead(self) -> int:
        """Number of tokens that belong to no message."""
        return self._reader.overhead

    @overhead.setter
    def overhead(self, count: int) -> None:
        self._reader.overhead = count

    def feed(self, data: bytes) -> Sequence[Any]:
        """Return the messages that `data` completes, or raise `Malformed`."""
        received: list[Any] = list(self._reader.feed(data))
        if received and not self._has_edition:
            self._has_edition = True
            received.insert(0, self._editions[id(self._reader.schema)])
        return received
