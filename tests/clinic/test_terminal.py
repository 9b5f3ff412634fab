"""What a proxy prints waits for the terminal in bounded memory."""

from __future__ import annotations

import io
import sys
import time
from threading import Event

import pytest

from boardwire.clinic import terminal


class Held(io.StringIO):
    """A terminal that is held."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = Event()

    def write(self, text: str) -> int:
        self.go_on.wait(20)
        return super().write(text)


def test_lines_that_wait_are_bounded_in_bytes_and_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Held()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(terminal, "WAITING_BYTES", 8_000)
    outlet = terminal.Outlet()
    line = "x" * 1_000
    for _ in range(20):
        outlet.say(line)
    screen.go_on.set()
    end = time.monotonic() + 20
    while "not printed in time" not in screen.getvalue() and time.monotonic() < end:
        outlet.say("later")
    outlet.close()
    assert screen.getvalue().splitlines().count(line) == 9, "8,000 characters, and the line that was one too many"
