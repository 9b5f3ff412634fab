"""The hosting side of a node: the tables that it hosts, and the delegates of guests at other nodes.

- A match is hosted here when a guest needs it and no live node holds its lease. It is read from the journal, and its
  guests announce themselves.
- A player who does not do so within `ABSENT_SECONDS` has left; the table's policy decides what that means.
- Requests of a delegate are carried out in order. `Attach` and `Enroll` are answered after all earlier requests;
  requests of an earlier epoch that arrive later are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from boardwire.cluster.context import NodeContext
from boardwire.cluster.hosting.delegate import Delegate, EdgeSender
from boardwire.cluster.reconcile import arrival
from boardwire.cluster.tables import HostedTable
from boardwire.cluster.transport.messages import (
    Ask,
    Attach,
    Attached,
    Attendee,
    Audit,
    Enroll,
    Gone,
    Moved,
    Placed,
    Sent,
    decode_request,
    encode_request,
    summarize,
)
from boardwire.errors import BoardwireError, Malformed
from boardwire.games.game import Seat
from boardwire.lobby.requests import Enter, Introduce, LobbyRequest, Resume, Seek, Watch
from boardwire.table.commands import Return
from boardwire.table.events import Event
from boardwire.table.guest import Guest, Refusal, Seated
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status, fold, replay_events

ABSENT_SECONDS: Final = 8.0
"""How long players may take to announce themselves to a new host before they count as gone. On an overloaded machine,
nodes learn of a dead node several seconds apart."""
GUEST_SILENCE_SECONDS: Final = 5.0
"""How long a node may not mention one of its guests, after messages were lost, before the guest counts as gone."""
_ARRIVAL_KINDS: Final = (Return.__name__, Watch.__name__)
"""Requests that the lobby forwards to a host, which may not have the match yet."""
FIND_RETRY_SECONDS: Final = 1.0
"""Interval between attempts to find a match while the database cannot be reached."""
LOBBY_SETTLE_SECONDS: Final = 1.5
"""How long a new lobby waits for the guests of waiting tables before it assigns a seat that seems free."""


class Host:
    """The hosting side of a node: its tables, and the delegates at them."""

    def __init__(self, context: NodeContext) -> None:
        self.name = context.name
        self._lobby = context.lobby
        self._clock = context.clock
        self._put = context.outbox.put
        self._last = context.outbox.last
        self._leases = context.leases
        self._reader = context.reader
        self._observer = context.observer
        self._report_unreadable = context.report_unreadable
        self._senders: dict[str, EdgeSender] = {}
        self._delegates: dict[tuple[str, int], Delegate] = {}
        self._loading: dict[str, list[Callable[[str], None]]] = {}
        """Callbacks for the matches that are being taken over."""
        self._deferred: list[Callable[[], None]] | None = None
        """Requests deferred until all waiting guests have announced themselves to a new lobby; None at other times."""
        self._gaps: dict[str, float] = {}
        """When messages of a node were last lost."""
        self.takeovers = 0

    # --- requests of delegates ----------------------------------------------------------------------------------------

    def ask(self, node: str, message: Ask) -> None:
        """Handle a request of a guest at another node."""
        delegate = self._ensure_delegate(node, message.guest)
        if message.epoch < delegate.epoch:
            return
        delegate.epoch = message.epoch
        delegate.address_key, delegate.key = message.address_key, message.key or delegate.key
        delegate.name = message.name or delegate.name
        if not message.match:
            self._run_lobby_request(delegate, message)
            return
        table = self._lobby.hosted(message.match)
        if table is None:
            if message.request.kind in _ARRIVAL_KINDS:  # forwarded by the lobby
                self.load(message.match, partial(self._ask_if_hosted, node, message))
            else:
                self._put(node, Moved(message.match, ""))
            return
        if message.seq > table.match.seq:
            table.call_in_order(partial(self.compare, table, message.seq))
        request = self._decode(delegate, message, table)
        if isinstance(request, Return | Watch) and delegate.table in (None, table):
            self._admit(delegate, table, request)
        elif delegate.table is not table:
            self._put(node, Moved(message.match, ""))
        elif request is not None:
            self._lobby.do(delegate, request)

    def _ask_if_hosted(self, node: str, message: Ask, host: str) -> None:
        if host == self.name and self._lobby.hosted(message.match) is not None:
            self.ask(node, message)
        else:
            self._put(node, Moved(message.match, host))

    def _run_lobby_request(self, delegate: Delegate, message: Ask) -> None:
        """Carry out a lobby request; if the lobby presides elsewhere, the edge will learn that and repeat it."""
        if not self._lobby.presiding:
            return
        request = self._decode(delegate, message, None)
        if not message.again:
            delegate.last_place = None
        if request is not None:
            wanted = partial(self._is_wanted, delegate, message)
            self.run_when_ready(request, message.again, wanted, partial(self._run_now, delegate, message, request))

    def _is_wanted(self, delegate: Delegate, message: Ask) -> bool:
        """Return whether the guest is still there and has not voided the request by a new epoch."""
        return (delegate.edge, delegate.number) in self._delegates and message.epoch == delegate.epoch

    def _run_now(self, delegate: Delegate, message: Ask, request: LobbyRequest) -> None:
        lost_seat = self.find_lost_seat(request) if message.again else None
        if lost_seat is not None:
            self._put(delegate.edge, Placed(delegate.number, delegate.epoch, *lost_seat))
            return
        delegate.request_number = message.number
        self._lobby.do(delegate, request)
        delegate.request_number = 0

    def find_lost_seat(self, request: LobbyRequest) -> tuple[str, Seat, str] | None:
        """Return match, seat and host of the seat that a former lobby gave a player whose answer was lost, or None."""
        return self._lobby.find_lost_seat(request.player, self.name) if isinstance(request, Seek) else None

    def run_when_ready(
        self, request: LobbyRequest, again: bool, is_wanted: Callable[[], bool], then: Callable[[], None]
    ) -> None:
        """Carry out a lobby request once the lobby of this node knows enough, if it is still wanted.

        A new lobby does not know all waiting guests and matches yet; it searches before it says that a table does not
        exist.
        """

        def carry_out() -> None:
            if is_wanted() and self._lobby.presiding:
                then()

        match = request.match if isinstance(request, Enter | Resume | Watch) else ""
        if self._deferred is not None and (again or (isinstance(request, Introduce) and request.token)):
            self._deferred.append(partial(self.run_when_ready, request, False, is_wanted, then))
        elif match and not self._lobby.lists(match):
            self._find(match, is_wanted, carry_out)
        else:
            carry_out()

    def _find(self, match: str, is_wanted: Callable[[], bool], then: Callable[[], None]) -> None:
        """Look up the host of a match in the journal and the leases; host it here if no node does."""

        def find_host(events: Sequence[Event] | None) -> None:
            folded = None if events is None else self._fold(match, events)
            if events is None:
                retry_later()
            elif folded is None or folded.status is not Status.PLAYING:
                then()
            else:
                self._leases.take([match], partial(use_owner, folded))

        def use_owner(folded: Match, owners: Mapping[str, str] | None) -> None:
            node = "" if owners is None else owners[match]
            if node == self.name:
                self.load(match, lambda host: then() if host else retry_later())
            elif node:
                self._lobby.update(summarize(folded), node)
                then()
            else:
                retry_later()

        def retry_later() -> None:
            if is_wanted():
                self._clock.later(FIND_RETRY_SECONDS, lambda: self._reader.fetch(match, 0, find_host))

        self._reader.fetch(match, 0, find_host)

    def _decode(self, delegate: Delegate, message: Ask, table: HostedTable | None) -> Any:
        """Decode and remember a request; refuse one that cannot be decoded, and return None."""
        try:
            request = decode_request(message.request, None if table is None else table.match)
        except (KeyError, ValueError, BoardwireError):  # from a node of another version
            delegate.remember_request(message.number, None)
            problem = "the node that hosts this table cannot decode the request; it may run another version"
            delegate.tell(Refusal(None, Malformed(problem)))
            return None
        delegate.remember_request(message.number, request)
        return request

    def _admit(self, guest: Guest, table: HostedTable, request: Any) -> None:
        """Let a guest that the lobby has forwarded return to this table, or watch it."""
        if isinstance(request, Watch):
            table.watch(guest)
        elif table.seat_of(guest) == request.seat:  # repeated, because it missed the answer
            guest.tell(Seated(table.match, request.seat, False))
        else:
            guest.table = table
            table.do(guest, request)

    def admit(self, guest: Guest, match: str, request: Any) -> bool:
        """Admit a guest of this node; return whether the table is here.

        If it is not but should be, this starts loading it; the guest asks again.
        """
        table = self._lobby.hosted(match)
        if table is None:
            self.load(match)
            return False
        self._admit(guest, table, request)
        return True

    def forward(self, delegate: Delegate, match: str, node: str, request: Any) -> None:
        """Send a guest of another node to a table that a third node hosts."""
        self._put(delegate.edge, Sent(delegate.number, match, node, encode_request(request)))

    def handle_departure(self, node: str, message: Gone) -> None:
        """Handle the departure of a guest of another node, from a table or altogether."""
        delegate = self._delegates.get((node, message.guest))
        if delegate is None:
            return
        if not message.match:
            self._drop(delegate)
        elif delegate.table is not None and delegate.table.match.id == message.match:
            self._lobby.leave(delegate)

    def handle_node_death(self, node: str) -> None:
        """Remove all guests of a dead node."""
        for delegate in [delegate for (edge, _), delegate in self._delegates.items() if edge == node]:
            self._drop(delegate)
        self._senders.pop(node, None)

    def reconcile(self, node: str) -> None:
        """Remove the guests that a node does not mention within `GUEST_SILENCE_SECONDS`: messages from it were lost."""
        now = self._clock.now()
        self._gaps[node] = now
        self._clock.later(GUEST_SILENCE_SECONDS, partial(self._drop_silent, node, now))

    def _drop_silent(self, node: str, since: float) -> None:
        if self._gaps.get(node) == since:
            for delegate in [delegate for (edge, _), delegate in self._delegates.items() if edge == node]:
                if delegate.last_seen < since and delegate.table is not None:
                    self._drop(delegate)

    def audit_guests(self) -> None:
        """Ask the edges of guests that have been silent for a while whether they are still there."""
        since = self._clock.now() - GUEST_SILENCE_SECONDS
        guests_by_edge: dict[str, list[tuple[int, str]]] = {}
        for delegate in self._delegates.values():
            if delegate.table is not None and delegate.last_seen < since:
                guests_by_edge.setdefault(delegate.edge, []).append((delegate.number, delegate.table.match.id))
        for node, guests in guests_by_edge.items():
            self._put(node, Audit(guests))

    def _drop(self, delegate: Delegate) -> None:
        self._lobby.disconnected(delegate)
        delegate.detach()
        del self._delegates[delegate.edge, delegate.number]

    def _ensure_delegate(self, node: str, number: int) -> Delegate:
        """Return the delegate of a guest, created on first use; its edge has just mentioned it."""
        delegate = self._delegates.get((node, number))
        if delegate is None:
            sender = self._senders.get(node)
            if sender is None:
                sender = self._senders[node] = EdgeSender(partial(self._put, node), partial(self._last, node))
            delegate = self._delegates[node, number] = Delegate(node, number, sender)
        delegate.last_seen = self._clock.now()
        return delegate

    # --- reconciliation -----------------------------------------------------------------------------------------------

    def attach(self, node: str, message: Attach) -> None:
        """Handle the announcement of guests at a table that should be hosted here."""
        table = self._lobby.hosted(message.match)
        if table is None:
            self.load(message.match, partial(self._attach_if_hosted, node, message))
            return
        for attendee in message.guests:
            self._raise_epoch(node, attendee)
        table.call_in_order(partial(self._attach_guests, table, node, message))

    def _attach_if_hosted(self, node: str, message: Attach, host: str) -> None:
        if host == self.name:
            self.attach(node, message)
        else:
            self._put(node, Moved(message.match, host))

    def _raise_epoch(self, node: str, attendee: Attendee) -> None:
        delegate = self._ensure_delegate(node, attendee.guest)
        delegate.epoch = max(delegate.epoch, attendee.epoch)
        delegate.tie, delegate.address_key = attendee.tie, attendee.address_key
        delegate.key = attendee.key or delegate.key
        delegate.name = attendee.name or delegate.name

    def _attach_guests(self, table: HostedTable, node: str, message: Attach) -> None:
        """Seat and place the guests that another node has at this table, and confirm them."""
        if self.compare(table, message.seq):
            self._put(node, Moved(message.match, ""))
            return
        for attendee in message.guests:
            delegate = self._ensure_delegate(node, attendee.guest)
            if delegate.table is not None and delegate.table is not table:
                self._locate(delegate)  # moved to another table meanwhile
                continue
            self._lobby.restore_terms(table, _decode_seek(attendee), attendee.seat)
            self.adopt(table, delegate, attendee.seat)
        self._put(node, Attached(message.match, message.round, table.match.seq))

    def adopt(self, table: HostedTable, guest: Guest, seat: Seat | None) -> None:
        """Place a guest at a table that has moved here; a player marked as away returns."""
        chair = None if seat is None else table.match.chairs[seat]
        if seat is None or chair is None or chair.player is None:
            table.adopt(guest, None)
        elif chair.away is None:
            table.adopt(guest, seat)
        else:
            table.adopt(guest, None)
            self._clock.later(0.0, partial(table.do, guest, Return(seat, chair.player.key, chair.player)))

    def compare(self, table: HostedTable, seq: int) -> bool:
        """Hand over a table if a guest has seen more events than it has; return whether it is superseded."""
        if seq > table.match.seq and not table.superseded:
            self._observer.hand_over_outdated(table)
        return table.superseded

    def enroll(self, node: str, message: Enroll) -> None:
        """Answer the edge of a guest with the table that the guest is at."""
        if not self._lobby.presiding:
            return
        delegate = self._ensure_delegate(node, message.guest)
        delegate.epoch = max(delegate.epoch, message.epoch)
        delegate.address_key, delegate.key = message.address_key, message.key or delegate.key
        self._locate(delegate)

    def _locate(self, delegate: Delegate) -> None:
        """Tell the edge of a guest where the guest is."""
        table = delegate.table
        if isinstance(table, HostedTable):
            table.call_in_order(partial(self._report_place, delegate, table))
            return
        match, seat = delegate.last_place or ("", None)
        node = self._lobby.host_of(match) if match else ""
        self._put(delegate.edge, Placed(delegate.number, delegate.epoch, match if node else "", seat, node))

    def _report_place(self, delegate: Delegate, table: HostedTable) -> None:
        """Tell the edge of a guest where the guest is, once its table has handled its earlier commands."""
        if delegate.table is not table:
            self._locate(delegate)
            return
        place = table.match.id, table.seat_of(delegate), self.name
        self._put(delegate.edge, Placed(delegate.number, delegate.epoch, *place))

    # --- taking over and handing over matches -------------------------------------------------------------------------

    def load(self, match: str, then: Callable[[str], None] | None = None) -> None:
        """Host a match unless another live node does; `then` receives the host, or '' if it is unknown."""
        callbacks = [] if then is None else [then]
        if match in self._loading:
            self._loading[match] += callbacks
            return
        table = self._lobby.hosted(match)
        if table is not None:  # already hosted here; a local replica may have missed that
            self._reader.fetch(match, 0, lambda events: self._observer.hosting(table, 0, events or ()))
            for report in callbacks:
                report(self.name)
            return
        self._loading[match] = callbacks
        self._leases.take([match], partial(self._load_leased, match))

    def _load_leased(self, match: str, owners: Mapping[str, str] | None) -> None:
        """Read the match if its lease is now ours; otherwise report the node that holds it."""
        node = "" if owners is None else owners[match]
        if node == self.name:
            known_match = self._observer.known_match(match)
            self._reader.fetch(
                match, 0 if known_match is None else known_match.seq, partial(self._finish_load, match, known_match)
            )
            return
        for then in self._loading.pop(match):
            then(node)

    def _finish_load(self, match: str, known_match: Match | None, events: Sequence[Event] | None) -> None:
        """Host a match that has been read; `events` follow `known_match`, or are None if the journal cannot be read."""
        callbacks = self._loading.pop(match)
        loaded_match = None if events is None else self._fold(match, events, known_match)
        if events is None or loaded_match is None:
            for then in callbacks:
                then("")
            return
        if loaded_match.status is Status.WAITING and not self._lobby.presiding:
            self._leases.drop([match])  # waiting tables belong to the presiding lobby
            return
        table = self._lobby.host(loaded_match)
        table.is_placed = loaded_match.status is not Status.WAITING
        self.takeovers += 1
        self._observer.hosting(table, 0 if known_match is None else known_match.seq, events)
        for then in callbacks:
            then(self.name)
        # a waiting table without guests has lost its players
        expects_guests = table.guests or loaded_match.status is Status.PLAYING
        self._clock.later(ABSENT_SECONDS if expects_guests else 0.0, partial(self._drop_missing, table))

    def _fold(self, match: str, events: Sequence[Event], known_match: Match | None = None) -> Match | None:
        """Fold a match from its events, starting at `known_match`; return None if it is empty or unreadable."""
        try:
            if known_match is None:
                return fold(events) if events else None
            for moment in replay_events(known_match, events):
                known_match = moment.match
            return known_match
        except Exception as error:  # noqa: BLE001 - a faulty match must not affect others
            self._report_unreadable(match, error)
            return None

    def _drop_missing(self, table: HostedTable) -> None:
        """Record the absence of the players who have not announced themselves to this host in time."""
        if not table.superseded and table.match.status is not Status.OVER:
            for seat in table.unattended():
                table.record_absence(seat)
            if table.match.status is Status.WAITING:
                self._lobby.changed(table)

    def hand_over(self, table: HostedTable, node: str) -> Handover:
        """Hand an idle table over to another node, and return its guests and pending commands."""
        handover = table.step_down()
        self._lobby.move(table, node)
        self.redirect(handover, node)
        return handover

    def redirect(self, handover: Handover, node: str) -> None:
        """Tell the edges of a table's guests that it has moved."""
        delegates = [guest for guest in handover.guests if isinstance(guest, Delegate)]
        for delegate in delegates:
            delegate.last_place = handover.match.id, handover.seats.get(delegate)
        for edge in {delegate.edge: None for delegate in delegates}:
            self._put(edge, Moved(handover.match.id, node))

    # --- a new presiding lobby ----------------------------------------------------------------------------------------

    def preside(self) -> None:
        """Defer repeated requests until the guests of waiting tables have announced themselves."""
        self._deferred = []
        self._clock.later(LOBBY_SETTLE_SECONDS, self._run_deferred)

    def _run_deferred(self) -> None:
        deferred, self._deferred = self._deferred or [], None
        for call in deferred:
            call()

    def restore(self, guest: Guest, request: LobbyRequest) -> None:
        """Restore a guest's state at a new lobby without notifying the guest."""
        tell, guest.tell = guest.tell, _discard
        try:
            self._lobby.do(guest, request)
        finally:
            guest.tell = tell

    def seat_again(self, guest: Guest, table: HostedTable, seat: Seat | None) -> None:
        """Seat a guest of this node that took a seat here and missed the answer."""
        self._reader.fetch(table.match.id, 0, partial(self._tell_again, guest, table, seat))

    def _tell_again(self, guest: Guest, table: HostedTable, seat: Seat | None, events: Sequence[Event] | None) -> None:
        """Seat the guest and repeat what it missed; try again if the journal does not have all events yet."""
        seq = table.match.seq
        if guest.table is not None or table.superseded:
            return
        if events is None or len(events) < seq:
            self._clock.later(LOBBY_SETTLE_SECONDS, partial(self.seat_again, guest, table, seat))
            return
        table.adopt(guest, seat)
        for notification in arrival(events[:seq], seat)[1]:
            guest.tell(notification)


def _decode_seek(attendee: Attendee) -> Any:
    return None if attendee.seek is None else decode_request(attendee.seek, None)


def _discard(notification: object) -> None:
    """Discard a notification."""
