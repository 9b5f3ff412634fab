"""Records of the guests connected to this node, as other nodes know them, with their unanswered requests.

Each guest has a number that is unique in the cluster together with the node's name. A request stays pending until an
answer arrives from any node, so that it can be reconciled and sent again (`edge.py`, `replicas.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

from boardwire.cluster.context import NodeContext
from boardwire.cluster.transport.messages import Ask, encode_request
from boardwire.lobby import requests
from boardwire.lobby.requests import LobbyRequest
from boardwire.table.commands import Command, Join, Return
from boardwire.table.guest import Guest

ARRIVAL_REQUESTS: Final = (
    requests.Seek, requests.Enter, requests.Resume, requests.Reclaim, requests.Watch, requests.Open, requests.Attend,
    requests.Rematch, Join, Return,
)  # fmt: skip
"""Requests that bring a guest to a table, or to another one."""

GENERATION_BITS: Final = 20
"""Guest numbers start at the node's generation shifted by this: a restarted node does not reuse them."""


class PendingRequest:
    """A request without an answer."""

    __slots__ = ("epoch", "match", "request", "silent", "since")

    def __init__(
        self, request: LobbyRequest | Command, match: str, since: float, epoch: int, *, silent: bool = False
    ) -> None:
        self.request = request
        self.epoch = epoch
        """The guest's epoch at the time: the answer to an `Enroll` says nothing about later requests."""
        self.silent = silent
        """The edge made it to restore a new lobby's state; the guest does not see the answer."""
        self.match = match
        """The match whose table it is for; empty for the lobby."""
        self.since = since


class GuestRecord:
    """A guest of this node, as other nodes know it."""

    __slots__ = (
        "arrival_order", "attending", "epoch", "guest", "left_match", "number", "pending", "seek", "table_request",
    )  # fmt: skip

    def __init__(self, guest: Guest, number: int) -> None:
        self.guest = guest
        self.number = number
        self.epoch = 0
        """Requests of an earlier epoch are void: hosts and the lobby drop those that arrive late."""
        self.pending: dict[int, PendingRequest] = {}
        self.table_request: LobbyRequest | None = None
        """The last request for a table."""
        self.seek: requests.Seek | None = None
        """The terms of its table, if it opened or could have opened that table."""
        self.attending: requests.Attend | None = None
        """The request by which it waits for the next table to be opened."""
        self.arrival_order = 0
        """The order number of the message that brought it to its table."""
        self.left_match = ""
        """The match that it left last; the lobby may not know yet."""

    def set_table_request(self, request: LobbyRequest) -> None:
        """Record a new request for a table; it replaces the previous one."""
        current_match = "" if self.guest.table is None else self.guest.table.match.id
        if isinstance(request, requests.Seek | requests.Open):
            self.seek = request.seek if isinstance(request, requests.Open) else request
        elif not isinstance(request, requests.Enter) or request.match != current_match:
            self.seek = None
        self.table_request, self.attending = request, None

    def has_pending(self, kinds: tuple[type, ...]) -> bool:
        """Return whether a request of one of these types is pending."""
        return any(isinstance(entry.request, kinds) for entry in self.pending.values())

    def pending_for(self, match: str) -> list[LobbyRequest | Command]:
        """Return the guest's own pending requests for the table of a match; empty for the lobby."""
        return [entry.request for entry in self.pending.values() if entry.match == match and not entry.silent]

    def resolve(self, kinds: tuple[type, ...]) -> None:
        """Remove pending requests of these types: they have been answered."""
        for number in [number for number, entry in self.pending.items() if isinstance(entry.request, kinds)]:
            del self.pending[number]

    def drop_pending(self, match: str) -> None:
        """Remove pending requests for the table of a match; empty for the lobby."""
        for number in [number for number, entry in self.pending.items() if entry.match == match]:
            del self.pending[number]


class GuestRecords:
    """The records of all guests of this node that other nodes may know."""

    def __init__(self, context: NodeContext) -> None:
        self._clock = context.clock
        self._put = context.outbox.put
        self._numbers = count(context.generation << GENERATION_BITS)
        self._requests = count(1)
        self._by_number: dict[int, GuestRecord] = {}
        self._by_guest: dict[Guest, GuestRecord] = {}

    def __iter__(self) -> Iterator[GuestRecord]:
        return iter(tuple(self._by_number.values()))

    def __contains__(self, record: GuestRecord) -> bool:
        return record.number in self._by_number

    def ensure(self, guest: Guest) -> GuestRecord:
        """Return the record of a guest; create it if there is none."""
        record = self._by_guest.get(guest)
        if record is None:
            record = self._by_guest[guest] = GuestRecord(guest, next(self._numbers))
            self._by_number[record.number] = record
        return record

    def find(self, guest: Guest) -> GuestRecord | None:
        """Return the record of a guest, or None if no other node knows it."""
        return self._by_guest.get(guest)

    def by_number(self, number: int) -> GuestRecord | None:
        """Return the record with this number, or None if the guest has disconnected."""
        return self._by_number.get(number)

    def remove(self, guest: Guest) -> GuestRecord | None:
        """Remove and return the record of a guest that has disconnected."""
        record = self._by_guest.pop(guest, None)
        if record is not None:
            del self._by_number[record.number]
        return record

    def add_pending(
        self, record: GuestRecord, request: LobbyRequest | Command, match: str, *, silent: bool = False
    ) -> int:
        """Record a request as pending, and return its number."""
        number = next(self._requests)
        record.pending[number] = PendingRequest(request, match, self._clock.now(), record.epoch, silent=silent)
        return number

    def send_request(
        self,
        record: GuestRecord,
        request: LobbyRequest | Command,
        match: str,
        node: str,
        *,
        again: bool = False,
        seq: int = 0,
    ) -> None:
        """Send a request to a node; if `node` is empty, keep it pending until the node is known."""
        number = self.add_pending(record, request, match)
        if node:
            self._put(node, ask_message(record, number, request, match, again=again, seq=seq))

    def send_silently(self, record: GuestRecord, request: LobbyRequest, node: str) -> None:
        """Restore a guest's state at a new lobby; the guest does not see the answer."""
        number = self.add_pending(record, request, "", silent=True)
        self._put(node, ask_message(record, number, request, "", again=True))

    def send_oneway(self, record: GuestRecord, request: LobbyRequest, node: str) -> None:
        """Send the lobby a request that has no answer, unless `node` is empty because no lobby presides."""
        if node:
            self._put(node, ask_message(record, next(self._requests), request, ""))


def ask_message(
    record: GuestRecord, number: int, request: LobbyRequest | Command, match: str, *, again: bool = False, seq: int = 0
) -> Ask:
    """Return a guest's request as a message."""
    guest = record.guest
    return Ask(
        record.number, record.epoch, number, encode_request(request), match, guest.address_key, guest.key, again, seq,
        guest.name,
    )  # fmt: skip
