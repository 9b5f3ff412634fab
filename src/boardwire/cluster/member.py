"""A member of a cluster: one node with its hosting side, its edge side and its view of the other nodes.

For its connections a member is the lobby; hosted tables report to it (`HostingObserver`). It never blocks: the
database, the bus and the clock call `apply_membership`, `receive` and `tick`.

- The journal alone is safe: an append succeeds only with the next event number. Leases and heartbeats decide where a
  table is hosted; a mistake there costs a pause, never a move.
- A node whose heartbeat lapses counts as dead, with all of its guests. Its matches go to the first node that needs
  them. A node that finds its own heartbeat lapsed reconciles everything.
- The lobby of one node presides over the cluster; the first node to find none takes its lease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from boardwire.cluster.context import NodeContext
from boardwire.cluster.edge.edge import Edge
from boardwire.cluster.hosting.delegate import Delegate
from boardwire.cluster.hosting.host import Host
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.ports import LOBBY, Leases, Membership, Reader
from boardwire.cluster.tables import HostedTable
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.messages import Message
from boardwire.cluster.transport.outbox import Outbox
from boardwire.lobby.requests import LobbyRequest, Survey
from boardwire.table.commands import Command
from boardwire.table.events import Event
from boardwire.table.guest import Guest, Notification, Surveyed
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status
from boardwire.table.ports import Clock
from boardwire.table.table import Table

TICK_SECONDS: Final = 0.25
"""Interval between calls of `tick`."""
PULSE_TICKS: Final = 2
"""Ticks between envelopes to every other node, empty ones included: a gap in their numbers shows a loss."""
REPORT_TICKS: Final = 8
"""Ticks between reports of moves to the lobby; changes of players or status are reported at once."""
ORPHAN_SECONDS: Final = 3.0
"""How long a node that needs a match without a host may take it over before the lobby does."""
SWEEP_TICKS: Final = 40
"""Ticks between searches for orphaned matches, silent guests and silent hosts."""
LIST_TICKS: Final = 4
"""Ticks between requests for the table list of the presiding lobby."""
LIST_IDLE_FACTOR: Final = 5
"""The table list is fetched this many times less often while it is not read."""
LIST_READ_SECONDS: Final = 10.0
"""How long after the table list was read it is kept fresh."""


class Member:
    """One node of a cluster. `send` passes bytes for a node to the bus."""

    def __init__(
        self,
        name: str,
        generation: int,
        lobby: ClusterLobby,
        clock: Clock,
        send: Callable[[str, bytes], None],
        leases: Leases,
        reader: Reader,
        unreadable: Callable[[str, Exception], None] = lambda *_: None,
    ) -> None:
        self.name = name
        self.lobby = lobby
        lobby.observer = self
        self._clock = clock
        self._leases = leases
        self._reader = reader
        self.outbox = Outbox(
            name, generation, send, partial(clock.later, 0.0), self._handle_message, self._reconcile_after_loss
        )
        context = NodeContext(name, generation, lobby, clock, leases, reader, self.outbox, self, unreadable)
        self._context = context
        self.host = Host(context)
        self.edge = Edge(context, self.host)
        self.peers: dict[str, int] = {}
        """Generations of the other live nodes, by name."""
        self.superseded_appends = 0
        """Number of appends that failed because another node had taken over the match."""
        self._lobby_generation = 0
        """Generation of the node where the lobby presides."""
        self._ticks = 0
        self._list_reader = Guest(self._apply_list)
        self._draining = False

    @property
    def lobby_node(self) -> str:
        """The node where the lobby presides; empty while it is unknown."""
        return self._context.lobby_node

    # --- requests of connections --------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: LobbyRequest | Command) -> None:
        """Carry out a request of a guest of this node, wherever its table or the lobby is."""
        self.edge.do(guest, request)

    def disconnected(self, guest: Guest) -> None:
        """Remove a guest that has disconnected."""
        self.edge.disconnected(guest)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.lobby.tables())

    # --- database, bus and clock --------------------------------------------------------------------------------------

    def apply_membership(self, membership: Membership) -> None:
        """Handle the database's answer to a heartbeat."""
        generations = {peer.name: peer.generation for peer in membership.peers if peer.name != self.name}
        dead_nodes = [node for node, generation in self.peers.items() if generations.get(node) != generation]
        self.peers = generations
        self.outbox.set_members(membership.peers)
        if membership.lapsed:  # other nodes may have taken over its matches
            self._verify_leases()
            self._compare_all()
            self.edge.reconcile_all()
        for node in dead_nodes:
            self._handle_node_death(node)
        if self._draining:
            return
        if membership.lobby == self.name:
            self._preside()
            return
        if self.lobby.presiding:
            self._abdicate(membership.lobby)
        if membership.lobby:
            self._follow_lobby(membership.lobby)
        else:
            self._leases.take([LOBBY], self._preside_if_leased)

    def receive(self, data: bytes) -> None:
        """Handle bytes from the bus."""
        self.outbox.receive(data)

    def tick(self) -> None:
        """Run the periodic work of one tick."""
        self._ticks += 1
        self.edge.tick()
        if self._ticks % PULSE_TICKS == 0:
            self.outbox.pulse()
        if self._ticks % REPORT_TICKS == 0:
            self._report_moves()
            self._verify_leases()
        if self._ticks % SWEEP_TICKS == 0:
            self._adopt_orphans()
            if not self._draining:  # a suspended lobby may have placed a match without guests here
                self._leases.read_held(self._adopt)
            self.host.audit_guests()
            self.edge.replicas.reattach_idle()
        is_read = self._clock.now() - self.lobby.list_read_at < LIST_READ_SECONDS
        if self._ticks % (LIST_TICKS if is_read else LIST_TICKS * LIST_IDLE_FACTOR) == 0:
            self._fetch_list()

    def _handle_message(self, node: str, message: Message) -> None:
        """Dispatch a message of another node."""
        match message:
            case messages.Told():
                self.edge.handle_notification(node, message)
            case messages.Ask():
                self.host.ask(node, message)
            case messages.Attach():
                self.host.attach(node, message)
            case messages.Attached():
                self.edge.replicas.handle_attached(node, message)
            case messages.Audit():
                self.edge.answer_audit(node, message)
            case messages.Moved():
                self.edge.replicas.handle_moved(node, message)
            case messages.Gone():
                self.host.handle_departure(node, message)
            case messages.Enroll():
                self.host.enroll(node, message)
            case messages.Placed():
                self.edge.handle_placement(node, message)
            case messages.Sent():
                self.edge.forward_request(message)
            case messages.Noted(summaries=summaries, gone=gone):
                self._apply_summaries(node, summaries, gone)
            case messages.Presiding():
                self._follow_lobby(node)
            case messages.Lost():
                self._reconcile(node)
            case messages.Vacant(matches=matches):
                self._take_over_vacant(node, matches)

    def _reconcile_after_loss(self, node: str) -> None:
        """Reconcile after messages from a node were lost; messages to it may be lost too."""
        self._reconcile(node)
        self.host.reconcile(node)
        self.outbox.put(node, messages.Lost())

    def _reconcile(self, node: str) -> None:
        """Reconcile everything that this node shares with another one."""
        self.edge.reconcile(node)
        if node == self.lobby_node:
            self._report_all()

    def _handle_node_death(self, node: str) -> None:
        """Handle the death of a node."""
        self.host.handle_node_death(node)
        self.lobby.clear_host(node)
        self._reconcile(node)
        if self.lobby.presiding:
            self._clock.later(ORPHAN_SECONDS, self._adopt_orphans)

    def _verify_leases(self) -> None:
        """Check the leases of the matches in progress, and hand over the matches whose leases another node holds."""
        names = [table.match.id for table in self.lobby.tables() if table.match.status is Status.PLAYING]
        if names:
            self._leases.take(names, self._hand_over_lost)

    def _hand_over_lost(self, owners: Mapping[str, str] | None) -> None:
        """Hand over the matches whose leases other nodes hold; `owners` is None if the database cannot be reached."""
        for match, node in (owners or {}).items():
            table = self.lobby.hosted(match)
            if node != self.name and table is not None and table.match.status is Status.PLAYING:
                table.call_in_order(partial(self._hand_over, table, node))

    def _compare_all(self) -> None:
        """Compare the hosted tables with the journal, and hand over those that another node has appended to."""
        for table in self.lobby.tables():
            self._compare_table(table)

    def _compare_table(self, table: HostedTable) -> None:
        if table.match.status is not Status.OVER and not table.superseded:
            self._reader.fetch(table.match.id, table.match.seq, partial(self._apply_comparison, table, table.match.seq))

    def _apply_comparison(self, table: HostedTable, seq: int, events: Sequence[Any] | None) -> None:
        """Hand over a table whose match has `events` after number `seq`; None: the journal could not be read."""
        if events is None:
            self._clock.later(TICK_SECONDS, partial(self._compare_table, table))
        elif events:
            table.call_in_order(partial(self._hand_over_outdated, table, seq + len(events)))

    def _hand_over_outdated(self, table: HostedTable, seq: int) -> None:
        if table.match.seq < seq and not table.superseded:
            self.hand_over_outdated(table)

    def hand_over_outdated(self, table: HostedTable) -> None:
        """Hand over a table whose match another node has appended to."""
        self.superseded_appends += 1
        self._hand_over(table, "")

    def _hand_over(self, table: HostedTable, node: str) -> None:
        """Hand over an idle table."""
        if not table.superseded:
            self.edge.follow(self.host.hand_over(table, node), node)

    # --- the presiding lobby ------------------------------------------------------------------------------------------

    def _preside_if_leased(self, owners: Mapping[str, str] | None) -> None:
        """Preside if this node has got the lobby's lease; `owners` is None if the database cannot be reached."""
        if owners is not None and owners[LOBBY] == self.name and not self._draining:
            self._preside()

    def _preside(self) -> None:
        if self.lobby.presiding:
            return
        self.lobby.presiding = True
        self.host.preside()
        self.edge.set_lobby_node(self.name)
        for node in self.peers:
            self.outbox.put(node, messages.Presiding())
        self._clock.later(ORPHAN_SECONDS, self._adopt_orphans)

    def _abdicate(self, node: str) -> None:
        self.lobby.abdicate()
        self.edge.set_lobby_node("")
        for table in self.lobby.tables():
            if table.match.status is Status.WAITING:
                table.call_in_order(partial(self._hand_over, table, node))

    def _follow_lobby(self, node: str) -> None:
        """Use the lobby of this node: introduce the guests, report the tables and fetch the list of tables."""
        generation = self.peers.get(node, 0)
        if (node, generation) == (self.lobby_node, self._lobby_generation):
            return
        if self.lobby.presiding:
            self._abdicate(node)
        self._lobby_generation = generation
        # introduce all guests even if the name is the same: a restarted node has lost the state of its lobby
        self.edge.set_lobby_node("")
        self.edge.set_lobby_node(node)
        self._report_all()
        self._fetch_list()

    def _adopt_orphans(self) -> None:
        """Host the matches that no live node hosts."""
        if self.lobby.presiding and not self._draining:
            self._leases.read_orphans(self._adopt)

    def _take_over_vacant(self, node: str, matches: Sequence[str]) -> None:
        """Take over the lobby and the matches that a stopping node has released."""
        if LOBBY in matches and self.lobby_node == node:
            self.edge.set_lobby_node("")
            self._leases.take([LOBBY], self._preside_if_leased)
        for match in matches:
            if match != LOBBY:
                self.host.load(match)

    def _adopt(self, names: Sequence[str] | None) -> None:
        for name in names or ():
            if self.lobby.hosted(name) is None:
                self.host.load(name)

    # --- reports to the lobby -----------------------------------------------------------------------------------------

    def _report(self, summaries: list[messages.MatchSummary], gone: Sequence[str] = ()) -> None:
        if (summaries or gone) and self._context.lobby_is_remote:
            self.outbox.put(self.lobby_node, messages.Noted(summaries, list(gone)))

    def _report_all(self) -> None:
        self._report([table.summary() for table in self.lobby.tables()])

    def _report_moves(self) -> None:
        self._report([table.summary() for table in self.lobby.tables() if not table.is_reported])

    def _apply_summaries(self, node: str, summaries: Sequence[messages.MatchSummary], gone: Sequence[str]) -> None:
        """Update the list of the presiding lobby with the tables that another node reports."""
        if self.lobby.presiding:
            for summary in summaries:
                self.lobby.update(summary, node)
            for match in gone:
                self.lobby.remove_remote(match)

    def _fetch_list(self) -> None:
        if self._context.lobby_is_remote:
            self.edge.do(self._list_reader, Survey(shared=True))

    def _apply_list(self, notification: Notification) -> None:
        if isinstance(notification, Surveyed):
            self.lobby.set_list(notification)

    # --- shutdown -----------------------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Hand over everything hosted here: to the node of a player, or else to any node."""
        if not self.peers:
            return  # no other node can take over
        self._draining = True
        if self.lobby.presiding:
            self.lobby.presiding = False
            self._context.lobby_node = ""
            self._leases.drop([LOBBY])
            for node in self.peers:
                self.outbox.put(node, messages.Vacant([LOBBY]))
        for table in self.lobby.tables():
            if table.match.status is not Status.OVER:
                table.call_in_order(partial(self._drain, table))

    def _drain(self, table: HostedTable) -> None:
        """Hand over a table, and its lease if it is being played, to a node with guests at it or else to any peer."""
        if table.superseded or table.match.status is Status.OVER:
            return
        edges = [guest.edge for guest in table.guests if isinstance(guest, Delegate)]
        node = next(iter(edges), next(iter(self.peers), ""))
        if table.match.status is Status.PLAYING:
            self._leases.give([table.match.id], node)
            self.host.hand_over(table, node)
            if not edges:
                self.outbox.put(node, messages.Vacant([table.match.id]))
        else:
            self.host.hand_over(table, "")

    @property
    def drained(self) -> bool:
        """Whether draining has finished, if it has begun: no unfinished match is hosted here."""
        return not self._draining or all(table.match.status is Status.OVER for table in self.lobby.tables())

    # --- as the observer of the lobby's tables ------------------------------------------------------------------------

    def changed(self, table: HostedTable) -> None:
        """Place a match that has begun, release one that is over, and report to the lobby."""
        match = table.match
        if match.status is Status.OVER:
            self._leases.drop([match.id])
        elif match.status is Status.PLAYING and not table.is_placed:
            table.is_placed = True
            node = self._preferred_host(table) if self.lobby.presiding else self.name
            if node == self.name:
                self._leases.give([match.id], node)
            else:
                self._clock.later(0.0, partial(table.call_in_order, partial(self._place, table, node)))
        if not self.lobby.presiding:
            self._report([table.summary()])

    def _place(self, table: HostedTable, node: str) -> None:
        if not table.superseded and table.match.status is Status.PLAYING and node in self.peers:
            self._leases.give([table.match.id], node)
            self._hand_over(table, node)

    def _preferred_host(self, table: HostedTable) -> str:
        """Return the node of the first person in a seat who is present, or this node if none is."""
        seats = {table.seat_of(guest): guest for guest in table.guests}
        for seat in range(len(table.match.chairs)):
            guest = seats.get(seat)
            if guest is not None and not guest.bot:
                return guest.edge if isinstance(guest, Delegate) else self.name
        return self.name

    def forgotten(self, table: HostedTable) -> None:
        """Release the lease of a removed table, and report to the lobby."""
        self._leases.drop([table.match.id])
        self._report([], [table.match.id])

    def superseded(self, handover: Handover) -> None:
        """Let the guests of a superseded table follow its match."""
        self.superseded_appends += 1
        self._clock.later(0.0, partial(self._follow_superseded, handover))

    def _follow_superseded(self, handover: Handover) -> None:
        self.host.redirect(handover, "")
        self.edge.follow(handover, "")

    def known_match(self, match: str) -> Match | None:
        """Return a match as far as the guests of this node have seen it, or None."""
        return self.edge.replicas.known_match(match)

    def hosting(self, table: HostedTable, after: int, events: Sequence[Event]) -> None:
        """Move the guests at the replica to the table, which this node now hosts."""
        self.edge.replicas.promote(table, after, events)
        self._report([table.summary()])

    def forward(self, guest: Guest, match: str, node: str, request: Any) -> None:
        """Let a guest make a request at the table of a match that `node` hosts."""
        if node not in self.peers:  # the host is dead: host the match here, or let the guest ask again
            self.host.load(match, partial(self._forward, guest, match, request))
        else:
            self._forward(guest, match, request, node)

    def _forward(self, guest: Guest, match: str, request: Any, node: str) -> None:
        if isinstance(guest, Delegate):
            self.host.forward(guest, match, node, request)
        else:
            self.edge.forward(guest, match, node, request)
