"""Facts about santorini-lobby for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Any, Final

from tests.conformance.illegal_move import FAR, NOT_NEXT, Change, IllegalMoves, Move

QUESTIONS: Final = {
    "santorini-lobby": {"REQUEST_PLACE_PAWNS": "any.question-again", "ACTION_READY": "any.question-again"}
}


def _far_lobby(action: str) -> Change:
    def change(message: Any) -> Any:
        content = message.get("content", {})
        if message.get("type") != "EXECUTE_ACTION" or content["actionIdentifier"]["description"] != action:
            return None
        at = content["coordinate"]
        if at is None or at["x"] not in FAR:
            return None
        return {**message, "content": {**content, "coordinate": {**at, "x": FAR[at["x"]]}}}

    return change


ILLEGAL: Final[IllegalMoves] = {
    ("santorini-lobby", ""): {
        "a move too far": lambda: Move(_far_lobby("Move"), NOT_NEXT),
        "a build too far": lambda: Move(_far_lobby("Build_Block"), NOT_NEXT),
        "a build first": lambda: Move(
            lambda message: (
                {**message, "content": {**message["content"], "actionIdentifier": {"description": "Build_Block"}}}
                if message.get("type") == "EXECUTE_ACTION"
                else None
            ),
            "a turn begins with a move",
        ),
    },
}
