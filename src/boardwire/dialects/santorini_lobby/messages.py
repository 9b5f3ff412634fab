"""Messages of santorini-lobby, both directions, with their codec.

- A line is one JSON object with a `type` and a `content`. Additional members are ignored, members may be in any order,
  numbers may be strings, and a missing number is 0 [1].
- Written lines are ASCII with escapes, so that a peer in any locale can read them [1].

Sections of docs/dialects/santorini-lobby.md are cited as [5.8]; "document" is the original protocol document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.wire.envelopes import Envelopes

MAX_LINE_BYTES: Final = 64 * 1024
"""Maximum length of a line, in bytes."""

MAX_NAME_UTF16_UNITS: Final = 15
"""Maximum length of a name, in UTF-16 units [2]."""

SIZES: Final = (1, 2, 3)
"""Sizes of a lobby [5.2]."""

MOVE: Final = "Move"
BUILD_BLOCK: Final = "Build_Block"
BUILD_DOME: Final = "Build_Dome"
PASS_TURN: Final = "Pass_turn"
FERRY: Final = "Ferry"

ACTIONS: Final = {name.lower(): name for name in (MOVE, FERRY, BUILD_BLOCK, BUILD_DOME, PASS_TURN)}
"""The five actions by lower-case spelling: the document writes MOVE, the program Move [2]."""


class User(msgspec.Struct, frozen=True, gc=False):
    """A player by name."""

    username: str


class ActionName(msgspec.Struct, frozen=True, gc=False):
    """An action by name (the document's ActionIdentifier)."""

    description: str


class GodName(msgspec.Struct, frozen=True, gc=False):
    """A god; only the name matters when read [2]."""

    name: str
    description: str | None = ""


class Coordinate(msgspec.Struct, frozen=True, gc=False):
    """A cell; x and y are 0 to 4."""

    x: int = 0
    y: int = 0


class Building(msgspec.Struct, frozen=True, gc=False):
    """State of a cell: LEVEL0 to LEVEL3, and whether it has a dome."""

    level: str
    dome: bool = False


CELLS: Final = tuple(Coordinate(square % 5, 4 - square // 5) for square in range(25))
"""Cell by square. The program's A1 is x 0, y 0 [2], and so is this project's."""

_SQUARES: Final = {(cell.x, cell.y): square for square, cell in enumerate(CELLS)}


def square_of(cell: Coordinate | None) -> int | None:
    """Return the square of a cell, or None off the board."""
    return None if cell is None else _SQUARES.get((cell.x, cell.y))


OFFERED_GODS: Final = (
    God.APOLLO, God.MINOTAUR, God.ATLAS, God.ATHENA, God.HEPHAESTUS, God.DEMETER, God.PAN, God.ARTEMIS, God.PROMETHEUS,
    God.ZEUS, God.CHARON, God.HESTIA, God.URANIA, God.CHRONUS, God.LIMUS, God.HADES,
)  # fmt: skip
"""The gods of the original program, in the order it sends them [8].

Names are open-ended, so gods of other tables are sent by name too. Only these are on offer at a table that this dialect
opens or where one of its players sits [11].
"""

IDENTIFIERS: Final = {god: GodName(entry.name, entry.text) for god, entry in CATALOGUE.items()} | {
    God.MORTAL: GodName("Mortal", "No power.")
}
"""Name and description of every god."""

_BY_NAME: Final = {identifier.name.casefold(): god for god, identifier in IDENTIFIERS.items()}


def god_by_name(name: str) -> God | None:
    """Return the god of that name, ignoring case, or None; the description does not matter [2]."""
    return _BY_NAME.get(name.casefold())


# --- messages -------------------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, gc=False):
    """A line; its `type` is the class name, its `content` the fields."""


class UserMessage(Message, frozen=True):
    """A message that only names a user."""

    user: User


class PawnAction(Message, frozen=True, kw_only=True):
    """An action to check or execute. Passing needs no cell."""

    user: User
    id: int = 0
    action: ActionName = msgspec.field(name="actionIdentifier")
    coordinate: Coordinate | None = None


class Ping(Message, frozen=True):
    """The sender is alive; never answered with RESULT [9]."""


class SelectPlayerNumber(Message, frozen=True):
    """This lobby is for 1, 2 or 3 users; once per lobby [5.2]."""

    size: int = 0


class AddUser(UserMessage, frozen=True):
    """Log me in [5.3]."""


class SelectGods(Message, frozen=True):
    """These gods, as many as users and all different, are in play, and I am the challenger [5.4]."""

    user: User
    gods: tuple[GodName, ...]


class ChooseGod(Message, frozen=True):
    """This god is mine [5.5]."""

    user: User
    god: GodName


class ChooseFirstPlayer(Message, frozen=True):
    """This user begins [5.6]."""

    user: User = msgspec.field(name="self")
    first: User = msgspec.field(name="firstPlayer")


class PlacePawns(Message, frozen=True):
    """My pawn 0 is on `c1`, my pawn 1 on `c2` [5.7]."""

    user: User
    c1: Coordinate
    c2: Coordinate


class CheckAction(PawnAction, frozen=True):
    """May my pawn `id`, 0 or 1, do this now? [5.8]"""


class ExecuteAction(PawnAction, frozen=True):
    """My pawn `id`, 0 or 1, does this [5.8]."""


class Result(Message, frozen=True):
    """The request was granted or refused; only to its sender [4]."""

    value: bool


class SizeSelected(Message, frozen=True):
    """The lobby has its size."""

    size: int = 0


class UserJoined(UserMessage, frozen=True):
    """A user has logged in."""


class GodsAvailable(Message, frozen=True):
    """All gods on offer, then the challenger's, then those that are left; the empty list asks the challenger
    for the first player."""

    gods: tuple[GodName, ...]


class GodChosen(Message, frozen=True):
    """A user has its god; also the challenger, who gets the last one."""

    user: User
    god: GodName = msgspec.field(name="godIdentifier")


class RequestPlacePawns(UserMessage, frozen=True):
    """It is this user's turn to place."""


class PawnPlaced(Message, frozen=True):
    """Pawn 0 or 1 of a user was placed."""

    owner: User
    id: int = msgspec.field(name="pawnId")
    coordinate: Coordinate


class TurnChange(Message, frozen=True):
    """A turn begins; turns count from 0."""

    user: User
    turn: int = 0


class ActionReady(Message, frozen=True):
    """This user may do one of these kinds of action [5.8]."""

    user: User
    actions: tuple[ActionName, ...] = msgspec.field(name="actionIdentifiers")


class Move(Message, frozen=True):
    """The pawn on `from` goes to `to`; if a pawn is there, the two swap."""

    frm: Coordinate = msgspec.field(name="from")
    to: Coordinate


class Build(Message, frozen=True):
    """The new state of a cell."""

    building: Building
    coordinate: Coordinate


class Elimination(UserMessage, frozen=True):
    """The user is out, and its pawns leave the board [5.9]."""


class Win(UserMessage, frozen=True):
    """The match is over, and this user has won [5.10]."""


class ServerError(Message, frozen=True):
    """The match is over without a winner [10]."""

    type: str
    description: str = ""


Request: TypeAlias = (
    SelectPlayerNumber | AddUser | SelectGods | ChooseGod | ChooseFirstPlayer | PlacePawns | CheckAction | ExecuteAction
)
"""Client messages that get one RESULT."""

QUERIES: Final[dict[type, str]] = {CheckAction: ""}
"""Requests in a match that answer no question, each with the messages to all users before its RESULT true."""

Event: TypeAlias = (
    Result | SizeSelected | UserJoined | GodsAvailable | GodChosen | RequestPlacePawns | PawnPlaced | TurnChange
    | ActionReady | Move | Build | Elimination | Win | ServerError
)  # fmt: skip
"""Messages that only a server sends."""


def _type_of(class_name: str) -> str:
    """Return the `type` that stands for a class name: `AddUser` is `ADD_USER`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", class_name).upper()


def _codec_of(union: Any) -> Envelopes[Any]:
    return Envelopes(union, "type", "content", _type_of, strict=False, empty=True)


parse_request: Final[Callable[[bytes], Request | Ping]] = _codec_of(Request | Ping).decode
"""Decode a client's line, or raise `Malformed`."""

parse_event: Final[Callable[[bytes], Event | Ping]] = _codec_of(Event | Ping).decode
"""Decode a server's line, or raise `Malformed`."""

_ALL: Final[Envelopes[Request | Event | Ping]] = _codec_of(Request | Event | Ping)

encode: Final = _ALL.encode
"""Encode a message as an ASCII line."""

TAGS: Final = _ALL.tags
"""`type` by message class."""

PING: Final = encode(Ping())
YES: Final = encode(Result(True))
NO: Final = encode(Result(False))
