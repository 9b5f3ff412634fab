"""What can happen in a match, as it is stored.

A match is the fold of its events; nothing else is kept.  Every event has the time it was decided (`at`, seconds since
the epoch): time and luck enter a match only as fields of events.  The journal stores exactly these structs as JSON,
told apart by `"event"`, so a new field needs a default, and a changed meaning needs a new event.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.games.game import Outcome, Seat


class Leaving(StrEnum):
    """What it means for the match when a player leaves a seat in mid-play."""

    ENDS = "ends"
    """The match is over for all, without a winner (what the five documents say)."""
    HOLDS = "holds"
    """The seat is kept for `grace` seconds; then it forfeits."""
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

    @property
    def resumes(self) -> bool:
        """Whether a match of this policy can go on after the server was restarted."""
        return self.leaving is not Leaving.ENDS

    @property
    def countdown(self) -> float:
        """How long whoever is left alone waits for others, where absent players are skipped."""
        return (self.grace or COUNTDOWN) if self.leaving is Leaving.SKIPS else 0.0


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits at a seat: a person or program (`dialect` tells how it came), or a bot.

    `key` is what a returning player must show to get the seat back; it is never sent to anybody.
    """

    name: str = ""
    dialect: str = ""
    bot: str = ""
    key: str = ""


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=str.lower, omit_defaults=True):
    at: float


class Opened(_Event, frozen=True):
    """The table exists.  `options` are the game's, before the seats' wishes."""

    match: str
    game: str
    seats: int
    options: Any
    policy: Policy
    dialect: str = ""
    code: str = ""


class Joined(_Event, frozen=True):
    """`player` took a free seat; `ready` is False while its program still asks for a name."""

    seat: Seat
    player: Player
    wish: Any = None
    ready: bool = True


class Readied(_Event, frozen=True):
    """The player at `seat` has said who it is."""

    seat: Seat
    player: Player


class Left(_Event, frozen=True):
    """The player left: before the start the seat is free again, in mid-play it is empty until someone returns.

    With `restart` it was the server that went: nobody could come back or move, so all time limits start again.
    """

    seat: Seat
    restart: bool = False


class Returned(_Event, frozen=True):
    """The player is back at its seat."""

    seat: Seat


class Substituted(_Event, frozen=True):
    """A bot sits at `seat` from now on."""

    seat: Seat
    player: Player


class Started(_Event, frozen=True):
    """All seats are taken and ready: play begins, with these settled options."""

    options: Any


class Acted(_Event, frozen=True):
    """`seat` took one step."""

    seat: Seat
    action: Any


class Dealt(_Event, frozen=True):
    """Luck: what was drawn."""

    action: Any


class Resigned(_Event, frozen=True):
    """`seat` gave up."""

    seat: Seat


class TimedOut(_Event, frozen=True):
    """`seat` ran out of time, or did not come back in time; it forfeits."""

    seat: Seat


class Skipped(_Event, frozen=True):
    """`seat` was to decide and is away: its decision passed, as the game says."""

    seat: Seat


class UndoOffered(_Event, frozen=True):
    """`seat` asks to take back its last step and all that followed."""

    seat: Seat


class UndoAgreed(_Event, frozen=True):
    """`seat` agrees to the undo on offer."""

    seat: Seat


class UndoDeclined(_Event, frozen=True):
    """`seat` declines it; the offer is gone."""

    seat: Seat


class Undone(_Event, frozen=True):
    """All agreed: the last step of `seat` and all that followed did not happen."""

    seat: Seat


class Chatted(_Event, frozen=True):
    """A line of talk; None is a spectator."""

    seat: Seat | None
    text: str
    name: str = ""


class Ended(_Event, frozen=True):
    """The match is over."""

    outcome: Outcome


Event: TypeAlias = (
    Opened | Joined | Readied | Left | Returned | Substituted | Started | Acted | Dealt | Resigned | TimedOut
    | Skipped | UndoOffered | UndoAgreed | UndoDeclined | Undone | Chatted | Ended
)  # fmt: skip

encode = msgspec.json.Encoder().encode
"""An event as the journal's JSON."""

decode = msgspec.json.Decoder(Event).decode
"""The journal's JSON as an event; options, wishes and actions stay plain data until the match reads them."""
