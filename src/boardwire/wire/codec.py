"""The decoder protocol, and conversion of plain data to types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from boardwire.errors import Malformed


class Decoder(Protocol):
    """Decodes the bytes of a peer into messages.

    After `Malformed` nothing more can be decoded; the error is also in `fault`.
    """

    overhead: int
    """Decoded items that are not messages: resets, fragments, unused blocks.

    Each costs about as much as a message, so the rate limit counts them and resets this to 0.
    """

    @property
    def fault(self) -> Malformed | None:
        """Error after the last message, if it is known before more bytes are fed."""

    @property
    def buffered(self) -> int:
        """Number of buffered bytes of an incomplete message."""

    def feed(self, data: bytes, /) -> Sequence[Any]:
        """Return the messages that `data` completes; raise `Malformed`."""


def feed(decoder: Decoder, data: bytes, receive: Callable[[Any], None]) -> Malformed | None:
    """Call `receive` with each message that `data` completes; return the error that ends the stream, if any."""
    try:
        messages = decoder.feed(data)
    except Malformed as error:
        return decoder.fault or error
    for message in messages:
        receive(message)
    return decoder.fault


def convert(raw: Any, kind: Any) -> Any:
    """Convert `raw` to type `kind`, like `msgspec.convert`; raise `msgspec.ValidationError`.

    `msgspec.convert` caches type information only for structs. A union of structs, such as the actions of Santorini and
    Eriantys, is analysed in every call: 43 µs instead of 1 µs. So the type is wrapped in a struct with one field.
    """
    if type(raw) is kind:  # a cell or a column, as JSON has it
        return raw
    try:
        return msgspec.convert({"value": raw}, _struct_of(kind)).value
    except msgspec.ValidationError:
        return msgspec.convert(raw, kind)  # for the error: its path must not name our field


@lru_cache(maxsize=256)
def _struct_of(kind: Any) -> Any:
    return msgspec.defstruct("Converted", [("value", kind)])
