"""State diagram of santorini-lobby, for the specification and for the test that walks it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from boardwire.dialects.diagram import END, START, Arc
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

WAYS: Final[tuple[tuple[Phase, type, str, Phase], ...]] = (
    (_P.ATTACHED, wire.SelectPlayerNumber, "SIZE_SELECTED", _P.SIZED),
    (_P.SIZED, wire.AddUser, "USER_JOINED", _P.LOGGED_IN),
    (_P.SIZED, wire.AddUser, "USER_JOINED GODS_AVAILABLE", _P.PROPOSING),
    (_P.PROPOSING, wire.SelectGods, "GODS_AVAILABLE", _P.CHOOSING),
    (_P.CHOOSING, wire.ChooseGod, "GOD_CHOSEN GODS_AVAILABLE", _P.CHOOSING),
    (_P.CHOOSING, wire.ChooseGod, "GOD_CHOSEN GOD_CHOSEN GODS_AVAILABLE", _P.STARTING),
    (_P.STARTING, wire.ChooseFirstPlayer, "REQUEST_PLACE_PAWNS", _P.PLACING),
    (_P.PLACING, wire.PlacePawns, "PAWN_PLACED PAWN_PLACED REQUEST_PLACE_PAWNS", _P.PLACING),
    (_P.PLACING, wire.PlacePawns, "PAWN_PLACED PAWN_PLACED TURN_CHANGE ACTION_READY", _P.PLAYING),
    (_P.PLAYING, wire.CheckAction, "", _P.PLAYING),
    (_P.PLAYING, wire.ExecuteAction, "MOVE ACTION_READY", _P.PLAYING),
    (_P.PLAYING, wire.ExecuteAction, "BUILD TURN_CHANGE ACTION_READY", _P.PLAYING),
    (_P.PLAYING, wire.ExecuteAction, "MOVE WIN", _P.OVER),
)
"""Granted requests: phase, request, events sent to all before the sender's RESULT true, next phase."""

OTHERS: Final[tuple[tuple[Phase, str, str, Phase], ...]] = (
    (_P.ATTACHED, "another selects the size", "SIZE_SELECTED", _P.SIZED),
    (_P.SIZED, "others fill the lobby", "USER_JOINED GODS_AVAILABLE", _P.WATCHING),
    (_P.LOGGED_IN, "another fills the lobby", "USER_JOINED GODS_AVAILABLE", _P.PROPOSING),
    (_P.WATCHING, "a player wins", "MOVE WIN", _P.OVER),
    (_P.PLAYING, "another player wins", "MOVE WIN", _P.OVER),
    *((where, "a user leaves", "SERVER_ERROR", _P.OVER) for where in Phase if where not in (_P.ATTACHED, _P.OVER)),
)
"""Transitions caused by other clients."""


def conversation() -> Iterator[Arc]:
    """Return the arcs of one connection. SETTLING asks no client and is not drawn."""
    yield Arc(START, "connects where no lobby has a size", "", _P.ATTACHED)
    yield Arc(START, "connects where one has", "SIZE_SELECTED and a USER_JOINED for each user", _P.SIZED)
    for frm, by, said, to in WAYS:
        yield Arc(frm, wire.TAGS[by], f"{said} RESULT true".strip(), to)
    for frm, heard, said, to in OTHERS:
        if frm is not _P.SETTLING:
            yield Arc(frm, heard, said, to)
    for where in Phase:
        if where not in (_P.SETTLING, _P.OVER):
            yield Arc(where, "any other line", "RESULT false", where)
    yield Arc(_P.OVER, "the connection is closed", "", END)
