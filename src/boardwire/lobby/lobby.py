"""Finds or opens a table.

Rules:

- Whoever seeks is seated at the oldest waiting public table of the same game, number of seats and terms, or opens one.
  A table keeps the options and the policy of whoever opened it; where that one names no policy, the house's own.
- A table whose seats are all taken or promised is not offered again; a seat that is left before the start is free at
  once, and the table is offered again in its old place.
- When a seat has become free, those who wait at different tables of the same terms are brought together (`merge.py`),
  at the oldest table, or, where some cannot be moved, at theirs.
- With `own_tables`, only guests of one dialect meet.
- A private table has a code and is joined by it alone.  A public one whose terms are not ordinary (`terms.py`) is on
  the list, and joined by those who name it.
- A guest may attend: it watches the table that is being filled before it sits down there.
- A player who left in mid-play and has no key to show may come back by its name, in the same dialect, while it is away.
- A table for practice is one person's against bots: nobody else sits down there, and that one may ask for advice.
- With `fill`, the free seats of a public table where a player has waited so many seconds are given to bots.
- What one player or one address may have and ask for is bounded (`quotas.py`).
- With `limit`, nobody is seated while so many matches are being played; those that wait at a table stay there.
- A table that nobody but bots sits or watches at before it has begun, and one that is over, is forgotten when its last
  guest has gone; one whose match somebody else has now (`Superseded`), at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from hmac import compare_digest
from itertools import chain, count, islice
from operator import attrgetter
from typing import Any, TypeVar, cast

import msgspec

from boardwire import games
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby.claimed_names import Claims
from boardwire.lobby.held_seats import Places, check_token, key_of, known_by
from boardwire.lobby.listings import Listing, Listings, Terms
from boardwire.lobby.merge import movable, moves
from boardwire.lobby.quotas import Ledger, Quotas
from boardwire.lobby.requests import (
    ERRANDS,
    Advise,
    Attend,
    Claim,
    Decline,
    Depart,
    Enter,
    Errand,
    Introduce,
    Open,
    Reclaim,
    Rematch,
    Resume,
    Seek,
    Survey,
    Unclaim,
    Watch,
)
from boardwire.lobby.table_lists import Surveys
from boardwire.lobby.terms import check_times
from boardwire.table.commands import Act, Close, Command, Join, Leave, Return
from boardwire.table.events import Event, Opened, Player
from boardwire.table.guest import (
    Advised,
    Claimed,
    Guest,
    Introduced,
    NoTable,
    NotHeld,
    Refusal,
    RematchWanted,
    Surveyed,
    Tie,
)
from boardwire.table.handover import Handover, send_away
from boardwire.table.match import Match, Status, fold, opened
from boardwire.table.policy import Policy
from boardwire.table.ports import (
    Bots,
    Clock,
    Dealer,
    GuestTable,
    Journal,
    ListedTable,
    Names,
    NoBots,
    Report,
    no_report,
)
from boardwire.table.table import RETRY_SECONDS, Table
from boardwire.table.termination import Termination

AnyTable = TypeVar("AnyTable", bound=Table)
TableOfGuest = TypeVar("TableOfGuest", bound=GuestTable)


class Lobby:
    """All tables of a node."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        dealer: Dealer,
        names: Names,
        bots: Bots | None = None,
        *,
        own_tables: bool = False,
        fill: float = 0.0,
        limit: int = 0,
        report: Report = no_report,
        policy: Policy = Policy(),  # noqa: B008 - a frozen value
        quotas: Quotas | None = None,
    ) -> None:
        self.clock = clock
        self._journal = journal
        self._dealer = dealer
        self._bots = NoBots() if bots is None else bots
        self._names = names
        self._own_tables = own_tables
        self._patience = fill
        self._limit = limit
        self._report = report
        self._policy = policy
        self._frozen = False
        self._listings = Listings()
        self._stuck = False
        """Somebody could not be brought to another table just now, because the journal failed."""
        self._playing: set[str] = set()
        self._attending: dict[tuple[Hashable, ...], dict[Guest, Attend]] = {}
        self._claims = Claims()
        self._places = Places()
        self._ledger = Ledger(Quotas() if quotas is None else quotas)
        self._surveys = Surveys(self._look, clock.now)
        self._unfinished: dict[str, None] = {}
        """The matches of a former process that are still to be taken up."""
        self._unreadable: Callable[[str, Exception], None] = lambda *_: None
        self._recovery: Iterator[None] = iter(())
        self._early: dict[Guest, Errand] = {}
        """Who has come back before all of them were, and is answered then."""
        self.recovered = 0, 0
        """How many were resumed, and how many closed."""

    def __len__(self) -> int:
        return len(self._listings)

    def __iter__(self) -> Iterator[ListedTable]:
        return (listing.table for listing in self._listings)

    def table(self, match: str) -> ListedTable:
        """The table of a match that is open here; `Refused` if there is none."""
        if match in self._unfinished:
            self._take_up(match, self._journal.read)
        listing = self._listings.get(match)
        if listing is None:
            raise Refused(f"there is no open table {match!r}", reason=Reason.NO_SUCH_TABLE)
        return listing.table

    def do(self, guest: Guest, request: Errand | Command) -> None:
        """Carry out what a guest asks: an errand of the lobby's, or a command for its table."""
        table = guest.table
        if type(request) is Act and table is not None:
            table.do(guest, request)  # as nearly always
        elif type(request) in ERRANDS:
            try:
                self._run(guest, cast("Errand", request))
            except BoardwireError as reason:
                guest.tell(Refusal(request, reason.without_frames()))
        elif table is None:
            guest.tell(Refusal(request, Refused("you are at no table", reason=Reason.NO_TABLE)))
        elif isinstance(request, Join):
            self._join(table, guest, request)
        else:
            table.do(guest, cast("Command", request))

    def freeze(self) -> None:
        """From now on nobody who goes is said to have left: the server is stopping, and their matches will go on."""
        self._frozen = True

    def goodbye(self, guest: Guest) -> None:
        """`guest` leaves the house."""
        self._claims.release(guest)
        self._early.pop(guest, None)
        self._unattend(guest)
        self.leave(guest)

    def leave(self, guest: Guest) -> None:
        """`guest` leaves its table, if it is at one."""
        if guest.table is not None and not self._frozen:
            guest.table.leave(guest)

    def _run(self, guest: Guest, errand: Errand) -> None:
        now = self.clock.now()
        match errand:
            case Depart():
                self._early.pop(guest, None)
                self.leave(guest)
            case Claim(name=name, scope=scope):
                self._claims.take(guest, name, scope)
                guest.tell(Claimed(name))
            case Unclaim():
                self._claims.release(guest)
            case Introduce(token=token, name=name):
                guest.name = name
                if token:
                    check_token(token)
                if token and self._unfinished:
                    self._early[guest] = errand
                else:
                    self._introduce(guest, token or self._names.token())
            case Survey(game=game, shared=shared):
                guest.tell(self.surveyed(game) if shared else self._look(game))
            case Advise():
                self._advise(guest, errand)
            case Rematch():
                self._rematch(guest)
            case Decline(reason=reason):
                raise reason
            case _ if guest.table is not None and not self._merely_attends(guest):
                raise Refused("you are at a table already", reason=Reason.AT_TABLE)
            case Seek(returns=True) | Reclaim() if self._unfinished:
                self._early[guest] = errand
            case Seek(returns=True, player=player) | Reclaim(player=player) if held := self._left_by(player):
                self._ledger.come(guest, now)
                table, seat = held
                guest.table = self._turn(guest, table)
                table.do(guest, Return(seat, "", player))
            case Reclaim():
                guest.tell(NotHeld())
            case Seek() | Enter() | Open() if self.full:
                raise self._is_full()
            case Seek():
                self._sit(guest)
                self._ledger.open(guest, now)
                self._seek(guest, errand)
            case Enter(match=name, player=player, code=code, wish=wish, seat=seat, ready=ready):
                self._sit(guest)
                self._ledger.come(guest, now)
                guest.tie = errand.tie
                self._join(self._allowed(guest, name, code), guest, Join(player, seat, wish, ready))
            case Resume(match=name, seat=seat, key=key):
                self._ledger.come(guest, now)
                table = self._turn(guest, self.table(name))
                guest.table = table
                table.do(guest, Return(seat, key))
            case Watch(match=name, code=code):
                self._ledger.come(guest, now)
                self._turn(guest, self._allowed(guest, name, code)).watch(guest)
            case Open(seek=seek):
                self._ledger.open(guest, now)
                guest.tie = seek.tie
                table = self._open(guest, seek, sits=False)
                if guest.table is not table:  # it may have waited for the next one that is opened
                    self._turn(guest, table).watch(guest)
            case Attend():
                self._attend(guest, errand)
        if guest.table is not None:
            self._unattend(guest)

    def _left_by(self, player: Player) -> tuple[ListedTable, Seat] | None:
        """The seat that a player of this name and dialect, and without a key, left in mid-play; the newest of them."""
        known = msgspec.structs.replace(player, key="")
        left = None
        for match, seat in self._places.of(known_by(known)):
            table = self.table(match.id)
            if table.is_left(seat):
                left = table, seat
        return left

    def _introduce(self, guest: Guest, token: str) -> None:
        guest.key = key_of(token)
        guest.tell(Introduced(token, guest.key, tuple(self._places.of(guest.key))))

    def _is_full(self) -> Refused:
        return Refused(
            f"no more than {self._limit} matches are played here at once; try again later", reason=Reason.SERVER_FULL
        )

    def _sit(self, guest: Guest) -> None:
        """See whether a player may have another seat."""
        if guest.key:
            self._ledger.sit(guest, sum(1 for _ in self._places.of(guest.key)))

    def _merely_attends(self, guest: Guest) -> bool:
        table = guest.table
        if table is None or table.match.status is not Status.WAITING:
            return False
        return table.seat_of(guest) is None and not table.expects(guest)

    def _turn(self, guest: Guest, table: TableOfGuest) -> TableOfGuest:
        """Let a guest that attends another table leave that one."""
        if guest.table is not None and guest.table is not table:
            guest.table.leave(guest)
        return table

    def _attend(self, guest: Guest, errand: Attend) -> None:
        guest.tie = errand.tie
        room = (errand.game, errand.dialect if self._own_tables else "")
        waiting = [
            listing
            for listing in self._listings.all_offered()
            if _room(listing.terms) == room and not listing.table.ends and _suits(listing.table, errand)
        ]
        if waiting:
            table = min(waiting, key=attrgetter("number")).table
            self._turn(guest, table).watch(guest)
        else:
            self.leave(guest)
            self._attending.setdefault(room, {})[guest] = errand
            guest.tell(NoTable())

    def _unattend(self, guest: Guest) -> None:
        for attending in self._attending.values():
            attending.pop(guest, None)

    def survey(self, game: str = "") -> tuple[Match, ...]:
        """The matches of the public tables (of one game), oldest first."""
        public = (table.match for table in self if not table.match.setting.code)
        return tuple(match for match in public if game in ("", match.setting.game.name))

    def surveyed(self, game: str = "") -> Surveyed:
        """The same for whoever lists them, shared by all who do so at about the same time."""
        return self._surveys.of(game)

    def _look(self, game: str = "") -> Surveyed:
        audiences = {table.match.id: table.audience for table in self if table.audience}
        return Surveyed(self.survey(game), self.full, audiences)

    @property
    def full(self) -> bool:
        """Whether as many matches are being played as may be.  What a former process left may be played on, so it
        counts until it is known whether it is."""
        return 0 < self._limit <= len(self._playing) + len(self._unfinished)

    def _advise(self, guest: Guest, errand: Advise) -> None:
        table = guest.table
        seat = None if table is None else table.seat_of(guest)
        if table is None or seat is None:
            raise Refused("you have no seat", reason=Reason.NO_SEAT)
        match = table.match
        if not match.setting.policy.practice:
            raise Refused("advice is given only at a table that was opened for practice")
        if match.pending is None or seat not in match.pending.seats:
            raise Refused("advice is given to whoever has to decide", reason=Reason.NOT_YOUR_TURN)

        def done(found: Advised | BoardwireError) -> None:
            guest.tell(Refusal(errand, found.without_frames()) if isinstance(found, BoardwireError) else found)

        self._bots.advise(match, seat, guest.household, done)

    def _rematch(self, guest: Guest) -> None:
        table = guest.table
        seat = None if table is None else table.seat_of(guest)
        listing = None if table is None else self._listings.get(table.match.id)
        if table is None or listing is None or seat is None or table.match.status is not Status.OVER:
            raise Refused("there is no match of yours to repeat")
        listing.wanted |= {seat}
        people = {seat: one for one in table.guests if (seat := table.seat_of(one)) is not None}
        if listing.wanted >= people.keys() and len(people) + len(_bots_of(table.match)) == len(table.match.chairs):
            if self.full:
                raise self._is_full()
            self._ledger.open(guest, self.clock.now())
            listing.repeated = True
            self._repeat(table, guest, people)
        else:
            _tell_wanted(listing)

    def _repeat(self, table: GuestTable, asked: Guest, people: dict[Seat, Guest]) -> None:
        """The same players at a new table, each at the next seat, so that another one begins; whoever watches comes
        along."""
        old = table.match
        count = len(old.chairs)
        bots = tuple(((seat + 1) % count, player) for seat, player in _bots_of(old))
        setting = old.setting
        seek = Seek(setting.game.name, count, Player(dialect=setting.dialect), setting.asked, setting.policy)
        fresh = self._open(asked, msgspec.structs.replace(seek, private=True, bots=bots))
        for seat, guest in sorted(people.items()):
            player = old.chairs[seat].player
            assert player is not None, "whoever sits is somebody"
            table.leave(guest)
            self._join(fresh, guest, Join(player, (seat + 1) % count, old.chairs[seat].wish))
        for guest in table.guests:
            self._turn(guest, fresh).watch(guest)

    def _allowed(self, guest: Guest, name: str, code: str) -> ListedTable:
        table = self.table(name)
        if needed := table.match.setting.code:
            now = self.clock.now()
            self._ledger.try_code(guest, name, now)
            if not compare_digest(needed.encode(), code.encode()):
                self._ledger.wrong_code(guest, name, now)
                raise Refused("this table is private; its code is needed", reason=Reason.PRIVATE)
        return table

    def _seek(self, guest: Guest, seek: Seek) -> None:
        offered = () if seek.private or seek.fresh else self._listings.offered(self._key(seek))
        waiting = [listing for listing in offered if not listing.table.ends]
        guest.tie = seek.tie
        table = min(waiting, key=attrgetter("number")).table if waiting else self._open(guest, seek)
        self._join(table, guest, Join(seek.player, seek.seat, seek.wish, seek.ready))

    def _terms(self, seek: Seek) -> Terms:
        """By what a table that is opened for this is found."""
        return () if seek.private or seek.named else self._key(seek)

    def _key(self, seek: Seek) -> Terms:
        return (seek.game, seek.seats, seek.player.dialect if self._own_tables else "", *seek.terms)

    def _open(self, guest: Guest, seek: Seek, *, sits: bool = True) -> Table:
        game = games.game(seek.game)
        if seek.seats not in game.seat_counts:
            raise Refused(f"{seek.game} is for {' or '.join(map(str, game.seat_counts))} players, not {seek.seats}")
        policy = seek.policy or self._policy
        check_times(policy)
        if policy.practice and len(seek.bots) + 1 != seek.seats:
            raise Refused("a table for practice is for you alone: name a bot for every other seat")
        for _, bot in seek.bots:
            if not self._bots.knows(bot.bot):
                raise Refused(f"there is no bot called {bot.bot!r}")
        event = Opened(
            self.clock.now(),
            self._names.match(),
            f"{game.name}@{game.rules}",
            seek.seats,
            game.Options() if seek.options is None else seek.options,
            policy,
            seek.player.dialect,
            self._names.code() if seek.private else "",
        )
        match = opened(event)
        settled = game.settle(match.setting.options, (None,) * seek.seats)
        game.new(settled, seek.seats)  # a table that could never start is not opened
        if seek.bots:
            self._ledger.employ(guest, match.id)
        table = self.make_table(match, event)
        # one seat is for whoever opens it: the table is not deserted if a guest that attends it goes at once
        listing = self._listings.add(table, self._terms(seek), 1 + len(seek.bots))
        self._await_players(listing)
        self._note(table)
        if seek.seats > len(seek.bots) + sits:
            self._bring_attending(listing)
        for seat, bot in seek.bots:
            table.do(None, Join(bot, seat))
        self._book(table, -1)
        return table

    def make_table(self, match: Match, opening: Opened | None = None) -> Table:
        """A table for a match that is opened, or that was read from the journal; whoever inherits has its own kind."""
        return self.equip(Table, match, opening)

    def equip(self, kind: type[AnyTable], match: Match, opening: Opened | None = None) -> AnyTable:
        """A table of that kind, with all that tables of this house need."""
        return kind(
            match, self._journal, self.clock, self._dealer, self._bots,
            opening=opening, keeper=self, report=self._report,
        )  # fmt: skip

    def _bring_attending(self, listing: Listing) -> None:
        """Let those who wait for the next table that is opened watch this one, if they can sit down there."""
        attending = self._attending.get(_room(listing.terms), {}) if listing.terms else {}
        for guest in [guest for guest, errand in attending.items() if _suits(listing.table, errand)]:
            del attending[guest]
            listing.table.watch(guest)

    def _await_players(self, listing: Listing) -> None:
        if self._patience and not listing.table.match.setting.code:
            self.clock.later(self._patience, lambda: self._fill(listing))

    def _fill(self, listing: Listing) -> None:
        """Nobody came: seat bots, if somebody waits.  Looks again later, since a seat may be freed before the start."""
        table = listing.table
        waits = table.match.id in self._listings and table.match.status is Status.WAITING
        if self._frozen or table.ends or not waits:
            return
        bot = self._bots.player(table.match.setting.game.name)
        has_company = any(player is not None and not player.bot for player in table.match.players)
        if bot is not None and has_company and not table.held:
            names = {player.name for player in table.match.players if player is not None}
            fresh = (name for name in _numbered(bot.name) if name not in names)
            free = listing.free
            self._book(table, free)  # first: whoever looks for a table when it hears of the bots must not come here
            for name in islice(fresh, free):
                table.do(None, Join(msgspec.structs.replace(bot, name=name)))
        self._await_players(listing)

    def _join(self, table: GuestTable, guest: Guest, join: Join) -> None:
        self._turn(guest, table)
        self._book(table, 1)
        guest.table = table
        table.do(guest, join)

    def _book(self, table: GuestTable, seats: int) -> None:
        """Promise so many more seats of the table to somebody."""
        listing = self._listings.get(table.match.id)
        if listing is not None:
            listing.booked += seats
            self._listings.update(listing)

    # --- what its tables tell it, as their keeper -----------------------------------------------------------------

    def changed(self, table: ListedTable) -> None:
        """See `boardwire.table.ports.Keeper`."""
        listing = self._listings.get(table.match.id)
        if listing is None:
            return  # it was forgotten; its end is stored
        if table.superseded:
            self._note(table)
            self._forget(listing)
            return
        if table.match.status is Status.WAITING and _is_deserted(listing):
            self._forget(listing)
            if table.is_stored:
                table.do(None, Close(Termination.ABANDONED))
            return
        self._listings.update(listing)
        self._note(table)
        if table.match.status is not Status.OVER:
            return
        if not table.guests:
            self._forget(listing)
        elif not listing.repeated and (gone := _gone_from(table)) != listing.gone:
            listing.gone = gone
            _tell_wanted(listing)

    def freed(self, table: ListedTable) -> None:
        """See `boardwire.table.ports.Keeper`."""
        listing = self._listings.get(table.match.id)
        if listing is not None:
            listing.booked -= 1

    def expects(self, table: ListedTable) -> bool:
        """See `boardwire.table.ports.Keeper`."""
        listing = self._listings.get(table.match.id)
        return listing is not None and listing.booked > sum(player is not None for player in table.match.players)

    def holds(self, guest: Guest, match: Match, seat: Seat) -> bool:
        """See `boardwire.table.ports.Keeper`."""
        return self._ledger.holds(guest, match, seat)

    def _note(self, table: ListedTable) -> None:
        """Remember who sits there, and whether it is being played at."""
        self._places.note(table)
        self._ledger.note(table.match, table.is_in_play)
        was_full = self.full
        plays = table.match.status is Status.PLAYING and not table.superseded
        (self._playing.add if plays else self._playing.discard)(table.match.id)
        self._use_room(was_full)

    def _use_room(self, was_full: bool) -> None:
        """Bring those together who could not be while the house was full."""
        if was_full and not self.full:
            self.clock.later(0.0, self._gather_all)

    def superseded(self, table: ListedTable, rest: Handover) -> None:
        """See `boardwire.table.ports.Keeper`."""
        send_away(rest)

    def forgotten(self, table: ListedTable) -> None:
        """This table is no more; for whoever inherits."""

    def _forget(self, listing: Listing) -> None:
        self._unlist(listing)
        self.forgotten(listing.table)

    def _unlist(self, listing: Listing) -> None:
        self._listings.forget(listing)
        self._places.forget(listing.table)
        self._ledger.forget(listing.table.match)
        self._playing.discard(listing.table.match.id)

    # --- for a house that is one of several: tables come from others, and go there --------------------------------

    def known(self, match: str) -> ListedTable | None:
        """The table of a match that is listed; None if there is none."""
        listing = self._listings.get(match)
        return None if listing is None else listing.table

    def enlist(self, table: ListedTable, booked: int = 0) -> None:
        """List a table that was not opened here, with so many of its seats taken; it is found by its name alone."""
        self._listings.add(table, (), booked)
        self._note(table)

    def offer(self, table: ListedTable, seek: Seek) -> None:
        """Let a listed table that waits be found as if it had been opened for this, unless it has its terms."""
        listing = self._listings.get(table.match.id)
        if listing is not None and not listing.terms and table.match.status is Status.WAITING:
            listing.terms = self._terms(seek)
            self._listings.update(listing)
            self.clock.later(0.0, lambda: self.settled(table))

    def exchange(self, table: ListedTable) -> None:
        """Let this table stand for its match, in the place of the one that is listed."""
        listing = self._listings.get(table.match.id)
        if listing is not None:
            self._places.forget(listing.table)
            listing.table = table
            self._listings.update(listing)
            self._note(table)

    def withdraw(self, match: str) -> None:
        """List the table of a match no more; others have it."""
        listing = self._listings.get(match)
        if listing is not None:
            self._unlist(listing)

    # --- those who wait are brought together ----------------------------------------------------------------------

    def settled(self, table: ListedTable) -> None:
        """See `boardwire.table.ports.Keeper`."""
        listing = self._listings.get(table.match.id)
        if listing is not None and self._listings.is_offered(listing):
            self._gather(listing)

    def _gather(self, listing: Listing) -> None:
        """See whether those who wait at this table and those at another one can be brought together.  All other pairs
        were looked at when one of them last changed."""
        self._listings.mark(listing, mobile=False)
        pairs = [(other, listing) for other in self._listings.mobile(listing.terms)]
        if movable(listing.table):
            self._listings.mark(listing, mobile=True)
            pairs += [(listing, other) for other in self._listings.offered(listing.terms) if other is not listing]
        if self._frozen or self._stuck or self.full:
            return
        for source, target in sorted(pairs, key=_eldest_first):
            if self._merge(source, target):
                return  # both settle again

    def _gather_all(self) -> None:
        self._stuck = False
        for table in tuple(self):
            if table.quiet:
                self.settled(table)

    def _merge(self, old: Listing, new: Listing) -> bool:
        """Bring guests from one table to the other, if that can be; when all have their seats, or not, both go on."""
        source, target = old.table, new.table
        try:
            coming = moves(source, target, new.free, self.clock.now())
        except Exception as error:  # noqa: BLE001 - the rules are asked; whoever made a table settle is not to blame
            self._report(target.match.id, error)
            return False
        if not coming:
            return False
        assert isinstance(source, Table), "only a hosted table is idle"
        assert isinstance(target, Table), "only a hosted table is idle"
        source.hold([guest for guest, _ in coming])
        self._listings.update(old)
        self._book(target, len(coming))
        company = [guest for guest in source.guests if guest.tie is Tie.COMPANY]
        for guest in company:  # they watch; those they were told of come after them
            self._turn(guest, target).watch(guest)
        gone: list[Guest] = []
        back: dict[Guest, list[Any]] = {}

        def done(guest: Guest, sits: bool) -> None:
            if sits:
                gone.append(guest)
            else:
                back[guest] = target.recall(guest)
            if len(gone) + len(back) < len(coming):
                return
            for one in company if back else ():
                if one.table is target and target.seat_of(one) is None and not target.expects(one):
                    self._turn(one, source).watch(one)
            self._part(old, gone, back)

        for guest, join in coming:
            target.receive(guest, join, partial(done, guest))
        return True

    def _part(self, old: Listing, gone: list[Guest], back: dict[Guest, list[Any]]) -> None:
        if back and not self._stuck:
            self._stuck = True
            self.clock.later(RETRY_SECONDS, self._gather_all)
        assert isinstance(old.table, Table), "its guests were moved"
        old.table.release(gone, back)
        if old.table.match.id in self._listings:
            self._listings.update(old)

    # --- after a restart ------------------------------------------------------------------------------------------

    def find_unfinished(self, unreadable: Callable[[str, Exception], None] = lambda *_: None) -> None:
        """See which matches a former process left unfinished.  Each is taken up in its turn (`recover_next`), or when
        somebody names it; a player who shows its token, or comes back by its name, is answered when all are, since
        only then its seats are known.
        A match that cannot be read is told to `unreadable` and stays as it is: it must not keep others from being
        played."""
        self._unfinished = {name: None for name in self._journal.unfinished() if name not in self._listings}
        self._unreadable = unreadable
        self._recovery = self._recovering()
        self.recovered = 0, 0

    def recover(self, unreadable: Callable[[str, Exception], None] = lambda *_: None) -> tuple[int, int]:
        """Take up all of them at once; gives how many were resumed and how many closed."""
        self.find_unfinished(unreadable)
        while self.recover_next():
            pass
        return self.recovered

    def recover_next(self) -> bool:
        """Take up the oldest match that is still to be taken up; False if there is none."""
        next(self._recovery, None)
        if not self._unfinished:
            early, self._early = self._early, {}
            for guest, errand in early.items():
                self.do(guest, errand)
        return bool(self._unfinished)

    def _recovering(self) -> Iterator[None]:
        """Take up one match at a time.  All are read over one connection: opening one takes longer than a match."""
        with ExitStack() as reading:
            try:
                read = reading.enter_context(self._journal.reading())
            except Exception:  # noqa: BLE001 - reading them one by one tells what is wrong, and with which
                read = self._journal.read
            while self._unfinished:
                self._take_up(next(iter(self._unfinished)), read)
                if self._unfinished:  # the connection is closed with the last of them
                    yield

    def _take_up(self, name: str, read: Callable[[str], Sequence[Event]]) -> None:
        was_full = self.full
        del self._unfinished[name]
        try:
            table = self.make_table(fold(read(name)))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it is wrong with this match alone
            self._unreadable(name, error)
        else:
            self._resume_or_close(table)
        self._use_room(was_full)

    def _resume_or_close(self, table: Table) -> None:
        """A match that can resume is open again for its players, another one is closed as interrupted."""
        resumed, closed = self.recovered
        if table.match.status is Status.PLAYING and table.match.setting.policy.resumes:
            self.recovered = resumed + 1, closed
            self._listings.add(table)
            self._note(table)
            for seat, chair in enumerate(table.match.chairs):
                if chair.player is not None and chair.player.bot:
                    self._bots.sit(table, seat, chair.player)
                else:
                    table.do(None, Leave(seat, restart=True))
        else:
            self.recovered = resumed, closed + 1
            table.do(None, Close(Termination.INTERRUPTED))


def _eldest_first(pair: tuple[Listing, Listing]) -> tuple[bool, int, int]:
    """The order in which pairs of a source and a target are tried: to the older table rather than to the younger."""
    source, target = pair
    return target.number > source.number, target.number, source.number


def _bots_of(match: Match) -> tuple[tuple[Seat, Player], ...]:
    return tuple((seat, one) for seat, one in enumerate(match.players) if one is not None and one.bot)


def _gone_from(table: GuestTable) -> frozenset[Seat]:
    """The seats of people who are not there any more."""
    people = {seat for seat, player in enumerate(table.match.players) if player is not None and not player.bot}
    return frozenset(people - {table.seat_of(guest) for guest in table.guests})


def _tell_wanted(listing: Listing) -> None:
    """Tell everybody at a table whose match is over who wants another one, and with whom there is none."""
    news = RematchWanted(tuple(sorted(listing.wanted - listing.gone)), tuple(sorted(listing.gone)))
    for guest in listing.table.guests:
        guest.tell(news)


def _is_deserted(listing: Listing) -> bool:
    """Whether nobody is there or comes but bots: those can be stored when whoever asked for them cannot."""
    table = listing.table
    return all(guest.bot for guest in table.guests) and listing.booked <= len(_bots_of(table.match))


def _numbered(name: str) -> Iterator[str]:
    """Names for several of a kind."""
    return chain((name,), (f"{name} {number}" for number in count(2)))


def _room(terms: Terms) -> tuple[Hashable, ...]:
    """The game of a table with these terms, and its dialect where they are kept apart."""
    return terms[0], terms[2]


def _suits(table: GuestTable, errand: Attend) -> bool:
    return not errand.seats or len(table.match.chairs) in errand.seats
