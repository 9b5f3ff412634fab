"""The gods of the Golden Fleece [2.3], by what they do.

`fleece_bounds` bar the way, `fleece_currents` carry workers off, `fleece_crews` change who takes part, and
`fleece_secrets` hide something.  The variant with the Ram is in `setup` and `turn`.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.powers import fleece_bounds, fleece_crews, fleece_currents, fleece_secrets
from boardwire.games.santorini.powers.power import Power

POWERS: Final[tuple[type[Power], ...]] = (
    *fleece_bounds.POWERS,
    *fleece_currents.POWERS,
    *fleece_crews.POWERS,
    *fleece_secrets.POWERS,
)
