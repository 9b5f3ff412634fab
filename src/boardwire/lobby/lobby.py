"""The lobby: all tables of a node, and the requests by which guests come to them.

- A seek is seated at the oldest waiting public table of the same game, size and terms, or opens one
  (`matchmaking.py`). Full tables are not offered; a seat that is left before the start is offered again at once.
- Waiting tables with the same terms are merged, so that people who wait meet (`merge.py`).
- With `own_tables`, guests of different dialects do not meet.
- A private table is joined by its code only (`private_codes.py`). A public table with unusual terms (`terms.py`) is
  listed, and joined by its id.
- An organiser's table has reserved seats (`reservations.py`): it is private, never offered or merged, and stays open
  while it waits, even without guests.
- A guest may attend a table: watch it fill before taking a seat (`attending.py`).
- A player without a token who left in mid-play may return by name and dialect while the seat is empty.
- A practice table is for one person against bots, who may ask for hints (`hints.py`).
- Quotas limit the matches, held seats and requests of one player and of one client address (`quotas.py`).
- With `limit`, no guest is seated while that many matches are in play; guests already at a table stay there.
- A table is removed when its last guest leaves after the end, when only bots are left before the start, and at once
  if another process takes over its match (`Superseded`).
- After a restart, unfinished matches resume or are closed (`recovery.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, cast

from msgspec.structs import replace

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby.attending import Attending, only_attends
from boardwire.lobby.claimed_names import ClaimedNames
from boardwire.lobby.context import LobbyContext, bots_of
from boardwire.lobby.held_seats import check_token, token_hash
from boardwire.lobby.hints import request_hint
from boardwire.lobby.listings import Listing
from boardwire.lobby.matchmaking import Matchmaking
from boardwire.lobby.merge import Merging
from boardwire.lobby.private_codes import PrivateCodes
from boardwire.lobby.quotas import Quotas
from boardwire.lobby.recovery import Recovery, Unreadable, ignore_unreadable
from boardwire.lobby.rematches import Rematches
from boardwire.lobby.requests import (
    LOBBY_REQUESTS,
    Advise,
    Attend,
    Claim,
    Decline,
    Depart,
    Enter,
    Introduce,
    LobbyRequest,
    Open,
    Reclaim,
    Rematch,
    Resume,
    Seek,
    Survey,
    Unclaim,
    Watch,
)
from boardwire.lobby.reservations import Reservations, SeatReservation
from boardwire.lobby.table_lists import TableLists
from boardwire.table.commands import Act, Close, Command, Join, Leave, Return
from boardwire.table.events import Opened, Player
from boardwire.table.guest import Claimed, Guest, Introduced, NotHeld, Refusal, Surveyed, Tie
from boardwire.table.handover import Handover, dismiss
from boardwire.table.match import Match, Status, match_of_opening
from boardwire.table.policy import Policy
from boardwire.table.ports import Bots, Clock, Dealer, Journal, ListedTable, NameSource, NoBots, ReportFault, no_report
from boardwire.table.table import Table
from boardwire.table.termination import Termination

AnyTable = TypeVar("AnyTable", bound=Table)


class Lobby:
    """All tables of a node."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        dealer: Dealer,
        names: NameSource,
        bots: Bots | None = None,
        *,
        own_tables: bool = False,
        fill: float = 0.0,
        limit: int = 0,
        report: ReportFault = no_report,
        policy: Policy = Policy(),
        quotas: Quotas | None = None,
    ) -> None:
        quotas = Quotas() if quotas is None else quotas
        self.clock = clock
        self._journal = journal
        self._dealer = dealer
        self.context = LobbyContext(
            clock,
            names,
            NoBots() if bots is None else bots,
            limit=limit,
            own_tables=own_tables,
            policy=policy,
            quotas=quotas,
            report=report,
            is_full=lambda: self.full,
            make_table=lambda match, opening: self.make_table(match, opening),
        )
        self.attending = Attending(self.context)
        self.matchmaking = Matchmaking(self.context, self.attending, fill)
        self.merging = Merging(self.context)
        self.recovery = Recovery(journal, self.context, self.merging)
        self._rematches = Rematches(self.context, self.matchmaking)
        self._codes = PrivateCodes(quotas)
        self.reservations = Reservations(self.find_table)
        self.end_observers: list[Callable[[ListedTable], None]] = []
        """Called with each table whose match is over, perhaps more than once."""
        self.change_observers: list[Callable[[ListedTable], None]] = []
        """Called with each table whose seats or status may have changed."""
        self._claims = ClaimedNames()
        self._surveys = TableLists(self._list_tables, clock.now)

    def __len__(self) -> int:
        return len(self.context.listings)

    def __iter__(self) -> Iterator[ListedTable]:
        return (listing.table for listing in self.context.listings)

    # --- requests of guests -------------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: LobbyRequest | Command) -> None:
        """Handle a request of a guest: a `LobbyRequest`, or a command for its table."""
        table = guest.table
        if type(request) is Act and table is not None:
            table.do(guest, request)  # the fast path: almost every request is a move
        elif type(request) in LOBBY_REQUESTS:
            try:
                self._handle_request(guest, cast("LobbyRequest", request))
            except BoardwireError as reason:
                guest.tell(Refusal(request, reason.without_frames()))
        elif table is None:
            guest.tell(Refusal(request, Refused("you are not at a table", reason=Reason.NO_TABLE)))
        elif isinstance(request, Join):
            self.context.join(guest, table, request)
        else:
            table.do(guest, cast("Command", request))

    def disconnected(self, guest: Guest) -> None:
        """Release the name claims, held requests and seat of a disconnected guest."""
        self._claims.release(guest)
        self.recovery.deferred.pop(guest, None)
        self.attending.discard(guest)
        self.leave(guest)

    def leave(self, guest: Guest) -> None:
        """Let a guest leave its table, if it is at one."""
        self.context.leave(guest)

    def freeze(self) -> None:
        """Store no departures from now on: the server is stopping, and its matches resume later."""
        self.context.frozen = True

    def _handle_request(self, guest: Guest, request: LobbyRequest) -> None:
        """Handle a lobby request; raise `BoardwireError` to refuse it."""
        match request:
            case Depart():
                self.recovery.deferred.pop(guest, None)
                self.leave(guest)
            case Claim(name=name, scope=scope):
                self._claims.take(guest, name, scope)
                guest.tell(Claimed(name))
            case Unclaim():
                self._claims.release(guest)
            case Introduce():
                self._introduce_guest(guest, request)
            case Survey(game=game, waiting=True):
                guest.tell(self._list_waiting(game))
            case Survey(game=game, shared=shared):
                guest.tell(self.shared_survey(game) if shared else self._list_tables(game))
            case Advise():
                request_hint(self.context.bots, guest, request)
            case Rematch():
                self._rematches.request(guest)
            case Decline(reason=reason):
                raise reason
            case _ if guest.table is not None and not only_attends(guest):
                raise Refused("you are already at a table; leave it first", reason=Reason.AT_TABLE)
            case Watch() | Open() | Attend():
                self._lead_to_watch(guest, request)
            case _:
                self._lead_to_seat(guest, request)
        if guest.table is not None:
            self.attending.discard(guest)

    def _introduce_guest(self, guest: Guest, request: Introduce) -> None:
        """Identify a guest by its token, or by a new one; deferred until all matches are recovered."""
        guest.name = request.name
        if request.token:
            check_token(request.token)
            if self.recovery.unfinished:
                self.recovery.deferred[guest] = request
                return
        token = request.token or self.context.names.token()
        keys = request.keys or (token_hash(token),)
        guest.key = keys[0]
        seats = tuple(seat for key in keys for seat in self.context.held_seats.of(key))
        guest.tell(Introduced(token, guest.key, seats, request.name))

    def _lead_to_seat(self, guest: Guest, request: LobbyRequest) -> None:
        """Handle a request of a guest without a seat for a seat at a table."""
        context, now = self.context, self.clock.now()
        match request:
            case Seek(returns=True) | Reclaim() if self.recovery.unfinished:
                self.recovery.deferred[guest] = request
            case Seek(returns=True, player=player) | Reclaim(player=player) if (
                left_seat := context.held_seats.find_left_seat(player)
            ):
                context.quotas.count_arrival(guest, now)
                table, seat = left_seat
                guest.table = context.leave_for(guest, table)
                table.do(guest, Return(seat, "", player))
            case Reclaim():
                guest.tell(NotHeld())
            case Seek(game=game, player=player) if reserved := self.reservations.find(guest, game, player):
                self.reservations.check_seek(reserved.match, request)
                self._enter_reserved(guest, reserved, Join(player, None, request.wish, request.ready))
            case Seek():
                context.check_room()
                self._check_seats(guest)
                context.quotas.count_opening(guest, now)
                self.matchmaking.seek(guest, request)
            case Enter(match=match_id, player=player, wish=wish, seat=seat, ready=ready):
                context.check_room()
                self._check_seats(guest)
                context.quotas.count_arrival(guest, now)
                guest.tie = request.tie
                table = self._admitted_table(guest, match_id, request.code, player)
                join = self.reservations.join(guest, table.match, request.code, Join(player, seat, wish, ready))
                context.join(guest, table, join)
            case Resume(match=match_id, seat=seat, key=key, others=others):
                context.quotas.count_arrival(guest, now)
                guest.table = table = context.leave_for(guest, self.table(match_id))
                table.do(guest, Return(seat, _seat_key(table.match, seat, key, others)))

    def _lead_to_watch(self, guest: Guest, request: Watch | Open | Attend) -> None:
        """Handle a request of a guest without a seat to watch a table."""
        context, now = self.context, self.clock.now()
        match request:
            case Watch(match=match_id, code=code):
                context.quotas.count_arrival(guest, now)
                table = self._admitted_table(guest, match_id, code)
                context.quotas.check_spectators(guest, table)
                context.leave_for(guest, table).watch(guest)
            case Open() if guest.reserved_seat is not None:
                raise Refused("the table of this port is already open", reason=Reason.AT_TABLE)
            case Open(seek=seek):
                context.check_room()
                context.quotas.count_opening(guest, now)
                guest.tie = seek.tie
                table = self.matchmaking.open(guest, seek, sits=False)
                if guest.table is not table:  # an attending guest watches it already
                    context.leave_for(guest, table).watch(guest)
            case Attend(game=game) if reserved := self.reservations.find(guest, game, _claimed_player(guest)):
                context.quotas.count_arrival(guest, now)
                guest.tie = Tie.TABLE
                context.leave_for(guest, reserved).watch(guest)
            case Attend():
                self.attending.attend(guest, request)

    def _enter_reserved(self, guest: Guest, table: ListedTable, join: Join) -> None:
        """Seat a guest at the table where a seat is reserved for it."""
        context = self.context
        context.check_room()
        self._check_seats(guest)
        context.quotas.count_arrival(guest, self.clock.now())
        guest.tie = Tie.TABLE
        context.join(guest, table, self.reservations.join(guest, table.match, "", join))

    def _check_seats(self, guest: Guest) -> None:
        """Raise `Refused` if a player has too many seats and none in a suspended match that can be given up."""
        if not guest.key:
            return
        matches = [match.id for match, _ in self.context.held_seats.of(guest.key)]
        seats = len(matches)
        if self.context.quotas.is_at_limit(seats) and self.context.give_up(matches) is not None:
            seats -= 1  # the index still has the seat, because the end of its match is not stored yet
        self.context.quotas.check_seats(guest, seats)

    def _admitted_table(self, guest: Guest, match: str, code: str, player: Player | None = None) -> ListedTable:
        """Return the table of a match; raise `Refused` if the guest needs a code and `code` is wrong."""
        table = self.table(match)
        if not self.reservations.admits(guest, match, player):
            self._codes.check(guest, table.match, code, self.clock.now(), self.reservations.codes(match))
        return table

    # --- tables of organisers -----------------------------------------------------------------------------------------

    def open_reserved(self, seek: Seek, seats: Sequence[SeatReservation]) -> Table:
        """Open a private table with reserved seats, and seat its bots; raise `Refused` if it cannot be played."""
        self.context.check_room()
        event = self.matchmaking.opening(replace(seek, private=True))
        table = self.context.make_table(match_of_opening(event), event)
        self.context.listings.add(table, (), seek.seats)
        self.reservations.add(event.match, seats)
        table.store_opening()
        for seat, bot in seek.bots:
            table.do(None, Join(bot, seat))
        return table

    def restore_reserved(self, match: Match, seats: Sequence[SeatReservation]) -> Table:
        """Reopen the table of a waiting match after a restart; its players have to join again."""
        table = self.context.make_table(match, None)
        self.context.listings.add(table, (), len(match.chairs))
        self.reservations.add(match.id, seats)
        table.resume()
        for seat, player in enumerate(match.players):
            if player is not None and not player.bot:
                self.context.book(table, 1)
                table.do(None, Leave(seat, awaited=True))
        return table

    def open_arranged(self, match: str, seek: Seek, players: Sequence[Player]) -> Table:
        """Open the table of `match` with all its players, and start it; people are absent until they come.

        The caller has stored the match id before, so that a match is not arranged twice.
        """
        self.context.check_room()
        event = replace(self.matchmaking.opening(seek), match=match)
        table = self.context.make_table(match_of_opening(event), event)
        self.context.listings.add(table, (), len(players))
        self._seat_arranged(table, players)
        return table

    def complete_arranged(self, table: Table, players: Sequence[Player]) -> None:
        """Seat the missing players of an arranged match whose node died before all were seated."""
        self.context.book(table, sum(player is None for player in table.match.players))
        self._seat_arranged(table, players)

    def _seat_arranged(self, table: Table, players: Sequence[Player]) -> None:
        """Seat the arranged players, and hold the seats of people until they arrive."""
        seated_players = table.match.players
        for seat, player in enumerate(players):
            if seated_players[seat] is None:
                table.do(None, Join(player, seat))
        for seat, player in enumerate(players):
            if not player.bot:
                table.do(None, Leave(seat, restart=True))

    # --- tables -------------------------------------------------------------------------------------------------------

    def table(self, match: str) -> ListedTable:
        """Return the open table of a match; raise `Refused` if there is none."""
        if match in self.recovery.unfinished:
            self.recovery.recover(match)
        table = self.find_table(match)
        if table is None:
            raise Refused(f"there is no open table {match!r}", reason=Reason.NO_SUCH_TABLE)
        return table

    def find_table(self, match: str) -> ListedTable | None:
        """Return the listed table of a match, or None."""
        listing = self.context.listings.get(match)
        return None if listing is None else listing.table

    def survey(self, game: str = "") -> tuple[Match, ...]:
        """Return the matches at public tables (of one game), oldest first."""
        return _public_matches((table.match for table in self), game)

    def shared_survey(self, game: str = "") -> Surveyed:
        """Return the list of public tables that readers share (`TableLists`)."""
        return self._surveys.of(game)

    def _list_tables(self, game: str = "") -> Surveyed:
        audiences = {table.match.id: table.audience for table in self if table.audience}
        return Surveyed(self.survey(game), self.full, audiences)

    def _list_waiting(self, game: str) -> Surveyed:
        matches = (listing.table.match for listing in self.context.listings.waiting_listings())
        return Surveyed(_public_matches(matches, game), self.full)

    @property
    def full(self) -> bool:
        """Whether the limit of simultaneous matches is reached.

        Unfinished matches of an earlier process count until they are recovered, because they may resume.
        """
        return 0 < self.context.limit <= len(self.context.playing) + len(self.recovery.unfinished)

    def make_table(self, match: Match, opening: Opened | None = None) -> Table:
        """Make the table of a new match or of one read from the journal; subclasses choose the class."""
        return self.build_table(Table, match, opening)

    def build_table(self, kind: type[AnyTable], match: Match, opening: Opened | None = None) -> AnyTable:
        """Make a table of class `kind` with the ports of this lobby."""
        return kind(
            match, self._journal, self.clock, self._dealer, self.context.bots,
            opening=opening, observer=self, report=self.context.report,
        )  # fmt: skip

    # --- notifications of tables: `boardwire.table.ports.TableObserver` -----------------------------------------------

    def changed(self, table: ListedTable) -> None:
        """Update the listing of a table, or remove the table."""
        listing = self.context.listing(table)
        if listing is None:
            return  # removed before its end was stored
        if table.superseded:
            self._note_table(table)
            self._forget_table(listing)
            return
        if table.match.status is Status.WAITING and _is_deserted(listing):
            self._forget_table(listing)
            if table.is_stored:
                table.do(None, Close(Termination.ABANDONED))
            return
        self.context.listings.update(listing)
        self._note_table(table)
        for notify_change in self.change_observers:
            notify_change(table)
        if table.match.status is not Status.OVER:
            return
        for notify_end in self.end_observers:
            notify_end(table)
        if table.guests:
            self._rematches.update(listing)
        else:
            self._forget_table(listing)

    def settled(self, table: ListedTable) -> None:
        """Merge an idle waiting table with another one, if that is possible."""
        listing = self.context.listing(table)
        if listing is not None and self.context.listings.is_offered(listing):
            self.merging.merge(listing)

    def freed(self, table: ListedTable) -> None:
        """Cancel the reservation of a seat."""
        listing = self.context.listing(table)
        if listing is not None:
            listing.booked -= 1

    def expects(self, table: ListedTable) -> bool:
        """Return whether a seat of a table is reserved for a guest that is not seated yet."""
        listing = self.context.listing(table)
        return listing is not None and listing.booked > sum(player is not None for player in table.match.players)

    def try_hold(self, guest: Guest, match: Match, seat: Seat) -> bool:
        """Count the seat of a leaving guest as held; return False if the quotas do not let it be held."""
        return self.context.quotas.try_hold(guest, match, seat)

    def superseded(self, table: ListedTable, handover: Handover) -> None:
        """Disconnect the guests of a match that another process has taken over."""
        dismiss(handover)

    def forgotten(self, table: ListedTable) -> None:
        """Called when a table has been removed; for subclasses."""

    def _note_table(self, table: ListedTable) -> None:
        """Update the counts after a change of a table; if the server is no longer full, waiting tables may merge."""
        was_full = self.full
        self.context.note(table)
        self.merging.resume(was_full)

    def _forget_table(self, listing: Listing) -> None:
        self.context.remove(listing)
        self.reservations.forget(listing.table.match.id)
        self.forgotten(listing.table)

    # --- tables that move between the nodes of a cluster --------------------------------------------------------------

    def enlist(self, table: ListedTable, booked: int = 0) -> None:
        """List a table opened on another node, with `booked` seats taken; it is found by its id only."""
        self.context.listings.add(table, (), booked)
        self._note_table(table)

    def offer(self, table: ListedTable, seek: Seek) -> None:
        """Offer a listed waiting table under the terms of `seek`, unless it has terms already."""
        listing = self.context.listing(table)
        if listing is not None and not listing.terms and table.match.status is Status.WAITING:
            listing.terms = self.matchmaking.terms(seek)
            self.context.listings.update(listing)
            self.clock.later(0.0, lambda: self.settled(table))

    def exchange(self, table: ListedTable) -> None:
        """Replace the listed table of the same match by `table`."""
        listing = self.context.listing(table)
        if listing is not None:
            self.context.held_seats.forget(listing.table)
            listing.table = table
            self.context.listings.update(listing)
            self._note_table(table)

    def withdraw(self, match: str) -> None:
        """Remove the table of a match that another node hosts."""
        listing = self.context.listings.get(match)
        if listing is not None:
            self.context.remove(listing)

    # --- after a restart ----------------------------------------------------------------------------------------------

    @property
    def recovery_counts(self) -> tuple[int, int]:
        """Number of matches resumed and of matches closed after the restart."""
        return self.recovery.counts

    def find_unfinished(self, unreadable: Unreadable = ignore_unreadable) -> None:
        """Find the matches to recover; `recover_next` then recovers one at a time."""
        self.recovery.begin(unreadable)

    def recover(self, unreadable: Unreadable = ignore_unreadable) -> tuple[int, int]:
        """Recover every unfinished match; return how many were resumed and how many closed."""
        self.find_unfinished(unreadable)
        while self.recover_next():
            pass
        return self.recovery_counts

    def recover_next(self) -> bool:
        """Recover the oldest unfinished match; return whether any are left."""
        if self.recovery.step():
            return True
        for guest, request in self.recovery.take_deferred().items():
            self.do(guest, request)
        return bool(self.recovery.unfinished)


def _claimed_player(guest: Guest) -> Player:
    """Return a player with the name that a guest has claimed; the scope of the claim is its dialect."""
    scope, name = guest.claim or ("", "")
    return Player(name, scope)


def _seat_key(match: Match, seat: Seat, key: str, others: tuple[str, ...]) -> str:
    """Return the key under which a player has a seat: one of `others`, else `key`."""
    player = match.players[seat] if 0 <= seat < len(match.chairs) else None
    return player.key if player is not None and player.key in others else key


def _public_matches(matches: Iterable[Match], game: str) -> tuple[Match, ...]:
    """Return the matches at public tables, of one game unless it is empty."""
    public = (match for match in matches if not match.setting.code)
    return tuple(match for match in public if game in ("", match.setting.game.name))


def _is_deserted(listing: Listing) -> bool:
    """Return whether only bots are at a table; they may be stored before the guest that requested them."""
    table = listing.table
    return all(guest.bot for guest in table.guests) and listing.booked <= len(bots_of(table.match))
