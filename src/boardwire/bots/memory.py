"""Memory of a bot in one match, for engines that search with hidden information.

A view shows the present only. If the past contains more information (the builds of Hecate's hidden workers), the bot
keeps its earlier views and actions and passes them to the engine.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.bots.engine import PastChoice
from boardwire.games.santorini import God
from boardwire.games.santorini import View as SantoriniView

MAX_CHOICES: Final = 60
"""Maximum number of choices kept, because all of them are encoded for every search; older ones are dropped."""


def needs_past(view: Any) -> bool:
    """Return whether the earlier choices of a seat contain more information than its view."""
    return type(view) is SantoriniView and God.HECATE in view.powers


class Memory:
    """The earlier choices of one seat in one match, if its engine needs them."""

    def __init__(self) -> None:
        self.past: tuple[PastChoice, ...] = ()

    def note(self, view: Any, action: Any) -> None:
        """Record a choice."""
        if needs_past(view):
            self.past = (*self.past[1 - MAX_CHOICES :], PastChoice(view, action))
