"""How far a measurement is, on the standard error: one line that is rewritten on a terminal, else one line a round."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Says which round of which contender begins, and after how many seconds."""

    def __init__(self, out: TextIO = sys.stderr, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._start = clock()
        self._terminal = out.isatty()
        self._said = ""

    def say(self, words: str, detail: str = "") -> None:
        """Say what begins; the detail is for terminals, and words that were said last are not said again elsewhere."""
        passed = f"{self._clock() - self._start:5.0f} s  {words}"
        if self._terminal:
            print(f"\r\x1b[K{passed}{detail}", end="", file=self._out, flush=True)
        elif words != self._said:
            print(passed, file=self._out, flush=True)
        self._said = words

    def done(self) -> None:
        """Leave the terminal's line empty."""
        if self._terminal:
            print("\r\x1b[K", end="", file=self._out, flush=True)
