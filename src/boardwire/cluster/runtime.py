"""Cluster runtime: connects a node's `Member` to the database, the message bus and the event loop.

- The heartbeat to the database (`PostgresLeases`) returns the live nodes and the node that hosts the lobby.
- Messages from the bus (`NatsBus`) go to the member, probes to the metrics.
- A node that loses its name to another one stops, because messages are addressed by name.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Callable
from typing import Final, NamedTuple

import structlog

from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.leases import JournalReader, PostgresLeases
from boardwire.cluster.member import TICK_SECONDS, Member
from boardwire.cluster.metrics import PROBE_TIMEOUT_SECONDS, ClusterMetrics
from boardwire.cluster.nodes import NodeDirectory
from boardwire.cluster.ports import LEASE_SECONDS, Membership
from boardwire.cluster.transport.authentication import Authenticator
from boardwire.cluster.transport.bus import NatsBus
from boardwire.table.ports import Clock, Journal, ReportFault

log = structlog.get_logger("boardwire")

DRAIN_SECONDS: Final = 1.0
"""Time that a stopping node waits for its tables to move to other nodes."""
_DRAIN_POLL_SECONDS: Final = 0.01


class ClusterSettings(NamedTuple):
    """Addresses and name of a cluster node."""

    store: str
    """URL of the shared PostgreSQL database."""
    bus: str
    """URL of the NATS server."""
    bus_ca: str = ""
    """File with the certificate authorities for `tls://`; empty for those of the system."""
    node: str = ""
    """Name of the node; empty for the host name with a random suffix."""


class ClusterRuntime:
    """The cluster side of a running node.

    `post` runs a call on the event loop from any thread; `unreadable` is called with each match that cannot be
    recovered, and the error.
    """

    def __init__(
        self,
        settings: ClusterSettings,
        lobby: ClusterLobby,
        clock: Clock,
        journal: Journal,
        post: Callable[..., object],
        loop: asyncio.AbstractEventLoop,
        unreadable: ReportFault,
    ) -> None:
        name = settings.node or f"{socket.gethostname().partition('.')[0]}-{secrets.token_hex(2)}"
        self._loop = loop
        self._leases = PostgresLeases(settings.store, name, post, self._beat, self._name_lost)
        self._reader = JournalReader(journal, post)
        self._authenticator = Authenticator(self._leases.key, name)
        self._bus = NatsBus(
            settings.bus, self._leases.cluster, self._authenticator, name, self._receive, settings.bus_ca
        )
        self.member = Member(
            name, self._leases.generation, lobby, clock, self._bus.send, self._leases, self._reader, unreadable
        )
        self.metrics = ClusterMetrics(self.member, NodeDirectory(settings.store), self._bus.send, self._authenticator)
        self._step: Callable[..., object] = lambda call, *arguments: call(*arguments)
        self._last_beat = 0.0
        self._tick_timer: asyncio.TimerHandle | None = None

    async def start(self, step: Callable[..., object]) -> None:
        """Join the cluster. `step` makes a call and then sends its output to the connections."""
        self._step = step
        await self._bus.connect()
        self._leases.start()
        self._tick()
        log.info("joined the cluster", node=self.member.name)

    def why_not_ready(self) -> str:
        """Return why this node cannot accept players, or ''."""
        if self._loop.time() - self._last_beat > LEASE_SECONDS:
            return f"the database has not acknowledged a heartbeat of this node for {LEASE_SECONDS:g} s"
        if not self._bus.up:
            return "the connection to NATS is lost; reconnecting"
        if self.metrics.probe_overdue:
            return f"this node has received none of its own probes from NATS for {PROBE_TIMEOUT_SECONDS:g} s"
        if refused := self.member.outbox.refused_members:
            return f"rejecting messages from {', '.join(refused)}: generation differs from the database's"
        return "" if self.member.lobby_node else "no node hosts the lobby yet"

    async def drain(self, step: Callable[..., object]) -> None:
        """Hand the hosted tables over to other nodes, for at most `DRAIN_SECONDS`."""
        step(self.member.drain)
        end = self._loop.time() + DRAIN_SECONDS
        while not self.member.drained and self._loop.time() < end:
            await asyncio.sleep(_DRAIN_POLL_SECONDS)

    async def close(self) -> None:
        """Send pending messages and leave the cluster."""
        if self._tick_timer is not None:
            self._tick_timer.cancel()
        self._step(self.member.outbox.flush)
        await self._bus.close()
        self._reader.close()
        await self._loop.run_in_executor(None, self._leases.close)

    def _beat(self, membership: Membership) -> None:
        """Apply the membership that a heartbeat has read, and log its changes."""
        self._last_beat = self._loop.time()
        before, presided = self.member.peers, self.member.lobby.presiding
        self.member.apply_membership(membership)
        after = self.member.peers
        for node in sorted(before.keys() - after.keys()):
            log.warning("a node stopped or missed its heartbeats", node=node, lease_seconds=LEASE_SECONDS)
        for node in sorted(after.keys() & before.keys()):
            if before[node] != after[node]:
                log.warning("a node of the cluster has restarted", node=node)
        for node in sorted(after.keys() - before.keys()):
            log.info("a node joined the cluster", node=node)
        if self.member.lobby.presiding and not presided:
            log.info("this node hosts the lobby of the cluster", node=self.member.name)

    def _name_lost(self) -> None:
        log.error("another node has taken this node's name; stopping", node=self.member.name)
        os.kill(os.getpid(), signal.SIGTERM)

    def _receive(self, data: bytes) -> None:
        if not self.metrics.handle_probe(data):
            self._step(self.member.receive, data)

    def _tick(self) -> None:
        self._tick_timer = self._loop.call_later(TICK_SECONDS, self._tick)
        self._step(self.member.tick)
        self.metrics.tick()
