"""The server's end of the native dialect.

1. `hello` comes first; `welcome` tells who the player is and which seats are kept for it.
2. Away from a table: `list`, `open`, `find`, `join`, `watch`, `resume`.
3. At a table every step is told as `step`, with the view of one's seat and, if one is asked, the choices.
4. What is refused is answered with `refused` and its reason; a stale `act` also gets the `state`.

The connection may be lost at any time: the seat is held as the table's policy says, and `hello` with the token, then
`resume`, goes on exactly where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from boardwire import games
from boardwire.dialects.native import messages as say
from boardwire.dialects.native import state
from boardwire.games.game import Illegal, Malformed, Seat
from boardwire.games.game import Refused as NotNow
from boardwire.table import commands, errands
from boardwire.table import guest as news
from boardwire.table.events import Leaving, Player, Policy
from boardwire.table.match import Match, Status
from boardwire.talk import Gone, Talk
from boardwire.wire import websocket

FAULT_LIMIT: Final = 100
"""How many unreadable messages in a row end the connection."""
PING_SECONDS: Final = 20.0
PATIENCE: Final = 2
"""How many pings may stay unanswered."""
NAME_LIMIT: Final = 32
LIST_LIMIT: Final = 500
"""How many tables a list shows at most: a longer message would not fit into the outbox of a slow reader."""


class Session:
    """What the server knows of one connection."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.player = Player()
        self.match: Match | None = None
        self.seat: Seat | None = None
        self.faults = 0
        self.unanswered = 0

    def send(self, reply: say.Reply) -> None:
        """Say one message."""
        self.talk.say(websocket.encode_text(say.encode(reply)))

    def refuse(self, code: str, reason: object) -> None:
        """Say why something was not done."""
        self.send(say.Refused(code=code, reason=str(reason)))


async def serve(talk: Talk) -> None:
    """One connection, from hello to goodbye."""
    session = Session(talk)
    talk.wake(PING_SECONDS, "ping")
    while True:
        heard = await talk.hear()
        session.unanswered = 0 if isinstance(heard, str | websocket.Pong) else session.unanswered
        match heard:
            case str(text):
                _hear(session, text)
                if session.faults >= FAULT_LIMIT:
                    talk.say(websocket.encode_close(1008, "too many messages that cannot be read"))
                    return
            case websocket.Ping(payload=payload):
                talk.say(websocket.encode_pong(payload))
            case websocket.Pong():
                pass
            case websocket.Close(code=code):
                talk.say(websocket.encode_close(1000 if code == 1005 else code))
                return
            case bytes():
                talk.say(websocket.encode_close(1003, "messages are JSON in text frames"))
                return
            case Malformed() as reason:
                talk.say(websocket.encode_close(1002, str(reason)))
                return
            case Gone():
                return
            case _ if type(heard) in NEWS:
                NEWS[type(heard)](session, heard)
            case _:  # our own timer
                session.unanswered += 1
                if session.unanswered > PATIENCE:
                    return
                talk.say(websocket.encode_ping())
                talk.wake(PING_SECONDS, "ping")


def _hear(session: Session, text: str) -> None:
    try:
        request = say.decode_request(text)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        session.faults += 1
        session.refuse("malformed", error)
        return
    session.faults = 0
    if not session.player.key and not isinstance(request, say.Hello):
        session.refuse("refused", "say hello first")
        return
    try:
        REQUESTS[type(request)](session, request)
    except msgspec.ValidationError as error:
        session.refuse("malformed", error)
    except NotNow as reason:
        session.refuse("refused", reason)


# --- requests -----------------------------------------------------------------------------------------------------


def _hello(session: Session, request: say.Hello) -> None:
    name = request.name.strip()[:NAME_LIMIT] or "guest"
    session.player = Player(name, "native", key=session.player.key)
    session.talk.do(errands.Introduce(request.token))


def _list(session: Session, request: say.List) -> None:
    session.talk.do(errands.Survey(request.game))


def _open(session: Session, request: say.Open) -> None:
    options = _options(request)
    policy = Policy(request.leaving, request.grace, request.bank, request.per_move, request.undo)
    bots = tuple((seat, Player(f"{bot} bot {seat + 1}", "bot", bot)) for seat, bot in enumerate(request.bots) if bot)
    session.talk.do(
        errands.Seek(
            request.game,
            request.seats,
            session.player,
            options,
            policy,
            _terms(options),
            private=request.private,
            fresh=True,
            seat=request.seat,
            bots=bots,
        )
    )


def _find(session: Session, request: say.Find) -> None:
    options = _options(request)
    policy = Policy(Leaving.HOLDS, 120.0, undo=True)
    session.talk.do(errands.Seek(request.game, request.seats, session.player, options, policy, _terms(options)))


def _options(request: say.Open | say.Find) -> Any:
    kind = games.game(request.game).Options
    return kind() if request.options is None else state.typed(request.options, kind)


def _terms(options: Any) -> tuple[str, ...]:
    """Players of a simplified and of an expert game do not meet; other dialects keep them apart by the same word."""
    mode = getattr(options, "mode", None)
    return () if mode is None else (str(mode),)


def _join(session: Session, request: say.Join) -> None:
    session.talk.do(errands.Enter(request.match, session.player, request.code, seat=request.seat))


def _watch(session: Session, request: say.Watch) -> None:
    session.talk.do(errands.Watch(request.match, request.code))


def _resume(session: Session, request: say.Resume) -> None:
    session.talk.do(errands.Resume(request.match, request.seat, session.player.key))


def _act(session: Session, request: say.Act) -> None:
    match, seat = _seated(session)
    action = state.typed(request.action, match.setting.game.Action)
    session.talk.do(commands.Act(seat, (action,), request.seq))


def _say(session: Session, request: say.Say) -> None:
    session.talk.do(commands.Chat(session.seat, request.text, session.player.name))


def _undo(session: Session, request: say.Undo) -> None:
    session.talk.do(commands.OfferUndo(_seated(session)[1]))


def _agree(session: Session, request: say.Agree) -> None:
    session.talk.do(commands.AnswerUndo(_seated(session)[1], request.agree))


def _resign(session: Session, request: say.Resign) -> None:
    session.talk.do(commands.Resign(_seated(session)[1]))


def _rematch(session: Session, request: say.Rematch) -> None:
    session.talk.do(errands.Rematch())


def _leave(session: Session, request: say.Leave) -> None:
    session.match = session.seat = None
    session.talk.do(errands.Depart())
    session.send(say.Gone(why="you left"))


def _sync(session: Session, request: say.Sync) -> None:
    if session.match is None:
        raise NotNow("you are at no table")
    session.send(say.State(state=state.state(session.match, session.seat)))


def _seated(session: Session) -> tuple[Match, Seat]:
    if session.match is None or session.seat is None:
        raise NotNow("you have no seat")
    return session.match, session.seat


REQUESTS: Final[dict[type, Callable[[Session, Any], None]]] = {
    say.Hello: _hello,
    say.List: _list,
    say.Open: _open,
    say.Find: _find,
    say.Join: _join,
    say.Watch: _watch,
    say.Resume: _resume,
    say.Act: _act,
    say.Say: _say,
    say.Undo: _undo,
    say.Agree: _agree,
    say.Resign: _resign,
    say.Rematch: _rematch,
    say.Leave: _leave,
    say.Sync: _sync,
}


# --- news ---------------------------------------------------------------------------------------------------------


def _introduced(session: Session, told: news.Introduced) -> None:
    session.player = Player(session.player.name, "native", key=told.key)
    kept = tuple(say.Kept(match, seat) for match, seat in told.kept)
    session.send(say.Welcome(token=told.token, name=session.player.name, kept=kept))


def _surveyed(session: Session, told: news.Surveyed) -> None:
    matches = told.matches
    if len(matches) > LIST_LIMIT:  # those that can be joined come first
        matches = tuple(sorted(matches, key=lambda match: match.status is not Status.WAITING)[:LIST_LIMIT])
    session.send(say.Tables(tables=tuple(map(state.table, matches))))


def _sat_down(session: Session, told: news.Seated) -> None:
    session.match, session.seat = told.match, told.seat
    session.send(say.Seated(seat=told.seat, state=state.state(told.match, told.seat), code=told.match.setting.code))


def _watching(session: Session, told: news.Watching) -> None:
    session.match, session.seat = told.match, None
    session.send(say.Watching(state=state.state(told.match, None)))


def _step(session: Session, told: news.Step) -> None:
    session.match = told.match
    session.talk.say(websocket.encode_text(state.step(told, session.seat)))


def _refusal(session: Session, told: news.Refusal) -> None:
    command = told.command
    stale = isinstance(command, commands.Act) and session.match is not None and command.seen != session.match.seq
    code = "stale" if stale else "illegal" if isinstance(told.reason, Illegal) else "refused"
    session.refuse(code, told.reason)
    if stale and session.match is not None:
        session.send(say.State(state=state.state(session.match, session.seat)))


def _displaced(session: Session, told: news.Displaced) -> None:
    session.match = session.seat = None
    session.send(say.Gone(why="you came back by another connection"))


def _wanted(session: Session, told: news.RematchWanted) -> None:
    session.send(say.Wanted(seats=told.seats))


_News: TypeAlias = Callable[[Session, Any], None]

NEWS: Final[dict[type, _News]] = {
    news.Introduced: _introduced,
    news.Surveyed: _surveyed,
    news.Seated: _sat_down,
    news.Watching: _watching,
    news.Step: _step,
    news.Refusal: _refusal,
    news.Displaced: _displaced,
    news.RematchWanted: _wanted,
}
