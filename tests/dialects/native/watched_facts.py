"""Facts about native for the tests of watchers: questions of a server and illegal moves of a client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from tests.conformance.illegal_move import FAR, NOT_NEXT, Change, IllegalMoves, Move, Second

from boardwire.wire.websocket import encode_text, zero_mask

ENCODERS: Final = {"native": lambda message: encode_text(msgspec.json.encode(message), zero_mask())}


def _act(change: Callable[[Any], Any]) -> Change:
    """Return a change of the action of an `act`."""

    def changed(message: Any) -> Any:
        action = change(message["action"]) if message.get("type") == "act" else None
        return None if action is None else {**message, "action": action}

    return changed


def _far_action(kind: str, field: str) -> Change:
    def change(action: Any) -> Any:
        if action.get("type") != kind or action[field] // 5 not in FAR:
            return None
        return {**action, field: 5 * FAR[action[field] // 5] + action[field] % 5}

    return _act(change)


ILLEGAL: Final[IllegalMoves] = {
    ("native", "tris"): {
        "no such cell": lambda: Move(_act(lambda cell: 9), "there is no such cell"),
        "a taken cell": lambda: Move(
            Second(
                lambda message: message.get("type") == "act",
                lambda first, message: {**message, "action": first["action"]},
            ),
            "the cell is taken",
        ),
    },
    ("native", "forza"): {"no such column": lambda: Move(_act(lambda column: 7), "there is no such column")},
    ("native", "santorini"): {
        "a move too far": lambda: Move(_far_action("move", "to"), NOT_NEXT),
        "a build too far": lambda: Move(_far_action("build", "at"), NOT_NEXT),
    },
    ("native", "eriantys"): {
        "mother nature too far": lambda: Move(
            _act(lambda action: {**action, "steps": 9} if action.get("type") == "steps" else None),
            "mother nature moves 1 to",
        ),
        "an island counted from 1": lambda: Move(
            _act(lambda action: {**action, "island": 12} if action.get("type") == "island" else None),
            "there is no such assistant, island or cloud",
        ),
    },
}
