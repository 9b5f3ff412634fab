"""Declaration of eriantys-messages.

- States are those of one client at a table that this dialect opened.
- "refusal" is LoginReply, an Invalid... message, TextMessage or ErrorMessage, sent to this client alone.
- "ask WORD" is the TextMessage with the question; `studentsOrCloud` counts as students.
- Omitted, because every state has them: pings, and the end by silence or after ten unreadable messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.protocol import END, START, Arc, Protocol, Sections, message_types

CONNECTED: Final = "Connected"
NAMED: Final = "Named"
WAITING: Final = "Waiting"
WATCHING: Final = "Watching"
PLANNING: Final = "Planning"
STUDENTS: Final = "Students"
NATURE: Final = "MotherNature"
CLOUD: Final = "Cloud"
ENDED: Final = "Ended"

PLAYING: Final = (WATCHING, PLANNING, STUDENTS, NATURE, CLOUD)


def _closing_arcs() -> Iterator[Arc]:
    for state in (CONNECTED, NAMED, WAITING, *PLAYING):
        yield Arc(state, "anything else", "refusal", state)
    for state in PLAYING:
        yield Arc(state, "another player leaves", "DisconnectionMessage", END)
    yield Arc(ENDED, "EndGameMessage, or 5 s", "", END)


ARCS: Final = (
    Arc(START, "connects", "", CONNECTED),
    Arc(CONNECTED, "LoginRequest", "LoginReply", NAMED),
    Arc(NAMED, "LoginRequest", "LoginReply", NAMED),
    Arc(NAMED, "PlayerNicknameMessage", "tower, deck", WAITING),
    Arc(NAMED, "PlayerNicknameMessage, table full", "tower, deck, displays", WATCHING),
    Arc(NAMED, "PlayerNicknameMessage, table full", "tower, deck, displays, ask assistant", PLANNING),
    Arc(WAITING, "table full", "displays", WATCHING),
    Arc(WAITING, "table full", "displays, ask assistant", PLANNING),
    Arc(WATCHING, "another player moves", "displays", WATCHING),
    Arc(WATCHING, "another player moves", "displays, ask assistant", PLANNING),
    Arc(WATCHING, "another player moves", "displays, ask students", STUDENTS),
    Arc(WATCHING, "another player moves", "displays, WinMessage", ENDED),
    Arc(PLANNING, "a card", "displays", WATCHING),
    Arc(PLANNING, "a card", "displays, ask students", STUDENTS),
    Arc(STUDENTS, "students", "displays, ask students", STUDENTS),
    Arc(STUDENTS, "students", "displays, ask motherNature", NATURE),
    Arc(STUDENTS, "a cloud", "displays, ask students", STUDENTS),
    Arc(STUDENTS, "a character", "displays, ask students", STUDENTS),
    Arc(NATURE, "a character", "displays, ask motherNature", NATURE),
    Arc(NATURE, "mother nature", "displays, ask cloud", CLOUD),
    Arc(NATURE, "mother nature", "displays, turn over", WATCHING),
    Arc(NATURE, "mother nature", "displays, WinMessage", ENDED),
    Arc(CLOUD, "a character", "displays, ask cloud", CLOUD),
    Arc(CLOUD, "a cloud", "displays, turn over", WATCHING),
    Arc(CLOUD, "a cloud", "displays, WinMessage", ENDED),
    *_closing_arcs(),
)

PROTOCOLS: Final = {
    wire.NAME: Protocol(
        client=message_types(wire.Request),
        server=message_types(wire.Reply),
        arcs=ARCS,
        sections=Sections(
            framing="1", messages="3", first="4.1", second="4.2", turns="4.5", refused="6.6", won="4.7", lost="4.7",
            left="6.7", unknown="3", extra="1", pings="6.8", three="6.1", expert="6.5",
        ),
        heartbeats=frozenset({"PingMessage"}),
        farewells=frozenset({"EndGameMessage"}),
        decode_request=wire.decode_request,
        decode_reply=wire.decode_reply,
        encode_request=wire.encode,
        encode_reply=wire.encode,
        heartbeat_seconds=20.0,
        pings_unasked=True,
    ),
}  # fmt: skip
