"""Server script of the native dialect.

1. `hello` comes first; `welcome` returns the player's token and the seats held for it.
2. Without a table: `list`, `open`, `find`, `pair`, `join`, `watch`, `resume`.
3. At a table every change is reported as a `step`, with the seat's view and, if the seat must decide, its choices.
4. A refused request gets `refused` with a reason; a stale `act` also gets the `state`.

After a lost connection the table's policy decides how long the seat is held; `hello` with the token, then `resume`,
continues the match. Specification: docs/dialects/native.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from boardwire.dialects.native import messages as wire
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
"""Limit of the tables in a list: with the longest names, the list still fits into a connection's outbox."""


async def serve(talk: Talk[Any]) -> None:
    """Serve one connection until it closes."""
    peer = ClientSession(talk)
    while not peer.is_done:
        # one request at a time, so that replies keep the order of requests
        received = await (talk.next_input() if peer.pending is None else talk.notification())
        HANDLERS[type(received)](peer, received)


# --- frames and timers ----------------------------------------------------------------------------------------------


def _handle_text(peer: ClientSession, text: str) -> None:
    """Decode a request and answer it; close after too many unreadable messages."""
    peer.heart.note_answer()
    try:
        request = wire.decode_request(text)
    except (msgspec.DecodeError, RecursionError) as error:  # RecursionError: nested too deeply
        peer.refuse(Malformed(str(error)))
        if peer.bad_messages.add():
            peer.close(1008, "too many unreadable messages")
        return
    peer.bad_messages.count = 0
    if not peer.token and type(request) is not wire.Hello:
        peer.refuse(Refused("send hello first"))
        return
    try:
        ANSWER[type(request)](peer, request)
    except msgspec.ValidationError as error:
        peer.refuse(Malformed(str(error)))
    except Refused as reason:
        peer.refuse(reason)


def _refuse_binary(peer: ClientSession, data: bytes) -> None:
    peer.close(1003, "messages are JSON in text frames")


def _answer_ping(peer: ClientSession, ping: websocket.Ping) -> None:
    peer.talk.say(websocket.encode_pong(ping.payload))


def _note_pong(peer: ClientSession, pong: websocket.Pong) -> None:
    peer.heart.note_answer()


def _handle_close(peer: ClientSession, close: websocket.Close) -> None:
    peer.close(1000 if close.code == websocket.NO_CODE else close.code)


def _close_unreadable(peer: ClientSession, reason: Malformed) -> None:
    peer.close(1002, str(reason))


def _end_session(peer: ClientSession, gone: Gone) -> None:
    peer.is_done = True


def _handle_timer(peer: ClientSession, woke: Woke) -> None:
    """Refill a rate limit, send a heartbeat, or end the session of a silent client."""
    peer.request_counts.pop(woke.name, None)  # the time of a rate limit is over
    if peer.pending is not None:
        peer.heart.note_answer()  # frames, and so pongs, wait for the answer to the pending request
    peer.is_done = not peer.heart.beat(woke)


# --- notifications --------------------------------------------------------------------------------------------------


def _send_welcome(peer: ClientSession, notification: notifications.Introduced) -> None:
    """Send the welcome, then an announcement that came before it."""
    peer.pending = None
    peer.token = notification.token
    peer.player = Player(notification.name or peer.player.name, "native", key=notification.key)
    held_seats = tuple(tell.kept_seat(match, seat) for match, seat in notification.held_seats)
    peer.send(
        wire.Welcome(
            token=notification.token, name=peer.player.name, kept=held_seats, account=account_of(notification.key)
        )
    )
    if peer.delayed_announcement is not None:
        announced, peer.delayed_announcement = peer.delayed_announcement, None
        _send_announcement(peer, announced)


def _send_tables(peer: ClientSession, notification: notifications.Surveyed) -> None:
    """Send the list of tables, encoded once for all clients that share it."""
    frame = notification.memo.get("native")
    if frame is None:
        tables = wire.Tables(tables=tell.tables(notification, LIST_LIMIT))
        frame = notification.memo["native"] = websocket.encode_text(wire.encode(tables))
    peer.talk.say(frame)


def _send_seated(peer: ClientSession, notification: notifications.Seated) -> None:
    """Send the seat; if no step follows, this answers the pending request."""
    peer.match, peer.seat = notification.match, notification.seat
    if not notification.follows:
        peer.pending = None
    peer.send(
        wire.Seated(
            seat=notification.seat,
            state=tell.state(notification.match, notification.seat),
            code=notification.match.setting.code,
        )
    )


def _send_watching(peer: ClientSession, notification: notifications.Watching) -> None:
    peer.match, peer.seat, peer.pending = notification.match, None, None
    peer.send(wire.Watching(state=tell.state(notification.match, None), code=notification.match.setting.code))


def _send_corrected(peer: ClientSession, notification: notifications.Corrected) -> None:
    peer.match = notification.match
    if isinstance(peer.pending, commands.Act):
        peer.pending = None
    peer.send(wire.State(state=tell.state(notification.match, peer.seat)))


def _send_step(peer: ClientSession, notification: notifications.Step) -> None:
    """Send a step; it may answer the pending request."""
    moments = notification.moments
    peer.match = moments[-1].match
    peer.talk.say(tell.frame(notification, peer.seat, peer.fixed_fields))
    if peer.pending is not None and _is_answer(moments[0].event, peer.pending, peer.seat):
        peer.pending = None


def _is_answer(event: Any, pending: Any, seat: Seat | None) -> bool:
    """Return whether an event answers the client's pending request.

    A player's events are identified by the seat, a spectator's by the chat line, timeouts by the caller.
    """
    kind = type(event)
    if kind not in _ANSWERED_BY[type(pending)]:
        return False
    if kind is events.TimedOut:
        return bool(event.called == seat)
    return bool(event.seat == seat) and (seat is not None or (event.name, event.text) == (pending.name, pending.text))


def _send_refusal(peer: ClientSession, notification: notifications.Refusal) -> None:
    """Send the reason of a refusal, and the state if the client acted on an outdated one."""
    command = notification.command
    if type(command) is requests.Decline:
        return  # `ClientSession.refuse` has sent the reason
    if type(command) is not requests.Advise:
        peer.pending = None  # only one request is pending at a time
    peer.explain(notification.reason)
    if notification.reason.reason is Reason.STALE and peer.match is not None:
        peer.send(wire.State(state=tell.state(peer.match, peer.seat)))


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
"""First event, of the client's seat, in the step that answers each request."""


def _send_displaced(peer: ClientSession, notification: notifications.Displaced) -> None:
    peer.match = peer.seat = peer.pending = None
    peer.send(wire.Gone(why="you came back by another connection"))


def _send_advice(peer: ClientSession, notification: notifications.Advised) -> None:
    if peer.match is not None and peer.match.id == notification.match.id:
        peer.send(tell.advice(notification))


def _send_wanted(peer: ClientSession, notification: notifications.RematchWanted) -> None:
    if isinstance(peer.pending, requests.Rematch):
        peer.pending = None
    peer.send(wire.Wanted(seats=notification.seats, gone=notification.gone))


def _send_audience(peer: ClientSession, notification: notifications.Audience) -> None:
    peer.send(wire.Audience(count=notification.count, names=notification.names))


def _send_announcement(peer: ClientSession, notification: notifications.Announced) -> None:
    if not peer.token:
        peer.delayed_announcement = notification  # `welcome` comes first
        return
    peer.send(
        wire.Announcement(number=notification.number, text=notification.text, until=notification.until or wire.NEVER)
    )


def _send_challenge(peer: ClientSession, notification: notifications.Challenged) -> None:
    if peer.token:  # before hello, a client gets its challenges over HTTP
        peer.send(
            wire.Challenged(
                number=notification.number, name=notification.name, account=notification.account,
                game=notification.game, match=notification.match, code=notification.code, rated=notification.rated,
                until=notification.until,
            )
        )  # fmt: skip


NOTIFICATIONS: Final[dict[type, Callable[[ClientSession, Any], None]]] = {
    notifications.Introduced: _send_welcome,
    notifications.Surveyed: _send_tables,
    notifications.Seated: _send_seated,
    notifications.Watching: _send_watching,
    notifications.Step: _send_step,
    notifications.Corrected: _send_corrected,
    notifications.Refusal: _send_refusal,
    notifications.Displaced: _send_displaced,
    notifications.Advised: _send_advice,
    notifications.RematchWanted: _send_wanted,
    notifications.Audience: _send_audience,
    notifications.Announced: _send_announcement,
    notifications.Challenged: _send_challenge,
}

HANDLERS: Final[dict[type, Callable[[ClientSession, Any], None]]] = {
    str: _handle_text,
    bytes: _refuse_binary,
    websocket.Ping: _answer_ping,
    websocket.Pong: _note_pong,
    websocket.Close: _handle_close,
    Malformed: _close_unreadable,
    Gone: _end_session,
    Woke: _handle_timer,
    **NOTIFICATIONS,
}
