"""Notation of squares: file A to E from left to right, rank 5 on top."""

from __future__ import annotations

import re
from typing import Final

from boardwire.errors import Malformed
from boardwire.games.santorini.board import SQUARES

_FILES: Final = "ABCDE"


def square_name(square: int) -> str:
    """Return the file and rank of a square."""
    return f"{_FILES[square % 5]}{5 - square // 5}"


def parse_square(text: str) -> int:
    """Parse a square given by file and rank, or by index."""
    if re.fullmatch(r"[A-Ea-e][1-5]", text):
        return (5 - int(text[1])) * 5 + _FILES.index(text[0].upper())
    if re.fullmatch(r"[0-9]{1,2}", text) and int(text) in SQUARES:
        return int(text)
    raise Malformed(f"{text!r} is not a square; squares are A1 to E5")
