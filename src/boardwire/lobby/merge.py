"""Merging of waiting tables, so that two people who wait meet.

- Both tables wait, are idle and have a person seated.
- Guests move if that empties their table (every person moves) or fills the other. Each merge therefore removes one
  waiting table, and no guest moves back and forth.
- `Tie` limits where a guest may go, because a protocol cannot take back what it has already announced.
- The other table must accept the players, their wishes and their seats. `decide` checks that, as for every join.
- Guests move to the older table if they can. Nothing merges while the server is full or the journal fails.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from boardwire.errors import BoardwireError
from boardwire.lobby.context import LobbyContext
from boardwire.lobby.listings import Listing
from boardwire.lobby.terms import same_terms
from boardwire.table.commands import Join
from boardwire.table.decide import decide
from boardwire.table.guest import Guest, Tie
from boardwire.table.match import Match
from boardwire.table.ports import GuestTable, ListedTable
from boardwire.table.table import APPEND_RETRY_SECONDS, Table


class Merging:
    """Moves guests between the waiting tables of a lobby."""

    def __init__(self, context: LobbyContext) -> None:
        self._context = context
        self.suspended = False
        """Whether the journal failed during the last merge; `merge_all` tries again."""

    def merge(self, listing: Listing) -> None:
        """Merge this table with another one, if that is possible.

        Only pairs with this table are examined: the others were examined when one of their tables last changed.
        """
        context, listings = self._context, self._context.listings
        listings.set_mobile(listing, False)
        pairs = [(other, listing) for other in listings.mobile_listings(listing.terms)]
        if movable_guests(listing.table):
            listings.set_mobile(listing, True)
            pairs += [(listing, other) for other in listings.offered_listings(listing.terms) if other is not listing]
        if context.frozen or self.suspended or context.is_full():
            return
        for source, target in sorted(pairs, key=_oldest_target_first):
            if self._move_guests(source, target):
                return  # both tables call `settled` again, which continues the merging

    def merge_all(self) -> None:
        """Merge every idle table."""
        self.suspended = False
        for listing in tuple(self._context.listings):
            if listing.table.idle and self._context.listings.is_offered(listing):
                self.merge(listing)

    def resume(self, was_full: bool) -> None:
        """Merge all tables soon if the server was full and no longer is."""
        if was_full and not self._context.is_full():
            self._context.clock.later(0.0, self.merge_all)

    def _move_guests(self, source_listing: Listing, target_listing: Listing) -> bool:
        """Start to move guests from one table to the other; return whether there are any to move.

        Both tables continue when every guest is seated or refused.
        """
        context = self._context
        source, target = source_listing.table, target_listing.table
        try:
            joins = moves(source, target, target_listing.free, context.clock.now())
        except Exception as error:  # noqa: BLE001 - a fault in the rules must not hit the guest whose request came last
            context.report(target.match.id, error)
            return False
        if not joins:
            return False
        assert isinstance(source, Table), "only a hosted table is idle"
        assert isinstance(target, Table), "only a hosted table is idle"
        source.hold([guest for guest, _ in joins])
        context.listings.update(source_listing)
        context.book(target, len(joins))
        spectators = [guest for guest in source.guests if guest.tie is Tie.COMPANY]
        for guest in spectators:  # before the players: their protocol announces each player that joins
            context.leave_for(guest, target).watch(guest)
        moved_guests: list[Guest] = []
        refused_guests: dict[Guest, list[Any]] = {}

        def handle_reply(guest: Guest, is_seated: bool) -> None:
            """Record the reply to one guest; after the last, let both tables continue."""
            if is_seated:
                moved_guests.append(guest)
            else:
                refused_guests[guest] = target.recall(guest)
            if len(moved_guests) + len(refused_guests) < len(joins):
                return
            if refused_guests:
                self._return_spectators(spectators, source, target)
            self._finish_move(source_listing, moved_guests, refused_guests)

        for guest, join in joins:
            target.receive(guest, join, partial(handle_reply, guest))
        return True

    def _return_spectators(self, spectators: list[Guest], source: Table, target: Table) -> None:
        """Move spectators back to `source`, where some players remain, unless they have since joined `target`."""
        for spectator in spectators:
            if spectator.table is target and target.seat_of(spectator) is None and not target.expects(spectator):
                self._context.leave_for(spectator, source).watch(spectator)

    def _finish_move(self, listing: Listing, moved_guests: list[Guest], refused_guests: dict[Guest, list[Any]]) -> None:
        """Let the old table continue; after a refusal, suspend merging for `APPEND_RETRY_SECONDS`."""
        if refused_guests and not self.suspended:
            self.suspended = True
            self._context.clock.later(APPEND_RETRY_SECONDS, self.merge_all)
        assert isinstance(listing.table, Table), "its guests were moved"
        listing.table.release(moved_guests, refused_guests)
        if listing.table.match.id in self._context.listings:
            self._context.listings.update(listing)


def _oldest_target_first(pair: tuple[Listing, Listing]) -> tuple[bool, int, int]:
    """Sort key of a source and a target: moves to an older table come first."""
    source, target = pair
    return target.number > source.number, target.number, source.number


def movable_guests(table: GuestTable) -> list[Guest]:
    """Return the seated guests that may move to another table; guests that must keep their seat come first."""
    seats = {guest: seat for guest in table.guests if (seat := table.seat_of(guest)) is not None}
    movable = [guest for guest in seats if guest.tie is not Tie.TABLE]
    return sorted(movable, key=lambda guest: (guest.tie is not Tie.SEAT, seats[guest]))


def moves(source: ListedTable, target: ListedTable, free: int, now: float) -> list[tuple[Guest, Join]]:
    """Return the guests to move from `source` to the `free` seats of `target`, each with its join command.

    The list is empty if the tables cannot or need not be merged.
    """
    people = _person_count(source.match)
    if free < 1 or not people or not _person_count(target.match) or not (source.idle and target.idle):
        return []
    joins: list[tuple[Guest, Join]] = []
    match = target.match
    setting = source.match.setting
    terms_agree = same_terms(match.setting, setting.options, setting.policy)
    for guest in movable_guests(source):
        if guest.tie is Tie.TERMS and not terms_agree:
            continue
        join = _join_command(source, guest)
        try:
            match = decide(match, join, now)[-1].match
        except BoardwireError:
            continue  # the target refuses this guest, for example because its name is taken there
        joins.append((guest, join))
        if len(joins) == free:
            break
    if len(joins) == people:
        return joins
    must_stay_together = any(guest.tie is Tie.COMPANY for guest in source.guests)
    return joins if len(joins) == free and not must_stay_together else []


def _person_count(match: Match) -> int:
    return sum(player is not None and not player.bot for player in match.players)


def _join_command(table: GuestTable, guest: Guest) -> Join:
    """Return the command that joins another table with the guest's player, wish and, if tied, seat."""
    seat = table.seat_of(guest)
    assert seat is not None, "only a seated guest moves"
    chair = table.match.chairs[seat]
    assert chair.player is not None, "a seated guest has a player"
    return Join(chair.player, seat if guest.tie is Tie.SEAT else None, chair.wish, chair.ready)
