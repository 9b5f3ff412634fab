"""What passes at a server's own tables, kept for whoever runs it: `boardwire serve --inspect`.

Each connection has a monitor, as at a proxy, and what it tells is kept by connection, with the tables and seats that it
had.  Rules:

- Bytes are put aside in the call that brought them and looked at afterwards, in slices (`proxy.Lookout`): a move waits
  for nobody who watches.
- The last `KEPT` entries of a connection are kept, and of a message's bytes no more than `BYTES`; of all connections
  together `MOST`: those that closed first are forgotten first, then the older half of what the others said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from boardwire.api.wire import Live, LiveSeat
from boardwire.clinic.finding import Side
from boardwire.clinic.inspector import BYTES
from boardwire.clinic.monitor import Monitor, Record, Said
from boardwire.clinic.proxy import Lookout
from boardwire.games.game import Seat
from boardwire.table.guest import Guest

KEPT: Final = 5_000
MOST: Final = 100_000
PLACES: Final = 100
"""Tables that are remembered of one connection."""


class Tapped:
    """One connection: what it said, and where it sat.  It is the ear of a `net.watched.WatchedConnection`."""

    def __init__(self, lookout: Lookout, number: int, dialect: str, guest: Guest) -> None:
        self.number = number
        self.dialect = dialect
        self.entries: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.places: dict[str, Seat | None] = {}
        """Where it was, by match; None: it watched."""
        self.over = False
        self.monitor: Monitor
        self._lookout = lookout
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
        self.note_place()
        self._lookout.hear(self.monitor, Side.CLIENT, data)

    def server(self, data: bytes) -> None:
        """See `boardwire.net.watched.Ear`."""
        self.note_place()
        self._lookout.hear(self.monitor, Side.SERVER, data)

    def client_left(self, *, reset: bool) -> None:
        """See `boardwire.net.watched.Ear`."""
        self.note_place()
        self._lookout.close(self.monitor, Side.CLIENT, reset=reset)
        self._lookout.forget(self.monitor)
        self._guest = None
        self.over = True

    def server_left(self) -> None:
        """See `boardwire.net.watched.Ear`."""
        self._lookout.close(self.monitor, Side.SERVER, reset=False)


class Tap:
    """See the module."""

    def __init__(self, token: str, complain: Callable[[str], None]) -> None:
        self.token = token
        self._connections: dict[int, Tapped] = {}
        self._count = 0
        self._kept = 0
        self._lookout = Lookout(self._tell, complain)

    def open(self, dialect: str, address: str, guest: Guest) -> Tapped:
        """See `boardwire.net.watched.Listener`."""
        number = self._lookout.count + 1
        tapped = self._connections[number] = Tapped(self._lookout, number, dialect, guest)
        tapped.monitor = self._lookout.open(dialect, address)
        return tapped

    def after(self, match: str, number: int, most: int) -> Live:
        """See `boardwire.api.wire.Tap`."""
        here = []
        for one in self._connections.values():
            if not one.over:
                one.note_place()
            if match in one.places:
                here.append(one)
        found = sorted(entry for one in here for entry in one.entries if entry[0] > number)[:most]
        seats = tuple(LiveSeat(one.number, one.dialect, one.places[match]) for one in here)
        entries = tuple(msgspec.Raw(entry) for _, entry in found)
        return Live(True, True, found[-1][0] if found else number, seats, entries)

    def stop(self) -> None:
        """Look no more."""
        self._lookout.stop()

    def _tell(self, record: Record) -> None:
        tapped = self._connections.get(record.connection)
        if tapped is None:
            return
        fields = record.fields()
        if isinstance(record, Said):
            fields["bytes"] = record.data[:BYTES].hex()
        self._count += 1
        self._kept += len(tapped.entries) < KEPT
        tapped.entries.append((self._count, msgspec.json.encode(fields)))
        if self._kept > MOST:
            self._forget()

    def _forget(self) -> None:
        for number in [one.number for one in self._connections.values() if one.over]:
            self._kept -= len(self._connections.pop(number).entries)
            if self._kept <= MOST // 2:
                return
        for one in self._connections.values():  # so many talk now that each is remembered for half as long
            for _ in range(len(one.entries) // 2):
                one.entries.popleft()
                self._kept -= 1
