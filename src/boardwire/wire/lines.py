r"""Text lines.

- A line ends with ``\n``, ``\r\n`` or a lone ``\r``. A lone ``\r`` ends it at once; a following ``\n``, also in a later
  segment, belongs to the same line end.
- Lines are returned as bytes, without their end.
- A line over the limit is `Malformed`, even before it is complete; nothing after it is decoded. The lines before it are
  returned first: `fault` is set at once, and raised by this call if there are no lines to return, else by the next.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from boardwire.errors import Malformed

MAX_LINE_BYTES: Final = 64 * 1024
"""Default size limit of a line, without its end."""

_RETURN: Final = 0x0D  # an int, because `b"\r" in data` takes ten times as long


class LineDecoder:
    """Decodes bytes into lines."""

    __slots__ = ("_limit", "_rest", "_skip_newline", "fault", "overhead")

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._rest = b""
        self.fault: Malformed | None = None
        """Error that ended the stream."""
        self.overhead = 0  # every line is a message
        self._skip_newline = False
        r"""Whether the last byte was ``\r``: a following ``\n`` is part of that line end."""

    @property
    def buffered(self) -> int:
        """Number of buffered bytes of an incomplete line."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes; raise `Malformed`."""
        if self.fault is not None:
            raise self.fault
        if self._skip_newline and data:
            self._skip_newline = False
            if data[0] == 0x0A:
                data = data[1:]
        if _RETURN in data:
            self._skip_newline = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if self._rest:
            data = self._rest + data
        lines = data.split(b"\n")
        self._rest = lines.pop()
        return lines if len(data) <= self._limit else self._within_limit(lines)

    def _within_limit(self, lines: list[bytes]) -> list[bytes]:
        """Return the lines before the first one over the limit."""
        limit = self._limit
        if len(self._rest) > limit or any(len(line) > limit for line in lines):
            self.fault = Malformed(f"a line is longer than {limit} bytes")
            self._rest = b""
            lines = list(takewhile(lambda line: len(line) <= limit, lines))
            if not lines:
                raise self.fault
        return lines


def encode(line: str) -> bytes:
    """Encode a line."""
    return line.encode() + b"\n"
