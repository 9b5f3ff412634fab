"""Cluster metrics of one node."""

from __future__ import annotations

import struct
from collections import Counter, deque
from collections.abc import Callable
from time import perf_counter
from typing import Final

from boardwire.cluster.member import Member
from boardwire.cluster.nodes import Node, NodeDirectory
from boardwire.cluster.transport.authentication import Authenticator
from boardwire.table.counters import Histogram

PROBE: Final = b"probe"
"""Prefix of the payloads that a node sends to itself to measure the bus; no envelope begins with it."""
PROBE_TICKS: Final = 8
"""Ticks between probes (two seconds)."""
PROBE_TIMEOUT_SECONDS: Final = 7.0
"""Time without a returned probe after which the bus counts as one-way: three probes in a row are missing."""
OUTSTANDING_PROBES: Final = 8
"""Probes that may still return; older ones are discarded."""
_TIMESTAMP: Final = struct.Struct("<d")


class ClusterMetrics:
    """Cluster metrics of one node. `send` passes bytes for a node to the bus."""

    def __init__(
        self, member: Member, directory: NodeDirectory, send: Callable[[str, bytes], None], authenticator: Authenticator
    ) -> None:
        self._member = member
        self._authenticator = authenticator
        self._directory = directory
        self._send = send
        self._ticks = 0
        self._last_sent = self._last_returned = perf_counter()
        self._outstanding: deque[float] = deque(maxlen=OUTSTANDING_PROBES)
        self.bus = Histogram()

    @property
    def name(self) -> str:
        """Name of this node."""
        return self._member.name

    def nodes(self) -> tuple[Node, ...]:
        """Return all nodes of the cluster. Blocks on the database."""
        return self._directory.nodes()

    @property
    def hosted(self) -> int:
        """Number of tables that this node hosts."""
        return len(self._member.lobby.tables())

    @property
    def replicas(self) -> dict[str, int]:
        """Number of replicas whose host has confirmed their guests (`settled`), and of all others (`looking`)."""
        counts = Counter("settled" if replica.is_attached else "looking" for replica in self._member.edge.replicas)
        return {state: counts[state] for state in ("settled", "looking")}

    @property
    def peers(self) -> int:
        """Number of other live nodes."""
        return len(self._member.peers)

    @property
    def presides(self) -> bool:
        """Whether the lobby of this node presides over the cluster."""
        return self._member.lobby.presiding

    @property
    def takeovers(self) -> int:
        """Number of matches that this node has taken over."""
        return self._member.host.takeovers

    @property
    def superseded(self) -> int:
        """Number of appends that failed because another node had taken over the match."""
        return self._member.superseded_appends

    @property
    def rejected(self) -> int:
        """Number of payloads dropped because their authentication failed."""
        return self._authenticator.rejected

    @property
    def lag(self) -> Histogram:
        """Age of steps when replicas received them."""
        return self._member.edge.lag

    @property
    def probe_overdue(self) -> bool:
        """Whether probes are sent and none returns: the node can send, but does not receive."""
        return self._last_sent - self._last_returned > PROBE_TIMEOUT_SECONDS

    def tick(self) -> None:
        """Send a probe every `PROBE_TICKS`."""
        self._ticks += 1
        if self._ticks % PROBE_TICKS == 0:
            self._last_sent = perf_counter()
            self._outstanding.append(self._last_sent)
            self._send(self.name, PROBE + _TIMESTAMP.pack(self._last_sent))

    def handle_probe(self, data: bytes) -> bool:
        """Handle a probe; return False if the data is not one."""
        if not data.startswith(PROBE):
            return False
        if len(data) != len(PROBE) + _TIMESTAMP.size:
            return True
        sent_at: float = _TIMESTAMP.unpack_from(data, len(PROBE))[0]
        if sent_at in self._outstanding:  # otherwise it is a replay, or from an earlier generation
            self._outstanding.remove(sent_at)
            self._last_returned = perf_counter()
            self.bus.observe(max(0.0, self._last_returned - sent_at))
        return True
