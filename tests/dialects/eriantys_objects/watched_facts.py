"""Facts about eriantys-objects for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from tests.conformance.illegal_move import IllegalMoves, Move, change_fields

from boardwire.dialects.eriantys_objects import messages as eriantys

QUESTIONS: Final = {
    "eriantys-objects": {
        "DisplayDeckAndAskCardMessage": "any.question-again",
        "StudentToIslandMessage": "any.question-again",
        "StudentToHallMessage": "any.question-again",
        "ReqMoveMotherNatureMessage": "any.question-again",
        "ReqMoveCloudToEntranceMessage": "any.question-again",
    }
}
SUCCESSIVE: Final = {
    "eriantys-objects": (
        ("StudentToIslandMessage", "ReqMoveMotherNatureMessage"),
        ("ReqMoveMotherNatureMessage", "ReqMoveCloudToEntranceMessage"),
    )
}
ENCODERS: Final = {
    "eriantys-objects": lambda message: b"y" + eriantys.encode(message)  # the reset that our client puts before it
}

ILLEGAL: Final[IllegalMoves] = {
    ("eriantys-objects", ""): {
        "a card that is not offered": lambda: Move(
            change_fields(eriantys.PlayAssistantCardMessage, index_assistant_card_model=10), "the index is 0 to"
        ),
        "an island counted from 1": lambda: Move(
            lambda message: (
                replace(message, index_island=12)
                if isinstance(message, eriantys.MovedStudentOnIslandMessage) and message.students
                else None
            ),
            "islands are 0 to",
        ),
        "mother nature too far": lambda: Move(
            change_fields(eriantys.MovedMotherNatureMessage, movement=9), "mother nature moves 1 to"
        ),
        "too many students": lambda: Move(
            change_fields(eriantys.MovedStudentToHallMessage, students=(eriantys.ColorPawns.RED,) * 9), "at most"
        ),
        "no such cloud": lambda: Move(
            change_fields(eriantys.AddStudentFromCloudToEntranceMessage, cloud_index=7), "the remaining clouds are 0 to"
        ),
    },
}
