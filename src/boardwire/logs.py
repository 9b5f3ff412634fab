"""How the server logs: for people on a terminal, as JSON everywhere else; always to stderr.

What libraries say through the standard library's logging comes out in the same form.
"""

from __future__ import annotations

import logging
import sys

import structlog

from boardwire.errors import Malformed


class Bridge(logging.Handler):
    """Passes the standard library's records on."""

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        fault = {"exc_info": record.exc_info} if record.exc_info else {}
        structlog.get_logger().log(record.levelno, record.getMessage(), logger=record.name, **fault)


def configure(level: str) -> None:
    """Log from `level` on: debug, info, warning or error."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise Malformed(f"there is no log level {level!r}; there are debug, info, warning, error")
    terminal = sys.stderr.isatty()
    renderer = structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer()
    processors: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    if not terminal:
        processors.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [*(handler for handler in root.handlers if not isinstance(handler, Bridge)), Bridge()]
    root.setLevel(max(number, logging.INFO))  # a library's own debugging is not the server's
