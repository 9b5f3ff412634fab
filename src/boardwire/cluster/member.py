"""One node of a cluster: what it hosts, who came by it, and what it makes of the others.

To its connections it is the lobby, and to its tables the one who keeps them.  It waits for nothing: the database, the
bus and the clock call it (`beat`, `arrive`, `tick`).

Rules:

- Safety is the journal's: who may append is decided by the number of the event alone.  Leases and heartbeats decide
  only where a table is hosted, and a mistake there costs a pause.
- A node whose heartbeat lapses is taken to be dead, with all who came by it; what it hosted belongs to whoever needs it
  first.  A node that finds that it has lapsed makes sure of everything.
- There is always one node where the lobby presides: whoever first finds that there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from boardwire.cluster.edge.edge import Edge
from boardwire.cluster.hosting.delegate import Delegate
from boardwire.cluster.hosting.host import Host
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.ports import LOBBY, Leases, Reader, Roll
from boardwire.cluster.tables import HostedTable
from boardwire.cluster.transport import messages as say
from boardwire.cluster.transport.messages import Letter
from boardwire.cluster.transport.outbox import Mail
from boardwire.lobby.requests import Errand, Survey
from boardwire.table.commands import Command
from boardwire.table.guest import Guest, News, Surveyed
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Status
from boardwire.table.ports import Bots, Clock, Dealer, Journal
from boardwire.table.table import Table

TICK_SECONDS: Final = 0.25
PULSE_TICKS: Final = 2
NOTE_TICKS: Final = 8
"""How often the lobby is told of moves that were made elsewhere."""
ORPHAN_SECONDS: Final = 3.0
"""How long whoever needs a table that nobody hosts has to take it, before the lobby does."""
SWEEP_TICKS: Final = 40
LIST_TICKS: Final = 4
WATCHED_SECONDS: Final = 10.0
"""How long after somebody looked at the list of tables it is kept fresh."""


class Member:
    """See the module."""

    def __init__(
        self,
        name: str,
        life: int,
        lobby: ClusterLobby,
        clock: Clock,
        send: Callable[[str, bytes], None],
        leases: Leases,
        reader: Reader,
        needs: tuple[Journal, Dealer, Bots],
        unreadable: Callable[[str, Exception], None] = lambda *_: None,
    ) -> None:
        self.name = name
        self.lobby = lobby
        lobby.steward = self
        self._clock = clock
        self._leases = leases
        self._reader = reader
        self.mail = Mail(name, life, send, partial(clock.later, 0.0), self._receive, self._lost)
        self.host = Host(
            name, lobby, clock, self.mail.put, self.mail.last, leases, reader, self._known, self._absorb,
            self._outdated, unreadable,
        )  # fmt: skip
        self.edge = Edge(name, life, lobby, self.host, clock, self.mail.put, leases, reader, needs)
        self.peers: dict[str, int] = {}
        self.superseded_appends = 0
        self._lobby_life = 0
        """Which life of the node where the lobby is that is."""
        self._ticks = 0
        self._surveyor = Guest(self._surveyed)
        self._draining = False

    # --- as the lobby of its connections ------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Errand | Command) -> None:
        """Carry out what a guest of this node asks, wherever that is done."""
        self.edge.do(guest, request)

    def goodbye(self, guest: Guest) -> None:
        """`guest` leaves the house."""
        self.edge.goodbye(guest)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.lobby.tables())

    # --- what the world tells -----------------------------------------------------------------------------------------

    def beat(self, roll: Roll) -> None:
        """The database has heard of this node, and says who else is there."""
        lives = {peer.name: peer.life for peer in roll.peers if peer.name != self.name}
        gone = [node for node, life in self.peers.items() if lives.get(node) != life]
        self.peers = lives
        self.mail.know(roll.peers)
        if roll.lapsed:  # others may have thought that this node is dead
            self._verify()
            self._compare()
            self.edge.doubt_all()
        for node in gone:
            self._gone(node)
        if self._draining:
            return
        if roll.lobby == self.name:
            self._preside()
            return
        if self.lobby.presiding:
            self._abdicate(roll.lobby)
        if roll.lobby:
            self._lobby_at(roll.lobby)
        else:
            self._leases.take([LOBBY], self._taken)

    def arrive(self, data: bytes) -> None:
        """Bytes have come over the bus."""
        self.mail.arrive(data)

    def tick(self) -> None:
        """A moment has passed."""
        self._ticks += 1
        self.edge.tick()
        if self._ticks % PULSE_TICKS == 0:
            self.mail.pulse()
        if self._ticks % NOTE_TICKS == 0:
            self._note_moves()
            self._verify()
        if self._ticks % SWEEP_TICKS == 0:
            self._sweep()
            if not self._draining:  # a lobby that woke up may have placed a match here that nobody is at
                self._leases.held(self._adopt)
            self.host.audit()
            self.edge.replicas.audit_hosts()
        watched = self._clock.now() - self.lobby.looked < WATCHED_SECONDS
        if self._ticks % (LIST_TICKS if watched else LIST_TICKS * 5) == 0:
            self._survey()

    def _receive(self, node: str, letter: Letter) -> None:
        match letter:
            case say.Told():
                self.edge.told(node, letter)
            case say.Ask():
                self.host.ask(node, letter)
            case say.Attach():
                self.host.attach(node, letter)
            case say.Attached():
                self.edge.replicas.attached(node, letter)
            case say.Audit():
                self.edge.audited(node, letter)
            case say.Moved():
                self.edge.replicas.moved(node, letter)
            case say.Gone():
                self.host.gone(node, letter)
            case say.Enroll():
                self.host.enroll(node, letter)
            case say.Placed():
                self.edge.placed(node, letter)
            case say.Sent():
                self.edge.sent(letter)
            case say.Noted(cards=cards, gone=gone):
                self._noted(node, cards, gone)
            case say.Presiding():
                self._lobby_at(node)
            case say.Lost():
                self._doubt(node)
            case say.Vacant(matches=matches):
                self._vacant(node, matches)

    def _lost(self, node: str) -> None:
        """Letters from a node were lost, and perhaps letters to it."""
        self._doubt(node)
        self.host.doubt(node)
        self.mail.put(node, say.Lost())

    def _doubt(self, node: str) -> None:
        """Make sure of all that there is in common with a node."""
        self.edge.doubt(node)
        if node == self.edge.presiding:
            self._tell_lobby_all()

    def _gone(self, node: str) -> None:
        """A node is no more."""
        self.host.node_gone(node)
        self.lobby.vacate(node)
        self._doubt(node)
        if self.lobby.presiding:
            self._clock.later(ORPHAN_SECONDS, self._sweep)

    def _verify(self) -> None:
        """Make sure that what is played here is nobody else's, and let go of what is."""
        names = [table.match.id for table in self.lobby.tables() if table.match.status is Status.PLAYING]
        if names:
            self._leases.take(names, self._keep_only)

    def _keep_only(self, owners: Mapping[str, str] | None) -> None:
        for match, node in (owners or {}).items():
            table = self.lobby.hosted(match)
            if node != self.name and table is not None and table.match.status is Status.PLAYING:
                table.take_turn(partial(self._let_go, table, node))

    def _compare(self) -> None:
        """See in the journal whether somebody has written to what is hosted here."""
        for table in self.lobby.tables():
            self._compare_one(table)

    def _compare_one(self, table: HostedTable) -> None:
        if table.match.status is not Status.OVER and not table.superseded:
            self._reader.fetch(table.match.id, table.match.seq, partial(self._compared, table, table.match.seq))

    def _compared(self, table: HostedTable, seq: int, events: Sequence[Any] | None) -> None:
        if events is None:
            self._clock.later(TICK_SECONDS, partial(self._compare_one, table))
        elif events:
            table.take_turn(partial(self._outdated_at, table, seq + len(events)))

    def _outdated_at(self, table: HostedTable, seq: int) -> None:
        if table.match.seq < seq and not table.superseded:
            self._outdated(table)

    def _outdated(self, table: HostedTable) -> None:
        """Somebody else has written to the match."""
        self.superseded_appends += 1
        self._let_go(table, "")

    def _let_go(self, table: HostedTable, node: str) -> None:
        """Host a table no more; nothing of it is in hand."""
        if not table.superseded:
            self.edge.replicas.follow(self.host.hand_over(table, node), node)

    # --- who presides -------------------------------------------------------------------------------------------------

    def _taken(self, owners: Mapping[str, str] | None) -> None:
        if owners is not None and owners[LOBBY] == self.name and not self._draining:
            self._preside()

    def _preside(self) -> None:
        if self.lobby.presiding:
            return
        self.lobby.presiding = True
        self.host.preside()
        self.edge.lobby_at(self.name)
        for node in self.peers:
            self.mail.put(node, say.Presiding())
        self._clock.later(ORPHAN_SECONDS, self._sweep)

    def _abdicate(self, node: str) -> None:
        self.lobby.abdicate()
        self.edge.lobby_at("")
        for table in self.lobby.tables():
            if table.match.status is Status.WAITING:
                table.take_turn(partial(self._let_go, table, node))

    def _lobby_at(self, node: str) -> None:
        life = self.peers.get(node, 0)
        if (node, life) == (self.edge.presiding, self._lobby_life):
            return
        if self.lobby.presiding:
            self._abdicate(node)
        self._lobby_life = life
        self.edge.lobby_at("")  # a node that was started again under its name knows nothing of its former lobby
        self.edge.lobby_at(node)
        self._tell_lobby_all()
        self._survey()

    def _sweep(self) -> None:
        """Take care of matches that nobody hosts."""
        if self.lobby.presiding and not self._draining:
            self._leases.orphans(self._adopt)

    def _vacant(self, node: str, matches: Sequence[str]) -> None:
        """A node that stops has let go of this."""
        if LOBBY in matches and self.edge.presiding == node:
            self.edge.lobby_at("")
            self._leases.take([LOBBY], self._taken)
        for match in matches:
            if match != LOBBY:
                self.host.load(match)

    def _adopt(self, names: Sequence[str] | None) -> None:
        for name in names or ():
            if self.lobby.hosted(name) is None:
                self.host.load(name)

    # --- what the lobby knows of tables -------------------------------------------------------------------------------

    def _tell_lobby(self, cards: list[say.Card], gone: Sequence[str] = ()) -> None:
        if (cards or gone) and self.edge.presiding not in ("", self.name):
            self.mail.put(self.edge.presiding, say.Noted(cards, list(gone)))

    def _tell_lobby_all(self) -> None:
        self._tell_lobby([table.card() for table in self.lobby.tables()])

    def _note_moves(self) -> None:
        self._tell_lobby([table.card() for table in self.lobby.tables() if not table.is_noted])

    def _noted(self, node: str, cards: Sequence[say.Card], gone: Sequence[str]) -> None:
        if self.lobby.presiding:
            for card in cards:
                self.lobby.note(card, node)
            for match in gone:
                self.lobby.strike(match)

    def _survey(self) -> None:
        if self.edge.presiding not in ("", self.name):
            self.edge.do(self._surveyor, Survey(shared=True))

    def _surveyed(self, news: News) -> None:
        if isinstance(news, Surveyed):
            self.lobby.list_all(news)

    # --- to stop ------------------------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Let other nodes have all that is hosted here: where a player is, or else anywhere."""
        if not self.peers:
            return  # there is nobody to have it
        self._draining = True
        if self.lobby.presiding:
            self.lobby.presiding = False
            self.edge.replicas.presiding = ""
            self._leases.drop([LOBBY])
            for node in self.peers:
                self.mail.put(node, say.Vacant([LOBBY]))
        for table in self.lobby.tables():
            if table.match.status is not Status.OVER:
                table.take_turn(partial(self._drain, table))

    def _drain(self, table: HostedTable) -> None:
        if table.superseded or table.match.status is Status.OVER:
            return
        edges = [guest.edge for guest in table.guests if isinstance(guest, Delegate)]
        node = next(iter(edges), next(iter(self.peers), ""))
        if table.match.status is Status.PLAYING:
            self._leases.give([table.match.id], node)
            self.host.hand_over(table, node)
            if not edges:
                self.mail.put(node, say.Vacant([table.match.id]))
        else:
            self.host.hand_over(table, "")

    @property
    def drained(self) -> bool:
        """Whether nothing that is not over is hosted here any more."""
        return not self._draining or all(table.match.status is Status.OVER for table in self.lobby.tables())

    # --- as the steward of the lobby's tables -------------------------------------------------------------------------

    def changed(self, table: HostedTable) -> None:
        """Who sits at a table has changed, or whether it is played at."""
        match = table.match
        if match.status is Status.OVER:
            self._leases.drop([match.id])
        elif match.status is Status.PLAYING and not table.placed:
            table.placed = True
            node = self._home(table) if self.lobby.presiding else self.name
            if node == self.name:
                self._leases.give([match.id], node)
            else:
                self._clock.later(0.0, partial(table.take_turn, partial(self._place, table, node)))
        if not self.lobby.presiding:
            self._tell_lobby([table.card()])

    def _place(self, table: HostedTable, node: str) -> None:
        if not table.superseded and table.match.status is Status.PLAYING and node in self.peers:
            self._leases.give([table.match.id], node)
            self._let_go(table, node)

    def _home(self, table: HostedTable) -> str:
        """The node of its first player who is there."""
        seats = {table.seat_of(guest): guest for guest in table.guests}
        for seat in range(len(table.match.chairs)):
            guest = seats.get(seat)
            if guest is not None and not guest.bot:
                return guest.edge if isinstance(guest, Delegate) else self.name
        return self.name

    def forgotten(self, table: HostedTable) -> None:
        """A table is no more."""
        self._leases.drop([table.match.id])
        self._tell_lobby([], [table.match.id])

    def superseded(self, rest: Handover) -> None:
        """Somebody else has written to a match that was hosted here."""
        self.superseded_appends += 1
        self._clock.later(0.0, partial(self._look_on, rest))

    def _look_on(self, rest: Handover) -> None:
        self.host.redirect(rest, "")
        self.edge.replicas.follow(rest, "")

    def _known(self, match: str) -> Match | None:
        return self.edge.replicas.known(match)

    def _absorb(self, table: HostedTable, after: int, events: Sequence[Any]) -> None:
        self.edge.replicas.absorb(table, after, events)
        self._tell_lobby([table.card()])

    def send(self, guest: Guest, match: str, node: str, request: Any) -> None:
        """See `boardwire.cluster.tables.Usher`."""
        if node not in self.peers:  # nobody has it: whoever is sent there finds it here, or asks again
            self.host.load(match, partial(self._send, guest, match, request))
        else:
            self._send(guest, match, request, node)

    def _send(self, guest: Guest, match: str, request: Any, node: str) -> None:
        if isinstance(guest, Delegate):
            self.host.send(guest, match, node, request)
        else:
            self.edge.send(guest, match, node, request)
