"""The server's end of eriantys-messages.

1. LoginRequest gets LoginReply; PlayerNicknameMessage then says what to play, and seats the player [r1].
2. When the table is full the match begins: everything is displayed to everybody.
3. Planning, then turns: the player who is asked is told so by a TextMessage, sends its message, and what changed is
   displayed to all [r4].
4. WinMessage to all; the client answers EndGameMessage; the connection ends after it or after 5 s [r7].

A message that is refused changes nothing and is told to its sender alone [r3, r5, r6].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.eriantys_messages.display import TURN_OVER, Scene, deck, display
from boardwire.dialects.eriantys_messages.play import DEFAULTS, MOVES, actions, default, question, refusal, unreadable
from boardwire.errors import BoardwireError, Illegal, Malformed
from boardwire.games.eriantys import CloudTime, Kind, Mode, Options, View, Wish
from boardwire.games.eriantys import events as game
from boardwire.games.game import Outcome, Seat
from boardwire.table import events as told
from boardwire.table.commands import Act, AnswerUndo
from boardwire.table.errands import Seek
from boardwire.table.events import Leaving, Player
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.table.match import Match
from boardwire.talk import Gone, Talk, Woke

NAME: Final = "eriantys-messages"
NICKNAME_LIMIT: Final = 32
"""The longest name of a player, in characters."""
FAULT_LIMIT: Final = 10  # [r6]
"""How many messages that cannot be read end the connection."""
PING_SECONDS: Final = 5.0  # [r8]
SILENCE_SECONDS: Final = 15.0
GOODBYE_SECONDS: Final = 5.0  # [r7]
PLAYERS: Final = (2, 3, 4)
_TOWERS: Final = {2: 8, 3: 6, 4: 8}


class Conversation:
    """What the server knows of one client."""

    def __init__(self, talk: Talk[Any]) -> None:
        self.talk = talk
        self.nickname = ""
        self.tower = ""
        self.seat: Seat | None = None
        self.match: Match | None = None
        self.names: tuple[str, ...] = ()
        """The players, as they were when the match began: what a client was told stays true if a bot takes over."""
        self.view: View | None = None
        self.asked: Kind | None = None
        self.waiting: say.Request | None = None
        """The message whose outcome is not known yet."""
        self.faults = 0

    def send(self, *messages: say.Reply) -> None:
        """Say these messages."""
        self.talk.say(b"".join(map(say.encode, messages)))

    def inform(self, text: str) -> None:
        """Tell this client something [r6]."""
        self.send(say.TextMessage(nickname=self.nickname, text=text))

    def refuse(self, reason: str) -> None:
        """Tell this client why its message was not taken, where the document has no message for it [r6]."""
        self.send(say.TextMessage(nickname=self.nickname, text=reason, ask=say.REFUSED))

    def ask(self, request: say.Request, command: Seek | Act) -> None:
        """Ask the house for what a message wants; further messages wait for the answer."""
        self.waiting = request
        self.talk.do(command)


async def serve(talk: Talk[Any]) -> None:
    """One client, from its login to the end of its match."""
    chat = Conversation(talk)
    talk.wake(PING_SECONDS, "ping")
    talk.wake(SILENCE_SECONDS, "silence")
    while True:
        heard = await (talk.hear() if chat.waiting is None else talk.news())  # messages wait for their turn
        match heard:
            case bytes(line):
                talk.wake(SILENCE_SECONDS, "silence")
                _hear(chat, line)
                if chat.faults >= FAULT_LIMIT:
                    return
            case Woke("ping"):
                talk.wake(PING_SECONDS, "ping")
                chat.send(say.PingMessage(nickname=chat.nickname))
            case Step():
                _step(chat, heard)
                if heard.match.outcome is not None:
                    await _end(chat, heard.match)
                    return
            case Seated(match=table, seat=seat):
                _seated(chat, table, seat)
            case Refusal(command=command, reason=reason):
                if not _is_unasked(chat, command):
                    _refused(chat, reason)
            case Malformed():
                chat.send(unreadable(heard, chat.nickname))  # a line without end: nothing after it can be read
                return
            case Gone() | Woke():
                return


def _hear(chat: Conversation, line: bytes) -> None:
    try:
        request = say.decode_request(line)
        if type(request) in MOVES:
            _move(chat, request)
        else:
            REQUESTS[type(request)](chat, request)
    except Malformed as error:
        chat.faults += 1
        chat.send(unreadable(error, chat.nickname))


# --- login [r1] -----------------------------------------------------------------------------------------------------


def _login(chat: Conversation, request: say.LoginRequest) -> None:
    accepted = chat.seat is None and _is_name(request.nickname)
    if accepted:
        chat.nickname = request.nickname
    chat.send(say.LoginReply(nickname=request.nickname, nicknameAccepted=accepted, connectionSuccessful=True))


def _is_name(nickname: str) -> bool:
    return 0 < len(nickname) <= NICKNAME_LIMIT and nickname.isprintable() and nickname == nickname.strip()


def _register(chat: Conversation, request: say.PlayerNicknameMessage) -> None:
    nickname = request.nickname or chat.nickname
    tower = say.TOWERS.get(request.colorTower.upper())
    mode = request.gameMode.lower()
    if not chat.nickname:
        chat.refuse("log in first, with a LoginRequest")
    elif chat.seat is not None:
        chat.refuse("you sit at a table already")
    elif not _is_name(nickname):
        chat.send(say.InvalidNicknameMessage(nickname=nickname))
    elif request.numPlayers not in PLAYERS or mode not in Mode._value2member_map_:
        chat.refuse("numPlayers is 2, 3 or 4, gameMode simplified or expert")
    elif tower is None:
        chat.send(say.InvalidTowerMessage(nickname=nickname))
    else:
        chat.nickname, chat.tower = nickname, tower.name
        options = Options(Mode(mode), CloudTime.EITHER)  # [r2]
        player = Player(nickname, NAME)
        wish = Wish(tower)
        seek = Seek("eriantys", request.numPlayers, player, options, terms=(mode,), wish=wish, returns=True)
        chat.ask(request, seek)  # [r9] whoever left is known by its nickname


def _seated(chat: Conversation, match: Match, seat: Seat) -> None:
    """The tower and the deck at once; the board when the match begins, because only then there is one.  They are the
    same if the player is brought to another table where somebody waits.

    Whoever comes back to its seat [r9] gets the tower and the cards it has there."""
    told_already, chat.seat, chat.match, chat.waiting = chat.seat is not None, seat, match, None
    if told_already:
        return
    cards: Sequence[int] = range(1, 11)
    if match.position is not None:
        view: View = match.setting.game.view(match.position, seat)
        chat.tower, cards = view.sides[view.boards[seat].side].tower.name, view.boards[seat].hand
    chat.send(
        say.TowerMessage(nickname=chat.nickname, colorTower=chat.tower, towerNumber=_TOWERS[len(match.chairs)]),
        say.AssignPlayerDeckResponseMessage(nickname=chat.nickname, assistantCardsModel=deck(cards)),
    )


def _is_unasked(chat: Conversation, command: object) -> bool:
    """Whether this was said for the player, and not by it."""
    if isinstance(command, AnswerUndo):
        return True
    return isinstance(command, Act) and chat.waiting is None and command.actions[0] in DEFAULTS.values()


def _refused(chat: Conversation, reason: BoardwireError) -> None:
    request, name, text = chat.waiting, chat.nickname, str(reason)
    chat.waiting = None
    if request is not None and chat.seat is not None and chat.view is not None:
        chat.send(refusal(request, text, chat.view, chat.seat, name))
    elif text.startswith("somebody called"):
        chat.send(say.InvalidNicknameMessage(nickname=name))
    elif text.endswith("towers are taken"):
        chat.send(say.InvalidTowerMessage(nickname=name))
    else:
        chat.refuse(text)


# --- play -----------------------------------------------------------------------------------------------------------


def _move(chat: Conversation, request: say.Request) -> None:
    if chat.match is None or chat.seat is None or chat.view is None:
        chat.refuse("the match has not begun")
        return
    if request.nickname not in ("", chat.nickname):
        chat.refuse("you can only play for yourself")
        return
    try:
        steps = actions(request, chat.view)
    except Illegal as reason:
        chat.send(refusal(request, reason, chat.view, chat.seat, chat.nickname))
        return
    if steps:
        chat.ask(request, Act(chat.seat, steps, chat.match.seq))
    else:
        chat.send(refusal(request, "no student was named", chat.view, chat.seat, chat.nickname))


def _ended(chat: Conversation, request: say.EndGameMessage) -> None:
    chat.refuse("the match is not over")


def _pinged(chat: Conversation, request: say.PingMessage) -> None:
    """It is heard, and that is all it is for [r8]."""


REQUESTS: Final[dict[type, Callable[[Conversation, Any], None]]] = {
    say.LoginRequest: _login,
    say.PlayerNicknameMessage: _register,
    say.EndGameMessage: _ended,
    say.PingMessage: _pinged,
}


# --- news -----------------------------------------------------------------------------------------------------------


def _step(chat: Conversation, step: Step) -> None:
    chat.match = step.match
    for moment in step.moments:
        MATCH_EVENTS[type(moment.event)](chat, moment.event)
    if step.match.position is None or chat.seat is None:
        return
    before, chat.view = chat.view, _view(step)
    chat.names = chat.names or nicknames(step.match)
    happened = [event for moment in step.moments for event in moment.happened]
    key = (NAME, before is None)
    if key not in step.memo:
        movers = [chat.names[moment.event.seat] for moment in step.moments if isinstance(moment.event, told.Acted)]
        by = movers[0] if movers else ""
        step.memo[key] = display(Scene(before, chat.view, happened, chat.names, by))
    chat.talk.say(step.memo[key])
    if game.TurnEnded(chat.seat) in happened:
        chat.send(say.TextMessage(nickname=chat.nickname, text=TURN_OVER))
    _ask(chat, step, game.TurnBegan(chat.seat) in happened)


def nicknames(match: Match) -> tuple[str, ...]:
    """What the players are called here, where a nickname is all that tells them apart: a player without a name, or
    with that of another, is called by its seat."""
    names: list[str] = []
    given = [player.name if player is not None else "" for player in match.players]
    for seat, name in enumerate(given):
        called = name
        while not called or called in names or (called != name and called in given):
            called = f"{called or 'player'} {seat + 1}"
        names.append(called)
    return tuple(names)


def _view(step: Step) -> View:
    """The view after a step, made once for all readers."""
    key = (NAME, "view")
    if key not in step.memo:
        step.memo[key] = step.match.setting.game.view(step.match.position, None)
    return cast("View", step.memo[key])


def _ask(chat: Conversation, step: Step, begins: bool) -> None:
    """Tell this player what it is asked: when that is new, and after each of its own steps."""
    pending = step.match.pending
    if pending is None or chat.seat is None or chat.view is None or chat.seat not in pending.seats:
        chat.asked = None
        return
    kind = Kind(pending.kind)
    action = default(pending)
    if action is not None:
        chat.talk.do(Act(chat.seat, (action,), step.match.seq))
        return
    own = any(isinstance(moment.event, told.Acted) and moment.event.seat == chat.seat for moment in step.moments)
    if own or chat.asked is not kind:
        word, text = question(kind, chat.view, begins)
        chat.send(say.TextMessage(nickname=chat.nickname, text=text, ask=word))
    chat.asked = kind


def _acted(chat: Conversation, event: told.Acted) -> None:
    if event.seat == chat.seat:
        chat.waiting = None


def _undo_offered(chat: Conversation, event: told.UndoOffered) -> None:
    if chat.seat is not None and event.seat != chat.seat:
        chat.talk.do(AnswerUndo(chat.seat, agree=False))  # the protocol has no words for it


def _left(chat: Conversation, event: told.Left) -> None:
    """Only where play goes on without whoever left [r9]; otherwise the end says it, or nothing does."""
    if _goes_on(chat) and event.seat != chat.seat:
        chat.inform(f"{chat.names[event.seat]} is away: their turns pass")


def _returned(chat: Conversation, event: told.Returned) -> None:
    if _goes_on(chat) and event.seat != chat.seat:
        chat.inform(f"{chat.names[event.seat]} is back")


def _goes_on(chat: Conversation) -> bool:
    match = chat.match
    return (
        match is not None
        and match.outcome is None
        and bool(chat.names)
        and match.setting.policy.leaving is Leaving.SKIPS
    )


def _silent(chat: Conversation, event: told.Event) -> None:
    """Nothing to say, or the displays say it."""


MATCH_EVENTS: Final[dict[type, Callable[[Conversation, Any], None]]] = {
    told.Acted: _acted,
    told.UndoOffered: _undo_offered,
    told.Left: _left,
    told.Returned: _returned,
    **dict.fromkeys((told.Opened, told.Joined, told.Readied, told.Substituted, told.Skipped), _silent),
    **dict.fromkeys((told.Started, told.Dealt, told.Resigned, told.TimedOut, told.Chatted, told.Ended), _silent),
    **dict.fromkeys((told.UndoAgreed, told.UndoDeclined, told.Undone), _silent),
}


# --- the end [r7] ---------------------------------------------------------------------------------------------------


async def _end(chat: Conversation, match: Match) -> None:
    outcome = cast("Outcome", match.outcome)
    if outcome.termination in told.BROKEN_OFF:
        gone = next((seat for seat, chair in enumerate(match.chairs) if chair.away is not None), None)
        if match.position is not None:
            name = "" if gone is None else chat.names[gone]
            chat.send(say.DisconnectionMessage(nickname=chat.nickname, nicknameDisconnected=name))
        return
    winners = tuple(chat.names[seat] for seat in outcome.winners)
    chat.send(say.WinMessage(nickname=chat.nickname, winner=winners))
    for timer in ("ping", "silence"):
        chat.talk.wake(0, timer)
    chat.talk.wake(GOODBYE_SECONDS, "goodbye")
    while True:
        match await chat.talk.hear():
            case bytes(line) if _is_goodbye(line):
                return
            case Woke() | Gone() | Malformed():
                return


def _is_goodbye(line: bytes) -> bool:
    try:
        return isinstance(say.decode_request(line), say.EndGameMessage)
    except Malformed:
        return False
