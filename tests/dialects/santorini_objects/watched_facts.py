"""Facts about santorini-objects for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace
from tests.conformance.illegal_move import FAR, NOT_NEXT, Change, IllegalMoves, Move, change_fields

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as santorini

_DOCUMENT: Final = dict.fromkeys(("Message", "RequestMove", "RequestBuild"), "any.question-again")
QUESTIONS: Final = {
    "santorini-objects": _DOCUMENT,
    "santorini-objects/d1": _DOCUMENT,
    "santorini-objects/shipped": {
        "RequestInitializeGodPower": "any.question-again",
        "RequestInitializeWorkerPositions": "any.question-again",
        "RequestAction": "any.question-again",
    },
}
ENCODERS: Final = {
    "santorini-objects": Edition.D2.encode,
    "santorini-objects/d1": Edition.D1.encode,
    "santorini-objects/shipped": Edition.F.encode,
}


def _far_object(kind: type[Any]) -> Change:
    def change(message: Any) -> Any:
        if not isinstance(message, kind) or message.new_position.x not in FAR:
            return None
        cell = message.new_position
        return replace(message, new_position=replace(cell, x=FAR[cell.x]))

    return change


_MOVES: Final = {
    "a move too far": lambda: Move(_far_object(santorini.ConsolidateMove), NOT_NEXT),
    "a build too far": lambda: Move(_far_object(santorini.ConsolidateBuild), NOT_NEXT),
    "no such worker": lambda: Move(change_fields(santorini.ConsolidateMove, worker_id=3), "no worker of this player"),
}
ILLEGAL: Final[IllegalMoves] = {(edition, ""): _MOVES for edition in QUESTIONS}
