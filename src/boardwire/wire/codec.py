"""What every decoder of a wire looks like."""

from __future__ import annotations

from collections.abc import Sequence
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
