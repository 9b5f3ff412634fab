"""Server script of the native dialect.

1. `hello` comes first; `welcome` returns the player's token and the seats held for it.
2. Away from a table: `list`, `open`, `find`, `pair`, `join`, `watch`, `resume`.
3. At a table every change is reported as a `step`, with the seat's view and, if the seat must decide, its choices.
4. A refused request gets `refused` with a reason; a stale `act` also gets the `state`.

After a lost connection the table's policy decides how long the seat is held; `hello` with the token, then `resume`,
continues the match.  Specification: docs/dialects/native.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from boardwire.dialects.native import messages as say
from boardwire.dialects.native import tell
from boardwire.dialects.native.answer import ANSWER
from boardwire.dialects.native.session import ClientSession
from boardwire.errors import Malformed, Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby import requests
from boardwire.table import commands, events
from boardwire.table import guest as notifications
from boardwire.table.events import Player, account_of
from boardwire.talk import Gone, Talk, Woke
from boardwire.wire import websocket

LIST_LIMIT: Final = 250
"""Tables in one list: with the longest names, the list still fits into a connection's outbox."""


async def serve(talk: Talk[Any]) -> None:
    """Serve one connection until it closes."""
    peer = ClientSession(talk)
    while not peer.done:
        heard = await (
            talk.hear() if peer.pending is None else talk.notification()
        )  # replies keep the order of requests
        HEARD[type(heard)](peer, heard)


# --- frames and timers ----------------------------------------------------------------------------------------------


def _text(peer: ClientSession, text: str) -> None:
    peer.heart.heard()
    try:
        request = say.decode_request(text)
    except (msgspec.DecodeError, RecursionError) as error:  # RecursionError: nested too deeply
        peer.refuse(Malformed(str(error)))
        if peer.strikes.add():
            peer.close(1008, "too many unreadable messages")
        return
    peer.strikes.count = 0
    if not peer.token and type(request) is not say.Hello:
        peer.refuse(Refused("send hello first"))
        return
    try:
        ANSWER[type(request)](peer, request)
    except msgspec.ValidationError as error:
        peer.refuse(Malformed(str(error)))
    except Refused as reason:
        peer.refuse(reason)


def _binary(peer: ClientSession, data: bytes) -> None:
    peer.close(1003, "messages are JSON in text frames")


def _ping(peer: ClientSession, ping: websocket.Ping) -> None:
    peer.talk.say(websocket.encode_pong(ping.payload))


def _pong(peer: ClientSession, pong: websocket.Pong) -> None:
    peer.heart.heard()


def _close(peer: ClientSession, close: websocket.Close) -> None:
    peer.close(1000 if close.code == websocket.NO_CODE else close.code)


def _unreadable(peer: ClientSession, reason: Malformed) -> None:
    peer.close(1002, str(reason))


def _gone(peer: ClientSession, gone: Gone) -> None:
    peer.done = True


def _woke(peer: ClientSession, woke: Woke) -> None:
    peer.spent.pop(woke.name, None)  # the time of a rate limit is over
    if peer.pending is not None:
        peer.heart.heard()  # frames, and so pongs, wait for the answer to the pending request
    peer.done = not peer.heart.beat(woke)


# --- notifications --------------------------------------------------------------------------------------------------


def _introduced(peer: ClientSession, told: notifications.Introduced) -> None:
    peer.pending = None
    peer.token = told.token
    peer.player = Player(told.name or peer.player.name, "native", key=told.key)
    kept = tuple(tell.kept(match, seat) for match, seat in told.kept)
    peer.send(say.Welcome(token=told.token, name=peer.player.name, kept=kept, account=account_of(told.key)))
    if peer.announced is not None:
        announced, peer.announced = peer.announced, None
        _announced(peer, announced)


def _surveyed(peer: ClientSession, told: notifications.Surveyed) -> None:
    frame = told.memo.get("native")
    if frame is None:
        tables = say.Tables(tables=tell.tables(told, LIST_LIMIT))
        frame = told.memo["native"] = websocket.encode_text(say.encode(tables))
    peer.talk.say(frame)


def _sat_down(peer: ClientSession, told: notifications.Seated) -> None:
    peer.match, peer.seat = told.match, told.seat
    if not told.follows:
        peer.pending = None
    peer.send(say.Seated(seat=told.seat, state=tell.state(told.match, told.seat), code=told.match.setting.code))


def _watching(peer: ClientSession, told: notifications.Watching) -> None:
    peer.match, peer.seat, peer.pending = told.match, None, None
    peer.send(say.Watching(state=tell.state(told.match, None), code=told.match.setting.code))


def _corrected(peer: ClientSession, told: notifications.Corrected) -> None:
    peer.match = told.match
    if isinstance(peer.pending, commands.Act):
        peer.pending = None
    peer.send(say.State(state=tell.state(told.match, peer.seat)))


def _step(peer: ClientSession, told: notifications.Step) -> None:
    moments = told.moments
    peer.match = moments[-1].match
    peer.talk.say(tell.frame(told, peer.seat, peer.fixed))
    pending = peer.pending
    if pending is not None:
        event: Any = moments[0].event
        if type(event) in _ANSWERED_BY[type(pending)] and _is_own(event, pending, peer.seat):
            peer.pending = None


def _is_own(event: Any, pending: Any, seat: Seat | None) -> bool:
    """Return whether an event is the client's own: by seat, for spectators by the chat line, for timeouts by caller."""
    if type(event) is events.TimedOut:
        return bool(event.called == seat)
    return bool(event.seat == seat) and (seat is not None or (event.name, event.text) == (pending.name, pending.text))


def _refusal(peer: ClientSession, told: notifications.Refusal) -> None:
    command = told.command
    if type(command) is requests.Decline:
        return  # `ClientSession.refuse` has sent the reason
    if type(command) is not requests.Advise:
        peer.pending = None  # only one request is pending at a time
    peer.explain(told.reason)
    if told.reason.reason is Reason.STALE and peer.match is not None:
        peer.send(say.State(state=tell.state(peer.match, peer.seat)))


_ANSWERED_BY: Final[dict[type, tuple[type, ...]]] = {
    commands.Act: (events.Acted,),
    commands.Chat: (events.Chatted,),
    commands.OfferUndo: (events.UndoOffered,),
    commands.AnswerUndo: (events.UndoAgreed, events.UndoDeclined),
    commands.Draw: events.DRAW_EVENTS,
    commands.Resign: (events.Resigned,),
    commands.CallTime: (events.TimedOut,),
    requests.Seek: (events.Joined,),
    requests.Enter: (events.Joined,),
    requests.Resume: (events.Returned,),
    requests.Rematch: (events.Joined,),
    requests.Introduce: (),
    requests.Watch: (),
}
"""First event of the step that answers each request, for the requester's own seat."""


def _displaced(peer: ClientSession, told: notifications.Displaced) -> None:
    peer.match = peer.seat = peer.pending = None
    peer.send(say.Gone(why="you came back by another connection"))


def _advised(peer: ClientSession, told: notifications.Advised) -> None:
    if peer.match is not None and peer.match.id == told.match.id:
        peer.send(tell.advice(told))


def _wanted(peer: ClientSession, told: notifications.RematchWanted) -> None:
    if isinstance(peer.pending, requests.Rematch):
        peer.pending = None
    peer.send(say.Wanted(seats=told.seats, gone=told.gone))


def _audience(peer: ClientSession, told: notifications.Audience) -> None:
    peer.send(say.Audience(count=told.count, names=told.names))


def _announced(peer: ClientSession, told: notifications.Announced) -> None:
    if not peer.token:
        peer.announced = told  # `welcome` comes first
        return
    peer.send(say.Announcement(number=told.number, text=told.text, until=told.until or say.NEVER))


def _challenged(peer: ClientSession, told: notifications.Challenged) -> None:
    if peer.token:  # one that has not said hello reads its challenges over HTTP
        peer.send(
            say.Challenged(
                number=told.number, name=told.name, account=told.account, game=told.game, match=told.match,
                code=told.code, rated=told.rated, until=told.until,
            )
        )  # fmt: skip


NOTIFICATIONS: Final[dict[type, Callable[[ClientSession, Any], None]]] = {
    notifications.Introduced: _introduced,
    notifications.Surveyed: _surveyed,
    notifications.Seated: _sat_down,
    notifications.Watching: _watching,
    notifications.Step: _step,
    notifications.Corrected: _corrected,
    notifications.Refusal: _refusal,
    notifications.Displaced: _displaced,
    notifications.Advised: _advised,
    notifications.RematchWanted: _wanted,
    notifications.Audience: _audience,
    notifications.Announced: _announced,
    notifications.Challenged: _challenged,
}

HEARD: Final[dict[type, Callable[[ClientSession, Any], None]]] = {
    str: _text,
    bytes: _binary,
    websocket.Ping: _ping,
    websocket.Pong: _pong,
    websocket.Close: _close,
    Malformed: _unreadable,
    Gone: _gone,
    Woke: _woke,
    **NOTIFICATIONS,
}
