"""The promo and later gods [2.5], by what they do.

`promo_steps` move otherwise, or make others move otherwise; `promo_endings` act when a turn ends.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.powers import promo_endings, promo_steps
from boardwire.games.santorini.powers.power import Power

POWERS: Final[tuple[type[Power], ...]] = (*promo_steps.POWERS, *promo_endings.POWERS)
