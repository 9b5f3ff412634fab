"""The messages of santorini-lobby, both directions, as values and as lines.

A line is one JSON object with a `type` and a `content`.  Further members are ignored, their order is free, numbers may
be written as strings and a missing number is 0 [1].  What we write is ASCII: a letter outside it is escaped, so that a
peer in any locale reads it [1].

Sections of docs/dialects/santorini-lobby.md are cited as [5.8]; "document" is the protocol's own.
"""

from __future__ import annotations

from typing import Final, TypeAlias, TypeVar

import msgspec

from boardwire.errors import Malformed
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God

M = TypeVar("M")

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


class User(msgspec.Struct, frozen=True):
    """A player by name."""

    username: str


class ActionName(msgspec.Struct, frozen=True):
    """An action by its name (the document's ActionIdentifier)."""

    description: str


class GodName(msgspec.Struct, frozen=True):
    """A god; only the name counts when it is read [2]."""

    name: str
    description: str | None = ""


class Coordinate(msgspec.Struct, frozen=True):
    """A cell, 0 to 4 each."""

    x: int = 0
    y: int = 0


class Building(msgspec.Struct, frozen=True):
    """What stands on a cell: LEVEL0 to LEVEL3, and a dome or not."""

    level: str
    dome: bool = False


def square_of(cell: Coordinate | None) -> int | None:
    """The square of a cell, None off the board.  The program's A1 is x 0, y 0 [2], and A1 is ours too."""
    if cell is None or not (0 <= cell.x < 5 and 0 <= cell.y < 5):
        return None
    return (4 - cell.y) * 5 + cell.x


CELLS: Final = tuple(Coordinate(square % 5, 4 - square // 5) for square in range(25))
"""The cell of each square."""

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


# --- contents -------------------------------------------------------------------------------------------------------


class Nothing(msgspec.Struct, frozen=True):
    """The content of a ping."""


class Size(msgspec.Struct, frozen=True):
    size: int = 0


class OfUser(msgspec.Struct, frozen=True):
    user: User


class Gods(msgspec.Struct, frozen=True):
    gods: tuple[GodName, ...]


class UserGods(msgspec.Struct, frozen=True):
    user: User
    gods: tuple[GodName, ...]


class UserGod(msgspec.Struct, frozen=True):
    user: User
    god: GodName


class ChosenGod(msgspec.Struct, frozen=True):
    user: User
    god: GodName = msgspec.field(name="godIdentifier")


class First(msgspec.Struct, frozen=True):
    chooser: User = msgspec.field(name="self")
    first: User = msgspec.field(name="firstPlayer")


class Pawns(msgspec.Struct, frozen=True):
    user: User
    c1: Coordinate
    c2: Coordinate


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """An action to be checked or executed.  To pass, a cell need not be named."""

    user: User
    id: int = 0
    action: ActionName = msgspec.field(name="actionIdentifier")
    coordinate: Coordinate | None = None


class Verdict(msgspec.Struct, frozen=True):
    value: bool


class Pawn(msgspec.Struct, frozen=True):
    owner: User
    id: int = msgspec.field(name="pawnId")
    coordinate: Coordinate


class Turn(msgspec.Struct, frozen=True):
    user: User
    turn: int = 0


class Choices(msgspec.Struct, frozen=True):
    user: User
    actions: tuple[ActionName, ...] = msgspec.field(name="actionIdentifiers")


class Way(msgspec.Struct, frozen=True):
    frm: Coordinate = msgspec.field(name="from")
    to: Coordinate


class Site(msgspec.Struct, frozen=True):
    building: Building
    coordinate: Coordinate


class Trouble(msgspec.Struct, frozen=True):
    type: str
    description: str = ""


# --- messages -------------------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """What a line says."""


class Ping(Message, frozen=True, tag="PING"):
    content: Nothing = Nothing()


class SelectPlayerNumber(Message, frozen=True, tag="SELECT_PLAYER_NUMBER"):
    content: Size


class AddUser(Message, frozen=True, tag="ADD_USER"):
    content: OfUser


class SelectGods(Message, frozen=True, tag="SELECT_GODS"):
    content: UserGods


class ChooseGod(Message, frozen=True, tag="CHOOSE_GOD"):
    content: UserGod


class ChooseFirstPlayer(Message, frozen=True, tag="CHOOSE_FIRST_PLAYER"):
    content: First


class PlacePawns(Message, frozen=True, tag="PLACE_PAWNS"):
    content: Pawns


class CheckAction(Message, frozen=True, tag="CHECK_ACTION"):
    content: Deed


class ExecuteAction(Message, frozen=True, tag="EXECUTE_ACTION"):
    content: Deed


class Result(Message, frozen=True, tag="RESULT"):
    content: Verdict


class SizeSelected(Message, frozen=True, tag="SIZE_SELECTED"):
    content: Size


class UserJoined(Message, frozen=True, tag="USER_JOINED"):
    content: OfUser


class GodsAvailable(Message, frozen=True, tag="GODS_AVAILABLE"):
    content: Gods


class GodChosen(Message, frozen=True, tag="GOD_CHOSEN"):
    content: ChosenGod


class RequestPlacePawns(Message, frozen=True, tag="REQUEST_PLACE_PAWNS"):
    content: OfUser


class PawnPlaced(Message, frozen=True, tag="PAWN_PLACED"):
    content: Pawn


class TurnChange(Message, frozen=True, tag="TURN_CHANGE"):
    content: Turn


class ActionReady(Message, frozen=True, tag="ACTION_READY"):
    content: Choices


class Moved(Message, frozen=True, tag="MOVE"):
    content: Way


class Built(Message, frozen=True, tag="BUILD"):
    content: Site


class Elimination(Message, frozen=True, tag="ELIMINATION"):
    content: OfUser


class Win(Message, frozen=True, tag="WIN"):
    content: OfUser


class ServerError(Message, frozen=True, tag="SERVER_ERROR"):
    content: Trouble


Request: TypeAlias = (
    SelectPlayerNumber | AddUser | SelectGods | ChooseGod | ChooseFirstPlayer | PlacePawns | CheckAction | ExecuteAction
)
"""What a client sends and gets one RESULT for."""

Event: TypeAlias = (
    Result | SizeSelected | UserJoined | GodsAvailable | GodChosen | RequestPlacePawns | PawnPlaced | TurnChange
    | ActionReady | Moved | Built | Elimination | Win | ServerError
)  # fmt: skip
"""What only a server sends."""

_REQUEST: Final[msgspec.json.Decoder[Request | Ping]] = msgspec.json.Decoder(Request | Ping, strict=False)
_EVENT: Final[msgspec.json.Decoder[Event | Ping]] = msgspec.json.Decoder(Event | Ping, strict=False)
_ENCODE: Final = msgspec.json.Encoder().encode


def parse_request(line: bytes) -> Request | Ping:
    """What a client's line says; `Malformed` if it says nothing a client can say."""
    return _parse(_REQUEST, line)


def parse_event(line: bytes) -> Event | Ping:
    """What a server's line says; `Malformed` if it says nothing a server can say."""
    return _parse(_EVENT, line)


def _parse(decoder: msgspec.json.Decoder[M], line: bytes) -> M:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed(f"not a message of this protocol: {error}") from None


def encode(message: Request | Event | Ping) -> bytes:
    """A message as a line, in ASCII."""
    data = _ENCODE(message)
    return (data if data.isascii() else _escaped(data)) + b"\n"


def _escaped(data: bytes) -> bytes:
    return b"".join(sign.encode() if sign.isascii() else _escape(sign) for sign in data.decode())


def _escape(sign: str) -> bytes:
    units = sign.encode("utf-16-be")
    return b"".join(b"\\u%04x" % int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2))


PING: Final = encode(Ping())
YES: Final = encode(Result(Verdict(True)))
NO: Final = encode(Result(Verdict(False)))
