"""One illegal move, and what the facts about several dialects build it from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

FAR = {0: 3, 1: 4, 3: 0, 4: 1}
"""For a row next to a worker, a row that is out of reach; the middle row has none."""

Change = Callable[[Any], Any]
"""Return the message to send instead; None: leave it unchanged."""


class Move(NamedTuple):
    """An illegal move: the change of a message, and the expected finding."""

    change: Change
    says: str


IllegalMoves: TypeAlias = Mapping[tuple[str, str], Mapping[str, Callable[[], Move]]]
"""Illegal moves by dialect and game, and by name; each match creates them anew, because some keep state."""

NOT_NEXT = "the square is not next to the worker"


def change_fields(kind: type[msgspec.Struct], **fields: Any) -> Change:
    """Return a change of the fields of a struct."""
    return lambda message: replace(message, **fields) if isinstance(message, kind) else None


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
