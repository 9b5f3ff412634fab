"""The lines of forza-lines, both directions.  Numbers in brackets are sections of docs/dialects/forza-lines.md."""

from typing import Final

from boardwire.errors import Malformed
from boardwire.games.forza import View
from boardwire.games.forza.rules import COLUMNS
from boardwire.games.game import Seat
from boardwire.wire.lines import encode
from boardwire.wire.text import printable

NAME: Final = "forza-lines"
LINE_LIMIT: Final = 4096
"""The longest line a peer may send, in bytes [1]."""
NAME_LIMIT: Final = 20
"""The longest name of a player, in characters [3]."""
COLOURS: Final = ("RED", "YELLOW")  # by seat [2]
FLOOR: Final = "+-1-2-3-4-5-6-7-+"
_OWNERS: Final[dict[str, Seat | None]] = {"R": 0, "Y": 1, ".": None}


def write(*words: str) -> bytes:
    """A line: whatever a name or talk holds, it stays one, and steers nobody's terminal [1]."""
    return encode(printable(" ".join(words)))


def format_board(view: View) -> bytes:
    """The rows from the top, and the floor with the numbers of the columns [2.3]."""
    discs = ["." if owner is None else COLOURS[owner][0] for owner in view.cells]
    rows = (" ".join(("|", *discs[at : at + COLUMNS], "|")) for at in range(0, len(discs), COLUMNS))
    return "\n".join((*rows, FLOOR, "")).encode()


def parse_row(row: str) -> tuple[Seat | None, ...]:
    """The owners of the cells between two bars [2.3]."""
    owners = tuple(_OWNERS[disc] for disc in row.split() if disc in _OWNERS)
    if len(owners) != COLUMNS:
        raise Malformed(f"a row has {COLUMNS} cells")
    return owners
