"""Context shared by the parts of a cluster node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from boardwire.cluster.ports import Leases, Reader
from boardwire.table.events import Event
from boardwire.table.guest import Guest
from boardwire.table.handover import Handover
from boardwire.table.match import Match
from boardwire.table.ports import Clock

if TYPE_CHECKING:
    from boardwire.cluster.hosting.lobby import ClusterLobby
    from boardwire.cluster.tables import HostedTable
    from boardwire.cluster.transport.outbox import Outbox


class HostingObserver(Protocol):
    """Receiver of reports from hosted tables and the lobby; the `Member` implements it."""

    def changed(self, table: HostedTable, /) -> None:
        """The players or the status of a table may have changed."""

    def forgotten(self, table: HostedTable, /) -> None:
        """A table was removed from the lobby."""

    def superseded(self, handover: Handover, /) -> None:
        """A table has stepped down because another node appended to its match."""

    def hand_over_outdated(self, table: HostedTable, /) -> None:
        """Another node has appended to the match; the table has not stepped down yet."""

    def forward(self, guest: Guest, match: str, node: str, request: Any, /) -> None:
        """Let a guest make a request at the table of a match that `node` hosts."""

    def known_match(self, match: str, /) -> Match | None:
        """Return a match as far as the guests of this node have seen it, or None."""

    def hosting(self, table: HostedTable, after: int, events: Sequence[Event], /) -> None:
        """This node now hosts the table; `events` are those of the match after number `after`."""


class NodeContext(msgspec.Struct):
    """Identity, lobby, ports and outbox of one node, and where the cluster's lobby is."""

    name: str
    generation: int
    lobby: ClusterLobby
    clock: Clock
    leases: Leases
    reader: Reader
    outbox: Outbox
    observer: HostingObserver
    report_unreadable: Callable[[str, Exception], None]
    lobby_node: str = ""
    """The node whose lobby presides over the cluster; empty while it is unknown."""

    @property
    def lobby_is_here(self) -> bool:
        return self.lobby_node == self.name

    @property
    def lobby_is_remote(self) -> bool:
        """Whether the lobby presides at another node, and it is known at which."""
        return self.lobby_node not in ("", self.name)
