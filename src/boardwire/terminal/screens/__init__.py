"""Text screens of the games for 80 columns and 24 lines, and the notation that players type.

A game's module is imported when it is played.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from boardwire.dialects.dialect import Players
from boardwire.games.game import Decision
from boardwire.terminal.choices import Choice
from boardwire.terminal.colours import Paint


class Screen(Protocol):
    """Interface of a game's screen module."""

    def draw(self, view: Any, decision: Decision[Any] | None, players: Players, paint: Paint, /) -> str:
        """Return the board, with the choices of an open decision marked."""

    def choices(self, view: Any, decision: Decision[Any], players: Players, /) -> str:
        """Return the choices to type, grouped to fit below the board, or '' if the board shows them."""

    def choice_list(self, view: Any, decision: Decision[Any], players: Players, /) -> list[Choice]:
        """Return the choices in their order, with their words."""

    def question(self, view: Any, decision: Decision[Any], players: Players, /) -> str:
        """Return the question, with an example of an answer."""

    def parse(self, text: str, view: Any, decision: Decision[Any], players: Players, /) -> Any:
        """Return the action of a typed text; raise `Malformed` or `Illegal` if it is not a choice."""

    def changes(self, before: Any, after: Any, action: Any, players: Players, /) -> list[str]:
        """Return sentences about the others' actions since this player chose `action` in the view `before`."""


def screen(game: str) -> Screen:
    """Return the screen module of a game."""
    return cast("Screen", import_module(f"boardwire.terminal.screens.{game}"))
