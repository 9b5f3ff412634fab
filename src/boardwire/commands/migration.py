"""Copies a store for a person who waits: says how far it is, now and then, and at the end what was copied."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final, TextIO

from boardwire.output import sequence
from boardwire.store.transfer import Copied, copy

TTY_SECONDS: Final = 0.2
FILE_SECONDS: Final = 10.0
"""How often it is said to a terminal, where it is one line, and to a file, where it is a line each."""


def run(source: Path | str, target: Path | str, screen: TextIO) -> str:
    """Copy it; gives what was copied in a sentence."""
    progress = _Progress(screen)
    try:
        done = copy(source, target, progress)
    finally:
        progress.end()
    matches, events = _count(done.matches, "match", "matches"), _count(done.events, "event", "events")
    return f"copied {matches} with {events}, and {_count(done.analyses, 'analysis', 'analyses')}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


class _Progress:
    """The line that says how far it is."""

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen
        self._every = TTY_SECONDS if screen.isatty() else FILE_SECONDS
        self._told = time.monotonic()
        self._open = False

    def __call__(self, done: Copied, of: int) -> None:
        now = time.monotonic()
        if now - self._told < self._every:
            return
        self._told = now
        line = f"{done.matches:,} of {of:,} matches, {done.events:,} events"
        self._open = self._screen.isatty()
        self._screen.write(sequence("\r", self._screen) + line if self._open else f"{line}\n")
        self._screen.flush()

    def end(self) -> None:
        """Leave the line as it is."""
        if self._open:
            self._screen.write("\n")
