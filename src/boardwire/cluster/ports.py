"""Ports of a cluster node: leases and journal reads.

Calls never block. Each answer is passed to `done` on the caller's thread, None if the database cannot be reached.
`leases.py` has the implementations; `tests/cluster/world.py` has simulated ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from boardwire.table.events import Event

LOBBY: Final = ""
"""Name of the lobby's lease; all other leases are named after matches."""

LEASE_SECONDS: Final = 3.0
"""How long the leases of a node hold after its last heartbeat, by the database's clock."""
BEAT_SECONDS: Final = 0.5
"""Interval between heartbeats."""


class LiveNode(msgspec.Struct, frozen=True):
    """A node with a current heartbeat."""

    name: str
    generation: int
    """How many times a node of this name has started."""
    version: int = 0
    """Version of the messages that it sends."""


class Membership(msgspec.Struct, frozen=True):
    """The database's answer to a heartbeat: the live nodes, and the holder of the lobby's lease (empty if none)."""

    peers: tuple[LiveNode, ...]
    lobby: str = ""
    lapsed: bool = False
    """Whether this node's previous heartbeat was so old that others may have taken over its matches."""


class Leases(Protocol):
    """Leases on matches and the lobby: they decide where a table is hosted, the journal decides what is true."""

    def take(self, names: Sequence[str], done: Callable[[Mapping[str, str] | None], None], /) -> None:
        """Take the leases that no live node holds; `done` receives the holder of each."""

    def give(self, names: Sequence[str], node: str, /) -> None:
        """Transfer leases to `node`, if this node holds them or they are free."""

    def drop(self, names: Sequence[str], /) -> None:
        """Release leases."""

    def read_held(self, done: Callable[[Sequence[str] | None], None], /) -> None:
        """Pass the unfinished matches whose leases this node holds to `done`."""

    def read_orphans(self, done: Callable[[Sequence[str] | None], None], /) -> None:
        """Pass the unfinished matches whose leases no live node holds to `done`, oldest first."""


class Reader(Protocol):
    """Asynchronous reader of the journal."""

    def fetch(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None], /) -> None:
        """Pass the events of a match after number `after` to `done`."""
