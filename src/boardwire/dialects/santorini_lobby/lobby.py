"""Login of santorini-lobby: from a new connection to a seat, or to watching.

1. A connection is attached to the lobby that is being filled and receives its size and users [5.1]. If there is none,
   the first client that sends SELECT_PLAYER_NUMBER creates one [5.2].
2. ADD_USER logs in [5.3]. A client that has not logged in when the lobby is full becomes a spectator: it receives all
   events, and its requests are refused.
3. The RESULT of ADD_USER follows USER_JOINED, and GODS_AVAILABLE if gods are still to be chosen, as in the original.
   Other messages caused by the login come after it: clients learn their user name from that RESULT [4].

Two waiting lobbies may be merged. The users of the other one are then announced as if they had joined, once each.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.ask import CHOOSING_GODS
from boardwire.dialects.santorini_lobby.messages import OFFERED_GODS, SIZES
from boardwire.dialects.santorini_lobby.session import ClientSession, ConnectionInput, Unresponsive
from boardwire.dialects.santorini_lobby.tell import UNRESPONSIVE, joined_line, lost_line, tell
from boardwire.dialects.santorini_lobby.users import Users, names_of, users_of
from boardwire.games.game import Seat
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.wish import Wish
from boardwire.lobby.requests import Attend, Depart, Enter, Open, Seek
from boardwire.table.commands import Close
from boardwire.table.events import Joined, Left, Player, Readied
from boardwire.table.guest import NoTable, Refusal, Seated, Step, Tie, Watching
from boardwire.table.match import Match, Status
from boardwire.table.termination import Termination
from boardwire.talk import Gone

NAME: Final = "santorini-lobby"
GAME: Final = "santorini"

_OPTIONS: Final = Options(Draft.CHALLENGER, pool=OFFERED_GODS, bans=False)
"""In the document, the challenger may pick any gods of the list, so no pair is banned."""

_ATTEND: Final = Attend(GAME, NAME, SIZES, Tie.COMPANY)


async def log_in(session: ClientSession) -> Seated | None:
    """Return the client's seat when play begins, or None if the conversation ends without one."""
    attachment = LobbyAttachment(session)
    while not attachment.over:
        received = await session.next_input(attachment.arriving)
        if isinstance(received, wire.Message):
            await attachment.answer(received)
        else:
            attachment.learn(received)
        match, seat = attachment.match, attachment.seat
        if match is not None and seat is not None and match.status is Status.PLAYING:
            return Seated(match, seat)
    return None


class LobbyAttachment:
    """A connection attached to a lobby, before play or without a seat."""

    def __init__(self, session: ClientSession) -> None:
        self.over = False
        self.match: Match | None = None
        self.seat: Seat | None = None
        self._session = session
        self._talk = session.talk
        self._users: Users | None = None
        """The users when the match began."""
        self._announced: set[str] = set()
        """Users announced to the client before the start."""
        self._at_other_table = False
        """Whether the connection is attached to a table that this protocol cannot express."""
        self._logging_in = False
        """Whether an ADD_USER is in flight."""
        self._deferred = b""
        """Lines to send after the RESULT of a login."""
        self._await_lobby()

    async def answer(self, request: wire.Request) -> None:
        """Send the events of a request, then one RESULT; some events of a login follow it (rule 3)."""
        granted = False
        while not granted and not self.over:
            lobby_request = self._lobby_request(request)
            if lobby_request is None:
                break
            match_before = self.match
            granted = await self._request_grant(lobby_request)
            if self.match is match_before:
                break
            # the lobby changed while the request was in flight: judge it again by the new state
        self._talk.say((wire.YES if granted else wire.NO) + self._deferred)
        self._deferred = b""

    def _lobby_request(self, request: wire.Request) -> Open | Enter | None:
        """Return the lobby request for a client's request, or None if it is refused."""
        match = self.match
        if type(request) is wire.SelectPlayerNumber and match is None:
            return _open_request(request.size)
        if type(request) is wire.AddUser and match is not None and match.status is Status.WAITING and self.seat is None:
            return _seat_request(match, request.user.username)
        return None

    async def _request_grant(self, lobby_request: Open | Enter) -> bool:
        """Send a lobby request and handle notifications until its outcome; return whether it was granted."""
        if self._at_other_table and type(lobby_request) is Open:
            self._talk.do(Depart())
        self._talk.do(lobby_request)
        self._logging_in = type(lobby_request) is Enter
        while not self.over:
            notification = await self._session.next_input(busy=True)
            self.learn(notification)
            match notification:
                case Step() if self.seat is not None:
                    return True
                case Refusal():
                    return False
                case Watching() if type(lobby_request) is Open:  # may also arrive while a seat request is in flight
                    return True
        return False

    def learn(self, notification: ConnectionInput) -> None:
        """Handle an input other than a request."""
        if isinstance(notification, NoTable | Watching | Refusal):
            self.arriving = False
        match notification:
            case Step() if self.match is not None:
                self._report_step(self.match, notification)
            case Step():
                if notification.match.status is not Status.WAITING:
                    self._leave_lobby()
            case Seated(match=match, seat=seat):
                if self.seat is not None:
                    self._announce_users(match)
                self.seat = seat  # the step that follows reports it
            case Watching(match=match) if self.match is not None or _is_expressible(match):
                if self.match is None:
                    self._talk.say(wire.encode(wire.SizeSelected(len(match.chairs))))
                self.match, self._at_other_table = match, False
                self._announce_users(match)
            case Watching():
                self._at_other_table = True
            case Unresponsive():
                self._give_up()
            case Gone():
                self.over = True

    def _announce_users(self, match: Match) -> None:
        """Announce the users of a lobby that the client does not know yet."""
        for name, chair in zip(names_of(match), match.chairs, strict=True):
            if chair.player is not None and chair.ready and name not in self._announced:
                self._announced.add(name)
                self._talk.say(joined_line(name))

    def _without_known_users(self, step: Step) -> Step:
        """Return a step before the start without the logins that the client knows; the others are known from now on."""
        moments = []
        for moment in step.moments:
            event = moment.event
            if isinstance(event, Joined | Readied) and moment.match.chairs[event.seat].ready:
                name = names_of(moment.match)[event.seat]
                if name in self._announced:
                    continue
                self._announced.add(name)
            moments.append(moment)
        return step if len(moments) == len(step.moments) else Step(tuple(moments))

    def _report_step(self, before: Match, step: Step) -> None:
        """Report a step to the client; the first one also contains its own login."""
        match = self.match = step.match
        if before.status is Status.WAITING:
            step = self._without_known_users(step)
            if not step.moments:
                return
        users = self._users or users_of(match)
        if self._logging_in and self.seat is not None:
            self._logging_in = False
            lines, self._deferred = self._login_lines(before, step, users, self.seat)
        else:
            lines = tell(before, step, users, self.seat)
        if lines:
            self._talk.say(lines)
        if match.status is Status.PLAYING:
            self._users = users
        elif before.status is Status.WAITING:
            self._handle_step_before_play(before, step)
        else:
            self.over = True

    def _login_lines(self, before: Match, step: Step, users: Users, seat: Seat) -> tuple[bytes, bytes]:
        """Return the lines of the client's own login before its RESULT and after it (rule 3)."""
        pending = step.match.pending
        if pending is None or pending.kind in CHOOSING_GODS:
            return tell(before, step, users, seat), b""
        events = [moment.event for moment in step.moments]
        login = next((n for n, event in enumerate(events) if isinstance(event, Joined) and event.seat == seat), -1) + 1
        login_moments, later_moments = step.moments[:login], step.moments[login:]
        login_lines = tell(before, Step(login_moments), users, seat) if login_moments else b""
        match = login_moments[-1].match if login_moments else before
        return login_lines, tell(match, Step(later_moments), users, seat) if later_moments else b""

    def _handle_step_before_play(self, before: Match, step: Step) -> None:
        """End the conversation when an announced user leaves; replace a lobby whose users were never announced."""
        event = step.moments[0].event
        if isinstance(event, Left) and not before.chairs[event.seat].ready:
            if step.match.status is Status.OVER:
                self._leave_lobby()
        elif step.match.status is Status.OVER or isinstance(event, Left):
            self.over = True

    def _leave_lobby(self) -> None:
        """Leave the table and wait for another lobby."""
        self.match = None
        self._announced.clear()
        self._talk.do(Depart())
        self._await_lobby()

    def _await_lobby(self) -> None:
        """Ask whether there is a lobby; requests wait for the answer."""
        self.arriving = True
        """Whether it is unknown if there is a lobby; requests wait, because their meaning depends on it."""
        self._talk.do(_ATTEND)

    def _give_up(self) -> None:
        """Handle a client that does not answer pings [9]; the lobby ends if all its players use this protocol."""
        match, seat = self.match, self.seat
        name = None if match is None or seat is None else names_of(match)[seat]
        if match is not None and name and all(player is None or player.dialect == NAME for player in match.players):
            self._talk.do(Close(Termination.CONNECTION_LOST, seat))  # the step that follows reports it to all
        else:
            self._talk.say(lost_line(name) if name else UNRESPONSIVE)
            self.over = True


def _is_expressible(match: Match) -> bool:
    """Return whether this protocol can express a table: its size, and the powers that its options fix."""
    if len(match.chairs) not in SIZES:
        return False
    options: Options = match.setting.options
    gods = options.gods
    if options.draft is Draft.POSITION:
        gods = parse_position(options.position).lineup.gods
    return all(god in OFFERED_GODS or god is God.MORTAL for god in gods)


def _open_request(size: int) -> Open | None:
    """Return the request that opens a lobby of this size, or None if the size is invalid."""
    if size not in SIZES:
        return None
    return Open(Seek(GAME, size, Player(dialect=NAME), _OPTIONS, wish=Wish(OFFERED_GODS), tie=Tie.COMPANY))


def _seat_request(match: Match, name: str) -> Enter | None:
    """Return the request for a seat, or None if the name is malformed. The table checks that it is free."""
    if not 1 <= len(name.encode("utf-16-le")) // 2 <= wire.MAX_NAME_UTF16_UNITS or not name.isprintable():
        return None
    return Enter(match.id, Player(name, NAME), wish=Wish(OFFERED_GODS), tie=Tie.COMPANY)
