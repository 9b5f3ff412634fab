"""Listings of the lobby's tables, and the index of tables that wait for players.

- A listing holds what the lobby records about a table besides its match: age, terms, reserved seats, rematch requests.
- A table is offered while it waits, has a free seat that is not reserved, and none of its guests is being moved to
  another table. A table without terms is never offered.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from itertools import count
from typing import TypeAlias

from boardwire.games.game import Seat
from boardwire.table.match import Status
from boardwire.table.ports import ListedTable

TermsKey: TypeAlias = tuple[Hashable, ...]
"""Terms that all seeks for a table have in common: game, number of seats, dialect and further terms (`Seek.terms`).

The dialect is empty if dialects share tables. An empty tuple means that the table is found only by its id."""


class Listing:
    """One table of the lobby. Older tables have smaller numbers."""

    __slots__ = ("booked", "gone", "has_rematch", "number", "rematch_seats", "table", "terms")

    def __init__(self, table: ListedTable, number: int, terms: TermsKey, booked: int) -> None:
        self.table = table
        self.number = number
        self.terms = terms
        self.booked = booked
        """Number of seats that are taken or reserved."""
        self.rematch_seats: frozenset[Seat] = frozenset()
        """Seats that requested a rematch."""
        self.gone: frozenset[Seat] = frozenset()
        """Seats whose players have left since the end, as of the last notification."""
        self.has_rematch = False
        """Whether the rematch has begun."""

    @property
    def free(self) -> int:
        """Number of seats that are neither taken nor reserved."""
        return len(self.table.match.chairs) - self.booked


class Listings:
    """All tables by match id, those that wait for players, and the offered ones by terms."""

    def __init__(self) -> None:
        self._all: dict[str, Listing] = {}
        self._waiting: dict[str, Listing] = {}
        self._offered: dict[TermsKey, dict[str, Listing]] = {}
        self._mobile: dict[TermsKey, dict[str, Listing]] = {}
        """Offered tables with a guest that could move to another table."""
        self._numbers = count(1)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Listing]:
        return iter(self._all.values())

    def __contains__(self, match: str) -> bool:
        return match in self._all

    def get(self, match: str) -> Listing | None:
        """Return the listing of a match, or None."""
        return self._all.get(match)

    def add(self, table: ListedTable, terms: TermsKey = (), booked: int = 0) -> Listing:
        """Add a table as the newest."""
        listing = self._all[table.match.id] = Listing(table, next(self._numbers), terms, booked)
        self.update(listing)
        return listing

    def update(self, listing: Listing) -> None:
        """Index a table by its status, and offer or withdraw it according to its seats."""
        table = listing.table
        is_waiting = table.match.status is Status.WAITING
        if is_waiting:
            self._waiting[table.match.id] = listing
        else:
            self._waiting.pop(table.match.id, None)
        if not listing.terms:
            return
        if is_waiting and listing.free > 0 and not table.held:
            self._offered.setdefault(listing.terms, {})[table.match.id] = listing
        else:
            self._withdraw_listing(listing)

    def forget(self, listing: Listing) -> None:
        """Remove a table."""
        self._withdraw_listing(listing)
        self._waiting.pop(listing.table.match.id, None)
        self._all.pop(listing.table.match.id, None)

    def _withdraw_listing(self, listing: Listing) -> None:
        _remove_listing(self._offered, listing)
        _remove_listing(self._mobile, listing)

    def waiting_listings(self) -> Collection[Listing]:
        """Return the tables that wait for players, oldest first, also those that are not offered."""
        return self._waiting.values()

    def offered_listings(self, terms: TermsKey) -> Collection[Listing]:
        """Return the offered tables of these terms."""
        return self._offered.get(terms, {}).values()

    def is_offered(self, listing: Listing) -> bool:
        """Return whether a table is offered."""
        return listing.table.match.id in self._offered.get(listing.terms, {})

    def set_mobile(self, listing: Listing, is_mobile: bool) -> None:
        """Record whether a guest at this offered table could move to another table."""
        if is_mobile:
            self._mobile.setdefault(listing.terms, {})[listing.table.match.id] = listing
        else:
            _remove_listing(self._mobile, listing)

    def mobile_listings(self, terms: TermsKey) -> Collection[Listing]:
        """Return the offered tables of these terms with a guest that could move to another table."""
        return self._mobile.get(terms, {}).values()

    def all_offered(self) -> Iterator[Listing]:
        """Yield every offered table."""
        for offered in self._offered.values():
            yield from offered.values()


def _remove_listing(tables: dict[TermsKey, dict[str, Listing]], listing: Listing) -> None:
    """Remove a listing from an index by terms; terms without listings are dropped."""
    listings = tables.get(listing.terms, {})
    listings.pop(listing.table.match.id, None)
    if not listings:
        tables.pop(listing.terms, None)
