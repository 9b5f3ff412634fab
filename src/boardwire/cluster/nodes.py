"""The nodes of a cluster as the database lists them, for operators."""

from __future__ import annotations

import threading
from time import monotonic
from typing import Final

import msgspec

from boardwire.cluster.ports import LEASE_SECONDS
from boardwire.errors import BoardwireError, Reason, Unavailable
from boardwire.store.postgres import connect, writing

CACHE_SECONDS: Final = 1.0
"""How long a result is cached."""
_NODES: Final = """
    SELECT name, version, CASE WHEN beat > '-infinity' THEN extract(epoch FROM now() - beat)::float8 END,
        (SELECT count(*) FROM boardwire.leases WHERE node = name AND leases.life = nodes.life AND match <> ''),
        EXISTS (SELECT FROM boardwire.leases WHERE node = name AND leases.life = nodes.life AND match = '')
    FROM boardwire.nodes ORDER BY name
"""


class Node(msgspec.Struct, frozen=True):
    """A node as the database knows it."""

    name: str
    version: int
    """Version of the messages that it sends."""
    heartbeat_age: float | None
    """Seconds since its last heartbeat, or None after a regular shutdown."""
    tables: int
    """Number of matches that it hosts."""
    lobby: bool
    """Whether it holds the lobby's lease."""

    @property
    def up(self) -> bool:
        """Whether its leases hold."""
        return self.heartbeat_age is not None and self.heartbeat_age < LEASE_SECONDS


class NodeDirectory:
    """Reader of the node table, for any thread."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._nodes: tuple[Node, ...] = ()
        self._read_at = -CACHE_SECONDS

    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes that were live in the last 24 hours, sorted by name.

        Raises `Unavailable` if the database cannot be read.
        """
        with self._lock:
            if monotonic() - self._read_at >= CACHE_SECONDS:
                self._nodes, self._read_at = self._query(), monotonic()
            return self._nodes

    def _query(self) -> tuple[Node, ...]:
        try:
            with connect(self._address) as connection, writing():
                return tuple(Node(*row) for row in connection.execute(_NODES).fetchall())
        except BoardwireError as error:
            raise Unavailable(
                "cannot read the cluster's nodes from the database; try again later", reason=Reason.UNAVAILABLE
            ) from error
