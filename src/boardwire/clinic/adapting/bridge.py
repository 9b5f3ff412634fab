"""One client on a foreign server of another protocol.

Our own server's script faces the client, at a table of a house that it has for itself; our own client's script faces
the foreign server.  Between them a match of ours follows the foreign one.  Rules:

- The foreign server is the authority.  What the client does is done at our table only when the foreign match shows it;
  what is refused there is refused here, in the words of the client's own protocol.
- The client waits at a table of its own until the foreign match has begun; then it is brought to the table that follows
  it, where puppets have the seats of all others.
- What one of the protocols cannot say is answered by its declared default, and told once (`say`).
- Where the foreign match goes a way that our rules do not know, it is broken off, and told.
- A connection that is lost is lost on the other side too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from boardwire import games
from boardwire.clinic.adapting.likeness import Likeness, Sight, likeness
from boardwire.clinic.adapting.pursuit import Course, begin, pursue
from boardwire.dialects.dialect import Ask, Dialect, Glimpse, Over, Players, Result, Seating, Show, Strange
from boardwire.errors import BoardwireError, Illegal, Malformed, Refused
from boardwire.games.eriantys import Mode
from boardwire.games.game import CHANCE, Decision, Idle, Outcome, Seat
from boardwire.games.santorini.actions import DONE
from boardwire.store.memory import MemoryJournal
from boardwire.table.commands import Act, AnswerUndo, Chat, Close, OfferUndo, Resign
from boardwire.table.decide import decide
from boardwire.table.errands import Depart, Enter, Rematch, Seek
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Refusal, Tie
from boardwire.table.lobby import Lobby
from boardwire.table.match import Status
from boardwire.table.policy import Policy
from boardwire.table.ports import Clock, Timer
from boardwire.table.table import Table
from boardwire.table.termination import Termination
from boardwire.testing.luck import CountedNames

PONDER_SECONDS: Final = 0.05
"""How long a question may stand alone before it is taken for all that is told."""
IDLE_SECONDS: Final = 2.0
"""How long others have for what anybody may choose, before it is chosen for a client that is not asked."""
LOST_SECONDS: Final = 5.0
"""How long a foreign match may look like none of ours before it is broken off."""


class FarEnd(Protocol):
    """Our client on the foreign server."""

    def answer(self, action: Any, /) -> None:
        """The player's choice."""

    def hang_up(self) -> None:
        """Leave."""


class Bridge:
    """See the module.  `call` connects to the foreign server as the player that is described, whose news come to
    `hear`; `say` tells whoever runs the adapter."""

    def __init__(
        self,
        guest: Guest,
        near: Dialect,
        far: Dialect,
        clock: Clock,
        call: Callable[[Seating], None],
        say: Callable[[str], None],
    ) -> None:
        self._guest = guest
        self._near = near
        self._far = far
        self._name = far.game or near.game
        self._game = games.game(self._name)
        self._like: Likeness = likeness(self._name)
        self._clock = clock
        self._call = call
        self._say = say
        self._house = Lobby(MemoryJournal(), clock, self, CountedNames())
        self._called = False
        self._held: Seek | None = None
        """A seat that is asked for and not given before the foreign server has given one."""
        self._table: Table | None = None
        """The one that follows the foreign match."""
        self._puppets: dict[Seat, Guest] = {}
        self._seat: Seat = 0
        self._wish: Any = None
        self._end: FarEnd | None = None
        self._players = Players()
        self._sight: Sight | None = None
        self._ask: Ask | None = None
        """The foreign question that is open."""
        self._stood: Ask | None = None
        """The one that our client was brought to."""
        self._acting: Act | None = None
        self._early: tuple[Act, bool] | None = None
        """What the client has done before the foreign server asks, and whether its script did so by itself."""
        self._queue: deque[Any] = deque()
        """What of it has not been said to the foreign server yet."""
        self._promised: list[Any] = []
        """What was done at our table before the foreign server is told, because its question needs more."""
        self._before: list[Any] = []
        """What the foreign server has taken of an act whose rest it refused."""
        self._trail: list[Any] = []
        """What our client has done since another was to act: a foreign server that refuses a later part of what our far
        client gathers is told it again."""
        self._luck: deque[Any] = deque()
        self._told: set[str] = set()
        self._lost: Timer | None = None
        self._over = False
        self._busy = False
        self._later: deque[Callable[[], None]] = deque()

    # --- one thing after the other ----------------------------------------------------------------------------------

    def _do(self, call: Callable[[], None]) -> None:
        """Make a call when the one that is being made is done."""
        self._later.append(call)
        if self._busy:
            return
        self._busy = True
        try:
            while self._later:
                self._later.popleft()()
        finally:
            self._busy = False

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._say(text)

    # --- the client's side --------------------------------------------------------------------------------------------

    def do(self, request: Any) -> None:
        """The client's script asks something of the lobby or its table."""
        if self._table is not None and self._guest.table is self._table:
            by_itself = self._busy
            self._do(lambda: self._at_table(request, by_itself=by_itself))
        elif isinstance(request, Seek) and request.game != self._name:
            reason = Refused(f"only {self._name} is played here, on another server")
            self._guest.tell(Refusal(request, reason))
        elif isinstance(request, Seek) and request.tie is Tie.SEAT:
            self._held = request
            self._connect(request.player.name, request.seats, request.options, request.wish)
        else:
            self._house.do(self._guest, request)
            self._wait()

    def goodbye(self) -> None:
        """The client is gone."""
        self._over = True
        self._house.goodbye(self._guest)
        self._part()

    def _part(self) -> None:
        self._over = True
        if self._lost is not None:
            self._lost.cancel()
            self._lost = None
        end, self._end = self._end, None
        if end is not None:
            end.hang_up()

    def _wait(self) -> None:
        """See whether the client has said who it is and what it wants; until then the far server hears nothing."""
        table = self._guest.table
        seat = None if table is None else table.seat_of(self._guest)
        if self._called or table is None or seat is None:
            return
        chair = table.match.chairs[seat]
        if not chair.ready and None in table.match.players:  # some protocols ask for names when a table is full
            for _ in range(table.match.players.count(None)):
                crowd = Guest(lambda news: None)
                self._house.do(crowd, Enter(table.match.id, Player(dialect=self._far.name), ready=False))
        chair = table.match.chairs[seat]
        if chair.ready and chair.player is not None and table.match.status is Status.WAITING:
            self._connect(chair.player.name, len(table.match.chairs), table.match.setting.options, chair.wish)

    def _connect(self, name: str, seats: int, options: Any, wish: Any) -> None:
        if self._called:
            return
        self._called = True
        settings = {}
        for key, value in (("mode", getattr(options, "mode", "")), ("tower", getattr(wish, "tower", ""))):
            if value and key in self._far.settings:
                settings[key] = str(value)
        if self._far.name == "eriantys-objects" and settings.get("mode") == Mode.EXPERT:
            self._tell_once(
                "eriantys-objects shows the characters of an expert match too late: simplified is asked for"
            )
            settings["mode"] = Mode.SIMPLIFIED.value
        if "game" in self._far.settings:
            settings["game"] = self._name
        if "options" in self._far.settings and hasattr(options, "mode"):
            settings["options"] = msgspec.json.encode({"mode": options.mode}).decode()
        self._call(Seating(name or "player", seats, settings))

    def _at_table(self, request: Any, *, by_itself: bool) -> None:
        match request:
            case Act() if not self._over:
                self._act(request, by_itself=by_itself)
            case Resign():
                self._tell_once(f"{self._far.name} has no word for giving up: the connection is closed instead")
                self._house.do(self._guest, request)
                self._part()
            case Chat() | OfferUndo() | Rematch():
                what = type(request).__name__.lower()
                self._tell_once(f"{self._far.name} is not told what this adapter cannot say there: {what}")
                self._guest.tell(Refusal(request, Refused("that cannot be said to the server on the other side")))
            case AnswerUndo():
                pass  # nothing was offered
            case Depart():
                self._house.do(self._guest, request)
                self._part()
            case _:
                self._house.do(self._guest, request)

    def _act(self, act: Act, *, by_itself: bool) -> None:
        table = self._table
        assert table is not None, "whoever acts sits"
        pending = table.match.pending
        if self._ask is None or self._ask is not self._stood:
            self._early = act, by_itself  # until it is known how the foreign match stands
            return
        try:
            decide(table.match, act, self._clock.now())
        except BoardwireError:
            self._house.do(self._guest, act)  # which refuses it
            return
        if by_itself and pending is not None and self._near.game:  # our own protocol has a question for everything
            kind = str(pending.kind)
            self._tell_once(f"{self._near.name} has no question for {kind}: answered as its page declares")
        self._acting = act
        self._queue = deque((*self._promised, *act.actions))
        while self._before and self._queue and self._queue[0] == self._before[0]:
            self._queue.popleft()
            self._before.pop(0)
        if self._before:
            self._refuse("the server has already taken another choice of yours")
            return
        self._feed()

    def _feed(self) -> None:
        """Say the next of the client's actions to the foreign server, if it asks."""
        ask, table, end = self._ask, self._table, self._end
        if ask is None or table is None or end is None or not self._queue:
            return
        action, act = self._queue[0], self._acting
        position = table.match.position
        if act is not None and not self._promised and self._like.tells_too_little(position, action, ask):
            after = decide(table.match, act, self._clock.now())[-1].match
            if after.pending is not None and self._seat in after.pending.seats:
                self._promised = [*self._queue]
                self._queue.clear()
                self._acting = None
                table.do(self._guest, act)
                return
        answer = self._like.there(position, tuple(self._queue), ask)
        if answer is None and self._promised:
            self._give_up()
            return
        if answer is None:
            self._refuse(f"the server does not take {self._game.format_action(action)} now")
            return
        self._ask = None
        if type(answer) is type(action):
            self._queue.popleft()
        else:
            told = (
                f"{self._far.name} asks more than {self._near.name} says: answered {self._game.format_action(answer)}"
            )
            self._tell_once(told)
        end.answer(answer)

    def _refuse(self, why: str) -> None:
        act, self._acting = self._acting, None
        if act is not None:
            taken = len(act.actions) - len(self._queue) - 1
            self._before = list(act.actions[: max(0, taken)])
            self._queue.clear()
            self._guest.tell(Refusal(act, Illegal(why)))

    # --- the foreign side ---------------------------------------------------------------------------------------------

    def connected(self, end: FarEnd) -> None:
        """The foreign server has taken the call."""
        self._end = end
        if self._over:
            self._part()

    def failed(self, why: BoardwireError) -> None:
        """It has not."""
        self._say(str(why))
        self._close(why)

    def hear(self, news: Any) -> None:
        """News of the foreign match."""
        if not self._over:
            self._do(lambda: self._hear(news))

    def _hear(self, news: Any) -> None:
        if self._over:
            return
        match news:
            case Players():
                self._players = news
            case Strange(text=text):
                self._say(text)
            case Ask():
                self._asked(news)
            case Show(view=view) if view is not None:
                self._ask = None
                self._see(view)
            case Glimpse(look=look):
                self._see(look())
            case Over():
                self._finish(news)

    def _sighted(self, view: Any) -> Sight:
        return Sight(self._game, self._far, view, self._players, self._ask)

    def _asked(self, ask: Ask) -> None:
        self._ask = ask
        if ask.again and self._promised:
            self._give_up()  # what was done at our table cannot be taken back
            return
        if ask.again and self._acting is not None:
            self._stood = ask
            self._refuse(ask.again)
            if self._table is not None and self._like.distance(self._table.match.position, self._sighted(ask.view)):
                self._queue = deque(self._trail)
                self._feed()
            return
        if self._queue:
            self._feed()
            return
        self._sight = self._sighted(ask.view)
        if self._catch_up(wide=False):
            self._go_on()
        else:
            self._ponder(ask)

    def _go_on(self) -> None:
        """Our match stands like the foreign one: see whether the client has answered already."""
        early, self._early = self._early, None
        if early is not None:
            act, by_itself = early
            self._act(act, by_itself=by_itself)
        elif self._table is not None and self._ask is not None:
            ask, chosen = self._ask, self._unasked(self._table)
            if chosen:
                self._clock.later(IDLE_SECONDS, lambda: self._do(lambda: self._choose_unasked(ask)))

    def _unasked(self, table: Table) -> Sequence[Any]:
        return self._like.unasked(table.match.position, self._seat, self._near, self._wish)

    def _choose_unasked(self, ask: Ask) -> None:
        """Nobody else has chosen: do it for the client, which is not asked."""
        table = self._table
        if table is not None and self._ask is ask and self._acting is None and not self._over:
            chosen = self._unasked(table)
            if chosen:
                self._act(Act(self._seat, tuple(chosen)), by_itself=True)

    def _ponder(self, ask: Ask) -> None:
        """Wait a moment, because more may be on its way, before a longer search."""

        def search() -> None:
            if self._ask is ask and self._stood is not ask and not self._over and not self._queue:
                self._do(lambda: self._search(ask))

        self._clock.later(PONDER_SECONDS, search)

    def _search(self, ask: Ask) -> None:
        if self._ask is not ask:
            return
        while not (there := self._catch_up(wide=True)) and self._take_back():
            pass
        if there:
            self._go_on()
        elif DONE in ask.decision.choices and self._table is not None and self._stands():
            self._tell_once(f"{self._far.name} asks whether there is more where there is nothing: answered no")
            self._answer(DONE)

    def _take_back(self) -> bool:
        """Take back what the client has proposed, if it can be told so: another player has proposed first, and what was
        gathered here was never said there."""
        table = self._table
        if table is None or not table.match.setting.policy.undo or self._acting is not None:
            return False
        if not self._like.is_gathering(table.match.position):
            return False
        before = table.match.moved
        table.do(self._guest, OfferUndo(self._seat))
        for seat, puppet in self._puppets.items():
            table.do(puppet, AnswerUndo(seat, agree=True))
        return table.match.moved != before

    def _answer(self, action: Any) -> None:
        self._ask = None
        if self._end is not None:
            self._end.answer(action)

    def _stands(self) -> bool:
        """Whether our match looks like the foreign one, and somebody else is to act."""
        sight = self._sight
        assert self._table is not None, "asked where there is a table"
        assert sight is not None, "asked where there is a table"
        match = self._table.match
        pending = match.pending
        asked = pending is not None and self._seat in pending.seats
        return not asked and self._acting is None and self._like.distance(match.position, sight) == 0

    def _see(self, view: Any) -> None:
        if view is None or self._queue or (self._promised and self._acting is None):
            return
        self._sight = self._sighted(view)
        if self._catch_up(wide=False):
            self._go_on()
        elif self._ask is not None:
            self._ponder(self._ask)

    def _reached(self, sight: Sight) -> Callable[[Any], bool]:
        game, like, ask = self._game, self._like, sight.ask

        def reached(position: Any) -> bool:
            decision: Decision[Any] | None = game.pending(position)
            if ask is None:
                return decision is None or CHANCE not in decision.seats
            return decision is not None and sight.seat in decision.seats and like.fits(position, decision, ask)

        return reached

    def _catch_up(self, *, wide: bool) -> bool:
        """Let our match come to where the foreign one is, if that can be told; True if it is there."""
        sight = self._sight
        assert sight is not None, "there is something to be seen"
        if self._table is None:
            return self._start(sight, wide=wide)
        return self._follow(self._table, sight, self._reached(sight), wide=wide)

    def _is_mine(self, position: Any) -> bool:
        decision: Decision[Any] | None = self._game.pending(position)
        return decision is not None and self._seat in decision.seats

    def _follow(
        self, table: Table, sight: Sight, reached: Callable[[Any], bool], *, wide: bool, over: bool = False
    ) -> bool:
        if table.match.status is not Status.PLAYING:
            return False
        here = Course(table.match.position)
        act = self._acting
        starts = [here] if act is None else begin(sight, self._like, here, self._seat, act.actions)
        found = pursue(sight, self._like, starts, reached, wide=False)
        if not found and wide:
            found = pursue(sight, self._like, starts, reached, wide=True)
        if not found:
            if wide:
                self._watch()
            return False
        if len({course.position for course in found}) > 1 and not wide:
            return False  # what comes next will tell
        if sight.ask is None and not over and self._is_mine(found[0].position):
            return False  # the foreign server has not asked our client yet, and may not
        self._found()
        self._play(table, found[0], act)
        self._stood = self._ask
        return True

    def _watch(self) -> None:
        """It is not known how the match stands: for a while that may be because not all has been told."""
        if self._lost is None:
            self._lost = self._clock.later(LOST_SECONDS, self._give_up)

    def _found(self) -> None:
        if self._lost is not None:
            self._lost.cancel()
            self._lost = None

    def _give_up(self) -> None:
        self._lost = None
        if not self._over:
            self._say(f"the match on the {self._far.name} server goes a way that our rules do not know; it is left")
            self._break_off()

    def _play(self, table: Table, course: Course, act: Act | None) -> None:
        """Do at our table what happened at the foreign one."""
        deeds = list(course.deeds)
        self._luck.extend(action for seat, action in deeds if seat == CHANCE)
        chosen = [(seat, action) for seat, action in deeds if seat != CHANCE]
        if act is not None:
            self._acting, self._before, self._promised = None, [], []
            own = list(act.actions)
            del chosen[: len(own)]
            while chosen and chosen[0][0] == self._seat and chosen[0][1] is not Idle.RESIGNS:
                own.append(chosen.pop(0)[1])  # in one step: the client is not asked what is decided already
            self._trail += own
            table.do(self._guest, act if len(own) == len(act.actions) else Act(self._seat, tuple(own)))
        for seat, action in chosen:
            if seat == self._seat and action is not Idle.RESIGNS:
                self._tell_once(f"{self._far.name} has gone on by itself: {self._game.format_action(action)}")
                self._trail.append(action)
            elif seat != self._seat:
                self._trail.clear()
            guest = self._guest if seat == self._seat else self._puppets[seat]
            table.do(guest, Resign(seat) if action is Idle.RESIGNS else Act(seat, (action,)))

    def deal(self, decision: Decision[Any]) -> Any:
        """What the foreign match has dealt."""
        if not self._luck:
            raise Malformed("nothing is known of what was dealt")
        return self._luck.popleft()

    # --- the beginning ------------------------------------------------------------------------------------------------

    def _start(self, sight: Sight, *, wide: bool) -> bool:
        """Open the table that follows the foreign match, and bring the client there, once enough is known of it."""
        seat, count = sight.seat, self._like.seats(sight)
        if seat is None or not count:
            return False
        wish, wanted = self._wanted()
        if count < wanted:
            return False  # not everybody's board has been shown
        if wanted and wanted != count:
            self._say(f"the {self._far.name} server plays with {count}, and the client wants {wanted} players")
            self._break_off()
            return False
        odd = self._like.strange(sight, wish)
        if odd:
            self._tell_once(f"the page of {self._near.name} does not have {odd}")
        brought = self._like.bring(wish)
        wishes = tuple(brought if one == seat else None for one in range(count))
        for number, options in enumerate(self._like.options(sight, wish)):
            if number and not wide:
                break  # what is unlikely is believed when nothing else can be
            start = Course(self._game.new(self._game.settle(options, wishes), count))
            found = pursue(sight, self._like, [start], self._reached(sight), wide=wide)
            if found and (wide or len({course.position for course in found}) == 1):
                self._found()
                self._open(sight, seat, count, options, found[0])
                self._stood = self._ask
                return True
        if wide:
            self._watch()
        return False

    def _wanted(self) -> tuple[Any, int]:
        """What the client brings along, and for how many it wants to play."""
        if self._held is not None:
            return self._held.wish, self._held.seats
        table = self._guest.table
        seat = None if table is None else table.seat_of(self._guest)
        if table is None or seat is None:
            return None, 0
        return table.match.chairs[seat].wish, len(table.match.chairs)

    def _open(self, sight: Sight, seat: Seat, count: int, options: Any, course: Course) -> None:
        self._seat = seat
        old, held = self._guest.table, self._held
        if held is not None:
            player, wish = held.player, held.wish
        else:
            assert old is not None, "whoever waits has a table"
            own = old.seat_of(self._guest)
            assert own is not None, "and a seat there"
            chair = old.match.chairs[own]
            assert chair.player is not None, "where it sits"
            player, wish = chair.player, chair.wish
        self._wish, wish = wish, self._like.bring(wish)
        tie = self._guest.tie
        if old is not None:
            old.leave(self._guest)
        self._luck.extend(action for one, action in course.deeds if one == CHANCE)
        rest = Course(course.position, tuple(deed for deed in course.deeds if deed[0] != CHANCE))
        policy = Policy(undo=not self._near.game)  # only our own protocol has words for an undo
        others = [one for one in range(count) if one != seat]
        seek = Seek(self._name, count, player, options, policy, fresh=True, named=True, seat=seat, wish=wish)
        match = ""
        for one in others:
            guest = self._puppets[one] = Guest(lambda news: None)
            puppet = Player(self._called_there(one, player.name), self._far.name)
            if not match:
                self._house.do(guest, replace(seek, player=puppet, seat=one, wish=None))
                assert guest.table is not None, "a table that could not be played at is not begun"
                self._table = guest.table
                match = guest.table.match.id
            else:
                self._house.do(guest, Enter(match, puppet, seat=one))
        if tie is Tie.COMPANY and self._table is not None:
            self._table.watch(self._guest)
        if match:
            self._house.do(self._guest, Enter(match, player, wish=wish, seat=seat, tie=tie))
        else:
            self._house.do(self._guest, seek)
            self._table = self._guest.table
        self._held = None
        if self._table is not None:
            self._play(self._table, rest, None)

    def _called_there(self, seat: Seat, own: str) -> str:
        """What another player is called here: not as our client, who may have another name there."""
        name = self._players.names[seat] if seat < len(self._players.names) else ""
        if not name and self._name not in ("tris", "forza"):
            name = f"player {seat + 1}"
        return f"{name}'" if name and name == own else name

    # --- the end ------------------------------------------------------------------------------------------------------

    def _finish(self, over: Over) -> None:
        self._ask = None
        self._queue.clear()
        if self._table is None:
            self._say(f"the {self._far.name} server has ended it before it began: {over.text}")
            self._close(Refused(over.text))
            return
        if over.view is not None and over.result is not Result.BROKEN_OFF:
            self._sight = self._sighted(over.view)
            self._follow(
                self._table, self._sight, lambda position: self._ended(position, over.result), wide=True, over=True
            )
        if self._table.match.status is Status.PLAYING:
            self._declare(over)
        self._part()

    def _ended(self, position: Any, result: Result) -> bool:
        outcome: Outcome | None = self._game.outcome(position)
        if outcome is None:
            return False
        if result is Result.DRAWN:
            return not outcome.winners or len(outcome.winners) > 1
        return (self._seat in outcome.winners) is (result is Result.WON)

    def _declare(self, over: Over) -> None:
        """The foreign server says that it is over, and the board does not."""
        table = self._table
        assert table is not None, "it has begun"
        if over.result is Result.WON:
            for seat, puppet in self._puppets.items():
                if table.match.status is Status.PLAYING:
                    table.do(puppet, Resign(seat))
        elif over.result is Result.LOST:
            table.do(self._guest, Resign(self._seat))
        if table.match.status is Status.PLAYING:
            self._break_off()

    def _break_off(self) -> None:
        """End the client's match without a result, and leave the foreign one."""
        table = self._table
        if table is not None and table.match.status is Status.PLAYING:
            table.do(None, Close(Termination.CONNECTION_LOST, next(iter(self._puppets), None)))
        else:
            self._close(Refused("the match on the other server cannot be played here"))
        self._part()

    def _close(self, why: BoardwireError) -> None:
        """End the client's conversation before its match has begun."""
        held, self._held = self._held, None
        if held is not None:
            self._guest.tell(Refusal(held, why))
        table = self._guest.table
        if table is not None and table.match.status is Status.WAITING:
            table.do(None, Close(Termination.CONNECTION_LOST))
        self._guest.close(why)
        self._part()
