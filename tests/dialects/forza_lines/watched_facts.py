"""Facts about forza-lines for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Final

from tests.conformance.illegal_move import IllegalMoves, Move

QUESTIONS: Final = {"forza-lines": {"TURN": "any.question-again"}}
AFTER_END: Final = {"forza-lines": "forza-lines.last"}
ILLEGAL: Final[IllegalMoves] = {
    ("forza-lines", ""): {
        "a column counted from 0": lambda: Move(
            lambda column: 8 if isinstance(column, int) else None, "there is no such column; expected 1 to 7"
        ),
    },
}
