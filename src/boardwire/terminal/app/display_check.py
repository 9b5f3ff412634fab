"""Check whether a view and a question from a server can be shown.

A view has the game's types, but a hostile or faulty server can send one that no match has: boards that are too small,
seats that do not exist. Everything that the screens derive from a view is tried here once, before the view is accepted,
so that no screen has to handle invalid views.
"""

from __future__ import annotations

from typing import Any

from boardwire.dialects.dialect import Ask, Players
from boardwire.terminal.app.boards import board
from boardwire.terminal.app.boards.board import Scene
from boardwire.terminal.app.selection import Selection
from boardwire.terminal.screens import screen


def find_fault(game: str, view: Any, before: Any, players: Players, ask: Ask | None = None) -> str:
    """Return the reason why a view, or a question about it, cannot be shown, or ''."""
    try:
        drawn, notation = board(game), screen(game)
        drawn.size(view)
        drawn.draw(Scene(view, players, before), 0, 0)
        drawn.cards(view)
        for seat in range(len(players.names)):
            drawn.seat_text(view, seat)
        if before is not None:
            notation.changes(before, view, None, players)
        if ask is not None:
            paths = [(drawn.path(ask.view, action), action) for action in ask.decision.choices]
            notation.question(ask.view, ask.decision, players)
            notation.choice_list(ask.view, ask.decision, players)
            for target in Selection(paths).targets:
                drawn.label(ask.view, target, players)
    except Exception as error:  # noqa: BLE001 - a server may send anything, and the client must go on
        return f"{type(error).__name__}: {error}"
    return ""
