"""What all messages of eriantys-objects have in common, and the enums they use.

Enums travel by name.  A message's type must be the one its class declares: the shipped program looks at the type first
and then casts.  `nickname` holds the addressee, or on requests the sender; the shipped client copies it from a question
into its answer.
"""

from __future__ import annotations

from enum import Enum, auto

import msgspec


class MessageType(Enum):
    """What a message is for.  One type may belong to several classes."""

    WIN = auto()
    LOSE = auto()
    PLAYERS_REQUEST = auto()
    PLAYERS_RESPONSE = auto()
    ERROR = auto()
    DISCONNECTION = auto()
    LOGIN_REQUEST = auto()
    LOGIN_REPLY = auto()
    GENERIC_MESSAGE = auto()
    DISPLAY = auto()
    TEXT = auto()
    PING = auto()
    MOVE = auto()
    ORDER = auto()
    ISLANDS = auto()
    LOBBY = auto()
    END_TURN = auto()
    START_TURN = auto()
    INIT = auto()
    PLAYERNUMBER_REQUEST = auto()
    PLAYERNUMBER_REPLY = auto()
    CHOSEN_TOWER = auto()
    GAMEMODE_REQUEST = auto()
    PLAYER_MOVED_STUDENTS_ON_HALL = auto()
    PLAYER_MOVED_MOTHER = auto()
    MOVE_MOTHER_REQ = auto()
    REQ_LOBBY = auto()
    LOBBY_PLAYERS_RES = auto()
    REQ_PLAYER_BOARD = auto()
    RES_BOARD = auto()
    GAMEMODE_RES = auto()
    PLAYED_ASSISTANT_CARD = auto()
    PLAYER_MOVED_STUDENTS_ON_ISLAND = auto()
    MOVE_CLOUD_TO_ENTRANCE = auto()
    MOVED_CLOUD_TO_ENTRANCE = auto()
    REQ_ENTRANCE_TO_HALL = auto()
    REQ_ENTRANCE_TO_ISLAND = auto()
    CHARACTER_CARD_PLAYED = auto()
    SKIPPING_INFLUENCE = auto()
    WHO_PLAY = auto()
    REQ_PLAY_CHAR_CARD = auto()
    EFFECT_CARD_PLAYED = auto()
    MOVING_ONE_STUDENT_FROM_CARD = auto()
    ASK_EXTRA_GET_INFLUENCE = auto()
    ASK_MOVE_BAN_CARD = auto()
    REQ_CARD_TO_HALL = auto()
    MOVE_FROM_CARD_TO_HALL = auto()
    ASK_COLOR_TO_IGNORE = auto()
    COLOR_REMOVE_ALL = auto()
    ASK_CHANGE_ENTRANCE_HALL = auto()
    ENTRANCE_CHANGES = auto()


class ObjectDisplay(Enum):
    """What a message displays."""

    CEMETERY = auto()
    ENTRANCE = auto()
    HALL = auto()
    ISLAND = auto()
    CLOUDS = auto()
    DECK = auto()
    BOARD = auto()
    ISLANDS = auto()


class ColorPawns(Enum):
    """The colours of students and professors."""

    GREEN = auto()
    RED = auto()
    YELLOW = auto()
    PINK = auto()
    BLUE = auto()
    NULL = auto()


class ColorTower(Enum):
    """The colours of towers; NULL is no tower."""

    GREY = auto()
    BLACK = auto()
    WHITE = auto()
    NULL = auto()


class GameMode(Enum):
    """With characters or without."""

    BEGINNER = auto()
    ADVANCED = auto()


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """The parent of all messages."""

    message_type: MessageType
    nickname: str | None = None


class DisplayMessage(Message, frozen=True, kw_only=True):
    """The parent of messages that show something.

    Quirk: its own field for what is shown is null on the wire always; each child has another of the same name.
    """

    message_type: MessageType = MessageType.DISPLAY
    parent_display: ObjectDisplay | None = None
