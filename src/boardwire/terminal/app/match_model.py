"""The terminal client's model of one match, in any dialect: players, view, question, clocks, chat and log.

Sessions (`script_session.py`, `native_session.py`) write it, the table screen shows it. Texts from a peer are escaped
here, so that other modules need not do it.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from boardwire.dialects.dialect import (
    Ask,
    Note,
    Over,
    PlayerMessage,
    Players,
    ProtocolViolation,
    Show,
)
from boardwire.games.game import Seat
from boardwire.terminal.app import display_check
from boardwire.terminal.screens import screen
from boardwire.wire.text import escaped

MAX_LOG_LINES: Final = 500
MAX_LINE_LENGTH: Final = 600
MAX_SHOWN_NAME_LENGTH: Final = 40
"""Characters of a name that are shown; servers allow 32."""


def shown_name(name: str) -> str:
    """Return a peer's name for display."""
    return escaped(name)[:MAX_SHOWN_NAME_LENGTH]


def shown_players(players: Players) -> Players:
    """Return the players with names for display."""
    return replace(players, names=tuple(map(shown_name, players.names)))


class LineKind(StrEnum):
    """Kinds of lines in the log, which have different styles."""

    NEWS = "news"
    CHAT = "chat"
    NOTE = "note"
    ERROR = "error"
    ADVICE = "advice"
    RESULT = "result"


class LogLine(msgspec.Struct, frozen=True):
    """A line of the log; `name` is the speaker of a chat line."""

    kind: LineKind
    text: str
    name: str = ""


class Feature(StrEnum):
    """Requests that a table may accept besides moves."""

    CHAT = "chat"
    UNDO = "undo"
    DRAW = "draw"
    HINT = "hint"
    RESIGN = "resign"
    REMATCH = "rematch"
    CALL_TIME = "call time"


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat in the list beside the board; `seconds` are left on its clock, or None without a clock."""

    name: str
    bot: str = ""
    dialect: str = ""
    away: bool = False
    to_move: bool = False
    seconds: float | None = None


class MatchModel:
    """One match from the perspective of its player or spectator."""

    def __init__(self, game: str, *, watching: bool = False) -> None:
        self.game = game
        self.screen = screen(game)
        self.watching = watching
        self.players = Players()
        self.view: Any = None
        self.before: Any = None
        """The view before the last change."""
        self.ask: Ask | None = None
        self.over: Over | None = None
        self.log: deque[LogLine] = deque(maxlen=MAX_LOG_LINES)
        self.logged = 0
        """Number of lines logged so far."""
        self.features: frozenset[Feature] = frozenset()
        self.seats: tuple[SeatInfo, ...] = ()
        self.advised: Any = None
        """The action that a hint suggests for the open question."""
        self._last_action: Any = None
        """The player's action since the last view."""

    def receive(self, message: PlayerMessage) -> None:
        """Handle a message from a client script."""
        match message:
            case Players():
                self.players = shown_players(message)
            case Ask(view=view, again=again):
                self.show(view)
                self.put(message)
                if again:
                    self.note(again, LineKind.ERROR)
            case Show(view=view, text=text):
                self.ask = None
                self.show(view)
                self.note(text)
            case Note(text=text):
                self.note(text)
            case ProtocolViolation(text=text):
                self.note(text, LineKind.ERROR)
            case Over(view=view, text=text):
                self.ask = None
                self.show(view)
                self.over = message
                self.note(text, LineKind.RESULT)

    def show(self, view: Any) -> None:
        """Show a new view, and log the actions of the other players."""
        if view is None or view == self.view:
            return
        fault = display_check.find_fault(self.game, view, self.view, self.players)
        if fault:
            self.note(f"The server sent a position that cannot be shown ({fault}).", LineKind.ERROR)
            return
        if self.view is not None:
            for line in self.screen.changes(self.view, view, self._last_action, self.players):
                self.note(line, LineKind.NEWS)
        self.before, self.view = self.view, view
        self._last_action = self.advised = None

    def put(self, ask: Ask) -> None:
        """Set the open question."""
        fault = display_check.find_fault(self.game, ask.view, None, self.players, ask)
        if fault:
            self.note(f"The server asked a question that cannot be shown ({fault}).", LineKind.ERROR)
        else:
            self.ask = ask

    def note(self, text: str, kind: LineKind = LineKind.NOTE, name: str = "") -> None:
        """Log a line, unless it is empty."""
        if text:
            self.log.append(LogLine(kind, escaped(text[:MAX_LINE_LENGTH]), shown_name(name)))
            self.logged += 1

    def clear_question(self, action: Any) -> None:
        """Clear the open question, which the player has answered with `action`."""
        self.ask = None
        self._last_action = action

    def seat_list(self) -> tuple[SeatInfo, ...]:
        """Return the seats listed by the server or, without a list, the names that the protocol sends."""
        if self.seats:
            return self.seats
        waiting = _waiting(self.view)
        return tuple(
            SeatInfo(self.players.name(seat), to_move=seat in waiting) for seat in range(len(self.players.names))
        )


def _waiting(view: Any) -> tuple[Seat, ...]:
    """Return the seats that must decide, or () if the view does not contain them."""
    waiting: tuple[Seat, ...] | None = getattr(view, "waiting", None)
    if waiting is not None:
        return waiting
    turn = getattr(view, "turn", None)
    return () if turn is None else (turn,)
