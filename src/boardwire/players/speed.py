"""Speed of a match, derived from its clock.

It depends on the time that a player has for 40 decisions: the bank and 40 increments, or 40 times the time of one
decision, whichever is less.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

from boardwire.table.policy import Policy

DECISIONS: Final = 40
"""Decisions of one player in a match, for the estimate."""
DAY_SECONDS: Final = 86_400.0


class Speed(StrEnum):
    """How fast a match is played."""

    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"
    UNLIMITED = "unlimited"


BOUNDS_SECONDS: Final = ((180.0, Speed.BULLET), (480.0, Speed.BLITZ), (1500.0, Speed.RAPID))
"""Upper bounds of the estimate for each speed; a match above the last one is classical."""


def speed_of(policy: Policy) -> Speed:
    """Return the speed of a table."""
    if policy.per_move >= DAY_SECONDS and not policy.bank:
        return Speed.CORRESPONDENCE
    by_bank = policy.bank + DECISIONS * policy.bonus if policy.bank else math.inf
    by_move = DECISIONS * policy.per_move if policy.per_move else math.inf
    estimate = min(by_bank, by_move)
    if estimate == math.inf:
        return Speed.UNLIMITED
    return next((speed for bound, speed in BOUNDS_SECONDS if estimate < bound), Speed.CLASSICAL)
