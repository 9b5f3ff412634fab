r"""Text lines.

Rules:

- A line ends with ``\n``, ``\r\n`` or a lone ``\r``.  A lone ``\r`` ends it at once; a ``\n`` that follows it, also in
  a later segment, belongs to it and does not make an empty line.
- Lines are given without their end, as bytes: what they mean is the dialect's business.
- A line longer than the limit is `Malformed` as soon as that is known, finished or not; nothing after it is read.  The
  lines before it are given first: the fault is in `fault` at once, and raised by this call if it gave nothing, else by
  the next.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from boardwire.errors import Malformed

LIMIT: Final = 64 * 1024
"""The default limit of a line, in bytes, its end not counted."""

_RETURN: Final = 0x0D  # a number: whether bytes are in bytes takes Python ten times as long, and every read asks


class LineDecoder:
    """Takes bytes as they come, gives lines."""

    __slots__ = ("_limit", "_rest", "_skip", "fault", "overhead")

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._rest = b""
        self.fault: Malformed | None = None
        """Why nothing more is read."""
        self.overhead = 0  # every line is a message
        self._skip = False
        """The last byte was a carriage return, so a line feed now is part of that line's end."""

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished line."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes."""
        if self.fault is not None:
            raise self.fault
        if self._skip and data:
            self._skip = False
            if data[0] == 0x0A:
                data = data[1:]
        if _RETURN in data:
            self._skip = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if self._rest:
            data = self._rest + data
        lines = data.split(b"\n")
        self._rest = lines.pop()
        return lines if len(data) <= self._limit else self._bounded(lines)

    def _bounded(self, lines: list[bytes]) -> list[bytes]:
        """The lines before the first that is too long."""
        limit = self._limit
        if len(self._rest) > limit or any(len(line) > limit for line in lines):
            self.fault = Malformed(f"a line is longer than {limit} bytes")
            self._rest = b""
            lines = list(takewhile(lambda line: len(line) <= limit, lines))
            if not lines:
                raise self.fault
        return lines


def encode(line: str) -> bytes:
    """One line, with its end."""
    return line.encode() + b"\n"
