"""How the server logs: for people on a terminal, as JSON everywhere else; always to stderr.

What libraries say through the standard library's logging comes out in the same form.

Nobody waits for whoever reads the log: a reader that is slow, stopped or gone never holds the server up.
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

PIECE: Final = 512
"""Bytes that a pipe or a terminal takes without waiting once it says that it takes any: POSIX promises so many."""
MOST_UNREAD: Final = 256 * 1024
"""Bytes that are kept for a reader that does not read; what comes after them is only counted."""

PEER_LOG_SECONDS: Final = 10.0
"""Interval in which the warnings that one client address can cause are limited."""
PEER_LOG_LINES: Final = 10
"""Warnings of one kind that one client address can cause in the interval."""
MAX_LOG_KINDS: Final = 256
"""Kinds of lines, and client addresses, that one throttle distinguishes."""


class Outlet:
    """A file that is written to only as far as that is possible at once; what is left goes out with the next line."""

    def __init__(self, file: TextIO) -> None:
        self._file = file.fileno()
        self._encoding = file.encoding
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLOUT)
        self._unread = bytearray()
        self._missing = 0
        atexit.register(self.flush)

    def write(self, line: str) -> None:
        if len(self._unread) > MOST_UNREAD:
            self.flush()
        if len(self._unread) > MOST_UNREAD:
            self._missing += 1
            return
        if self._missing:
            self._unread += b'{"event": "%d lines of the log are missing: nobody read it"}\n' % self._missing
            self._missing = 0
        self._unread += line.encode(self._encoding, "backslashreplace")

    def flush(self) -> None:
        """Write what can be written now.  A reader that is gone has what was for it thrown away."""
        unread = self._unread
        while unread and self._poll.poll(0):
            try:
                del unread[: os.write(self._file, unread[:PIECE])]
            except BlockingIOError:  # somebody else has put the same terminal into that mode
                return
            except OSError:
                unread.clear()


def _outlet(file: TextIO) -> TextIO | Outlet:
    """`file`, or an outlet to it where the system can tell whether it would have to wait."""
    try:
        file.fileno()
    except OSError:
        return file
    return Outlet(file) if hasattr(select, "poll") else file


class LogThrottle:
    """Admits `lines` log lines per kind in an interval and counts those that it leaves out.

    A kind may contain a client address.  At most `MAX_LOG_KINDS` kinds are remembered: beyond that, lines of a new kind
    are left out until the interval of another one has passed.
    """

    def __init__(self, seconds: float, now: Callable[[], float] = monotonic, lines: int = 1) -> None:
        self._seconds = seconds
        self._now = now
        self._lines = lines
        self._intervals: dict[str, tuple[float, int, int]] = {}
        """By kind: when its interval began, how many lines were admitted in it, and how many were left out."""

    def admit(self, kind: str) -> int | None:
        """Return how many lines of this kind were left out before this one, or None if this one is left out too."""
        now = self._now()
        interval = self._intervals.get(kind)
        if interval is None and len(self._intervals) >= MAX_LOG_KINDS:
            current = {one: it for one, it in self._intervals.items() if now - it[0] < self._seconds}
            self._intervals = current
            if len(current) >= MAX_LOG_KINDS:
                return None
        since, admitted, left_out = interval or (now, 0, 0)
        if now - since >= self._seconds:
            since, admitted = now, 0
        if admitted >= self._lines:
            self._intervals[kind] = since, admitted, left_out + 1
            return None
        self._intervals[kind] = since, admitted + 1, 0
        return left_out


def peer_throttle(now: Callable[[], float] = monotonic) -> LogThrottle:
    """Return a throttle for the warnings that clients cause, by kind and client address."""
    return LogThrottle(PEER_LOG_SECONDS, now, PEER_LOG_LINES)


class Bridge(logging.Handler):
    """Passes the standard library's records on."""

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        fault = {"exc_info": record.exc_info} if record.exc_info else {}
        structlog.get_logger().log(record.levelno, record.getMessage(), logger=record.name, **fault)


def _escape_values(logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Escape the text of a line for a terminal, before colours are added."""
    return {key: escaped(value) if isinstance(value, str) else value for key, value in event.items()}


def _render_json(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
    """Render a line as JSON.  What JSON leaves as it is, such as DEL, is escaped: the line stays the same JSON."""
    return escaped(str(_JSON(logger, method, event)))


def _write_traceback(file: TextIO, error: structlog.typing.ExcInfo) -> None:
    """Write a traceback for a terminal; an error may quote a peer."""
    text = StringIO()
    structlog.dev.plain_traceback(text, error)
    file.write(escaped(text.getvalue(), keep="\n"))


def configure(level: str) -> None:
    """Log from `level` on: debug, info, warning or error."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise Malformed(f"there is no log level {level!r}; there are debug, info, warning, error")
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
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _outlet(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [*(handler for handler in root.handlers if not isinstance(handler, Bridge)), Bridge()]
    root.setLevel(max(number, logging.INFO))  # a library's own debugging is not the server's
