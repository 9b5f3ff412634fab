"""Facts about tris-lines for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Any, Final

from tests.conformance.illegal_move import IllegalMoves, Move, Second

QUESTIONS: Final = {"tris-lines": {"READY": "tris-lines.start", "board": "tris-lines.board"}}
AFTER_END: Final = {"tris-lines": "tris-lines.last"}


def _is_cell(message: Any) -> bool:
    return isinstance(message, int)


ILLEGAL: Final[IllegalMoves] = {
    ("tris-lines", ""): {
        "a taken cell": lambda: Move(Second(_is_cell, lambda first, message: first), "the cell is taken"),
        "a cell counted from 1": lambda: Move(lambda cell: 9, "there is no such cell"),
    },
}
