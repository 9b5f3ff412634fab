"""Lines of tris-lines, both directions.

Sections of the published document are cited as (1) to (6), those of docs/dialects/tris-lines.md as [6.2].
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from boardwire.errors import Malformed
from boardwire.games.game import Seat

WAIT: Final = b"WAIT\n"  # (1) you are the first player
READY: Final = b"READY\n"  # (1) the match begins
OK: Final = b"OK\n"  # (3) your move is valid
KO: Final = b"KO\n"  # (3) your move is not valid, try again
WON: Final = b"W\n"  # (3) you have won
DRAWN: Final = b"P\n"  # (3) the match is drawn
DISCONNECTED: Final = b"DISCONNECTED\n"  # (6) the opponent has left

LOST_MARK: Final = "L"  # (4) the outcome field of a board line
DRAWN_MARK: Final = "P"

LINE_LIMIT: Final = 4096
"""Longest line that a client may send, in bytes [1]."""

_NUMBER: Final = re.compile(rb"[ \t]*([+-]?[0-9]{1,9})[ \t]*")

_CELLS: Final = {b"%d" % cell: cell for cell in range(9)}  # nearly every move: a lookup avoids the regular expression


def parse_move(line: bytes) -> int:
    """Parse a move: an optional sign and ASCII digits, with spaces around them [2, 6.6]."""
    cell = _CELLS.get(line)
    if cell is not None:
        return cell
    match = _NUMBER.fullmatch(line)
    if match is None:
        raise Malformed("a move is a number from 0 to 8")
    return int(match[1])


@cache  # a few thousand boards, each sent many times
def format_board(cells: tuple[Seat | None, ...], outcome: str = "") -> bytes:
    """Format a board line: each cell 0 (free), 1 (first player) or 2 (second player), then the outcome (4)."""
    marks = "".join("0," if owner is None else "1," if owner == 0 else "2," for owner in cells)
    return f"{marks}{outcome}\n".encode()


def parse_board(line: bytes) -> tuple[tuple[Seat | None, ...], str]:
    """Parse a board line into cells and outcome, including the variants of known servers [8]."""
    text = line.decode("ascii", "replace").strip().removeprefix("null").strip("[]")
    fields = [field.strip() for field in text.split(",")]
    if len(fields) == 9:
        fields.append("")
    if len(fields) != 10 or any(field not in ("0", "1", "2") for field in fields[:9]):
        raise Malformed(f"a board has nine cells of 0, 1 or 2 and an outcome, not {text[:60]!r}")
    return tuple(None if field == "0" else int(field) - 1 for field in fields[:9]), fields[9]
