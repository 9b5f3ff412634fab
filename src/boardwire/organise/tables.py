"""Organiser's tables: opened, watched, cancelled, and restored after a restart.

- The service watches its tables as a spectator, so that it costs other tables nothing. A step becomes events of the
  organiser, written together with the state of the table.
- After a restart, a waiting table is opened again with the same codes and ports, and its players have to join again. A
  match in progress follows the policy of its table; an end that was stored but not reported is reported.
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
from boardwire.table import events as ev
from boardwire.table.commands import Close
from boardwire.table.guest import Guest, Notification, Step
from boardwire.table.match import Match, Moment, Status, fold
from boardwire.table.ports import Journal, ListedTable, Timer
from boardwire.table.termination import Termination

log = structlog.get_logger("boardwire.organise")

MAX_OPEN_TABLES_PER_ORGANISER: Final = 500
"""Tables of an organiser that are not over: enough for a round robin of thirty teams (435), or a term of exercises."""
MAX_SEAT_PORTS: Final = 256
"""Open seat ports of all organisers together."""


class SeatPorts(Protocol):
    """Opens and closes the ports of single seats."""

    async def open(self, dialect: str, match: str, seat: Seat, port: int = 0, /) -> int:
        """Open a port for a seat, `port` if it is free, and return its number; raise `Unavailable` if none is free."""

    def close(self, match: str, /) -> None:
        """Close the ports of a match."""

    def __len__(self) -> int:
        """Number of open ports."""


class _OpenTable:
    """A table that is not over."""

    def __init__(self, owner: int, record: TableRecord) -> None:
        self.owner = owner
        self.record = record
        self.guest: Guest | None = None
        self.timer: Timer | None = None
        self.unreported: list[Moment] | None = None
        """Moments to report once the table is stored, or None to report them at once."""
        self.end_state = TableState.OVER
        """State of the table after its end; it is set before a cancelled or expired table is closed."""


class OrganisedTables:
    """The organiser's tables of a node. `notify` is called when there are new deliveries."""

    def __init__(
        self, lobby: Lobby, journal: Journal, records: Records, ports: SeatPorts, notify: Callable[[], None]
    ) -> None:
        self._lobby = lobby
        self._journal = journal
        self.records = records
        self._ports = ports
        self._notify = notify
        self._open_tables: dict[str, _OpenTable] = {}

    def __len__(self) -> int:
        return len(self._open_tables)

    # --- requests of an organiser -------------------------------------------------------------------------------------

    async def open(self, owner: int, request: TableRequest) -> TableRecord:
        """Open a table for others and return it; raise `Refused` if that is not possible."""
        if sum(entry.owner == owner for entry in self._open_tables.values()) >= MAX_OPEN_TABLES_PER_ORGANISER:
            message = f"you have {MAX_OPEN_TABLES_PER_ORGANISER} open tables, the maximum; cancel one first"
            raise Refused(message, reason=Reason.LIMIT)
        if len(self._ports) + sum(seat.port for seat in request.seats) > MAX_SEAT_PORTS:
            message = f"{len(self._ports)} seat ports are open, the maximum is {MAX_SEAT_PORTS}; try again later"
            raise Refused(message, reason=Reason.LIMIT)
        seek = seek_of(request)
        seats = self._seat_records(request)
        reservations = [seat.reservation(by_name=not request.seats[seat.seat].port) for seat in seats if not seat.bot]
        table = self._lobby.open_reserved(seek, reservations)
        match, now = table.match, self._lobby.clock.now()
        record = TableRecord(
            match.id, seek.game, request.label, TableState.WAITING, now, now + request.wait, match.setting.code, seats
        )
        entry = self._open_tables[match.id] = _OpenTable(owner, record)
        entry.unreported = []
        self._watch(entry, table)  # before the first await: a player may join while the table is being stored
        try:
            await self._open_ports(entry, {number for number, seat in enumerate(request.seats) if seat.port})

            def work(db: Transaction) -> None:
                add_table(db, owner, entry.record)
                add_event(db, owner, EventKind.OPENED, now, match.id, {"label": request.label, "game": seek.game})

            await self.records.write(work)
        except BaseException:
            self._discard(entry)
            table.do(None, Close(Termination.CLOSED))
            raise
        self._notify()
        self._report_stored_moments(entry)
        self._await_players(entry, table)
        return entry.record

    def _seat_records(self, request: TableRequest) -> tuple[SeatRecord, ...]:
        """Return the records of a new table's seats, with a code for each native client."""
        names = self._lobby.context.names
        return tuple(
            SeatRecord(
                number,
                seat.name,
                "" if seat.bot else seat.dialect,
                seat.bot,
                names.code() if seat.dialect == "native" and not seat.bot else "",
            )
            for number, seat in enumerate(request.seats)
        )

    def cancel(self, match: str) -> TableRecord | None:
        """Close a table and return it, or return None if it is over."""
        entry = self._open_tables.get(match)
        if entry is None:
            return None
        self._close_table(entry, TableState.CANCELLED)
        return replace(entry.record, state=TableState.CANCELLED)

    def current(self, match: str) -> TableRecord | None:
        """Return the current state of a table, which may not be stored yet, or None if it is over."""
        entry = self._open_tables.get(match)
        return None if entry is None else entry.record

    # --- after a restart ----------------------------------------------------------------------------------------------

    async def restore_waiting(self) -> None:
        """Reopen the waiting tables of the previous process, before the lobby recovers matches from the journal."""
        for owner, record in self.records.read(read_open_tables):
            entry = _OpenTable(owner, record)
            match = self._read_match(record.match)
            if match is None or match.status is not Status.WAITING:
                self._open_tables[record.match] = entry  # `restore_playing` continues
                continue
            free_seats = tuple(replace(seat, player=None) if not seat.bot else seat for seat in record.seats)
            entry.record = replace(record, seats=free_seats)
            self._open_tables[record.match] = entry
            reservations = [seat.reservation(by_name=not seat.port) for seat in free_seats if not seat.bot]
            table = self._lobby.restore_reserved(match, reservations)
            try:
                await self._open_ports(entry, {seat.seat for seat in free_seats if seat.port})
            except BoardwireError as error:
                log.warning("cannot reopen the port of a seat", match=record.match, error=str(error))
            self._watch(entry, table)
            self._await_players(entry, table)

    def restore_playing(self) -> None:
        """Watch the matches in progress of the previous process, once the lobby knows which ones it recovers."""
        for entry in [entry for entry in self._open_tables.values() if entry.guest is None]:
            match = self._read_match(entry.record.match)
            if match is None:
                self._finish(entry, Outcome(Termination.INTERRUPTED), 0)
            elif match.outcome is not None:
                self._finish(entry, match.outcome, match.seq)
            elif not match.setting.policy.resumes:
                self._finish(entry, Outcome(Termination.INTERRUPTED), match.seq)
            else:
                self._resume(entry)

    def _resume(self, entry: _OpenTable) -> None:
        """Watch a recovered match again; a match that cannot be recovered ends as interrupted."""
        match = entry.record.match
        try:
            table = self._lobby.table(match)
        except Refused as error:  # the lobby could not recover it, and has logged why
            log.warning("cannot recover an organiser's match", match=match, error=str(error))
            self._finish(entry, Outcome(Termination.INTERRUPTED), 0)
        else:
            entry.record = replace(entry.record, state=TableState.PLAYING)
            self._watch(entry, table)

    def _read_match(self, match: str) -> Match | None:
        try:
            events = self._journal.read(match)
        except BoardwireError as error:
            log.warning("cannot read an organiser's match", match=match, error=str(error))
            return None
        return fold(events) if events else None

    # --- following a table --------------------------------------------------------------------------------------------

    async def _open_ports(self, entry: _OpenTable, seats: set[Seat]) -> None:
        """Open the ports of these seats and store their numbers in the record; the other seats have no port."""
        ports = {
            seat.seat: await self._ports.open(seat.dialect, entry.record.match, seat.seat, seat.port)
            for seat in entry.record.seats
            if seat.seat in seats
        }
        with_ports = tuple(replace(seat, port=ports.get(seat.seat, 0)) for seat in entry.record.seats)
        entry.record = replace(entry.record, seats=with_ports)

    def _watch(self, entry: _OpenTable, table: ListedTable) -> None:
        entry.guest = Guest(lambda notification: self._handle_notification(entry, notification), bot=True)
        table.watch(entry.guest)

    def _await_players(self, entry: _OpenTable, table: ListedTable) -> None:
        """Start the timer that closes a waiting table."""
        clock = self._lobby.clock
        if table.match.status is Status.WAITING:
            wait = max(0.0, entry.record.closes - clock.now())
            entry.timer = clock.later(wait, lambda: self._expire(entry))

    def _handle_notification(self, entry: _OpenTable, notification: Notification) -> None:
        if isinstance(notification, Step):
            for moment in notification.moments:
                if entry.unreported is None:
                    self._report(entry, moment)
                else:
                    entry.unreported.append(moment)

    def _report_stored_moments(self, entry: _OpenTable) -> None:
        """Report the moments that happened while the table was being stored."""
        moments, entry.unreported = entry.unreported or [], None
        for moment in moments:
            self._report(entry, moment)

    def _report(self, entry: _OpenTable, moment: Moment) -> None:
        """Write the events for the organiser that follow from one event of the match."""
        event = moment.event
        match event:
            case ev.Joined(seat=seat, player=player) | ev.Readied(seat=seat, player=player) if not player.bot:
                self._set_player(entry, seat, player.name)
                if isinstance(event, ev.Readied) or moment.match.chairs[seat].ready:
                    self._write(entry, EventKind.JOINED, event.at, _player(seat, player))
            case ev.Left(seat=seat):
                if moment.match.status is Status.WAITING:
                    self._set_player(entry, seat, None)
                self._write(entry, EventKind.LEFT, event.at, {"seat": seat})
            case ev.Returned(seat=seat):
                self._write(entry, EventKind.RETURNED, event.at, {"seat": seat})
            case ev.Started():
                if entry.timer is not None:
                    entry.timer.cancel()
                entry.record = replace(entry.record, state=TableState.PLAYING)
                self._write(entry, EventKind.STARTED, event.at, {})
            case ev.Ended(outcome=outcome):
                self._finish(entry, outcome, moment.match.seq)

    def _set_player(self, entry: _OpenTable, seat: Seat, name: str | None) -> None:
        """Set the name of a seat's player in the record; None: the seat is free."""
        seats = tuple(replace(each, player=name) if each.seat == seat else each for each in entry.record.seats)
        entry.record = replace(entry.record, seats=seats)

    def _expire(self, entry: _OpenTable) -> None:
        """Close a table whose players have not all come in time."""
        if entry.record.state is TableState.WAITING:
            self._close_table(entry, TableState.EXPIRED)

    def _close_table(self, entry: _OpenTable, state: TableState) -> None:
        """Close a table, which ends in this state."""
        entry.end_state = state
        try:
            self._lobby.table(entry.record.match).do(None, Close(Termination.CLOSED))
        except Refused:  # it is no longer open; the notification of its end follows
            return

    def _finish(self, entry: _OpenTable, outcome: Outcome, moves: int) -> None:
        """Store the end of a table with its outcome, and write its last event."""
        kind = {TableState.CANCELLED: EventKind.CANCELLED, TableState.EXPIRED: EventKind.EXPIRED}.get(
            entry.end_state, EventKind.ENDED
        )
        entry.record = replace(entry.record, state=entry.end_state, outcome=outcome)
        empty_seats = [seat.seat for seat in entry.record.seats if seat.player is None and not seat.bot]
        data: dict[str, Any] = {"outcome": msgspec.to_builtins(outcome), "events": moves, "label": entry.record.label}
        if kind is not EventKind.ENDED:
            data["missing"] = empty_seats
        data["seats"] = [
            {"seat": seat.seat, "name": seat.name or seat.player or seat.bot, "won": seat.seat in outcome.winners}
            for seat in entry.record.seats
        ]
        self._write(entry, kind, self._lobby.clock.now(), data)
        self._discard(entry)

    def _write(self, entry: _OpenTable, kind: EventKind, at: float, data: Mapping[str, Any]) -> None:
        """Store a table with an event, unless the end of the match has been stored."""
        record, owner = entry.record, entry.owner

        def work(db: Transaction) -> None:
            if stored_state(db, record.match) not in OPEN_STATES:
                return  # its end has been reported already
            save_table(db, record)
            add_event(db, owner, kind, at, record.match, dict(data))

        self.records.submit(work, lambda _: self._notify())

    def _discard(self, entry: _OpenTable) -> None:
        """Stop watching a table that is over, and close its ports."""
        self._open_tables.pop(entry.record.match, None)
        self._ports.close(entry.record.match)
        if entry.timer is not None:
            entry.timer.cancel()
        if entry.guest is not None:
            guest, entry.guest = entry.guest, None
            self._lobby.clock.later(0.0, lambda: self._lobby.leave(guest))  # not while the table notifies its guests


def _player(seat: Seat, player: ev.Player) -> dict[str, Any]:
    return {"seat": seat, "name": player.name, "dialect": player.dialect}
