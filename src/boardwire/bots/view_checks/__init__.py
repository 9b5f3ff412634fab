"""Consistency checks of views before an engine reads them.

Views of our own tables are always consistent. A view that a client builds from the messages of another server may not
be: the protocol omits information, the server has bugs, or messages were lost. Engines get only consistent views; for
any other view the greedy bot chooses (`boardwire.bots.levels.consider`).

A check covers the assumptions of the engine, not every rule of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.bots.view_checks.eriantys import flaw as eriantys_flaw
from boardwire.bots.view_checks.grids import forza_flaw, tris_flaw
from boardwire.bots.view_checks.santorini import flaw as santorini_flaw
from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.game import Decision

_CHECKS: Final[dict[type, Callable[[Any, Decision[Any]], str]]] = {
    eriantys.View: eriantys_flaw,
    forza.View: forza_flaw,
    santorini.View: santorini_flaw,
    tris.View: tris_flaw,
}


def flaw(view: Any, decision: Decision[Any]) -> str:
    """Return the inconsistency of a view with itself or with its decision, or ""."""
    check = _CHECKS.get(type(view))
    return "" if check is None else check(view, decision)
