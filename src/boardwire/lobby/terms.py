"""Limits of a table's times, and terms that need a guest's consent.

- A guest that seeks any opponent is seated only at tables with ordinary terms: a published set-up of the game (see
  `Game.is_standard`) and fair times. Guests join other tables by id, after they have seen the terms.
- A guest that chose its options and clock (`Tie.TERMS`) is seated only at tables that have the same ones.
- A time of 0 means no limit.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.errors import Refused
from boardwire.games.game import AnyGame
from boardwire.table.match import MatchSetup
from boardwire.table.policy import Leaving, Policy

MIN_MOVE_SECONDS: Final = 1.0
MIN_BANK_SECONDS: Final = 5.0
MIN_GRACE_SECONDS: Final = 1.0
FAIR_MOVE_SECONDS: Final = 10.0
FAIR_BANK_SECONDS: Final = 60.0
FAIR_GRACE_SECONDS: Final = (30.0, 600.0)
"""Minimum and maximum: from the time a reconnect takes to the time a stranger is willing to wait."""


def check_policy(policy: Policy) -> None:
    """Raise `Refused` if a policy has a time limit that is too short, or terms that contradict each other."""
    times = (
        ("time per decision", policy.per_move, MIN_MOVE_SECONDS),
        ("time for the whole match", policy.bank, MIN_BANK_SECONDS),
        ("time to return", policy.grace, MIN_GRACE_SECONDS),
        ("time after which a player's time may be called", policy.call, MIN_GRACE_SECONDS),
    )
    if policy.rated is True and (policy.leaving is not Leaving.HOLDS or policy.undo or policy.practice is True):
        raise Refused("a rated table holds the seats of absent players and allows neither undo nor hints")
    if policy.bonus and not policy.bank:
        raise Refused("an increment needs a time for the whole match: set `bank`")
    for name, seconds, minimum in times:
        if 0 < seconds < minimum:
            raise Refused(f"the {name} must be at least {minimum:g} seconds, or 0 for no limit, not {seconds:g}")


def needs_consent(game: AnyGame, options: Any, policy: Policy) -> bool:
    """Return whether a guest must consent before it is seated at a table with these terms."""
    min_grace, max_grace = FAIR_GRACE_SECONDS
    has_fair_clock = not 0 < policy.per_move < FAIR_MOVE_SECONDS and not 0 < policy.bank < FAIR_BANK_SECONDS
    has_fair_grace = policy.leaving is Leaving.ENDS or min_grace <= (policy.countdown or policy.grace) <= max_grace
    return not (has_fair_clock and has_fair_grace and policy.rated is not True and game.is_standard(options))


def same_terms(setting: MatchSetup, options: Any, policy: Policy) -> bool:
    """Return whether a table has these options and this clock; the other terms need no consent."""
    table = setting.policy
    same_clock = table.bank == policy.bank and table.bonus == policy.bonus and table.per_move == policy.per_move
    return setting.options == options and same_clock
