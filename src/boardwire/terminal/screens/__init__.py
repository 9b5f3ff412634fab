"""How each game looks in a terminal of 80 columns and 24 lines.  Each is imported when its game is played."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from boardwire.dialects.dialect import Players
from boardwire.games.game import Decision
from boardwire.terminal.colours import Paint


class Screen(Protocol):
    """What a game's screen module must have."""

    def draw(self, view: Any, decision: Decision[Any] | None, players: Players, paint: Paint, /) -> str:
        """The board, with what can be chosen marked, if the player is asked for something."""

    def choices(self, view: Any, decision: Decision[Any], players: Players, /) -> str:
        """What can be typed, grouped so that it fits beside the board; empty if the board shows it."""

    def question(self, view: Any, decision: Decision[Any], players: Players, /) -> str:
        """What the player is asked, with an example of an answer."""

    def parse(self, text: str, view: Any, decision: Decision[Any], players: Players, /) -> Any:
        """The action a player typed; `Malformed` or `Illegal` say what would be right."""

    def news(self, before: Any, after: Any, action: Any, players: Players, /) -> list[str]:
        """What the others have done since this player did `action` at the view `before`, in sentences."""


def screen(game: str) -> Screen:
    """The screen of a game."""
    return cast("Screen", import_module(f"boardwire.terminal.screens.{game}"))
