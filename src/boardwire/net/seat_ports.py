"""One port per seat of an organiser's table, for protocols that can name neither a match nor a player."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from boardwire.errors import Unavailable
from boardwire.games.game import Seat
from boardwire.net.listener import Listener, address, listen


class SeatPorts:
    """Open ports by match. `protocol` returns the protocol factory of a dialect. If `ports` is empty, any free port is
    used.

    A port stays open until its match is over, so that a client can reconnect if its protocol and table allow it.
    """

    def __init__(
        self,
        protocol: Callable[[str], Callable[..., asyncio.Protocol]],
        host: str,
        ports: range,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._protocol = protocol
        self._host = host
        self._ports = ports
        self._loop = loop
        self._listeners: dict[str, list[Listener]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._listeners.values()))

    async def open(self, dialect: str, match: str, seat: Seat, port: int = 0) -> int:
        """Open a port for a seat, preferably `port`, and return its number; raise `Unavailable` if none is free."""
        protocol = partial(self._protocol(dialect), reserved_seat=(match, seat))
        taken_ports = self._taken_ports()
        candidates: Iterable[int] = ((port,) if port else ()) + (tuple(self._ports) or (0,))
        for number in candidates:
            if number in taken_ports:
                continue
            try:
                listener = await listen(protocol, dialect, self._host, number, self._loop)
            except Unavailable:
                continue  # another program uses it
            self._listeners.setdefault(match, []).append(listener)
            return address(listener)[1]
        place = f"in {self._ports[0]}-{self._ports[-1]} (--seat-ports)" if self._ports else f"on {self._host}"
        raise Unavailable(f"no port {place} is free for seat {seat}")

    def close(self, match: str) -> None:
        """Close the ports of a match; connections that were accepted stay open."""
        for listener in self._listeners.pop(match, ()):
            listener.close()

    def close_all(self) -> None:
        """Close every port."""
        for match in tuple(self._listeners):
            self.close(match)

    def _taken_ports(self) -> set[int]:
        return {address(listener)[1] for listeners in self._listeners.values() for listener in listeners}
