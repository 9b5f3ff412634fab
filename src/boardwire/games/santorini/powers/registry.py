"""Registry of all powers, and the hooks that each of them overrides."""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.powers import advanced, fleece, heroes, promo, simple
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power

POWERS: Final[dict[God, type[Power]]] = {
    power.god: power for family in (simple, advanced, fleece, heroes, promo) for power in family.POWERS
}

_PLAIN: Final = tuple(name for name in dir(Power) if not name.startswith("_"))

HOOKS: Final[dict[type[Power], frozenset[str]]] = {
    power: frozenset(name for name in _PLAIN if getattr(power, name) is not getattr(Power, name))
    for power in POWERS.values()
}
"""The hooks that each class overrides."""

ABROAD: Final[dict[type[Power], frozenset[str]]] = {power: hooks - power.own_turn for power, hooks in HOOKS.items()}
"""The hooks of each class that also apply in other seats' turns."""
