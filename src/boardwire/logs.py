"""How the server logs: for people on a terminal, as JSON everywhere else; always to stderr."""

from __future__ import annotations

import logging
import sys

import structlog

from boardwire.games.game import Malformed


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
