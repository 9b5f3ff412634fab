"""The actor around a match: command -> decide -> append -> evolve -> publish.

Rules:

- One command at a time.  While its events are on their way to the journal, later commands wait in the inbox.
- **Nothing is published before it is durable.**  What a guest was told is stored; kill the process at any moment and
  nothing that was shown is lost.
- There is no task and no queue hop: the inbox is drained in the call that filled it, or in the journal's callback.
- Where chance decides, the dealer is asked at once, and its answer is part of the same step.
- A guest that has gone is told nothing more; what its leaving means is the policy's business (`decide.py`).
- **A fault in the rules ends the match, not the guest.**  Whatever a game or the dealer raises besides a refusal is
  reported, and the match is closed as broken off for everybody at it; so it cannot come again after a restart.
- If the journal cannot store what a guest asked, that guest is refused, and the table goes on.  What nobody would ask a
  second time (a leaving, a time-out, a close) the table asks again itself until it is stored.
- If somebody else has written to the match first, it is theirs: the table shows nothing of what it was about to do, and
  steps down.  All that is asked of it is refused from then on, and the conversations of its guests end.
- Guests that wait may be brought to another table.  This one does nothing until it is known whether they sit there:
  so nobody ever plays at two tables, and whoever cannot be brought away has never left.
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
from boardwire.table.counters import tally_of
from boardwire.table.decide import deadline, decide
from boardwire.table.events import Event, Joined, Left, Substituted
from boardwire.table.guest import Audience, Displaced, Guest, Refusal, Seated, Step, Watching
from boardwire.table.handover import Handover, superseded
from boardwire.table.match import Match, Moment, Status
from boardwire.table.ports import (
    AppendResult,
    Bots,
    Clock,
    Dealer,
    Journal,
    Keeper,
    NoKeeper,
    Report,
    Timer,
    no_report,
)
from boardwire.table.termination import Termination


class _Gone:
    """Stands in the inbox for "this guest has left"; its seat is known only when the turn comes."""


@final
class _Turn:
    """Stands there for a call that is made when its turn comes."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call


@final
class _Opening:
    """Stands there for "store the opening", if nothing has stored it by then."""


_GONE: Final = _Gone()
_OPENING: Final = _Opening()
_Asked: TypeAlias = Command | _Gone | _Turn | _Opening
_WAITING: Final = Status.WAITING
_PLAYING: Final = Status.PLAYING
_STORED: Final = AppendResult.STORED

RETRY_SECONDS: Final = 1.0
"""How long a table waits before it asks the journal again."""

AUDIENCE_SECONDS: Final = 0.5
"""How long spectators who come and go are gathered before everybody is told who watches."""
AUDIENCE_NAMES: Final = 50
"""How many of them are named."""


class Table:
    """See the module.  Its keeper, the lobby, is told of what changes."""

    __slots__ = (
        "_arriving", "_bots", "_clock", "_clocked", "_counting", "_dealer", "_guests", "_inbox",
        "_journal", "_keeper", "_report", "_seats", "_storing", "_tally", "_timed", "_timer", "_unsaved", "_working",
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
        keeper: Keeper | None = None,
        report: Report = no_report,
    ) -> None:
        self.match = match
        self.held = False
        """Guests are on their way to another table, and nothing is done until they are there."""
        self.superseded = False
        """Somebody else has the match now, and nothing is done here any more."""
        self._keeper = NoKeeper() if keeper is None else keeper
        self._journal = journal
        self._clock = clock
        self._dealer = dealer
        self._bots = bots
        self._report = report
        self._unsaved = () if opening is None else (opening,)
        self._guests: list[Guest] = []
        self._seats: dict[Guest, Seat] = {}
        self._inbox: deque[tuple[Guest | None, _Asked]] = deque()
        self._storing: tuple[Guest | None, _Asked, tuple[Moment, ...]] | None = None
        self._working = False
        self._arriving: dict[Guest | None, Callable[[bool], None]] = {}
        """Who is being brought here, and whom to tell whether it sits."""
        self._tally = tally_of(match.setting.game.name)
        policy = match.setting.policy
        self._clocked = bool(policy.per_move or policy.bank)
        self._timed = bool(policy.grace or policy.countdown)
        self._timer: Timer | None = None
        self.audience = 0
        """How many watched when everybody was told last."""
        self._counting = False
        """Whether everybody is about to be told."""

    def seat_of(self, guest: Guest) -> Seat | None:
        """Where `guest` sits; None: it watches."""
        return self._seats.get(guest)

    @property
    def guests(self) -> tuple[Guest, ...]:
        return tuple(self._guests)

    @property
    def ends(self) -> bool:
        """Whether the match is over here, or will be once what is on its way to the journal is durable."""
        if self.superseded:
            return True
        match = self.match if self._storing is None or not self._storing[2] else self._storing[2][-1].match
        return match.status is Status.OVER

    def is_left(self, seat: Seat) -> bool:
        """Whether the player of `seat` is gone (perhaps that is not stored yet) and has something to come back to: the
        match goes on, and the seat is not out of it."""
        match = self.match
        if match.status is not Status.PLAYING or not match.setting.policy.resumes or self.ends:
            return False
        return not any(self._seats.get(guest) == seat for guest in self._guests) and self.is_in_play(seat)

    def is_in_play(self, seat: Seat) -> bool:
        """Whether `seat` is not out of the match, which is being played."""
        match = self.match
        try:
            return any(seat in side for side in match.setting.game.sides(match.position))
        except Exception as error:  # noqa: BLE001 - as in a command
            self._give_up(error)
            return False

    @property
    def is_stored(self) -> bool:
        """Whether the journal knows of the match, or will once what is in hand is durable."""
        in_hand = self._storing is not None or any(command is _OPENING for _, command in self._inbox)
        return in_hand or not self._unsaved

    @property
    def quiet(self) -> bool:
        """Whether it has nothing in hand."""
        return self._storing is None and not self._working and not self._inbox

    def expects(self, guest: Guest) -> bool:
        """Whether a seat for `guest` has been asked for and not been given yet."""
        asked = list(self._inbox) if self._storing is None else [self._storing[:2], *self._inbox]
        return any(one is guest and isinstance(command, Join | Return) for one, command in asked)

    def do(self, guest: Guest | None, command: _Asked) -> None:
        """Ask something of the table.  The answer is news: a step, or a refusal to this guest alone."""
        self._inbox.append((guest, command))
        if self._storing is None and not self._working:
            self._work()

    def watch(self, guest: Guest) -> None:
        """Let `guest` follow the match without a seat."""
        guest.table = self
        if guest not in self._guests:
            self._guests.append(guest)
        guest.tell(Watching(self.match))
        self._count_audience()

    def leave(self, guest: Guest) -> None:
        """`guest` is gone: tell it nothing more, and give up its seat."""
        guest.table = None
        if guest in self._guests:
            self._guests.remove(guest)
        self._count_audience()
        self.do(guest, _GONE)

    # --- from one table to another ------------------------------------------------------------------------------------

    def hold(self, guests: Sequence[Guest]) -> None:
        """These guests are on their way to another table: do nothing until `release`."""
        self.held = self._working = True
        for guest in guests:
            self._guests.remove(guest)

    def receive(self, guest: Guest, join: Join, done: Callable[[bool], None]) -> None:
        """A guest comes from another table; `done` is told whether it sits here now."""
        guest.table = self
        self._arriving[guest] = done
        self.do(guest, join)

    def recall(self, guest: Guest) -> list[tuple[Guest | None, _Asked]]:
        """Take back what a guest has asked here and what had no turn yet, up to its leaving: if it came again after
        that, it did so of its own will."""
        asked: list[tuple[Guest | None, _Asked]] = []
        for one in tuple(self._inbox):
            if one[0] is guest:
                asked.append(one)
                self._inbox.remove(one)
                if one[1] is _GONE:
                    break
        return asked

    def release(self, gone: Sequence[Guest], back: Mapping[Guest, list[tuple[Guest | None, _Asked]]]) -> None:
        """Go on: `gone` sit elsewhere now; those in `back` do not, and asked this on the way."""
        self.held = self._working = False
        for guest, asked in back.items():
            if not asked or asked[-1][1] is not _GONE:  # otherwise it left on the way, and may be elsewhere by now
                guest.table = self
                self._guests.append(guest)
            self._inbox.extendleft(reversed(asked))
        self._inbox.extendleft((guest, _GONE) for guest in gone)
        self._work()

    # --- from one node to another -------------------------------------------------------------------------------------

    def store_opening(self) -> None:
        """Store that the match was opened, before anything has happened in it: somebody reads it in the journal."""
        if self._unsaved:
            self.do(None, _OPENING)

    def take_turn(self, call: Callable[[], object]) -> None:
        """Make a call when all that was asked before is done; never, if somebody else has the match by then."""
        self.do(None, _Turn(call))

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
        """The player of this seat did not come along when the match did."""
        self.do(None, Leave(seat, self._bots.player(self.match.setting.game.name)))

    def step_down(self) -> Handover:
        """Somebody else has the match: stop, and let go of everybody; what was asked and had no turn is handed over."""
        self.superseded = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        asked = []
        while self._inbox:
            guest, command = self._inbox.popleft()
            if guest is not None and (done := self._arriving.pop(guest, None)) is not None:
                done(False)  # it stays where it came from
            elif guest is not None and guest.table is self and not isinstance(command, _Gone | _Turn | _Opening):
                asked.append((guest, command))
        people = tuple(guest for guest in self._guests if not guest.bot)
        seats = {guest: seat for guest, seat in self._seats.items() if guest in people}
        for guest in (*self._guests, *(guest for guest, _ in asked)):
            guest.table = None
        self._guests.clear()
        self._seats.clear()
        return Handover(self.match, people, seats, tuple(asked))

    # --- one command after the other ------------------------------------------------------------------------------

    def _work(self) -> None:
        self._working = True
        try:
            while self._inbox and self._storing is None:
                guest, command = self._inbox.popleft()
                if self.superseded:
                    self._turn_away(guest, command)
                    continue
                try:
                    moments = self._decide(guest, command)
                except BoardwireError as reason:
                    self._refuse(guest, command, reason)
                    continue
                except Exception as error:  # noqa: BLE001 - whatever the rules do wrong ends this match alone
                    self._break_off(guest, command, error)
                    continue
                if moments or (command is _OPENING and self._unsaved):
                    self._store(guest, command, moments)
                elif isinstance(command, Return) and guest is not None:
                    self._seat(guest, command.seat, follows=False)
                elif isinstance(command, _Gone) and guest is not None:
                    self._seats.pop(guest, None)
                    self._keeper.changed(self)
        finally:
            self._working = False
        if self._storing is None and self.match.status is _WAITING:
            self._keeper.settled(self)

    def _decide(self, guest: Guest | None, command: _Asked) -> tuple[Moment, ...]:
        if type(command) is Act:
            pass  # as nearly always
        elif isinstance(command, _Gone):
            seat = None if guest is None else self._seats.get(guest)
            if seat is None:
                return ()
            substitute = self._bots.player(self.match.setting.game.name)
            assert guest is not None, "only a guest has a seat"
            stays = self.match.status is Status.PLAYING and self.match.setting.policy.resumes
            forfeit = stays and not self._keeper.holds(guest, self.match, seat)
            command = Leave(seat, substitute, awaited=self._keeper.expects(self), forfeit=forfeit)
        elif type(command) is _Turn:
            command.call()
            return ()
        elif type(command) is _Opening:
            return ()
        elif isinstance(command, Join | Return) and guest in self._seats:
            raise Refused("you sit at this table already", reason=Reason.AT_TABLE)
        elif type(command) is Leave and command.restart and command.seat in self._seats.values():
            return ()  # after a restart: its player came back before the journal could store that it was away
        elif type(command) is Ready or type(command) is Chat:  # perhaps said before it heard that it was moved
            own = self._seats.get(guest) if guest is not None else command.seat
            command = command if own in (None, command.seat) else replace(command, seat=own)
        now = self._clock.now()
        moments = decide(self.match, command, now)
        while moments and (pending := moments[-1].match.pending) is not None and CHANCE in pending.seats:
            moments += decide(moments[-1].match, Deal(self._dealer.deal(pending)), now)
        return moments

    def _refuse(self, guest: Guest | None, command: _Asked, reason: BoardwireError) -> None:
        if isinstance(command, Join):
            self._keeper.freed(self)
            self._keeper.changed(self)
        elif isinstance(command, TimeOut):
            self._set_timer()  # something else came first, or it rang a moment too early
        if self._arriving and isinstance(command, Join) and (done := self._arriving.pop(guest, None)) is not None:
            done(False)
        elif guest is not None and guest.table is self:
            if isinstance(command, Join | Return) and guest not in self._guests:
                guest.table = None
            names = [player.name if player is not None else "" for player in self.match.players]
            guest.tell(Refusal(command, reason.without_frames().naming(names)))

    def _break_off(self, guest: Guest | None, command: _Asked, error: Exception) -> None:
        self._report(self.match.id, error)
        if guest is not None and isinstance(command, _Gone):
            self._seats.pop(guest, None)
        elif not isinstance(command, TimeOut):  # a timer would ask the same rules again
            self._refuse(
                guest, command, Refused("the server made a mistake, and this match cannot go on", reason=Reason.FAULT)
            )
        if not isinstance(command, Close):
            self._inbox.appendleft((None, Close(Termination.FAULT)))

    def _give_up(self, error: Exception) -> None:
        """The rules failed where nobody asked for anything."""
        self._report(self.match.id, error)
        self.do(None, Close(Termination.FAULT))

    def _store(self, guest: Guest | None, command: _Asked, moments: tuple[Moment, ...]) -> None:
        self._storing = guest, command, moments
        first = self.match.seq + 1
        if len(moments) == 1 and not self._unsaved:
            events: tuple[Event, ...] = (moments[0].event,)  # a move, as nearly always
        else:
            first -= len(self._unsaved)
            events = (*self._unsaved, *[moment.event for moment in moments])
        try:
            self._journal.append(self.match.setting.id, first, events, self._stored)
        except Exception:
            if self._storing is not None:  # it was not taken; nobody may wait for it for ever
                self._stored(AppendResult.FAILED)
            raise

    def _stored(self, result: AppendResult) -> None:
        assert self._storing is not None, "the journal answers once for each append"
        guest, command, moments = self._storing
        self._storing = None
        nested, self._working = self._working, True
        try:
            if result is _STORED:
                self._unsaved = ()
                if moments:
                    self.match = moments[-1].match
                    self._publish(guest, command, moments)
            elif result is AppendResult.SUPERSEDED:
                self._report(self.match.id, superseded())
                self._inbox.appendleft((guest, command))
                self._keeper.superseded(self, self.step_down())
                self._keeper.changed(self)
            elif guest is None or command is _GONE:
                self._clock.later(RETRY_SECONDS, partial(self.do, guest, command))
            else:
                self._refuse(
                    guest,
                    command,
                    Refused("the server cannot store what happens at the moment", reason=Reason.UNAVAILABLE),
                )
        finally:
            self._working = nested
        if not nested and (self._inbox or self.match.status is _WAITING):
            self._work()

    def _turn_away(self, guest: Guest | None, command: _Asked) -> None:
        if not isinstance(command, TimeOut):  # nothing here runs out of time any more
            self._refuse(guest, command, superseded())

    # --- telling --------------------------------------------------------------------------------------------------

    def _publish(self, guest: Guest | None, command: _Asked, moments: tuple[Moment, ...]) -> None:
        if guest is not None and guest.answered is not None:
            guest.answered(command)
        if guest is not None and type(command) is not Act:
            if isinstance(command, Join) and isinstance(event := moments[0].event, Joined):
                self._seat(guest, event.seat)
            elif isinstance(command, Return):
                self._seat(guest, command.seat)
            elif isinstance(command, _Gone):
                self._seats.pop(guest, None)  # another connection of the same player may have taken it meanwhile
                guest = None  # if it has come again to sit down, it hears of that and not of its leaving
        step = Step(moments)
        if guest is not None and guest.table is self:
            guest.tell(step)  # whoever acted hears of it first
        for one in tuple(self._guests):
            if one is not guest and one.table is self:
                one.tell(step)
        if self._clocked or (self._timed and self._is_waited_for(command)):
            self._set_timer()
        if type(command) is Act:
            self._tally.moves += len(command.actions)
            if self.match.status is _PLAYING:
                return
        self._after(moments)
        if self._arriving and isinstance(command, Join) and (done := self._arriving.pop(guest, None)) is not None:
            done(True)

    def _seat(self, guest: Guest, seat: Seat, *, follows: bool = True) -> None:
        for other, place in tuple(self._seats.items()):
            if place == seat:  # the same player, back before its old connection was seen to be lost
                del self._seats[other]
                if other in self._guests:  # otherwise it has left, and only its leaving has not had its turn
                    self._guests.remove(other)
                    other.table = None
                    other.tell(Displaced())
        self._seats[guest] = seat
        if guest.table is self:  # otherwise it left before this was durable, and its leaving is next in the inbox
            if guest not in self._guests:
                self._guests.append(guest)
            guest.tell(Seated(self.match, seat, follows))
        self._count_audience()

    # --- who watches ----------------------------------------------------------------------------------------------

    def _watching(self) -> list[str]:
        """The names of those who watch.  Programs of our own, and those whose protocol has no spectators, have none."""
        return [guest.name for guest in self._guests if guest.name and guest not in self._seats]

    def _count_audience(self) -> None:
        """Somebody came or went: tell everybody soon who watches, if anybody does or did."""
        if not self._counting and (self.audience or self._watching()):
            self._counting = True
            self._clock.later(AUDIENCE_SECONDS, self._tell_audience)

    def _tell_audience(self) -> None:
        self._counting = False
        names = self._watching()
        self.audience = len(names)
        told = Audience(len(names), tuple(names[:AUDIENCE_NAMES]))
        for guest in tuple(self._guests):
            if guest.name and guest.table is self:
                guest.tell(told)

    def _after(self, moments: tuple[Moment, ...]) -> None:
        for moment in moments:
            match moment.event:
                case Left() if moment.match.status is Status.WAITING:
                    self._keeper.freed(self)
                case Joined(seat=seat, player=player) | Substituted(seat=seat, player=player) if player.bot:
                    self._bots.sit(self, seat, player)
        self._keeper.changed(self)

    # --- time -----------------------------------------------------------------------------------------------------

    def _is_waited_for(self, command: _Asked) -> bool:
        """Whether somebody who is away may have a time to come back: a mere move gives nobody any, unless it leaves one
        alone."""
        return self._timer is not None or type(command) is not Act or self.match.alone is not None

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        seats = range(len(self.match.chairs))
        try:
            due = [(when, seat) for seat in seats if (when := deadline(self.match, seat)) is not None]
        except Exception as error:  # noqa: BLE001 - the rules are asked who is out
            self._give_up(error)
            return
        if due:
            when, seat = min(due)
            self._timer = self._clock.later(max(0.0, when - self._clock.now()), lambda: self._ring(seat))

    def _ring(self, seat: Seat) -> None:
        self._timer = None
        self.do(None, TimeOut(seat))
