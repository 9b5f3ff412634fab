"""The tables of a house, and which of them wait for players.

Rules:

- A listing is what the house knows of a table beside its match: its age, by what it is found, how many of its seats are
  taken or promised, who wants to play again.  It is gone when the table is forgotten.
- A table is offered while it waits, has a seat that nobody has or was promised, and has not sent guests to another
  table.  One without terms is never offered.

Who is seated where is the lobby's business.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from itertools import count
from typing import TypeAlias

from boardwire.games.game import Seat
from boardwire.table.match import Status
from boardwire.table.ports import ListedTable

Terms: TypeAlias = tuple[Hashable, ...]
"""What must be equal for two guests to meet; none: the table is found by its name alone."""


class Listing:
    """One table.  Older ones have smaller numbers."""

    __slots__ = ("booked", "gone", "number", "repeated", "table", "terms", "wanted")

    def __init__(self, table: ListedTable, number: int, terms: Terms, booked: int) -> None:
        self.table = table
        self.number = number
        self.terms = terms
        self.booked = booked
        """Seats that are taken or promised."""
        self.wanted: frozenset[Seat] = frozenset()
        """The seats that want a rematch."""
        self.gone: frozenset[Seat] = frozenset()
        """The seats, once the match is over, whose players have left: as it was last told."""
        self.repeated = False
        """Its players are on their way to another match."""

    @property
    def free(self) -> int:
        """How many seats nobody has or was promised."""
        return len(self.table.match.chairs) - self.booked


class Listings:
    """All tables by the names of their matches, and those that are offered by their terms."""

    def __init__(self) -> None:
        self._all: dict[str, Listing] = {}
        self._offered: dict[Terms, dict[str, Listing]] = {}
        self._mobile: dict[Terms, dict[str, Listing]] = {}
        self._numbers = count(1)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Listing]:
        return iter(self._all.values())

    def __contains__(self, match: str) -> bool:
        return match in self._all

    def get(self, match: str) -> Listing | None:
        """The table of this match; None if there is none, or it is forgotten."""
        return self._all.get(match)

    def add(self, table: ListedTable, terms: Terms = (), booked: int = 0) -> Listing:
        """A new table, the youngest of all."""
        listing = self._all[table.match.id] = Listing(table, next(self._numbers), terms, booked)
        self.update(listing)
        return listing

    def update(self, listing: Listing) -> None:
        """Offer the table, or do not, as its seats say."""
        if not listing.terms:
            return
        table = listing.table
        if table.match.status is Status.WAITING and listing.free > 0 and not table.held:
            self._offered.setdefault(listing.terms, {})[table.match.id] = listing
        else:
            self._withdraw(listing)

    def forget(self, listing: Listing) -> None:
        """The table is no more."""
        self._withdraw(listing)
        self._all.pop(listing.table.match.id, None)

    def _withdraw(self, listing: Listing) -> None:
        _remove(self._offered, listing)
        _remove(self._mobile, listing)

    def offered(self, terms: Terms) -> Collection[Listing]:
        """The tables of these terms that wait for players."""
        return self._offered.get(terms, {}).values()

    def is_offered(self, listing: Listing) -> bool:
        """Whether that is one of them."""
        return listing.table.match.id in self._offered.get(listing.terms, {})

    def mark(self, listing: Listing, *, mobile: bool) -> None:
        """Remember whether somebody sits at this offered table who can be brought to another."""
        if mobile:
            self._mobile.setdefault(listing.terms, {})[listing.table.match.id] = listing
        else:
            _remove(self._mobile, listing)

    def mobile(self, terms: Terms) -> Collection[Listing]:
        """The offered tables of these terms where somebody sits who can be brought to another."""
        return self._mobile.get(terms, {}).values()

    def all_offered(self) -> Iterator[Listing]:
        """The tables of whatever terms that wait for players."""
        for offered in self._offered.values():
            yield from offered.values()


def _remove(tables: dict[Terms, dict[str, Listing]], listing: Listing) -> None:
    found = tables.get(listing.terms, {})
    found.pop(listing.table.match.id, None)
    if not found:
        tables.pop(listing.terms, None)
