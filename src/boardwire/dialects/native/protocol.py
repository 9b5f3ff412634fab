"""Declaration of the native dialect.

States are those of one connection. Pings and unreadable messages have the same effect in every state and are omitted;
the text of the specification describes them.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.native import messages as wire
from boardwire.dialects.protocol import END, START, Arc, Protocol, Sections, message_types
from boardwire.wire.websocket import encode_text

CONNECTED: Final = "Connected"
LOBBY: Final = "Lobby"
WAITING: Final = "Waiting"
ASKED: Final = "YourTurn"
UNASKED: Final = "TheirTurn"
OVER: Final = "Over"
WATCHING: Final = "Watching"

STATES: Final = (CONNECTED, LOBBY, WAITING, ASKED, UNASKED, OVER, WATCHING)

_PLAYING: Final = tuple(
    arc
    for state in (ASKED, UNASKED)
    for arc in (
        Arc(state, "a player chats, leaves or returns", "step", state),
        Arc(state, "requests another table", "refused", state),
        Arc(state, "resign", "step", OVER),
        Arc(state, "a player offers or declines a draw", "step", state),
        Arc(state, "both agree to a draw", "step", OVER),
        Arc(state, "the other resigns", "step", OVER),
        Arc(state, "leave", "gone", LOBBY),
        Arc(state, "returns by another connection", "gone", LOBBY),
    )
)

ARCS: Final = (
    Arc(START, "upgrades to a WebSocket", "", CONNECTED),
    Arc(CONNECTED, "anything but hello", "refused", CONNECTED),
    Arc(CONNECTED, "hello", "welcome", LOBBY),
    Arc(LOBBY, "hello", "welcome", LOBBY),
    Arc(LOBBY, "list", "tables", LOBBY),
    Arc(LOBBY, "sends a request that fails or needs a table", "refused", LOBBY),
    Arc(LOBBY, "open", "seated, step", WAITING),
    Arc(LOBBY, "find, pair or join", "seated, step", ASKED),
    Arc(LOBBY, "find, pair or join", "seated, step", UNASKED),
    Arc(LOBBY, "resume", "seated, step", ASKED),
    Arc(LOBBY, "resume", "seated, step", UNASKED),
    Arc(LOBBY, "watch", "watching", WATCHING),
    Arc(WAITING, "a player chats", "step", WAITING),
    Arc(WAITING, "act, resign, undo or rematch", "refused", WAITING),
    Arc(WAITING, "the last seat is taken", "step", ASKED),
    Arc(WAITING, "the last seat is taken", "step", UNASKED),
    Arc(WAITING, "leave", "gone", LOBBY),
    Arc(ASKED, "act", "step", ASKED),
    Arc(ASKED, "act", "step", UNASKED),
    Arc(ASKED, "act", "step", OVER),
    Arc(ASKED, "act against the rules", "refused", ASKED),
    Arc(ASKED, "act by an old state", "refused, state", ASKED),
    Arc(UNASKED, "the other acts", "step", UNASKED),
    Arc(UNASKED, "the other acts", "step", ASKED),
    Arc(UNASKED, "the other acts", "step", OVER),
    Arc(UNASKED, "act", "refused", UNASKED),
    *_PLAYING,
    Arc(OVER, "a player chats", "step", OVER),
    Arc(OVER, "act, resign or undo", "refused", OVER),
    Arc(OVER, "a player wants a rematch", "wanted", OVER),
    Arc(OVER, "a player leaves", "wanted", OVER),
    Arc(OVER, "all want a rematch", "seated, step", ASKED),
    Arc(OVER, "all want a rematch", "seated, step", UNASKED),
    Arc(OVER, "leave", "gone", LOBBY),
    Arc(WATCHING, "something happens", "step", WATCHING),
    Arc(WATCHING, "sends a request that needs a seat", "refused", WATCHING),
    Arc(WATCHING, "a player wants a rematch", "wanted", WATCHING),
    Arc(WATCHING, "a player leaves after the match", "wanted", WATCHING),
    Arc(WATCHING, "all want a rematch", "watching", WATCHING),
    Arc(WATCHING, "leave", "gone", LOBBY),
    *(Arc(state, "close", "close", END) for state in STATES),
)

PROTOCOLS: Final = {
    "native": Protocol(
        client=message_types(wire.Request, numbered="3"),
        server=message_types(wire.Reply, numbered="4"),
        arcs=ARCS,
        sections=Sections(
            framing="1", messages="1", first="3.4", second="3.4", turns="10", refused="4.7", won="5.6", lost="5.6",
            drawn="5.6", left="12", unknown="1", extra="1", pings="1", three="3.4", out="6",
        ),
        heartbeats=frozenset({"ping", "pong"}),
        queries=frozenset({"list", "say", "undo", "agree", "draw", "sync", "hint", "calltime", "why"}),
        encode_request=lambda message: encode_text(wire.encode(message), b"mask"),
        encode_reply=lambda message: encode_text(wire.encode(message)),
        heartbeat_seconds=25.0,
    ),
}  # fmt: skip
