"""What is counted of a node's share in a cluster: plain numbers, read by somebody now and then."""

from __future__ import annotations

import struct
from collections import Counter, deque
from collections.abc import Callable
from time import perf_counter
from typing import Final

from boardwire.cluster.member import Member
from boardwire.cluster.nodes import Node, Roster
from boardwire.cluster.transport.authentication import Seal
from boardwire.table.counters import TimeTally

PROBE: Final = b"probe"
"""How a word begins that a node says to itself over the bus, to see how long that takes; no letter begins so."""
PROBE_TICKS: Final = 8
"""A probe every two seconds."""
DEAF_SECONDS: Final = 7.0
"""A node is deaf if no probe has come back for this long: three in a row are missing."""
OUTSTANDING_PROBES: Final = 8
"""Probes that may still come back; older ones are forgotten."""
_WHEN: Final = struct.Struct("<d")


class Gauge:
    """Cluster metrics of one node.  `send` gives bytes to the bus."""

    def __init__(self, member: Member, roster: Roster, send: Callable[[str, bytes], None], seal: Seal) -> None:
        self._member = member
        self._seal = seal
        self._roster = roster
        self._send = send
        self._ticks = 0
        self._probed = self._answered = perf_counter()
        self._outstanding: deque[float] = deque(maxlen=OUTSTANDING_PROBES)
        self.bus = TimeTally()

    @property
    def name(self) -> str:
        """Of this node."""
        return self._member.name

    def nodes(self) -> tuple[Node, ...]:
        """All nodes; it waits for the database."""
        return self._roster.nodes()

    @property
    def hosted(self) -> int:
        """How many tables this node hosts."""
        return len(self._member.lobby.tables())

    @property
    def replicas(self) -> dict[str, int]:
        """How many tables of other nodes its guests are at: those whose host is known, and those that look for it."""
        found = Counter("settled" if one.settled else "looking" for one in self._member.edge.replicas)
        return {state: found[state] for state in ("settled", "looking")}

    @property
    def peers(self) -> int:
        """How many other nodes are there."""
        return len(self._member.peers)

    @property
    def presides(self) -> bool:
        """Whether the lobby is here."""
        return self._member.lobby.presiding

    @property
    def takeovers(self) -> int:
        """How many tables it has taken over."""
        return self._member.host.takeovers

    @property
    def superseded(self) -> int:
        """How many appends came after another node's."""
        return self._member.superseded_appends

    @property
    def rejected(self) -> int:
        """How many payloads of the bus were dropped because they are not authentic."""
        return self._seal.rejected

    @property
    def lag(self) -> TimeTally:
        """How old steps were when replicas took them."""
        return self._member.edge.lag

    @property
    def deaf(self) -> bool:
        """Whether probes are sent and none comes back: the node could talk, and hears nothing."""
        return self._probed - self._answered > DEAF_SECONDS

    def tick(self) -> None:
        """A moment has passed: see now and then how long the bus takes."""
        self._ticks += 1
        if self._ticks % PROBE_TICKS == 0:
            self._probed = perf_counter()
            self._outstanding.append(self._probed)
            self._send(self.name, PROBE + _WHEN.pack(self._probed))

    def takes(self, data: bytes) -> bool:
        """Whether that was such a word, and no letter."""
        if not data.startswith(PROBE):
            return False
        if len(data) != len(PROBE) + _WHEN.size:
            return True
        sent: float = _WHEN.unpack_from(data, len(PROBE))[0]
        if sent in self._outstanding:  # another one is replayed, or of a former generation
            self._outstanding.remove(sent)
            self._answered = perf_counter()
            self.bus.took(max(0.0, self._answered - sent))
        return True
