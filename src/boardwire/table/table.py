"""The actor around a match: command -> decide -> append -> evolve -> publish.

- One command at a time. While its events are being stored, later commands wait in the inbox.
- **Nothing is published before it is durable.**  If the process is killed at any moment, nothing that a guest has seen
  is lost.
- There is no task: the inbox is drained in the call that filled it, or in the journal's callback.
- Chance decisions are dealt at once, as part of the same step.
- A guest that has left receives nothing more; the policy decides the effect of its departure (`decide.py`).
- **A fault in the rules ends the match, not the connection.**  An unexpected exception of a game or the dealer is
  reported, and the match is aborted, so that it cannot fail again after a restart.
- If the journal cannot store a command, its guest is refused and the table continues. The table itself retries what a
  guest would not repeat: departures, time-outs, closing.
- If another process has written to the match, that process owns it. The table publishes nothing, steps down, refuses
  all later commands and closes the conversations of its guests.
- Waiting guests may move to another table. Their table pauses until they are seated there or refused, so that no guest
  ever sits at two tables, and a guest that cannot move has never left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias, final

from msgspec.structs import replace

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import CHANCE, Seat
from boardwire.table.commands import Act, Chat, Close, Command, Deal, Join, Leave, Ready, Return, TimeOut
from boardwire.table.counters import counters_of
from boardwire.table.decide import deadline, decide
from boardwire.table.events import Event, Joined, Left, Substituted
from boardwire.table.guest import Audience, Displaced, Guest, Refusal, Seated, Step, Watching
from boardwire.table.handover import Handover, superseded_error
from boardwire.table.match import Match, Moment, Status
from boardwire.table.ports import (
    AppendResult,
    Bots,
    Clock,
    Dealer,
    Journal,
    NoObserver,
    ReportFault,
    TableObserver,
    Timer,
    no_report,
)
from boardwire.table.termination import Termination


class _Departure:
    """Inbox entry for the departure of a guest; its seat is looked up when the entry is handled."""


@final
class _Call:
    """Inbox entry for a call."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call


@final
class _Opening:
    """Inbox entry that stores the opening unless it is already stored."""


_DEPARTURE: Final = _Departure()
_OPENING: Final = _Opening()
_Entry: TypeAlias = Command | _Departure | _Call | _Opening
_WAITING: Final = Status.WAITING
_PLAYING: Final = Status.PLAYING
_STORED: Final = AppendResult.STORED

APPEND_RETRY_SECONDS: Final = 1.0
"""Pause before a failed append is retried."""

AUDIENCE_SECONDS: Final = 0.5
"""Time for which changes of the audience are combined into one notification."""
MAX_AUDIENCE_NAMES: Final = 50
"""Maximum number of spectators that a notification names."""


class Table:
    """A match with its guests. Changes are reported to its observer, the lobby."""

    __slots__ = (
        "_arriving", "_bots", "_clock", "_clocked", "_counting", "_dealer", "_guests", "_inbox",
        "_journal", "_observer", "_report", "_seats", "_storing", "_tally", "_timed", "_timer", "_unsaved", "_working",
        "audience", "held", "match", "superseded",
    )  # fmt: skip

    def __init__(
        self,
        match: Match,
        journal: Journal,
        clock: Clock,
        dealer: Dealer,
        bots: Bots,
        *,
        opening: Event | None = None,
        observer: TableObserver | None = None,
        report: ReportFault = no_report,
    ) -> None:
        self.match = match
        self.held = False
        """Whether guests are moving to another table and the inbox is paused."""
        self.superseded = False
        """Whether another process has taken over the match, so that all commands are refused."""
        self._observer = NoObserver() if observer is None else observer
        self._journal = journal
        self._clock = clock
        self._dealer = dealer
        self._bots = bots
        self._report = report
        self._unsaved = () if opening is None else (opening,)
        self._guests: list[Guest] = []
        self._seats: dict[Guest, Seat] = {}
        self._inbox: deque[tuple[Guest | None, _Entry]] = deque()
        self._storing: tuple[Guest | None, _Entry, tuple[Moment, ...]] | None = None
        self._working = False
        self._arriving: dict[Guest | None, Callable[[bool], None]] = {}
        """Guests that move here from another table, with a callback for whether they have been seated."""
        self._tally = counters_of(match.setting.game.name)
        policy = match.setting.policy
        self._clocked = bool(policy.per_move or policy.bank)
        self._timed = bool(policy.grace or policy.countdown or policy.hold)
        self._timer: Timer | None = None
        self.audience = 0
        """Number of spectators in the last notification."""
        self._counting = False
        """Whether a notification of the audience is scheduled."""

    def seat_of(self, guest: Guest) -> Seat | None:
        """Return the seat of a guest, or None for a spectator."""
        return self._seats.get(guest)

    @property
    def guests(self) -> tuple[Guest, ...]:
        return tuple(self._guests)

    @property
    def ends(self) -> bool:
        """Whether the match is over, or will be when the pending events are durable."""
        if self.superseded:
            return True
        match = self.match if self._storing is None or not self._storing[2] else self._storing[2][-1].match
        return match.status is Status.OVER

    def is_left(self, seat: Seat) -> bool:
        """Return whether the player has left `seat` (even if that is not stored yet) and can return.

        The match must be in play, and the seat must still take part in it.
        """
        match = self.match
        if match.status is not Status.PLAYING or not match.setting.policy.resumes or self.ends:
            return False
        return not any(self._seats.get(guest) == seat for guest in self._guests) and self.is_in_play(seat)

    def is_in_play(self, seat: Seat) -> bool:
        """Return whether `seat` still takes part in the match."""
        match = self.match
        try:
            return any(seat in side for side in match.setting.game.sides(match.position))
        except Exception as error:  # noqa: BLE001 - a fault in the rules ends this match alone
            self._abort_match(error)
            return False

    @property
    def is_stored(self) -> bool:
        """Whether the opening is stored or about to be."""
        pending = self._storing is not None or any(command is _OPENING for _, command in self._inbox)
        return pending or not self._unsaved

    @property
    def idle(self) -> bool:
        """Whether the table is idle: no command is waiting or being handled."""
        return self._storing is None and not self._working and not self._inbox

    def expects(self, guest: Guest) -> bool:
        """Return whether a request of `guest` for a seat is pending."""
        entries = list(self._inbox) if self._storing is None else [self._storing[:2], *self._inbox]
        return any(sender is guest and isinstance(command, Join | Return) for sender, command in entries)

    def do(self, guest: Guest | None, command: _Entry) -> None:
        """Handle a command. The answer is a notification: a step, or a refusal to this guest only."""
        self._inbox.append((guest, command))
        if self._storing is None and not self._working:
            self._process_inbox()

    def watch(self, guest: Guest) -> None:
        """Let a guest watch the match without a seat."""
        guest.table = self
        if guest not in self._guests:
            self._guests.append(guest)
        guest.tell(Watching(self.match))
        self._audience_changed()

    def leave(self, guest: Guest) -> None:
        """Remove a guest, which receives nothing more, and give up its seat."""
        guest.table = None
        if guest in self._guests:
            self._guests.remove(guest)
        self._audience_changed()
        self.do(guest, _DEPARTURE)

    # --- from one table to another ------------------------------------------------------------------------------------

    def hold(self, guests: Sequence[Guest]) -> None:
        """Pause until `release`, because these guests move to another table."""
        self.held = self._working = True
        for guest in guests:
            self._guests.remove(guest)

    def receive(self, guest: Guest, join: Join, done: Callable[[bool], None]) -> None:
        """Seat a guest that moves here from another table; `done` is called with whether it is seated."""
        guest.table = self
        self._arriving[guest] = done
        self.do(guest, join)

    def recall(self, guest: Guest) -> list[tuple[Guest | None, _Entry]]:
        """Remove and return the pending commands of a guest, up to its departure.

        Later ones belong to a new visit of the guest, which stays here.
        """
        entries: list[tuple[Guest | None, _Entry]] = []
        for entry in tuple(self._inbox):
            if entry[0] is guest:
                entries.append(entry)
                self._inbox.remove(entry)
                if entry[1] is _DEPARTURE:
                    break
        return entries

    def release(self, gone: Sequence[Guest], back: Mapping[Guest, list[tuple[Guest | None, _Entry]]]) -> None:
        """Continue after `hold`: `gone` guests have moved; `back` guests return with their pending commands."""
        self.held = self._working = False
        for guest, entries in back.items():
            has_left = bool(entries) and entries[-1][1] is _DEPARTURE  # it may be at another table by now
            if not has_left:
                guest.table = self
                self._guests.append(guest)
            self._inbox.extendleft(reversed(entries))
        self._inbox.extendleft((guest, _DEPARTURE) for guest in gone)
        self._process_inbox()

    # --- from one node to another -------------------------------------------------------------------------------------

    def store_opening(self) -> None:
        """Store the opening without waiting for another event, because another node reads it from the journal."""
        if self._unsaved:
            self.do(None, _OPENING)

    def call_in_order(self, call: Callable[[], object]) -> None:
        """Call `call` after all earlier commands, unless another process has taken over the match by then."""
        self.do(None, _Call(call))

    def adopt(self, guest: Guest, seat: Seat | None) -> None:
        """Add a guest that already knows its seat.

        If another guest has the seat, the player has returned over another connection: `guest` is displaced.
        """
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

    def resume(self) -> None:
        """Start the clocks and bots of a match that was read from the journal."""
        if self.match.status is Status.OVER:
            return
        for seat, player in enumerate(self.match.players):
            if player is not None and player.bot:
                self._bots.sit(self, seat, player)
        if self._clocked or self._timed:
            self._set_timer()

    def unattended(self) -> list[Seat]:
        """Return the seats of people that the match records as present but that have no guest at this table."""
        seats = self._seats.values()
        return [
            seat
            for seat, chair in enumerate(self.match.chairs)
            if chair.player is not None and not chair.player.bot and chair.away is None and seat not in seats
        ]

    def record_absence(self, seat: Seat) -> None:
        """Record the departure of a player who did not follow the match to this node."""
        self.do(None, Leave(seat, self._bots.substitute(self.match.setting.game.name)))

    def step_down(self) -> Handover:
        """Stop because another process has the match; return all guests, which are released, and pending commands."""
        self.superseded = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        pending = []
        while self._inbox:
            guest, command = self._inbox.popleft()
            if guest is not None and (done := self._arriving.pop(guest, None)) is not None:
                done(False)  # the guest stays at its old table
            elif guest is not None and guest.table is self and not isinstance(command, _Departure | _Call | _Opening):
                pending.append((guest, command))
        people = tuple(guest for guest in self._guests if not guest.bot)
        seats = {guest: seat for guest, seat in self._seats.items() if guest in people}
        for guest in (*self._guests, *(guest for guest, _ in pending)):
            guest.table = None
        self._guests.clear()
        self._seats.clear()
        return Handover(self.match, people, seats, tuple(pending))

    # --- handling of commands ------------------------------------------------------------------------------

    def _process_inbox(self) -> None:
        """Handle the commands of the inbox until it is empty or one is being stored."""
        self._working = True
        try:
            while self._inbox and self._storing is None:
                guest, command = self._inbox.popleft()
                if self.superseded:
                    self._refuse_superseded(guest, command)
                    continue
                try:
                    moments = self._decide(guest, command)
                except BoardwireError as reason:
                    self._refuse_command(guest, command, reason)
                    continue
                except Exception as error:  # noqa: BLE001 - a fault in the rules ends this match alone
                    self._handle_fault(guest, command, error)
                    continue
                if moments or (command is _OPENING and self._unsaved):
                    self._store_moments(guest, command, moments)
                elif isinstance(command, Return) and guest is not None:
                    self._seat_guest(guest, command.seat, follows=False)
                elif isinstance(command, _Departure) and guest is not None:
                    self._seats.pop(guest, None)
                    self._observer.changed(self)
        finally:
            self._working = False
        if self._storing is None and self.match.status is _WAITING:
            self._observer.settled(self)

    def _decide(self, guest: Guest | None, command: _Entry) -> tuple[Moment, ...]:
        """Decide a command; return its moments, including those of chance decisions after it. Raises `Refused`."""
        if type(command) is Act:
            pass  # the fast path: almost every command is a move
        elif isinstance(command, _Departure):
            seat = None if guest is None else self._seats.get(guest)
            if seat is None:
                return ()
            substitute = self._bots.substitute(self.match.setting.game.name)
            assert guest is not None, "only a guest has a seat"
            can_hold = self.match.status is Status.PLAYING and self.match.setting.policy.resumes
            forfeit = can_hold and not self._observer.try_hold(guest, self.match, seat)
            command = Leave(seat, substitute, awaited=self._observer.expects(self), forfeit=forfeit)
        elif type(command) is _Call:
            command.call()
            return ()
        elif type(command) is _Opening:
            return ()
        elif isinstance(command, Join | Return) and guest in self._seats:
            raise Refused("you already sit at this table", reason=Reason.AT_TABLE)
        elif type(command) is Leave and command.restart and command.seat in self._seats.values():
            return ()  # after a restart, the player returned before its absence was stored
        elif type(command) is Ready or type(command) is Chat:  # the sender may not know yet that it was moved
            own_seat = self._seats.get(guest) if guest is not None else command.seat
            command = command if own_seat in (None, command.seat) else replace(command, seat=own_seat)
        now = self._clock.now()
        moments = decide(self.match, command, now)
        while moments and (pending := moments[-1].match.pending) is not None and CHANCE in pending.seats:
            moments += decide(moments[-1].match, Deal(self._dealer.deal(pending)), now)
        return moments

    def _refuse_command(self, guest: Guest | None, command: _Entry, reason: BoardwireError) -> None:
        """Refuse a command, release what was reserved for it, and notify its guest."""
        if isinstance(command, Join):
            self._observer.freed(self)
            self._observer.changed(self)
        elif isinstance(command, TimeOut):
            self._set_timer()  # another command came first, or the timer fired too early
        if self._arriving and isinstance(command, Join) and (done := self._arriving.pop(guest, None)) is not None:
            done(False)
        elif guest is not None and guest.table is self:
            if isinstance(command, Join | Return) and guest not in self._guests:
                guest.table = None
            names = [player.name if player is not None else "" for player in self.match.players]
            guest.tell(Refusal(command, reason.without_frames().naming(names)))

    def _handle_fault(self, guest: Guest | None, command: _Entry, error: Exception) -> None:
        """Report a fault in the rules, refuse the command that met it, and abort the match."""
        self._report(self.match.id, error)
        if guest is not None and isinstance(command, _Departure):
            self._seats.pop(guest, None)
        elif not isinstance(command, TimeOut):  # refusing it would set a new timer, which would cause the same fault
            self._refuse_command(guest, command, Refused("an internal error ended this match", reason=Reason.FAULT))
        if not isinstance(command, Close):
            self._inbox.appendleft((None, Close(Termination.FAULT)))

    def _abort_match(self, error: Exception) -> None:
        """End the match after a fault in the rules outside a command."""
        self._report(self.match.id, error)
        self.do(None, Close(Termination.FAULT))

    def _store_moments(self, guest: Guest | None, command: _Entry, moments: tuple[Moment, ...]) -> None:
        """Append the events of a command to the journal."""
        self._storing = guest, command, moments
        first = self.match.seq + 1
        if len(moments) == 1 and not self._unsaved:
            events: tuple[Event, ...] = (moments[0].event,)  # a single move, the common case
        else:
            first -= len(self._unsaved)
            events = (*self._unsaved, *[moment.event for moment in moments])
        try:
            self._journal.append(self.match.setting.id, first, events, self._handle_stored)
        except Exception:
            if self._storing is not None:  # the journal raised, so it will not call back
                self._handle_stored(AppendResult.FAILED)
            raise

    def _handle_stored(self, result: AppendResult) -> None:
        """Publish or refuse the command whose append has a result, then continue with the inbox."""
        assert self._storing is not None, "the journal calls back once per append"
        guest, command, moments = self._storing
        self._storing = None
        # a journal may call back before `append` returns; then `_process_inbox`, further up the stack, continues
        was_working, self._working = self._working, True
        try:
            if result is _STORED:
                self._unsaved = ()
                if moments:
                    self.match = moments[-1].match
                    self._publish_moments(guest, command, moments)
            elif result is AppendResult.SUPERSEDED:
                self._report(self.match.id, superseded_error())
                self._inbox.appendleft((guest, command))
                self._observer.superseded(self, self.step_down())
                self._observer.changed(self)
            elif guest is None or command is _DEPARTURE:
                self._clock.later(APPEND_RETRY_SECONDS, partial(self.do, guest, command))
            else:
                self._refuse_command(
                    guest,
                    command,
                    Refused("the server cannot store this at the moment; try again", reason=Reason.UNAVAILABLE),
                )
        finally:
            self._working = was_working
        if not was_working and (self._inbox or self.match.status is _WAITING):
            self._process_inbox()

    def _refuse_superseded(self, guest: Guest | None, command: _Entry) -> None:
        if not isinstance(command, TimeOut):  # the clocks of a closed table are irrelevant
            self._refuse_command(guest, command, superseded_error())

    # --- notifications --------------------------------------------------------------------------------------------

    def _publish_moments(self, guest: Guest | None, command: _Entry, moments: tuple[Moment, ...]) -> None:
        """Take over the new match, and notify all guests and the observer."""
        is_move = type(command) is Act
        if guest is not None and guest.on_answer is not None:
            guest.on_answer(command)
        if guest is not None and not is_move:
            if isinstance(command, Join) and isinstance(event := moments[0].event, Joined):
                self._seat_guest(guest, event.seat)
            elif isinstance(command, Return):
                self._seat_guest(guest, command.seat)
            elif isinstance(command, _Departure):
                self._seats.pop(guest, None)  # a new connection of the player may have the seat already
                guest = None  # it may have returned for another seat, and must not see its own departure
        step = Step(moments)
        if guest is not None and guest.table is self:
            guest.tell(step)  # the guest that acted comes first
        for other in tuple(self._guests):
            if other is not guest and other.table is self:
                other.tell(step)
        # A move changes no deadline of an absent player, unless a timer runs or one side is alone.
        if self._clocked or (self._timed and (not is_move or self._timer is not None or self.match.alone is not None)):
            self._set_timer()
        if type(command) is Act:
            self._tally.moves += len(command.actions)
            if self.match.status is _PLAYING:
                return
        self._notify_observer(moments)
        if self._arriving and isinstance(command, Join) and (done := self._arriving.pop(guest, None)) is not None:
            done(True)

    def _seat_guest(self, guest: Guest, seat: Seat, *, follows: bool = True) -> None:
        """Give a seat to a guest; another connection of the same player is displaced."""
        for other, place in tuple(self._seats.items()):
            if place == seat:  # the same player, which returned before the loss of its old connection was detected
                del self._seats[other]
                if other in self._guests:  # otherwise it has left, and its departure is still in the inbox
                    self._guests.remove(other)
                    other.table = None
                    other.tell(Displaced())
        self._seats[guest] = seat
        if guest.table is self:  # otherwise it left before this was durable, and its departure is in the inbox
            if guest not in self._guests:
                self._guests.append(guest)
            guest.tell(Seated(self.match, seat, follows))
        self._audience_changed()

    # --- audience ----------------------------------------------------------------------------------------------

    def _spectator_names(self) -> list[str]:
        """Return the names of the spectators. Bots and guests of protocols without spectators have no name."""
        return [guest.name for guest in self._guests if guest.name and guest not in self._seats]

    def _audience_changed(self) -> None:
        """Schedule a notification of the audience, if there is or was one."""
        if not self._counting and (self.audience or self._spectator_names()):
            self._counting = True
            self._clock.later(AUDIENCE_SECONDS, self._notify_audience)

    def _notify_audience(self) -> None:
        self._counting = False
        names = self._spectator_names()
        self.audience = len(names)
        audience = Audience(len(names), tuple(names[:MAX_AUDIENCE_NAMES]))
        for guest in tuple(self._guests):
            if guest.name and guest.table is self:
                guest.tell(audience)

    def _notify_observer(self, moments: tuple[Moment, ...]) -> None:
        """Seat bots that have joined, and notify the observer."""
        for moment in moments:
            match moment.event:
                case Left() if moment.match.status is Status.WAITING:
                    self._observer.freed(self)
                case Joined(seat=seat, player=player) | Substituted(seat=seat, player=player) if player.bot:
                    self._bots.sit(self, seat, player)
        self._observer.changed(self)

    # --- time -----------------------------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        """Schedule a time-out for the seat whose time is up first."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        seats = range(len(self.match.chairs))
        try:
            deadlines = [(due, seat) for seat in seats if (due := deadline(self.match, seat)) is not None]
        except Exception as error:  # noqa: BLE001 - the rules decide which seats are out, and may fail
            self._abort_match(error)
            return
        if deadlines:
            due, seat = min(deadlines)
            self._timer = self._clock.later(max(0.0, due - self._clock.now()), lambda: self._time_up(seat))

    def _time_up(self, seat: Seat) -> None:
        self._timer = None
        self.do(None, TimeOut(seat))
