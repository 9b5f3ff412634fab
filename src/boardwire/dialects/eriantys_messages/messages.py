"""Messages of eriantys-messages: one JSON object per line, `{"type": NAME, "nickname": ..., arguments}`.

- Names and arguments are the published document's; [6.1] cites a section of docs/dialects/eriantys-messages.md.
- The server sends every field. A client may leave out fields that have a default.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, TypeAlias, get_args

import msgspec

from boardwire.errors import Malformed
from boardwire.games.eriantys import Character, Colour, Tower
from boardwire.games.eriantys.piles import Counts

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""Number that a client may send: 32 bits, signed."""

NAME: Final = "eriantys-messages"


class _Message(msgspec.Struct, frozen=True, tag_field="type"):
    nickname: str = ""


# --- from the client ------------------------------------------------------------------------------------------------


class LoginRequest(_Message, frozen=True, tag=True, kw_only=True):
    """Log in with this nickname [6.1]."""


class PlayerNicknameMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Request a seat: nickname, number of players, tower and mode [6.1]."""

    numPlayers: Number
    colorTower: str
    gameMode: str


class CardModel(msgspec.Struct, frozen=True):
    """An assistant card: its `value`, 1 to 10, and the steps that it allows mother nature."""

    value: Number
    movement: Number = 0


class PlayAssistantCardMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Play an assistant, given by its value or as the card that was displayed [4.4]."""

    assistantCard: Number | CardModel


class StudentToIslandMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Move students from the entrance to an island [6.3]."""

    students: tuple[str, ...]
    indexIsland: Number


class StudentToHallMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Move students from the entrance to the hall [6.3]."""

    students: tuple[str, ...]


class MoveMotherNatureMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Move mother nature by `movement` islands [4.5]."""

    movement: Number


class AddStudentFromCloudToWaitingMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Take the students of a cloud into the entrance [6.2]."""

    cloudIndex: Number


class PlayCharacterCardMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Pay for a character and use it [6.5].

    `student` is a student of the card or a colour, `indexIsland` an island. `students` are taken from the card or the
    hall, and `entrance` are the students given in exchange.
    """

    character: str
    student: str = ""
    indexIsland: Number | None = None
    students: tuple[str, ...] = ()
    entrance: tuple[str, ...] = ()


class EndGameMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Confirm the end of the match [6.7]."""


class PingMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The sender is alive [6.8]."""


Request: TypeAlias = (
    LoginRequest | PlayerNicknameMessage | PlayAssistantCardMessage | StudentToIslandMessage | StudentToHallMessage
    | MoveMotherNatureMessage | AddStudentFromCloudToWaitingMessage | PlayCharacterCardMessage | EndGameMessage
    | PingMessage
)  # fmt: skip


# --- from the server ------------------------------------------------------------------------------------------------


class LoginReply(_Message, frozen=True, tag=True, kw_only=True):
    """Answer to every login; `connectionSuccessful` is always true, since a full server closes the connection [6.1]."""

    nicknameAccepted: bool
    connectionSuccessful: bool


class InvalidTowerMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To the sender: the tower is taken, is not of this table, or is not a colour."""


class InvalidNicknameMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To the sender: the nickname is taken or not valid."""


class TowerMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the towers on a player's board; members of a team have the same ones."""

    colorTower: str
    towerNumber: int


class AssignPlayerDeckResponseMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the cards in a player's hand."""

    assistantCardsModel: tuple[CardModel, ...]


class DisplayHallMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: a player's hall, with the number of students of each of the five colours, and the player's professors."""

    hall: dict[str, int]
    professors: tuple[str, ...] = ()


class DisplayEntranceMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the students in a player's entrance."""

    entrance: tuple[str, ...]


class DisplayCloudsMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the students of each cloud; a cloud that was taken is empty."""

    clouds: tuple[tuple[str, ...], ...]


class IslandModel(msgspec.Struct, frozen=True):
    """A group of islands: how many it is made of, what is on it, and each player's influence if resolved now."""

    tiles: int
    students: tuple[str, ...]
    tower: str | None = None
    towerNumber: int = 0
    motherNature: bool = False
    noEntry: int = 0
    influence: dict[str, int] = {}


class DisplayIslandMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: one group of islands; `islandIndex` counts clockwise from 0, `numIslands` is the number of groups."""

    islandModel: IslandModel
    islandIndex: int
    numIslands: int


class PlayedCard(msgspec.Struct, frozen=True):
    """A card in the cemetery, with the nickname of its player."""

    nickname: str
    value: int
    movement: int


class DisplayCemeteryMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the cards of this round, in the order of play."""

    cemetery: tuple[PlayedCard, ...]


class InvalidNumberStudentsMovedMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To the sender: wrong number of students, or students that are not in the entrance [6.3]."""


class InvalidMovementMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To the sender: mother nature cannot go so far, or not at all."""

    movementAllowed: int
    movementInserted: int


class CharacterModel(msgspec.Struct, frozen=True):
    """A character on the table: its name, its current price, and what is on it."""

    name: str
    cost: int
    students: tuple[str, ...] = ()
    noEntry: int = 0


class CharacterCardsMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the characters on the table, and the coins by nickname [6.5]."""

    characters: tuple[CharacterModel, ...]
    coins: dict[str, int]


class InvalidCharacterCardMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To the sender: the character cannot be used like this [6.5]."""

    reason: str


class TextMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Text for the player.

    `ask` is for programs: the keyword of a question (`assistant`, `students`, `studentsOrCloud`, `motherNature` or
    `cloud`), `refused` if the last message was refused and the question is still open, or empty.
    """

    text: str
    ask: str = ""


REFUSED: Final = "refused"
"""Value of `TextMessage.ask` that marks a refusal [6.6]."""


class ErrorMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To the sender: the last message cannot be read [6.6]."""

    error: str


class WinMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all: the match is over. Several winners are a team or share the win [6.7]."""

    winner: tuple[str, ...]


class DisconnectionMessage(_Message, frozen=True, tag=True, kw_only=True):
    """To all others: a player left, and the match is over; empty if the server stopped [6.7]."""

    nicknameDisconnected: str


Reply: TypeAlias = (
    LoginReply | InvalidTowerMessage | InvalidNicknameMessage | TowerMessage | AssignPlayerDeckResponseMessage
    | DisplayHallMessage | DisplayEntranceMessage | DisplayCloudsMessage | DisplayIslandMessage
    | DisplayCemeteryMessage | InvalidNumberStudentsMovedMessage | InvalidMovementMessage | CharacterCardsMessage
    | InvalidCharacterCardMessage | TextMessage | ErrorMessage | WinMessage | DisconnectionMessage | PingMessage
)  # fmt: skip

_requests: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_replies: Final[msgspec.json.Decoder[Reply]] = msgspec.json.Decoder(Reply)
_encoder: Final = msgspec.json.Encoder()
_REQUESTS: Final = tuple(request.__name__ for request in get_args(Request))


class _Typed(msgspec.Struct, frozen=True):
    type: str


_open: Final = msgspec.json.Decoder(_Typed).decode


def encode(*messages: _Message) -> bytes:
    """Encode messages, one per line."""
    return _encoder.encode_lines(list(messages))  # a tuple leaks 48 bytes in each call (msgspec 0.22)


def decode_request(line: bytes) -> Request:
    """Decode a client's line, or raise `Malformed` with the reason."""
    try:
        return _requests.decode(line)
    except msgspec.DecodeError as error:  # a wrong field is a DecodeError too
        raise Malformed(_explain_fault(line, error)) from None
    except (UnicodeDecodeError, RecursionError):
        raise Malformed("a message is JSON in UTF-8, and no deeper than its fields") from None


def _explain_fault(line: bytes, error: msgspec.DecodeError) -> str:
    """Explain why a line is not a request: no message, an unknown type, or wrong arguments."""
    try:
        kind = _open(line).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return f"a message is a JSON object with a type: {error}"
    if kind not in _REQUESTS:
        return f"there is no message {kind!r}; a client sends {', '.join(_REQUESTS)}"
    return f"{kind} cannot be read: {error}"


def decode_reply(line: bytes) -> Reply:
    """Decode a server's line, or raise `Malformed` with the reason."""
    try:
        return _replies.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from None


# --- words of the wire ----------------------------------------------------------------------------------------------

_COLOURS: Final = {colour.name: colour for colour in Colour}
COLOURS: Final = tuple(_COLOURS)
"""Names of the colours, in the order of `Counts`."""
_GREEN, _RED, _YELLOW, _PINK, _BLUE = ((name,) for name in COLOURS)
TOWERS: Final = {tower.name: tower for tower in Tower}
CHARACTERS: Final = {character.name: character for character in Character}
TOWER_NAMES: Final = {tower: name for name, tower in TOWERS.items()}
CHARACTER_NAMES: Final = {character: name for name, character in CHARACTERS.items()}


def parse_colours(names: tuple[str, ...]) -> tuple[Colour, ...]:
    """Parse colour names in any case, or raise `Malformed` for the first unknown one."""
    return tuple(map(parse_colour, names))


def parse_colour(name: str) -> Colour:
    """Parse a colour name in any case, or raise `Malformed`."""
    try:
        return _COLOURS[name.upper()]
    except KeyError:
        raise Malformed(f"there is no colour {name[:20]!r}; the colours are {', '.join(_COLOURS)}") from None


@lru_cache(4096)
def pawns(counts: Counts) -> tuple[str, ...]:
    """Return students as the wire lists them, one name each; cached, because the same counts recur."""
    green, red, yellow, pink, blue = counts
    return _GREEN * green + _RED * red + _YELLOW * yellow + _PINK * pink + _BLUE * blue
