"""The three sides of a table in a cluster: where it lives, where its guests are, and what the lobby has of it.

Rules:

- A `HostedTable` is a table as on a single node, some of whose guests are delegates.
- A `Replica` is the same table at the edge of a guest: it folds the events that the host tells, and sends commands
  there.  Whoever holds it notices nothing.
- An `Elsewhere` is what the lobby lists of a table that another node hosts: a match without a position.
- If somebody else has written to the match first, a hosted table refuses nothing and closes nobody: it hands everything
  over (`Handover`), and its guests look for it where it is now.
"""

from __future__ import annotations

from typing import Any, Protocol

from boardwire.cluster.hosting.delegate import Delegate
from boardwire.cluster.transport.messages import Card, card, carded
from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby.requests import Watch
from boardwire.table.commands import Command, Join, Return
from boardwire.table.guest import Guest, Seated, Step
from boardwire.table.match import Status
from boardwire.table.table import Table


class HostedTable(Table):
    """See the module."""

    __slots__ = ("noted", "placed")

    noted: tuple[int, int]
    """How far the match was, and how many watched, when the lobby was last told of it."""
    placed: bool
    """Whether it was decided which node hosts the match while it is played."""

    def watch(self, guest: Guest) -> None:
        """Let `guest` follow the match.  The edge of another node reads it in the journal, so its opening has to be
        there before such a guest is told of it."""
        if isinstance(guest, Delegate) and self.match.status is Status.WAITING:
            guest.table = self
            self.store_opening()
            self.take_turn(lambda: self._let_watch(guest))
        else:
            super().watch(guest)

    def _let_watch(self, guest: Guest) -> None:
        if guest.table is self:  # it has not left meanwhile
            super().watch(guest)

    @property
    def is_noted(self) -> bool:
        """Whether the lobby knows how it stands."""
        return self.noted == (self.match.seq, self.audience)

    def card(self) -> Card:
        """What the lobby is told of it."""
        self.noted = self.match.seq, self.audience
        return card(self.match, self.unattended(), self.audience)


class Guide(Protocol):
    """Whoever knows where replicas' tables are."""

    def ask(self, replica: Replica, guest: Guest, command: Command, /) -> None:
        """Send a command there."""

    def leave(self, replica: Replica, guest: Guest, /) -> None:
        """A guest has left the table."""


class Usher(Protocol):
    """Whoever sends guests to tables that other nodes host."""

    def send(self, guest: Guest, match: str, node: str, request: Any, /) -> None:
        """Let a guest ask for something there."""


class Replica(Table):
    """See the module.  It is never asked for what only its host knows."""

    __slots__ = ("due", "guide", "heard", "host", "introduced", "round", "settled")

    guide: Guide
    host: str
    """The node that has the table, as far as is known."""
    round: int
    """How often its guests have made sure of where they are."""
    settled: bool
    """Whether the host knows of them."""
    due: float
    """When to look again, if they are not settled."""
    heard: float
    """When the host last told of it."""
    introduced: dict[Guest, Seat | None]
    """Who the host was last told is here, and where each sits."""

    def seating(self) -> dict[Guest, Seat | None]:
        """Who is here, and where each sits."""
        return {guest: self._seats.get(guest) for guest in self._guests}

    def do(self, guest: Guest | None, command: Any) -> None:
        """Send it to the host; the answer comes back as news."""
        if guest is not None:
            self.guide.ask(self, guest, command)

    def leave(self, guest: Guest) -> None:
        """`guest` is gone."""
        self.remove(guest)
        self.guide.leave(self, guest)

    def remove(self, guest: Guest) -> None:
        """Tell `guest` nothing more."""
        guest.table = None
        self._seats.pop(guest, None)
        if guest in self._guests:
            self._guests.remove(guest)

    def place(self, guest: Guest, seat: Seat | None) -> None:
        """`guest` is at this table."""
        guest.table = self
        if guest not in self._guests:
            self._guests.append(guest)
        if seat is not None:
            self._seats[guest] = seat

    def take(self, step: Step, seats: dict[Guest, Seat], guests: tuple[Guest, ...] | None = None) -> None:
        """Something has happened: tell these guests, or all; some have sat down by that."""
        self.match = step.match
        for guest, seat in seats.items():
            self.place(guest, seat)
        for guest in self.guests if guests is None else guests:
            if guest.table is not self:
                continue
            if guest in seats:
                guest.tell(Seated(step.match, seats[guest]))
            guest.tell(step)


class Elsewhere(Table):
    """See the module."""

    __slots__ = ("host", "missing", "usher")

    usher: Usher
    host: str
    missing: tuple[Seat, ...]
    """The seats that nobody has come to there, and that are not given up yet."""

    def note(self, told: Card) -> None:
        """Its host has told how it stands."""
        self.match, self.missing, self.audience = carded(told), tuple(told.missing), told.audience

    def do(self, guest: Guest | None, command: Any) -> None:
        """Send whoever comes back to the host; nobody else can sit down any more."""
        if guest is None:
            return
        if isinstance(command, Return):
            guest.table = None
            self.usher.send(guest, self.match.id, self.host, command)
        elif isinstance(command, Join):
            self._refuse(guest, command, Refused("the match has already begun", reason=Reason.BEGUN))

    def watch(self, guest: Guest) -> None:
        """Send a spectator to the host."""
        guest.table = None
        self.usher.send(guest, self.match.id, self.host, Watch(self.match.id, self.match.setting.code))

    def leave(self, guest: Guest) -> None:
        """Nobody is really here."""
        guest.table = None

    def is_left(self, seat: Seat) -> bool:
        """Whether the player of `seat` is away."""
        resumes = self.match.status is Status.PLAYING and self.match.setting.policy.resumes
        return resumes and self.match.chairs[seat].away is not None

    def is_in_play(self, seat: Seat) -> bool:
        """Its position is not here to be asked."""
        return self.match.status is Status.PLAYING
