"""The run of one case with one client: our own server plays it, and the client is judged.

The server runs the dialect's script in memory; the other players are the dialect's own clients with bots.

- A monitor judges every message from the client, until the server breaks the specification on purpose.
- A client has `think` seconds for a reply, and `wait` seconds to close its end.
- A client that leaves before the end of its match fails, unless the server gave it a reason.
- A breach does not end a case: the match continues, and the result lists every cause once, with its count.
- Other players leave or resign only while the client rests: it has no question, and no message was sent for
  `REST_SECONDS`. So no message from the client crosses the end of the match.
- If the match does not reach the goal of the case, only breaches are judged, and the case is repeated.

It uses no socket and no clock: callers pass bytes to `receive` and time to `pass_time`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from boardwire import dialects, games
from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.conformance import finding as findings
from boardwire.conformance.client.cases import DEFAULT_GAME, ByteDelivery, Case, Goal, Out, Trouble
from boardwire.conformance.client.habits import Habits, drawing_choice
from boardwire.conformance.display import show
from boardwire.conformance.finding import Side
from boardwire.conformance.framing import WebSocketFramer
from boardwire.conformance.monitor import Closed, MessageRecord, Monitor, Record
from boardwire.conformance.server.check import MAX_KEPT_LINES, CheckResult, ConversationLine, Verdict
from boardwire.conformance.watchers import watcher
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Encoding, Over, Result
from boardwire.dialects.santorini_objects.messages.classes import ConsolidateBuild, ConsolidateMove, Position
from boardwire.errors import BoardwireError
from boardwire.games import forza
from boardwire.games.forza.rules import BITS, COLUMNS, ROWS
from boardwire.games.game import CHANCE, Draw, Seat
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer
from boardwire.table.commands import Resign
from boardwire.table.events import Acted
from boardwire.table.ports import GuestTable
from boardwire.table.termination import is_aborted
from boardwire.wire.codec import Decoder
from boardwire.wire.text import escaped
from boardwire.wire.websocket import encode_text

REPLY_DELAY_SECONDS: Final = 0.02
"""Delay of another player's reply, so that it arrives as a separate piece."""

MAX_SINGLE_BYTES: Final = 48
"""Bytes at the start of a message that are sent one at a time; the rest is sent in pieces of this size."""
BYTE_GAP_SECONDS: Final = 0.002
MERGE_SECONDS: Final = 0.1
SLOW_SECONDS: Final = 0.7
CLOSE_DELAY_SECONDS: Final = 0.3
"""Delay between half a message and the close."""
REST_SECONDS: Final = 0.3
"""Silence before another player leaves or resigns."""
SPACING_SECONDS: Final = 0.05
"""Delay between two messages that are sent separately."""
MAX_BREACHES: Final = 20
"""Number of breaches that ends a case, since a client may repeat a refused move for ever."""

AWAY_SPEED: Final = 20.0
"""Speed of the server's clock while the seat of an absent player is held."""
EVENTS_AFTER_OUT: Final = 6
"""Events after a player is out before the case ends."""
SEARCH_DEPTH: Final = {"tris": 9, "forza": 3}
"""Search depth of another player that aims for a draw."""
STALL_FACTOR: Final = 10
"""A match without progress ends the case after `STALL_FACTOR * think` seconds."""
MAX_CHOICES: Final = 60
"""Limit of the choices that another player considers."""
MAX_MESSAGE_LENGTH: Final = 400
"""Longest message in a result."""
EXCERPT_LINES: Final = 8
"""Lines of the conversation in the detail of a result."""
LINES_AFTER: Final = 30
"""Lines after a breach that the conversation of a result includes; a diagram has 60 lines."""
LATER_EXCERPT_LINES: Final = 3
"""Lines of the conversation for each further cause of the same case."""

NAMES: Final = ("ada", "bea", "cora", "dora")
"""Names of the other players."""

Send = Callable[[bytes], None]


class Breach(msgspec.Struct):
    """One cause of a failure.

    `cause` identifies it across cases, `words` describe its first occurrence, and `conversation` ends with that.
    """

    cause: tuple[str, ...]
    words: str
    count: int = 1
    conversation: tuple[ConversationLine, ...] = ()

    def __str__(self) -> str:
        return self.words if self.count == 1 else f"{self.words} ({self.count} times)"


class Prospect(NamedTuple):
    """Value of a position, most important first.

    `drawn` is the chance of a draw if the others play to win, `safe` is lower the more they win, `usually` is the
    chance of a draw if they play at random.
    """

    drawn: float
    safe: float
    usually: float


class _SpoilingDecoder:
    """A decoder that replaces a message on request."""

    def __init__(self, decoder: Decoder, spoil: Callable[[Any], Any]) -> None:
        self._decoder = decoder
        self._spoil = spoil
        self.overhead = 0

    @property
    def fault(self) -> Any:
        return self._decoder.fault

    @property
    def buffered(self) -> int:
        return self._decoder.buffered

    def feed(self, data: bytes) -> Sequence[Any]:
        return [self._spoil(message) for message in self._decoder.feed(data)]


class Companion:
    """Another player of the match: the dialect's client with a bot that suits the case."""

    def __init__(self, case_run: CaseRun, name: str, seating: ClientOptions) -> None:
        self._case_run = case_run
        self.peer = SimulatedConnection(case_run.server, case_run.dialect)
        self._open_ask: Ask | None = None
        self.result: Result | None = None
        self.client = SimulatedClient(
            case_run.dialect, self._receive, msgspec.structs.replace(seating, name=name), case_run.server.clock
        )

    def _receive(self, client: SimulatedClient, notice: Any) -> None:
        if isinstance(notice, Ask):
            self._open_ask = notice
            self._case_run.clock.later(REPLY_DELAY_SECONDS, lambda: self._answer(notice))
        elif isinstance(notice, Over):
            self._open_ask, self.result = None, notice.result

    @property
    def thinks(self) -> bool:
        """Whether it has a question to answer."""
        return self._open_ask is not None and not self.peer.closed

    def _answer(self, ask: Ask) -> None:
        """Answer a question that is still open, as soon as the case allows it."""
        if self._open_ask is ask and not self.peer.closed:
            if self._case_run.holds:
                self._case_run.clock.later(REPLY_DELAY_SECONDS, lambda: self._answer(ask))
                return
            self._open_ask = None
            self.client.talk.tell(Answer(self._case_run.choose(ask)))
            self._case_run.carry()

    def carry(self) -> bool:
        """Pass bytes between the client and its connection to the server; return whether there were any."""
        sent = self.client.take()
        if sent:
            self.peer.send(sent)
        received = self.peer.take()  # includes the reply to `sent`, even if the server closes after it
        if received and not self.client.closed:
            self.client.receive(received)
        if self.peer.closed and not self.client.closed and not received:
            self.client.lose()
        if self.client.closed and not self.peer.closed and not sent:
            self.peer.drop()
        return bool(sent or received)


class CaseRun:
    """The run of one case. `send` and `close` act on the client's connection; `result` is None until it is known."""

    def __init__(
        self,
        dialect: str,
        case: Case,
        send: Send,
        close: Callable[[], None],
        *,
        wait: float,
        think: float,
        seed: int = 0,
        game: str = "",
        spaced: bool = False,
        habits: Habits | None = None,
    ) -> None:
        """Start the case.

        - `wait`: seconds for the client to close its end; `think`: seconds for a reply.
        - `spaced`: send every message separately, with a delay.
        - `habits`: the client's replies in other cases.
        """
        self.case = case
        self._spaced = spaced and case.delivery is not ByteDelivery.BYTES
        self.breaches: list[Breach] = []
        self.stalled = False
        """Whether the client fell silent, or closed the connection, in the middle of the match."""
        self.coalesced = False
        """Whether the client got several messages in one piece since it last sent something."""
        self._last_server_message = ""
        """Name of the server's last message."""
        self._last_beat: tuple[int, ConversationLine] | None = None
        """The last message with its number, if it is a heartbeat; the conversation has only those with findings."""
        self._wait = wait
        self._think = think
        self._send = send
        self._close = close
        self.clock = ManualClock()
        self.server = SimulatedServer(seed=seed)
        self._random = Random(seed)
        self.dialect = dialects.dialect(dialect)
        self.game = self.dialect.game or game or DEFAULT_GAME
        self._rules = games.game(self.game)
        refused_replacement = msgspec.structs.replace(
            self.dialect, decoder=lambda: _SpoilingDecoder(self.dialect.decoder(), self._spoil)
        )
        self.recent_lines: deque[ConversationLine] = deque(maxlen=MAX_KEPT_LINES)
        self.missed = False
        """Whether the match missed the goal of the case."""
        self.result: CheckResult | None = None
        self._heartbeats = 0
        self._last_name = ""
        """Name of the last message."""
        self._start_seq = 0
        """Number of events when the match began; 0: it has not begun."""
        self._last_seq = 0
        """Number of events when the match last progressed."""
        self._is_fault_due = False
        """Whether the next message is to have the fault of the case."""
        self._companion_left = False
        self._is_filling = False
        """Whether the other players are about to join."""
        self._is_send_scheduled = False
        self._due_step: Callable[[], None] | None = None
        """Called as soon as the client rests: another player leaves or resigns."""
        self._closed_at = 0.0
        """When the server closed."""
        self._put_out = False
        """Whether a player is out."""
        self._fault_seq = 0
        """Number of events at the fault, or when a player was out."""
        self._prospects: dict[Any, Prospect] = {}
        self._habits = habits if habits is not None else Habits()
        self._asked_at: Any = None
        """The position of the client's last question."""
        self.misbehaved = False
        """Whether the server has broken the specification."""
        self._ended = False
        """Whether the server has closed the connection; its last data may still be queued."""
        self._client_gone = False
        self._last = self.clock.now()
        """Time of the last message other than a heartbeat."""
        self._progress = self.clock.now()
        """Time of the last progress of the match."""
        self._queue: deque[tuple[float, bytes | None]] = deque()
        """Pieces to send, each with its delay; None closes the connection."""
        self._table: GuestTable | None = None
        self._companions: list[Companion] = []
        self._monitor = Monitor(dialect, WatcherGroup(), 1, self._note)
        self._counter = watcher(dialect).framer()
        self._splitter = watcher(dialect).framer()
        self._ahead = 0
        """Bytes of an unfinished message that were sent already."""
        if case.last:
            for _ in range(case.others):
                self._invite(case.others + 1)
        self._server_end = SimulatedConnection(self.server, refused_replacement)
        self.carry()

    # --- input from the client ----------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Process bytes of the client."""
        if self._ended:
            self._last = self.clock.now()  # it may not have seen the end yet: restart its time limit to close
            if self.result is None and not self._client_gone:
                self._monitor.receive(Side.CLIENT, data, self.clock.now())
        elif self.result is None:
            self.coalesced = False
            self._monitor.receive(Side.CLIENT, data, self.clock.now())
            self._server_end.send(data)
            self.carry()

    def client_closed(self) -> None:
        """Process the end of the connection by the client."""
        if self._client_gone:
            return
        self._monitor.close(Side.CLIENT, self.clock.now())
        self._client_gone = True
        over = self._over or (self._put_out and self.case.out is Out.ITSELF)
        self._server_end.drop()
        if self.result is None:
            if over or self._ended or self.misbehaved:
                self._finish()
            else:
                self.stalled = True
                why = f"the client closed the connection in the middle of the match{self._expected}"
                self._fail(why, "left", self._last_server_message)

    def pass_time(self, seconds: float) -> None:
        """Advance the clocks, and judge the client's silence."""
        self.clock.pass_time(seconds)
        self.server.clock.pass_time(seconds * (AWAY_SPEED if self._is_held else self.case.speed))
        self.carry()
        if self._due_step is not None and self._rests:
            step, self._due_step = self._due_step, None
            step()
        if self.result is None:
            self._judge_silence()

    def _judge_silence(self) -> None:
        """End the case if the client has not sent, or the match not progressed, for too long."""
        quiet = self.clock.now() - self._last
        if self._ended and not self._queue:
            if quiet > self._wait or self.clock.now() - self._closed_at > STALL_FACTOR * self._wait:
                self._fail("the server has closed the connection; the client has not closed its end", "open")
        elif self._over and not self._queue:
            if quiet > self._wait:
                self._finish()  # the specification allows the client to stay connected
        elif not self._queue and not self._waits:
            stuck = self.clock.now() - self._progress > STALL_FACTOR * self._think
            if not stuck and quiet <= self._think:
                return
            if self._start_seq == 0 and (self.case.others > 1 or self.case.settings):
                self._miss(
                    f"the match has not begun: {self.case.does}; your client must request the same kind of match"
                )
            elif stuck:
                why = f"the match made no progress for {STALL_FACTOR * self._think:g} s{self._expected}"
                self._fail(why, "stuck", self._last_server_message)
            else:
                self.stalled = True
                self._fail(
                    f"nothing arrived for {self._think:g} s{self._expected}", "silent", self._last_server_message
                )

    # --- the server's part --------------------------------------------------------------------------------------------

    def carry(self) -> None:
        """Pass data between the server and all players until none is left."""
        busy = True
        while busy:
            busy = False
            for companion in self._companions:
                busy = companion.carry() or busy
            if received := self._server_end.take():
                busy = True
                self._receive_from_server(received)
        self._follow_match()
        if self._server_end.closed and not self._ended and not self._client_gone:
            self._end()

    def _follow_match(self) -> None:
        """Note the progress of the match, and start the events of the case that are due."""
        self._table = self._server_end.guest.table or self._table
        if self._table is None or self._ended or self._client_gone:
            return
        match = self._table.match
        if match.seq != self._last_seq:
            self._last_seq, self._progress = match.seq, self.clock.now()
            self._note_habit(self._table)
        if match.position is None:
            free = sum(chair.player is None for chair in match.chairs)
            if free and not self._is_filling and not self.case.last:
                self._is_filling = True
                self.clock.later(max(REPLY_DELAY_SECONDS, self.case.held), lambda: self._fill(len(match.chairs)))
            return
        self._start_seq = self._start_seq or match.seq
        if match.outcome is None and match.seq - self._start_seq >= self.case.moves:
            self._start_event()

    def _note_habit(self, table: GuestTable) -> None:
        """Store the client's reply to its last position."""
        if self.game not in SEARCH_DEPTH:
            return
        seat, last = table.seat_of(self._server_end.guest), self.server.events(table.match.id)[-1]
        if self._asked_at is not None and isinstance(last, Acted) and last.seat == seat:
            decision = self._rules.pending(self._asked_at)
            if decision is not None:
                self._habits.note(self._asked_at, tuple(decision.choices), last.action)
                self._prospects.clear()
        self._asked_at = table.match.position if self._is_asked else None

    def _fill(self, players: int) -> None:
        """Connect the other players; fail the case if the client should have sent a heartbeat while it waited."""
        if self.result is not None or self._client_gone or self._table is None:
            return
        if self.case.held and not self._heartbeats:
            self._fail(f"no heartbeat for {self.case.held * self.case.speed:g} s; expected at least one", "no sign")
            return
        for _ in [chair for chair in self._table.match.chairs if chair.player is None]:
            self._invite(players)
        self.carry()

    def _invite(self, players: int) -> None:
        """Connect another player, which requests a seat in the client's match."""
        name = NAMES[len(self._companions)]
        settings = dict(self.case.settings)
        if not self.dialect.game:
            settings["game"] = self.game
            if self._table is not None:
                settings |= {"match": self._table.match.id, "code": self._table.match.setting.code}
        companion = Companion(self, name, ClientOptions(name, players, settings))
        self._companions.append(companion)
        while companion.carry():
            pass

    def _start_event(self) -> None:
        """Cause the fault of the case, or have a player resign or leave."""
        if self.case.out is not Out.NONE and not self._put_out:
            self._due_step = self._due_step or self._resign_player
        elif self._put_out and self._seq - self._fault_seq < EVENTS_AFTER_OUT:
            pass  # the match continues for a while
        elif self.case.trouble is not Trouble.NONE and not self._is_fault_due:
            self._is_fault_due = True
            if self.case.trouble is Trouble.CLOSE:
                self._misbehave("(the server closes the connection)")
                self._break_off()
        elif self.case.goal is Goal.LEFT and not self._companion_left and self._survived:
            self._due_step = self._due_step or self._depart

    @property
    def holds(self) -> bool:
        """Whether other players delay their replies, so that the client comes to rest."""
        return self._due_step is not None and not self._is_asked

    @property
    def _is_asked(self) -> bool:
        """Whether the client is one of the players who may choose now."""
        pending = None if self._table is None else self._table.match.pending
        return (
            pending is not None
            and self._table is not None
            and (self._table.seat_of(self._server_end.guest) in pending.seats)
        )

    @property
    def _rests(self) -> bool:
        """Whether the client rests: it has no question, got all data, and nothing was sent for `REST_SECONDS`."""
        sends = self._monitor.unfinished(Side.CLIENT)  # it has the time limit of a reply for the rest of a message
        quiet = self.clock.now() - self._last >= (self._think if sends else REST_SECONDS)
        return quiet and not self._queue and not self._is_asked

    @property
    def _survived(self) -> bool:
        """Whether the client has continued after the fault, if there was one."""
        if self._table is None or (self.case.trouble is Trouble.NONE and self.case.out is not Out.ANOTHER):
            return True
        if not (self.misbehaved or self._put_out):
            return False
        seat, since = (
            self._table.seat_of(self._server_end.guest),
            self.server.events(self._table.match.id)[self._fault_seq :],
        )
        return any(isinstance(event, Acted) and event.seat == seat for event in since)

    @property
    def _seq(self) -> int:
        return 0 if self._table is None else self._table.match.seq

    @property
    def _is_held(self) -> bool:
        """Whether the match waits for an absent player; the server's clock then runs faster."""
        return self._companion_left and not self._over and not self._ended

    def _resign_player(self) -> None:
        """Have a player resign, which has the same effect as being unable to move."""
        self._put_out, self._fault_seq = True, self._seq
        if self._table is not None and not self._over:
            guest = self._server_end.guest if self.case.out is Out.ITSELF else self._companions[-1].peer.guest
            seat = self._table.seat_of(guest)
            if seat is not None:
                self._table.do(None, Resign(seat))
                self._fault_seq = self._seq
        self.carry()

    def _depart(self) -> None:
        """Have another player leave."""
        self._companion_left = True
        self._companions[0].peer.drop()
        self.carry()

    def _spoil(self, message: Any) -> Any:
        """Return the message that the server receives: the client's, or one that it must refuse."""
        if self._is_fault_due and self.case.trouble is Trouble.REFUSAL and not self.misbehaved and self._is_answer:
            replacement = refused_replacement(self.dialect, message)
            if replacement is not None:
                self._misbehave("(the server refuses this message on purpose)")
                return replacement
        return message

    @property
    def _is_answer(self) -> bool:
        """Whether the client's last message is not a heartbeat."""
        heartbeats = self._monitor.watcher.protocol.heartbeats
        return bool(self.recent_lines) and self.recent_lines[-1].way == ">" and self._last_name not in heartbeats

    # --- delivery -----------------------------------------------------------------------------------------------------

    def _receive_from_server(self, data: bytes) -> None:
        """Deliver bytes of the server to the client, with the fault of the case if it is due."""
        trouble = self.case.trouble
        if self._ended or self._client_gone:
            return
        if self._is_fault_due and not self.misbehaved and trouble in _SPOILS:
            if trouble is Trouble.HALF:
                half = data[: max(1, len(data) // 2)]
                self._misbehave(f"(half a message: {len(half)} of {len(data)} bytes)")
                self._deliver(half)
                self._break_off()
                return
            message = UNKNOWN[wire_of(self.dialect)] if trouble is Trouble.UNKNOWN else GARBAGE[wire_of(self.dialect)]
            self._misbehave(f"({trouble.name.lower()}) {show(message)}")
            self._deliver(message)
            if wire_of(self.dialect) == "objects":
                self._break_off()
                return
        self._monitor.receive(Side.SERVER, data, self.clock.now())
        self._deliver(_with_members(self.dialect, data) if self.case.delivery is ByteDelivery.EXTRA else data)

    def _misbehave(self, words: str) -> None:
        """Note that the server breaks the specification on purpose from here on."""
        self.misbehaved, self._fault_seq = True, self._seq
        self._note_line("<", words)

    def _break_off(self) -> None:
        """Close the connection in the middle of the match."""
        self._server_end.drop()
        self._end()

    def _end(self) -> None:
        """Close the connection after all data is delivered, and judge why the server closes it."""
        self._ended, self._closed_at = True, self.clock.now()
        self._monitor.close(Side.SERVER, self.clock.now())
        self._deliver(None)
        outcome = None if self._table is None else self._table.match.outcome
        is_intended = self._companion_left or self.misbehaved
        if not is_intended and (outcome is None or not self._start_seq or is_aborted(outcome)):
            self._fail(
                "the server has disconnected the client: it was silent, or too many of its messages were refused",
                "given up",
            )

    def _deliver(self, data: bytes | None) -> None:
        """Queue data for the client, in the pieces and with the delays of the case; None closes the connection."""
        match self.case.delivery:
            case _ if self._spaced and data is not None:
                gap = SLOW_SECONDS if self.case.delivery is ByteDelivery.SLOW else SPACING_SECONDS
                for piece in self._split(data):
                    self._queue.append((gap, piece))
                    gap = SPACING_SECONDS
            case ByteDelivery.BYTES if data is not None:
                ends = {
                    *range(1, min(MAX_SINGLE_BYTES, len(data)) + 1),
                    *range(2 * MAX_SINGLE_BYTES, len(data), MAX_SINGLE_BYTES),
                    len(data),
                }
                ends |= set(accumulate(map(len, self._split(data))))  # several messages in one piece are another case
                for start, end in pairwise((0, *sorted(ends))):
                    self._queue.append((BYTE_GAP_SECONDS, data[start:end]))
            case ByteDelivery.MERGED if data is not None and self._queue:
                gap, before = self._queue.pop()
                self._queue.append((gap, (before or b"") + data))
                return
            case ByteDelivery.MERGED:
                self._queue.append((MERGE_SECONDS, data))
            case ByteDelivery.SLOW:
                self._queue.append((SLOW_SECONDS, data))
            case _:
                self._queue.append((CLOSE_DELAY_SECONDS if data is None and self.misbehaved else 0.0, data))
        if not self._is_send_scheduled:
            self._send_due()

    def _split(self, data: bytes) -> list[bytes]:
        """Split bytes into messages; the last piece includes the beginning of an unfinished message."""
        pieces = [piece for piece, _ in self._splitter.feed(data)] or [b""]
        rest = self._splitter.rest()
        pieces[0] = pieces[0][self._ahead :] if pieces[0] else b""
        begun = rest if pieces[0] or len(pieces) > 1 else rest[self._ahead :]
        pieces[-1] += begun
        self._ahead = len(rest)
        return [piece for piece in pieces if piece]

    def _send_due(self) -> None:
        """Send queued data without a delay, and schedule the next piece that has one."""
        self._is_send_scheduled = False
        while self._queue:
            gap, data = self._queue[0]
            if gap > 0.0:
                self._is_send_scheduled = True
                self.clock.later(gap, self._send_first)
                return
            self._queue.popleft()
            self._send_piece(data)

    def _send_first(self) -> None:
        """Send the piece whose delay is over, then those that follow without one."""
        _, data = self._queue.popleft()
        self._send_piece(data)
        self._send_due()

    def _send_piece(self, data: bytes | None) -> None:
        """Send a piece to the client, or close its connection if there is none."""
        self._last = self.clock.now()
        if self._client_gone:
            return
        if data is None:
            self._close()
        elif data:
            if not self.misbehaved:
                self.coalesced = self.coalesced or len(self._counter.feed(data)) > 1
            self._send(data)

    # --- other players ------------------------------------------------------------------------------------------------

    def choose(self, ask: Ask) -> Any:
        """Return the choice of another player that suits the goal of the case."""
        bot = BOTS["greedy" if self.case.goal is Goal.LOST else "random"]
        rank: dict[Goal, Callable[[Any, Seat, Any], Any]] = {
            Goal.WON: self._yielding_key,
            Goal.DRAWN: self._drawing_key,
        }
        rank_choice = rank.get(self.case.goal)
        table = self._table
        if rank_choice is None or table is None or table.match.pending is None or table.match.position is None:
            return bot.choose(ask.view, ask.decision, self._random.randrange, BUDGET)
        seat, position = table.match.pending.seats[0], table.match.position
        if self.case.goal is Goal.DRAWN and self._habits.has_pattern:
            worth = _blocked_share if self.game == "forza" else lambda at: 0.0
            choice = drawing_choice(self._rules, position, seat, self._habits.predict, worth)
            if choice is not None:
                return choice
        choices = list(ask.decision.choices)
        self._random.shuffle(choices)
        return max(choices[:MAX_CHOICES], key=lambda choice: rank_choice(position, seat, choice))

    def _after(self, position: Any, seat: Seat, choice: Any) -> Any:
        """Return the position after a choice, or None if it is illegal."""
        try:
            return self._rules.apply(position, seat, choice)[0]
        except BoardwireError:
            return None

    def _yielding_key(self, position: Any, seat: Seat, choice: Any) -> float:
        """Return the sort key of a choice that should let others win.

        Choices by which another wins at once come first, then those after which more replies win, then losing ones.
        """
        rules = self._rules
        after = self._after(position, seat, choice)
        if after is None:
            return -1.0
        ended = rules.outcome(after)
        if ended is not None:
            return 3.0 if ended.winners and seat not in ended.winners else -2.0
        decision = rules.pending(after)
        if decision is None or decision.seats[0] in (seat, CHANCE) or isinstance(decision.choices, Draw):
            return 0.0
        positions = (self._after(after, decision.seats[0], reply) for reply in tuple(decision.choices)[:MAX_CHOICES])
        outcomes = [rules.outcome(next_position) for next_position in positions if next_position is not None]
        wins = sum(
            outcome is not None and bool(outcome.winners) and seat not in outcome.winners for outcome in outcomes
        )
        return wins / MAX_CHOICES

    def _drawing_key(self, position: Any, seat: Seat, choice: Any) -> tuple[float, ...]:
        """Return the sort key of a choice that should lead to a draw."""
        after = self._after(position, seat, choice)
        if after is None:
            return Prospect(-1.0, -1.0, -1.0)
        return self._rank(self._prospect(after, seat, SEARCH_DEPTH.get(self.game, 0)))

    def _rank(self, prospect: Prospect) -> tuple[float, ...]:
        """Return the sort key of a prospect.

        Against a steady client, in a match that is searched to its end, the usual chance of a draw counts first: a line
        that fails still adds a known reply for the next attempt.
        """
        if self.game == "tris" and self._habits.is_known:
            return prospect.usually, prospect.drawn, prospect.safe
        return prospect

    def _prospect(self, position: Any, seat: Seat, depth: int) -> Prospect:
        """Return the prospect of a position, searched `depth` choices deep; beyond that all chances are even."""
        rules = self._rules
        if (ended := rules.outcome(position)) is not None:
            drawn = float(not ended.winners)
            return Prospect(drawn, 1.0 if seat in ended.winners else drawn / 2, drawn)
        decision = rules.pending(position)
        if depth == 0 or decision is None:
            return Prospect(0.5, 0.5, _blocked_share(position) if self.game == "forza" else 0.5)
        prospect = self._prospects.get((position, depth))
        if prospect is None:
            choices = tuple(decision.choices)
            replies = choices if decision.seats[0] == seat else self._habits.likely(position, choices)
            after = [self._after(position, decision.seats[0], reply) for reply in replies]
            prospects = [self._prospect(next_position, seat, depth - 1) for next_position in after]
            if decision.seats[0] == seat:
                prospect = max(prospects, key=self._rank)
            else:
                worst = min(prospects, key=lambda way: way.safe)
                prospect = worst._replace(usually=sum(way.usually for way in prospects) / len(prospects))
            self._prospects[position, depth] = prospect
        return prospect

    # --- the verdict --------------------------------------------------------------------------------------------------

    def _note(self, record: Record) -> None:
        """Process a record of the monitor."""
        if isinstance(record, MessageRecord):
            beat = record.name in self._monitor.watcher.protocol.heartbeats
            self._last_name = record.name
            if record.side is Side.CLIENT:
                self._heartbeats += beat
            elif not beat:
                self._last_server_message = record.name
            line = ConversationLine(1, ">" if record.side is Side.CLIENT else "<", record.text[:MAX_MESSAGE_LENGTH])
            self._last_beat = (record.number, line) if beat else None
            if not beat:
                self._last = self.clock.now()
                self.recent_lines.append(line)
        elif isinstance(record, Closed):
            self._note_line(">" if record.side is Side.CLIENT else "<", "(the end of the connection)")
        elif (
            isinstance(record, findings.Finding)
            and record.side is Side.CLIENT
            and not (self.misbehaved or self._client_gone)
        ):
            if self._last_beat is not None and self._last_beat[0] == record.number and record.message:
                self.recent_lines.append(self._last_beat[1])
                self._last_beat = None
            self._breach(f"{record.rule}: {record.detail} ({record.section})", record.code, self._last_name)
            if sum(breach.count for breach in self.breaches) >= MAX_BREACHES:
                self._conclude()

    def _note_line(self, way: str, text: str) -> None:
        self.recent_lines.append(ConversationLine(1, way, text))

    @property
    def _over(self) -> bool:
        return self._table is not None and self._table.match.outcome is not None

    @property
    def _waits(self) -> bool:
        """Whether the client must wait for other players."""
        held = self._is_held and self._monitor.watcher.awaited is None
        return (
            held
            or (self._is_filling and not self._companions)
            or any(companion.thinks for companion in self._companions)
        )

    @property
    def _expected(self) -> str:
        """End of a sentence with the message that is expected of the client; empty if none is."""
        expected = self._monitor.watcher.expected
        return f"; expected {expected}" if expected is not None and expected.side is Side.CLIENT else ""

    def _breach(self, words: str, *cause: str) -> None:
        """Add a breach, or count a repeated one."""
        earlier = next((breach for breach in self.breaches if breach.cause == cause), None)
        if earlier is not None:
            earlier.count += 1
            return
        self.breaches.append(Breach(cause, words, conversation=tuple(self.recent_lines)))

    def _fail(self, why: str, *cause: str) -> None:
        """Add a breach and end the case."""
        if self.result is None:
            self._breach(why, *cause)
            self._conclude()

    def _conclude(self) -> None:
        """Set the result to a failure with all breaches."""
        self.missed = False
        self.result = self.failure(self.breaches)

    def failure(self, breaches: Sequence[Breach]) -> CheckResult:
        """Return a failure with these breaches, each with the last lines of the conversation before it."""
        conversations = [breach.conversation or self.breaches[0].conversation for breach in breaches]
        lines: list[str] = []
        for number, (breach, conversation) in enumerate(zip(breaches, conversations, strict=True)):
            excerpt = conversation[-(LATER_EXCERPT_LINES if number else EXCERPT_LINES) :]
            lines += [
                escaped(str(breach)),
                *(f"{line.connection} {line.way} {escaped(line.text)}" for line in excerpt),
            ]
        return CheckResult(
            self.case.name, self.case.section, Verdict.FAIL, "\n".join(lines),
            conversation=self._conversation(conversations[0]),
        )  # fmt: skip

    def _conversation(self, until: tuple[ConversationLine, ...]) -> tuple[ConversationLine, ...]:
        """Return the whole conversation, or the part `until` the breach if more than `LINES_AFTER` lines follow it."""
        recent = list(self.recent_lines)[-LINES_AFTER:]
        return tuple(self.recent_lines) if not until or any(line is until[-1] for line in recent) else until

    def _finish(self) -> None:
        """Set the result of a case that has run to its end: a pass if its goal was reached and nothing was broken."""
        results = [companion.result for companion in self._companions]
        reached = {
            Goal.LEFT: True,
            Goal.OVER: self._over,
            Goal.WON: bool(results) and all(result is Result.LOST for result in results),
            Goal.LOST: Result.WON in results,
            Goal.DRAWN: bool(results) and all(result is Result.DRAWN for result in results),
        }[self.case.goal]
        if self.case.trouble is not Trouble.NONE and not self.misbehaved:
            reached = False
        if not self._client_gone:
            self._monitor.close(Side.CLIENT, self.clock.now())  # reports an unfinished message
            if self.result is not None:
                return
        if self.breaches:
            self._conclude()
        elif reached:
            self.result = CheckResult(
                self.case.name, self.case.section, Verdict.PASS, conversation=tuple(self.recent_lines)
            )
        else:
            self._miss(f"the match did not reach the goal of the case: {self.case.does}")

    def _miss(self, why: str) -> None:
        """End the case: failed if there are breaches, otherwise not examined for the reason `why`."""
        if self.breaches:
            self._conclude()
            return
        self.missed = True
        self.result = CheckResult(
            self.case.name, self.case.section, Verdict.NOT_EXAMINED, why, conversation=tuple(self.recent_lines)
        )


def _blocked_share(position: forza.Position) -> float:
    """Return the share of all lines of four that neither player can complete; at 1 a draw is certain."""
    first, second = position.discs
    return sum(bool(line & first and line & second) for line in _FOURS) / len(_FOURS)


_FOURS: Final = tuple(
    sum(BITS[at + step * number] for number in range(4))
    for at in range(COLUMNS * ROWS)
    for step, right, down in ((1, 3, 0), (COLUMNS, 0, 3), (COLUMNS + 1, 3, 3), (COLUMNS - 1, -3, 3))
    if 0 <= at % COLUMNS + right < COLUMNS and at // COLUMNS + down < ROWS
)
"""All lines of four cells of Forza Quattro, as bit sets."""

_SPOILS: Final = (Trouble.UNKNOWN, Trouble.GARBAGE, Trouble.HALF)


def wire_of(dialect: Dialect) -> str:
    """Return the form of a dialect's messages: words, JSON with types or actions, frames, or objects."""
    json = f"{dialects.protocol(dialect.name).tag_field}s"
    return {Encoding.TEXT: "words", Encoding.JSON: json, Encoding.FRAMES: "frames"}.get(dialect.encoding, "objects")


UNKNOWN: Final = {
    "words": b"SURPRISE\n",
    "types": b'{"type":"SURPRISE","content":{}}\n',
    "actions": b'{"action":"surprise","data":{}}\n',
    "frames": encode_text(b'{"type":"surprise"}'),
    "objects": b"sr\x00\x10surprise.Unknown\x00\x00\x00\x00\x00\x00\x00\x01\x02\x00\x00xp",
}
GARBAGE: Final = {
    "words": b"\x01\x02\x03\xff\xfe\n",
    "types": b'{"type":\x01]\xff\n',
    "actions": b'{"action":\x01]\xff\n',
    "frames": encode_text(b'{"type":\x01]'),
    "objects": b"\x01\x02\x03\xff\xfe\x00\x00",
}


def _with_members(dialect: Dialect, data: bytes) -> bytes:
    """Add an unknown member to each JSON object, on lines or in frames."""
    if wire_of(dialect) != "frames":
        return b"".join(_with_member(line[:-1]) + line[-1:] for line in data.splitlines(keepends=True))
    decoder = (dialect.replies or dialect.decoder)()
    pieces = [(piece, decoder.feed(piece)) for piece, _ in WebSocketFramer().feed(data)]
    return b"".join(
        encode_text(_with_member(texts[0].encode())) if texts and isinstance(texts[0], str) else piece
        for piece, texts in pieces
    )


def _with_member(text: bytes) -> bytes:
    """Add an unknown member to a JSON object; return other text unchanged."""
    if not text.endswith(b"}"):
        return text
    return text[:-1] + (b"" if text == b"{}" else b",") + b'"boardwire":{"unknown":[1,null]}}'


def refused_replacement(dialect: Dialect, message: Any) -> Any:
    """Return a message that a server refuses in place of a client's, or None if it would accept any replacement."""
    match wire_of(dialect):
        case "words":
            return b"99"
        case "types":
            return None if b'"CHECK_ACTION"' in message else b'{"type":"SURPRISE"}'
        case "actions":
            return b'{"action":"playStep","data":{"x":99,"y":99}}' if b'"playStep"' in message else None
        case "frames":
            return '{"type":"act","seq":0,"action":"surprise"}' if '"act"' in str(message) else None
    if hasattr(message, "nickname"):
        return msgspec.structs.replace(message, nickname="another player")
    if isinstance(message, ConsolidateMove | ConsolidateBuild):
        return msgspec.structs.replace(message, new_position=Position(9, 9, 9))
    return None
