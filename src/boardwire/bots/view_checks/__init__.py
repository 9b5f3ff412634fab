"""Checks of views before an engine reads them.

Views of our own tables are always sane.  Those that a client builds from a foreign server's messages may not be: the
protocol leaves things out, the server has faults, or messages were missed.  An engine is only asked about a sane view;
for any other the greedy bot chooses (`boardwire.bots.levels.consider`).

Each game has one module with `flaw`: what is wrong with a view, in words, or "".  It covers what an engine relies on,
and not every rule of the game.  A game without a module has no checks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from boardwire.bots.engines import GAME_BY_VIEW
from boardwire.games.game import Decision


def flaw(view: Any, decision: Decision[Any]) -> str:
    """What is wrong with a view, and with the decision that goes with it; "" if nothing is."""
    check = _check(GAME_BY_VIEW.get(type(view), ""))
    return "" if check is None else check(view, decision)


@cache
def _check(game: str) -> Callable[[Any, Decision[Any]], str] | None:
    name = f"{__name__}.{game}"
    if not game or find_spec(name) is None:
        return None
    return cast("Callable[[Any, Decision[Any]], str]", import_module(name).flaw)
