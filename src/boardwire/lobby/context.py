"""State and ports that the parts of a lobby share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from boardwire.errors import Reason, Refused
from boardwire.lobby.held_seats import HeldSeats
from boardwire.lobby.listings import Listing, Listings
from boardwire.lobby.quotas import Quotas, QuotaUsage
from boardwire.table.commands import Close, Join
from boardwire.table.events import Opened, Player
from boardwire.table.guest import Guest
from boardwire.table.match import Match, Status, can_wait
from boardwire.table.policy import Policy
from boardwire.table.ports import Bots, Clock, GuestTable, ListedTable, NameSource, ReportFault
from boardwire.table.table import Table
from boardwire.table.termination import Termination

TableOfGuest = TypeVar("TableOfGuest", bound=GuestTable)
TableFactory = Callable[[Match, Opened | None], Table]


class LobbyContext:
    """Tables, quotas and held seats of one lobby, with the ports that its parts use.

    `is_full` and `make_table` are callbacks into the lobby, because the lobby of a cluster overrides them.
    """

    def __init__(
        self,
        clock: Clock,
        names: NameSource,
        bots: Bots,
        *,
        limit: int,
        own_tables: bool,
        policy: Policy,
        quotas: Quotas,
        report: ReportFault,
        is_full: Callable[[], bool],
        make_table: TableFactory,
    ) -> None:
        self.clock = clock
        self.names = names
        self.bots = bots
        self.limit = limit
        self.own_tables = own_tables
        self.policy = policy
        self.report = report
        self.is_full = is_full
        self.make_table = make_table
        self.listings = Listings()
        self.held_seats = HeldSeats()
        self.quotas = QuotaUsage(quotas, self.give_up)
        self.playing: set[str] = set()
        """Ids of the matches in play; a match that waits for its only person does not count."""
        self.frozen = False
        """The server is stopping: departures are not stored, because the matches resume after the restart."""

    def listing(self, table: GuestTable) -> Listing | None:
        """Return the listing of a table, or None if the table has been removed."""
        return self.listings.get(table.match.id)

    def check_room(self) -> None:
        """Raise `Refused` if the limit of simultaneous matches is reached."""
        if self.is_full():
            raise Refused(
                f"the server is full: at most {self.limit} matches at the same time; try again later",
                reason=Reason.SERVER_FULL,
            )

    def note(self, table: ListedTable) -> None:
        """Update held seats, quotas and the matches in play after a table has changed."""
        self.held_seats.note(table)
        self.quotas.note(table.match, table.is_in_play)
        plays = table.match.status is Status.PLAYING and not table.superseded and not is_suspended(table.match)
        (self.playing.add if plays else self.playing.discard)(table.match.id)

    def remove(self, listing: Listing) -> None:
        """Remove a table and everything recorded about it."""
        self.listings.forget(listing)
        self.held_seats.forget(listing.table)
        self.quotas.forget(listing.table.match)
        self.playing.discard(listing.table.match.id)

    def give_up(self, matches: Iterable[str]) -> str | None:
        """End the first of these matches that waits for its only person, to free its seat; return its id, or None."""
        for match_id in matches:
            listing = self.listings.get(match_id)
            if listing is not None and is_suspended(listing.table.match) and not listing.table.ends:
                seat = next(seat for seat, chair in enumerate(listing.table.match.chairs) if chair.away is not None)
                listing.table.do(None, Close(Termination.ABANDONED, seat))
                return match_id
        return None

    def book(self, table: GuestTable, seats: int) -> None:
        """Reserve `seats` more seats of a table; a negative number cancels reservations."""
        listing = self.listing(table)
        if listing is not None:
            listing.booked += seats
            self.listings.update(listing)

    def leave(self, guest: Guest) -> None:
        """Let a guest leave its table, if it is at one."""
        if guest.table is not None and not self.frozen:
            guest.table.leave(guest)

    def leave_for(self, guest: Guest, table: TableOfGuest) -> TableOfGuest:
        """Let a guest leave its table unless that is `table`, and return `table`."""
        if guest.table is not None and guest.table is not table:
            guest.table.leave(guest)
        return table

    def join(self, guest: Guest, table: GuestTable, join: Join) -> None:
        """Reserve a seat for a guest and request it from the table."""
        self.leave_for(guest, table)
        self.book(table, 1)
        guest.table = table
        table.do(guest, join)


def is_suspended(match: Match) -> bool:
    """Return whether a match against bots alone waits for its only person."""
    absent_seats = [seat for seat, chair in enumerate(match.chairs) if chair.away is not None]
    return len(absent_seats) == 1 and can_wait(match, absent_seats[0])


def bots_of(match: Match) -> tuple[tuple[int, Player], ...]:
    """Return the seats of a match that bots have, each with its bot."""
    return tuple((seat, player) for seat, player in enumerate(match.players) if player is not None and player.bot)
