"""Colours of the line client: none if the output is not a terminal, or if NO_COLOR is set.

Coloured output must be readable without colour.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from boardwire import output

_CODES: Final = {
    "bold": "1", "dim": "2", "reverse": "7",
    "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "white": "37",
}  # fmt: skip


class Paint:
    """Adds colours to text, or returns it unchanged."""

    def __init__(self, on: bool, key: str = "") -> None:
        self._on = on
        self._begin = f"\x1b{key}["
        """Start of a sequence, with the key of the stream that lets it through (`boardwire.output`)."""

    def __call__(self, text: str, *styles: str) -> str:
        """Return `text` in these styles."""
        if not self._on or not styles:
            return text
        return f"{self._begin}{';'.join(_CODES[style] for style in styles)}m{text}{self._begin}0m"


def for_terminal() -> Paint:
    """Return the colours for standard output."""
    on = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Paint(on, output.key(sys.stdout))
