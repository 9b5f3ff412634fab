"""Which terms a table may have, and which of them are ordinary.

Whoever merely looks for somebody to play with is brought only to tables with ordinary terms: a published set-up of the
game (the game says which), and times that are fair.  All other tables are joined by those who have seen their terms.
A time of 0 is no limit.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.errors import Refused
from boardwire.games.game import AnyGame
from boardwire.table.policy import Leaving, Policy

SHORTEST_MOVE: Final = 1.0
SHORTEST_BANK: Final = 5.0
SHORTEST_GRACE: Final = 1.0
FAIR_MOVE: Final = 10.0
FAIR_BANK: Final = 60.0
FAIR_GRACE: Final = (30.0, 600.0)
"""From what a lost connection takes to be found again to what somebody waits for who does not know the other."""


def check_times(policy: Policy) -> None:
    """`Refused` if a time is too short for anybody."""
    times = (
        ("a time for each decision", policy.per_move, SHORTEST_MOVE),
        ("a time for the whole match", policy.bank, SHORTEST_BANK),
        ("a time to come back", policy.grace, SHORTEST_GRACE),
        ("a time after which others may call a player's time", policy.call, SHORTEST_GRACE),
    )
    for what, seconds, least in times:
        if 0 < seconds < least:
            raise Refused(f"{what} is at least {least:g} seconds, or 0 for no limit, not {seconds:g}")


def ordinary(game: AnyGame, options: Any, policy: Policy) -> bool:
    """Whether nobody who merely looks for a table need be asked about these terms."""
    least, most = FAIR_GRACE
    fair = not 0 < policy.per_move < FAIR_MOVE and not 0 < policy.bank < FAIR_BANK
    usual = policy.leaving is Leaving.ENDS or least <= (policy.countdown or policy.grace) <= most
    return fair and usual and game.ordinary(options)
