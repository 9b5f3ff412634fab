"""Tables of a cluster: where a match is hosted, where its guests are, and where it is only listed.

- `HostedTable` is a `Table` like that of a single node. Some of its guests are delegates of guests at other nodes.
- `Replica` stands for the table at the edge of a guest (`GuestTable`). It folds the events that the host sends and
  sends commands there; a dialect cannot tell it from a `Table`.
- `RemoteTable` stands in the lobby's list for a table that another node hosts (`ListedTable`): a match without a
  position.
- When another node has appended to the match first, a hosted table refuses nothing and closes no connection. It
  returns a `Handover`, and its guests follow the match to its new host.
"""

from __future__ import annotations

from typing import Any, Protocol

from boardwire.cluster.hosting.delegate import Delegate
from boardwire.cluster.transport.messages import MatchSummary, expand_summary, summarize
from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby.requests import Watch
from boardwire.table.commands import Command, Join, Return
from boardwire.table.guest import Guest, Refusal, Seated, Step
from boardwire.table.match import Match, Status
from boardwire.table.ports import TableObserver
from boardwire.table.table import Table


class HostedTable(Table):
    """A table that this node hosts."""

    __slots__ = ("is_placed", "reported")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.reported = 0, 0
        """Event number and audience size last reported to the lobby."""
        self.is_placed = False
        """Whether the lobby has decided which node hosts the match during play."""

    def watch(self, guest: Guest) -> None:
        """Let a guest follow the match.

        The edge of a delegate reads the match from the journal, so its opening must be stored first.
        """
        if isinstance(guest, Delegate) and self.match.status is Status.WAITING:
            guest.table = self
            self.store_opening()
            self.call_in_order(lambda: self._watch_if_here(guest))
        else:
            super().watch(guest)

    def _watch_if_here(self, guest: Guest) -> None:
        if guest.table is self:  # it has not left meanwhile
            super().watch(guest)

    @property
    def is_reported(self) -> bool:
        """Whether the lobby knows the current state of the table."""
        return self.reported == (self.match.seq, self.audience)

    def summary(self) -> MatchSummary:
        """Return the summary to send to the lobby, and mark it as reported."""
        self.reported = self.match.seq, self.audience
        return summarize(self.match, self.unattended(), self.audience)


class HostLink(Protocol):
    """The connection of replicas to the hosts of their tables."""

    def send_command(self, replica: Replica, guest: Guest, command: Command, /) -> None:
        """Send a guest's command to the host."""

    def report_departure(self, replica: Replica, guest: Guest, /) -> None:
        """Tell the host that a guest has left the table."""


class Replica:
    """A table hosted by another node, as its guests at this node see it."""

    __slots__ = (
        "_guests",
        "_link",
        "_seats",
        "announced",
        "attach_round",
        "host",
        "is_attached",
        "last_seen",
        "match",
        "retry_at",
    )  # fmt: skip

    def __init__(self, match: Match, host: str, link: HostLink, now: float) -> None:
        self.match = match
        self.host = host
        """The node last known to host the table."""
        self.attach_round = 0
        """How many times the guests have been announced to a host."""
        self.is_attached = True
        """Whether the host has confirmed the guests."""
        self.retry_at = 0.0
        """When to look for the host again, while not attached."""
        self.last_seen = now
        """When the host last sent something about the table."""
        self.announced: dict[Guest, Seat | None] = {}
        """The guests and seats of the last announcement."""
        self._link = link
        self._guests: list[Guest] = []
        self._seats: dict[Guest, Seat] = {}

    @property
    def guests(self) -> tuple[Guest, ...]:
        return tuple(self._guests)

    def seat_of(self, guest: Guest) -> Seat | None:
        """Return the seat of a guest of this node, or None for a spectator."""
        return self._seats.get(guest)

    def seating(self) -> dict[Guest, Seat | None]:
        """Return all guests with their seats."""
        return {guest: self._seats.get(guest) for guest in self._guests}

    def expects(self, guest: Guest) -> bool:
        """Return False: the edge records unanswered requests."""
        return False

    def do(self, guest: Guest | None, command: Any) -> None:
        """Send a command to the host; the answer returns as a notification."""
        if guest is not None:
            self._link.send_command(self, guest, command)

    def leave(self, guest: Guest) -> None:
        """Remove a guest, and tell the host."""
        self.remove(guest)
        self._link.report_departure(self, guest)

    def remove(self, guest: Guest) -> None:
        """Remove a guest without telling the host."""
        guest.table = None
        self._seats.pop(guest, None)
        if guest in self._guests:
            self._guests.remove(guest)

    def place(self, guest: Guest, seat: Seat | None) -> None:
        """Add a guest, or give it a seat."""
        guest.table = self
        if guest not in self._guests:
            self._guests.append(guest)
        if seat is not None:
            self._seats[guest] = seat

    def apply_step(self, step: Step, seats: dict[Guest, Seat], guests: tuple[Guest, ...] | None = None) -> None:
        """Apply a step and notify `guests`, or all; `seats` are the seats that guests have taken by it."""
        self.match = step.match
        for guest, seat in seats.items():
            self.place(guest, seat)
        for guest in self.guests if guests is None else guests:
            if guest.table is not self:
                continue
            if guest in seats:
                guest.tell(Seated(step.match, seats[guest]))
            guest.tell(step)


class ForwardingLobby(TableObserver, Protocol):
    """A lobby that sends guests to the hosts of its remote tables."""

    def forward(self, guest: Guest, match: str, node: str, request: Any, /) -> None:
        """Let a guest make a request at the table of a match that `node` hosts."""


class RemoteTable:
    """A table hosted by another node, as the lobby lists it."""

    __slots__ = ("_lobby", "audience", "host", "match", "missing")

    held = superseded = False
    idle = False
    """Guests are never moved to or from it."""
    is_stored = True
    guests: tuple[Guest, ...] = ()

    def __init__(self, match: Match, host: str, lobby: ForwardingLobby) -> None:
        self.match = match
        self.host = host
        self.audience = 0
        self.missing: tuple[Seat, ...] = ()
        """Seats whose players the host has not seen since it took over, and has not given up."""
        self._lobby = lobby

    @property
    def ends(self) -> bool:
        return self.match.status is Status.OVER

    def update(self, summary: MatchSummary) -> None:
        """Apply a summary from the host."""
        self.match, self.missing, self.audience = expand_summary(summary), tuple(summary.missing), summary.audience

    def seat_of(self, guest: Guest) -> Seat | None:
        """Return None: guests of a remote table are seated at its host."""
        return None

    def expects(self, guest: Guest) -> bool:
        """Return False: seats of a remote table are reserved at its host."""
        return False

    def do(self, guest: Guest | None, command: Any) -> None:
        """Forward a returning player to the host, and refuse a new one."""
        if guest is None:
            return
        if isinstance(command, Return):
            self._forward(guest, command)
        elif isinstance(command, Join):
            self._lobby.freed(self)
            self._lobby.changed(self)
            if guest.table is self:
                guest.table = None
                guest.tell(Refusal(command, Refused("the match has already begun", reason=Reason.BEGUN)))

    def watch(self, guest: Guest) -> None:
        """Forward a spectator to the host."""
        self._forward(guest, Watch(self.match.id, self.match.setting.code))

    def _forward(self, guest: Guest, request: Any) -> None:
        guest.table = None
        self._lobby.forward(guest, self.match.id, self.host, request)

    def leave(self, guest: Guest) -> None:
        """Let a guest go that was about to be forwarded."""
        guest.table = None

    def is_left(self, seat: Seat) -> bool:
        """Return whether the player of a seat is away and may return to it."""
        return self.is_in_play(seat) and self.match.setting.policy.resumes and self.match.chairs[seat].away is not None

    def is_in_play(self, seat: Seat) -> bool:
        """Return whether the match is in progress; without a position, every seat counts as in play."""
        return self.match.status is Status.PLAYING
