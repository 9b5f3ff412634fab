"""Interface between sessions and screens of the terminal client, the same for every dialect."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, Protocol, TypeAlias

from boardwire.terminal.app.match_model import Feature, MatchModel

RECONNECT_DELAYS_SECONDS: Final = (0.5, 1.0, 2.0, 3.0, 5.0)
"""Pauses between attempts to connect; the last one repeats."""

Changed: TypeAlias = Callable[[], None]
"""Called after every change of a session."""


class LinkState(StrEnum):
    """State of a connection."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    LOST = "not connected, trying again"
    CLOSED = "closed"


class Session(Protocol):
    """A connection to a server, and the match that is played or watched over it."""

    @property
    def link(self) -> LinkState:
        """The state of the connection."""

    @property
    def problem(self) -> str:
        """The error of the last attempt to connect, or ''."""

    @property
    def model(self) -> MatchModel | None:
        """The match, or None in the lobby."""

    @property
    def title(self) -> str:
        """The server and the dialect."""

    @property
    def token(self) -> str:
        """The token that resumes the seat, or '' if the protocol has none."""

    def answer(self, action: Any) -> None:
        """Send a choice."""

    def use(self, feature: Feature, text: str = "") -> None:
        """Send a request other than a move."""

    def agree(self, agree: bool) -> None:
        """Answer the offer of an undo or a draw."""

    def leave(self) -> None:
        """Leave the table."""


def retry_seconds(attempt: int) -> float:
    """Return the pause before an attempt, counted from 0."""
    return RECONNECT_DELAYS_SECONDS[min(attempt, len(RECONNECT_DELAYS_SECONDS) - 1)]
