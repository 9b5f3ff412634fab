"""What every decoder of a wire looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Decoder(Protocol):
    """Takes bytes as they come from the peer and gives the messages they complete.

    `Malformed` means that nothing sensible can be read from this peer any more.
    """

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished message that are kept."""

    def feed(self, data: bytes, /) -> Sequence[Any]: ...
