"""Where a connection stands, and what can be granted there.

`WAYS` is the conversation as a table: in which phase which message can be granted, and where that may lead.  The server
refuses everything else with RESULT false before it looks at the fields; the diagram of the protocol's page is drawn
from the same table.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from boardwire.dialects.diagram import END, START, Arc
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.games.game import Seat
from boardwire.games.santorini.kinds import Kind
from boardwire.table.match import Match, Status


class Phase(StrEnum):
    """Where a connection stands."""

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


BY_KIND: Final[dict[StrEnum, Phase]] = {
    Kind.PROPOSE_GOD: Phase.PROPOSING,
    Kind.PICK_GOD: Phase.CHOOSING,
    Kind.CHOOSE_START: Phase.STARTING,
    Kind.NAME_START: Phase.SETTLING,
    Kind.PLACE_WORKER: Phase.PLACING,
    Kind.PLACE_RAM: Phase.SETTLING,
    Kind.PREPARE: Phase.SETTLING,
    Kind.CHANCE: Phase.SETTLING,
    Kind.OPEN: Phase.PLAYING,
    Kind.GO_ON: Phase.PLAYING,
    Kind.BUILD_MORE: Phase.PLAYING,
    Kind.CLOSE: Phase.PLAYING,
    Kind.REPLY: Phase.PLAYING,
}
"""The phase in which each kind of decision is answered."""


def phase(match: Match | None, seat: Seat | None) -> Phase:
    """Where a connection stands that is attached to `match` and, if it has logged in, sits at `seat`."""
    if match is None:
        return Phase.ATTACHED
    if match.status is Status.WAITING:
        return Phase.SIZED if seat is None else Phase.LOGGED_IN
    if match.status is Status.OVER or match.pending is None:
        return Phase.OVER
    return Phase.WATCHING if seat is None else BY_KIND[match.pending.kind]


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
"""Where a request can be granted, what is then told to all before the sender's RESULT true, and where that leads."""

OTHERS: Final[tuple[tuple[Phase, str, str, Phase], ...]] = (
    (_P.ATTACHED, "another selects the size", "SIZE_SELECTED", _P.SIZED),
    (_P.SIZED, "others fill the lobby", "USER_JOINED GODS_AVAILABLE", _P.WATCHING),
    (_P.LOGGED_IN, "another fills the lobby", "USER_JOINED GODS_AVAILABLE", _P.PROPOSING),
    (_P.WATCHING, "a player wins", "MOVE WIN", _P.OVER),
    (_P.PLAYING, "another player wins", "MOVE WIN", _P.OVER),
    *((where, "a user leaves", "SERVER_ERROR", _P.OVER) for where in Phase if where not in (_P.ATTACHED, _P.OVER)),
)
"""Where what others do leads."""

GRANTED: Final = {where: frozenset(by for frm, by, _, _ in WAYS if frm is where) for where in Phase}
"""What can be granted in each phase."""


def tag(message: type) -> str:
    """The `type` of a message on the wire."""
    return str(message.__struct_config__.tag)  # type: ignore[attr-defined]


def conversation() -> Iterator[Arc]:
    """The conversation of one connection, for the diagram of the page.  SETTLING asks nobody and is not drawn."""
    yield Arc(START, "connects where no lobby has a size", "", _P.ATTACHED)
    yield Arc(START, "connects where one has", "SIZE_SELECTED and a USER_JOINED for each user", _P.SIZED)
    for frm, by, said, to in WAYS:
        yield Arc(frm, tag(by), f"{said} RESULT true".strip(), to)
    for frm, heard, said, to in OTHERS:
        if frm is not _P.SETTLING:
            yield Arc(frm, heard, said, to)
    for where in Phase:
        if where not in (_P.SETTLING, _P.OVER):
            yield Arc(where, "any other line", "RESULT false", where)
    yield Arc(_P.OVER, "the connection is closed", "", END)
