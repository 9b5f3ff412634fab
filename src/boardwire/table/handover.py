"""All that a table has in hand when it stops, because somebody else has the match now."""

from __future__ import annotations

import msgspec

from boardwire.errors import Refused
from boardwire.games.game import Seat
from boardwire.table.commands import Command
from boardwire.table.guest import Guest, Refusal
from boardwire.table.match import Match


class Superseded(Refused):
    """Somebody else has the match now: it is played no more at the table that was told so."""


class Handover(msgspec.Struct, frozen=True):
    """Who was there, without bots, where they sat, and what was asked and not done.  Nobody is at that table any more;
    some of those who asked were about to come."""

    match: Match
    guests: tuple[Guest, ...]
    seats: dict[Guest, Seat]
    asked: tuple[tuple[Guest, Command], ...]


def superseded() -> Superseded:
    """What whoever is at such a table is told."""
    return Superseded("this match is played on elsewhere, and is closed here")


def send_away(rest: Handover) -> None:
    """Refuse what was asked, and end the conversations of all who were there."""
    for guest, command in rest.asked:
        guest.tell(Refusal(command, superseded()))
    for guest in rest.guests:
        guest.close(superseded())
