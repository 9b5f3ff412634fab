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
    """Admits one log line per kind in an interval and counts those that it leaves out."""

    def __init__(self, seconds: float, now: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._admitted: dict[str, tuple[float, int]] = {}
        """By kind: when the last line was admitted, and how many were left out since."""

    def admit(self, kind: str) -> int | None:
        """Return how many lines of this kind were left out before this one, or None if this one is left out too."""
        now = self._now()
        since, left_out = self._admitted.get(kind, (now - self._seconds, 0))
        if now - since < self._seconds:
            self._admitted[kind] = since, left_out + 1
            return None
        self._admitted[kind] = now, 0
        return left_out


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
