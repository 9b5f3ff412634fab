"""The guests whose connections this node has, and the replicas of the tables that other nodes host for them.

Rules:

- What a guest asks goes to the host of its table, or to the node where the lobby presides; where that is this node,
  it is asked there without a letter.
- Events that come fold into the replica, in order.  If some are missing they are read from the journal; what comes
  meanwhile waits.
- **Whatever is in doubt is cleared up in one way** (a host that died, moved the table, or does not answer; letters that
  were lost): find who has the table, say who is here and how far they have seen (`Attach`), read on in the journal up
  to where the host stands, look for what was asked in what was read (`doubt.py`), and ask again for the rest.  A host
  that has said where it stands does nothing more of what was asked before (`fence`): so nothing is done twice.
- The same holds for errands: the lobby says where the guest is (`Placed`), and only what did not happen is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from operator import attrgetter
from typing import Any, Final, cast

from boardwire.cluster.delegate import Delegate
from boardwire.cluster.doubt import arrival, found, steps
from boardwire.cluster.host import Host
from boardwire.cluster.letters import (
    Ask,
    Attach,
    Attached,
    Attendee,
    Audit,
    Enroll,
    Gone,
    Letter,
    Moved,
    Notice,
    Placed,
    Sent,
    Told,
    carded,
    excused,
    read,
    written,
)
from boardwire.cluster.lobby import ClusterLobby
from boardwire.cluster.ports import Leases, Reader
from boardwire.cluster.tables import HostedTable, Replica
from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.table import errands as errand
from boardwire.table import guest as news
from boardwire.table.commands import Command, Join, Return
from boardwire.table.errands import ERRANDS, Errand
from boardwire.table.events import Event, decode
from boardwire.table.guest import Guest, Step
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status, fold, further
from boardwire.table.ports import Bots, Clock, Dealer, Journal
from boardwire.table.tally import TimeTally

ANSWER_SECONDS: Final = 2.0
"""How long an answer may take before it is made sure that it comes at all."""
QUIET_SECONDS: Final = 10.0
"""How long a host may say nothing of a table before it is made sure that it knows who is there."""
LOOK_SECONDS: Final = 1.0
"""How long a host has to say that it knows of its guests, before they look for another."""

COMING: Final = (
    errand.Seek, errand.Enter, errand.Resume, errand.Reclaim, errand.Watch, errand.Open, errand.Attend,
    errand.Rematch, Join, Return,
)  # fmt: skip
"""What brings a guest to a table, or to another one."""
_SEEKING: Final = tuple(kind for kind in COMING if kind in ERRANDS and kind is not errand.Rematch)
_HERE: Final = (errand.Advise, errand.Decline)
"""What the edge can do by itself: a replica has all that is needed for it."""
_ABOUT_TABLE: Final = (errand.Depart, errand.Rematch)
_ANSWERED: Final = {
    "Seated": COMING, "Watching": COMING, "NoTable": (errand.Attend,), "NotHeld": (errand.Reclaim,),
    "Claimed": (errand.Claim,), "Introduced": (errand.Introduce,), "Surveyed": (errand.Survey,),
    "RematchWanted": (errand.Rematch,),
}  # fmt: skip
"""Which requests these news are the answer to."""


class Asked:
    """A request without an answer."""

    __slots__ = ("match", "request", "since")

    def __init__(self, request: Errand | Command, match: str, since: float) -> None:
        self.request = request
        self.match = match
        """The table that it is for; empty: the lobby."""
        self.since = since


class Visit:
    """A guest of this node, as other nodes know it."""

    __slots__ = ("asked", "attending", "fence", "guest", "left", "number", "silent", "sought")

    def __init__(self, guest: Guest, number: int) -> None:
        self.guest = guest
        self.number = number
        self.fence = 0
        self.asked: dict[int, Asked] = {}
        self.sought: Errand | None = None
        """How it came to its table, or wants to."""
        self.attending: errand.Attend | None = None
        """It waits for the next table that is opened."""
        self.left = ""
        """The match whose table it left last, though the lobby may not know."""
        self.silent: set[int] = set()
        """Requests that it knows nothing of: the answer is not told."""


class Edge:
    """See the module.  `lobby` and `host` are those of this node itself."""

    def __init__(
        self,
        name: str,
        life: int,
        lobby: ClusterLobby,
        host: Host,
        clock: Clock,
        put: Callable[[str, Letter], None],
        leases: Leases,
        reader: Reader,
        needs: tuple[Journal, Dealer, Bots],
    ) -> None:
        self.name = name
        self._lobby = lobby
        self._clock = clock
        self._put = put
        self._leases = leases
        self._reader = reader
        self._host = host
        self._needs = needs
        self._numbers = count(life << 20)
        self._requests = count(1)
        self._visits: dict[int, Visit] = {}
        self._by_guest: dict[Guest, Visit] = {}
        self.lag = TimeTally()
        """How old steps were when they came, by the clocks of both nodes."""
        self.replicas: dict[str, Replica] = {}
        self._fetching: dict[str, list[Callable[[], None]]] = {}
        """Matches that are being read, and what waits for that."""
        self.presiding = ""
        """The node where the lobby is; empty: nobody knows."""

    # --- what guests ask ----------------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Errand | Command) -> None:
        """Carry out what a guest asks, or have it carried out."""
        table = guest.table
        if type(request) not in ERRANDS:
            if isinstance(table, Replica):
                self.ask(table, guest, cast("Command", request))
            else:
                self._lobby.do(guest, request)
        elif isinstance(request, _HERE) or (isinstance(table, HostedTable) and type(request) in _ABOUT_TABLE):
            self._lobby.do(guest, request)
        elif isinstance(request, errand.Depart):
            self._depart(guest)
        elif isinstance(request, errand.Rematch) and isinstance(table, Replica):
            self.ask(table, guest, cast("Any", request))
        elif isinstance(request, _SEEKING) and table is not None and not self._is_at_lobby(table):
            reason = Refused("you are at a table already", reason=Reason.AT_TABLE)
            guest.tell(news.Refusal(request, reason))
        else:
            self._errand(guest, cast("Errand", request))

    def _is_at_lobby(self, table: Any) -> bool:
        """Whether the lobby's node has the table, and so can judge what its guests may ask for."""
        return (table.host if isinstance(table, Replica) else self.name) == self.presiding

    def _errand(self, guest: Guest, request: Errand) -> None:
        visit = self._visit(guest)
        if isinstance(request, _SEEKING):
            visit.sought, visit.attending = request, None
            guest.tie = request.seek.tie if isinstance(request, errand.Open) else getattr(request, "tie", guest.tie)
        if isinstance(request, errand.Unclaim) and self.presiding != self.name:
            guest.claim = None
            self._mention(visit, request)
        else:
            self._ask_lobby(visit, request)

    def _ask_lobby(self, visit: Visit, request: Errand, *, again: bool = False) -> None:
        """Ask it wherever it presides; `again`: it, or the one before, may have done that already."""
        if self.presiding != self.name:
            self._send(visit, request, "", self.presiding, again=again)
            return
        number = self._note(visit, request, "")
        self._host.prepare(request, again, lambda: number in visit.asked, lambda: self._run(visit, number, again))

    def _run(self, visit: Visit, number: int, again: bool) -> None:
        """Let the lobby, which is here, do what a guest asks."""
        request = cast("Errand", visit.asked[number].request)
        ghost = self._host.ghost(request) if again else None
        if ghost is not None:
            self.placed(self.name, Placed(visit.number, visit.fence, *ghost))
        else:
            del visit.asked[number]
            self._lobby.do(visit.guest, request)

    def _mention(self, visit: Visit, request: Errand) -> None:
        """Let the lobby know of something that it does not answer."""
        if self.presiding:
            number = next(self._requests)
            self._put(self.presiding, self._letter(visit, number, request, "", again=False))

    def _depart(self, guest: Guest) -> None:
        visit = self._by_guest.get(guest)
        if visit is not None:
            visit.sought = visit.attending = None
            for number in [number for number, one in visit.asked.items() if isinstance(one.request, COMING)]:
                del visit.asked[number]
        if isinstance(guest.table, Replica):
            guest.table.leave(guest)
        elif self.presiding == self.name:
            self._lobby.do(guest, errand.Depart())
        elif visit is not None:
            self._mention(visit, errand.Depart())

    def goodbye(self, guest: Guest) -> None:
        """`guest` leaves the house."""
        if isinstance(guest.table, Replica):
            guest.table.leave(guest)
        self._lobby.goodbye(guest)
        visit = self._by_guest.pop(guest, None)
        if visit is not None:
            del self._visits[visit.number]
            if self.presiding not in ("", self.name):
                self._put(self.presiding, Gone(visit.number))

    # --- as the guide of replicas -------------------------------------------------------------------------------------

    def ask(self, replica: Replica, guest: Guest, command: Command) -> None:
        """Send a command to the host, or keep it until there is one."""
        self._send(self._visit(guest), command, replica.match.id, replica.host if replica.settled else "")

    def leave(self, replica: Replica, guest: Guest) -> None:
        """A guest has left a replica's table."""
        visit = self._visit(guest)
        visit.left = replica.match.id
        if replica.host:
            self._put(replica.host, Gone(visit.number, replica.match.id))
        self._forget_asked(visit, replica.match.id)
        self._tidy(replica)

    def send(self, guest: Guest, match: str, node: str, request: Any) -> None:
        """The lobby, which is here, sends a guest of this node to a table that another node hosts."""
        visit = self._visit(guest)
        if visit.sought is not None:
            self._note(visit, visit.sought, "")  # nobody knows whether that node gives an answer
        self._send(visit, request, match, node)

    def _visit(self, guest: Guest) -> Visit:
        visit = self._by_guest.get(guest)
        if visit is None:
            visit = self._by_guest[guest] = Visit(guest, next(self._numbers))
            self._visits[visit.number] = visit
        return visit

    def _send(self, visit: Visit, request: Errand | Command, match: str, node: str, *, again: bool = False) -> int:
        number = self._note(visit, request, match)
        if node:
            self._put(node, self._letter(visit, number, request, match, again=again))
        return number

    def _note(self, visit: Visit, request: Errand | Command, match: str) -> int:
        """Remember that a guest waits for an answer."""
        number = next(self._requests)
        visit.asked[number] = Asked(request, match, self._clock.now())
        return number

    def _letter(self, visit: Visit, number: int, request: Errand | Command, match: str, *, again: bool) -> Ask:
        guest = visit.guest
        seq = self.replicas[match].match.seq if match in self.replicas else 0
        return Ask(
            visit.number,
            visit.fence,
            number,
            written(request),
            match,
            guest.household,
            guest.key,
            again,
            seq,
            guest.name,
        )

    def _forget_asked(self, visit: Visit, match: str) -> None:
        for number in [number for number, one in visit.asked.items() if one.match == match]:
            del visit.asked[number]

    def _tidy(self, replica: Replica) -> None:
        if not replica.guests and self.replicas.get(replica.match.id) is replica:
            del self.replicas[replica.match.id]

    # --- news ---------------------------------------------------------------------------------------------------------

    def told(self, node: str, letter: Told) -> None:
        """There are news for guests of this node."""
        if self._waits(letter.match, lambda: self.told(node, letter)):
            return
        visits = [visit for number in letter.guests if (visit := self._visits.get(number)) is not None]
        if letter.seats or (letter.news is not None and letter.news.kind in ("Seated", "Watching")):
            visits = [visit for visit in visits if self._expects(visit, node, letter)]
        if not visits:
            return
        if letter.events:
            self._happened(node, letter, visits)
        elif letter.news is not None:
            for visit in visits:
                self._notice(node, visit, letter.match, letter.news)

    def _expects(self, visit: Visit, node: str, letter: Told) -> bool:
        """Whether a guest may be at that table now; a lobby that was gone for a while may have seated somebody who is
        elsewhere by now, and has to know."""
        table, match = visit.guest.table, letter.match
        if letter.events and visit.number not in letter.seats:
            return True
        if isinstance(table, Replica) and (table.match.id == match or table.host == node):
            return True
        for one in visit.asked.values() if table is None or isinstance(table, Replica) else ():
            named = one.match or getattr(one.request, "match", "")  # the lobby may be asked again meanwhile
            if isinstance(one.request, COMING) and (named == match or (not one.match and node == self.presiding)):
                return True
        self._put(node, Gone(visit.number, match))
        return False

    def _waits(self, match: str, call: Callable[[], None]) -> bool:
        """Whether a match is being read, and the call is made after that."""
        if match in self._fetching:
            self._fetching[match].append(call)
            return True
        return False

    def _happened(self, node: str, letter: Told, visits: Sequence[Visit]) -> None:
        match, last = letter.match, letter.first + len(letter.events) - 1
        replica = self.replicas.get(match)
        if replica is None or replica.match.seq < letter.first - 1:
            self._catch_up(match, node, letter.first - 1, lambda: self.told(node, letter))
            return
        for number, answered in letter.answers.items():
            if number in self._visits:
                self._visits[number].asked.pop(answered, None)
        if replica.match.seq >= last and not letter.seats:
            return  # it was read in the journal
        if replica.match.seq >= letter.first:  # some was read in the journal, and somebody has sat down by that
            for visit in visits:
                if visit.number in letter.seats and visit.guest.table is not replica:
                    self._arrive(visit, replica, letter.seats[visit.number])
                    visit.guest.tell(news.Seated(replica.match, letter.seats[visit.number], False))
            return
        seats = {visit.guest: letter.seats[visit.number] for visit in visits if visit.number in letter.seats}
        for visit in visits:
            if visit.guest in seats:
                self._arrive(visit, replica, None)
        moments = tuple(further(replica.match, map(decode, letter.events)))
        replica.heard = self._clock.now()
        replica.take(Step(moments), seats)  # all who are here: some may be on their way to the host
        self.lag.took(max(0.0, self._clock.now() - moments[-1].event.at))

    def _arrive(self, visit: Visit, replica: Replica, seat: Seat | None) -> None:
        """A guest is at this table from now on, and nowhere else."""
        table = visit.guest.table
        if isinstance(table, Replica) and table is not replica:
            table.remove(visit.guest)
            self._forget_asked(visit, table.match.id)
            self._tidy(table)
        self._answer(visit, COMING)
        replica.place(visit.guest, seat)

    def _answer(self, visit: Visit, kinds: tuple[type, ...]) -> None:
        for number in [number for number, one in visit.asked.items() if isinstance(one.request, kinds)]:
            del visit.asked[number]

    def _comes(self, visit: Visit) -> bool:
        return any(isinstance(one.request, COMING) for one in visit.asked.values())

    def _notice(self, node: str, visit: Visit, match: str, notice: Notice) -> None:
        guest = visit.guest
        if notice.kind == "Refusal":
            self._refused(visit, notice)
            return
        if notice.kind in ("Seated", "Watching"):
            replica = self.replicas.get(match)
            if replica is None or replica.match.seq < notice.seq:
                self._catch_up(match, node, notice.seq, lambda: self._noticed(node, visit, match, notice))
            else:
                self._noticed(node, visit, match, notice)
            return
        asked = visit.asked.get(notice.number)
        if notice.number and asked is None:
            return  # it was asked again since
        self._answer(visit, _ANSWERED.get(notice.kind, ()))
        if notice.number in visit.silent:
            visit.silent.discard(notice.number)
            return
        match notice.kind:
            case "NoTable":
                visit.attending = visit.sought if isinstance(visit.sought, errand.Attend) else None
                guest.tell(news.NoTable())
            case "NotHeld":
                guest.tell(news.NotHeld())
            case "Claimed":
                if asked is not None and isinstance(asked.request, errand.Claim):
                    guest.claim = asked.request.scope, notice.text
                guest.tell(news.Claimed(notice.text))
            case "Introduced":
                guest.key = notice.key
                if asked is not None and isinstance(asked.request, errand.Introduce):
                    guest.name = asked.request.name
                kept = tuple(zip(map(carded, notice.cards), notice.seats, strict=True))
                guest.tell(news.Introduced(notice.text, notice.key, kept))
            case "Surveyed":
                audiences = {card.id: card.audience for card in notice.cards if card.audience}
                guest.tell(news.Surveyed(tuple(map(carded, notice.cards)), notice.full, audiences))
            case "Audience":
                guest.tell(news.Audience(notice.seq, tuple(notice.names)))
            case "RematchWanted":
                guest.tell(news.RematchWanted(tuple(notice.seats), tuple(notice.gone)))
            case "Displaced" if isinstance(guest.table, Replica) and guest.table.match.id == match:
                replica = guest.table
                replica.remove(guest)
                self._forget_asked(visit, match)
                self._tidy(replica)
                guest.tell(news.Displaced())

    def _noticed(self, node: str, visit: Visit, match: str, notice: Notice) -> None:
        replica = self.replicas.get(match)
        if visit.number not in self._visits or replica is None:
            return  # this node hosts the match by now, say: whoever has asked for it asks again
        if visit.guest.table is replica and replica.seat_of(visit.guest) == notice.seat and not self._comes(visit):
            return  # it asked twice, and was told
        self._arrive(visit, replica, notice.seat)
        if notice.seat is None:
            visit.guest.tell(news.Watching(replica.match))
        else:
            visit.guest.tell(news.Seated(replica.match, notice.seat, False))

    def _refused(self, visit: Visit, notice: Notice) -> None:
        asked = visit.asked.pop(notice.number, None)
        if asked is None and notice.number:
            return  # it was asked again since
        if notice.number in visit.silent:
            visit.silent.discard(notice.number)
            return
        request: Any = asked.request if asked is not None else None
        if asked is None and notice.request is not None:
            request = read(notice.request, None)
        if isinstance(request, COMING):
            self._answer(visit, COMING)  # also the errand by which the lobby sent it there
        if notice.excuse is None:
            return
        reason = excused(notice.excuse)
        if isinstance(request, COMING) and reason.reason is Reason.AT_TABLE and visit.guest.table is None:
            self._note(visit, request, "")  # it was not told that it sits
            self._enroll(visit)
        else:
            visit.guest.tell(news.Refusal(request, reason))

    # --- reading ------------------------------------------------------------------------------------------------------

    def _catch_up(self, match: str, node: str, seq: int, then: Callable[[], None]) -> None:
        """Read a match up to event `seq`, show what is new of it, and go on."""
        if self._waits(match, then):
            return
        replica = self.replicas.get(match)
        after = 0 if replica is None else replica.match.seq
        if after >= seq and replica is not None:
            then()
            return
        self._fetching[match] = [then]

        def fetched(events: Sequence[Event] | None) -> None:
            known = self.replicas.get(match)
            same = known is replica and (known is None or known.match.seq == after)
            if same and (events is None or len(events) < seq - after):
                self._clock.later(LOOK_SECONDS, lambda: self._reader.fetch(match, after, fetched))
                return
            if same and events is not None and known is None:
                self._replica(fold(events[:seq]), node)
            elif same and events is not None and known is not None:
                self._read_on(known, events[: seq - after])
            for call in self._fetching.pop(match):
                call()
            if (left := self.replicas.get(match)) is not None:
                self._tidy(left)

        self._reader.fetch(match, after, fetched)

    def _replica(self, match: Match, node: str) -> Replica:
        journal, dealer, bots = self._needs
        replica = self.replicas[match.id] = Replica(match, journal, self._clock, dealer, bots)
        replica.guide = self
        replica.host = node
        replica.round = 0
        replica.settled = True
        replica.due = 0.0
        replica.heard = self._clock.now()
        return replica

    def _read_on(self, replica: Replica, events: Sequence[Event], but: Sequence[Guest] = ()) -> None:
        """Show what was read, step by step, and see what of it was asked here; some have seen it already."""
        for step in steps(replica.match, events):
            guests = tuple(guest for guest in replica.guests if guest not in but)
            for guest in guests:
                self._settle(guest, replica.seat_of(guest), replica.match.id, step)
            replica.take(step, {}, guests)

    def _settle(self, guest: Guest, seat: Seat | None, match: str, step: Step) -> None:
        visit = self._by_guest.get(guest)
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
            if owners is not None and self.replicas.get(match) is replica and not replica.settled:
                self._attach(replica, owners[match])

        self._leases.take([match], taken)

    def _attach(self, replica: Replica, node: str) -> None:
        if not node:
            return
        replica.host = node
        if node == self.name:
            self._host.load(replica.match.id)
            return
        guests = []
        for guest in replica.guests:
            visit = self._visit(guest)
            visit.fence += 1
            sought = written(visit.sought) if visit.sought is not None else None
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

    def attached(self, node: str, letter: Attached) -> None:
        """A host knows of the guests of a replica."""
        replica = self.replicas.get(letter.match)
        if replica is None or replica.round != letter.round or replica.settled:
            return
        self._catch_up(letter.match, node, letter.seq, lambda: self._go_on(node, letter))

    def _go_on(self, node: str, letter: Attached) -> None:
        replica = self.replicas.get(letter.match)
        if replica is None or replica.round != letter.round:
            return
        replica.host, replica.settled, replica.heard = node, True, self._clock.now()
        for guest in replica.guests:
            visit = self._visit(guest)
            again = [one for one in visit.asked.values() if one.match == letter.match]
            self._forget_asked(visit, letter.match)
            for one in again:
                self._send(visit, one.request, letter.match, node)

    def audited(self, node: str, letter: Audit) -> None:
        """A host asks whether guests are at its tables: those who are not, and do not want to be, are gone."""
        for number, match in letter.guests:
            visit = self._visits.get(number)
            if visit is None:
                self._put(node, Gone(number))
                continue
            table = visit.guest.table
            if (table is None or table.match.id != match) and not visit.asked and match not in self._fetching:
                self._put(node, Gone(number, match))

    def moved(self, node: str, letter: Moved) -> None:
        """A table is not where it was thought to be."""
        if self._waits(letter.match, lambda: self.moved(node, letter)):
            return
        replica = self.replicas.get(letter.match)
        if replica is None or replica.host not in ("", node):
            return
        if letter.node:
            self._meet(replica, letter.node)
        else:
            self.look(replica)

    def sent(self, letter: Sent) -> None:
        """The lobby sends a guest to a table that another node hosts, or this one."""
        visit = self._visits.get(letter.guest)
        if visit is None:
            return
        request = read(letter.request, None)
        if letter.node == self.name:
            if self._host.come(visit.guest, letter.match, request):
                self._answer(visit, COMING)
        else:
            self._send(visit, request, letter.match, letter.node)

    def placed(self, node: str, letter: Placed) -> None:
        """The lobby says where a guest is that has asked it for something."""
        visit = self._visits.get(letter.guest)
        if visit is None or visit.fence != letter.fence:
            return
        if not letter.match or letter.match == visit.left:
            again = [one.request for one in visit.asked.values() if not one.match]
            for number in [n for n, one in visit.asked.items() if not one.match or visit.guest.table is None]:
                del visit.asked[number]
            for request in again:
                self._ask_lobby(visit, cast("Errand", request), again=True)
            return
        if visit.guest.table is not None and visit.guest.table.match.id == letter.match:
            self._answer(visit, COMING)
        else:
            self._reader.fetch(letter.match, 0, lambda events: self._place(visit, letter, events))

    def _place(self, visit: Visit, letter: Placed, events: Sequence[Event] | None) -> None:
        """Tell a guest, from the journal, how it came to its seat and what has happened since."""
        if not events or visit.fence != letter.fence or visit.number not in self._visits:
            return  # it is asked again, or answered
        if self._waits(letter.match, lambda: self._place(visit, letter, events)):
            return
        table = visit.guest.table
        if table is not None and (table.match.id == letter.match or not isinstance(table, Replica)):
            return
        hosted = self._lobby.hosted(letter.match)
        if hosted is not None:
            self._answer(visit, COMING)
            self._host.seat_again(visit.guest, hosted, letter.seat)
            return
        match, told = arrival(events, letter.seat)
        replica = self.replicas.get(letter.match)
        if replica is None:
            replica = self._replica(match, letter.node)
        self._read_on(replica, events[replica.match.seq :] if replica.guests else ())
        self._arrive(visit, replica, letter.seat)
        for one in told:
            visit.guest.tell(one)
        replica.match = max((fold(events), replica.match), key=attrgetter("seq"))
        self.look(replica)

    def lobby_at(self, node: str) -> None:
        """The lobby presides there from now on: let it know of all who are here."""
        if node == self.presiding:
            return
        self.presiding = node
        if not node:
            return
        for replica in tuple(self.replicas.values()):
            if replica.match.status is Status.WAITING:
                self.look(replica)
        for visit in tuple(self._visits.values()):
            self._introduce(visit)

    def _introduce(self, visit: Visit) -> None:
        """Let a new lobby know of a guest's name, of what it waits for, and of what it has asked."""
        node, guest = self.presiding, visit.guest
        again = [cast("Errand", one.request) for one in visit.asked.values() if not one.match]
        self._forget_asked(visit, "")
        known: list[Errand] = []
        if guest.claim is not None:
            scope, name = guest.claim
            known.append(errand.Claim(name, scope))
        if visit.attending is not None and guest.table is None:
            known.append(visit.attending)
        if node == self.name:
            guest.claim = None
        for request in known:
            if node == self.name:
                self._host.remind(guest, request)
            else:
                visit.silent.add(self._send(visit, request, "", node, again=True))
        for request in again:
            self._ask_lobby(visit, request, again=True)

    def doubt(self, node: str) -> None:
        """Letters to or from a node were lost, or it is another life: make sure of all there is in common."""
        for replica in tuple(self.replicas.values()):
            if replica.host == node:
                self.look(replica)
        if node == self.presiding:
            for visit in tuple(self._visits.values()):
                self._enroll(visit)

    def doubt_all(self) -> None:
        """Nobody may know any more of anybody here."""
        for replica in tuple(self.replicas.values()):
            self.look(replica)
        if self.presiding != self.name:
            for visit in tuple(self._visits.values()):
                self._enroll(visit)

    def _enroll(self, visit: Visit) -> None:
        table = visit.guest.table
        if table is not None and table.match.status is not Status.WAITING:
            return  # the lobby has no say in that
        visit.fence += 1
        for one in visit.asked.values():
            one.since = self._clock.now()
        if self.presiding == self.name and table is None:
            self.placed(self.name, Placed(visit.number, visit.fence))
        elif self.presiding not in ("", self.name):
            guest = visit.guest
            self._put(self.presiding, Enroll(visit.number, visit.fence, guest.household, guest.key))

    def audit_hosts(self) -> None:
        """Make sure that hosts who have told nothing for a while know of those who are here."""
        now = self._clock.now()
        for replica in tuple(self.replicas.values()):
            idle = now - replica.heard > QUIET_SECONDS
            if idle and replica.settled and replica.match.status is not Status.OVER:
                self._meet(replica, replica.host)

    def _meet(self, replica: Replica, node: str) -> None:
        """Let the guests of a replica be known to a host."""
        replica.settled = False
        replica.round += 1
        replica.due = self._clock.now() + LOOK_SECONDS
        self._attach(replica, node)

    def tick(self) -> None:
        """See who has waited too long for an answer."""
        now = self._clock.now()
        for replica in tuple(self.replicas.values()):
            if not replica.settled and now >= replica.due and replica.match.id not in self._fetching:
                self.look(replica)
        for visit in tuple(self._visits.values()):
            late = [one for one in visit.asked.values() if now - one.since > ANSWER_SECONDS]
            if not late:
                continue
            table = visit.guest.table
            if any(not one.match for one in late) or table is None:
                self._enroll(visit)
            if isinstance(table, Replica) and any(one.match == table.match.id for one in late):
                for one in late:
                    one.since = now
                if table.settled:
                    self.look(table)

    # --- from a replica to a hosted table, and back -------------------------------------------------------------------

    def absorb(self, table: HostedTable, events: Sequence[Event]) -> None:
        """This node hosts the match now: its guests sit at the table itself."""
        replica = self.replicas.get(table.match.id)
        if replica is None or table.superseded or table.match.id in self._fetching:
            return
        if self._host.compare(table, replica.match.seq) or len(events) < table.match.seq:
            return  # it is looked for again
        self._read_on(replica, events[replica.match.seq : table.match.seq])
        self.replicas.pop(table.match.id, None)  # who was told of the end may have left, and was the last
        seats = {guest: replica.seat_of(guest) for guest in replica.guests}
        for guest, seat in seats.items():
            table.adopt(guest, seat)
            if seat is not None:
                self._lobby.remember_terms(table, self._visit(guest).sought)
        for guest in seats:
            visit = self._visit(guest)
            again = [one.request for one in visit.asked.values() if one.match == table.match.id]
            self._forget_asked(visit, table.match.id)
            for request in again if guest.table is table else ():
                self._lobby.do(guest, request)

    def follow(self, rest: Handover, node: str) -> None:
        """This node hosts the match no more (`node` does; empty: whoever has it)."""
        guests = [guest for guest in rest.guests if not isinstance(guest, Delegate)]
        for guest, command in rest.asked:
            if guest in guests:
                self._send(self._visit(guest), command, rest.match.id, "")
            elif guest in self._by_guest and (sought := self._by_guest[guest].sought) is not None:
                self._errand(guest, sought)  # it was about to come
        if not guests:
            return
        replica = self.replicas.get(rest.match.id)
        if replica is None:
            replica = self._replica(rest.match, node)
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
                self._read_on(replica, events[: rest.match.seq - behind], but=guests)
            else:
                for step in steps(rest.match, events[: replica.match.seq - behind]):
                    for guest in guests:
                        self._settle(guest, rest.seats.get(guest), rest.match.id, step)
                        if guest.table is replica:
                            guest.tell(step)
            for call in self._fetching.pop(rest.match.id):
                call()

        if not self._waits(rest.match.id, lambda: self._bring(replica, rest, guests)):
            self._fetching[rest.match.id] = []
            self._reader.fetch(rest.match.id, behind, fetched)
