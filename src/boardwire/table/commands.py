"""Commands: requests to a table.

- A command names the seat for which it is sent; `decide` turns it into events or refuses it.
- `Act.seen` is the sequence number of the match that its sender has seen. An action on an older position is refused as
  stale, except that events which do not change the position (chat, departures, returns, undo offers) make no action
  stale. None skips the check.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from boardwire.games.game import Seat
from boardwire.table.events import Player
from boardwire.table.termination import Termination


class Join(msgspec.Struct, frozen=True):
    """Take `seat`, or the first free one."""

    player: Player
    seat: Seat | None = None
    wish: Any = None
    ready: bool = True


class Ready(msgspec.Struct, frozen=True):
    """Name the player of a seat. The match starts when all seats are taken and ready."""

    seat: Seat
    player: Player


class Leave(msgspec.Struct, frozen=True):
    """Leave the seat; the policy of the table decides what follows."""

    seat: Seat
    substitute: Player | None = None
    """Bot that takes the seat if the policy is `Leaving.BOT`."""
    awaited: bool = False
    """Whether another guest is about to take a seat, so that the empty table stays open."""
    forfeit: bool = False
    """Whether the seat is forfeited instead of held, because a quota is exhausted."""
    restart: bool = False
    """Whether the server has restarted: the seat is held from now on, even if it was left before."""


class Return(msgspec.Struct, frozen=True):
    """Return to a held seat with the `key` of its player.

    A player without a key is identified by name and dialect (`player`), but only while it is away: an occupied seat
    cannot be taken over this way.
    """

    seat: Seat
    key: str
    player: Player | None = None


class Act(msgspec.Struct, frozen=True, gc=False):
    """Play one or more actions, all or none: an illegal one rejects them all."""

    seat: Seat
    actions: tuple[Any, ...]
    seen: int | None = None


class Deal(msgspec.Struct, frozen=True):
    """Result of a chance decision, from the dealer."""

    action: Any


class Resign(msgspec.Struct, frozen=True):
    """Resign the match."""

    seat: Seat


class Forfeit(msgspec.Struct, frozen=True):
    """Forfeit for a player whose program failed; sent by an organiser that keeps the clocks of the match.

    `cause` is a code: `time` if the player answered too late.
    """

    seat: Seat
    cause: str


OUT_OF_TIME: Final = "time"
"""Cause of a forfeit: the player answered too late."""


class OfferUndo(msgspec.Struct, frozen=True):
    """Ask the other players to take back this seat's last action."""

    seat: Seat


class AnswerUndo(msgspec.Struct, frozen=True):
    """Accept or decline the offered undo."""

    seat: Seat
    agree: bool


class Draw(msgspec.Struct, frozen=True):
    """Offer a draw, or answer an offer; only an answer can have `agree` False."""

    seat: Seat
    agree: bool = True


class Chat(msgspec.Struct, frozen=True):
    """Send a chat line to the table; seat None is a spectator."""

    seat: Seat | None
    text: str
    name: str = ""


class TimeOut(msgspec.Struct, frozen=True):
    """Report that the time of a seat is up: its clock, or the grace time if its player is away."""

    seat: Seat


class CallTime(msgspec.Struct, frozen=True):
    """Call the time of absent players, for `seat`: players away for longer than the policy's patience forfeit."""

    seat: Seat


class Close(msgspec.Struct, frozen=True):
    """End the match without a result, with the reason and the seat responsible."""

    why: Termination
    by: Seat | None = None


Command: TypeAlias = (
    Join
    | Ready
    | Leave
    | Return
    | Act
    | Deal
    | Resign
    | Forfeit
    | OfferUndo
    | AnswerUndo
    | Draw
    | Chat
    | TimeOut
    | CallTime
    | Close
)
