"""The nodes of a cluster as its database has them, for operators."""

from __future__ import annotations

import threading
from time import monotonic
from typing import Final

import msgspec

from boardwire.cluster.ports import LEASE_SECONDS
from boardwire.errors import BoardwireError, Reason, Unavailable
from boardwire.store.postgres import connect, writing

SECONDS: Final = 1.0
"""How long what was read is good enough for others who ask."""
_NODES: Final = """
    SELECT name, version, CASE WHEN beat > '-infinity' THEN extract(epoch FROM now() - beat)::float8 END,
        (SELECT count(*) FROM boardwire.leases WHERE node = name AND leases.life = nodes.life AND match <> ''),
        EXISTS (SELECT FROM boardwire.leases WHERE node = name AND leases.life = nodes.life AND match = '')
    FROM boardwire.nodes ORDER BY name
"""


class Node(msgspec.Struct, frozen=True):
    """A node, as far as the database has heard of it."""

    name: str
    version: int
    """Of the letters it writes to other nodes."""
    heard: float | None
    """Seconds since its last heartbeat; None: it has said that it stops."""
    tables: int
    """How many matches it hosts."""
    lobby: bool
    """Whether the lobby is there."""

    @property
    def up(self) -> bool:
        """Whether the others take it to be there."""
        return self.heard is not None and self.heard < LEASE_SECONDS


class Roster:
    """Reads them; any thread may ask."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._nodes: tuple[Node, ...] = ()
        self._read = -SECONDS

    def nodes(self) -> tuple[Node, ...]:
        """All that were there since yesterday, by name; `Unavailable` if the database cannot be read at the moment."""
        with self._lock:
            if monotonic() - self._read >= SECONDS:
                self._nodes, self._read = self._ask(), monotonic()
            return self._nodes

    def _ask(self) -> tuple[Node, ...]:
        try:
            with connect(self._address) as connection, writing():
                return tuple(Node(*row) for row in connection.execute(_NODES).fetchall())
        except BoardwireError as error:
            raise Unavailable("the nodes cannot be read at the moment", reason=Reason.UNAVAILABLE) from error
