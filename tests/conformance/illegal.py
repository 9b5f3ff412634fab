"""Clients that send one illegal move in a well-formed message.

An `Illegal` fault changes one message of our own client. Later messages are unchanged, so play continues after the
refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from boardwire import dialects
from boardwire.conformance.client.cases import Case, cases
from boardwire.conformance.watchers import watcher
from boardwire.dialects.eriantys_objects import messages as eriantys
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as santorini
from boardwire.wire.websocket import encode_text, zero_mask

from .faulty import Flawless

FAR = {0: 3, 1: 4, 3: 0, 4: 1}
"""For a row next to a worker, a row that is out of reach; the middle row has none."""

Change = Callable[[Any], Any]
"""Return the message to send instead; None: leave it unchanged."""


def two_rounds(dialect: str, game: str) -> Case:
    """Return a case in which every illegal move is possible: two rounds of Eriantys, or a whole match."""
    return replace(next(case for case in cases(dialect, game) if case.name == "comes first"), moves=70)


class Move(NamedTuple):
    """An illegal move: the change of a message, and the expected finding."""

    change: Change
    says: str


class Illegal(Flawless):
    """Sends one illegal move."""

    def __init__(self, dialect: str, change: Change) -> None:
        super().__init__(dialect)
        self._change = change
        self._cutter = watcher(dialect).framer()
        self._decoder = dialects.dialect(dialect).decoder()
        self._encode = _ENCODERS.get(dialect, _line)
        self.sent: bytes = b""
        """The illegal move."""

    def says(self, data: bytes) -> bytes:
        return b"".join(self._piece(piece) for piece, _ in self._cutter.feed(data))

    def _piece(self, piece: bytes) -> bytes:
        for message in self._decoder.feed(piece):
            said = None if self.sent else self._change(_read(message))
            if said is not None:
                self.sent = self._encode(said)
                return self.sent
        return piece


def _read(message: Any) -> Any:
    try:
        return msgspec.json.decode(message) if isinstance(message, bytes | str) else message
    except msgspec.DecodeError:
        return message  # a name


def _line(message: Any) -> bytes:
    return msgspec.json.encode(message) + b"\n"


_ENCODERS: dict[str, Callable[[Any], bytes]] = {
    "santorini-objects": Edition.D2.encode,
    "santorini-objects/d1": Edition.D1.encode,
    "santorini-objects/shipped": Edition.F.encode,
    "eriantys-objects": lambda message: b"y" + eriantys.encode(message),  # the reset that our client puts before it
    "native": lambda message: encode_text(msgspec.json.encode(message), zero_mask()),
}


class Second:
    """Changes the second suitable message, with the first one at hand."""

    def __init__(self, fits: Callable[[Any], bool], change: Callable[[Any, Any], Any]) -> None:
        self._fits = fits
        self._change = change
        self._first: Any = None

    def __call__(self, message: Any) -> Any:
        if not self._fits(message):
            return None
        if self._first is None:
            self._first = message
            return None
        return self._change(self._first, message)


def _typed(name: str, **fields: Any) -> Change:
    """Return a change of the arguments of an eriantys-messages message."""
    return lambda message: {**message, **fields} if message.get("type") == name else None


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


def _far_step(message: Any) -> Any:
    data = message.get("data", {})
    if message.get("action") != "playStep" or data["x"] not in FAR:
        return None
    return {**message, "data": {**data, "x": FAR[data["x"]]}}


def _far_object(kind: type[Any]) -> Change:
    def change(message: Any) -> Any:
        if not isinstance(message, kind) or message.new_position.x not in FAR:
            return None
        cell = message.new_position
        return replace(message, new_position=replace(cell, x=FAR[cell.x]))

    return change


def _object(kind: type[msgspec.Struct], **fields: Any) -> Change:
    return lambda message: replace(message, **fields) if isinstance(message, kind) else None


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


def _is_cell(message: Any) -> bool:
    return isinstance(message, int)


NOT_NEXT = "the square is not next to the worker"
SANTORINI_OBJECTS = {
    "a move too far": lambda: Move(_far_object(santorini.ConsolidateMove), NOT_NEXT),
    "a build too far": lambda: Move(_far_object(santorini.ConsolidateBuild), NOT_NEXT),
    "no such worker": lambda: Move(_object(santorini.ConsolidateMove, worker_id=3), "no worker of this player"),
}
ACTIONS = {"a step too far": lambda: Move(_far_step, NOT_NEXT)}

ILLEGAL: dict[tuple[str, str], dict[str, Callable[[], Move]]] = {
    ("tris-lines", ""): {
        "a taken cell": lambda: Move(Second(_is_cell, lambda first, message: first), "the cell is taken"),
        "a cell counted from 1": lambda: Move(lambda cell: 9, "there is no such cell"),
    },
    ("forza-lines", ""): {
        "a column counted from 0": lambda: Move(
            lambda column: 8 if isinstance(column, int) else None, "there is no such column; expected 1 to 7"
        ),
    },
    ("santorini-objects", ""): SANTORINI_OBJECTS,
    ("santorini-objects/d1", ""): SANTORINI_OBJECTS,
    ("santorini-objects/shipped", ""): SANTORINI_OBJECTS,
    ("santorini-actions", ""): ACTIONS,
    ("santorini-actions/shipped", ""): ACTIONS,
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
    ("eriantys-objects", ""): {
        "a card that is not offered": lambda: Move(
            _object(eriantys.PlayAssistantCardMessage, index_assistant_card_model=10), "the index is 0 to"
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
            _object(eriantys.MovedMotherNatureMessage, movement=9), "mother nature moves 1 to"
        ),
        "too many students": lambda: Move(
            _object(eriantys.MovedStudentToHallMessage, students=(eriantys.ColorPawns.RED,) * 9), "at most"
        ),
        "no such cloud": lambda: Move(
            _object(eriantys.AddStudentFromCloudToEntranceMessage, cloud_index=7), "the clouds that are left are"
        ),
    },
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
"""Illegal moves by dialect and game; each match creates them anew, because some keep state."""
