"""The standard streams: what a command prints is escaped, what the program itself controls is not."""

from __future__ import annotations

import io
import json
import logging
import os
import pty
import sys
from collections.abc import Iterator

import pytest
import structlog

from boardwire import logs, output
from boardwire.terminal.colours import for_terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal that the standard streams of the program write to; no fixture, because pytest sets them anew after
    the fixtures."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, screen)
    output.install()
    return screen


def test_control_characters_are_escaped_and_newlines_and_tabs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    print("a\x1b]0;owned\x07\tb\u202e")
    sys.stderr.writelines(["\x9b2J\r", "\n"])
    assert terminal.getvalue() == "a\\x1b]0;owned\\x07\tb\\u202e\n\\u009b2J\\x0d\n"


def test_the_programs_own_colours_reach_a_terminal_and_those_of_a_peer_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    print(for_terminal()("hello \x1b[31mred", "bold"))
    assert terminal.getvalue() == "\x1b[1mhello \\x1b[31mred\x1b[0m\n"


def test_a_progress_line_returns_to_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    print(output.sequence("\r", sys.stderr) + "1 of 2" + output.sequence("[K", sys.stderr), end="", file=sys.stderr)
    assert terminal.getvalue() == "\r1 of 2\x1b[K"


def test_a_key_allows_colours_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    own = output.key(sys.stdout)
    print(f"\x1b{own}]0;owned\x07", end="")
    assert "\x1b" not in terminal.getvalue()
    assert own != output.EscapedStream(terminal).key


def test_a_stream_that_is_not_escaped_gets_sequences_without_a_key() -> None:
    assert (output.sequence("[K", io.StringIO()), output.sequence("\r", io.StringIO())) == ("\x1b[K", "\r")


def test_installing_twice_escapes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    output.install()
    print("\x1b")
    assert terminal.getvalue() == "\\x1b\n"


@pytest.fixture
def untouched() -> Iterator[None]:
    """Puts back what configuring the log changes for the whole process."""
    root, settings = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**settings)


HOSTILE = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x200B, 0x202E, 0x2028, 0x2066, 0x061C)))


def test_a_log_on_a_terminal_is_escaped_and_coloured(untouched: None, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = pty.openpty()
    with open(writing, "w", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stderr", file)
        logs.configure("info")
        structlog.get_logger("test").warning("hello", origin=f"x{HOSTILE}x", number=1)
        try:
            raise ValueError(HOSTILE)
        except ValueError:
            structlog.get_logger("test").exception("it failed")
        told = b""
        while b"ValueError: " not in told or not told.endswith(b"\n"):
            told += os.read(reading, 4096)
    os.close(reading)
    text = told.decode().replace("\r\n", "\n")
    assert "\x1b[" in text, "it is coloured"
    assert r"\x00\x01" in text
    assert not set(HOSTILE) - {"\n", "\x1b"} & set(text)
    assert r"\x1b" in text


def test_a_log_in_json_is_escaped_and_still_says_the_same(untouched: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info")
    structlog.get_logger("test").warning("hello", origin=HOSTILE)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.isprintable()
    assert json.loads(line)["origin"] == HOSTILE
