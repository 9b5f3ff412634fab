"""Policy of a table: absent players, time limits, undo, practice."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType


class Leaving(StrEnum):
    """Effect of a departure in mid-play."""

    ENDS = "ends"
    """The match ends without a winner, as the five published protocols require."""
    HOLDS = "holds"
    """The seat is held for `grace` seconds and then forfeits, or earlier if another player calls its time."""
    BOT = "bot"
    """A bot takes the seat. If the game has no bot, the seat is held."""
    SKIPS = "skips"
    """The seat's turns are skipped until its player returns.

    If at most one side is present, no turn is skipped and a countdown of `grace` seconds starts; at its end that side
    wins or, if no side is present, the match ends without a winner. Only the return of a player stops the countdown.
    """


COUNTDOWN_SECONDS: Final = 60.0
"""Time until the only side present wins, if the policy has no `grace`."""

BOT_MATCH_HOLD_SECONDS: Final = 86_400.0
"""Time for which a match against bots alone waits for its only person; then it ends without a winner.

It equals the maximum of `grace`. No opponent waits, but the match stays in memory.
"""


CORRESPONDENCE_SECONDS: Final = 86_400.0
"""Minimum time per decision of a correspondence table, whose players come and go."""


class Policy(msgspec.Struct, frozen=True):
    """Policy of one table. A time of 0 means no limit."""

    leaving: Leaving = Leaving.ENDS
    grace: float = 0.0
    bank: float = 0.0
    """Seconds of thinking time per seat for the whole match."""
    per_move: float = 0.0
    """Seconds for each decision."""
    undo: bool = False
    practice: Literal[True] | UnsetType = UNSET
    """One person plays against bots and may request hints. Unset rather than False, so that it is not stored."""
    patience: float | UnsetType = UNSET
    """Seconds of absence after which another player may call the time; unset: never, and not stored."""
    increment: float | UnsetType = UNSET
    """Seconds added to a seat's bank at the end of its turn (Fischer); unset: none, and not stored."""

    rated: Literal[True] | UnsetType = UNSET
    """The match counts for ratings, so every player needs an account. Unset rather than False, so it is not stored."""

    @property
    def correspondence(self) -> bool:
        """Whether the table is for correspondence: only the time per decision forfeits, absence does not.

        The clock runs even while the server is stopped.
        """
        return self.leaving is Leaving.HOLDS and not self.grace and self.per_move >= CORRESPONDENCE_SECONDS

    @property
    def resumes(self) -> bool:
        """Whether a match can resume after a restart of the server."""
        return self.leaving is not Leaving.ENDS

    @property
    def call(self) -> float:
        """Seconds of absence after which another player may call the time; 0: never, or the seat forfeits earlier."""
        patience = 0.0 if isinstance(self.patience, UnsetType) else self.patience
        return patience if patience < (self.countdown or self.grace) else 0.0

    @property
    def bonus(self) -> float:
        """Seconds added to a seat's bank at the end of its turn; 0: none."""
        return 0.0 if isinstance(self.increment, UnsetType) else self.increment

    @property
    def hold(self) -> float:
        """Seconds for which a match against bots alone waits for its only person; 0: it does not wait."""
        return max(self.countdown or self.grace, BOT_MATCH_HOLD_SECONDS) if self.resumes else 0.0

    @property
    def countdown(self) -> float:
        """Seconds for which the only present side waits, if absent players are skipped; else 0."""
        return (self.grace or COUNTDOWN_SECONDS) if self.leaving is Leaving.SKIPS else 0.0
