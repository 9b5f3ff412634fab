"""What a client of eriantys-objects says (protocol page, section 2).

A missing object is `None`: the shipped program leaves out a list for "none", and a card for "no card".
"""

from __future__ import annotations

from collections.abc import Sequence

from boardwire.dialects.eriantys_objects.classes.message import (
    ColorPawns,
    ColorTower,
    GameMode,
    Message,
    MessageType,
)
from boardwire.dialects.eriantys_objects.classes.models import (
    CharacterCardModel,
)
from boardwire.wire.javastream import Byte


class LoginRequest(Message, frozen=True, kw_only=True):
    """Let me in under this name."""

    message_type: MessageType = MessageType.LOGIN_REQUEST


class PlayerNumberReply(Message, frozen=True, kw_only=True):
    """For so many: 2, 3 or 4."""

    message_type: MessageType = MessageType.PLAYERNUMBER_REPLY
    player_number: int


class ChosenTowerMessage(Message, frozen=True, kw_only=True):
    """My tower colour."""

    message_type: MessageType = MessageType.CHOSEN_TOWER
    color_tower: ColorTower | None = None


class GameModeRes(Message, frozen=True, kw_only=True):
    """The mode."""

    message_type: MessageType = MessageType.GAMEMODE_RES
    game_mode: GameMode | None = None


class PingMessage(Message, frozen=True, kw_only=True):
    """I am still here."""

    message_type: MessageType = MessageType.PING


class PlayAssistantCardMessage(Message, frozen=True, kw_only=True):
    """My assistant, by its index in what was offered."""

    message_type: MessageType = MessageType.PLAYED_ASSISTANT_CARD
    index_assistant_card_model: int
    player_model: str | None = None


class MovedStudentOnIslandMessage(Message, frozen=True, kw_only=True):
    """These students go to that island."""

    message_type: MessageType = MessageType.PLAYER_MOVED_STUDENTS_ON_ISLAND
    index_island: int
    students: Sequence[ColorPawns] | None = None


class MovedStudentToHallMessage(Message, frozen=True, kw_only=True):
    """These students go to my hall."""

    message_type: MessageType = MessageType.PLAYER_MOVED_STUDENTS_ON_HALL
    students: Sequence[ColorPawns] | None = None


class MovedMotherNatureMessage(Message, frozen=True, kw_only=True):
    """Mother nature moves so far."""

    message_type: MessageType = MessageType.PLAYER_MOVED_MOTHER
    movement: Byte
    player_model: str | None = None


class AddStudentFromCloudToEntranceMessage(Message, frozen=True, kw_only=True):
    """I take the cloud of that index."""

    message_type: MessageType = MessageType.MOVED_CLOUD_TO_ENTRANCE
    cloud_index: int


class RequestPlayersBoard(Message, frozen=True, kw_only=True):
    """Who are the other players?"""

    message_type: MessageType = MessageType.REQ_LOBBY


class ReqRealPlayerBoardMessage(Message, frozen=True, kw_only=True):
    """Show me that player's board."""

    message_type: MessageType = MessageType.REQ_PLAYER_BOARD
    nick_to_send: str | None = None


class PlayedCharacterCardMessage(Message, frozen=True, kw_only=True):
    """I play this character, or none."""

    message_type: MessageType = MessageType.CHARACTER_CARD_PLAYED
    card_played: CharacterCardModel | None = None


class MovedFromCardToIsland(Message, frozen=True, kw_only=True):
    """Monk: this student goes to that island."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    island_index: int
    student_to_move: ColorPawns | None = None


class MovedStudentFromCardToHall(Message, frozen=True, kw_only=True):
    """Princess: this student goes to my hall."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    picked_student: ColorPawns | None = None


class MovedBanCardMessage(Message, frozen=True, kw_only=True):
    """Herbalist: that island."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    index_island: int


class ChosenColorToIgnore(Message, frozen=True, kw_only=True):
    """Mushroom picker: this colour counts for nothing."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    chosen_color: ColorPawns | None = None


class ExtraGetInfluence(Message, frozen=True, kw_only=True):
    """Herald: that island."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    index_island: int


class MovedFromCardToEntrance(Message, frozen=True, kw_only=True):
    """Jester: these for those."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    students_from_card: Sequence[ColorPawns] | None = None
    students_from_entrance: Sequence[ColorPawns] | None = None


class ChosenChangeEntranceHall(Message, frozen=True, kw_only=True):
    """Minstrel: these for those."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    students_from_entrance: Sequence[ColorPawns] | None = None
    students_from_hall: Sequence[ColorPawns] | None = None


class ChosenColorRemoveForAll(Message, frozen=True, kw_only=True):
    """Thief: this colour."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    color: ColorPawns | None = None


class PlayerNicknameMessage(Message, frozen=True, kw_only=True):
    """Let me in, all at once."""

    message_type: MessageType = MessageType.PLAYERS_REQUEST
    num_players: int
    color_tower: ColorTower | None = None
    game_mode: GameMode | None = None


class InitialReqMessage(Message, frozen=True, kw_only=True):
    """Let me in, all at once; an older form."""

    message_type: MessageType = MessageType.INIT
    number_players: int
    color_tower: ColorTower | None = None
    game_mode: GameMode | None = None
