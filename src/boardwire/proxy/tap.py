"""Tap on the connections of a running server: `boardwire serve --inspect`.

Each connection has a monitor, as in a proxy. Its records are stored with the tables and seats of the connection.

- Bytes are queued in the callback that receives them and inspected afterwards, in slices (`proxy.MonitorQueue`), so
  that a move never waits for the inspection. Inspection uses at most `LOOP_SHARE` of the event loop: without this
  bound, 20 attacking addresses made it use more than all players and attackers together (58 % of processor time).
- The stored records (`history`) and the queued bytes (`proxy.MonitorQueue`) are bounded, for each connection and in
  total. Dropped records and skipped bytes are counted and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from boardwire.api.conversations import Live, LiveSeat
from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Record
from boardwire.conformance.watchers import watcher
from boardwire.games.game import Seat
from boardwire.proxy.history import History
from boardwire.proxy.proxy import Inspection, MonitorQueue
from boardwire.table.guest import Guest

MAX_TABLES_PER_CONNECTION: Final = 100
LOOP_SHARE: Final = 0.25
"""Part of the event loop that inspection may use."""
STOP_SECONDS: Final = 0.5
"""Time limit of inspection when the server stops: a full queue takes 9 s, but a server must exit within seconds."""


class Tapped:
    """One tapped connection and its seats. It observes a `net.watched.WatchedConnection`."""

    def __init__(self, monitor_queue: MonitorQueue, history: History, number: int, dialect: str, guest: Guest) -> None:
        self.number = number
        self.dialect = dialect
        self.places: dict[str, Seat | None] = {}
        """Seat by match; None for a spectator."""
        self.over = False
        self.inspection: Inspection | None = None
        """None after the end, which frees unfinished messages and the model of the match."""
        self._monitor_queue = monitor_queue
        self._history = history
        self._guest: Guest | None = guest

    def note_place(self) -> None:
        """Store the current table and seat."""
        guest = self._guest
        if guest is not None and (table := guest.table) is not None:
            self.places[table.match.id] = table.seat_of(guest)
            if len(self.places) > MAX_TABLES_PER_CONNECTION:
                del self.places[next(iter(self.places))]

    def note_client_data(self, data: bytes) -> None:
        """Queue bytes of the client."""
        self._receive(Side.CLIENT, data)

    def note_server_data(self, data: bytes) -> None:
        """Queue bytes of the server."""
        self._receive(Side.SERVER, data)

    def _receive(self, side: Side, data: bytes) -> None:
        self.note_place()
        if self.inspection is not None:
            self._monitor_queue.receive(self.inspection, side, data)

    def client_left(self, *, reset: bool) -> None:
        """Queue the end of the client's side and free the inspection."""
        self.note_place()
        if self.inspection is not None:
            self._monitor_queue.close(self.inspection, Side.CLIENT, reset=reset)
            self._monitor_queue.forget(self.inspection)
        self._guest = self.inspection = None
        self.over = True
        self._history.close(self.number)

    def server_left(self) -> None:
        """Queue the end of the server's side."""
        if self.inspection is not None:
            self._monitor_queue.close(self.inspection, Side.SERVER, reset=False)


class Tap:
    """Records of all connections of a server."""

    def __init__(self, token: str, complain: Callable[[str], None], history: History | None = None) -> None:
        self.token = token
        self.history = History() if history is None else history
        self._connections: dict[int, Tapped] = {}
        self._monitor_queue = MonitorQueue(self._tell, complain, share=LOOP_SHARE)

    def prepare(self, dialects: Iterable[str]) -> None:
        """Import the watchers of these dialects, so that no connection waits for an import."""
        for dialect in dialects:
            watcher(dialect)

    def open(self, dialect: str, address: str, guest: Guest) -> Tapped:
        """Return the observer of a new connection (`boardwire.net.watched`)."""
        number = self._monitor_queue.count + 1
        tapped = self._connections[number] = Tapped(self._monitor_queue, self.history, number, dialect, guest)
        tapped.inspection = self._monitor_queue.open(dialect, address)
        return tapped

    def after(self, match: str, number: int, max_records: int) -> Live:
        """Return at most `max_records` records of a match after `number` (`boardwire.api.conversations`)."""
        tapped_by_number = {}
        for tapped in self._connections.values():
            if not tapped.over:
                tapped.note_place()
            if match in tapped.places:
                tapped_by_number[tapped.number] = tapped
        following, entries = self.history.after(number, max_records, tapped_by_number)
        seats = tuple(
            LiveSeat(tapped.number, tapped.dialect, tapped.places[match]) for tapped in tapped_by_number.values()
        )
        dropped = self.history.dropped_of(tapped_by_number)
        return Live(
            inspected=True,
            token=True,
            next=following,
            seats=seats,
            entries=entries,
            dropped=dropped.records,
            dropped_bytes=dropped.bytes,
            unseen=self._monitor_queue.unseen,
        )

    def stop(self) -> None:
        """Inspect queued bytes for at most `STOP_SECONDS`, and stop."""
        self._monitor_queue.stop(STOP_SECONDS)

    def _tell(self, record: Record) -> None:
        if record.connection in self._connections:
            for forgotten in self.history.add(record):
                self._connections.pop(forgotten, None)
            if self._connections[record.connection].over:
                self.history.close(record.connection)
