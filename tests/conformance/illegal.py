"""Clients that send one illegal move in a well-formed message.

An `Illegal` fault changes one message of our own client. Later messages are unchanged, so play continues after the
refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from boardwire import dialects
from boardwire.conformance.client.cases import Case, cases
from boardwire.conformance.watchers import watcher

from .faulty import Flawless
from .illegal_move import Change, IllegalMoves
from .watched_facts import facts

ILLEGAL: Final[IllegalMoves] = facts("ILLEGAL")
_ENCODERS: Final[dict[str, Callable[[Any], bytes]]] = facts("ENCODERS")


def two_rounds(dialect: str, game: str) -> Case:
    """Return a case in which every illegal move is possible: two rounds of Eriantys, or a whole match."""
    return replace(next(case for case in cases(dialect, game) if case.name == "comes first"), moves=70)


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
