"""The server's end of the native dialect.

1. `hello` comes first; `welcome` tells who the player is and which seats are kept for it.
2. Away from a table: `list`, `open`, `find`, `join`, `watch`, `resume`.
3. At a table every step is told as `step`, with the view of one's seat and, if one is asked, the choices.
4. What is refused is answered with `refused` and its reason; a stale `act` also gets the `state`.

The connection may be lost at any time: the seat is held as the table's policy says, and `hello` with the token, then
`resume`, goes on exactly where it was.  The page of the dialect is docs/dialects/native.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from boardwire.dialects.native import messages as say
from boardwire.dialects.native import state
from boardwire.dialects.native.requests import REQUESTS
from boardwire.dialects.native.session import Session
from boardwire.errors import Malformed, Reason, Refused
from boardwire.table import commands, errands, events
from boardwire.table import guest as news
from boardwire.table.events import Player
from boardwire.talk import Gone, Talk, Woke
from boardwire.wire import websocket

FAULT_LIMIT: Final = 100
"""How many unreadable messages in a row end the connection."""
PING_SECONDS: Final = 20.0
PATIENCE: Final = 2
"""How many pings may stay unanswered."""
LIST_LIMIT: Final = 250
"""How many tables a list shows at most: whatever the players are called, it fits into the outbox of a slow reader."""

_PING: Final = "ping"


async def serve(talk: Talk[Any]) -> None:
    """One connection, from hello to goodbye."""
    session = Session(talk)
    talk.wake(PING_SECONDS, _PING)
    while not session.done:
        heard = await (talk.hear() if session.pending is None else talk.news())  # answers come in the order of requests
        HEARD[type(heard)](session, heard)


# --- frames and timers ----------------------------------------------------------------------------------------------


def _text(session: Session, text: str) -> None:
    session.unanswered = 0
    try:
        request = say.decode_request(text)
    except (msgspec.DecodeError, RecursionError) as error:  # the latter for what is nested too deeply
        session.faults += 1
        session.refuse(Malformed(str(error)))
        if session.faults >= FAULT_LIMIT:
            session.close(1008, "too many messages that cannot be read")
        return
    session.faults = 0
    if not session.token and type(request) is not say.Hello:
        session.refuse(Refused("say hello first"))
        return
    _try(session, REQUESTS[type(request)], request)


def _try(session: Session, handle: Callable[[Session, Any], None], request: say.Request) -> None:
    try:
        handle(session, request)
    except msgspec.ValidationError as error:
        session.refuse(Malformed(str(error)))
    except Refused as reason:
        session.refuse(reason)


def _binary(session: Session, data: bytes) -> None:
    session.close(1003, "messages are JSON in text frames")


def _ping(session: Session, ping: websocket.Ping) -> None:
    session.talk.say(websocket.encode_pong(ping.payload))


def _pong(session: Session, pong: websocket.Pong) -> None:
    session.unanswered = 0


def _close(session: Session, close: websocket.Close) -> None:
    session.close(1000 if close.code == websocket.NO_CODE else close.code)


def _unreadable(session: Session, reason: Malformed) -> None:
    session.close(1002, str(reason))


def _gone(session: Session, gone: Gone) -> None:
    session.done = True


def _woke(session: Session, woke: Woke) -> None:
    if woke.name != _PING:
        session.spent.pop(woke.name, None)
        return
    session.unanswered += 1
    if session.unanswered > PATIENCE:
        session.done = True
        return
    session.talk.say(websocket.encode_ping())
    session.talk.wake(PING_SECONDS, _PING)


# --- news -----------------------------------------------------------------------------------------------------------


def _introduced(session: Session, told: news.Introduced) -> None:
    session.pending = None
    session.token = told.token
    session.player = Player(session.player.name, "native", key=told.key)
    kept = tuple(say.Kept(match, seat) for match, seat in told.kept)
    session.send(say.Welcome(token=told.token, name=session.player.name, kept=kept))


def _surveyed(session: Session, told: news.Surveyed) -> None:
    frame = told.memo.get("native")
    if frame is None:
        tables = say.Tables(tables=state.tables(told.matches, LIST_LIMIT))
        frame = told.memo["native"] = websocket.encode_text(say.encode(tables))
    session.talk.say(frame)


def _sat_down(session: Session, told: news.Seated) -> None:
    session.match, session.seat = told.match, told.seat
    if not told.follows:
        session.pending = None
    session.send(say.Seated(seat=told.seat, state=state.state(told.match, told.seat), code=told.match.setting.code))


def _watching(session: Session, told: news.Watching) -> None:
    session.match, session.seat, session.pending = told.match, None, None
    session.send(say.Watching(state=state.state(told.match, None)))


def _step(session: Session, told: news.Step) -> None:
    moments = told.moments
    session.match = moments[-1].match
    session.talk.say(state.frame(told, session.seat, session.fixed))
    pending = session.pending
    if pending is not None:
        event: Any = moments[0].event
        if type(event) in _ANSWERED_BY[type(pending)] and event.seat == session.seat:
            session.pending = None


def _refusal(session: Session, told: news.Refusal) -> None:
    command = told.command
    if type(command) is errands.Decline:
        return  # it has been said
    session.pending = None  # there is one at a time
    session.explain(told.reason)
    if told.reason.reason is Reason.STALE and session.match is not None:
        session.send(say.State(state=state.state(session.match, session.seat)))


_ANSWERED_BY: Final[dict[type, tuple[type, ...]]] = {
    commands.Act: (events.Acted,),
    commands.Chat: (events.Chatted,),
    commands.OfferUndo: (events.UndoOffered,),
    commands.AnswerUndo: (events.UndoAgreed, events.UndoDeclined),
    commands.Resign: (events.Resigned,),
    errands.Seek: (events.Joined,),
    errands.Enter: (events.Joined,),
    errands.Resume: (events.Returned,),
    errands.Rematch: (events.Joined,),
    errands.Introduce: (),
    errands.Watch: (),
}
"""With which event, of one's own seat, the step begins that answers a request."""


def _displaced(session: Session, told: news.Displaced) -> None:
    session.match = session.seat = session.pending = None
    session.send(say.Gone(why="you came back by another connection"))


def _wanted(session: Session, told: news.RematchWanted) -> None:
    session.pending = None
    session.send(say.Wanted(seats=told.seats))


NEWS: Final[dict[type, Callable[[Session, Any], None]]] = {
    news.Introduced: _introduced,
    news.Surveyed: _surveyed,
    news.Seated: _sat_down,
    news.Watching: _watching,
    news.Step: _step,
    news.Refusal: _refusal,
    news.Displaced: _displaced,
    news.RematchWanted: _wanted,
}

HEARD: Final[dict[type, Callable[[Session, Any], None]]] = {
    str: _text,
    bytes: _binary,
    websocket.Ping: _ping,
    websocket.Pong: _pong,
    websocket.Close: _close,
    Malformed: _unreadable,
    Gone: _gone,
    Woke: _woke,
    **NEWS,
}
