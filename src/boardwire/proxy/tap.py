"""What passes at a server's own tables, kept for whoever runs it: `boardwire serve --inspect`.

Each connection has a monitor, as at a proxy, and what it tells is kept by connection, with the tables and seats that it
had.  Rules:

- Bytes are put aside in the call that brought them and looked at afterwards, in slices (`proxy.Lookout`): a move waits
  for nobody who watches.
- What is remembered is bounded in bytes, for each connection and in all (`history`); what waits to be looked at is too
  (`proxy.Lookout`).  What was dropped is counted and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from boardwire.api.conversations import Live, LiveSeat
from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Monitor, Record
from boardwire.conformance.watchers import watcher
from boardwire.games.game import Seat
from boardwire.proxy.history import History
from boardwire.proxy.proxy import Lookout
from boardwire.table.guest import Guest

PLACES: Final = 100
"""Tables that are remembered of one connection."""


class Tapped:
    """One connection: what it said, and where it sat.  It is the ear of a `net.watched.WatchedConnection`."""

    def __init__(self, lookout: Lookout, history: History, number: int, dialect: str, guest: Guest) -> None:
        self.number = number
        self.dialect = dialect
        self.places: dict[str, Seat | None] = {}
        """Where it was, by match; None: it watched."""
        self.over = False
        self.monitor: Monitor | None = None
        """None once it is over: a monitor has unfinished messages, and a model of the match."""
        self._lookout = lookout
        self._history = history
        self._guest: Guest | None = guest

    def note_place(self) -> None:
        """See where it is now."""
        guest = self._guest
        if guest is not None and (table := guest.table) is not None:
            self.places[table.match.id] = table.seat_of(guest)
            if len(self.places) > PLACES:
                del self.places[next(iter(self.places))]

    def client(self, data: bytes) -> None:
        """See `boardwire.net.watched.Ear`."""
        self._hear(Side.CLIENT, data)

    def server(self, data: bytes) -> None:
        """See `boardwire.net.watched.Ear`."""
        self._hear(Side.SERVER, data)

    def _hear(self, side: Side, data: bytes) -> None:
        self.note_place()
        if self.monitor is not None:
            self._lookout.hear(self.monitor, side, data)

    def client_left(self, *, reset: bool) -> None:
        """See `boardwire.net.watched.Ear`."""
        self.note_place()
        if self.monitor is not None:
            self._lookout.close(self.monitor, Side.CLIENT, reset=reset)
            self._lookout.forget(self.monitor)
        self._guest = self.monitor = None
        self.over = True
        self._history.close(self.number)

    def server_left(self) -> None:
        """See `boardwire.net.watched.Ear`."""
        if self.monitor is not None:
            self._lookout.close(self.monitor, Side.SERVER, reset=False)


class Tap:
    """See the module."""

    def __init__(self, token: str, complain: Callable[[str], None], history: History | None = None) -> None:
        self.token = token
        self.history = History() if history is None else history
        self._connections: dict[int, Tapped] = {}
        self._lookout = Lookout(self._tell, complain)

    def prepare(self, dialects: Iterable[str]) -> None:
        """Import what watches these dialects, so that no connection waits for the import."""
        for dialect in dialects:
            watcher(dialect)

    def open(self, dialect: str, address: str, guest: Guest) -> Tapped:
        """See `boardwire.net.watched.Listener`."""
        number = self._lookout.count + 1
        tapped = self._connections[number] = Tapped(self._lookout, self.history, number, dialect, guest)
        tapped.monitor = self._lookout.open(dialect, address)
        return tapped

    def after(self, match: str, number: int, most: int) -> Live:
        """See `boardwire.api.conversations.Tap`."""
        here = {}
        for one in self._connections.values():
            if not one.over:
                one.note_place()
            if match in one.places:
                here[one.number] = one
        following, entries = self.history.after(number, most, here)
        seats = tuple(LiveSeat(one.number, one.dialect, one.places[match]) for one in here.values())
        dropped = self.history.dropped_of(here)
        return Live(True, True, following, seats, entries, dropped.records, dropped.bytes, self._lookout.unseen)

    def stop(self) -> None:
        """Look no more."""
        self._lookout.stop()

    def _tell(self, record: Record) -> None:
        if record.connection in self._connections:
            for forgotten in self.history.add(record):
                self._connections.pop(forgotten, None)
            if self._connections[record.connection].over:
                self.history.close(record.connection)
