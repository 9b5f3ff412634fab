"""What can happen in a match, as it is stored.

A match is the fold of its events; nothing else is kept.  Every event has the time it was decided (`at`, seconds since
the epoch): time and luck enter a match only as fields of events.  The journal stores exactly these structs as JSON,
told apart by `"event"`, so a new field needs a default, and a changed meaning needs a new event.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from boardwire.games.game import Outcome, Seat
from boardwire.table.policy import Policy


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits at a seat: a person or program (`dialect` tells how it came), or a bot.

    `key` is what a returning player must show to get the seat back; `mark` tells a guest of a cluster that has no name
    from others like it, so that a seat it was given is found if it was not told.  Neither is ever sent to anybody.
    """

    name: str = ""
    dialect: str = ""
    bot: str = ""
    key: str = ""
    mark: str = ""


def bot_name(bot: str) -> str:
    """What a bot is called at a table: by its kind, or by its level where it has one (`search:5`)."""
    kind, _, level = bot.partition(":")
    return f"level {level} bot" if level else f"{kind} bot"


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
    """`seat` ran out of time, or did not come back in time; it forfeits.  `called` is who did not wait to the end."""

    seat: Seat
    called: Seat | None = None


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

SEATING: Final = (Opened, Joined, Readied, Left, Returned, Substituted)
"""Who sits where."""

PLAYED: Final = (Acted, Dealt, Resigned, TimedOut, Skipped)
"""What the game goes on by: each may bring events of the game."""

UNDO: Final = (UndoOffered, UndoAgreed, UndoDeclined, Undone)
"""What is taken back, or is not."""

encode = msgspec.json.Encoder().encode
"""An event as the journal's JSON."""

decode = msgspec.json.Decoder(Event).decode
"""The journal's JSON as an event; options, wishes and actions stay plain data until the match reads them."""


def for_anybody(event: Event) -> dict[str, Any]:
    """An event as plain data without what is never sent: the code of a private table, and of a player what it must show
    to return and by what a cluster finds it."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    fields.pop("code", None)
    if isinstance(fields.get("player"), dict):
        for secret in ("key", "mark"):
            fields["player"].pop(secret, None)
    return fields
