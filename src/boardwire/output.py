"""Standard output and standard error that no text can control.

Theory of operation:

- `install` replaces `sys.stdout` and `sys.stderr` for the whole process, before a command runs. Whatever a command
  prints, and a traceback too, passes through `EscapedStream.write`, which escapes every control, format and invisible
  character (`wire.text.escaped`) except newline and tab.
- Text that stands inside one line is escaped by the command that prints it, newlines and tabs included. Only the
  command knows which newlines are its own; the stream is the safety net for everything else.
- The program's own control sequences (colours, carriage return of a progress line) carry the stream's key, a random
  number that no peer can know: `sequence("[31m", stream)`. The stream removes the key and lets them through.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO, cast

from boardwire.wire.text import escaped

_UNESCAPED: Final = "\n\t"
KEY_BYTES: Final = 8


class EscapedStream:
    """A text stream that escapes what it writes; all other methods are those of the wrapped stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.key = secrets.token_hex(KEY_BYTES)
        self._own = re.compile(f"\x1b{self.key}(\r|\\[[0-9;]*[mK])")

    def write(self, text: str) -> int:
        if self.key in text:
            parts = self._own.split(text)  # text, sequence, text, ...
            parts[::2] = [escaped(part, _UNESCAPED) for part in parts[::2]]
            parts[1::2] = [part if part == "\r" else f"\x1b{part}" for part in parts[1::2]]
            self._stream.write("".join(parts))
        else:
            self._stream.write(escaped(text, _UNESCAPED))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def install() -> None:
    """Escape what this process writes to its standard streams from now on."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, EscapedStream):
            setattr(sys, name, cast("TextIO", EscapedStream(stream)))


def key(stream: object) -> str:
    """Return the key that marks the program's own control sequences in `stream`, or ''."""
    return stream.key if isinstance(stream, EscapedStream) else ""


def sequence(code: str, stream: object) -> str:
    """Return a carriage return or the terminal sequence `ESC code` in the form that `stream` lets through."""
    own = key(stream)
    return f"\x1b{own}{code}" if own or code != "\r" else code


def plain(stream: TextIO) -> TextIO:
    """Return the stream behind an escaped one, for a library that writes only the program's own text."""
    return stream._stream if isinstance(stream, EscapedStream) else stream
