"""Guests that watch a table while it fills, before they take a seat.

- A guest attends the oldest waiting table of its game with a number of seats that it supports.
- If there is none, it waits for the next one to open.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter

from boardwire.lobby.context import LobbyContext
from boardwire.lobby.listings import Listing, TermsKey
from boardwire.lobby.requests import Attend
from boardwire.table.guest import Guest, NoTable
from boardwire.table.match import Status
from boardwire.table.ports import ListedTable


class Attending:
    """Guests that wait for a table to open."""

    def __init__(self, context: LobbyContext) -> None:
        self._context = context
        self._waiting: dict[tuple[Hashable, ...], dict[Guest, Attend]] = {}
        """Waiting guests with their requests, by game and dialect; the dialect is empty if dialects share tables."""

    def attend(self, guest: Guest, request: Attend) -> None:
        """Let a guest watch the oldest suitable table, or wait for one to open."""
        context = self._context
        guest.tie = request.tie
        key = (request.game, request.dialect if context.own_tables else "")
        listings = [
            listing
            for listing in context.listings.all_offered()
            if _waiting_key(listing.terms) == key
            and not listing.table.ends
            and _has_supported_size(listing.table, request)
        ]
        if listings:
            table = min(listings, key=attrgetter("number")).table
            context.leave_for(guest, table).watch(guest)
        else:
            context.leave(guest)
            self._waiting.setdefault(key, {})[guest] = request
            guest.tell(NoTable())

    def discard(self, guest: Guest) -> None:
        """Remove a guest that no longer waits."""
        for requests in self._waiting.values():
            requests.pop(guest, None)

    def admit_to(self, listing: Listing) -> None:
        """Let the guests that wait for a table with these terms watch it."""
        requests = self._waiting.get(_waiting_key(listing.terms), {}) if listing.terms else {}
        for guest in [guest for guest, request in requests.items() if _has_supported_size(listing.table, request)]:
            del requests[guest]
            listing.table.watch(guest)


def only_attends(guest: Guest) -> bool:
    """Return whether a guest watches a waiting table without a seat or a request for one."""
    table = guest.table
    if table is None or table.match.status is not Status.WAITING:
        return False
    return table.seat_of(guest) is None and not table.expects(guest)


def _waiting_key(terms: TermsKey) -> tuple[Hashable, ...]:
    """Return the key in `_waiting` of guests that these terms suit: the game and the dialect."""
    return terms[0], terms[2]


def _has_supported_size(table: ListedTable, request: Attend) -> bool:
    return not request.seats or len(table.match.chairs) in request.seats
