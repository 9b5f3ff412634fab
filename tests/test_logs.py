"""The log: JSON where no one watches, whoever speaks."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TextIO

import pytest
import structlog

from boardwire import logs
from boardwire.errors import Malformed
from boardwire.logs import LogThrottle


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
    with pytest.raises(Malformed, match="unknown log level 'loud'"):
        logs.configure("loud")


@pytest.fixture
def pipe() -> Iterator[tuple[int, TextIO]]:
    """The end to read from, and the end to write to."""
    reading, writing = os.pipe()
    with open(writing, "w", encoding="utf-8") as file:
        yield reading, file
    with suppress(OSError):
        os.close(reading)


def test_a_slow_reader_never_blocks_logging(pipe: tuple[int, TextIO]) -> None:
    reading, file = pipe
    outlet = logs.NonBlockingFile(file)
    line = "x" * 99 + "\n"
    for _ in range(10_000):  # a megabyte: neither the pipe nor the outlet has room for that
        outlet.write(line)
        outlet.flush()
    told = b""
    while len(piece := os.read(reading, 4096)) == 4096:
        told += piece
        outlet.flush()
    outlet.write("the last\n")
    outlet.flush()
    *kept, missing, last = (told + piece + os.read(reading, 4096)).decode().splitlines(keepends=True)
    assert set(kept) == {line}
    assert last == "the last\n"
    assert json.loads(missing)["event"] == f"{10_000 - len(kept)} log lines were dropped: the reader is too slow"


def test_a_closed_reader_never_blocks_logging(pipe: tuple[int, TextIO]) -> None:
    reading, file = pipe
    outlet = logs.NonBlockingFile(file)
    os.close(reading)
    outlet.write("is anybody there?\n")
    outlet.flush()
    outlet.write("no\n")
    outlet.flush()


def test_a_throttle_admits_one_line_per_interval_and_kind_and_counts_the_others() -> None:
    now = 0.0
    throttle = LogThrottle(5.0, lambda: now)
    assert throttle.admit("a") == 0
    assert throttle.admit("b") == 0
    assert [throttle.admit("a") for _ in range(3)] == [None] * 3
    now = 4.9
    assert throttle.admit("a") is None
    now = 5.0
    assert throttle.admit("a") == 4
    assert throttle.admit("b") == 0
    now = 10.0
    assert throttle.admit("a") == 0


def test_a_throttle_admits_several_lines_per_interval_if_it_is_told_to() -> None:
    now = 0.0
    throttle = LogThrottle(5.0, lambda: now, lines=2)
    assert [throttle.admit("a") for _ in range(4)] == [0, 0, None, None]
    now = 5.0
    assert [throttle.admit("a") for _ in range(3)] == [2, 0, None]


def test_a_throttle_remembers_a_bounded_number_of_kinds() -> None:
    now = 0.0
    throttle = LogThrottle(5.0, lambda: now)
    admitted = [throttle.admit(str(number)) for number in range(logs.MAX_LOG_KINDS + 100)]
    assert admitted == [0] * logs.MAX_LOG_KINDS + [None] * 100
    now = 5.0
    assert throttle.admit("new") == 0
