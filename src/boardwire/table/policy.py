"""How a table is run: what it does when a player leaves, its clock, and undo."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType


class Leaving(StrEnum):
    """What it means for the match when a player leaves a seat in mid-play."""

    ENDS = "ends"
    """The match is over for all, without a winner (what the five documents say)."""
    HOLDS = "holds"
    """The seat is kept for `grace` seconds; then it forfeits, or sooner if another player calls its time."""
    BOT = "bot"
    """A bot takes the seat and plays on; where there is none for the game, the seat is held."""
    SKIPS = "skips"
    """The seat's turns pass until its player returns.  If at most one side is there, nobody is skipped and a countdown
    of `grace` seconds starts: then that side wins, or nobody does; whoever returns stops it, and nothing else."""


COUNTDOWN: Final = 60.0
"""Seconds until whoever is left alone wins, where the policy names none."""


class Policy(msgspec.Struct, frozen=True):
    """How a table is run, as data.  A time of 0 means no limit."""

    leaving: Leaving = Leaving.ENDS
    grace: float = 0.0
    bank: float = 0.0
    """Seconds of thinking time per seat for the whole match."""
    per_move: float = 0.0
    """Seconds for each decision."""
    undo: bool = False
    practice: Literal[True] | UnsetType = UNSET
    """One person plays against bots alone, and may ask what is good.  Journals do not tell where nobody does."""
    patience: float | UnsetType = UNSET
    """Seconds that somebody who is waited for may be away before another player may call its time; unset: nobody may.
    Journals do not tell where nobody does."""

    @property
    def resumes(self) -> bool:
        """Whether a match of this policy can go on after the server was restarted."""
        return self.leaving is not Leaving.ENDS

    @property
    def call(self) -> float:
        """After how many seconds of absence another player may call the time of whoever is waited for; 0: nobody may,
        or its time is up before that."""
        patience = 0.0 if isinstance(self.patience, UnsetType) else self.patience
        return patience if patience < (self.countdown or self.grace) else 0.0

    @property
    def countdown(self) -> float:
        """How long whoever is left alone waits for others, where absent players are skipped."""
        return (self.grace or COUNTDOWN) if self.leaving is Leaving.SKIPS else 0.0
