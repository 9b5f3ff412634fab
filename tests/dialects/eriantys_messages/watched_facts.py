"""Facts about eriantys-messages for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Any, Final

from tests.conformance.illegal_move import Change, IllegalMoves, Move, Second

QUESTIONS: Final = {"eriantys-messages": {"TextMessage": "any.question-again"}}
SUCCESSIVE: Final = {"eriantys-messages": (("students", "motherNature"),)}


def _typed(name: str, **fields: Any) -> Change:
    """Return a change of the arguments of an eriantys-messages message."""
    return lambda message: {**message, **fields} if message.get("type") == name else None


ILLEGAL: Final[IllegalMoves] = {
    ("eriantys-messages", ""): {
        "a card already played": lambda: Move(
            Second(
                lambda message: message.get("type") == "PlayAssistantCardMessage",
                lambda first, message: first,
            ),
            "this player has played that assistant before",
        ),
        "an island counted from 1": lambda: Move(
            _typed("StudentToIslandMessage", indexIsland=12), "there is no island 12; islands are numbered 0 to 11"
        ),
        "mother nature too far": lambda: Move(
            _typed("MoveMotherNatureMessage", movement=9), "mother nature moves 1 to"
        ),
        "mother nature stays": lambda: Move(_typed("MoveMotherNatureMessage", movement=0), "mother nature moves 1 to"),
        "too many students": lambda: Move(
            _typed("StudentToHallMessage", students=["RED"] * 9), "students are left to move"
        ),
        "no such cloud": lambda: Move(
            _typed("AddStudentFromCloudToWaitingMessage", cloudIndex=7), "there is no such assistant, island or cloud"
        ),
    },
}
