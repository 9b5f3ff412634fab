"""Guests and pending commands of a table whose match another process has taken over."""

from __future__ import annotations

import msgspec

from boardwire.errors import Refused
from boardwire.games.game import Seat
from boardwire.table.commands import Command
from boardwire.table.guest import Guest, Refusal
from boardwire.table.match import Match


class Superseded(Refused):
    """Another process has taken over the match, and this table is closed."""


class Handover(msgspec.Struct, frozen=True):
    """Guests (without bots), their seats and the pending commands of a table that has stepped down.

    The last guest has left the table. A guest with a pending command may not have been seated yet.
    """

    match: Match
    guests: tuple[Guest, ...]
    seats: dict[Guest, Seat]
    pending: tuple[tuple[Guest, Command], ...]


def superseded_error() -> Superseded:
    """Return the error for the guests of a table that has stepped down."""
    return Superseded("this match continues on another server and is closed here")


def dismiss(handover: Handover) -> None:
    """Refuse the pending commands and close the conversations of all guests."""
    for guest, command in handover.pending:
        guest.tell(Refusal(command, superseded_error()))
    for guest in handover.guests:
        guest.close(superseded_error())
