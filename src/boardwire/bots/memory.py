"""Memory of a bot in one match, for engines that search with hidden information.

A view shows what is known now, not what happened before.  Where the past tells more (the builds of Hecate's hidden
workers), the player of a seat keeps its earlier views and actions, and gives them to the engine.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.bots.engine import PastChoice
from boardwire.games.santorini import God
from boardwire.games.santorini import View as SantoriniView

MAX_CHOICES: Final = 60
"""Most choices that are kept; older ones are forgotten. All of them are encoded for every search."""


def needs_past(view: Any) -> bool:
    """Whether the earlier choices of a seat tell more than its view."""
    return type(view) is SantoriniView and God.HECATE in view.powers


class Memory:
    """The earlier choices of one seat in one match, if its engine needs them."""

    def __init__(self) -> None:
        self.past: tuple[PastChoice, ...] = ()

    def note(self, view: Any, action: Any) -> None:
        """Remember a choice."""
        if needs_past(view):
            self.past = (*self.past[1 - MAX_CHOICES :], PastChoice(view, action))
