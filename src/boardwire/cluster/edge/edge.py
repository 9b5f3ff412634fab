"""What guests whose connections this node has ask for, and what they are told.

Rules:

- What a guest asks goes to the host of its table, or to the node where the lobby presides; where that is this node,
  it is asked there without a letter.
- **Whatever is in doubt is cleared up in one way.**  Of a table: see `replicas.py`.  Of an errand: the lobby says where
  the guest is (`Enroll`, `Placed`), and only what did not happen is asked again.
- Whoever has said where it stands does nothing more of what was asked before (`fence`): so nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from operator import attrgetter
from typing import Any, Final, cast

from msgspec.structs import replace

from boardwire.cluster.edge.guests import COMING, Visit, Visits
from boardwire.cluster.edge.replicas import Replicas
from boardwire.cluster.hosting.host import Host
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.ports import BEAT_SECONDS, Leases, Reader
from boardwire.cluster.reconcile import arrival
from boardwire.cluster.tables import HostedTable, Replica
from boardwire.cluster.transport.messages import (
    Audit,
    Enroll,
    Gone,
    Letter,
    Notice,
    Placed,
    Sent,
    Told,
    carded,
    excused,
    read,
)
from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby import requests as errand
from boardwire.lobby.held_seats import is_told_apart
from boardwire.lobby.requests import ERRANDS, Errand
from boardwire.table import guest as news
from boardwire.table.commands import Command
from boardwire.table.counters import TimeTally
from boardwire.table.events import Event, decode
from boardwire.table.guest import Guest, Step
from boardwire.table.match import Status, fold, further
from boardwire.table.ports import Bots, Clock, Dealer, Journal

ANSWER_SECONDS: Final = 2.0
"""How long an answer may take before it is made sure that it comes at all."""

PLACE_ATTEMPTS: Final = 5
"""How often a match that goes on meanwhile is read again for a guest that comes to it."""

_SEEKING: Final = tuple(kind for kind in COMING if kind in ERRANDS and kind is not errand.Rematch)
_HERE: Final = (errand.Advise, errand.Decline)
"""What the edge can do by itself: a replica has all that is needed for it."""
_WATCHING: Final = (errand.Watch, errand.Attend, errand.Open)
"""What is answered by watching a table."""
_ABOUT_TABLE: Final = (errand.Depart, errand.Rematch)
_ANSWERED: Final = {
    "Seated": COMING, "Watching": COMING, "NoTable": (errand.Attend,), "NotHeld": (errand.Reclaim,),
    "Claimed": (errand.Claim,), "Introduced": (errand.Introduce,), "Surveyed": (errand.Survey,),
    "RematchWanted": (errand.Rematch,),
}  # fmt: skip
"""Which requests these news are the answer to."""


def _plays(guest: Guest) -> bool:
    """Whether it has a seat in a match under way: from there nobody is brought to another table."""
    table = guest.table
    return table is not None and table.match.status is Status.PLAYING and table.seat_of(guest) is not None


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
        self._host = host
        self._clock = clock
        self._put = put
        self._reader = reader
        self._visits = Visits(life, clock, put)
        self.replicas = Replicas(name, self._visits, lobby, host, clock, put, leases, reader, needs, self._errand)
        self._order = count(1)
        """Of the news that come: what is read in the journal first must not bring a guest back to where it was."""
        self.lag = TimeTally()
        """How old steps were when they came, by the clocks of both nodes."""

    @property
    def presiding(self) -> str:
        """The node where the lobby is; empty: nobody knows."""
        return self.replicas.presiding

    # --- what guests ask ----------------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Errand | Command) -> None:
        """Carry out what a guest asks, or have it carried out."""
        table = guest.table
        if type(request) not in ERRANDS:
            if isinstance(table, Replica):
                self.replicas.ask(table, guest, cast("Command", request))
            else:
                self._lobby.do(guest, request)
        elif isinstance(request, _HERE) or (isinstance(table, HostedTable) and type(request) in _ABOUT_TABLE):
            self._lobby.do(guest, request)
        elif isinstance(request, errand.Depart):
            self._depart(guest)
        elif isinstance(request, errand.Rematch) and isinstance(table, Replica):
            self.replicas.ask(table, guest, cast("Any", request))
        elif isinstance(request, _SEEKING) and table is not None and not self._is_at_lobby(table):
            reason = Refused("you are at a table already", reason=Reason.AT_TABLE)
            guest.tell(news.Refusal(request, reason))
        else:
            self._errand(guest, cast("Errand", request))

    def _is_at_lobby(self, table: Any) -> bool:
        """Whether the lobby's node has the table, and so can judge what its guests may ask for."""
        return (table.host if isinstance(table, Replica) else self.name) == self.presiding

    def _errand(self, guest: Guest, request: Errand) -> None:
        visit = self._visits.of(guest)
        if isinstance(request, errand.Seek) and not is_told_apart(request.player):
            marked = replace(request.player, mark=f"{self.name}/{visit.number:x}")
            request = replace(request, player=marked)
        if isinstance(request, _SEEKING):
            visit.answer(_SEEKING)  # what it sought before, while there was no lobby, it does not want any more
            visit.want(request)
            guest.tie = request.seek.tie if isinstance(request, errand.Open) else getattr(request, "tie", guest.tie)
        if isinstance(request, errand.Unclaim) and self.presiding != self.name:
            guest.claim = None
            self._visits.mention(visit, request, self.presiding)
        else:
            self._ask_lobby(visit, request)

    def _ask_lobby(self, visit: Visit, request: Errand, *, again: bool = False) -> None:
        """Ask it wherever it presides; `again`: it, or the one before, may have done that already."""
        if self.presiding != self.name:
            self._visits.send(visit, request, "", self.presiding, again=again)
            return
        number = self._visits.note(visit, request, "")
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

    def _depart(self, guest: Guest) -> None:
        visit = self._visits.known(guest)
        if visit is not None:
            visit.sought = visit.attending = None
            visit.answer(COMING)
        if isinstance(guest.table, Replica):
            guest.table.leave(guest)
        elif self.presiding == self.name:
            self._lobby.do(guest, errand.Depart())
        elif visit is not None:
            self._visits.mention(visit, errand.Depart(), self.presiding)

    def goodbye(self, guest: Guest) -> None:
        """`guest` leaves the house."""
        if isinstance(guest.table, Replica):
            guest.table.leave(guest)
        self._lobby.goodbye(guest)
        visit = self._visits.end(guest)
        if visit is not None and self.presiding not in ("", self.name):
            self._put(self.presiding, Gone(visit.number))

    def send(self, guest: Guest, match: str, node: str, request: Any) -> None:
        """The lobby, which is here, sends a guest of this node to a table that another node hosts."""
        visit = self._visits.known(guest)
        if visit is None:
            return  # it has left meanwhile
        if node == self.name and self._host.come(guest, match, request):
            return
        if visit.sought is not None:
            self._visits.note(visit, visit.sought, "")  # nobody knows whether that node gives an answer
        self._visits.send(visit, request, match, "" if node == self.name else node)

    # --- news ---------------------------------------------------------------------------------------------------------

    def told(self, node: str, letter: Told, order: int = 0) -> None:
        """There are news for guests of this node; `order` is when they came, if that was before."""
        order = order or next(self._order)
        if self.replicas.is_read(letter.match):
            self.replicas.waits(letter.match, lambda: self.told(node, letter, order))
            return
        visits = [visit for number in letter.guests if (visit := self._visits.get(number)) is not None]
        if letter.seats or (letter.news is not None and letter.news.kind in ("Seated", "Watching")):
            visits = [visit for visit in visits if self._expects(visit, node, letter, order)]
        if not visits:
            return
        if letter.events:
            self._happened(node, letter, visits, order)
        elif letter.news is not None:
            for visit in visits:
                self._notice(node, visit, letter.match, letter.news, order)

    def _expects(self, visit: Visit, node: str, letter: Told, order: int) -> bool:
        """Whether a guest may be at that table now; a lobby that was gone for a while may have seated somebody who is
        elsewhere by now, and has to know.  One that was brought on while the match was being read has been there."""
        table, match = visit.guest.table, letter.match
        if letter.events and visit.number not in letter.seats:
            return True
        if order < visit.arrived:
            return False
        if isinstance(table, Replica) and (table.match.id == match or (table.host == node and not _plays(visit.guest))):
            return True
        for one in visit.asked.values() if table is None or isinstance(table, Replica) else ():
            named = one.match or getattr(one.request, "match", "")  # the lobby may be asked again meanwhile
            if isinstance(one.request, COMING) and (named == match or (not one.match and node == self.presiding)):
                return True
        self._put(node, Gone(visit.number, match))
        return False

    def _happened(self, node: str, letter: Told, visits: Sequence[Visit], order: int) -> None:
        match, last = letter.match, letter.first + len(letter.events) - 1
        replica = self.replicas.get(match)
        if replica is None or replica.match.seq < letter.first - 1:
            self.replicas.catch_up(match, node, letter.first - 1, lambda: self.told(node, letter, order))
            return
        again = []
        for number, answered in letter.answers.items():
            visit = self._visits.get(number)
            if visit is not None and visit.asked.pop(answered, None) is None:
                again.append(visit.guest)  # it asked another host meanwhile, by another number
        if replica.match.seq >= last and not letter.seats:
            return  # it was read in the journal
        if replica.match.seq >= letter.first:  # some was read in the journal, and somebody has sat down by that
            for visit in visits:
                if visit.number in letter.seats and visit.guest.table is not replica:
                    self._arrive(visit, replica, letter.seats[visit.number], order)
                    visit.guest.tell(news.Seated(replica.match, letter.seats[visit.number], False))
            return
        seats = {visit.guest: letter.seats[visit.number] for visit in visits if visit.number in letter.seats}
        for visit in visits:
            if visit.guest in seats:
                self._arrive(visit, replica, seats[visit.guest], order)
        moments = tuple(further(replica.match, map(decode, letter.events)))
        replica.heard = self._clock.now()
        step = Step(moments)
        for guest in again:
            self.replicas.settle(guest, replica.seat_of(guest), match, step)
        replica.take(step, seats)  # all who are here: some may be on their way to the host
        if node == replica.host:
            replica.introduced.update(seats)
        elif seats:  # a former host has seated somebody: the present one has to know
            self._clock.later(0.0, partial(self.replicas.look, replica))
        self.lag.took(max(0.0, self._clock.now() - moments[-1].event.at))

    def _arrive(self, visit: Visit, replica: Replica, seat: Seat | None, order: int) -> None:
        """A guest is at this table from now on, and nowhere else."""
        visit.arrived = order
        table = visit.guest.table
        if isinstance(table, Replica) and table is not replica:
            table.remove(visit.guest)
            visit.forget(table.match.id)
            self.replicas.tidy(table)
        visit.answer(_WATCHING if seat is None else COMING)
        replica.place(visit.guest, seat)

    def _notice(self, node: str, visit: Visit, match: str, notice: Notice, order: int) -> None:
        guest = visit.guest
        if notice.kind == "Refusal":
            self._refused(visit, notice)
            return
        if notice.kind in ("Seated", "Watching"):
            replica = self.replicas.get(match)
            if replica is None or replica.match.seq < notice.seq:
                self.replicas.catch_up(match, node, notice.seq, lambda: self._noticed(visit, match, notice, order))
            else:
                self._noticed(visit, match, notice, order)
            return
        asked = visit.asked.get(notice.number)
        if notice.number and asked is None:
            return  # it was asked again since
        if asked is None:
            visit.answer(_ANSWERED.get(notice.kind, ()))
        else:
            del visit.asked[notice.number]
            if asked.silent:
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
                visit.forget(match)
                self.replicas.tidy(replica)
                guest.tell(news.Displaced())

    def _noticed(self, visit: Visit, match: str, notice: Notice, order: int) -> None:
        replica = self.replicas.get(match)
        if visit not in self._visits or replica is None or order < visit.arrived:
            return  # this node hosts the match by now, say: whoever has asked for it asks again
        if notice.seat is None and any(
            isinstance(one.request, errand.Enter) and one.request.match != match for one in visit.asked.values()
        ):
            return  # it wants to go on from there, and the lobby will know
        asked = _WATCHING if notice.seat is None else COMING
        if visit.guest.table is replica and replica.seat_of(visit.guest) == notice.seat and not visit.waits_for(asked):
            return  # it was asked for twice, and was told
        self._arrive(visit, replica, notice.seat, order)
        if notice.seat is None:
            visit.guest.tell(news.Watching(replica.match))
        else:
            visit.guest.tell(news.Seated(replica.match, notice.seat, False))

    def _refused(self, visit: Visit, notice: Notice) -> None:
        asked = visit.asked.pop(notice.number, None)
        if asked is None and notice.number:
            return  # it was asked again since
        if asked is not None and asked.silent:
            return
        request: Any = asked.request if asked is not None else None
        if asked is None and notice.request is not None:
            request = read(notice.request, None)
        if isinstance(request, COMING):
            visit.answer(COMING)  # also the errand by which the lobby sent it there
        if notice.excuse is None:
            return
        reason = excused(notice.excuse)
        if isinstance(request, COMING) and reason.reason is Reason.AT_TABLE and visit.guest.table is None:
            self._visits.note(visit, request, "")  # it was not told that it sits
            self._enroll(visit)
        else:
            visit.guest.tell(news.Refusal(request, reason))

    # --- whatever is in doubt -----------------------------------------------------------------------------------------

    def audited(self, node: str, letter: Audit) -> None:
        """A host asks whether guests are at its tables: those who are not, and do not want to be, are gone."""
        for number, match in letter.guests:
            visit = self._visits.get(number)
            if visit is None:
                self._put(node, Gone(number))
                continue
            table = visit.guest.table
            if (table is None or table.match.id != match) and not visit.asked and not self.replicas.is_read(match):
                self._put(node, Gone(number, match))

    def sent(self, letter: Sent) -> None:
        """The lobby sends a guest to a table that another node hosts, or this one."""
        visit = self._visits.get(letter.guest)
        if visit is None:
            return
        request = read(letter.request, None)
        if letter.node == self.name:
            if self._host.come(visit.guest, letter.match, request):
                visit.answer(COMING)
        else:
            self._visits.send(visit, request, letter.match, letter.node)

    def placed(self, node: str, letter: Placed) -> None:
        """The lobby says where a guest is that has asked it for something."""
        visit = self._visits.get(letter.guest)
        if visit is None or visit.fence != letter.fence:
            return
        table = visit.guest.table
        if not letter.match or letter.match == visit.left:
            self._ask_again(visit)
        elif table is None or table.match.id != letter.match:
            self._reader.fetch(letter.match, 0, lambda events: self._place(visit, letter, events))
        elif isinstance(table, Replica) and table.seat_of(visit.guest) != letter.seat:
            self.replicas.look(table)  # it was not told that it sits: that is read in the journal
        elif letter.seat is None:
            visit.answer(_WATCHING)
            self._ask_again(visit)
        else:
            visit.answer(COMING)

    def _ask_again(self, visit: Visit) -> None:
        """Nothing of what a guest had asked the lobby before it was enrolled has happened, and nothing will.

        What it asked since then is on its way behind the `Enroll`.  To repeat that too would open two tables, of which
        the lobby closes one, perhaps with somebody at it.
        """
        asked = {number: one for number, one in visit.asked.items() if one.fence < visit.fence}
        again = [one for one in asked.values() if not one.match]
        for number in [n for n, one in asked.items() if not one.match or visit.guest.table is None]:
            del visit.asked[number]
        for one in again:
            if one.silent:
                self._visits.remind(visit, cast("Errand", one.request), self.presiding)
            else:
                self._ask_lobby(visit, cast("Errand", one.request), again=True)

    def _place(self, visit: Visit, letter: Placed, events: Sequence[Event] | None, attempt: int = 1) -> None:
        """Tell a guest, from the journal, how it came to its seat and what has happened since."""
        if not events or visit.fence != letter.fence or visit not in self._visits:
            return  # it is asked again, or answered
        if self.replicas.waits(letter.match, lambda: self._place(visit, letter, events, attempt)):
            return
        table = visit.guest.table
        if table is not None and (table.match.id == letter.match or not isinstance(table, Replica)):
            return
        hosted = self._lobby.hosted(letter.match)
        if hosted is not None:
            visit.answer(COMING)
            self._host.seat_again(visit.guest, hosted, letter.seat)
            return
        replica = self.replicas.get(letter.match)
        if replica is not None and replica.match.seq > len(events):  # it went on while this was read: read that too
            if attempt < PLACE_ATTEMPTS:
                self._reader.fetch(letter.match, 0, lambda events: self._place(visit, letter, events, attempt + 1))
            else:
                self._refuse_coming(visit)
            return
        match, told = arrival(events, letter.seat)
        if replica is None:
            replica = self.replicas.make(match, letter.node)
        self.replicas.read_on(replica, events[replica.match.seq :] if replica.guests else ())
        self._arrive(visit, replica, letter.seat, next(self._order))
        for one in told:
            visit.guest.tell(one)
        replica.match = max((fold(events), replica.match), key=attrgetter("seq"))
        self.replicas.look(replica)

    def _refuse_coming(self, visit: Visit) -> None:
        """Tell a guest that its match could not be read up to its end."""
        reason = Refused("the match changes too fast to join it; try again in a moment", reason=Reason.UNAVAILABLE)
        asked = [one.request for one in visit.asked.values() if isinstance(one.request, COMING) and not one.silent]
        visit.answer(COMING)
        for request in asked:
            visit.guest.tell(news.Refusal(request, reason))

    def lobby_at(self, node: str) -> None:
        """The lobby presides there from now on: let it know of all who are here."""
        if node == self.presiding:
            return
        self.replicas.presiding = node
        if not node:
            return
        for replica in self.replicas:
            if replica.match.status is Status.WAITING:
                self.replicas.look(replica)
        for visit in self._visits:
            self._introduce(visit)

    def _introduce(self, visit: Visit) -> None:
        """Let a new lobby know of a guest's name, of what it waits for, and of what it has asked."""
        node, guest = self.presiding, visit.guest
        visit.fence += 1  # what the former lobby says of it, when it wakes up, is no answer any more
        again = visit.asked_of("")
        visit.forget("")
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
                self._visits.remind(visit, request, node)
        for asked in again:
            self._ask_lobby(visit, cast("Errand", asked), again=True)

    def doubt(self, node: str) -> None:
        """Letters to or from a node were lost, or it is another life: make sure of all there is in common."""
        self.replicas.doubt(node)
        if node == self.presiding:
            for visit in self._visits:
                self._enroll(visit)
        else:  # the lobby may have sent somebody there who has no answer; it will know of that too in a moment
            self._clock.later(BEAT_SECONDS, self._seek_again)

    def _seek_again(self) -> None:
        for visit in self._visits:
            if visit.guest.table is None and any(one.match for one in visit.asked.values()):
                self._enroll(visit)

    def doubt_all(self) -> None:
        """Nobody may know any more of anybody here."""
        for replica in self.replicas:
            self.replicas.look(replica)
        if self.presiding != self.name:
            for visit in self._visits:
                self._enroll(visit)

    def _enroll(self, visit: Visit) -> None:
        table = visit.guest.table
        if table is not None and table.match.status is not Status.WAITING:
            watches = table.seat_of(visit.guest) is None
            if not (watches and any(not one.match for one in visit.asked.values())):
                return  # the lobby has no say in that
        visit.fence += 1
        for one in visit.asked.values():
            one.since = self._clock.now()
        if self.presiding == self.name and table is None:
            self.placed(self.name, Placed(visit.number, visit.fence))
        elif self.presiding not in ("", self.name):
            guest = visit.guest
            self._put(self.presiding, Enroll(visit.number, visit.fence, guest.household, guest.key))

    def tick(self) -> None:
        """See who has waited too long for an answer."""
        self.replicas.tick()
        now = self._clock.now()
        for visit in self._visits:
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
                    self.replicas.look(table)
