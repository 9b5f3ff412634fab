"""The messages of santorini-lobby, both directions, as values and as lines.

A line is one JSON object with a `type` and a `content`.  Further members are ignored, their order is free, numbers may
be written as strings and a missing number is 0 [1].  What we write is ASCII: a letter outside it is escaped, so that a
peer in any locale reads it [1].

Sections of docs/dialects/santorini-lobby.md are cited as [5.8]; "document" is the protocol's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.wire.envelopes import Envelopes

LINE_LIMIT: Final = 64 * 1024
"""The longest line a peer may send, in bytes."""

NAME_LIMIT: Final = 15
"""The longest name, in UTF-16 units [2]."""

MOVE: Final = "Move"
BUILD_BLOCK: Final = "Build_Block"
BUILD_DOME: Final = "Build_Dome"
PASS_TURN: Final = "Pass_turn"
FERRY: Final = "Ferry"

ACTIONS: Final = {name.lower(): name for name in (MOVE, FERRY, BUILD_BLOCK, BUILD_DOME, PASS_TURN)}
"""The five actions by their lower-case spelling: the document writes MOVE, the program Move [2]."""


class User(msgspec.Struct, frozen=True, gc=False):
    """A player by name."""

    username: str


class ActionName(msgspec.Struct, frozen=True, gc=False):
    """An action by its name (the document's ActionIdentifier)."""

    description: str


class GodName(msgspec.Struct, frozen=True, gc=False):
    """A god; only the name counts when it is read [2]."""

    name: str
    description: str | None = ""


class Coordinate(msgspec.Struct, frozen=True, gc=False):
    """A cell, 0 to 4 each."""

    x: int = 0
    y: int = 0


class Building(msgspec.Struct, frozen=True, gc=False):
    """What stands on a cell: LEVEL0 to LEVEL3, and a dome or not."""

    level: str
    dome: bool = False


CELLS: Final = tuple(Coordinate(square % 5, 4 - square // 5) for square in range(25))
"""The cell of each square.  The program's A1 is x 0, y 0 [2], and A1 is ours too."""

_SQUARES: Final = {(cell.x, cell.y): square for square, cell in enumerate(CELLS)}


def square_of(cell: Coordinate | None) -> int | None:
    """The square of a cell, None off the board."""
    return None if cell is None else _SQUARES.get((cell.x, cell.y))


OFFERED: Final = (
    God.APOLLO, God.MINOTAUR, God.ATLAS, God.ATHENA, God.HEPHAESTUS, God.DEMETER, God.PAN, God.ARTEMIS, God.PROMETHEUS,
    God.ZEUS, God.CHARON, God.HESTIA, God.URANIA, God.CHRONUS, God.LIMUS, God.HADES,
)  # fmt: skip
"""The gods of this protocol's program, in the order it sends them [8].  Names are open-ended, so a god of another table
is told by its name too; but only these are on offer at a table that this dialect opens, or where one of its players
sits [11]."""

IDENTIFIERS: Final = {god: GodName(entry.name, entry.text) for god, entry in CATALOGUE.items()} | {
    God.MORTAL: GodName("Mortal", "No power.")
}
"""Every god, described in our own words."""

_BY_NAME: Final = {identifier.name.casefold(): god for god, identifier in IDENTIFIERS.items()}


def god_called(name: str) -> God | None:
    """The god of that name, in any case; the description does not matter [2]."""
    return _BY_NAME.get(name.casefold())


# --- messages -------------------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, gc=False):
    """What a line says; its `type` is the name of the class, its `content` the fields."""


class OfUser(Message, frozen=True):
    """What only names a user."""

    user: User


class Deed(Message, frozen=True, kw_only=True):
    """An action to be checked or executed.  To pass, a cell need not be named."""

    user: User
    id: int = 0
    action: ActionName = msgspec.field(name="actionIdentifier")
    coordinate: Coordinate | None = None


class Ping(Message, frozen=True):
    """Both directions [9]."""


class SelectPlayerNumber(Message, frozen=True):
    size: int = 0


class AddUser(OfUser, frozen=True):
    pass


class SelectGods(Message, frozen=True):
    user: User
    gods: tuple[GodName, ...]


class ChooseGod(Message, frozen=True):
    user: User
    god: GodName


class ChooseFirstPlayer(Message, frozen=True):
    user: User = msgspec.field(name="self")
    first: User = msgspec.field(name="firstPlayer")


class PlacePawns(Message, frozen=True):
    user: User
    c1: Coordinate
    c2: Coordinate


class CheckAction(Deed, frozen=True):
    pass


class ExecuteAction(Deed, frozen=True):
    pass


class Result(Message, frozen=True):
    value: bool


class SizeSelected(Message, frozen=True):
    size: int = 0


class UserJoined(OfUser, frozen=True):
    pass


class GodsAvailable(Message, frozen=True):
    gods: tuple[GodName, ...]


class GodChosen(Message, frozen=True):
    user: User
    god: GodName = msgspec.field(name="godIdentifier")


class RequestPlacePawns(OfUser, frozen=True):
    pass


class PawnPlaced(Message, frozen=True):
    owner: User
    id: int = msgspec.field(name="pawnId")
    coordinate: Coordinate


class TurnChange(Message, frozen=True):
    user: User
    turn: int = 0


class ActionReady(Message, frozen=True):
    user: User
    actions: tuple[ActionName, ...] = msgspec.field(name="actionIdentifiers")


class Move(Message, frozen=True):
    frm: Coordinate = msgspec.field(name="from")
    to: Coordinate


class Build(Message, frozen=True):
    building: Building
    coordinate: Coordinate


class Elimination(OfUser, frozen=True):
    pass


class Win(OfUser, frozen=True):
    pass


class ServerError(Message, frozen=True):
    type: str
    description: str = ""


Request: TypeAlias = (
    SelectPlayerNumber | AddUser | SelectGods | ChooseGod | ChooseFirstPlayer | PlacePawns | CheckAction | ExecuteAction
)
"""What a client sends and gets one RESULT for."""

Event: TypeAlias = (
    Result | SizeSelected | UserJoined | GodsAvailable | GodChosen | RequestPlacePawns | PawnPlaced | TurnChange
    | ActionReady | Move | Build | Elimination | Win | ServerError
)  # fmt: skip
"""What only a server sends."""


def _type(name: str) -> str:
    """The `type` of a message, by what it is called here."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).upper()


def _codec(union: Any) -> Envelopes[Any]:
    return Envelopes(union, "type", "content", _type, strict=False, empty=True)


parse_request: Final[Callable[[bytes], Request | Ping]] = _codec(Request | Ping).decode
"""What a client's line says; `Malformed` if it says nothing a client can say."""

parse_event: Final[Callable[[bytes], Event | Ping]] = _codec(Event | Ping).decode
"""What a server's line says; `Malformed` if it says nothing a server can say."""

_ALL: Final[Envelopes[Request | Event | Ping]] = _codec(Request | Event | Ping)

encode: Final = _ALL.encode
"""A message as a line, in ASCII."""

TAGS: Final = _ALL.tags
"""The `type` of each message."""

PING: Final = encode(Ping())
YES: Final = encode(Result(True))
NO: Final = encode(Result(False))
