"""Where a connection stands, and what can be granted there.

`WAYS` is the conversation as a table: in which phase which message can be granted, and where that may lead.  The server
refuses everything else with RESULT false before it looks at the fields; the diagram of the protocol's page is drawn
from the same table.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

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


BY_KIND: Final = {
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
    return Phase.WATCHING if seat is None else BY_KIND[Kind(match.pending.kind)]


_P: Final = Phase

WAYS: Final[tuple[tuple[Phase, type, tuple[Phase, ...]], ...]] = (
    (_P.ATTACHED, wire.SelectPlayerNumber, (_P.SIZED,)),
    (_P.SIZED, wire.AddUser, (_P.LOGGED_IN, _P.PROPOSING)),
    (_P.PROPOSING, wire.SelectGods, (_P.CHOOSING,)),
    (_P.CHOOSING, wire.ChooseGod, (_P.CHOOSING, _P.STARTING)),
    (_P.STARTING, wire.ChooseFirstPlayer, (_P.PLACING,)),
    (_P.PLACING, wire.PlacePawns, (_P.PLACING, _P.PLAYING)),
    (_P.PLAYING, wire.CheckAction, (_P.PLAYING,)),
    (_P.PLAYING, wire.ExecuteAction, (_P.PLAYING, _P.OVER)),
)

OTHERS: Final[tuple[tuple[Phase, type, Phase], ...]] = (
    (_P.ATTACHED, wire.SizeSelected, _P.SIZED),
    (_P.SIZED, wire.GodsAvailable, _P.WATCHING),
    (_P.LOGGED_IN, wire.GodsAvailable, _P.PROPOSING),
    (_P.SIZED, wire.ServerError, _P.OVER),
    (_P.LOGGED_IN, wire.ServerError, _P.OVER),
    (_P.WATCHING, wire.Win, _P.OVER),
    (_P.PLAYING, wire.Win, _P.OVER),
    (_P.PLAYING, wire.ServerError, _P.OVER),
)
"""Where what others do leads, with the message that tells it."""

GRANTED: Final = {where: frozenset(by for frm, by, _ in WAYS if frm is where) for where in Phase}
"""What can be granted in each phase."""


def tag(message: type) -> str:
    """The `type` of a message on the wire."""
    return str(message.__struct_config__.tag)  # type: ignore[attr-defined]


def diagram() -> str:
    """The conversation of one connection as a mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {_P.ATTACHED}"]
    lines += [f"    {frm} --> {to}: {tag(by)}" for frm, by, ways in WAYS for to in ways]
    lines += [f"    {frm} --> {to}: told {tag(by)}" for frm, by, to in OTHERS]
    lines += [f"    {_P.OVER} --> [*]"]
    return "\n".join(lines)
