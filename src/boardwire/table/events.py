"""Events of a match, as the journal stores them.

- A match is the fold of its events; nothing else is stored.
- Every event has the time of its decision (`at`, seconds since the epoch). Time and luck enter a match only as fields
  of events.
- The journal stores these structs as JSON, tagged by `"event"`. A new field therefore needs a default, and a changed
  meaning needs a new event.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from boardwire.games.game import Outcome, Seat
from boardwire.table.policy import Policy


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Player at a seat: a person or program that uses `dialect`, or a bot.

    - `key`: the hash of the token that a returning player must present.
    - `mark`: identifies a player without a name in a cluster, so that its seat is found if the answer to its request
      was lost.
    - `account`: the number of the player's account; 0: none.

    `key` and `mark` are never sent to a client.
    """

    name: str = ""
    dialect: str = ""
    bot: str = ""
    key: str = ""
    mark: str = ""
    account: int = 0


ACCOUNT_KEY: Final = "player:"
"""Prefix of the key of an account's seats. A hash of a token never begins with it."""


def account_key(account: int) -> str:
    """Return the key of an account's seats, the same on all its devices."""
    return f"{ACCOUNT_KEY}{account}"


def account_of(key: str) -> int:
    """Return the account of a key; 0: the key is not that of an account."""
    return int(key.removeprefix(ACCOUNT_KEY)) if key.startswith(ACCOUNT_KEY) else 0


def bot_name(bot: str) -> str:
    """Return the display name of a bot: its kind or, if it has one (`search:5`), its level."""
    kind, _, level = bot.partition(":")
    return f"level {level} bot" if level else f"{kind} bot"


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=str.lower, omit_defaults=True):
    at: float


class Opened(_Event, frozen=True):
    """The table was opened. `options` do not include the wishes of the seats yet."""

    match: str
    game: str
    seats: int
    options: Any
    policy: Policy
    dialect: str = ""
    code: str = ""


class Joined(_Event, frozen=True):
    """`player` took a free seat; `ready` is False until its name is known."""

    seat: Seat
    player: Player
    wish: Any = None
    ready: bool = True


class Readied(_Event, frozen=True):
    """The player at `seat` has given its name."""

    seat: Seat
    player: Player


class Left(_Event, frozen=True):
    """The player left: before the start its seat is free again; in mid-play it stays empty until the player returns.

    With `restart`, the server had stopped, and no player could return or move: all time limits start again.
    """

    seat: Seat
    restart: bool = False


class Returned(_Event, frozen=True):
    """The player returned to its seat."""

    seat: Seat


class Substituted(_Event, frozen=True):
    """A bot took over `seat`."""

    seat: Seat
    player: Player


class Started(_Event, frozen=True):
    """The match started, with the options settled from all wishes."""

    options: Any


class Acted(_Event, frozen=True):
    """`seat` played one action."""

    seat: Seat
    action: Any


class Dealt(_Event, frozen=True):
    """The dealer drew the result of a chance decision."""

    action: Any


class Resigned(_Event, frozen=True):
    """`seat` resigned, or its program failed and forfeits: `cause` is a code such as `illegal` or `died`."""

    seat: Seat
    cause: str = ""


class TimedOut(_Event, frozen=True):
    """`seat` ran out of time or did not return in time, and forfeits; `called` is the seat that called its time."""

    seat: Seat
    called: Seat | None = None


class Skipped(_Event, frozen=True):
    """The decision of the absent `seat` was skipped by the rules of the game."""

    seat: Seat


class UndoOffered(_Event, frozen=True):
    """`seat` asked to undo its last action and all later ones."""

    seat: Seat


class UndoAgreed(_Event, frozen=True):
    """`seat` accepted the offered undo."""

    seat: Seat


class UndoDeclined(_Event, frozen=True):
    """`seat` declined the offered undo, which ends the offer."""

    seat: Seat


class Undone(_Event, frozen=True):
    """All players agreed: the last action of `seat` and all later ones were undone."""

    seat: Seat


class DrawOffered(_Event, frozen=True):
    """`seat` offered a draw."""

    seat: Seat


class DrawAgreed(_Event, frozen=True):
    """`seat` accepted the offered draw, which ends the match."""

    seat: Seat


class DrawDeclined(_Event, frozen=True):
    """`seat` declined the offered draw. A move of `seat` declines it too, without this event."""

    seat: Seat


class Chatted(_Event, frozen=True):
    """A chat line; seat None is a spectator."""

    seat: Seat | None
    text: str
    name: str = ""


class Ended(_Event, frozen=True):
    """The match ended."""

    outcome: Outcome


Event: TypeAlias = (
    Opened | Joined | Readied | Left | Returned | Substituted | Started | Acted | Dealt | Resigned | TimedOut
    | Skipped | UndoOffered | UndoAgreed | UndoDeclined | Undone | DrawOffered | DrawAgreed | DrawDeclined | Chatted
    | Ended
)  # fmt: skip

SEAT_EVENTS: Final = (Opened, Joined, Readied, Left, Returned, Substituted)
"""Events that change the players of the seats."""

PLAY_EVENTS: Final = (Acted, Dealt, Resigned, TimedOut, Skipped)
"""Events that change the position; each may cause events of the game."""

UNDO_EVENTS: Final = (UndoOffered, UndoAgreed, UndoDeclined, Undone)
"""Events of undo offers."""

DRAW_EVENTS: Final = (DrawOffered, DrawAgreed, DrawDeclined)
"""Events of draw offers."""

encode = msgspec.json.Encoder().encode
"""Encode an event as JSON for the journal."""

decode = msgspec.json.Decoder(Event).decode
"""Decode an event from the journal; options, wishes and actions stay plain data until the match converts them."""


def public_fields(event: Event) -> dict[str, Any]:
    """Return an event as plain data, without its secrets: the code of the table, the key and mark of a player."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    fields.pop("code", None)
    if isinstance(fields.get("player"), dict):
        for secret in ("key", "mark"):
            fields["player"].pop(secret, None)
    return fields
