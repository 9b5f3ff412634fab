"""Progress display on standard error: one line that is rewritten on a terminal, otherwise one line per round."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Shows the current step of a measurement and the seconds since its start."""

    def __init__(self, out: TextIO = sys.stderr, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._start = clock()
        self._terminal = out.isatty()
        self._last = ""

    def show(self, step: str, detail: str = "") -> None:
        """Show a step. The detail is for terminals only; elsewhere a repeated step is not printed again."""
        line = f"{self._clock() - self._start:5.0f} s  {step}"
        if self._terminal:
            print(f"\r\x1b[K{line}{detail}", end="", file=self._out, flush=True)
        elif step != self._last:
            print(line, file=self._out, flush=True)
        self._last = step

    def clear(self) -> None:
        """Clear the terminal's line."""
        if self._terminal:
            print("\r\x1b[K", end="", file=self._out, flush=True)
