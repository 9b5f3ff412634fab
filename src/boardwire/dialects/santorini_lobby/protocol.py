"""Declaration of santorini-lobby."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from boardwire.dialects.protocol import END, START, Arc, Protocol, Sections, message_types
from boardwire.dialects.santorini_lobby import messages as wire


class Phase(StrEnum):
    """Phase of a connection."""

    ATTACHED = "attached"
    SIZED = "sized"
    LOGGED_IN = "logged_in"
    PROPOSING = "proposing"
    CHOOSING = "choosing"
    STARTING = "starting"
    SETTLING = "settling"
    PLACING = "placing"
    PLAYING = "playing"
    WATCHING = "watching"
    OVER = "over"


_P: Final = Phase

GRANTED_REQUESTS: Final[tuple[tuple[Phase, type, str, Phase], ...]] = (
    (_P.ATTACHED, wire.SelectPlayerNumber, "SIZE_SELECTED", _P.SIZED),
    (_P.SIZED, wire.AddUser, "USER_JOINED", _P.LOGGED_IN),
    (_P.SIZED, wire.AddUser, "USER_JOINED GODS_AVAILABLE", _P.PROPOSING),
    (_P.PROPOSING, wire.SelectGods, "GODS_AVAILABLE", _P.CHOOSING),
    (_P.CHOOSING, wire.ChooseGod, "GOD_CHOSEN GODS_AVAILABLE", _P.CHOOSING),
    (_P.CHOOSING, wire.ChooseGod, "GOD_CHOSEN GOD_CHOSEN GODS_AVAILABLE", _P.STARTING),
    (_P.STARTING, wire.ChooseFirstPlayer, "REQUEST_PLACE_PAWNS", _P.PLACING),
    (_P.PLACING, wire.PlacePawns, "PAWN_PLACED PAWN_PLACED REQUEST_PLACE_PAWNS", _P.PLACING),
    (_P.PLACING, wire.PlacePawns, "PAWN_PLACED PAWN_PLACED TURN_CHANGE ACTION_READY", _P.PLAYING),
    *((_P.PLAYING, query, events, _P.PLAYING) for query, events in wire.QUERIES.items()),
    (_P.PLAYING, wire.ExecuteAction, "MOVE ACTION_READY", _P.PLAYING),
    (_P.PLAYING, wire.ExecuteAction, "BUILD TURN_CHANGE ACTION_READY", _P.PLAYING),
    (_P.PLAYING, wire.ExecuteAction, "MOVE WIN", _P.OVER),
)
"""Granted requests: phase, request, events to all users before the sender's RESULT true, next phase.

Queries are declared in `messages.py`.
"""

OTHERS: Final[tuple[tuple[Phase, str, str, Phase], ...]] = (
    (_P.ATTACHED, "another selects the size", "SIZE_SELECTED", _P.SIZED),
    (_P.SIZED, "others fill the lobby", "USER_JOINED GODS_AVAILABLE", _P.WATCHING),
    (_P.LOGGED_IN, "another fills the lobby", "USER_JOINED GODS_AVAILABLE", _P.PROPOSING),
    (_P.WATCHING, "a player wins", "MOVE WIN", _P.OVER),
    (_P.PLAYING, "another player wins", "MOVE WIN", _P.OVER),
    *((phase, "a user leaves", "SERVER_ERROR", _P.OVER) for phase in Phase if phase not in (_P.ATTACHED, _P.OVER)),
)
"""Transitions caused by other clients."""


def _all_arcs() -> Iterator[Arc]:
    """Yield the arcs of one connection. SETTLING is omitted, because no client has a question then."""
    yield Arc(START, "connects where no lobby has a size", "", _P.ATTACHED)
    yield Arc(START, "connects where one has", "SIZE_SELECTED and a USER_JOINED for each user", _P.SIZED)
    for frm, by, events, to in GRANTED_REQUESTS:
        yield Arc(frm, wire.TAGS[by], f"{events} RESULT true".strip(), to)
    for frm, received, events, to in OTHERS:
        if frm is not _P.SETTLING:
            yield Arc(frm, received, events, to)
    for phase in Phase:
        if phase not in (_P.SETTLING, _P.OVER):
            yield Arc(phase, "any other line", "RESULT false", phase)
    yield Arc(_P.OVER, "the connection is closed", "", END)


PROTOCOLS: Final = {
    "santorini-lobby": Protocol(
        client=message_types(wire.Request | wire.Ping, wire.TAGS.__getitem__),
        server=message_types(wire.Event | wire.Ping, wire.TAGS.__getitem__),
        arcs=tuple(_all_arcs()),
        sections=Sections(
            framing="1", messages="3", first="5.2", second="5.3", turns="5.8", refused="10", won="5.10", lost="5.10",
            left="10", unknown="13", extra="1", pings="9", three="5.2", out="5.9",
        ),
        heartbeats=frozenset({"PING"}),
        queries=frozenset(wire.TAGS[query] for query in wire.QUERIES),
        decode_request=wire.parse_request,
        decode_reply=wire.parse_event,
        encode_request=wire.encode,
        encode_reply=wire.encode,
        heartbeat_seconds=30.0,
    ),
}  # fmt: skip
