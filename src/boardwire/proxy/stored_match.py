"""What would my client have seen?  A stored match as the conversation of one seat, in any dialect of its game.

Both ends of the dialect are run again, the server's script and our own client's, and what they say to each other is the
conversation: nothing else here writes a message.  The server's script is told the stored events instead of a table's,
and the client's player chooses what the seat chose.

Rules:

- What the journal does not know is supposed: the client connects when its player sat down, asks at once for the seat it
  got, and is done with each answer before anything else happens.
- Time stands still while they talk, so that nobody's timer runs off: signs of life are not in it.
- What came of one command is told at once, as a table does.  The journal keeps events only; they belong together if one
  follows from the other and both have the same time.
- A player that came by another dialect says who it is when this one asks for it.
- Of two ways to say the same it is the plainer one; what was refused never happened.
- Where the wire has another order for the choices of a turn than its player had, and both lead to the same, they happen
  in the wire's order.
- Names that are secret (a token, the code of a private table) are replaced by stars.
- Where the dialect cannot say what the player did, the conversation stops there, and `stop` and `stopped` say why.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from boardwire import dialects
from boardwire.api.conversations import Stop, Told
from boardwire.conformance.finding import Side
from boardwire.conformance.monitor import Monitor, Opened, Record
from boardwire.conformance.watchers.watcher import Room
from boardwire.dialects.dialect import Answer, Ask, Dialect, Over, Seating
from boardwire.errors import BoardwireError, Refused
from boardwire.games.eriantys.options import default_towers
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import DONE, USE, Build
from boardwire.games.santorini.edits import level
from boardwire.lobby import requests
from boardwire.net.client_upgrade import upgraded
from boardwire.net.upgrade import switch
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import Client, Peer
from boardwire.table import commands as ask
from boardwire.table import events as told
from boardwire.table import guest as news
from boardwire.table.decide import decide
from boardwire.table.events import Event
from boardwire.table.guest import Guest
from boardwire.table.match import Match, Moment, begun, further

HOST: Final = "127.0.0.1"
"""Where the server of a conversation is that there never was."""

SECRET: Final = "*" * 8
ATTEMPTS: Final = 50
"""How often a client asks for its seat."""

_SAME_STEP: Final = (told.Ended, told.Undone, told.Substituted, told.Skipped, told.TimedOut)
"""What may follow from the event before it; luck and the start always do."""

_TURN_ENDS: Final = (told.Undone, told.Skipped, told.Ended)
"""Events that end a turn, as an action of another seat does."""

TOP: Final = 3
"""The level on which everybody builds a dome."""

_KIND_OF_TURN: Final = (USE, DONE)
"""Some clients of Santorini ask for the kind of a turn before its steps: with the power, or plain."""

_ASKED_BY: Final[dict[type, type]] = {
    told.Acted: ask.Act,
    told.Chatted: ask.Chat,
    told.Resigned: ask.Resign,
    told.UndoOffered: ask.OfferUndo,
    told.UndoAgreed: ask.AnswerUndo,
    told.UndoDeclined: ask.AnswerUndo,
}
"""Which command of its player leads to an event."""


class Line(msgspec.Struct, frozen=True):
    """A record of the conversation, and the number and the name of the event that it led to or came of."""

    seq: int
    event: str
    record: Record


class Retold(msgspec.Struct, frozen=True):
    """A conversation; `stop` and, in words, `stopped` say why it goes no further than the match, if it does not."""

    lines: tuple[Line, ...]
    stop: Stop | None = None
    stopped: str = ""

    @property
    def records(self) -> tuple[Record, ...]:
        """All that was said, without the numbers."""
        return tuple(line.record for line in self.lines)

    def fields(self) -> Iterator[dict[str, Any]]:
        """The lines as objects of `--json`."""
        return ({"seq": line.seq, "table": line.event, **line.record.fields()} for line in self.lines)


def spoken(game: str) -> tuple[str, ...]:
    """The dialects in which a match of a game can be told."""
    return tuple(name for name in dialects.NAMES if dialects.dialect(name).game in ("", game))


def _always() -> None:
    """Let the work go on."""


def retell(
    events: Sequence[Event], dialect: str, seat: Seat, to: int | None = None, check: Callable[[], None] = _always
) -> Retold:
    """The conversation of a client of `dialect` at `seat`, up to event number `to`.  `Refused` where there is none.

    The cost is linear in the number of events.  `check` is called between them; what it raises ends the work."""
    speaks = dialects.dialect(dialect)
    match, _ = begun(events)
    game, seats = match.setting.game.name, len(match.chairs)
    if speaks.game not in ("", game):
        raise Refused(f"{dialect} is not spoken at a table of {game}; there are {', '.join(spoken(game))}")
    if not 0 <= seat < seats:
        raise Refused(f"there is no seat {seat} in this match; there are 0 to {seats - 1}")
    if speaks.players and seats not in speaks.players:
        raise Refused(
            f"{dialect} is for {' or '.join(map(str, speaks.players))} players, and this match is for {seats}"
        )
    last = len(events) if to is None else to
    retelling = Retelling(events, speaks, seat)
    stops = retelling.run(last, check)
    return Retold(tuple(line for line in retelling.lines if line.seq <= last), *stops)


class StoredTalk:
    """See `boardwire.api.conversations.ConversationSource`."""

    def dialects(self, game: str) -> tuple[str, ...]:
        """The dialects in which a match of a game can be told."""
        return spoken(game)

    def retell(
        self, events: Sequence[Event], dialect: str, seat: Seat, to: int, check: Callable[[], None] = _always
    ) -> Told:
        """The conversation as it is sent over HTTP."""
        retold = retell(events, dialect, seat, to, check)
        return Told(tuple(map(msgspec.json.encode, retold.fields())), retold.stop, retold.stopped)


class _Choice(NamedTuple):
    """What the player chooses: where it stands in the rest of the events, the match before it, and the action."""

    at: int
    before: Match
    action: Any


class _Stopped(Exception):
    """The conversation cannot go on: a `Stop`, and why in words."""


class Retelling:
    """See the module.  To the server's script it is the lobby and the table in one."""

    def __init__(self, events: Sequence[Event], speaks: Dialect, seat: Seat) -> None:
        self.lines: list[Line] = []
        self.clock = ManualClock()
        self.lobby = self
        self._speaks = speaks
        self._seat = seat
        self._match, rest = begun(map(_without_secrets, events))
        self._rest = deque(enumerate(rest, 2))
        self._kinds = [type(event).__name__.lower() for event in events]
        self._start = events[0].at
        self._number = 1
        self._at = 0.0
        self._arrival = _arrival(events, seat)
        self._last_return = max(
            (number for number, event in self._rest if isinstance(event, told.Returned) and event.seat == seat),
            default=0,
        )
        """The number of the event with which the player came back for the last time; 0: it never did."""
        self._name = _name(events, seat)
        self._sits = False
        self._returns = False
        self._settings = _settings(events, speaks, seat, self._opens)
        self._seeks: requests.Seek | requests.Enter | requests.Resume | requests.Reclaim | None = None
        """The seat that the script has asked for."""
        self._wants: list[Any] = []
        """What the script has asked of the table."""
        self._question: Ask | None = None
        self._answered = 0
        """How many of the player's choices to come were given to the client already."""
        self._told_over = False
        """Whether the client has told its player that it is over."""
        self._pair: _Pair | None = None
        self._connections = 0

    @property
    def _opens(self) -> bool:
        """Whether the player sat down before anybody else, and so opened the table."""
        first = next((event.seat for _, event in self._rest if isinstance(event, told.Joined)), self._seat)
        return first == self._seat

    def run(self, last: int, check: Callable[[], None]) -> tuple[Stop, str] | tuple[()]:
        """Tell it up to event number `last`; why it stopped before, empty if it did not.  `check` is called between
        events; what it raises ends the work."""
        goes_on = True
        while goes_on and self._rest and self._rest[0][0] <= last:
            check()
            try:
                goes_on = self._go_on()
            except _Stopped as reason:
                stop, words = reason.args
                return stop, words
            except Exception as error:
                words = f"{self._speaks.name} fails at event {self._number}: {str(error) or type(error).__name__}"
                raise Refused(words) from error
        return ()

    def _go_on(self) -> bool:
        """Tell the next event; whether there is more to tell."""
        self._number, event = self._rest[0]
        self._at = max(self._at, event.at - self._start)
        if self._pair is None:
            if self._number == self._arrival or (isinstance(event, told.Returned) and self._returns_with(event)):
                self._come()
            else:
                self._next()
            return True
        own = getattr(event, "seat", None) == self._seat
        if own and isinstance(event, told.Acted):
            if not self._act():
                return False
        elif own and isinstance(event, told.Left):
            self._go(Side.SERVER if event.restart else Side.CLIENT)
            return self._last_return > self._number
        elif own and isinstance(event, told.Readied):
            self._ready()
        elif own and type(event) in _ASKED_BY:
            self._say(event)
        elif isinstance(event, told.Undone) and any(isinstance(one, ask.AnswerUndo) for one in self._wants):
            raise _Stopped(
                Stop.UNSPOKEN, f"event {self._number} takes back a step, and {self._speaks.name} has no words for that"
            )
        else:
            if isinstance(event, told.UndoDeclined):
                self._take(ask.AnswerUndo)  # it is too late for an answer of one's own
            self._tell(self._step())
        self._carry()
        return self._is_on()

    def _is_on(self) -> bool:
        """Whether the connection is still there; if not, it must be over for the player."""
        if self._pair is not None and self._pair.over and self._match.outcome is None and not self._told_over:
            raise _Stopped(
                Stop.ENDS, f"{self._speaks.name} ends the conversation at event {self._number}: it goes no further"
            )
        return self._pair is not None and not self._pair.over

    # --- the stored match -----------------------------------------------------------------------------------------

    def _next(self) -> Moment:
        """The next event happens."""
        self._number, event = self._rest.popleft()
        return self._happen(event)

    def _happen(self, event: Event) -> Moment:
        self._at = max(self._at, event.at - self._start)
        moment = next(iter(further(self._match, (event,))))
        self._match = moment.match
        return moment

    def _step(self, *first: Moment) -> tuple[Moment, ...]:
        """The next event, and all that came of the same command."""
        moments = list(first) or [self._next()]
        while self._rest and self._follows(moments[-1].event, self._rest[0][1]):
            moments.append(self._next())
        return tuple(moments)

    def _follows(self, before: Event, event: Event) -> bool:
        if isinstance(event, told.Dealt | told.Started):
            return True
        if isinstance(event, told.Acted):  # a player's own acts are told as its client asks for them
            several = isinstance(before, told.Acted) and before.seat == event.seat != self._seat
            return several and before.at == event.at
        return isinstance(event, _SAME_STEP) and before.at == event.at

    def _tell(self, moments: tuple[Moment, ...]) -> None:
        if self._pair is not None:
            self._pair.tell(news.Step(moments))

    # --- coming and going -----------------------------------------------------------------------------------------

    def _returns_with(self, event: told.Returned) -> bool:
        self._returns = self._sits and event.seat == self._seat
        return self._returns

    def _come(self) -> None:
        """The client connects and sits down, or comes back."""
        self._connections += 1
        name = self._name
        seating = Seating(name, len(self._match.chairs), self._settings)
        self._pair = _Pair(self, self._speaks, seating, self._connections)
        for _ in range(ATTEMPTS):
            self._carry()
            seeks, self._seeks = self._seeks, None
            if seeks is None:
                break
            try:
                self._sit(seeks)
            except BoardwireError as reason:
                self._refuse(seeks, reason)
                continue
            self._sits = True
            self._carry()
            return
        way = "come back" if self._returns else "sit down"
        raise _Stopped(Stop.BARRED, f"a client of {self._speaks.name} cannot {way} at this table{self._why}")

    def _sit(self, seeks: requests.Seek | requests.Enter | requests.Resume | requests.Reclaim) -> None:
        if self._returns:
            if isinstance(seeks, requests.Enter) or (isinstance(seeks, requests.Seek) and not seeks.returns):
                raise Refused("the match has already begun")
        elif isinstance(seeks, requests.Seek | requests.Enter):
            join = ask.Join(seeks.player, self._seat, seeks.wish, seeks.ready)
            joined = decide(self._match, join, self._rest[0][1].at)[0].event
            self._rest[0] = (self._number, joined)
            self._fit_readiness(seeks.ready, seeks.player)
        moments = self._step()
        if self._pair is not None:
            self._pair.tell(news.Seated(self._match, self._seat))
        self._tell(moments)

    def _fit_readiness(self, ready: bool, player: told.Player) -> None:
        """Let the player be ready when its dialect says so: at once, or before the match begins."""
        own = [at for at, (_, event) in enumerate(self._rest) if _is_ready(event, self._seat)]
        start = next((at for at, (_, event) in enumerate(self._rest) if isinstance(event, told.Started)), None)
        if ready:
            for at in reversed(own):
                del self._rest[at]
        elif not own and start is not None:
            number, started = self._rest[start]
            self._rest.insert(start, (number, told.Readied(started.at, self._seat, player)))

    def _ready(self) -> None:
        """The player says who it is, as often as its name is not taken."""
        for _ in range(ATTEMPTS):
            wanted = self._take(ask.Ready)
            if wanted is None and len(self._rest) > 1 and not isinstance(self._rest[1][1], told.Started):
                own, other = self._rest.popleft(), self._rest.popleft()  # it has not been asked yet
                self._rest.extendleft(((other[0], own[1]), (own[0], other[1])))
                return
            if wanted is None:
                break
            try:
                event = decide(self._match, wanted, self._rest[0][1].at)[0].event
            except BoardwireError as reason:
                self._refuse(wanted, reason)
                self._carry()
                continue
            self._rest[0] = (self._rest[0][0], event)
            self._tell(self._step())
            return
        raise _Stopped(Stop.BARRED, f"a client of {self._speaks.name} cannot say who it is at this table{self._why}")

    _why = ""

    def _refuse(self, request: Any, reason: BoardwireError) -> None:
        self._why = f": {reason}"
        if self._pair is not None:
            self._pair.tell(news.Refusal(request, reason.without_frames()))

    def _go(self, side: Side) -> None:
        """The connection ends in mid-play."""
        self._next()
        if self._pair is not None:
            self._pair.end(side)
        self._pair = None
        self._question = None
        self._wants.clear()

    # --- what the player does -------------------------------------------------------------------------------------

    def _take(self, kind: type) -> Any:
        """What of this kind the script has asked of the table; None if it has not."""
        found = next((one for one in self._wants if type(one) is kind), None)
        if found is not None:
            self._wants.remove(found)
        return found

    def _act(self) -> bool:
        """The player's next choices, as many as its client says at once; False if those are not all known yet."""
        while (act := self._take(ask.Act)) is None:
            if not self._answer():
                return False
        self._put_first(act.actions)
        moments: list[Moment] = []
        done: list[Any] = []
        while len(done) < len(act.actions) and self._rest:
            moments.append(self._next())
            event = moments[-1].event
            if isinstance(event, told.Acted) and event.seat == self._seat:
                done.append(event.action)
        if tuple(done) != act.actions:
            self._cannot_say(done[0], f"; it says {_words(act.actions[0])}")
        self._answered = max(0, self._answered - len(done))
        self._tell(self._step(*moments))
        return True

    def _choices(self) -> Iterator[_Choice]:
        """What the player chooses from now on."""
        return self._choices_in(event for _, event in self._rest)

    def _turn(self) -> list[_Choice]:
        """What it chooses before anybody else does, and before a step is taken back.

        Nothing beyond that is looked at, because a turn is looked at for each of its choices: a player that acts and
        takes back for ever is in one turn for the whole match otherwise (issue 25)."""
        rest = (event for _, event in self._rest)
        return list(self._choices_in(takewhile(self._is_in_turn, rest)))

    def _is_in_turn(self, event: Event) -> bool:
        if isinstance(event, told.Acted):
            return event.seat == self._seat
        return not isinstance(event, _TURN_ENDS)

    def _choices_in(self, events: Iterable[Event]) -> Iterator[_Choice]:
        match = self._match
        for at, moment in enumerate(further(match, events)):
            event = moment.event
            if isinstance(event, told.Acted) and event.seat == self._seat:
                yield _Choice(at, match, event.action)
            match = moment.match

    def _answer(self) -> bool:
        """Answer what the client asks its player; False if the answer is not known yet."""
        question, self._question = self._question, None
        choices = () if question is None else tuple(question.decision.choices)
        if choices == _KIND_OF_TURN:
            self._give(DONE if _is_plain(self._turn()) else USE)
            return True
        first: Any = None
        for chosen in islice(self._choices(), self._answered, None):
            first = chosen.action if first is None else first
            pending = chosen.before.pending
            game = () if pending is None else tuple(pending.choices)
            choice = _in_its_words(chosen.action, choices, game)
            if choice is not None:
                self._answered += 1
                self._give(choice)
                return True
            if DONE in choices and DONE not in game:
                self._give(DONE)  # the wire asks one by one for what the game offers together
                return True
            if len(choices) == 1 and choices[0] not in game:
                self._give(choices[0])  # the wire asks for what the game does not
                return True
            if len(game) != 1:
                break
            self._answered += 1  # what is the only choice the client may say by itself
        if first is None and not isinstance(self._rest[-1][1], told.Ended):
            return False
        self._cannot_say(next(self._choices()).action)
        return False

    def _give(self, choice: Any) -> None:
        if self._pair is not None:
            self._pair.answer(choice)
        self._carry()

    def _put_first(self, actions: tuple[Any, ...]) -> None:
        """Let these choices of the turn happen before its others, if that leads to the same: where the wire has another
        order than the player had."""
        turn = self._turn()
        order = [choice.action for choice in turn]
        if tuple(order[: len(actions)]) == actions:
            return
        later = list(order)
        for action in actions:
            if action not in later:
                return
            later.remove(action)
        events = [self._rest[choice.at][1] for choice in turn]
        moved = [replace(event, action=action) for event, action in zip(events, (*actions, *later), strict=True)]
        try:
            same = _after(self._match, moved) == _after(self._match, events)
        except BoardwireError:
            return
        for choice, event in zip(turn, moved if same else (), strict=same):
            self._rest[choice.at] = (self._rest[choice.at][0], event)

    def _cannot_say(self, action: Any, instead: str = "") -> None:
        way = f"{self._speaks.name} has no way to choose it{instead}"
        raise _Stopped(Stop.UNSPOKEN, f"at event {self._number} seat {self._seat} chose {_words(action)}, and {way}")

    def _say(self, event: Event) -> None:
        """The player says what nobody asked it."""
        kind = _ASKED_BY[type(event)]
        if not any(type(one) is kind for one in self._wants) and self._pair is not None:
            self._pair.say(event)
            self._carry()
        wanted = self._take(kind)
        if wanted is not None and getattr(wanted, "agree", None) in (None, isinstance(event, told.UndoAgreed)):
            self._tell(self._step())
        elif isinstance(event, told.Chatted):
            self._next()  # its client cannot talk, and nobody has heard it
        else:
            name = type(event).__name__.lower()
            raise _Stopped(
                Stop.UNSPOKEN, f"event {self._number} is {name!r}, and {self._speaks.name} has no words for that"
            )

    # --- the server's script asks ---------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Any) -> None:
        """See `boardwire.lobby.lobby.Lobby`: whatever the script asks for leads to this match."""
        match request:
            case requests.Claim(name=name):
                guest.tell(news.Claimed(name))
            case requests.Introduce():
                kept = ((self._match, self._seat),) if self._returns else ()
                guest.tell(news.Introduced(request.token or SECRET * 4, SECRET, kept))
            case requests.Survey():
                waiting = (self._match,) if any(self._match.players) else ()
                guest.tell(news.Surveyed(waiting))
            case requests.Attend():
                guest.tell(news.Watching(self._match) if any(self._match.players) else news.NoTable())
            case requests.Open():
                guest.tell(news.Watching(self._match))
            case requests.Reclaim() if not self._returns:
                guest.tell(news.NotHeld())
            case requests.Seek() | requests.Enter() | requests.Resume() | requests.Reclaim():
                self._seeks = request
            case requests.Decline(reason=reason):
                guest.tell(news.Refusal(request, reason))
            case requests.Depart() | requests.Unclaim() | requests.Rematch() | requests.Watch():
                pass
            case _:
                self._wants.append(request)

    def goodbye(self, guest: Guest) -> None:
        """See `boardwire.lobby.lobby.Lobby`."""

    # --- between the two ends -------------------------------------------------------------------------------------

    def hear(self, client: Client, heard: Any) -> None:
        """The client tells its player something."""
        if isinstance(heard, Ask):
            self._question = heard
        self._told_over = isinstance(heard, Over)

    def note(self, record: Record) -> None:
        """Something was said."""
        self.lines.append(Line(self._number, self._kinds[self._number - 1], record))

    def _carry(self) -> None:
        if self._pair is not None:
            self._pair.carry(self._at)


class _Pair:
    """The two ends of one connection, with a monitor between them."""

    def __init__(self, retelling: Retelling, speaks: Dialect, seating: Seating, number: int) -> None:
        ours = upgraded(speaks, HOST, speaks.port, bytes) if not speaks.game else speaks
        self._speaks = ours
        self._opening = bool(ours.greeting) and ours is not speaks
        """Whether the client's request for a WebSocket is still to come."""
        at = retelling._at
        self._at = at
        retelling.note(Opened(connection=number, at=at, dialect=speaks.name))
        self._monitor = Monitor(speaks.name, Room(), number, retelling.note)
        self._monitor.start(at)
        self._ended: set[Side] = set()
        self._peer = Peer(retelling, speaks)
        self._client = Client(ours, retelling.hear, seating, retelling.clock)

    @property
    def over(self) -> bool:
        """Whether both ends have closed."""
        return self._client.closed and self._peer.closed

    def tell(self, told: Any) -> None:
        """News for the server's script."""
        self._peer.talk.tell(told)

    def answer(self, action: Any) -> None:
        """The client's player has chosen."""
        self._client.talk.tell(Answer(action))

    def say(self, event: Event) -> None:
        """The client's player says something that was not asked."""
        if self._speaks.aside is not None:
            self._client.write(self._speaks.aside(event))

    def carry(self, at: float) -> None:
        """Let each hear what the other says, until both are silent or gone."""
        self._at = at
        peer, client = self._peer, self._client
        busy = True
        while busy:
            replied, said = peer.take(), b""
            if replied:
                self._monitor.hear(Side.SERVER, replied, at)
                client.receive(replied)
            elif said := client.take():
                self._monitor.hear(Side.CLIENT, said, at)
                self._hear_client(said)
            busy = bool(replied or said)
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

    def _hear_client(self, said: bytes) -> None:
        if self._opening:
            self._opening = False
            head, _, said = said.partition(b"\r\n\r\n")
            answer = switch(head)
            self._monitor.hear(Side.SERVER, answer, self._at)
            self._client.receive(answer)
        self._peer.send(said)

    def end(self, side: Side) -> None:
        """One end goes without a word."""
        self._note_end(side)
        self._note_end(side.other)
        self._peer.drop()


def _arrival(events: Sequence[Event], seat: Seat) -> int:
    """The number of the event with which the player sat down that was there when the match began."""
    found = 0
    for number, event in enumerate(events, 1):
        if isinstance(event, told.Started):
            break
        if isinstance(event, told.Joined) and event.seat == seat:
            found = number
    return found


def _in_its_words(action: Any, choices: tuple[Any, ...], game: tuple[Any, ...]) -> Any:
    """The client's choice that stands for an action, None if there is none.  A client that is told only what is left
    numbers it anew: its choices are as many as the game's, in the same order, and others."""
    kind = type(action)
    theirs = [choice for choice in choices if type(choice) is kind]
    ours = [choice for choice in game if type(choice) is kind]
    if len(theirs) == len(ours) and set(theirs) != set(ours) and action in ours:
        return theirs[ours.index(action)]
    return action if action in theirs else None


def _is_plain(turn: Sequence[_Choice]) -> bool:
    """Whether a turn of Santorini could be played without a power: it moves before it builds, and domes are on top."""
    builds = [(choice.before.position, choice.action) for choice in turn if isinstance(choice.action, Build)]
    domes_on_top = all(not build.dome or level(position, build.at) == TOP for position, build in builds)
    return not isinstance(turn[0].action, Build) and domes_on_top


def _after(match: Match, events: Sequence[Event]) -> Any:
    """The position after these events."""
    for moment in further(match, events):
        match = moment.match
    return match.position


def _is_ready(event: Event, seat: Seat) -> bool:
    return isinstance(event, told.Readied) and event.seat == seat


def _name(events: Sequence[Event], seat: Seat) -> str:
    """What the client calls its player: as the match did when it began, or by its seat where it had no name."""
    name = ""
    for event in events:
        if isinstance(event, told.Started):
            break
        if isinstance(event, told.Joined | told.Readied) and event.seat == seat:
            name = event.player.name
    return name or f"player{seat + 1}"


def _settings(events: Sequence[Event], speaks: Dialect, seat: Seat, opens: bool) -> dict[str, str]:
    """What the client is set to, so that it asks for the table and the seat that it got."""
    match, rest = begun(events)
    options = match.setting.options
    for moment in further(match, rest):
        if isinstance(moment.event, told.Started):
            options = moment.match.setting.options
            break
    found: dict[str, str] = {}
    if "mode" in speaks.settings:
        found["mode"] = options.mode
    if "tower" in speaks.settings:
        found["tower"] = (options.towers or default_towers(len(match.chairs)))[seat]
    if "game" in speaks.settings:
        found["game"] = match.setting.game.name
        if match.setting.code and opens:
            found["private"] = "yes"
        elif match.setting.code:
            found |= {"match": match.id, "code": SECRET}
    return found


def _without_secrets(event: Event) -> Event:
    match event:
        case told.Opened(code=code) if code:
            return replace(event, code=SECRET)
        case told.Joined(player=player) | told.Readied(player=player) | told.Substituted(player=player) if player.key:
            return replace(event, player=replace(player, key=SECRET))
    return event


def _words(action: Any) -> str:
    return str(action) if isinstance(action, int | str) else msgspec.json.encode(action).decode()
