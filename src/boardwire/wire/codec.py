"""What every decoder of a wire looks like, and how it is fed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from boardwire.errors import Malformed


class Decoder(Protocol):
    """Takes bytes as they come from the peer and gives the messages they complete.

    `Malformed` means that nothing sensible can be read from this peer any more; `fault` is it from then on.
    """

    overhead: int
    """Pieces that were read and are no message: a reset, a fragment, a block that nobody uses.  Each costs about as
    much as a message, so whoever counts messages counts these too, and sets this to 0."""

    @property
    def fault(self) -> Malformed | None:
        """Why nothing after the last message can be read, where that is known without reading on."""

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished message that are kept."""

    def feed(self, data: bytes, /) -> Sequence[Any]: ...


def feed(decoder: Decoder, data: bytes, receive: Callable[[Any], None]) -> Malformed | None:
    """Let `receive` have each message that `data` completes; gives why nothing more can be read, if that is so."""
    try:
        messages = decoder.feed(data)
    except Malformed as error:
        return decoder.fault or error
    for message in messages:
        receive(message)
    return decoder.fault
