"""Registry of games by name. A game is imported on first use."""

from importlib import import_module
from typing import Final, cast

from boardwire.errors import Reason, Refused
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Draw, Game, Outcome, Seat

__all__ = [
    "CHANCE",
    "NAMES",
    "AnyGame",
    "Below",
    "Decision",
    "Draw",
    "Game",
    "Outcome",
    "Seat",
    "eriantys",
    "forza",
    "game",
    "santorini",
    "tris",
]

NAMES: Final = ("tris", "santorini", "eriantys", "forza")
"""Names of all games."""


def game(name: str) -> AnyGame:
    """Return the module of a game; raise `Refused` if there is none of this name."""
    if name not in NAMES:
        raise Refused(f"there is no game called {name!r}; the games are {', '.join(NAMES)}", reason=Reason.NO_SUCH_GAME)
    return cast("AnyGame", import_module(f"boardwire.games.{name}"))
