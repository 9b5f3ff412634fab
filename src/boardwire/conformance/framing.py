r"""Bytes of one direction cut into the pieces that a person calls messages, and no byte left out.

A decoder gives what messages mean; a cutter gives which bytes each of them was.  Rules:

- All pieces together are all bytes that were fed, but for an unfinished message, which `rest` has.
- A piece that can be no message (a line without end, bytes after a fault) is given too, with the sentence that says so.
- What is kept of an unfinished message is bounded.
"""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

HEAD: Final = object()
"""Describes the head of an HTTP message: no decoder of the dialect reads it."""

LONGEST: Final = 1024 * 1024
"""Bytes of one line, frame or head that are waited for."""

_END: Final = re.compile(rb"\r\n|\n|\r")


class Cutter(Protocol):
    """See the module.  `feed` gives pieces, each with what it is: None, a value that describes it, or a sentence (a
    `str`) that says why it cannot be read.  `between` are bytes that may stand before a message and begin none."""

    between: bytes

    def feed(self, data: bytes, /) -> list[tuple[bytes, Any]]: ...

    def rest(self) -> bytes: ...


class LineCutter:
    r"""Lines, with their ends.  A `\n` that follows a `\r` in a later segment is a piece of its own."""

    def __init__(self) -> None:
        self.between = b""
        self._rest = b""
        self._endless = False

    def feed(self, data: bytes) -> list[tuple[bytes, Any]]:
        """See `Cutter`."""
        data = self._rest + data
        found: list[tuple[bytes, Any]] = []
        at = 0
        for end in _END.finditer(data, max(0, len(self._rest) - 1)):
            found.append((data[at : end.end()], "the end of an endless line" if self._endless else None))
            self._endless = False
            at = end.end()
        self._rest = data[at:]
        if len(self._rest) > LONGEST or (self._endless and self._rest):
            found.append((self._rest, f"a line of more than {LONGEST} bytes has no end"))
            self._rest, self._endless = b"", True
        return found

    def rest(self) -> bytes:
        """See `Cutter`."""
        return self._rest


class FrameCutter:
    """The head of an HTTP message, unless it was read before, then WebSocket frames."""

    def __init__(self) -> None:
        self.between = b""
        self._rest = b""
        self._opened = False
        self._lost = False

    def feed(self, data: bytes) -> list[tuple[bytes, Any]]:
        """See `Cutter`."""
        if self._lost:
            return [(data, "nothing after the fault can be told apart")]
        self._rest += data
        found: list[tuple[bytes, Any]] = []
        if not self._opened and self._rest and not self._rest[:1].isalpha():
            self._opened = True  # whoever looks came after the head
        if not self._opened:
            head, end, rest = self._rest.partition(b"\r\n\r\n")
            if end:
                found.append((head + end, HEAD))
                self._rest, self._opened = rest, True
        while self._opened and (size := _frame_size(self._rest)) is not None and len(self._rest) >= size:
            found.append((self._rest[:size], None))
            self._rest = self._rest[size:]
        if len(self._rest) > LONGEST:
            found.append((self._rest, f"a frame of more than {LONGEST} bytes has no end"))
            self._rest, self._lost = b"", True
        return found

    def rest(self) -> bytes:
        """See `Cutter`."""
        return self._rest


def _frame_size(data: bytes) -> int | None:
    """How long the frame is that begins here; None if that is not known yet (RFC 6455, 5.2)."""
    if len(data) < 2:
        return None
    size, at = data[1] & 0x7F, 2
    if size > 125:
        width = 2 if size == 126 else 8
        if len(data) < at + width:
            return None
        size, at = int.from_bytes(data[at : at + width]), at + width
    return at + size + (4 if data[1] & 0x80 else 0)
