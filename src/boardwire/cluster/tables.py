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

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from boardwire.cluster.delegate import Delegate
from boardwire.cluster.letters import Card, card, carded
from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.table.commands import Command, Join, Leave, Return
from boardwire.table.errands import Watch
from boardwire.table.guest import Displaced, Guest, Seated, Step
from boardwire.table.match import Match, Status
from boardwire.table.ports import Superseded
from boardwire.table.table import Table


class Turn(msgspec.Struct, frozen=True):
    """Stands in the inbox of a hosted table for a call that is made when all that was asked before is done."""

    call: Callable[[], object]


class Handover(msgspec.Struct, frozen=True):
    """All that a table had in hand when it stopped: who was there, where they sat, and what they had asked."""

    match: Match
    guests: tuple[Guest, ...]
    seats: dict[Guest, Seat]
    asked: tuple[tuple[Guest, Command], ...]


class Owner(Protocol):
    """Whoever hosts a table."""

    def superseded(self, table: HostedTable, rest: Handover, /) -> None:
        """Somebody else has the match now."""


class HostedTable(Table):
    """See the module."""

    __slots__ = ("noted", "owner", "placed")

    owner: Owner
    noted: tuple[int, int]
    """How far the match was, and how many watched, when the lobby was last told of it."""
    placed: bool
    """Whether it was decided which node hosts the match while it is played."""

    @property
    def is_noted(self) -> bool:
        """Whether the lobby knows how it stands."""
        return self.noted == (self.match.seq, self.audience)

    def card(self) -> Card:
        """What the lobby is told of it."""
        self.noted = self.match.seq, self.audience
        return card(self.match, self.unattended(), self.audience)

    def adopt(self, guest: Guest, seat: Seat | None) -> None:
        """`guest` is at this table, and knows it already.  If somebody else has its seat, the same player has come back
        by another way, and it has not heard of that yet."""
        guest.table = self
        if seat is not None:
            for other in [other for other, place in self._seats.items() if place == seat and other is not guest]:
                if other in self._guests:
                    guest.tell(Displaced())
                    guest.table = None
                    return
                del self._seats[other]
            self._seats[guest] = seat
        if guest not in self._guests:
            self._guests.append(guest)

    def take_turn(self, call: Callable[[], object]) -> None:
        """Make a call when all that was asked before is done."""
        self.do(None, Turn(call))  # type: ignore[arg-type]

    def resume(self) -> None:
        """Let the clocks of a match that was read from the journal run, and its bots play."""
        if self.match.status is Status.OVER:
            return
        for seat, player in enumerate(self.match.players):
            if player is not None and player.bot:
                self._bots.sit(self, seat, player)
        if self._clocked or self._timed:
            self._set_timer()

    def unattended(self) -> list[Seat]:
        """The seats of people who are said to be there, and are not."""
        seats = self._seats.values()
        return [
            seat
            for seat, chair in enumerate(self.match.chairs)
            if chair.player is not None and not chair.player.bot and chair.away is None and seat not in seats
        ]

    def miss(self, seat: Seat) -> None:
        """The player of this seat did not come along when the table did."""
        self.do(None, Leave(seat, self._bots.player(self.match.setting.game.name)))

    def step_down(self) -> Handover:
        """Stop; nothing is in hand but what is in the inbox."""
        self.superseded = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        asked = tuple((guest, command) for guest, command in self._inbox if guest is not None and _stands(command))
        self._inbox.clear()
        guests = tuple(guest for guest in self._guests if not guest.bot)
        seats = {guest: seat for guest, seat in self._seats.items() if guest in guests}
        for guest in (*self._guests, *(guest for guest, _ in asked)):
            guest.table = None
        self._guests.clear()
        self._seats.clear()
        return Handover(self.match, guests, seats, asked)  # type: ignore[arg-type]

    def _step_down(self, guest: Guest | None, command: Any) -> None:
        self._report(self.match.id, Superseded("this match is played on elsewhere"))
        self._inbox.appendleft((guest, command))
        self.owner.superseded(self, self.step_down())
        self._keeper.changed(self)

    def _turn_away(self, guest: Guest | None, command: Any) -> None:
        """Whoever asks has not heard yet that the table is elsewhere, and asks there again."""

    def _decide(self, guest: Guest | None, command: Any) -> Any:
        if type(command) is Turn:
            command.call()
            return ()
        return super()._decide(guest, command)

    def _publish(self, guest: Guest | None, command: Any, moments: Any) -> None:
        if type(guest) is Delegate:
            guest.answer(command)
        super()._publish(guest, command, moments)


def _stands(command: Any) -> bool:
    """Whether that is a guest's command: not one of ours, nor one that means only that it has left."""
    return isinstance(command, msgspec.Struct) and not isinstance(command, Turn)


class Guide(Protocol):
    """Whoever knows where replicas' tables are."""

    def ask(self, replica: Replica, guest: Guest, command: Command, /) -> None:
        """Send a command there."""

    def leave(self, replica: Replica, guest: Guest, /) -> None:
        """A guest has left the table."""

    def send(self, guest: Guest, match: str, node: str, request: Any, /) -> None:
        """Let a guest ask for something at a table that another node hosts."""


class Replica(Table):
    """See the module.  It is never asked for what only its host knows."""

    __slots__ = ("due", "guide", "heard", "host", "round", "settled")

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

    __slots__ = ("guide", "host", "missing")

    guide: Guide
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
            self.guide.send(guest, self.match.id, self.host, command)
        elif isinstance(command, Join):
            self._refuse(guest, command, Refused("the match has already begun", reason=Reason.BEGUN))

    def watch(self, guest: Guest) -> None:
        """Send a spectator to the host."""
        guest.table = None
        self.guide.send(guest, self.match.id, self.host, Watch(self.match.id, self.match.setting.code))

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
