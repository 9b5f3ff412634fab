"""Faulty clients, and the case for each fault.

A fault changes one aspect of our own client: what it receives, what it sends, whether it replies, when it leaves. It
does not depend on the protocol, so clients of every dialect can have it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardwire.conformance.client.case_run import GARBAGE, UNKNOWN, CaseRun, wire_of
from boardwire.conformance.watchers import watcher
from boardwire.dialects import dialect as dialect_of
from boardwire.dialects.dialect import Ask, Over, Players, Result, Show

IMPATIENT = 0.5
"""Seconds after which an impatient client leaves; a slow server takes longer for each piece."""
SLOW_SECONDS = 0.5
"""Seconds between two messages of a slow client."""
MOMENT = 0.005
"""Seconds; less than the other players take to connect."""


class Flawless:
    """A client without a fault."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.case_run: CaseRun
        self.over: Over | None = None
        self.met = False
        """Whether the match has begun for it."""

    def tell(self, notification: Any) -> None:
        """Process a notification of our client to its player."""
        self.met = (
            self.met
            or isinstance(notification, Ask)
            or (isinstance(notification, Show) and notification.view is not None)
        )
        if isinstance(notification, Over):
            self.over = notification

    def hears(self, data: bytes) -> bytes:
        """Return the bytes that it processes in place of those received."""
        return data

    def says(self, data: bytes) -> bytes:
        """Return the bytes that it sends in place of the correct ones."""
        return data

    def answers(self, asked: Ask) -> bool:
        """Return whether it answers a question."""
        return True

    def goes(self, quiet: float) -> bool:
        """Return whether it closes its end after `quiet` seconds without a message from the server."""
        return False

    def stays(self) -> bool:
        """Whether it never closes its end."""
        return False


class NeverWaits(Flawless):
    """Leaves if the match does not begin at once."""

    def goes(self, quiet: float) -> bool:
        return not self.met and quiet > MOMENT


class MustBeFirst(Flawless):
    """Does nothing at a table that others joined before it."""

    def answers(self, asked: Ask) -> bool:
        return not self.case_run.case.last


class ShowsNothing(Flawless):
    """Sends neither pings nor pongs."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self._cutter = watcher(dialect).framer()

    def says(self, data: bytes) -> bytes:
        pieces = [piece for piece, _ in self._cutter.feed(data)]
        return b"".join(piece for piece in pieces if b"ping" not in piece.lower() and not self._is_pong(piece))

    def _is_pong(self, piece: bytes) -> bool:
        return b"pong" in piece.lower() or (self.dialect == "native" and piece[:1] == b"\x8a")


class HangsAt(Flawless):
    """Ignores everything, including the close, once certain bytes have arrived."""

    def __init__(self, dialect: str, words: bytes) -> None:
        super().__init__(dialect)
        self._words = words
        self._recent = b""
        self.hangs = False

    def hears(self, data: bytes) -> bytes:
        self._recent = self._recent[-100:] + data
        self.hangs = self.hangs or self._words in self._recent
        return b"" if self.hangs else data

    def stays(self) -> bool:
        return self.hangs


class Tires(Flawless):
    """Stops after a few questions, as many as a match has that is broken off early."""

    answered = 0

    def answers(self, asked: Ask) -> bool:
        self.answered += 1
        return self.answered <= {"tris": 2, "forza": 3}.get(self.case_run.game, 12)


class NoExpert(Flawless):
    """Hangs in expert mode."""

    def answers(self, asked: Ask) -> bool:
        return str(asked.view.mode) != "expert"


class StopsWithTheOther(Flawless):
    """Hangs when another player has lost the workers."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self._had: set[int] = set()

    def answers(self, asked: Ask) -> bool:
        has = {seat for seat, squares in enumerate(asked.view.workers) if any(square >= 0 for square in squares)}
        self._had |= has
        return self._had == has


class BreaksDown(Flawless):
    """Sends half a message at the end of its match, and hangs."""

    def __init__(self, dialect: str, *results: Result) -> None:
        super().__init__(dialect)
        self._results = results
        self._said = b""
        self._broken = False

    def _ends(self) -> bool:
        return self.over is not None and self.over.result in self._results

    def says(self, data: bytes) -> bytes:
        self._said = data or self._said
        if self._ends() and not self._broken:
            self._broken = True
            return data + self._said[: len(self._said) // 2]
        return data

    def stays(self) -> bool:
        return self._ends()


class BreaksDownWhenOut(BreaksDown):
    """The same when it is out, even if others play on."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect, Result.LOST)
        self._seat: int | None = None
        self._out = False

    def tell(self, notification: Any) -> None:
        super().tell(notification)
        if isinstance(notification, Players):
            self._seat = notification.seat
        if isinstance(notification, Show) and notification.view is not None:
            self._out = self._out or self._seat in getattr(notification.view, "out", ())

    def _ends(self) -> bool:
        return self._out or super()._ends()


class TakesNoForAnEnd(Flawless):
    """Hangs when one of its replies was refused."""

    def answers(self, asked: Ask) -> bool:
        return not self.stays()

    def stays(self) -> bool:
        return self.case_run.misbehaved


class WholePieces(Flawless):
    """Drops pieces of a single byte."""

    def hears(self, data: bytes) -> bytes:
        return data if len(data) > 1 else b""


class FirstOnly(Flawless):
    """Reads only the first message of a piece."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self._cutter = watcher(dialect).framer()

    def hears(self, data: bytes) -> bytes:
        return next((piece for piece, _ in self._cutter.feed(data)), b"")


class Impatient(Flawless):
    """Leaves after a while without a message."""

    def goes(self, quiet: float) -> bool:
        return quiet > IMPATIENT


class HangsInMidMessage(Flawless):
    """Ignores the close of the connection in the middle of a message."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self._cutter = watcher(dialect).framer()

    def hears(self, data: bytes) -> bytes:
        self._cutter.feed(data)
        return data

    def stays(self) -> bool:
        return bool(self._cutter.rest().lstrip(self._cutter.separators))


class HangsInMidMatch(Flawless):
    """Ignores the close of the connection in the middle of its match."""

    def stays(self) -> bool:
        return self.met and self.over is None


class SlowToSend(Flawless):
    """No fault: sends one message every half second, and checks for the close only between its own messages."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self._cutter = watcher(dialect).framer()
        self._waiting: list[bytes] = []
        self._sent = 0.0

    def says(self, data: bytes) -> bytes:
        self._waiting += [piece for piece, _ in self._cutter.feed(data)]
        now = self.case_run.clock.now()
        if not self._waiting or now - self._sent < SLOW_SECONDS:
            return b""
        self._sent = now
        return self._waiting.pop(0)

    def stays(self) -> bool:
        return bool(self._waiting)


Fault = Callable[[str], Flawless]

FAULTS: dict[str, Fault] = {
    "comes first": NeverWaits,
    "comes last": MustBeFirst,
    "shows that it is alive": ShowsNothing,
    "plays with three": lambda dialect: HangsAt(dialect, b"bea"),
    "plays on when another is out": StopsWithTheOther,
    "is out while others play on": BreaksDownWhenOut,
    "plays in expert mode": NoExpert,
    "plays to the end": Tires,
    "wins": lambda dialect: BreaksDown(dialect, Result.WON),
    "loses": lambda dialect: BreaksDown(dialect, Result.LOST),
    "draws": lambda dialect: BreaksDown(dialect, Result.DRAWN),
    "learns that the other has left": lambda dialect: BreaksDown(
        dialect, Result.WON if dialect == "native" else Result.BROKEN_OFF
    ),
    "wins, coming last": lambda dialect: BreaksDown(dialect, Result.WON),
    "loses, coming first": lambda dialect: BreaksDown(dialect, Result.LOST),
    "draws, coming last": lambda dialect: BreaksDown(dialect, Result.DRAWN),
    "learns that the other has left, coming last": lambda dialect: BreaksDown(
        dialect, Result.WON if dialect == "native" else Result.BROKEN_OFF
    ),
    "continues after a refusal": TakesNoForAnEnd,
    "takes one byte at a time": WholePieces,
    "takes several messages at once": FirstOnly,
    "waits for a slow server": Impatient,
    "ignores unknown members": lambda dialect: HangsAt(dialect, b'"boardwire"'),
    "survives an unknown message": lambda dialect: HangsAt(dialect, UNKNOWN[wire_of(dialect_of(dialect))]),
    "survives bytes that are not a message": lambda dialect: HangsAt(dialect, GARBAGE[wire_of(dialect_of(dialect))]),
    "ends after an incomplete message": HangsInMidMessage,
    "ends when the server closes": HangsInMidMatch,
}
"""Faults by the name of their case."""
