"""Facts about santorini-actions for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Any, Final

from tests.conformance.illegal_move import FAR, NOT_NEXT, IllegalMoves, Move

_EDITIONS: Final = ("santorini-actions", "santorini-actions/shipped")
_QUESTIONS: Final = {
    "setPickedCards": "any.question-again",
    "setPlayerCard": "any.question-again",
    "setWorkersPosition": "any.question-again",
    "actualPlayer": "any.question-again",
    "workerViewUpdate": "santorini-actions.surplus",
}
QUESTIONS: Final = dict.fromkeys(_EDITIONS, _QUESTIONS)


def _far_step(message: Any) -> Any:
    data = message.get("data", {})
    if message.get("action") != "playStep" or data["x"] not in FAR:
        return None
    return {**message, "data": {**data, "x": FAR[data["x"]]}}


ILLEGAL: Final[IllegalMoves] = {
    (edition, ""): {"a step too far": lambda: Move(_far_step, NOT_NEXT)} for edition in _EDITIONS
}
