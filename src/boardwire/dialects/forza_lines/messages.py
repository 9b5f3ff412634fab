"""Lines of forza-lines, both directions. Numbers in brackets are sections of docs/dialects/forza-lines.md."""

from typing import Final

from boardwire.errors import Malformed
from boardwire.games.forza import View
from boardwire.games.forza.rules import COLUMNS
from boardwire.games.game import Seat
from boardwire.wire.lines import encode
from boardwire.wire.text import printable

NAME: Final = "forza-lines"
LINE_LIMIT: Final = 4096
"""Longest line that a client may send, in bytes [1]."""
NAME_LIMIT: Final = 20
"""Longest player name, in characters [3]."""
COLOURS: Final = ("RED", "YELLOW")  # by seat [2]
FLOOR: Final = "+-1-2-3-4-5-6-7-+"
_OWNERS: Final[dict[str, Seat | None]] = {"R": 0, "Y": 1, ".": None}


def write(*words: str) -> bytes:
    """Encode words as one line, with unprintable characters replaced [1]."""
    return encode(printable(" ".join(words)))


def format_board(view: View) -> bytes:
    """Format a board: the rows from the top, then the floor with the column numbers [2.3]."""
    discs = ["." if owner is None else COLOURS[owner][0] for owner in view.cells]
    rows = (" ".join(("|", *discs[at : at + COLUMNS], "|")) for at in range(0, len(discs), COLUMNS))
    return "\n".join((*rows, FLOOR, "")).encode()


def parse_row(row: str) -> tuple[Seat | None, ...]:
    """Parse the owners of the cells between two bars [2.3]."""
    owners = tuple(_OWNERS[disc] for disc in row.split() if disc in _OWNERS)
    if len(owners) != COLUMNS:
        raise Malformed(f"a row has {COLUMNS} cells, not {len(owners)}")
    return owners
