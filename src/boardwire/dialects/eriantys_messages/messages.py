"""The messages of eriantys-messages: one JSON object a line, `{"type": NAME, "nickname": ..., arguments}`.

Names and arguments are the document's; sections of docs/dialects/eriantys-messages.md are cited as [6.1].  A message
always has all its fields; of those a client sends, what has a default may be left out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, TypeAlias, get_args

import msgspec

from boardwire.errors import Malformed
from boardwire.games.eriantys import Character, Colour, Tower
from boardwire.games.eriantys.piles import Counts

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""As large as any number that a client may send."""


NAME: Final = "eriantys-messages"


class _Message(msgspec.Struct, frozen=True, tag_field="type"):
    nickname: str = ""


# --- from the client ------------------------------------------------------------------------------------------------


class LoginRequest(_Message, frozen=True, tag=True, kw_only=True):
    """I want to enter with this nickname."""


class PlayerNicknameMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Who I am and what I want to play [6.1]."""

    numPlayers: Number  # noqa: N815 - the document's spelling, here and below
    colorTower: str  # noqa: N815
    gameMode: str  # noqa: N815


class CardModel(msgspec.Struct, frozen=True):
    """An assistant: its value, and how far mother nature may go with it."""

    value: Number
    movement: Number = 0


class PlayAssistantCardMessage(_Message, frozen=True, tag=True, kw_only=True):
    """I play this card: its value, or the card as it was shown."""

    assistantCard: Number | CardModel  # noqa: N815


class StudentToIslandMessage(_Message, frozen=True, tag=True, kw_only=True):
    """These students of my entrance go to the island [6.3]."""

    students: tuple[str, ...]
    indexIsland: Number  # noqa: N815


class StudentToHallMessage(_Message, frozen=True, tag=True, kw_only=True):
    """These students of my entrance take seats in my hall [6.3]."""

    students: tuple[str, ...]


class MoveMotherNatureMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Mother nature goes so many islands."""

    movement: Number


class AddStudentFromCloudToWaitingMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The students of this cloud come into my entrance [6.2]."""

    cloudIndex: Number  # noqa: N815


class PlayCharacterCardMessage(_Message, frozen=True, tag=True, kw_only=True):
    """I pay for a character and use it [6.5].

    `student`: the student of the card, or the colour meant; `indexIsland`: the island meant; `students` and
    `entrance`: the students taken from the card or the hall, and as many of my entrance given for them.
    """

    character: str
    student: str = ""
    indexIsland: Number | None = None  # noqa: N815
    students: tuple[str, ...] = ()
    entrance: tuple[str, ...] = ()


class EndGameMessage(_Message, frozen=True, tag=True, kw_only=True):
    """I have seen the end [6.7]."""


class PingMessage(_Message, frozen=True, tag=True, kw_only=True):
    """I am still here [6.8]; both directions."""


Request: TypeAlias = (
    LoginRequest | PlayerNicknameMessage | PlayAssistantCardMessage | StudentToIslandMessage | StudentToHallMessage
    | MoveMotherNatureMessage | AddStudentFromCloudToWaitingMessage | PlayCharacterCardMessage | EndGameMessage
    | PingMessage
)  # fmt: skip


# --- from the server ------------------------------------------------------------------------------------------------


class LoginReply(_Message, frozen=True, tag=True, kw_only=True):
    """Answer to a login."""

    nicknameAccepted: bool  # noqa: N815
    connectionSuccessful: bool  # noqa: N815


class InvalidTowerMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The colour is taken, or there is no such colour."""


class InvalidNicknameMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The nickname is taken."""


class TowerMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The towers on a player's board."""

    colorTower: str  # noqa: N815
    towerNumber: int  # noqa: N815


class AssignPlayerDeckResponseMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The cards in a player's hand."""

    assistantCardsModel: tuple[CardModel, ...]  # noqa: N815


class DisplayHallMessage(_Message, frozen=True, tag=True, kw_only=True):
    """A player's hall: how many of each colour, and the professors at its end."""

    hall: dict[str, int]
    professors: tuple[str, ...] = ()


class DisplayEntranceMessage(_Message, frozen=True, tag=True, kw_only=True):
    """A player's entrance."""

    entrance: tuple[str, ...]


class DisplayCloudsMessage(_Message, frozen=True, tag=True, kw_only=True):
    """All clouds; a cloud that is taken is empty."""

    clouds: tuple[tuple[str, ...], ...]


class IslandModel(msgspec.Struct, frozen=True):
    """A group of islands: how many tiles, what stands on it, and whose influence is how much."""

    tiles: int
    students: tuple[str, ...]
    tower: str | None = None
    towerNumber: int = 0  # noqa: N815
    motherNature: bool = False  # noqa: N815
    noEntry: int = 0  # noqa: N815
    influence: dict[str, int] = {}


class DisplayIslandMessage(_Message, frozen=True, tag=True, kw_only=True):
    """One group of islands; `islandIndex` counts clockwise from 0, `numIslands` is how many there are."""

    islandModel: IslandModel  # noqa: N815
    islandIndex: int  # noqa: N815
    numIslands: int  # noqa: N815


class PlayedCard(msgspec.Struct, frozen=True):
    """A card in the cemetery, and who played it."""

    nickname: str
    value: int
    movement: int


class DisplayCemeteryMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The cards played in this round, in order."""

    cemetery: tuple[PlayedCard, ...]


class InvalidNumberStudentsMovedMessage(_Message, frozen=True, tag=True, kw_only=True):
    """That is not the number of students to be moved, or they are not in the entrance [6.3]."""


class InvalidMovementMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Mother nature cannot go so far."""

    movementAllowed: int  # noqa: N815
    movementInserted: int  # noqa: N815


class CharacterModel(msgspec.Struct, frozen=True):
    """A character on the table, with its price now."""

    name: str
    cost: int
    students: tuple[str, ...] = ()
    noEntry: int = 0  # noqa: N815


class CharacterCardsMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The characters, and the coins of each player [6.5]."""

    characters: tuple[CharacterModel, ...]
    coins: dict[str, int]


class InvalidCharacterCardMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The character cannot be used like this [6.5]."""

    reason: str


class TextMessage(_Message, frozen=True, tag=True, kw_only=True):
    """Words for a player; `ask` tells a program what the player is asked: assistant, students, studentsOrCloud,
    motherNature or cloud; `REFUSED`: what came was refused, and what was asked is still open; empty: nothing."""

    text: str
    ask: str = ""


REFUSED: Final = "refused"
"""In `ask`: the words are a refusal [6.6]."""


class ErrorMessage(_Message, frozen=True, tag=True, kw_only=True):
    """What came cannot be read [6.6]."""

    error: str


class WinMessage(_Message, frozen=True, tag=True, kw_only=True):
    """The match is over; several winners are a team, or share the win [6.7]."""

    winner: tuple[str, ...]


class DisconnectionMessage(_Message, frozen=True, tag=True, kw_only=True):
    """A player left, and the match is over [6.7]."""

    nicknameDisconnected: str  # noqa: N815


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
    """Messages, each as its line."""
    return _encoder.encode_lines(messages)


def decode_request(line: bytes) -> Request:
    """What a client sent; `Malformed` says what is wrong with it."""
    try:
        return _requests.decode(line)
    except msgspec.DecodeError as error:  # a wrong field is a DecodeError too
        raise Malformed(_wrong(line, error)) from None
    except (UnicodeDecodeError, RecursionError):
        raise Malformed("a message is JSON in UTF-8, and no deeper than its fields") from None


def _wrong(line: bytes, error: msgspec.DecodeError) -> str:
    """What is wrong with a line: it is no message, none of ours, or one with other arguments than it has."""
    try:
        kind = _open(line).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return f"a message is a JSON object with a type: {error}"
    if kind not in _REQUESTS:
        return f"there is no message {kind!r}; a client sends {', '.join(_REQUESTS)}"
    return f"{kind} cannot be read: {error}"


def decode_reply(line: bytes) -> Reply:
    """What a server sent; `Malformed` says what is wrong with it."""
    try:
        return _replies.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from None


# --- words of the wire ----------------------------------------------------------------------------------------------

_COLOURS: Final = {colour.name: colour for colour in Colour}
COLOURS: Final = tuple(_COLOURS)
"""The names of the colours, in the order of counts."""
_GREEN, _RED, _YELLOW, _PINK, _BLUE = ((name,) for name in COLOURS)
TOWERS: Final = {tower.name: tower for tower in Tower}
CHARACTERS: Final = {character.name: character for character in Character}
TOWER_NAMES: Final = {tower: name for name, tower in TOWERS.items()}
CHARACTER_NAMES: Final = {character: name for name, character in CHARACTERS.items()}


def parse_colours(names: tuple[str, ...]) -> tuple[Colour, ...]:
    """Colours by name, any case; `Malformed` names the one that is none."""
    return tuple(map(parse_colour, names))


def parse_colour(name: str) -> Colour:
    """One colour by name."""
    try:
        return _COLOURS[name.upper()]
    except KeyError:
        raise Malformed(f"there is no colour {name[:20]!r}; there are {', '.join(_COLOURS)}") from None


@lru_cache(4096)
def pawns(counts: Counts) -> tuple[str, ...]:
    """Students as the wire lists them: one name each.  The same few come again and again."""
    green, red, yellow, pink, blue = counts
    return _GREEN * green + _RED * red + _YELLOW * yellow + _PINK * pink + _BLUE * blue


def movement(card: int) -> int:
    """How far mother nature may go with a card."""
    return (card + 1) // 2
