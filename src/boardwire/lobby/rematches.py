"""Rematches: another match between the players of a finished one.

- A rematch starts when no person has left and every person has requested it.
- Every player moves to the next seat, so that another player starts. Spectators follow.
"""

from __future__ import annotations

import msgspec

from boardwire.errors import Refused
from boardwire.games.game import Seat
from boardwire.lobby.context import LobbyContext, bots_of
from boardwire.lobby.listings import Listing
from boardwire.lobby.matchmaking import Matchmaking
from boardwire.lobby.requests import Seek
from boardwire.table.commands import Join
from boardwire.table.events import Player
from boardwire.table.guest import Guest, RematchWanted
from boardwire.table.match import Status
from boardwire.table.ports import GuestTable


class Rematches:
    """Collects the requests for a rematch and opens the new table."""

    def __init__(self, context: LobbyContext, matchmaking: Matchmaking) -> None:
        self._context = context
        self._matchmaking = matchmaking

    def request(self, guest: Guest) -> None:
        """Record that a guest wants a rematch; start it if all people at the table do."""
        context, table = self._context, guest.table
        seat = None if table is None else table.seat_of(guest)
        listing = None if table is None else context.listing(table)
        if table is None or listing is None or seat is None or table.match.status is not Status.OVER:
            raise Refused("you have no finished match to rematch")
        listing.rematch_seats |= {seat}
        people = {place: other for other in table.guests if (place := table.seat_of(other)) is not None}
        # All people want it, and no seat is empty.
        if listing.rematch_seats >= people.keys() and len(people) + len(bots_of(table.match)) == len(
            table.match.chairs
        ):
            context.check_room()
            context.quotas.count_opening(guest, context.clock.now())
            listing.has_rematch = True
            self._start_rematch(table, guest, people)
        else:
            _notify_guests(listing)

    def update(self, listing: Listing) -> None:
        """Notify the guests of a finished match if a player has left."""
        if not listing.has_rematch and (left_seats := _left_seats(listing.table)) != listing.gone:
            listing.gone = left_seats
            _notify_guests(listing)

    def _start_rematch(self, table: GuestTable, opener: Guest, people: dict[Seat, Guest]) -> None:
        """Open the table of a rematch and move all guests to it."""
        old_match = table.match
        count = len(old_match.chairs)
        bots = tuple(((seat + 1) % count, player) for seat, player in bots_of(old_match))
        setup = old_match.setting
        seek = Seek(setup.game.name, count, Player(dialect=setup.dialect), setup.initial_options, setup.policy)
        new_table = self._matchmaking.open(opener, msgspec.structs.replace(seek, private=True, bots=bots))
        for seat, guest in sorted(people.items()):
            player = old_match.chairs[seat].player
            assert player is not None, "a seated guest has a player"
            table.leave(guest)
            self._context.join(guest, new_table, Join(player, (seat + 1) % count, old_match.chairs[seat].wish))
        for guest in table.guests:
            self._context.leave_for(guest, new_table).watch(guest)


def _left_seats(table: GuestTable) -> frozenset[Seat]:
    """Return the seats of people who have left a table."""
    people = {seat for seat, player in enumerate(table.match.players) if player is not None and not player.bot}
    return frozenset(people - {table.seat_of(guest) for guest in table.guests})


def _notify_guests(listing: Listing) -> None:
    notification = RematchWanted(tuple(sorted(listing.rematch_seats - listing.gone)), tuple(sorted(listing.gone)))
    for guest in listing.table.guests:
        guest.tell(notification)
