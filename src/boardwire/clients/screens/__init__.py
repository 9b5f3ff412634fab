"""How each game looks in a terminal.  Each is imported when its game is played."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from boardwire.clients.paint import Paint
from boardwire.games.game import Decision


class Screen(Protocol):
    """What a game's screen module must have."""

    def draw(self, view: Any, decision: Decision[Any] | None, paint: Paint, /) -> str:
        """The board; with the choices marked, if the player is asked for one."""

    def question(self, view: Any, decision: Decision[Any], /) -> str:
        """What the player is asked, in words, with what can be typed."""

    def parse(self, text: str, view: Any, decision: Decision[Any], /) -> Any:
        """The action a player typed; `Malformed` or `Illegal` say what would be right."""


def screen(game: str) -> Screen:
    """The screen of a game."""
    return cast("Screen", import_module(f"boardwire.clients.screens.{game}"))
