"""Policy of a table: absent players, time limits, undo, practice."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType


class Leaving(StrEnum):
    """What happens when a player leaves a seat in mid-play."""

    ENDS = "ends"
    """The match ends without a winner, as the five published protocols require."""
    HOLDS = "holds"
    """The seat is held for `grace` seconds, then forfeits; earlier if another player calls its time."""
    BOT = "bot"
    """A bot takes the seat.  If the game has none, the seat is held."""
    SKIPS = "skips"
    """The seat's turns are skipped until its player returns.

    If at most one side is present, no turn is skipped and a countdown of `grace` seconds starts; at its end that side
    wins, or the match ends without a winner.  Only a player who returns stops the countdown.
    """


COUNTDOWN_SECONDS: Final = 60.0
"""Time until the only side present wins, if the policy has no `grace`."""


class Policy(msgspec.Struct, frozen=True):
    """Policy of one table.  A time of 0 means no limit."""

    leaving: Leaving = Leaving.ENDS
    grace: float = 0.0
    bank: float = 0.0
    """Seconds of thinking time per seat for the whole match."""
    per_move: float = 0.0
    """Seconds for each decision."""
    undo: bool = False
    practice: Literal[True] | UnsetType = UNSET
    """One person plays against bots and may request hints.  Unset rather than False, so that it is not stored."""
    patience: float | UnsetType = UNSET
    """Seconds of absence after which another player may call the time; unset: never, and not stored."""

    @property
    def resumes(self) -> bool:
        """Whether a match can resume after a restart of the server."""
        return self.leaving is not Leaving.ENDS

    @property
    def call(self) -> float:
        """Seconds of absence after which another player may call the time; 0: never, or the time is up before that."""
        patience = 0.0 if isinstance(self.patience, UnsetType) else self.patience
        return patience if patience < (self.countdown or self.grace) else 0.0

    @property
    def countdown(self) -> float:
        """Seconds that the only side present waits, if absent players are skipped; else 0."""
        return (self.grace or COUNTDOWN_SECONDS) if self.leaving is Leaving.SKIPS else 0.0
