"""Reconstruct the conversation of one seat of a stored match, in any dialect of its game.

The scripts of both ends of the dialect run again, and their messages are the conversation. The server's script gets the
stored events instead of those of a table, and the client's player repeats the choices of the seat.

- The journal has no messages, so their times are assumed: the client connects when its player took the seat, requests
  that seat at once, and finishes each answer before the next event.
- The clock does not advance during an exchange, so no timer fires: there are no heartbeats.
- All events of one command are in one notification, as from a table. Events belong to one command if one follows from
  the other and both have the same time.
- A player of another dialect sends its name when this dialect asks for it.
- Of two messages with the same effect the simpler one is used; refused requests do not occur.
- If the dialect orders the choices of a turn differently and the result is the same, its order is used.
- Secrets (a token, the code of a private table) are replaced by stars.
- The conversation stops at an action that the dialect cannot express; `stop` and `stopped` give the reason.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from boardwire import dialects
from boardwire.api.conversations import EncodedConversation, Stop
from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Monitor, Opened, Record
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over
from boardwire.errors import BoardwireError, Refused, either
from boardwire.games.eriantys.options import default_towers
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import DONE, USE, Build
from boardwire.games.santorini.edits import level
from boardwire.lobby import requests
from boardwire.net.client_upgrade import with_upgrade
from boardwire.net.upgrade import switch
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient, SimulatedConnection
from boardwire.table import commands as ask
from boardwire.table import events as table_events
from boardwire.table import guest as notifications
from boardwire.table.decide import decide
from boardwire.table.events import Event
from boardwire.table.guest import Guest, Notification
from boardwire.table.match import Match, Moment, replay_events, split_opening
from boardwire.table.ports import Check, never_stop

HOST: Final = "127.0.0.1"
"""Host of the simulated server."""

SECRET: Final = "*" * 8
MAX_SEAT_REQUESTS: Final = 50
"""Limit of the requests for a seat, or for a name, before the reconstruction stops."""

_SAME_STEP: Final = (
    table_events.Ended,
    table_events.Undone,
    table_events.Substituted,
    table_events.Skipped,
    table_events.TimedOut,
)
"""Events that may follow from the event before; chance events and the start always do."""

_TURN_ENDS: Final = (table_events.Undone, table_events.Skipped, table_events.Ended)
"""Events that end a turn, besides actions of another seat."""

TOP_LEVEL: Final = 3
"""The level of Santorini on which a dome is the only building."""

_KIND_OF_TURN: Final = (USE, DONE)
"""Question of some Santorini clients before a turn: with the power, or without."""

_ASKED_BY: Final[dict[type, type]] = {
    table_events.Acted: ask.Act,
    table_events.Chatted: ask.Chat,
    table_events.Resigned: ask.Resign,
    table_events.UndoOffered: ask.OfferUndo,
    table_events.UndoAgreed: ask.AnswerUndo,
    table_events.UndoDeclined: ask.AnswerUndo,
    table_events.DrawOffered: ask.Draw,
    table_events.DrawAgreed: ask.Draw,
    table_events.DrawDeclined: ask.Draw,
}
"""The player's command that leads to an event."""

_AGREE: Final = (table_events.UndoAgreed, table_events.DrawOffered, table_events.DrawAgreed)
"""Events whose command has `agree` set."""

T = TypeVar("T")


class ExchangeLine(msgspec.Struct, frozen=True):
    """A record of the conversation, with the number and name of its event."""

    seq: int
    event: str
    record: Record


class StoredConversation(msgspec.Struct, frozen=True):
    """A conversation; if it ends before the match, `stop` is the reason and `stopped` the sentence for it."""

    lines: tuple[ExchangeLine, ...]
    stop: Stop | None = None
    stopped: str = ""

    @property
    def records(self) -> tuple[Record, ...]:
        """The records without event numbers."""
        return tuple(line.record for line in self.lines)

    def fields(self) -> Iterator[dict[str, Any]]:
        """Return the lines as the objects of `--json`."""
        return ({"seq": line.seq, "table": line.event, **line.record.fields()} for line in self.lines)


def dialects_of(game: str) -> tuple[str, ...]:
    """Return the dialects of a game."""
    return tuple(name for name in dialects.DIALECT_PACKAGES if dialects.dialect(name).game in ("", game))


def reconstruct(
    events: Sequence[Event], dialect: str, seat: Seat, to: int | None = None, check: Check = never_stop
) -> StoredConversation:
    """Return the conversation of a client of `dialect` at `seat` up to event number `to`.

    Raise `Refused` if the dialect cannot have this match. The cost is linear in the number of events; `check` is called
    between them and may raise an exception to end the reconstruction.
    """
    client_dialect = dialects.dialect(dialect)
    match, _ = split_opening(events)
    game, seats = match.setting.game.name, len(match.chairs)
    if client_dialect.game not in ("", game):
        raise Refused(f"{dialect} is not a dialect of {game}; the dialects are {', '.join(dialects_of(game))}")
    if not 0 <= seat < seats:
        raise Refused(f"there is no seat {seat} in this match; its seats are 0 to {seats - 1}")
    if client_dialect.players and seats not in client_dialect.players:
        raise Refused(f"{dialect} supports {either(client_dialect.players)} players, but this match has {seats}")
    last = len(events) if to is None else to
    reconstruction = Reconstruction(_as_unrated(events), client_dialect, seat, check)
    stops = reconstruction.run(last)
    return StoredConversation(tuple([line for line in reconstruction.lines if line.seq <= last]), *stops)


def _as_unrated(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events as those of an unrated match, because the players of a reconstruction have no accounts."""
    opening = events[0]
    if not isinstance(opening, table_events.Opened) or opening.policy.rated is not True:
        return events
    policy = msgspec.structs.replace(opening.policy, rated=msgspec.UNSET)
    return [msgspec.structs.replace(opening, policy=policy), *events[1:]]


class StoredConversations:
    """Reconstructed conversations for the HTTP API (`boardwire.api.conversations`)."""

    def dialects(self, game: str) -> tuple[str, ...]:
        """Return the dialects of a game."""
        return dialects_of(game)

    def reconstruct(
        self, events: Sequence[Event], dialect: str, seat: Seat, to: int, check: Check = never_stop
    ) -> EncodedConversation:
        """Return a conversation as the HTTP API sends it."""
        conversation = reconstruct(events, dialect, seat, to, check)
        entries = tuple(map(msgspec.json.encode, _check_each(conversation.fields(), check)))
        return EncodedConversation(entries, conversation.stop, conversation.stopped)


def _check_each(items: Iterable[T], check: Check) -> Iterator[T]:
    """Yield the items, and call `check` before each."""
    for item in items:
        check()
        yield item


class _Choice(NamedTuple):
    """A choice of the player: its index in the remaining events, the match before it, and the action."""

    at: int
    before: Match
    action: Any


class _Stopped(Exception):
    """End of the conversation, with a `Stop` and a sentence."""


class Reconstruction:
    """Reconstruction of one conversation, in the role of lobby and table for the server's script."""

    def __init__(self, events: Sequence[Event], dialect: Dialect, seat: Seat, check: Check) -> None:
        self.lines: list[ExchangeLine] = []
        self.clock = ManualClock()
        self.lobby = self
        self._dialect = dialect
        self._seat = seat
        self._caller_check = check
        self._interruption: BaseException | None = None
        """The exception that `check` raised."""
        self._match, rest = split_opening(map(_without_secrets, _check_each(events, check)))
        self._remaining = deque(enumerate(rest, 2))
        self._kinds = [type(event).__name__.lower() for event in _check_each(events, check)]
        self._start = events[0].at
        self._number = 1
        self._at = 0.0
        self._arrival = _arrival(_check_each(events, check), seat)
        self._last_return = max(
            (number for number, event in _check_each(self._remaining, check) if _is_return_to(event, seat)), default=0
        )
        """Number of the event of the player's last return, or 0 if there is none."""
        self._name = _name(_check_each(events, check), seat)
        self._has_seat = False
        self._returns = False
        """Whether the client connects to return to its seat."""
        self._refusal = ""
        """End of a sentence with the reason of the last refusal, or ''."""
        self._settings = _settings(_check_each(events, check), dialect, seat, self._opens_table)
        self._seat_request: requests.Seek | requests.Enter | requests.Resume | requests.Reclaim | None = None
        """The script's open request for a seat."""
        self._requests: list[Any] = []
        """Unanswered requests of the script to the table."""
        self._question: Ask | None = None
        self._answered = 0
        """Number of stored choices ahead that the client has received already."""
        self._player_saw_end = False
        """Whether the client has notified its player of the end."""
        self._pair: _Pair | None = None
        self._connections = 0

    @property
    def _opens_table(self) -> bool:
        """Whether the player took a seat first, and therefore opened the table."""
        first = next((event.seat for _, event in self._remaining if isinstance(event, table_events.Joined)), self._seat)
        return first == self._seat

    def run(self, last: int) -> tuple[Stop, str] | tuple[()]:
        """Replay the events up to number `last`; return the reason and its sentence if the conversation ends before."""
        continues = True
        while continues and self._remaining and self._remaining[0][0] <= last:
            self._check()
            try:
                continues = self._replay_next()
            except _Stopped as reason:
                stop, words = reason.args
                return stop, words
            except Exception as error:
                if error is self._interruption:
                    raise
                words = f"{self._dialect.name} fails at event {self._number}: {str(error) or type(error).__name__}"
                raise Refused(words) from error
        return ()

    def _check(self) -> None:
        try:
            self._caller_check()
        except BaseException as interruption:
            self._interruption = interruption
            raise

    def _replay_next(self) -> bool:
        """Replay the next event; return whether the conversation continues."""
        self._number, event = self._remaining[0]
        self._at = max(self._at, event.at - self._start)
        if self._pair is None:
            if self._number == self._arrival or (isinstance(event, table_events.Returned) and self._is_return(event)):
                self._connect()
            else:
                self._apply_next()
            return True
        is_own = getattr(event, "seat", None) == self._seat
        if is_own and isinstance(event, table_events.Acted):
            if not self._act():
                return False
        elif is_own and isinstance(event, table_events.Left):
            self._disconnect(Side.SERVER if event.restart else Side.CLIENT)
            return self._last_return > self._number
        elif is_own and isinstance(event, table_events.Readied):
            self._send_name()
        elif is_own and type(event) in _ASKED_BY:
            self._volunteer(event)
        elif isinstance(event, table_events.Undone) and any(
            isinstance(request, ask.AnswerUndo) for request in self._requests
        ):
            raise _Stopped(
                Stop.UNSPOKEN, f"event {self._number} undoes a step, which {self._dialect.name} cannot express"
            )
        else:
            if isinstance(event, table_events.UndoDeclined):
                self._pop_request(ask.AnswerUndo)  # the player's own answer was too late
            elif isinstance(event, table_events.Acted):
                self._pop_request(ask.Draw)  # too late as well: the move has ended the offer
            self._notify(self._apply_step())
        self._carry()
        return self._is_connected()

    def _is_connected(self) -> bool:
        """Return whether the connection is open; raise `_Stopped` if it ended before the match."""
        if self._pair is not None and self._pair.over and self._match.outcome is None and not self._player_saw_end:
            raise _Stopped(Stop.ENDS, f"{self._dialect.name} ends the conversation at event {self._number}")
        return self._pair is not None and not self._pair.over

    # --- the stored match -----------------------------------------------------------------------------------------

    def _apply_next(self) -> Moment:
        """Apply the next event."""
        self._number, event = self._remaining.popleft()
        return self._apply(event)

    def _apply(self, event: Event) -> Moment:
        self._at = max(self._at, event.at - self._start)
        moment = next(iter(replay_events(self._match, (event,))))
        self._match = moment.match
        return moment

    def _apply_step(self, *first: Moment) -> tuple[Moment, ...]:
        """Apply the next event and all that follow from the same command."""
        moments = list(first) or [self._apply_next()]
        while self._remaining and self._follows(moments[-1].event, self._remaining[0][1]):
            moments.append(self._apply_next())
        return tuple(moments)

    def _follows(self, before: Event, event: Event) -> bool:
        if isinstance(event, table_events.Dealt | table_events.Started):
            return True
        if isinstance(event, table_events.Acted):  # the player's own actions follow its client's requests
            several = isinstance(before, table_events.Acted) and before.seat == event.seat != self._seat
            return several and before.at == event.at
        return isinstance(event, _SAME_STEP) and before.at == event.at

    def _notify(self, moments: tuple[Moment, ...]) -> None:
        if self._pair is not None:
            self._pair.tell(notifications.Step(moments))

    # --- seat ----------------------------------------------------------------------------------------------------

    def _is_return(self, event: table_events.Returned) -> bool:
        self._returns = self._has_seat and event.seat == self._seat
        return self._returns

    def _connect(self) -> None:
        """Connect a client, which takes the seat or returns to it."""
        self._connections += 1
        name = self._name
        options = ClientOptions(name, len(self._match.chairs), self._settings)
        self._pair = _Pair(self, self._dialect, options, self._connections)
        for _ in range(MAX_SEAT_REQUESTS):
            self._carry()
            request, self._seat_request = self._seat_request, None
            if request is None:
                break
            try:
                self._take_seat(request)
            except BoardwireError as reason:
                self._refuse(request, reason)
                continue
            self._has_seat = True
            self._carry()
            return
        verb = "return to" if self._returns else "take"
        raise _Stopped(Stop.BARRED, f"{self._dialect.name} clients cannot {verb} a seat at this table{self._refusal}")

    def _take_seat(self, request: requests.Seek | requests.Enter | requests.Resume | requests.Reclaim) -> None:
        """Grant a request for a seat; raise `BoardwireError` for one that cannot lead to the stored seat."""
        if self._returns:
            if isinstance(request, requests.Enter) or (isinstance(request, requests.Seek) and not request.returns):
                raise Refused("the match has already begun")
        elif isinstance(request, requests.Seek | requests.Enter):
            join = ask.Join(request.player, self._seat, request.wish, request.ready)
            joined = decide(self._match, join, self._remaining[0][1].at)[0].event
            self._remaining[0] = (self._number, joined)
            self._align_readiness(request.ready, request.player)
        moments = self._apply_step()
        if self._pair is not None:
            self._pair.tell(notifications.Seated(self._match, self._seat))
        self._notify(moments)

    def _align_readiness(self, ready: bool, player: table_events.Player) -> None:
        """Move the player's readiness to the time at which its dialect sends it: at once, or before the start."""
        events = enumerate(_check_each(self._remaining, self._check))
        own = [at for at, (_, event) in events if _is_ready(event, self._seat)]
        start = next(
            (at for at, (_, event) in enumerate(self._remaining) if isinstance(event, table_events.Started)), None
        )
        if ready:
            for at in reversed(own):
                del self._remaining[at]
        elif not own and start is not None:
            number, started = self._remaining[start]
            self._remaining.insert(start, (number, table_events.Readied(started.at, self._seat, player)))

    def _send_name(self) -> None:
        """Send the player's name, again if it was refused."""
        for _ in range(MAX_SEAT_REQUESTS):
            request = self._pop_request(ask.Ready)
            if (
                request is None
                and len(self._remaining) > 1
                and not isinstance(self._remaining[1][1], table_events.Started)
            ):
                # the dialect asks later: swap the two events, not their numbers
                (number, event), (next_number, next_event) = self._remaining.popleft(), self._remaining.popleft()
                self._remaining.extendleft(((next_number, event), (number, next_event)))
                return
            if request is None:
                break
            try:
                event = decide(self._match, request, self._remaining[0][1].at)[0].event
            except BoardwireError as reason:
                self._refuse(request, reason)
                self._carry()
                continue
            self._remaining[0] = (self._remaining[0][0], event)
            self._notify(self._apply_step())
            return
        raise _Stopped(
            Stop.BARRED, f"{self._dialect.name} clients cannot send their names at this table{self._refusal}"
        )

    def _refuse(self, request: Any, reason: BoardwireError) -> None:
        self._refusal = f": {reason}"
        if self._pair is not None:
            self._pair.tell(notifications.Refusal(request, reason.without_frames()))

    def _disconnect(self, side: Side) -> None:
        """End the connection during the match."""
        self._apply_next()
        if self._pair is not None:
            self._pair.end(side)
        self._pair = None
        self._question = None
        self._requests.clear()

    # --- actions of the player ------------------------------------------------------------------------------------

    def _pop_request(self, kind: type) -> Any:
        """Remove and return the script's first request of this type, or None."""
        request = next((request for request in self._requests if type(request) is kind), None)
        if request is not None:
            self._requests.remove(request)
        return request

    def _act(self) -> bool:
        """Apply the choices of the client's next act; return False if some of them are not stored yet."""
        while (act := self._pop_request(ask.Act)) is None:
            if not self._answer():
                return False
        self._reorder_turn(act.actions)
        moments: list[Moment] = []
        actions: list[Any] = []
        while len(actions) < len(act.actions) and self._remaining:
            moments.append(self._apply_next())
            event = moments[-1].event
            if isinstance(event, table_events.Acted) and event.seat == self._seat:
                actions.append(event.action)
        if tuple(actions) != act.actions:
            self._stop_unspoken(actions[0], f"; it sends {_action_text(act.actions[0])}")
        self._answered = max(0, self._answered - len(actions))
        self._notify(self._apply_step(*moments))
        return True

    def _choices(self) -> Iterator[_Choice]:
        """Yield the player's remaining choices."""
        return self._choices_in(event for _, event in self._remaining)

    def _turn_choices(self) -> list[_Choice]:
        """Return the player's choices before another player's action, and before an undo.

        The search must stop at an undo: it runs for each choice of a turn, and a player who repeatedly acts and undoes
        is in one turn for the whole match, which made the cost quadratic.
        """
        rest = (event for _, event in self._remaining)
        return list(self._choices_in(takewhile(self._is_in_turn, rest)))

    def _is_in_turn(self, event: Event) -> bool:
        if isinstance(event, table_events.Acted):
            return event.seat == self._seat
        return not isinstance(event, _TURN_ENDS)

    def _choices_in(self, events: Iterable[Event]) -> Iterator[_Choice]:
        match = self._match
        for at, moment in enumerate(replay_events(match, _check_each(events, self._check))):
            event = moment.event
            if isinstance(event, table_events.Acted) and event.seat == self._seat:
                yield _Choice(at, match, event.action)
            match = moment.match

    def _answer(self) -> bool:
        """Answer the client's question; return False if the answer is not stored yet."""
        question, self._question = self._question, None
        choices = () if question is None else tuple(question.decision.choices)
        if choices == _KIND_OF_TURN:
            self._send_choice(DONE if _is_plain(self._turn_choices()) else USE)
            return True
        first: Any = None
        for stored_choice in islice(self._choices(), self._answered, None):
            first = stored_choice.action if first is None else first
            pending = stored_choice.before.pending
            game = () if pending is None else tuple(pending.choices)
            choice = _client_choice(stored_choice.action, choices, game)
            if choice is not None:
                self._answered += 1
                self._send_choice(choice)
                return True
            if DONE in choices and DONE not in game:
                self._send_choice(DONE)  # the dialect has separate questions for choices that the game offers together
                return True
            if len(choices) == 1 and choices[0] not in game:
                self._send_choice(choices[0])  # the dialect has a question that the game does not have
                return True
            if len(game) != 1:
                break
            self._answered += 1  # the client may send a single choice without a question
        if first is None and not isinstance(self._remaining[-1][1], table_events.Ended):
            return False
        self._stop_unspoken(next(self._choices()).action)
        return False

    def _send_choice(self, choice: Any) -> None:
        if self._pair is not None:
            self._pair.answer(choice)
        self._carry()

    def _reorder_turn(self, actions: tuple[Any, ...]) -> None:
        """Move these choices to the start of the turn, the dialect's order, if the result is the same."""
        turn = self._turn_choices()
        order = [choice.action for choice in turn]
        if tuple(order[: len(actions)]) == actions:
            return
        later = list(order)
        for action in actions:
            if action not in later:
                return
            later.remove(action)
        events = [self._remaining[choice.at][1] for choice in turn]
        moved = [replace(event, action=action) for event, action in zip(events, (*actions, *later), strict=True)]
        try:
            is_equivalent = _after(self._match, moved) == _after(self._match, events)
        except BoardwireError:
            return  # the dialect's order is illegal here: keep the recorded one
        for choice, event in zip(turn, moved if is_equivalent else (), strict=is_equivalent):
            self._remaining[choice.at] = (self._remaining[choice.at][0], event)

    def _stop_unspoken(self, action: Any, instead: str = "") -> None:
        choice = f"at event {self._number} seat {self._seat} chose {_action_text(action)}"
        raise _Stopped(Stop.UNSPOKEN, f"{choice}; {self._dialect.name} cannot express it{instead}")

    def _volunteer(self, event: Event) -> None:
        """Send the client's message for an event that answers no question: chat, resignation, undo."""
        kind = _ASKED_BY[type(event)]
        if not any(type(request) is kind for request in self._requests) and self._pair is not None:
            self._pair.say(event)
            self._carry()
        request = self._pop_request(kind)
        if request is not None and getattr(request, "agree", None) in (None, isinstance(event, _AGREE)):
            self._notify(self._apply_step())
        elif isinstance(event, table_events.Chatted):
            self._apply_next()  # the dialect has no chat
        else:
            name = type(event).__name__.lower()
            raise _Stopped(
                Stop.UNSPOKEN, f"event {self._number} is {name!r}, which {self._dialect.name} cannot express"
            )

    # --- requests of the server's script------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Any) -> None:
        """Answer a request of the server's script as a lobby that has only this match."""
        match request:
            case requests.Claim(name=name):
                guest.tell(notifications.Claimed(name))
            case requests.Introduce():
                held_seats = ((self._match, self._seat),) if self._returns else ()
                guest.tell(notifications.Introduced(request.token or SECRET * 4, SECRET, held_seats))
            case requests.Survey():
                waiting = (self._match,) if any(self._match.players) else ()
                guest.tell(notifications.Surveyed(waiting))
            case requests.Attend():
                guest.tell(notifications.Watching(self._match) if any(self._match.players) else notifications.NoTable())
            case requests.Open():
                guest.tell(notifications.Watching(self._match))
            case requests.Reclaim() if not self._returns:
                guest.tell(notifications.NotHeld())
            case requests.Seek() | requests.Enter() | requests.Resume() | requests.Reclaim():
                self._seat_request = request
            case requests.Decline(reason=reason):
                guest.tell(notifications.Refusal(request, reason))
            case requests.Depart() | requests.Unclaim() | requests.Rematch() | requests.Watch():
                pass
            case _:
                self._requests.append(request)

    def disconnected(self, guest: Guest) -> None:
        """Ignore the end of a connection (`boardwire.lobby.lobby.Lobby`)."""

    # --- between the scripts --------------------------------------------------------------------------------------

    def receive(self, client: SimulatedClient, notification: Any) -> None:
        """Handle a notification of the client to its player."""
        if isinstance(notification, Ask):
            self._question = notification
        self._player_saw_end = isinstance(notification, Over)

    def note(self, record: Record) -> None:
        """Add a record."""
        self.lines.append(ExchangeLine(self._number, self._kinds[self._number - 1], record))

    def _carry(self) -> None:
        if self._pair is not None:
            self._pair.carry(self._at)


class _Pair:
    """Server and client script of one connection, with a monitor between them."""

    def __init__(self, reconstruction: Reconstruction, dialect: Dialect, options: ClientOptions, number: int) -> None:
        client_dialect = with_upgrade(dialect, HOST, dialect.port, bytes) if not dialect.game else dialect
        self._dialect = client_dialect
        self._opening = bool(client_dialect.greeting) and client_dialect is not dialect
        """Whether the client's WebSocket request is still to come."""
        at = reconstruction._at
        self._at = at
        reconstruction.note(Opened(connection=number, at=at, dialect=dialect.name))
        self._monitor = Monitor(dialect.name, WatcherGroup(), number, reconstruction.note)
        self._monitor.start(at)
        self._ended: set[Side] = set()
        self._peer = SimulatedConnection(reconstruction, dialect)
        self._client = SimulatedClient(client_dialect, reconstruction.receive, options, reconstruction.clock)

    @property
    def over(self) -> bool:
        """Whether both ends have closed."""
        return self._client.closed and self._peer.closed

    def tell(self, notification: Notification) -> None:
        """Notify the server's script."""
        self._peer.talk.tell(notification)

    def answer(self, action: Any) -> None:
        """Pass the player's choice to the client's script."""
        self._client.talk.tell(Answer(action))

    def say(self, event: Event) -> None:
        """Send the client's message for an event that answers no question, if the dialect has one."""
        if self._dialect.aside is not None:
            self._client.write(self._dialect.aside(event))

    def carry(self, at: float) -> None:
        """Exchange bytes until both sides are silent or closed."""
        self._at = at
        peer, client = self._peer, self._client
        busy = True
        while busy:
            server_data, client_data = peer.take(), b""
            if server_data:
                self._monitor.receive(Side.SERVER, server_data, at)
                client.receive(server_data)
            elif client_data := client.take():
                self._monitor.receive(Side.CLIENT, client_data, at)
                self._receive_from_client(client_data)
            busy = bool(server_data or client_data)
        if peer.closed:
            self._note_end(Side.SERVER)
            client.lose()
        if client.closed:
            self._note_end(Side.CLIENT)
            peer.drop()
            self._note_end(Side.SERVER)

    def _note_end(self, side: Side) -> None:
        if side not in self._ended:
            self._ended.add(side)
            self._monitor.close(side, self._at)

    def _receive_from_client(self, data: bytes) -> None:
        if self._opening:
            self._opening = False
            head, _, data = data.partition(b"\r\n\r\n")
            answer = switch(head)
            self._monitor.receive(Side.SERVER, answer, self._at)
            self._client.receive(answer)
        self._peer.send(data)

    def end(self, side: Side) -> None:
        """Close the connection from one side."""
        self._note_end(side)
        self._note_end(side.other)
        self._peer.drop()


def _arrival(events: Iterable[Event], seat: Seat) -> int:
    """Return the number of the event that seated the player who had the seat at the start."""
    arrival = 0
    for number, event in enumerate(events, 1):
        if isinstance(event, table_events.Started):
            break
        if isinstance(event, table_events.Joined) and event.seat == seat:
            arrival = number
    return arrival


def _client_choice(action: Any, choices: tuple[Any, ...], game: tuple[Any, ...]) -> Any:
    """Return the client's choice for an action, or None if it has none.

    A client that gets only the remaining options renumbers them: there are as many as the game's, in the same order.
    """
    kind = type(action)
    theirs = [choice for choice in choices if type(choice) is kind]
    ours = [choice for choice in game if type(choice) is kind]
    if len(theirs) == len(ours) and set(theirs) != set(ours) and action in ours:
        return theirs[ours.index(action)]
    return action if action in theirs else None


def _is_plain(turn: Sequence[_Choice]) -> bool:
    """Return whether a Santorini turn needs no power: the move precedes all builds, and domes are only on level 3."""
    builds = [(choice.before.position, choice.action) for choice in turn if isinstance(choice.action, Build)]
    domes_on_top = all(not build.dome or level(position, build.at) == TOP_LEVEL for position, build in builds)
    return not isinstance(turn[0].action, Build) and domes_on_top


def _after(match: Match, events: Sequence[Event]) -> Any:
    """Return the position after events."""
    for moment in replay_events(match, events):
        match = moment.match
    return match.position


def _is_return_to(event: Event, seat: Seat) -> bool:
    return isinstance(event, table_events.Returned) and event.seat == seat


def _is_ready(event: Event, seat: Seat) -> bool:
    return isinstance(event, table_events.Readied) and event.seat == seat


def _name(events: Iterable[Event], seat: Seat) -> str:
    """Return the player's name at the start of the match, or one with the number of its seat."""
    name = ""
    for event in events:
        if isinstance(event, table_events.Started):
            break
        if isinstance(event, table_events.Joined | table_events.Readied) and event.seat == seat:
            name = event.player.name
    return name or f"player{seat + 1}"


def _settings(events: Iterable[Event], dialect: Dialect, seat: Seat, opens: bool) -> dict[str, str]:
    """Return the client settings that request the table and seat of the match."""
    match, rest = split_opening(events)
    options = match.setting.options
    for moment in replay_events(match, rest):
        if isinstance(moment.event, table_events.Started):
            options = moment.match.setting.options
            break
    settings: dict[str, str] = {}
    if "mode" in dialect.settings:
        settings["mode"] = options.mode
    if "tower" in dialect.settings:
        settings["tower"] = (options.towers or default_towers(len(match.chairs)))[seat]
    if "game" in dialect.settings:
        settings["game"] = match.setting.game.name
        if match.setting.code and opens:
            settings["private"] = "yes"
        elif match.setting.code:
            settings |= {"match": match.id, "code": SECRET}
    return settings


def _without_secrets(event: Event) -> Event:
    """Return an event with the table's code or the player's key replaced."""
    match event:
        case table_events.Opened(code=code) if code:
            return replace(event, code=SECRET)
        case (
            table_events.Joined(player=player)
            | table_events.Readied(player=player)
            | table_events.Substituted(player=player)
        ) if player.key:
            return replace(event, player=replace(player, key=SECRET))
    return event


def _action_text(action: Any) -> str:
    return str(action) if isinstance(action, int | str) else msgspec.json.encode(action).decode()
