"""Split the bytes of one direction into messages without losing any byte.

A decoder returns what messages mean; a framer returns the bytes of each.

- The pieces together are all bytes fed, except an unfinished message, which `rest` returns.
- Bytes that cannot be a message (an overlong line, data after a fault) are a piece with an explanation.
- The buffer for an unfinished message is bounded.
"""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

HTTP_HEAD: Final = object()
"""Marks the head of an HTTP message, which the dialect's decoder does not parse."""

MAX_MESSAGE_BYTES: Final = 1024 * 1024
"""Maximum length of one line, frame or HTTP head."""

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")


class Framer(Protocol):
    """Splits the bytes of one direction into messages.

    - `feed` returns pieces, each with None, a description, or a `str` that says why the piece cannot be read.
    - `separators` are bytes that may precede a message without starting one.
    """

    separators: bytes

    def feed(self, data: bytes, /) -> list[tuple[bytes, Any]]: ...

    def rest(self) -> bytes: ...


class LineFramer:
    r"""Splits lines, keeping their ends. A `\n` that follows a `\r` in a later segment is a separate piece."""

    def __init__(self) -> None:
        self.separators = b""
        self._rest = b""
        self._overlong = False

    def feed(self, data: bytes) -> list[tuple[bytes, Any]]:
        data = self._rest + data
        pieces: list[tuple[bytes, Any]] = []
        at = 0
        for end in _LINE_END.finditer(data, max(0, len(self._rest) - 1)):
            pieces.append((data[at : end.end()], "the end of an overlong line" if self._overlong else None))
            self._overlong = False
            at = end.end()
        self._rest = data[at:]
        if len(self._rest) > MAX_MESSAGE_BYTES or (self._overlong and self._rest):
            pieces.append((self._rest, f"a line is longer than {MAX_MESSAGE_BYTES} bytes"))
            self._rest, self._overlong = b"", True
        return pieces

    def rest(self) -> bytes:
        return self._rest


class WebSocketFramer:
    """Splits WebSocket frames, after the head of the HTTP upgrade unless it was read before."""

    def __init__(self) -> None:
        self.separators = b""
        self._rest = b""
        self._opened = False
        self._lost = False

    def feed(self, data: bytes) -> list[tuple[bytes, Any]]:
        if self._lost:
            return [(data, "messages after the fault cannot be separated")]
        self._rest += data
        pieces: list[tuple[bytes, Any]] = []
        if not self._opened and self._rest and not self._rest[:1].isalpha():
            self._opened = True  # monitoring began after the head
        if not self._opened:
            head, end, rest = self._rest.partition(b"\r\n\r\n")
            if end:
                pieces.append((head + end, HTTP_HEAD))
                self._rest, self._opened = rest, True
        while self._opened and (size := _frame_size(self._rest)) is not None and len(self._rest) >= size:
            pieces.append((self._rest[:size], None))
            self._rest = self._rest[size:]
        if len(self._rest) > MAX_MESSAGE_BYTES:
            pieces.append((self._rest, f"a frame is longer than {MAX_MESSAGE_BYTES} bytes"))
            self._rest, self._lost = b"", True
        return pieces

    def rest(self) -> bytes:
        return self._rest


def _frame_size(data: bytes) -> int | None:
    """Return the length of the frame that begins here, or None if it is not known yet (RFC 6455, 5.2)."""
    if len(data) < 2:
        return None
    size, at = data[1] & 0x7F, 2
    if size > 125:
        width = 2 if size == 126 else 8
        if len(data) < at + width:
            return None
        size, at = int.from_bytes(data[at : at + width]), at + width
    return at + size + (4 if data[1] & 0x80 else 0)
