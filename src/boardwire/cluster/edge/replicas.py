"""The tables that other nodes host for guests of this one: where each is, and how far it is known here.

Rules:

- A replica is settled when its host knows of its guests.  If that is in doubt (the host died, moved the table, does not
  answer; letters were lost), they look for it: find who has the table, or take its lease; say who is here and how far
  they have seen (`Attach`); read on in the journal up to where the host stands; look there for what was asked
  (`doubt.py`); and ask again for the rest.
- Events fold in order.  If some are missing they are read from the journal; what comes meanwhile waits.
- When this node comes to host a match its guests sit at the table itself, and when it hosts it no more they are at a
  replica again: nobody notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from boardwire.cluster.edge.guests import COMING, Visits
from boardwire.cluster.hosting.delegate import Delegate
from boardwire.cluster.hosting.host import Host
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.ports import Leases, Reader
from boardwire.cluster.reconcile import found, steps
from boardwire.cluster.tables import HostedTable, Replica
from boardwire.cluster.transport.messages import Attach, Attached, Attendee, Gone, Letter, Moved, written
from boardwire.games.game import Seat
from boardwire.lobby.held_seats import is_told_apart
from boardwire.lobby.requests import Enter, Errand, Seek
from boardwire.table.commands import Command, Join
from boardwire.table.events import Event, Joined
from boardwire.table.guest import Guest, Step
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status, fold
from boardwire.table.ports import Bots, Clock, Dealer, Journal

QUIET_SECONDS: Final = 10.0
"""How long a host may say nothing of a table before it is made sure that it knows who is there."""
LOOK_SECONDS: Final = 1.0
"""How long a host has to say that it knows of its guests, before they look for another."""


class Replicas:
    """All replicas of a node.  `lobby` and `host` are its own; `seek` lets a guest run its errand once more."""

    def __init__(
        self,
        name: str,
        visits: Visits,
        lobby: ClusterLobby,
        host: Host,
        clock: Clock,
        put: Callable[[str, Letter], None],
        leases: Leases,
        reader: Reader,
        needs: tuple[Journal, Dealer, Bots],
        seek: Callable[[Guest, Errand], None],
    ) -> None:
        self._name = name
        self._visits = visits
        self._lobby = lobby
        self._host = host
        self._clock = clock
        self._put = put
        self._leases = leases
        self._reader = reader
        self._needs = needs
        self._seek = seek
        self._all: dict[str, Replica] = {}
        self._fetching: dict[str, list[Callable[[], None]]] = {}
        """Matches that are being read, and what waits for that."""
        self.presiding = ""
        """The node where the lobby is, and with it all tables that wait; empty: nobody knows."""

    def __iter__(self) -> Iterator[Replica]:
        return iter(tuple(self._all.values()))

    def __contains__(self, match: str) -> bool:
        return match in self._all

    def is_read(self, match: str) -> bool:
        """Whether a match is just being read from the journal."""
        return match in self._fetching

    def get(self, match: str) -> Replica | None:
        """That of a match, if there is one."""
        return self._all.get(match)

    # --- as their guide: see `boardwire.cluster.tables.Guide` ---------------------------------------------------------

    def ask(self, replica: Replica, guest: Guest, command: Command) -> None:
        """Send a command to the host, or keep it until there is one."""
        node = replica.host if replica.settled else ""
        self._visits.send(self._visits.of(guest), command, replica.match.id, node, seq=replica.match.seq)

    def leave(self, replica: Replica, guest: Guest) -> None:
        """A guest has left a replica's table."""
        visit = self._visits.of(guest)
        visit.left = replica.match.id
        if replica.host:
            self._put(replica.host, Gone(visit.number, replica.match.id))
        visit.forget(replica.match.id)
        self.tidy(replica)

    def tidy(self, replica: Replica) -> None:
        if not replica.guests and self._all.get(replica.match.id) is replica:
            del self._all[replica.match.id]

    # --- reading ------------------------------------------------------------------------------------------------------

    def waits(self, match: str, call: Callable[[], None]) -> bool:
        """Whether a match is being read, and the call is made after that."""
        if match in self._fetching:
            self._fetching[match].append(call)
            return True
        return False

    def catch_up(self, match: str, node: str, seq: int, then: Callable[[], None]) -> None:
        """Read a match up to event `seq`, show what is new of it, and go on."""
        if self.waits(match, then):
            return
        replica = self._all.get(match)
        after = 0 if replica is None else replica.match.seq
        if after >= seq and replica is not None:
            then()
            return
        self._fetching[match] = [then]

        def fetched(events: Sequence[Event] | None) -> None:
            known = self._all.get(match)
            same = known is replica and (known is None or known.match.seq == after)
            if same and (events is None or len(events) < seq - after):
                self._clock.later(LOOK_SECONDS, lambda: self._reader.fetch(match, after, fetched))
                return
            if same and events is not None and known is None:
                self.make(fold(events[:seq]), node)
            elif same and events is not None and known is not None:
                self.read_on(known, events[: seq - after])
            for call in self._fetching.pop(match):
                call()
            if (left := self._all.get(match)) is not None:
                self.tidy(left)

        self._reader.fetch(match, after, fetched)

    def make(self, match: Match, node: str) -> Replica:
        journal, dealer, bots = self._needs
        replica = self._all[match.id] = Replica(match, journal, self._clock, dealer, bots)
        replica.guide = self
        replica.host = node
        replica.round = 0
        replica.settled = True
        replica.due = 0.0
        replica.heard = self._clock.now()
        replica.introduced = {}
        return replica

    def read_on(self, replica: Replica, events: Sequence[Event], but: Sequence[Guest] = ()) -> None:
        """Show what was read, step by step, and see what of it was asked here; some have seen it already."""
        for step in steps(replica.match, events):
            guests = tuple(guest for guest in replica.guests if guest not in but)
            seats = {guest: seat for guest in guests if (seat := self._sat_down(guest, replica, step)) is not None}
            for guest in guests:
                self.settle(guest, replica.seat_of(guest), replica.match.id, step)
            replica.take(step, seats, guests)
            if seats:  # the host has to know
                self._clock.later(0.0, partial(self.look, replica))

    def _sat_down(self, guest: Guest, replica: Replica, step: Step) -> Seat | None:
        """The seat that a guest which watches has asked for, at the table or the lobby, and has by this step."""
        visit = self._visits.known(guest)
        if visit is None or replica.seat_of(guest) is not None:
            return None
        players = [one.request.player for one in visit.asked.values() if isinstance(one.request, Enter | Join | Seek)]
        for moment in step.moments:
            event = moment.event
            if isinstance(event, Joined) and event.player in players and is_told_apart(event.player):
                visit.answer(COMING)
                return event.seat
        return None

    def settle(self, guest: Guest, seat: Seat | None, match: str, step: Step) -> None:
        """What a guest has asked of a table and this step tells is not asked again."""
        visit = self._visits.known(guest)
        if visit is not None and visit.asked:
            asked = {number: one.request for number, one in visit.asked.items() if one.match == match}
            for number in found(seat, asked, [moment.event for moment in step.moments]):
                del visit.asked[number]

    # --- whatever is in doubt -----------------------------------------------------------------------------------------

    def look(self, replica: Replica) -> None:
        """Find who hosts the table now, and let its guests be known there."""
        replica.settled = False
        replica.round += 1
        replica.due = self._clock.now() + LOOK_SECONDS
        match = replica.match.id
        if replica.match.status is Status.WAITING:
            self._attach(replica, self.presiding)
            return

        def taken(owners: Any) -> None:
            if owners is not None and self._all.get(match) is replica and not replica.settled:
                self._attach(replica, owners[match])

        self._leases.take([match], taken)

    def _attach(self, replica: Replica, node: str) -> None:
        if not node:
            return
        replica.host = node
        if node == self._name:
            self._host.load(replica.match.id, partial(self._loaded, replica))
            return
        guests = []
        replica.introduced = replica.seating()
        for guest in replica.guests:
            visit = self._visits.of(guest)
            visit.fence += 1
            sought = written(visit.seek) if visit.seek is not None else None
            guests.append(
                Attendee(
                    visit.number,
                    visit.fence,
                    replica.seat_of(guest),
                    guest.tie,
                    guest.household,
                    guest.key,
                    sought,
                    guest.name,
                )
            )
        self._put(node, Attach(replica.match.id, replica.round, replica.match.seq, guests))

    def _loaded(self, replica: Replica, node: str) -> None:
        """This node should have hosted the match, and knows now who does."""
        if node not in ("", self._name) and self._all.get(replica.match.id) is replica and not replica.settled:
            self._meet(replica, node)

    def attached(self, node: str, letter: Attached) -> None:
        """A host knows of the guests of a replica."""
        replica = self._all.get(letter.match)
        if replica is None or replica.round != letter.round or replica.settled:
            return
        self.catch_up(letter.match, node, letter.seq, lambda: self._go_on(node, letter))

    def _go_on(self, node: str, letter: Attached) -> None:
        replica = self._all.get(letter.match)
        if replica is None or replica.round != letter.round:
            return
        if not replica.seating().items() <= replica.introduced.items():
            self._meet(replica, node)  # somebody came, or heard where it sits, while the host was asked
            return
        replica.host, replica.settled, replica.heard = node, True, self._clock.now()
        for guest in replica.guests:
            visit = self._visits.of(guest)
            again = visit.asked_of(letter.match)
            visit.forget(letter.match)
            for request in again:
                self._visits.send(visit, request, letter.match, node, seq=replica.match.seq)

    def moved(self, node: str, letter: Moved) -> None:
        """A table is not where it was thought to be."""
        if self.waits(letter.match, lambda: self.moved(node, letter)):
            return
        replica = self._all.get(letter.match)
        if replica is None or replica.host not in ("", node):
            return
        if letter.node:
            self._meet(replica, letter.node)
        else:
            self.look(replica)

    def _meet(self, replica: Replica, node: str) -> None:
        """Let the guests of a replica be known to a host."""
        replica.settled = False
        replica.round += 1
        replica.due = self._clock.now() + LOOK_SECONDS
        self._attach(replica, node)

    def audit_hosts(self) -> None:
        """Make sure that hosts who have told nothing for a while know of those who are here."""
        now = self._clock.now()
        for replica in self:
            idle = now - replica.heard > QUIET_SECONDS
            if idle and replica.settled and replica.match.status is not Status.OVER:
                self._meet(replica, replica.host)

    def doubt(self, node: str) -> None:
        """Make sure of all that is hosted there."""
        for replica in self:
            if replica.host == node:
                self.look(replica)

    def tick(self) -> None:
        """See who has waited too long for a host."""
        now = self._clock.now()
        for replica in self:
            if not replica.settled and now >= replica.due and replica.match.id not in self._fetching:
                self.look(replica)

    # --- from a replica to a hosted table, and back -------------------------------------------------------------------

    def known(self, match: str) -> Match | None:
        """A match as far as guests here have seen it, if any are at it."""
        replica = self._all.get(match)
        return None if replica is None else replica.match

    def absorb(self, table: HostedTable, after: int, events: Sequence[Event]) -> None:
        """This node hosts the match now, and these are its events after that number: its guests sit at the table
        itself."""
        replica = self._all.get(table.match.id)
        if replica is None or table.superseded or table.match.id in self._fetching:
            return
        seen = replica.match.seq
        if self._host.compare(table, seen) or seen < after or after + len(events) < table.match.seq:
            return  # it is looked for again
        self.read_on(replica, events[seen - after : table.match.seq - after])
        self._all.pop(table.match.id, None)  # who was told of the end may have left, and was the last
        seats = {guest: replica.seat_of(guest) for guest in replica.guests}
        for guest, seat in seats.items():
            self._host.adopt(table, guest, seat)
            self._lobby.remember_terms(table, self._visits.of(guest).seek, seat)
        for guest in seats:
            visit = self._visits.of(guest)
            again = visit.asked_of(table.match.id)
            visit.forget(table.match.id)
            for request in again if guest.table is table else ():
                self._lobby.do(guest, request)

    def follow(self, rest: Handover, node: str) -> None:
        """This node hosts the match no more (`node` does; empty: whoever has it)."""
        guests = [guest for guest in rest.guests if not isinstance(guest, Delegate)]
        for guest, command in rest.asked:
            if guest in guests:
                self._visits.send(self._visits.of(guest), command, rest.match.id, "")
            elif (visit := self._visits.known(guest)) is not None and visit.sought is not None:
                self._seek(guest, visit.sought)  # it was about to come
        if not guests:
            return
        replica = self._all.get(rest.match.id)
        if replica is None:
            replica = self.make(rest.match, node)
            for guest in guests:
                replica.place(guest, rest.seats.get(guest))
        else:  # others here have followed it before
            self._bring(replica, rest, guests)
        if node:
            self._meet(replica, node)
        else:
            self.look(replica)

    def _bring(self, replica: Replica, rest: Handover, guests: Sequence[Guest]) -> None:
        """Let guests who have seen less or more of a match join those at its replica."""
        for guest in guests:
            replica.place(guest, rest.seats.get(guest))
        behind = min(replica.match.seq, rest.match.seq)
        if replica.match.seq == rest.match.seq:
            return

        def fetched(events: Sequence[Event] | None) -> None:
            if events is None or behind + len(events) < max(replica.match.seq, rest.match.seq):
                self._clock.later(LOOK_SECONDS, lambda: self._reader.fetch(rest.match.id, behind, fetched))
                return
            if replica.match.seq < rest.match.seq:
                self.read_on(replica, events[: rest.match.seq - behind], but=guests)
            else:
                for step in steps(rest.match, events[: replica.match.seq - behind]):
                    for guest in guests:
                        self.settle(guest, rest.seats.get(guest), rest.match.id, step)
                        if guest.table is replica:
                            guest.tell(step)
            for call in self._fetching.pop(rest.match.id):
                call()

        if not self.waits(rest.match.id, lambda: self._bring(replica, rest, guests)):
            self._fetching[rest.match.id] = []
            self._reader.fetch(rest.match.id, behind, fetched)
