"""Terminal output that escapes control characters, so that text from a peer cannot control the terminal.

Theory of operation:

- `install` replaces `sys.stdout` and `sys.stderr` for the whole process, before a command runs. All output, including
  tracebacks, passes through `EscapedStream.write`, which escapes every control, format and invisible character
  (`wire.text.escaped`) except newline and tab.
- A command that prints untrusted text within a line also escapes its newlines and tabs: the stream cannot tell them
  from those of the command.
- The program's own control sequences (colours, the carriage return of a progress line) carry the stream's key, a random
  number that no peer can know: `sequence("[31m", stream)`. The stream removes the key and passes the sequence on.
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
    """A text stream that escapes what it writes; other attributes are those of the wrapped stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.key = secrets.token_hex(KEY_BYTES)
        self._keyed_sequence = re.compile(f"\x1b{self.key}(\r|\\[[0-9;]*[mK])")

    def write(self, text: str) -> int:
        if self.key in text:
            parts = self._keyed_sequence.split(text)  # text, sequence, text, ...
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
    """Replace standard output and standard error of this process by escaped streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, EscapedStream):
            setattr(sys, name, cast("TextIO", EscapedStream(stream)))


def key(stream: object) -> str:
    """Return the key that marks the program's own control sequences in `stream`, or ''."""
    return stream.key if isinstance(stream, EscapedStream) else ""


def sequence(code: str, stream: object) -> str:
    """Return a carriage return or the terminal sequence `ESC code` in the form that `stream` passes on."""
    stream_key = key(stream)
    return f"\x1b{stream_key}{code}" if stream_key or code != "\r" else code


def plain(stream: TextIO) -> TextIO:
    """Return the stream that an escaped stream wraps, for a library that prints only trusted text."""
    return stream._stream if isinstance(stream, EscapedStream) else stream
