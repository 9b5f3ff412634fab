"""The edge side of a node: requests and notifications of the guests connected to it.

- A request goes to the host of the guest's table, or to the node where the lobby presides. If that is this node, no
  message is sent.
- **Every lost answer is reconciled in the same way.** For a table, see `replicas.py`. For a lobby request, the lobby
  answers where the guest is (`Enroll`, `Placed`), and only requests that were not carried out are repeated.
- An answer to `Enroll` or `Attach` voids all requests of earlier epochs, so that no request is carried out twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count
from operator import attrgetter
from typing import Any, Final, cast

from msgspec.structs import replace

from boardwire.cluster.context import NodeContext
from boardwire.cluster.edge.guests import ARRIVAL_REQUESTS, GuestRecord, GuestRecords
from boardwire.cluster.edge.replicas import Replicas
from boardwire.cluster.hosting.host import Host
from boardwire.cluster.ports import BEAT_SECONDS
from boardwire.cluster.reconcile import arrival
from boardwire.cluster.tables import HostedTable, Replica
from boardwire.cluster.transport.messages import (
    Audit,
    Enroll,
    Gone,
    Notice,
    Placed,
    Sent,
    Told,
    decode_error,
    decode_request,
    expand_summary,
)
from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby import requests
from boardwire.lobby.held_seats import is_identifiable
from boardwire.lobby.requests import LOBBY_REQUESTS, LobbyRequest
from boardwire.table import guest as notifications
from boardwire.table.commands import Command
from boardwire.table.counters import Histogram
from boardwire.table.events import Event, decode
from boardwire.table.guest import Guest, Step
from boardwire.table.handover import Handover
from boardwire.table.match import Status, fold, replay_events

ANSWER_SECONDS: Final = 2.0
"""How long a request may stay unanswered before it is reconciled."""

PLACE_ATTEMPTS: Final = 5
"""How many times a match in progress is read for an arriving guest before the guest is refused."""

_SEAT_REQUESTS: Final = tuple(
    kind for kind in ARRIVAL_REQUESTS if kind in LOBBY_REQUESTS and kind is not requests.Rematch
)
_LOCAL_REQUESTS: Final = (requests.Advise, requests.Decline)
"""Requests that the edge can carry out itself: a replica has all they need."""
_WATCH_REQUESTS: Final = (requests.Watch, requests.Attend, requests.Open)
"""Requests that are answered by `Watching`."""
_TABLE_REQUESTS: Final = (requests.Depart, requests.Rematch)
_REQUESTS_BY_ANSWER: Final = {
    "Seated": ARRIVAL_REQUESTS, "Watching": ARRIVAL_REQUESTS, "NoTable": (requests.Attend,),
    "NotHeld": (requests.Reclaim,),
    "Claimed": (requests.Claim,), "Introduced": (requests.Introduce,), "Surveyed": (requests.Survey,),
    "RematchWanted": (requests.Rematch,),
}  # fmt: skip
"""Requests that each kind of notification answers."""


def _plays(guest: Guest) -> bool:
    """Return whether a guest is seated in a match in progress; such a guest is never moved to another table."""
    table = guest.table
    return table is not None and table.match.status is Status.PLAYING and table.seat_of(guest) is not None


class Edge:
    """The edge side of a node; `host` is the hosting side of the same node."""

    def __init__(self, context: NodeContext, host: Host) -> None:
        self.name = context.name
        self._context = context
        self._lobby = context.lobby
        self._host = host
        self._clock = context.clock
        self._put = context.outbox.put
        self._reader = context.reader
        self._records = GuestRecords(context)
        self.replicas = Replicas(context, self._records, host)
        self._order = count(1)
        """Order numbers of messages: one delayed by a journal read must not move a guest back to an earlier table."""
        self.lag = Histogram()
        """Age of steps on arrival, by the clocks of both nodes."""

    # --- requests of guests -------------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: LobbyRequest | Command) -> None:
        """Carry out a request of a guest, or send it to the node that can."""
        table = guest.table
        if type(request) not in LOBBY_REQUESTS:
            if isinstance(table, Replica):
                self.replicas.send_command(table, guest, cast("Command", request))
            else:
                self._lobby.do(guest, request)
        elif isinstance(request, _LOCAL_REQUESTS) or (
            isinstance(table, HostedTable) and type(request) in _TABLE_REQUESTS
        ):
            self._lobby.do(guest, request)
        elif isinstance(request, requests.Depart):
            self._depart(guest)
        elif isinstance(request, requests.Rematch) and isinstance(table, Replica):
            self.replicas.send_command(table, guest, cast("Any", request))
        elif isinstance(request, _SEAT_REQUESTS) and table is not None and not self._is_at_lobby(table):
            reason = Refused("you are already at a table; leave it first", reason=Reason.AT_TABLE)
            guest.tell(notifications.Refusal(request, reason))
        else:
            self._send_lobby_request(guest, cast("LobbyRequest", request))

    def _is_at_lobby(self, table: Any) -> bool:
        """Return whether the presiding lobby's node hosts the table, and so can judge the requests of its guests."""
        return (table.host if isinstance(table, Replica) else self.name) == self._context.lobby_node

    def _send_lobby_request(self, guest: Guest, request: LobbyRequest) -> None:
        """Send a guest's request to the lobby; a request for a seat replaces earlier ones."""
        record = self._records.ensure(guest)
        if isinstance(request, requests.Seek) and not is_identifiable(request.player):
            marked = replace(request.player, mark=f"{self.name}/{record.number:x}")
            request = replace(request, player=marked)
        if isinstance(request, _SEAT_REQUESTS):
            record.resolve(_SEAT_REQUESTS)  # a new request replaces those made while there was no lobby
            record.set_table_request(request)
            guest.tie = request.seek.tie if isinstance(request, requests.Open) else getattr(request, "tie", guest.tie)
        if isinstance(request, requests.Unclaim) and not self._context.lobby_is_here:
            guest.claim = None
            self._records.send_oneway(record, request, self._context.lobby_node)
        else:
            self._ask_lobby(record, request)

    def _ask_lobby(self, record: GuestRecord, request: LobbyRequest, *, again: bool = False) -> None:
        """Send a request to the presiding lobby; `again` if a lobby may have carried it out already."""
        if not self._context.lobby_is_here:
            self._records.send_request(record, request, "", self._context.lobby_node, again=again)
            return
        number = self._records.add_pending(record, request, "")
        self._host.run_when_ready(
            request, again, lambda: number in record.pending, lambda: self._run(record, number, again)
        )

    def _run(self, record: GuestRecord, number: int, again: bool) -> None:
        """Let the lobby of this node carry out a request."""
        request = cast("LobbyRequest", record.pending[number].request)
        lost_seat = self._host.find_lost_seat(request) if again else None
        if lost_seat is not None:
            self.handle_placement(self.name, Placed(record.number, record.epoch, *lost_seat))
        else:
            del record.pending[number]
            self._lobby.do(record.guest, request)

    def _depart(self, guest: Guest) -> None:
        """Let a guest leave its table or, without one, the lobby."""
        record = self._records.find(guest)
        if record is not None:
            record.table_request = record.attending = None
            record.resolve(ARRIVAL_REQUESTS)
        if isinstance(guest.table, Replica):
            guest.table.leave(guest)
        elif self._context.lobby_is_here:
            self._lobby.do(guest, requests.Depart())
        elif record is not None:
            self._records.send_oneway(record, requests.Depart(), self._context.lobby_node)

    def disconnected(self, guest: Guest) -> None:
        """Remove a guest that has disconnected."""
        if isinstance(guest.table, Replica):
            guest.table.leave(guest)
        self._lobby.disconnected(guest)
        record = self._records.remove(guest)
        if record is not None and self._context.lobby_is_remote:
            self._put(self._context.lobby_node, Gone(record.number))

    def forward(self, guest: Guest, match: str, node: str, request: Any) -> None:
        """Send a guest of this node to a table that another node hosts; the lobby is here."""
        record = self._records.find(guest)
        if record is None:
            return  # it has disconnected
        if node == self.name and self._host.admit(guest, match, request):
            return
        if record.table_request is not None:
            # pending until the other node answers: it may die first
            self._records.add_pending(record, record.table_request, "")
        self._records.send_request(record, request, match, "" if node == self.name else node)

    def follow(self, handover: Handover, node: str) -> None:
        """Let guests follow a match that this node no longer hosts; if `node` is empty, they look for its host."""
        for guest, _ in handover.pending:
            record = self._records.find(guest)
            if guest not in handover.guests and record is not None and record.table_request is not None:
                self._send_lobby_request(guest, record.table_request)  # its seat request was still queued
        self.replicas.follow(handover, node)

    # --- notifications from other nodes -------------------------------------------------------------------------------

    def handle_notification(self, node: str, message: Told, order: int = 0) -> None:
        """Handle a notification; `order` is its order number if it was delayed."""
        order = order or next(self._order)
        if self.replicas.is_reading(message.match):
            self.replicas.call_after_read(message.match, lambda: self.handle_notification(node, message, order))
            return
        records = [record for number in message.guests if (record := self._records.by_number(number)) is not None]
        if message.seats or (message.notice is not None and message.notice.kind in ("Seated", "Watching")):
            records = [record for record in records if self._expects(record, node, message, order)]
        if not records:
            return
        if message.events:
            self._handle_step(node, message, records, order)
        elif message.notice is not None:
            for record in records:
                self._handle_notice(node, record, message.match, message.notice, order)

    def _expects(self, record: GuestRecord, node: str, message: Told, order: int) -> bool:
        """Return whether a guest may be at that table now.

        A lobby that was suspended may have seated a guest that is elsewhere by now; the sender is then sent `Gone`. A
        guest that moved on while the match was read has been there before.
        """
        table, match = record.guest.table, message.match
        if message.events and record.number not in message.seats:
            return True
        if order < record.arrival_order:
            return False
        if isinstance(table, Replica) and (
            table.match.id == match or (table.host == node and not _plays(record.guest))
        ):
            return True
        for pending in record.pending.values() if table is None or isinstance(table, Replica) else ():
            requested = pending.match or getattr(pending.request, "match", "")  # a lobby request names its match itself
            if isinstance(pending.request, ARRIVAL_REQUESTS) and (
                requested == match or (not pending.match and node == self._context.lobby_node)
            ):
                return True
        self._put(node, Gone(record.number, match))
        return False

    def _handle_step(self, node: str, message: Told, records: Sequence[GuestRecord], order: int) -> None:
        """Apply the events of a match to its replica, seat the guests that the message names, and tell all guests."""
        match, last = message.match, message.first + len(message.events) - 1
        replica = self.replicas.get(match)
        if replica is None or replica.match.seq < message.first - 1:
            self.replicas.catch_up(
                match, node, message.first - 1, lambda: self.handle_notification(node, message, order)
            )
            return
        guests_with_repeats = []
        for number, request_number in message.answers.items():
            record = self._records.by_number(number)
            if record is not None and record.pending.pop(request_number, None) is None:
                guests_with_repeats.append(record.guest)  # it repeated the request to another host, with another number
        if replica.match.seq >= last and not message.seats:
            return  # already read from the journal
        if replica.match.seq >= message.first:  # read in part from the journal; only the seats are new
            for record in records:
                if record.number in message.seats and record.guest.table is not replica:
                    self._arrive(record, replica, message.seats[record.number], order)
                    record.guest.tell(notifications.Seated(replica.match, message.seats[record.number], False))
            return
        seats = {record.guest: message.seats[record.number] for record in records if record.number in message.seats}
        for record in records:
            if record.guest in seats:
                self._arrive(record, replica, seats[record.guest], order)
        moments = tuple(replay_events(replica.match, map(decode, message.events)))
        replica.last_seen = self._clock.now()
        step = Step(moments)
        for guest in guests_with_repeats:
            self.replicas.resolve_from_step(guest, replica.seat_of(guest), match, step)
        replica.apply_step(step, seats)  # all guests, not only those in the message: the host may not know some yet
        if node == replica.host:
            replica.announced.update(seats)
        elif seats:  # a former host has seated a guest: announce it to the present one
            self._clock.later(0.0, partial(self.replicas.locate, replica))
        self.lag.observe(max(0.0, self._clock.now() - moments[-1].event.at))

    def _arrive(self, record: GuestRecord, replica: Replica, seat: Seat | None, order: int) -> None:
        """Place a guest at a replica, and remove it from its former one."""
        record.arrival_order = order
        table = record.guest.table
        if isinstance(table, Replica) and table is not replica:
            table.remove(record.guest)
            record.drop_pending(table.match.id)
            self.replicas.discard_if_empty(table)
        record.resolve(_WATCH_REQUESTS if seat is None else ARRIVAL_REQUESTS)
        replica.place(record.guest, seat)

    def _handle_notice(self, node: str, record: GuestRecord, match: str, notice: Notice, order: int) -> None:
        """Handle a notice for one guest: a refusal, an arrival at a table, or another answer or announcement."""
        if notice.kind == "Refusal":
            self._handle_refusal(record, notice)
            return
        if notice.kind in ("Seated", "Watching"):
            replica = self.replicas.get(match)
            if replica is None or replica.match.seq < notice.seq:
                self.replicas.catch_up(
                    match, node, notice.seq, lambda: self._confirm_arrival(record, match, notice, order)
                )
            else:
                self._confirm_arrival(record, match, notice, order)
            return
        pending = record.pending.get(notice.number)
        if notice.number and pending is None:
            return  # the request has been repeated with another number
        if pending is None:
            record.resolve(_REQUESTS_BY_ANSWER.get(notice.kind, ()))
        else:
            del record.pending[notice.number]
            if pending.silent:
                return
        self._deliver_notice(record, match, notice, None if pending is None else pending.request)

    def _deliver_notice(
        self, record: GuestRecord, match: str, notice: Notice, request: LobbyRequest | Command | None
    ) -> None:
        """Pass a notice to the guest, and record what follows from it; `request` is the one that it answers."""
        guest = record.guest
        match notice.kind:
            case "NoTable":
                record.attending = record.table_request if isinstance(record.table_request, requests.Attend) else None
                guest.tell(notifications.NoTable())
            case "NotHeld":
                guest.tell(notifications.NotHeld())
            case "Claimed":
                if isinstance(request, requests.Claim):
                    guest.claim = request.scope, notice.text
                guest.tell(notifications.Claimed(notice.text))
            case "Introduced":
                guest.key = notice.key
                if isinstance(request, requests.Introduce):
                    guest.name = request.name
                held_seats = tuple(zip(map(expand_summary, notice.summaries), notice.seats, strict=True))
                guest.tell(notifications.Introduced(notice.text, notice.key, held_seats, guest.name))
            case "Surveyed":
                audiences = {summary.id: summary.audience for summary in notice.summaries if summary.audience}
                guest.tell(notifications.Surveyed(tuple(map(expand_summary, notice.summaries)), notice.full, audiences))
            case "Audience":
                guest.tell(notifications.Audience(notice.seq, tuple(notice.names)))  # `seq` carries the count
            case "RematchWanted":
                guest.tell(notifications.RematchWanted(tuple(notice.seats), tuple(notice.gone)))
            case "Displaced" if isinstance(guest.table, Replica) and guest.table.match.id == match:
                replica = guest.table
                replica.remove(guest)
                record.drop_pending(match)
                self.replicas.discard_if_empty(replica)
                guest.tell(notifications.Displaced())

    def _confirm_arrival(self, record: GuestRecord, match: str, notice: Notice, order: int) -> None:
        """Place a guest at a replica that its host has let it join, unless the guest has moved on meanwhile."""
        replica = self.replicas.get(match)
        if record not in self._records or replica is None or order < record.arrival_order:
            return  # for example, this node hosts the match by now; the pending request is repeated
        if notice.seat is None and any(
            isinstance(entry.request, requests.Enter) and entry.request.match != match
            for entry in record.pending.values()
        ):
            return  # it has asked for a seat at another table meanwhile
        kinds = _WATCH_REQUESTS if notice.seat is None else ARRIVAL_REQUESTS
        if (
            record.guest.table is replica
            and replica.seat_of(record.guest) == notice.seat
            and not record.has_pending(kinds)
        ):
            return  # the answer to a repeated request
        self._arrive(record, replica, notice.seat, order)
        if notice.seat is None:
            record.guest.tell(notifications.Watching(replica.match))
        else:
            record.guest.tell(notifications.Seated(replica.match, notice.seat, False))

    def _handle_refusal(self, record: GuestRecord, notice: Notice) -> None:
        """Pass a refusal to the guest, unless the refused request was repeated with another number."""
        pending = record.pending.pop(notice.number, None)
        if pending is None and notice.number:
            return  # the request has been repeated with another number
        if pending is not None and pending.silent:
            return
        request: Any = pending.request if pending is not None else None
        if pending is None and notice.request is not None:
            request = decode_request(notice.request, None)
        if isinstance(request, ARRIVAL_REQUESTS):
            record.resolve(ARRIVAL_REQUESTS)  # also the lobby request that led there
        if notice.error is None:
            return
        reason = decode_error(notice.error)
        if isinstance(request, ARRIVAL_REQUESTS) and reason.reason is Reason.AT_TABLE and record.guest.table is None:
            self._records.add_pending(record, request, "")  # it took a seat and missed the answer
            self._enroll(record)
        else:
            record.guest.tell(notifications.Refusal(request, reason))

    # --- reconciliation -----------------------------------------------------------------------------------------------

    def answer_audit(self, node: str, message: Audit) -> None:
        """Answer a host's audit: report the guests that are not at its tables and have no request pending."""
        for number, match in message.guests:
            record = self._records.by_number(number)
            if record is None:
                self._put(node, Gone(number))
                continue
            table = record.guest.table
            if (
                (table is None or table.match.id != match)
                and not record.pending
                and not self.replicas.is_reading(match)
            ):
                self._put(node, Gone(number, match))

    def forward_request(self, message: Sent) -> None:
        """Make a guest's request at the table to which the lobby forwards it, on another node or on this one."""
        record = self._records.by_number(message.guest)
        if record is None:
            return
        request = decode_request(message.request, None)
        if message.node == self.name:
            if self._host.admit(record.guest, message.match, request):
                record.resolve(ARRIVAL_REQUESTS)
        else:
            self._records.send_request(record, request, message.match, message.node)

    def handle_placement(self, node: str, message: Placed) -> None:
        """Handle the lobby's answer to `Enroll`: where a guest is."""
        record = self._records.by_number(message.guest)
        if record is None or record.epoch != message.epoch:
            return
        table = record.guest.table
        if not message.match or message.match == record.left_match:
            self._ask_again(record)
        elif table is None or table.match.id != message.match:
            self._reader.fetch(message.match, 0, lambda events: self._place(record, message, events))
        elif isinstance(table, Replica) and table.seat_of(record.guest) != message.seat:
            self.replicas.locate(table)  # it took a seat and missed the answer: read the journal
        elif message.seat is None:
            record.resolve(_WATCH_REQUESTS)
            self._ask_again(record)
        else:
            record.resolve(ARRIVAL_REQUESTS)

    def _ask_again(self, record: GuestRecord) -> None:
        """Repeat the lobby requests made before `Enroll`: none of them was or will be carried out.

        Later requests are on their way behind the `Enroll`. Repeating them too would open two tables, and the lobby
        would close one that may have guests.
        """
        pending = {number: entry for number, entry in record.pending.items() if entry.epoch < record.epoch}
        lobby_entries = [entry for entry in pending.values() if not entry.match]
        for number in [n for n, entry in pending.items() if not entry.match or record.guest.table is None]:
            del record.pending[number]
        for entry in lobby_entries:
            if entry.silent:
                self._records.send_silently(record, cast("LobbyRequest", entry.request), self._context.lobby_node)
            else:
                self._ask_lobby(record, cast("LobbyRequest", entry.request), again=True)

    def _place(self, record: GuestRecord, message: Placed, events: Sequence[Event] | None, attempt: int = 1) -> None:
        """Seat a guest at a replica read from the journal, and notify it of its seat and of all events since."""
        if not events or record.epoch != message.epoch or record not in self._records:
            return  # repeated or answered meanwhile
        if self.replicas.call_after_read(message.match, lambda: self._place(record, message, events, attempt)):
            return
        table = record.guest.table
        if table is not None and (table.match.id == message.match or not isinstance(table, Replica)):
            return
        hosted = self._lobby.hosted(message.match)
        if hosted is not None:
            record.resolve(ARRIVAL_REQUESTS)
            self._host.seat_again(record.guest, hosted, message.seat)
            return
        replica = self.replicas.get(message.match)
        if replica is not None and replica.match.seq > len(events):  # the match went on during the read
            if attempt < PLACE_ATTEMPTS:
                self._reader.fetch(message.match, 0, lambda events: self._place(record, message, events, attempt + 1))
            else:
                self._refuse_arrival(record)
            return
        match, later_notifications = arrival(events, message.seat)
        if replica is None:
            replica = self.replicas.make(match, message.node)
        self.replicas.advance(replica, events[replica.match.seq :] if replica.guests else ())
        self._arrive(record, replica, message.seat, next(self._order))
        for notification in later_notifications:
            record.guest.tell(notification)
        replica.match = max((fold(events), replica.match), key=attrgetter("seq"))
        self.replicas.locate(replica)

    def _refuse_arrival(self, record: GuestRecord) -> None:
        """Refuse a guest whose match could not be read to its end."""
        reason = Refused("the match changes too fast to join it; try again in a moment", reason=Reason.UNAVAILABLE)
        unanswered = [
            entry.request
            for entry in record.pending.values()
            if isinstance(entry.request, ARRIVAL_REQUESTS) and not entry.silent
        ]
        record.resolve(ARRIVAL_REQUESTS)
        for request in unanswered:
            record.guest.tell(notifications.Refusal(request, reason))

    def set_lobby_node(self, node: str) -> None:
        """Set the node where the lobby presides, and introduce all guests to it."""
        if node == self._context.lobby_node:
            return
        self._context.lobby_node = node
        if not node:
            return
        for replica in self.replicas:
            if replica.match.status is Status.WAITING:
                self.replicas.locate(replica)
        for record in self._records:
            self._introduce(record)

    def _introduce(self, record: GuestRecord) -> None:
        """Restore a guest's name, attendance and pending requests at a new lobby."""
        node, guest = self._context.lobby_node, record.guest
        record.epoch += 1  # voids late answers of the former lobby
        unanswered = record.pending_for("")
        record.drop_pending("")
        standing: list[LobbyRequest] = []
        if guest.claim is not None:
            scope, name = guest.claim
            standing.append(requests.Claim(name, scope))
        if record.attending is not None and guest.table is None:
            standing.append(record.attending)
        if node == self.name:
            guest.claim = None
        for request in standing:
            if node == self.name:
                self._host.restore(guest, request)
            else:
                self._records.send_silently(record, request, node)
        for repeated in unanswered:
            self._ask_lobby(record, cast("LobbyRequest", repeated), again=True)

    def reconcile(self, node: str) -> None:
        """Reconcile everything shared with a node: messages were lost, or it has restarted."""
        self.replicas.reconcile(node)
        if node == self._context.lobby_node:
            for record in self._records:
                self._enroll(record)
        else:  # the lobby may have forwarded guests to that node; it learns of its death within a heartbeat
            self._clock.later(BEAT_SECONDS, self._enroll_forwarded)

    def _enroll_forwarded(self) -> None:
        for record in self._records:
            if record.guest.table is None and any(entry.match for entry in record.pending.values()):
                self._enroll(record)

    def reconcile_all(self) -> None:
        """Reconcile all guests: other nodes may have removed them."""
        for replica in self.replicas:
            self.replicas.locate(replica)
        if not self._context.lobby_is_here:
            for record in self._records:
                self._enroll(record)

    def _enroll(self, record: GuestRecord) -> None:
        """Introduce a guest to the lobby, in a new epoch, unless the host of its table decides about it."""
        table = record.guest.table
        if table is not None and table.match.status is not Status.WAITING:
            watches = table.seat_of(record.guest) is None
            if not (watches and any(not entry.match for entry in record.pending.values())):
                return  # the host decides
        record.epoch += 1
        for entry in record.pending.values():
            entry.since = self._clock.now()
        if self._context.lobby_is_here and table is None:
            self.handle_placement(self.name, Placed(record.number, record.epoch))
        elif self._context.lobby_is_remote:
            guest = record.guest
            self._put(self._context.lobby_node, Enroll(record.number, record.epoch, guest.address_key, guest.key))

    def tick(self) -> None:
        """Reconcile requests that have waited too long."""
        self.replicas.tick()
        now = self._clock.now()
        for record in self._records:
            overdue = [entry for entry in record.pending.values() if now - entry.since > ANSWER_SECONDS]
            if not overdue:
                continue
            table = record.guest.table
            if any(not entry.match for entry in overdue) or table is None:
                self._enroll(record)
            if isinstance(table, Replica) and any(entry.match == table.match.id for entry in overdue):
                for entry in overdue:
                    entry.since = now
                if table.is_attached:
                    self.replicas.locate(table)
