"""Finding a waiting table for a seek, or opening a new one.

- A seek joins the oldest waiting public table with the same game, size and terms.
- With `Tie.TERMS` it joins only a table with the same options and clock at which its name is not taken.
- A new table keeps the options and the policy of the seek that opened it.
- With `fill_seconds`, bots take the free seats of a public table at which a person has waited for that time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice
from operator import attrgetter

import msgspec

from boardwire import games
from boardwire.errors import Refused, either
from boardwire.lobby.attending import Attending
from boardwire.lobby.context import LobbyContext
from boardwire.lobby.listings import Listing, TermsKey
from boardwire.lobby.requests import Seek
from boardwire.lobby.terms import check_policy, same_terms
from boardwire.table.commands import Join
from boardwire.table.events import Opened
from boardwire.table.guest import Guest, Tie
from boardwire.table.match import Match, Status, match_of_opening
from boardwire.table.table import Table


class Matchmaking:
    """Seats guests at waiting tables, and opens new tables."""

    def __init__(self, context: LobbyContext, attending: Attending, fill_seconds: float) -> None:
        self.fill_seconds = fill_seconds
        """Waiting time after which bots take the free seats; 0: never."""
        self._context = context
        self._attending = attending

    def seek(self, guest: Guest, seek: Seek) -> None:
        """Seat a guest at the oldest waiting table that matches, or at a new one."""
        offered = () if seek.private or seek.fresh else self._context.listings.offered_listings(self._terms_key(seek))
        listings = [listing for listing in offered if not listing.table.ends]
        if seek.tie is Tie.TERMS:
            listings = [listing for listing in listings if self._suits_seek(listing.table.match, seek)]
        guest.tie = seek.tie
        table = min(listings, key=attrgetter("number")).table if listings else self.open(guest, seek)
        self._context.join(guest, table, Join(seek.player, seek.seat, seek.wish, seek.ready))

    def _suits_seek(self, match: Match, seek: Seek) -> bool:
        """Return whether a table has the options and the clock of a seek, and no player of the same name."""
        options = match.setting.game.Options() if seek.options is None else seek.options
        names = {player.name for player in match.players if player is not None and player.name}
        return seek.player.name not in names and same_terms(match.setting, options, seek.policy or self._context.policy)

    def terms(self, seek: Seek) -> TermsKey:
        """Return the terms by which other seeks find a table opened for this one."""
        return () if seek.private or seek.named else self._terms_key(seek)

    def _terms_key(self, seek: Seek) -> TermsKey:
        dialect = seek.player.dialect if self._context.own_tables else ""
        return (seek.game, seek.seats, dialect, *seek.terms)

    def open(self, guest: Guest, seek: Seek, *, sits: bool = True) -> Table:
        """Open a table and seat its bots; with `sits`, keep a seat for the guest."""
        context = self._context
        event = self.opening(seek)
        match = match_of_opening(event)
        if seek.bots:
            context.quotas.count_bot_match(guest, match.id)
        table = context.make_table(match, event)
        # One more seat than the bots need is reserved: the table survives if an attending guest leaves at once.
        listing = context.listings.add(table, self.terms(seek), 1 + len(seek.bots))
        self._schedule_bots(listing)
        if seek.seats > len(seek.bots) + sits:
            self._attending.admit_to(listing)
        for seat, bot in seek.bots:
            table.do(None, Join(bot, seat))
        context.book(table, -1)
        return table

    def opening(self, seek: Seek) -> Opened:
        """Return the opening event of a valid seek; raise `Refused` for an invalid one."""
        context = self._context
        game = games.game(seek.game)
        if seek.seats not in game.seat_counts:
            raise Refused(f"{seek.game} is for {either(game.seat_counts)} players, not {seek.seats}")
        policy = seek.policy or context.policy
        check_policy(policy)
        if policy.practice and len(seek.bots) + 1 != seek.seats:
            raise Refused(f"a practice table needs bots in all seats but yours, {seek.seats - 1}; you asked for "
                          f"{len(seek.bots)}")  # fmt: skip
        for _, bot in seek.bots:
            if not context.bots.knows(bot.bot, seek.game):
                raise Refused(f"there is no bot {bot.bot!r} for {seek.game}; GET /api/bots lists the bots")
        event = Opened(
            context.clock.now(),
            context.names.match(),
            f"{game.name}@{game.rules}",
            seek.seats,
            game.Options() if seek.options is None else seek.options,
            policy,
            seek.player.dialect,
            context.names.code() if seek.private else "",
        )
        # Set up a position to validate the options: a table that could never start must not open.
        game.new(game.settle(match_of_opening(event).setting.options, (None,) * seek.seats), seek.seats)
        return event

    def _schedule_bots(self, listing: Listing) -> None:
        setting = listing.table.match.setting
        if self.fill_seconds and not setting.code and setting.policy.rated is not True:
            self._context.clock.later(self.fill_seconds, lambda: self._fill_with_bots(listing))

    def _fill_with_bots(self, listing: Listing) -> None:
        """Seat bots if a person is waiting, and check again later: a seat may become free before the start."""
        context, table = self._context, listing.table
        is_waiting = table.match.id in context.listings and table.match.status is Status.WAITING
        if context.frozen or table.ends or not is_waiting:
            return
        bot = context.bots.substitute(table.match.setting.game.name)
        has_person = any(player is not None and not player.bot for player in table.match.players)
        if bot is not None and has_person and not table.held:
            names = {player.name for player in table.match.players if player is not None}
            unused_names = (name for name in _numbered_names(bot.name) if name not in names)
            free_seats = listing.free
            context.book(table, free_seats)  # before the joins, which may trigger a seek that must not take these seats
            for name in islice(unused_names, free_seats):
                table.do(None, Join(msgspec.structs.replace(bot, name=name)))
        self._schedule_bots(listing)


def _numbered_names(name: str) -> Iterator[str]:
    """Yield `name`, `name 2`, `name 3` and so on."""
    return chain((name,), (f"{name} {number}" for number in count(2)))
