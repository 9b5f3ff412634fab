"""The heroes: once per game [2.4], by when they use it.

`heroes_opening` at the start of a turn or while moving, `heroes_closing` at its end; `heroes_once` is what they share.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.powers import heroes_closing, heroes_opening
from boardwire.games.santorini.powers.heroes_once import Hero
from boardwire.games.santorini.powers.power import Power

__all__ = ["POWERS", "Hero"]

POWERS: Final[tuple[type[Power], ...]] = (*heroes_opening.POWERS, *heroes_closing.POWERS)
