"""The log: JSON where nobody watches, whoever speaks."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from boardwire import logs
from boardwire.errors import Malformed


@pytest.fixture
def untouched() -> Iterator[None]:
    """Puts back what configuring changes for the whole process."""
    root, settings = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**settings)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_what_a_library_logs_looks_like_the_rest(untouched: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info")
    logs.configure("info")  # twice is not double
    logging.getLogger("asyncio").warning("invalid %s", "request")
    logging.getLogger("asyncio").debug("details")
    structlog.get_logger("ours").info("hello", match="m")
    theirs, ours = lines(capsys)
    assert (theirs["event"], theirs["level"], theirs["logger"]) == ("invalid request", "warning", "asyncio")
    assert (ours["event"], ours["level"], ours["match"]) == ("hello", "info", "m")
    assert theirs.keys() - {"logger"} == ours.keys() - {"match"}


def test_a_fault_is_one_line(untouched: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("error")
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("library").exception("it failed")
        logging.getLogger("library").warning("not so serious")
    (fault,) = lines(capsys)
    assert fault["event"] == "it failed"
    assert "ValueError: broken" in fault["exception"]


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(Malformed, match="no log level 'loud'"):
        logs.configure("loud")
