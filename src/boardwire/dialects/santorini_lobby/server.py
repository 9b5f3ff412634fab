"""The server's end of santorini-lobby.

The conversation, with the sections of the notes on the real program in brackets:

1. A connection is attached to the lobby being filled and is told its size and users [3.1]; if there is none, whoever
   sends SELECT_PLAYER_NUMBER makes one [3.2].
2. ADD_USER logs in [3.3].  When the last user has come the gods on offer are told [3.4]; who has not logged in by then
   watches in silence.
3. SELECT_GODS makes its sender the challenger [3.5], the others CHOOSE_GOD [3.6], the challenger CHOOSE_FIRST_PLAYER
   [3.7], and all PLACE_PAWNS in order of play [3.8].
4. ACTION_READY says who may do what; CHECK_ACTION asks, EXECUTE_ACTION does it [3.9].
5. WIN or SERVER_ERROR is the last word, and every connection of the lobby is closed [8.5].

Each request but PING is answered by exactly one RESULT, after all events it led to; while one is under way later ones
wait in order.  The server pings every five seconds; any line is a sign of life [8.4].
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.answers import ANSWER, GAME, NAME, SIZES, log_in, open_lobby, speakable, speaker
from boardwire.dialects.santorini_lobby.ask import default
from boardwire.dialects.santorini_lobby.ends import UNRESPONSIVE, loss_of, lost
from boardwire.dialects.santorini_lobby.phases import GRANTED, phase
from boardwire.dialects.santorini_lobby.tell import joined, names_of, replay, tell, users
from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.table.commands import Act, AnswerUndo, Close
from boardwire.table.errands import Attend, Depart, Enter, Open
from boardwire.table.events import Acted, Joined, Leaving, Left, Readied, UndoOffered
from boardwire.table.guest import NoTable, Refusal, Seated, Step, Tie, Watching
from boardwire.table.match import Match, Status
from boardwire.talk import Talk, Woke

PING_EVERY: Final = 5.0
PINGS: Final = 3
"""So many unanswered pings, and the connection is given up at the next: after 20 s [3.11]."""

MALFORMED_LIMIT: Final = 100
"""So many unreadable lines in a row end the connection [8.7]."""

_PING: Final = "ping"
_ATTEND: Final = Attend(GAME, NAME, SIZES, Tie.COMPANY)


async def serve(talk: Talk[Any]) -> None:
    """Take one client through one lobby."""
    visit = Visit(talk)
    while not visit.over:
        heard = await talk.hear()
        if type(heard) is bytes:
            await visit.answer(heard)
        else:
            visit.learn(heard)


class Visit:
    """One connection's way through a lobby: the match it is attached to, its seat and name once it has logged in."""

    def __init__(self, talk: Talk[Any]) -> None:
        self.over = False
        self._talk = talk
        self._match: Match | None = None
        self._names: tuple[str, ...] = ()
        """The players, as they were when the match began: what a client was told stays true if a bot takes over."""
        self._seat: Seat | None = None
        self._users: set[str] = set()
        """The users that the client was told of before the start."""
        self._elsewhere = False
        """Attached to a table that this protocol has no words for."""
        self._silent = 0
        self._malformed = 0
        self._offered: Act | None = None
        """An answer that was given for the player."""
        talk.wake(PING_EVERY, _PING)
        talk.do(_ATTEND)

    # --- requests -------------------------------------------------------------------------------------------------

    async def answer(self, line: bytes) -> None:
        """One line of the client's: one RESULT, unless it is a ping."""
        self._silent = 0
        try:
            request = wire.parse_request(line)
        except Malformed:
            self._talk.say(wire.NO)
            self._malformed += 1
            self.over = self._malformed >= MALFORMED_LIMIT
            return
        self._malformed = 0
        if type(request) is wire.Ping:
            return
        granted = False
        while not self.over:
            command = self._command(request)
            if command is None or type(request) is wire.CheckAction:
                granted = command is not None
                break
            seen = self._match
            granted = await self._done(command)
            if granted or self._match is seen:
                break
            # the match moved on while the request was under way: judge it again by the new state
        self._talk.say(wire.YES if granted else wire.NO)

    def _command(self, request: Any) -> Act | Open | Enter | None:
        """What the request asks of the house, None if it is refused out of hand."""
        match, seat, content = self._match, self._seat, request.content
        if type(request) not in GRANTED[phase(match, seat)]:
            return None
        if match is None:
            return open_lobby(content)
        if seat is None:
            return log_in(match, content)
        if speaker(content) != self._names[seat]:
            return None  # a user is bound to its connection [8.8]
        return ANSWER[type(request)](match, seat, self._names, content)

    async def _done(self, command: Act | Open | Enter) -> bool:
        """Ask for it, and hear all news up to its outcome."""
        talk = self._talk
        if self._elsewhere and isinstance(command, Open):
            talk.do(Depart())
        talk.do(command)
        while not self.over:
            news = await talk.news()
            self.learn(news)
            if type(news) is Step:
                if self._is_mine(news, command):
                    return True
            elif isinstance(news, Refusal):
                if news.command is not self._offered:
                    return False
            elif isinstance(news, Watching):
                return isinstance(command, Open)
        return False

    def _is_mine(self, step: Step, command: Act | Open | Enter) -> bool:
        event = step.moments[0].event
        if type(command) is Act:
            return type(event) is Acted and event.seat == self._seat and event.action == command.actions[0]
        return self._seat is not None

    # --- news -----------------------------------------------------------------------------------------------------

    def learn(self, news: Any) -> None:
        """Anything but a message."""
        if type(news) is Step:
            if self._match is not None:
                self._follow(self._match, news)
            elif news.match.status is not Status.WAITING:
                self._look_elsewhere()
            return
        match news:
            case Seated(match=match, seat=seat):
                if self._seat is not None:
                    self._meet(match)
                self._seat = seat  # the step that follows tells how the match came there
            case Watching(match=match) if self._match is not None:
                self._match = match
                self._meet(match)
            case Watching(match=match):
                self._elsewhere = not speakable(match)
                if not self._elsewhere:
                    self._match = match
                    self._users = set(users(match))
                    self._talk.say(replay(match))
            case NoTable() | Refusal():
                pass
            case Woke():
                self._tick()
            case Malformed():
                self._talk.say(wire.NO)
                self.over = True
            case _:
                self.over = True  # the peer is gone

    def _meet(self, match: Match) -> None:
        """Two lobbies that wait are made one: the users of the other are told as if they had come to this one."""
        for name in users(match):
            if name not in self._users:
                self._users.add(name)
                self._talk.say(joined(name))

    def _unheard(self, step: Step) -> Step:
        """A step before the start without the coming of users that the client was told of in its former lobby."""
        kept = []
        for moment in step.moments:
            event = moment.event
            if isinstance(event, Joined | Readied) and moment.match.chairs[event.seat].ready:
                name = names_of(moment.match)[event.seat]
                if name in self._users:
                    continue
                self._users.add(name)
            kept.append(moment)
        return step if len(kept) == len(step.moments) else Step(tuple(kept))

    def _follow(self, before: Match, step: Step) -> None:
        match = self._match = step.match
        if before.status is Status.WAITING:
            step = self._unheard(step)
            if not step.moments:
                return
        if self._names:
            names = self._names
        else:
            names = names_of(match)
            if match.status is Status.PLAYING:
                self._names = names
        said = tell(before, step, names, self._seat)
        if said:
            self._talk.say(said)
        if match.status is Status.PLAYING:
            self._offer(match, step)
        elif before.status is Status.WAITING:
            self._before_play(before, step)
        else:
            self.over = True

    def _before_play(self, before: Match, step: Step) -> None:
        """A lobby that a user has left is at its end; one that nobody was told of is as if it had never been."""
        event = step.moments[0].event
        if isinstance(event, Left) and not before.chairs[event.seat].ready:
            if step.match.status is Status.OVER:
                self._look_elsewhere()
        elif step.match.status is Status.OVER or isinstance(event, Left):
            self.over = True

    def _look_elsewhere(self) -> None:
        self._match = None
        self._talk.do(Depart())
        self._talk.do(_ATTEND)

    def _offer(self, match: Match, step: Step) -> None:
        """Answer for the player what this protocol cannot ask."""
        seat = self._seat
        if seat is None:
            return
        action = default(match, seat)
        if action is not None:
            self._offered = Act(seat, (action,), match.seq)
            self._talk.do(self._offered)
        if type(step.moments[-1].event) is UndoOffered and seat not in match.agreed:
            self._talk.do(AnswerUndo(seat, agree=False))

    # --- pings ----------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        if self._silent < PINGS:
            self._silent += 1
            self._talk.say(wire.PING)
            self._talk.wake(PING_EVERY, _PING)
        else:
            self._give_up()

    def _give_up(self) -> None:
        """The client answers no pings [3.11]."""
        match, seat = self._match, self._seat
        if match is None or seat is None:
            self._talk.say(UNRESPONSIVE)
            self.over = True
            return
        name = names_of(match)[seat] if not self._names else self._names[seat]
        if self._ends_all(match):
            self._talk.do(Close(loss_of(name)))  # the step that follows tells it to everybody
        else:
            self._talk.say(lost(name))
            self.over = True

    def _ends_all(self, match: Match) -> bool:
        """Whether the loss of one is the end for all: as the policy says; before play, if all know only this way."""
        if match.status is Status.PLAYING:
            return match.setting.policy.leaving is Leaving.ENDS and seat_is_in(match, self._seat)
        return all(player is None or player.dialect == NAME for player in match.players)


def seat_is_in(match: Match, seat: Seat | None) -> bool:
    """Whether the player at `seat` has not been eliminated."""
    return seat is not None and not match.position.out >> seat & 1
