"""The tables that this node hosts, and the delegates of guests whose connections other nodes have.

Rules:

- A match is hosted here when somebody needs it and the database says that nobody else has it: it is read from the
  journal, and those who are at it say so.
- Whoever does not within `ABSENT_SECONDS` has left, as its table's policy says.
- What a delegate asks is done in order; a guest that makes sure of where it is (`Attach`, `Enroll`) is answered when
  all that it asked before is done, and what comes late is dropped (`fence`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from boardwire.cluster.hosting.delegate import Delegate, Post
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.ports import Leases, Reader
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
    Letter,
    Moved,
    Placed,
    Sent,
    card,
    read,
    written,
)
from boardwire.errors import BoardwireError, Malformed
from boardwire.games.game import Seat
from boardwire.lobby.requests import Enter, Errand, Introduce, Resume, Seek, Watch
from boardwire.table.commands import Return
from boardwire.table.events import Event
from boardwire.table.guest import Guest, Refusal, Seated
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status, fold, further
from boardwire.table.ports import Clock

ABSENT_SECONDS: Final = 8.0
"""How long those who are at a table have to say so to its new host: where there is more to do than the machine can, a
node may learn several seconds after another one that a third is dead."""
DOUBT_SECONDS: Final = 5.0
"""How long a guest of a node whose letters were lost may not be heard of before it is gone."""
_COMING: Final = (Return.__name__, Watch.__name__)
FIND_SECONDS: Final = 1.0
"""After how long a match is looked for again that could not be found because the database was away."""
GHOST_SECONDS: Final = 1.5
"""How long a new lobby waits for those who wait at tables, before a seat that seems to be left may be given away."""


class Host:
    """See the module.  `known` is a match as far as guests of this node have seen it, if any are at it: only what came
    after that has to be read.  `absorb` is told of a match that is hosted here from now on, with its events after a
    number."""

    def __init__(
        self,
        name: str,
        lobby: ClusterLobby,
        clock: Clock,
        put: Callable[[str, Letter], None],
        last: Callable[[str], Letter | None],
        leases: Leases,
        reader: Reader,
        known: Callable[[str], Match | None],
        absorb: Callable[[HostedTable, int, Sequence[Event]], None],
        outdated: Callable[[HostedTable], None],
        unreadable: Callable[[str, Exception], None],
    ) -> None:
        self.name = name
        self._lobby = lobby
        self._clock = clock
        self._put = put
        self._last = last
        self._leases = leases
        self._reader = reader
        self._known = known
        self._absorb = absorb
        self._outdated = outdated
        self._unreadable = unreadable
        self._posts: dict[str, Post] = {}
        self._delegates: dict[tuple[str, int], Delegate] = {}
        self._loading: dict[str, list[Callable[[str], None]]] = {}
        """Matches that are being taken over, and who is told of that."""
        self._early: list[Callable[[], None]] | None = None
        """What a new lobby does when it is known who waits where; None: that is known."""
        self._doubts: dict[str, float] = {}
        """Since when letters of a node may have been lost."""
        self.takeovers = 0

    # --- what delegates ask -------------------------------------------------------------------------------------------

    def ask(self, node: str, letter: Ask) -> None:
        """A guest of another node asks for something."""
        delegate = self._delegate(node, letter.guest)
        if letter.fence < delegate.fence:
            return
        delegate.fence = letter.fence
        delegate.household, delegate.key = letter.household, letter.key or delegate.key
        delegate.name = letter.name or delegate.name
        if not letter.match:
            self._run(delegate, letter)
            return
        table = self._lobby.hosted(letter.match)
        if table is None:
            if letter.request.kind in _COMING:  # the lobby has sent it here
                self.load(letter.match, partial(self._ask_there, node, letter))
            else:
                self._put(node, Moved(letter.match, ""))
            return
        if letter.seq > table.match.seq:
            table.take_turn(partial(self.compare, table, letter.seq))
        request = self._read(delegate, letter, table)
        if isinstance(request, Return | Watch) and delegate.table in (None, table):
            self._come(delegate, table, request)
        elif delegate.table is not table:
            self._put(node, Moved(letter.match, ""))
        elif request is not None:
            self._lobby.do(delegate, request)

    def _ask_there(self, node: str, letter: Ask, host: str) -> None:
        if host == self.name and self._lobby.hosted(letter.match) is not None:
            self.ask(node, letter)
        else:
            self._put(node, Moved(letter.match, host))

    def _run(self, delegate: Delegate, letter: Ask) -> None:
        """Run an errand of the lobby's, unless it presides elsewhere: then the guest will learn of that."""
        if not self._lobby.presiding:
            return
        request = self._read(delegate, letter, None)
        if not letter.again:
            delegate.place = None
        if request is not None:
            wanted = partial(self._is_wanted, delegate, letter)
            self.prepare(request, letter.again, wanted, partial(self._run_now, delegate, letter, request))

    def _is_wanted(self, delegate: Delegate, letter: Ask) -> bool:
        return (delegate.edge, delegate.number) in self._delegates and letter.fence == delegate.fence

    def _run_now(self, delegate: Delegate, letter: Ask, request: Errand) -> None:
        ghost = self.ghost(request) if letter.again else None
        if ghost is not None:
            self._put(delegate.edge, Placed(delegate.number, delegate.fence, *ghost))
            return
        delegate.asking = letter.number
        self._lobby.do(delegate, request)
        delegate.asking = 0

    def ghost(self, request: Errand) -> tuple[str, Seat, str] | None:
        """The seat that somebody who seeks one took before a former lobby was gone: match, seat and host."""
        return self._lobby.ghost(request.player, self.name) if isinstance(request, Seek) else None

    def prepare(self, request: Errand, again: bool, wanted: Callable[[], bool], then: Callable[[], None]) -> None:
        """Let the lobby, which is here, do an errand when it knows enough for it, if that is still `wanted`.  A new one
        does not know yet who waits where, and has not heard of every match: before it says that there is no such table
        it makes sure."""

        def go_on() -> None:
            if wanted() and self._lobby.presiding:
                then()

        match = request.match if isinstance(request, Enter | Resume | Watch) else ""
        if self._early is not None and (again or (isinstance(request, Introduce) and request.token)):
            self._early.append(partial(self.prepare, request, False, wanted, then))
        elif match and not self._lobby.lists(match):
            self._find(match, wanted, go_on)
        else:
            go_on()

    def _find(self, match: str, wanted: Callable[[], bool], then: Callable[[], None]) -> None:
        """See in the journal whether a match is being played, and who hosts it; if nobody does, this node."""

        def fetched(events: Sequence[Event] | None) -> None:
            found = None if events is None else self._folded(match, events)
            if events is None:
                again()
            elif found is None or found.status is not Status.PLAYING:
                then()
            else:
                self._leases.take([match], partial(owned, found))

        def owned(found: Match, owners: Mapping[str, str] | None) -> None:
            node = "" if owners is None else owners[match]
            if node == self.name:
                self.load(match, lambda host: then() if host else again())
            elif node:
                self._lobby.note(card(found), node)
                then()
            else:
                again()

        def again() -> None:
            if wanted():
                self._clock.later(FIND_SECONDS, lambda: self._reader.fetch(match, 0, fetched))

        self._reader.fetch(match, 0, fetched)

    def _read(self, delegate: Delegate, letter: Ask, table: HostedTable | None) -> Any:
        try:
            request = read(letter.request, None if table is None else table.match)
        except (KeyError, ValueError, BoardwireError):  # a node of another version, or a guest that makes things up
            delegate.ask(letter.number, None)
            delegate.tell(Refusal(None, Malformed("this cannot be read")))
            return None
        delegate.ask(letter.number, request)
        return request

    def _come(self, guest: Guest, table: HostedTable, request: Any) -> None:
        """A guest comes back to this table, or watches it; the lobby has sent it."""
        if isinstance(request, Watch):
            table.watch(guest)
        elif table.seat_of(guest) == request.seat:  # it asks again, since it was not told
            guest.tell(Seated(table.match, request.seat, False))
        else:
            guest.table = table
            table.do(guest, request)

    def come(self, guest: Guest, match: str, request: Any) -> bool:
        """The same for a guest of this node; whether the table is here.  If it is not, but should be, it will be when
        the guest asks again."""
        table = self._lobby.hosted(match)
        if table is None:
            self.load(match)
            return False
        self._come(guest, table, request)
        return True

    def send(self, delegate: Delegate, match: str, node: str, request: Any) -> None:
        """Let a guest of another node ask for something at a table that a third one hosts."""
        self._put(delegate.edge, Sent(delegate.number, match, node, written(request)))

    def gone(self, node: str, letter: Gone) -> None:
        """A guest of another node has left a table, or the house."""
        delegate = self._delegates.get((node, letter.guest))
        if delegate is None:
            return
        if not letter.match:
            self._drop(delegate)
        elif delegate.table is not None and delegate.table.match.id == letter.match:
            self._lobby.leave(delegate)

    def node_gone(self, node: str) -> None:
        """A node is no more, and with it all who came by it."""
        for delegate in [one for (edge, _), one in self._delegates.items() if edge == node]:
            self._drop(delegate)
        self._posts.pop(node, None)

    def doubt(self, node: str) -> None:
        """Letters from a node were lost: whoever is still there will be heard of, and the others are gone."""
        now = self._clock.now()
        self._doubts[node] = now
        self._clock.later(DOUBT_SECONDS, partial(self._drop_unheard, node, now))

    def _drop_unheard(self, node: str, since: float) -> None:
        if self._doubts.get(node) == since:
            for delegate in [one for (edge, _), one in self._delegates.items() if edge == node]:
                if delegate.heard < since and delegate.table is not None:
                    self._drop(delegate)

    def audit(self) -> None:
        """Ask the edges of guests who have not been heard of for a while whether they are still there."""
        since = self._clock.now() - DOUBT_SECONDS
        asked: dict[str, list[tuple[int, str]]] = {}
        for delegate in self._delegates.values():
            if delegate.table is not None and delegate.heard < since:
                asked.setdefault(delegate.edge, []).append((delegate.number, delegate.table.match.id))
        for node, guests in asked.items():
            self._put(node, Audit(guests))

    def _drop(self, delegate: Delegate) -> None:
        self._lobby.goodbye(delegate)
        delegate.go()
        del self._delegates[delegate.edge, delegate.number]

    def _delegate(self, node: str, number: int) -> Delegate:
        delegate = self._delegates.get((node, number))
        if delegate is None:
            post = self._posts.get(node)
            if post is None:
                post = self._posts[node] = Post(partial(self._put, node), partial(self._last, node))
            delegate = self._delegates[node, number] = Delegate(node, number, post)
        delegate.heard = self._clock.now()
        return delegate

    # --- guests that make sure of where they are ----------------------------------------------------------------------

    def attach(self, node: str, letter: Attach) -> None:
        """Guests of another node are at a table that should be hosted here."""
        table = self._lobby.hosted(letter.match)
        if table is None:
            self.load(letter.match, partial(self._attach_there, node, letter))
            return
        for attendee in letter.guests:
            self._fence(node, attendee)
        table.take_turn(partial(self._attached, table, node, letter))

    def _attach_there(self, node: str, letter: Attach, host: str) -> None:
        if host == self.name:
            self.attach(node, letter)
        else:
            self._put(node, Moved(letter.match, host))

    def _fence(self, node: str, attendee: Attendee) -> None:
        delegate = self._delegate(node, attendee.guest)
        delegate.fence = max(delegate.fence, attendee.fence)
        delegate.tie, delegate.household = attendee.tie, attendee.household
        delegate.key = attendee.key or delegate.key
        delegate.name = attendee.name or delegate.name

    def _attached(self, table: HostedTable, node: str, letter: Attach) -> None:
        if self.compare(table, letter.seq):
            self._put(node, Moved(letter.match, ""))
            return
        for attendee in letter.guests:
            delegate = self._delegate(node, attendee.guest)
            if delegate.table is not None and delegate.table is not table:
                self._locate(delegate)  # it was brought elsewhere meanwhile
                continue
            self._lobby.remember_terms(table, _sought(attendee), attendee.seat)
            self.adopt(table, delegate, attendee.seat)
        self._put(node, Attached(letter.match, letter.round, table.match.seq))

    def adopt(self, table: HostedTable, guest: Guest, seat: Seat | None) -> None:
        """A guest is at a table that came here.  If its player is said to be away meanwhile, it comes back."""
        chair = None if seat is None else table.match.chairs[seat]
        if seat is None or chair is None or chair.player is None:
            table.adopt(guest, None)
        elif chair.away is None:
            table.adopt(guest, seat)
        else:
            table.adopt(guest, None)
            self._clock.later(0.0, partial(table.do, guest, Return(seat, chair.player.key, chair.player)))

    def compare(self, table: HostedTable, seq: int) -> bool:
        """Whether somebody has seen more of a match than there is of it here: then somebody else has written to it."""
        if seq > table.match.seq and not table.superseded:
            self._outdated(table)
        return table.superseded

    def enroll(self, node: str, letter: Enroll) -> None:
        """A guest that has asked the lobby for something wants to know where it is."""
        if not self._lobby.presiding:
            return
        delegate = self._delegate(node, letter.guest)
        delegate.fence = max(delegate.fence, letter.fence)
        delegate.household, delegate.key = letter.household, letter.key or delegate.key
        self._locate(delegate)

    def _locate(self, delegate: Delegate) -> None:
        table = delegate.table
        if isinstance(table, HostedTable):
            table.take_turn(partial(self._located, delegate, table))
            return
        match, seat = delegate.place or ("", None)
        node = self._lobby.host_of(match) if match else ""
        self._put(delegate.edge, Placed(delegate.number, delegate.fence, match if node else "", seat, node))

    def _located(self, delegate: Delegate, table: HostedTable) -> None:
        if delegate.table is not table:
            self._locate(delegate)
            return
        place = table.match.id, table.seat_of(delegate), self.name
        self._put(delegate.edge, Placed(delegate.number, delegate.fence, *place))

    # --- to host a match, and to host it no more ----------------------------------------------------------------------

    def load(self, match: str, then: Callable[[str], None] | None = None) -> None:
        """Host a match, if nobody else does; `then` is told who does, or nothing, if that is not known."""
        waiting = [] if then is None else [then]
        if match in self._loading:
            self._loading[match] += waiting
            return
        table = self._lobby.hosted(match)
        if table is not None:  # somebody here did not know
            self._reader.fetch(match, 0, lambda events: self._absorb(table, 0, events or ()))
            for one in waiting:
                one(self.name)
            return
        self._loading[match] = waiting
        self._leases.take([match], partial(self._taken, match))

    def _taken(self, match: str, owners: Mapping[str, str] | None) -> None:
        node = "" if owners is None else owners[match]
        if node == self.name:
            known = self._known(match)
            self._reader.fetch(match, 0 if known is None else known.seq, partial(self._loaded, match, known))
            return
        for then in self._loading.pop(match):
            then(node)

    def _loaded(self, match: str, known: Match | None, events: Sequence[Event] | None) -> None:
        waiting = self._loading.pop(match)
        found = None if events is None else self._folded(match, events, known)
        if events is None or found is None:
            for then in waiting:
                then("")
            return
        if found.status is Status.WAITING and not self._lobby.presiding:
            self._leases.drop([match])  # the lobby has those that wait
            return
        table = self._lobby.host(found)
        table.placed = found.status is not Status.WAITING
        self.takeovers += 1
        self._absorb(table, 0 if known is None else known.seq, events)
        for then in waiting:
            then(self.name)
        awaited = table.guests or found.status is Status.PLAYING  # nobody comes back to a table that waits
        self._clock.later(ABSENT_SECONDS if awaited else 0.0, partial(self._miss, table))

    def _folded(self, match: str, events: Sequence[Event], known: Match | None = None) -> Match | None:
        """A match as the journal tells it, from `known` on; None if there is none, or it cannot be read."""
        try:
            if known is None:
                return fold(events) if events else None
            for moment in further(known, events):
                known = moment.match
            return known
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it is wrong with this match alone
            self._unreadable(match, error)
            return None

    def _miss(self, table: HostedTable) -> None:
        if not table.superseded and table.match.status is not Status.OVER:
            for seat in table.unattended():
                table.miss(seat)
            if table.match.status is Status.WAITING:
                self._lobby.changed(table)

    def hand_over(self, table: HostedTable, node: str) -> Handover:
        """Let another node host a quiet table; gives what is left of it for guests of this node."""
        rest = table.step_down()
        self._lobby.place(table, node)
        self.redirect(rest, node)
        return rest

    def redirect(self, rest: Handover, node: str) -> None:
        """Let the edges of a table's guests know that it is not here any more."""
        delegates = [guest for guest in rest.guests if isinstance(guest, Delegate)]
        for delegate in delegates:
            delegate.place = rest.match.id, rest.seats.get(delegate)
        for edge in {delegate.edge: None for delegate in delegates}:
            self._put(edge, Moved(rest.match.id, node))

    # --- a new lobby --------------------------------------------------------------------------------------------------

    def preside(self) -> None:
        """The lobby presides here: those who wait at tables come first."""
        self._early = []
        self._clock.later(GHOST_SECONDS, self._answer_early)

    def _answer_early(self) -> None:
        early, self._early = self._early or [], None
        for call in early:
            call()

    def remind(self, guest: Guest, errand: Errand) -> None:
        """A guest of this node had this at the former lobby, and knows it."""
        tell, guest.tell = guest.tell, _nothing
        try:
            self._lobby.do(guest, errand)
        finally:
            guest.tell = tell

    def seat_again(self, guest: Guest, table: HostedTable, seat: Seat | None) -> None:
        """A guest of this node sat down here before it was told so."""
        self._reader.fetch(table.match.id, 0, partial(self._tell_again, guest, table, seat))

    def _tell_again(self, guest: Guest, table: HostedTable, seat: Seat | None, events: Sequence[Event] | None) -> None:
        seq = table.match.seq
        if guest.table is not None or table.superseded:
            return
        if events is None or len(events) < seq:
            self._clock.later(GHOST_SECONDS, partial(self.seat_again, guest, table, seat))
            return
        table.adopt(guest, seat)
        for news in arrival(events[:seq], seat)[1]:
            guest.tell(news)


def _sought(attendee: Attendee) -> Any:
    return None if attendee.sought is None else read(attendee.sought, None)


def _nothing(news: object) -> None:
    """It knows that already."""
