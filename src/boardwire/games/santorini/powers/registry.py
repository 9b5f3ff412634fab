"""All powers by name: what the families register."""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.powers import advanced, fleece, heroes, promo, simple
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power

POWERS: Final[dict[God, type[Power]]] = {
    power.god: power for family in (simple, advanced, fleece, heroes, promo) for power in family.POWERS
}
