"""Logging to stderr: readable on a terminal, JSON elsewhere.

- Records of the standard library's logging are written in the same form.
- Logging never blocks: lines for a slow reader are buffered up to `MAX_UNREAD_BYTES`, then dropped and counted.
"""

from __future__ import annotations

import atexit
import logging
import os
import select
import sys
from collections.abc import Callable, MutableMapping
from io import StringIO
from time import monotonic
from typing import Any, Final, TextIO, cast

import structlog

from boardwire.errors import Malformed
from boardwire.wire.text import escaped

_JSON: Final = structlog.processors.JSONRenderer()

PIPE_BYTES: Final = 512
"""Bytes that a writable pipe accepts without blocking: the smallest PIPE_BUF that POSIX allows."""
MAX_UNREAD_BYTES: Final = 256 * 1024
"""Size of the buffer for a reader that does not read; further lines are dropped and counted."""

PEER_LOG_SECONDS: Final = 10.0
"""Interval of the limit on warnings that one client address can cause."""
PEER_LOG_LINES: Final = 10
"""Warnings of one kind that one client address can cause per interval."""
MAX_LOG_KINDS: Final = 256
"""Kinds of lines, including client addresses, that one throttle distinguishes."""


class NonBlockingFile:
    """A file that never blocks: lines that cannot be written yet are buffered until the next write."""

    def __init__(self, file: TextIO) -> None:
        self._file = file.fileno()
        self._encoding = file.encoding
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLOUT)
        self._buffer = bytearray()
        self._dropped = 0
        atexit.register(self.flush)

    def write(self, line: str) -> None:
        if len(self._buffer) > MAX_UNREAD_BYTES:
            self.flush()
        if len(self._buffer) > MAX_UNREAD_BYTES:
            self._dropped += 1
            return
        if self._dropped:
            self._buffer += b'{"event": "%d log lines were dropped: the reader is too slow"}\n' % self._dropped
            self._dropped = 0
        self._buffer += line.encode(self._encoding, "backslashreplace")

    def flush(self) -> None:
        """Write as much as possible without blocking; discard everything if the reader is gone."""
        buffer = self._buffer
        while buffer and self._poll.poll(0):
            try:
                del buffer[: os.write(self._file, buffer[:PIPE_BYTES])]
            except BlockingIOError:  # another process made the terminal non-blocking
                return
            except OSError:
                buffer.clear()


def _non_blocking(file: TextIO) -> TextIO | NonBlockingFile:
    """Return a `NonBlockingFile` for `file` if the system can poll it, else `file` itself."""
    try:
        file.fileno()
    except OSError:
        return file
    return NonBlockingFile(file) if hasattr(select, "poll") else file


class LogThrottle:
    """Admits at most `lines` log lines of each kind per interval, and counts the lines that it suppresses.

    A kind may contain a client address. At most `MAX_LOG_KINDS` kinds are remembered: beyond that, lines of a new kind
    are suppressed until the interval of another kind has passed.
    """

    def __init__(self, seconds: float, now: Callable[[], float] = monotonic, lines: int = 1) -> None:
        self._seconds = seconds
        self._now = now
        self._lines = lines
        self._intervals: dict[str, tuple[float, int, int]] = {}
        """Start of the interval, lines admitted in it and lines suppressed since, by kind."""

    def admit(self, kind: str) -> int | None:
        """Return how many lines of this kind were suppressed before this one, or None to suppress this one too."""
        now = self._now()
        interval = self._intervals.get(kind)
        if interval is None and len(self._intervals) >= MAX_LOG_KINDS:
            current = {key: value for key, value in self._intervals.items() if now - value[0] < self._seconds}
            self._intervals = current
            if len(current) >= MAX_LOG_KINDS:
                return None
        since, admitted, suppressed = interval or (now, 0, 0)
        if now - since >= self._seconds:
            since, admitted = now, 0
        if admitted >= self._lines:
            self._intervals[kind] = since, admitted, suppressed + 1
            return None
        self._intervals[kind] = since, admitted + 1, 0
        return suppressed


def peer_throttle(now: Callable[[], float] = monotonic) -> LogThrottle:
    """Return a throttle for the warnings that clients cause, by kind and client address."""
    return LogThrottle(PEER_LOG_SECONDS, now, PEER_LOG_LINES)


class StandardLogHandler(logging.Handler):
    """Passes records of the standard library to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        exc_info = {"exc_info": record.exc_info} if record.exc_info else {}
        structlog.get_logger().log(record.levelno, record.getMessage(), logger=record.name, **exc_info)


def _escape_values(logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Escape the values of a log line for a terminal, before colours are added."""
    return {key: escaped(value) if isinstance(value, str) else value for key, value in event.items()}


def _render_json(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
    """Render a log line as JSON, and escape the control characters that JSON allows, such as DEL."""
    return escaped(str(_JSON(logger, method, event)))


def _write_traceback(file: TextIO, error: structlog.typing.ExcInfo) -> None:
    """Write a traceback to a terminal, escaped: an error may quote text from a peer."""
    text = StringIO()
    structlog.dev.plain_traceback(text, error)
    file.write(escaped(text.getvalue(), keep="\n"))


def configure(level: str) -> None:
    """Log at `level` and above: debug, info, warning or error."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise Malformed(f"unknown log level {level!r}; use debug, info, warning or error")
    processors: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    if sys.stderr.isatty():
        processors += [_escape_values, structlog.dev.ConsoleRenderer(exception_formatter=_write_traceback)]
    else:
        processors += [structlog.processors.format_exc_info, _render_json]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _non_blocking(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [
        *(handler for handler in root.handlers if not isinstance(handler, StandardLogHandler)),
        StandardLogHandler(),
    ]
    root.setLevel(max(number, logging.INFO))  # libraries log too much at debug level
