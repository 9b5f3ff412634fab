"""Replicas of the tables that other nodes host for guests of this one.

- A replica is attached when its host has confirmed its guests. If the host dies, moves the table or does not answer,
  or if messages are lost, the replica locates it again: find the holder of the lease, or take it; announce the guests
  and the last event they have seen (`Attach`); read the journal up to the host's event; look there for pending requests
  (`reconcile.py`); repeat the others.
- Events are folded in order. Missing ones are read from the journal; messages that arrive meanwhile wait.
- When this node becomes the host of a match, its guests move to the table itself; when it ceases to be, they move back
  to a replica. The guests do not notice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from boardwire.cluster.context import NodeContext
from boardwire.cluster.edge.guests import ARRIVAL_REQUESTS, GuestRecords
from boardwire.cluster.hosting.delegate import Delegate
from boardwire.cluster.hosting.host import Host
from boardwire.cluster.reconcile import carried_out, steps
from boardwire.cluster.tables import HostedTable, Replica
from boardwire.cluster.transport.messages import Attach, Attached, Attendee, Gone, Moved, encode_request
from boardwire.games.game import Seat
from boardwire.lobby.held_seats import is_identifiable
from boardwire.lobby.requests import Enter, Seek
from boardwire.table.commands import Command, Join
from boardwire.table.events import Event, Joined
from boardwire.table.guest import Guest, Step
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status, fold

HOST_SILENCE_SECONDS: Final = 10.0
"""How long a host may be silent about a table before its guests are announced again."""
LOCATE_RETRY_SECONDS: Final = 1.0
"""How long to wait for a host's confirmation before looking for another host."""


class Replicas:
    """All replicas of a node; `host` is the hosting side of the same node."""

    def __init__(self, context: NodeContext, records: GuestRecords, host: Host) -> None:
        self._context = context
        self._name = context.name
        self._records = records
        self._lobby = context.lobby
        self._host = host
        self._clock = context.clock
        self._put = context.outbox.put
        self._leases = context.leases
        self._reader = context.reader
        self._by_match: dict[str, Replica] = {}
        self._reading: dict[str, list[Callable[[], None]]] = {}
        """Matches that are being read from the journal, and the calls that wait for that."""

    def __iter__(self) -> Iterator[Replica]:
        return iter(tuple(self._by_match.values()))

    def __contains__(self, match: str) -> bool:
        return match in self._by_match

    def is_reading(self, match: str) -> bool:
        """Return whether a match is being read from the journal."""
        return match in self._reading

    def get(self, match: str) -> Replica | None:
        """Return the replica of a match, or None."""
        return self._by_match.get(match)

    # --- as the link of replicas to their hosts -----------------------------------------------------------------------

    def send_command(self, replica: Replica, guest: Guest, command: Command) -> None:
        """Send a command to the host, or keep it pending until there is one."""
        node = replica.host if replica.is_attached else ""
        self._records.send_request(self._records.ensure(guest), command, replica.match.id, node, seq=replica.match.seq)

    def report_departure(self, replica: Replica, guest: Guest) -> None:
        """Tell the host that a guest has left the table."""
        record = self._records.ensure(guest)
        record.left_match = replica.match.id
        if replica.host:
            self._put(replica.host, Gone(record.number, replica.match.id))
        record.drop_pending(replica.match.id)
        self.discard_if_empty(replica)

    def discard_if_empty(self, replica: Replica) -> None:
        """Discard a replica without guests."""
        if not replica.guests and self._by_match.get(replica.match.id) is replica:
            del self._by_match[replica.match.id]

    # --- reading ------------------------------------------------------------------------------------------------------

    def call_after_read(self, match: str, call: Callable[[], None]) -> bool:
        """If a match is being read, queue a call for afterwards; return whether it is queued."""
        if match in self._reading:
            self._reading[match].append(call)
            return True
        return False

    def catch_up(self, match: str, node: str, seq: int, then: Callable[[], None]) -> None:
        """Read a match up to event `seq`, show the new events, then call `then`."""
        if self.call_after_read(match, then):
            return
        replica = self._by_match.get(match)
        after = 0 if replica is None else replica.match.seq
        if after >= seq and replica is not None:
            then()
            return
        self._reading[match] = [then]

        def show_events(events: Sequence[Event] | None) -> None:
            """Show the events, unless the replica has changed meanwhile; read again later if any is missing."""
            current = self._by_match.get(match)
            unchanged = current is replica and (current is None or current.match.seq == after)
            if unchanged and (events is None or len(events) < seq - after):
                self._clock.later(LOCATE_RETRY_SECONDS, lambda: self._reader.fetch(match, after, show_events))
                return
            if unchanged and events is not None and current is None:
                self.make(fold(events[:seq]), node)
            elif unchanged and events is not None and current is not None:
                self.advance(current, events[: seq - after])
            for call in self._reading.pop(match):
                call()
            if (remaining := self._by_match.get(match)) is not None:
                self.discard_if_empty(remaining)

        self._reader.fetch(match, after, show_events)

    def make(self, match: Match, node: str) -> Replica:
        """Make the replica of a match that `node` hosts."""
        replica = self._by_match[match.id] = Replica(match, node, self, self._clock.now())
        return replica

    def advance(self, replica: Replica, events: Sequence[Event], ahead: Sequence[Guest] = ()) -> None:
        """Show events read from the journal, step by step, and resolve the requests that they carry out.

        The guests in `ahead` have seen them already.
        """
        for step in steps(replica.match, events):
            guests = tuple(guest for guest in replica.guests if guest not in ahead)
            seats = {guest: seat for guest in guests if (seat := self._new_seat(guest, replica, step)) is not None}
            for guest in guests:
                self.resolve_from_step(guest, replica.seat_of(guest), replica.match.id, step)
            replica.apply_step(step, seats, guests)
            if seats:  # announce them to the host
                self._clock.later(0.0, partial(self.locate, replica))

    def _new_seat(self, guest: Guest, replica: Replica, step: Step) -> Seat | None:
        """Return the seat that a spectator has requested and takes by this step, or None."""
        record = self._records.find(guest)
        if record is None or replica.seat_of(guest) is not None:
            return None
        players = [
            entry.request.player for entry in record.pending.values() if isinstance(entry.request, Enter | Join | Seek)
        ]
        for moment in step.moments:
            event = moment.event
            if isinstance(event, Joined) and event.player in players and is_identifiable(event.player):
                record.resolve(ARRIVAL_REQUESTS)
                return event.seat
        return None

    def resolve_from_step(self, guest: Guest, seat: Seat | None, match: str, step: Step) -> None:
        """Remove the pending requests of a guest that a step has carried out."""
        record = self._records.find(guest)
        if record is not None and record.pending:
            pending = {number: entry.request for number, entry in record.pending.items() if entry.match == match}
            for number in carried_out(seat, pending, [moment.event for moment in step.moments]):
                del record.pending[number]

    # --- reconciliation -----------------------------------------------------------------------------------------------

    def locate(self, replica: Replica) -> None:
        """Find the host of a table, or take its lease, and announce the guests there."""
        replica.is_attached = False
        replica.attach_round += 1
        replica.retry_at = self._clock.now() + LOCATE_RETRY_SECONDS
        match = replica.match.id
        if replica.match.status is Status.WAITING:
            self._send_attach(replica, self._context.lobby_node)
            return

        def attach_to_owner(owners: Any) -> None:
            if owners is not None and self._by_match.get(match) is replica and not replica.is_attached:
                self._send_attach(replica, owners[match])

        self._leases.take([match], attach_to_owner)

    def _send_attach(self, replica: Replica, node: str) -> None:
        """Announce the guests of a replica to `node`, or host the match here if that is this node."""
        if not node:
            return
        replica.host = node
        if node == self._name:
            self._host.load(replica.match.id, partial(self._attach_after_load, replica))
            return
        guests = []
        replica.announced = replica.seating()
        for guest in replica.guests:
            record = self._records.ensure(guest)
            record.epoch += 1
            seek = encode_request(record.seek) if record.seek is not None else None
            guests.append(
                Attendee(
                    record.number,
                    record.epoch,
                    replica.seat_of(guest),
                    guest.tie,
                    guest.address_key,
                    guest.key,
                    seek,
                    guest.name,
                )
            )
        self._put(node, Attach(replica.match.id, replica.attach_round, replica.match.seq, guests))

    def _attach_after_load(self, replica: Replica, node: str) -> None:
        """Attach to the host `node` (empty: unknown), after this node was expected to host the match itself."""
        if node not in ("", self._name) and self._by_match.get(replica.match.id) is replica and not replica.is_attached:
            self._attach_to(replica, node)

    def handle_attached(self, node: str, message: Attached) -> None:
        """Handle a host's confirmation of the guests."""
        replica = self._by_match.get(message.match)
        if replica is None or replica.attach_round != message.round or replica.is_attached:
            return
        self.catch_up(message.match, node, message.seq, lambda: self._finish_attach(node, message))

    def _finish_attach(self, node: str, message: Attached) -> None:
        """Mark the replica as attached and repeat unanswered requests, or announce guests that came meanwhile."""
        replica = self._by_match.get(message.match)
        if replica is None or replica.attach_round != message.round:
            return
        if not replica.seating().items() <= replica.announced.items():
            self._attach_to(replica, node)  # a guest has arrived or taken a seat meanwhile
            return
        replica.host, replica.is_attached, replica.last_seen = node, True, self._clock.now()
        for guest in replica.guests:
            record = self._records.ensure(guest)
            unanswered = record.pending_for(message.match)
            record.drop_pending(message.match)
            for request in unanswered:
                self._records.send_request(record, request, message.match, node, seq=replica.match.seq)

    def handle_moved(self, node: str, message: Moved) -> None:
        """Handle the message that the sender does not host a table."""
        if self.call_after_read(message.match, lambda: self.handle_moved(node, message)):
            return
        replica = self._by_match.get(message.match)
        if replica is None or replica.host not in ("", node):
            return
        if message.node:
            self._attach_to(replica, message.node)
        else:
            self.locate(replica)

    def _attach_to(self, replica: Replica, node: str) -> None:
        """Announce the guests of a replica to a host."""
        replica.is_attached = False
        replica.attach_round += 1
        replica.retry_at = self._clock.now() + LOCATE_RETRY_SECONDS
        self._send_attach(replica, node)

    def reattach_idle(self) -> None:
        """Announce guests again to hosts that have been silent for `HOST_SILENCE_SECONDS`."""
        now = self._clock.now()
        for replica in self:
            idle = now - replica.last_seen > HOST_SILENCE_SECONDS
            if idle and replica.is_attached and replica.match.status is not Status.OVER:
                self._attach_to(replica, replica.host)

    def reconcile(self, node: str) -> None:
        """Locate every table that a node hosts."""
        for replica in self:
            if replica.host == node:
                self.locate(replica)

    def tick(self) -> None:
        """Locate tables whose host has not confirmed the guests in time."""
        now = self._clock.now()
        for replica in self:
            if not replica.is_attached and now >= replica.retry_at and replica.match.id not in self._reading:
                self.locate(replica)

    # --- between replicas and hosted tables ---------------------------------------------------------------------------

    def known_match(self, match: str) -> Match | None:
        """Return a match as far as the guests here have seen it, or None."""
        replica = self._by_match.get(match)
        return None if replica is None else replica.match

    def promote(self, table: HostedTable, after: int, events: Sequence[Event]) -> None:
        """Move the guests of a replica to the table, which this node now hosts.

        `events` are those of the match after number `after`.
        """
        replica = self._by_match.get(table.match.id)
        if replica is None or table.superseded or table.match.id in self._reading:
            return
        seq = replica.match.seq
        if self._host.compare(table, seq) or seq < after or after + len(events) < table.match.seq:
            return  # the replica has not read everything; `tick` locates the host again
        self.advance(replica, events[seq - after : table.match.seq - after])
        self._by_match.pop(table.match.id, None)  # the last guest may have left during `advance`
        seats = {guest: replica.seat_of(guest) for guest in replica.guests}
        for guest, seat in seats.items():
            self._host.adopt(table, guest, seat)
            self._lobby.restore_terms(table, self._records.ensure(guest).seek, seat)
        for guest in seats:
            record = self._records.ensure(guest)
            unanswered = record.pending_for(table.match.id)
            record.drop_pending(table.match.id)
            for request in unanswered if guest.table is table else ():
                self._lobby.do(guest, request)

    def follow(self, handover: Handover, node: str) -> None:
        """Replace a table that this node no longer hosts by a replica; if `node` is empty, locate its host."""
        guests = [guest for guest in handover.guests if not isinstance(guest, Delegate)]
        for guest, command in handover.pending:
            if guest in guests:
                self._records.send_request(self._records.ensure(guest), command, handover.match.id, "")
        if not guests:
            return
        replica = self._by_match.get(handover.match.id)
        if replica is None:
            replica = self.make(handover.match, node)
            for guest in guests:
                replica.place(guest, handover.seats.get(guest))
        else:  # other guests of this node have followed it already
            self._merge_guests(replica, handover, guests)
        if node:
            self._attach_to(replica, node)
        else:
            self.locate(replica)

    def _merge_guests(self, replica: Replica, handover: Handover, guests: Sequence[Guest]) -> None:
        """Add guests to a replica that has seen more or less of the match than they have."""
        for guest in guests:
            replica.place(guest, handover.seats.get(guest))
        common_seq = min(replica.match.seq, handover.match.seq)
        if replica.match.seq == handover.match.seq:
            return

        def show_missed(events: Sequence[Event] | None) -> None:
            """Show the later events to those who have missed them; read again later if any is missing."""
            if events is None or common_seq + len(events) < max(replica.match.seq, handover.match.seq):
                self._clock.later(
                    LOCATE_RETRY_SECONDS, lambda: self._reader.fetch(handover.match.id, common_seq, show_missed)
                )
                return
            if replica.match.seq < handover.match.seq:
                self.advance(replica, events[: handover.match.seq - common_seq], ahead=guests)
            else:
                for step in steps(handover.match, events[: replica.match.seq - common_seq]):
                    for guest in guests:
                        self.resolve_from_step(guest, handover.seats.get(guest), handover.match.id, step)
                        if guest.table is replica:
                            guest.tell(step)
            for call in self._reading.pop(handover.match.id):
                call()

        if not self.call_after_read(handover.match.id, lambda: self._merge_guests(replica, handover, guests)):
            self._reading[handover.match.id] = []
            self._reader.fetch(handover.match.id, common_seq, show_missed)
