"""Listings of tables, and which of them are offered."""

from __future__ import annotations

from boardwire.lobby.listings import Listing, Listings, TermsKey
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Opened
from boardwire.table.match import match_of_opening
from boardwire.table.policy import Policy
from boardwire.table.ports import NoBots
from boardwire.table.table import Table

TERMS: TermsKey = ("tris", 2, "")


def listed(listings: Listings, name: str, terms: TermsKey = TERMS, booked: int = 1) -> Listing:
    opening = Opened(1.0, name, "tris@1", 2, {}, Policy())
    table = Table(
        match_of_opening(opening), MemoryJournal(), ManualClock(), ScriptedDealer(), NoBots(), opening=opening
    )
    return listings.add(table, terms, booked)


def test_a_table_is_offered_while_it_has_an_unreserved_seat() -> None:
    listings = Listings()
    one, full = listed(listings, "one"), listed(listings, "full", booked=2)
    assert ([*listings.offered_listings(TERMS)], one.free, full.free) == ([one], 1, 0)
    full.booked -= 1
    listings.update(full)
    one.booked += 1
    listings.update(one)
    assert [*listings.all_offered()] == [full]
    assert (listings.is_offered(one), listings.is_offered(full)) == (False, True)


def test_a_table_is_not_offered_while_its_guests_are_on_their_way() -> None:
    listings = Listings()
    one = listed(listings, "one")
    assert isinstance(one.table, Table)
    one.table.hold(())
    listings.update(one)
    assert [*listings.offered_listings(TERMS)] == []


def test_a_table_without_terms_is_listed_but_not_offered() -> None:
    listings = Listings()
    private = listed(listings, "private", ())
    assert (listings.get("private"), [*listings.all_offered()]) == (private, [])
    assert "private" in listings
    listings.forget(private)
    assert (listings.get("private"), len(listings)) == (None, 0)


def test_a_table_that_is_not_offered_is_not_mobile() -> None:
    listings = Listings()
    one, two = listed(listings, "one"), listed(listings, "two")
    for listing in (one, two):
        listings.set_mobile(listing, True)
    assert [*listings.mobile_listings(TERMS)] == [one, two]
    listings.set_mobile(one, False)
    two.booked += 1
    listings.update(two)
    assert [*listings.mobile_listings(TERMS)] == []
    two.booked -= 1
    listings.update(two)
    assert ([*listings.mobile_listings(TERMS)], [*listings.offered_listings(TERMS)]) == ([], [one, two])


def test_younger_tables_have_higher_numbers_and_nothing_is_left_of_those_forgotten() -> None:
    listings = Listings()
    old, young = listed(listings, "old"), listed(listings, "young")
    assert old.number < young.number
    for listing in (old, young):
        listings.set_mobile(listing, True)
        listings.forget(listing)
        listings.forget(listing)
    assert (listings._offered, listings._mobile, [*listings]) == ({}, {}, [])
