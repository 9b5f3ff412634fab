"""What can be asked of a table.

A command names the seat it speaks for; `decide` turns it into events or refuses it.  `seen` is the sequence number of
the match its sender had in view: a command that is older than the match is stale and is refused with that reason, so
that nobody moves blindly.  What does not change the play (talk, somebody who leaves or returns, an offer) makes
nothing stale.  None skips the test.
"""

from __future__ import annotations

from typing import Any, TypeAlias

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
    """Say who sits there; a table whose seats are all taken and ready starts."""

    seat: Seat
    player: Player


class Leave(msgspec.Struct, frozen=True):
    """Leave the seat; what that means is the table's policy."""

    seat: Seat
    substitute: Player | None = None
    """The bot that plays on, where the policy says so."""
    awaited: bool = False
    """Somebody else is on the way to this table, so that it does not end though nobody sits there."""
    forfeit: bool = False
    """Where the seat would be held, it is not: too many are."""
    restart: bool = False
    """The server was restarted: hold the seat, also one that was left before, from now on."""


class Return(msgspec.Struct, frozen=True):
    """Come back to a held seat; `key` must be the player's.  A player who came without one is known by its name and its
    dialect (`player`), but only while it is away: nobody takes the seat of somebody who is there."""

    seat: Seat
    key: str
    player: Player | None = None


class Act(msgspec.Struct, frozen=True, gc=False):
    """Take one or more steps, all or none: if one is illegal nothing happens."""

    seat: Seat
    actions: tuple[Any, ...]
    seen: int | None = None


class Deal(msgspec.Struct, frozen=True):
    """The dealer's answer where chance decides."""

    action: Any


class Resign(msgspec.Struct, frozen=True):
    """Give up."""

    seat: Seat


class OfferUndo(msgspec.Struct, frozen=True):
    """Ask all others to let this seat take back its last step."""

    seat: Seat


class AnswerUndo(msgspec.Struct, frozen=True):
    """Agree to the undo on offer, or decline it."""

    seat: Seat
    agree: bool


class Chat(msgspec.Struct, frozen=True):
    """Say something to the table; None is a spectator."""

    seat: Seat | None
    text: str
    name: str = ""


class TimeOut(msgspec.Struct, frozen=True):
    """The seat's time is up: its clock, or the grace of a seat that was left."""

    seat: Seat


class CallTime(msgspec.Struct, frozen=True):
    """`seat` waits no longer: whoever has been away for as long as the table has patience forfeits."""

    seat: Seat


class Close(msgspec.Struct, frozen=True):
    """End the match without a result, and say why, and because of which seat."""

    why: Termination
    by: Seat | None = None


Command: TypeAlias = (
    Join | Ready | Leave | Return | Act | Deal | Resign | OfferUndo | AnswerUndo | Chat | TimeOut | CallTime | Close
)
