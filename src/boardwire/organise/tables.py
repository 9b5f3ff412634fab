"""Organiser's tables: open, follow, cancel, and find again after a restart.

- The service follows its tables as a spectator, so that other tables cost nothing.  A step becomes events of the
  organiser, written together with the state of the table.
- After a restart a waiting table is opened again with the same codes and ports, and its players have to come again.  A
  match that was being played follows the policy of its table; an end that was stored but not reported is reported.
- An organiser has at most `MAX_OPEN_TABLES_PER_ORGANISER` tables that are not over.
- All methods run on the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import msgspec
import structlog
from msgspec.structs import replace

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Outcome, Seat
from boardwire.lobby.lobby import Lobby
from boardwire.organise.events import (
    EventKind,
    add_event,
    add_table,
    read_open_tables,
    save_table,
    stored_state,
)
from boardwire.organise.table_record import (
    OPEN_STATES,
    SeatRecord,
    TableRecord,
    TableRequest,
    TableState,
    seek_of,
)
from boardwire.records.records import Records, Transaction
from boardwire.table import events as told
from boardwire.table.commands import Close
from boardwire.table.guest import Guest, Notification, Step
from boardwire.table.match import Match, Moment, Status, fold
from boardwire.table.ports import Journal, ListedTable, Timer
from boardwire.table.termination import Termination

log = structlog.get_logger("boardwire.organise")

MAX_OPEN_TABLES_PER_ORGANISER: Final = 500
"""Tables of an organiser that are not over: a round robin of thirty teams, or a term of exercises."""
MAX_SEAT_PORTS: Final = 256
"""Ports of single seats that are open at once, of all organisers."""


class SeatPorts(Protocol):
    """Opens and closes the ports of single seats."""

    async def open(self, dialect: str, match: str, seat: Seat, port: int = 0, /) -> int:
        """Open a port for a seat, if possible this one, and return its number; raise `Unavailable` without one."""

    def close(self, match: str, /) -> None:
        """Close the ports of a match."""

    def __len__(self) -> int:
        """Number of open ports."""


class _Open:
    """A table that is not over."""

    def __init__(self, owner: int, record: TableRecord) -> None:
        self.owner = owner
        self.record = record
        self.guest: Guest | None = None
        self.timer: Timer | None = None
        self.unreported: list[Moment] | None = None
        """What happened before the table was stored, to be reported after it; None: report at once."""
        self.ends_as = TableState.OVER
        """State after the end: that of a cancelled or expired table is set before it is closed."""


class OrganisedTables:
    """The organiser's tables of a node.  `notify` is called when there are new deliveries."""

    def __init__(
        self, lobby: Lobby, journal: Journal, records: Records, ports: SeatPorts, notify: Callable[[], None]
    ) -> None:
        self._lobby = lobby
        self._journal = journal
        self.records = records
        self._ports = ports
        self._notify = notify
        self._open: dict[str, _Open] = {}

    def __len__(self) -> int:
        return len(self._open)

    # --- requests of an organiser -------------------------------------------------------------------------------------

    async def open(self, owner: int, request: TableRequest) -> TableRecord:
        """Open a table for others and return it; raise `Refused` with what is wrong."""
        if sum(one.owner == owner for one in self._open.values()) >= MAX_OPEN_TABLES_PER_ORGANISER:
            words = f"you have {MAX_OPEN_TABLES_PER_ORGANISER} tables that are not over, the maximum; cancel some"
            raise Refused(words, reason=Reason.LIMIT)
        if len(self._ports) + sum(seat.port for seat in request.seats) > MAX_SEAT_PORTS:
            words = f"{len(self._ports)} seat ports are open, the maximum is {MAX_SEAT_PORTS}; try again later"
            raise Refused(words, reason=Reason.LIMIT)
        seek = seek_of(request)
        names = self._lobby.context.names
        seats = tuple(
            SeatRecord(
                number,
                seat.name,
                "" if seat.bot else seat.dialect,
                seat.bot,
                names.code() if seat.dialect == "native" and not seat.bot else "",
            )
            for number, seat in enumerate(request.seats)
        )
        reserved = [one.reservation(by_name=not request.seats[one.seat].port) for one in seats if not one.bot]
        table = self._lobby.open_reserved(seek, reserved)
        match, now = table.match, self._lobby.clock.now()
        record = TableRecord(
            match.id, seek.game, request.label, TableState.WAITING, now, now + request.wait, match.setting.code, seats
        )
        one = self._open[match.id] = _Open(owner, record)
        one.unreported = []
        self._watch(one, table)  # before the first await: a player may sit down while the table is being stored
        try:
            await self._open_ports(one, {number for number, seat in enumerate(request.seats) if seat.port})

            def work(db: Transaction) -> None:
                add_table(db, owner, one.record)
                add_event(db, owner, EventKind.OPENED, now, match.id, {"label": request.label, "game": seek.game})

            await self.records.write(work)
        except BaseException:
            self._discard(one)
            table.do(None, Close(Termination.CLOSED))
            raise
        self._notify()
        self._report_early(one)
        self._await_players(one, table)
        return one.record

    def cancel(self, match: str) -> TableRecord | None:
        """Close a table and return it; None: it is over already."""
        one = self._open.get(match)
        if one is None:
            return None
        self._end(one, TableState.CANCELLED)
        return replace(one.record, state=TableState.CANCELLED)

    def current(self, match: str) -> TableRecord | None:
        """Return the latest state of a table that is not over; its write may still be on the way."""
        one = self._open.get(match)
        return None if one is None else one.record

    # --- after a restart ----------------------------------------------------------------------------------------------

    async def restore_waiting(self) -> None:
        """Open the waiting tables of the last process again, before the lobby recovers what it finds in the journal."""
        for owner, record in self.records.read(read_open_tables):
            one = _Open(owner, record)
            match = self._stored(record.match)
            if match is None or match.status is not Status.WAITING:
                self._open[record.match] = one  # `restore_playing` continues
                continue
            free = tuple(replace(seat, player=None) if not seat.bot else seat for seat in record.seats)
            one.record = replace(record, seats=free)
            self._open[record.match] = one
            reserved = [seat.reservation(by_name=not seat.port) for seat in free if not seat.bot]
            table = self._lobby.restore_reserved(match, reserved)
            try:
                await self._open_ports(one, {seat.seat for seat in free if seat.port})
            except BoardwireError as error:
                log.warning("cannot reopen the port of a seat", match=record.match, error=str(error))
            self._watch(one, table)
            self._await_players(one, table)

    def restore_playing(self) -> None:
        """Follow the matches that the last process was playing, once the lobby knows what it has to recover."""
        for one in [one for one in self._open.values() if one.guest is None]:
            match = self._stored(one.record.match)
            if match is None:
                self._finish(one, Outcome(Termination.INTERRUPTED), 0)
            elif match.outcome is not None:
                self._finish(one, match.outcome, match.seq)
            elif not match.setting.policy.resumes:
                self._finish(one, Outcome(Termination.INTERRUPTED), match.seq)
            else:
                self._resume(one)

    def _resume(self, one: _Open) -> None:
        match = one.record.match
        try:
            table = self._lobby.table(match)
        except Refused as error:  # the lobby could not recover it and has reported why
            log.warning("a match of an organiser cannot be recovered", match=match, error=str(error))
            self._finish(one, Outcome(Termination.INTERRUPTED), 0)
        else:
            one.record = replace(one.record, state=TableState.PLAYING)
            self._watch(one, table)

    def _stored(self, match: str) -> Match | None:
        try:
            events = self._journal.read(match)
        except BoardwireError as error:
            log.warning("cannot read an organiser's match", match=match, error=str(error))
            return None
        return fold(events) if events else None

    # --- following a table --------------------------------------------------------------------------------------------

    async def _open_ports(self, one: _Open, seats: set[Seat]) -> None:
        ports = {
            seat.seat: await self._ports.open(seat.dialect, one.record.match, seat.seat, seat.port)
            for seat in one.record.seats
            if seat.seat in seats
        }
        with_ports = tuple(replace(seat, port=ports.get(seat.seat, 0)) for seat in one.record.seats)
        one.record = replace(one.record, seats=with_ports)

    def _watch(self, one: _Open, table: ListedTable) -> None:
        one.guest = Guest(lambda heard: self._hear(one, heard), bot=True)
        table.watch(one.guest)

    def _await_players(self, one: _Open, table: ListedTable) -> None:
        clock = self._lobby.clock
        if table.match.status is Status.WAITING:
            wait = max(0.0, one.record.closes - clock.now())
            one.timer = clock.later(wait, lambda: self._expire(one))

    def _hear(self, one: _Open, heard: Notification) -> None:
        if isinstance(heard, Step):
            for moment in heard.moments:
                if one.unreported is None:
                    self._report(one, moment)
                else:
                    one.unreported.append(moment)

    def _report_early(self, one: _Open) -> None:
        moments, one.unreported = one.unreported or [], None
        for moment in moments:
            self._report(one, moment)

    def _report(self, one: _Open, moment: Moment) -> None:
        event = moment.event
        match event:
            case told.Joined(seat=seat, player=player) | told.Readied(seat=seat, player=player) if not player.bot:
                self._seat(one, seat, player.name)
                if isinstance(event, told.Readied) or moment.match.chairs[seat].ready:
                    self._write(one, EventKind.JOINED, event.at, _player(seat, player))
            case told.Left(seat=seat):
                if moment.match.status is Status.WAITING:
                    self._seat(one, seat, None)
                self._write(one, EventKind.LEFT, event.at, {"seat": seat})
            case told.Returned(seat=seat):
                self._write(one, EventKind.RETURNED, event.at, {"seat": seat})
            case told.Started():
                if one.timer is not None:
                    one.timer.cancel()
                one.record = replace(one.record, state=TableState.PLAYING)
                self._write(one, EventKind.STARTED, event.at, {})
            case told.Ended(outcome=outcome):
                self._finish(one, outcome, moment.match.seq)

    def _seat(self, one: _Open, seat: Seat, name: str | None) -> None:
        seats = tuple(replace(each, player=name) if each.seat == seat else each for each in one.record.seats)
        one.record = replace(one.record, seats=seats)

    def _expire(self, one: _Open) -> None:
        if one.record.state is TableState.WAITING:
            self._end(one, TableState.EXPIRED)

    def _end(self, one: _Open, state: TableState) -> None:
        one.ends_as = state
        try:
            self._lobby.table(one.record.match).do(None, Close(Termination.CLOSED))
        except Refused:  # it is no longer open, and its end is on the way
            return

    def _finish(self, one: _Open, outcome: Outcome, moves: int) -> None:
        kind = {TableState.CANCELLED: EventKind.CANCELLED, TableState.EXPIRED: EventKind.EXPIRED}.get(
            one.ends_as, EventKind.ENDED
        )
        one.record = replace(one.record, state=one.ends_as, outcome=outcome)
        missing = [seat.seat for seat in one.record.seats if seat.player is None and not seat.bot]
        data: dict[str, Any] = {"outcome": msgspec.to_builtins(outcome), "events": moves, "label": one.record.label}
        if kind is not EventKind.ENDED:
            data["missing"] = missing
        data["seats"] = [
            {"seat": seat.seat, "name": seat.name or seat.player or seat.bot, "won": seat.seat in outcome.winners}
            for seat in one.record.seats
        ]
        self._write(one, kind, self._lobby.clock.now(), data)
        self._discard(one)

    def _write(self, one: _Open, kind: EventKind, at: float, data: Mapping[str, Any]) -> None:
        record, owner = one.record, one.owner

        def work(db: Transaction) -> None:
            if stored_state(db, record.match) not in OPEN_STATES:
                return  # its end was reported before
            save_table(db, record)
            add_event(db, owner, kind, at, record.match, dict(data))

        self.records.submit(work, lambda _: self._notify())

    def _discard(self, one: _Open) -> None:
        """Forget a table that is over."""
        self._open.pop(one.record.match, None)
        self._ports.close(one.record.match)
        if one.timer is not None:
            one.timer.cancel()
        if one.guest is not None:
            guest, one.guest = one.guest, None
            self._lobby.clock.later(0.0, lambda: self._lobby.leave(guest))  # not while the table notifies its guests


def _player(seat: Seat, player: told.Player) -> dict[str, Any]:
    return {"seat": seat, "name": player.name, "dialect": player.dialect}
