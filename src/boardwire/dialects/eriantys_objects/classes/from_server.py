"""What a server of eriantys-objects says (protocol page, section 2).

Of the errors, the shipped client survives only `ErrorMessage`, by ending; the others are for peers of our own kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardwire.dialects.eriantys_objects.classes.message import (
    ColorPawns,
    ColorTower,
    DisplayMessage,
    GameMode,
    Message,
    MessageType,
    ObjectDisplay,
)
from boardwire.dialects.eriantys_objects.classes.models import (
    AssistantCardModel,
    CharacterCardModel,
    CloudModel,
    IslandModel,
    PlayerModel,
)
from boardwire.wire.javastream import Byte


class LoginReply(Message, frozen=True, kw_only=True):
    """Whether the name was accepted, and whether the player is in."""

    message_type: MessageType = MessageType.LOGIN_REPLY
    connection_successful: bool
    nickname_accepted: bool


class GenericMessage(Message, frozen=True, kw_only=True):
    """A text: why a login was refused, or whose turn it is."""

    message_type: MessageType = MessageType.GENERIC_MESSAGE
    message: str


class PlayerNumberRequest(Message, frozen=True, kw_only=True):
    """To the first player: for how many is the table?"""

    message_type: MessageType = MessageType.PLAYERNUMBER_REQUEST


class InitialResMessage(Message, frozen=True, kw_only=True):
    """Choose a tower colour; the mode, if it is known."""

    message_type: MessageType = MessageType.INIT
    available_towers: Sequence[ColorTower]
    game_mode: GameMode | None = None


class GameModeReq(Message, frozen=True, kw_only=True):
    """To the first player: which mode?"""

    message_type: MessageType = MessageType.GAMEMODE_REQUEST


class DisplayCloudsMessage(DisplayMessage, frozen=True, kw_only=True):
    """The clouds that are left."""

    message_type: MessageType = MessageType.DISPLAY
    object_display: ObjectDisplay | None = ObjectDisplay.CLOUDS
    clouds: Sequence[CloudModel]


class DisplayIslandsMessage(DisplayMessage, frozen=True, kw_only=True):
    """All islands; the index in this list is an island's number."""

    message_type: MessageType = MessageType.DISPLAY
    object_display: ObjectDisplay | None = ObjectDisplay.ISLANDS
    island_models: Sequence[IslandModel]


class DisplayIslandMessage(DisplayMessage, frozen=True, kw_only=True):
    """One island, whose tower has changed."""

    message_type: MessageType = MessageType.DISPLAY
    object_display: ObjectDisplay | None = ObjectDisplay.ISLAND
    island_index: int
    island_model: IslandModel


class DisplayPlayerBoardMessage(DisplayMessage, frozen=True, kw_only=True):
    """One player's board; one entry of `towers` for each tower left."""

    message_type: MessageType = MessageType.DISPLAY
    object_display: ObjectDisplay | None = ObjectDisplay.BOARD
    is_first: bool
    entrance: Sequence[ColorPawns]
    hall: Mapping[ColorPawns, int]
    player: PlayerModel
    profs: Sequence[ColorPawns]
    towers: Sequence[ColorTower]


class DisplayDeckAndAskCardMessage(DisplayMessage, frozen=True, kw_only=True):
    """Choose one of these assistants."""

    message_type: MessageType = MessageType.DISPLAY
    object_display: ObjectDisplay | None = ObjectDisplay.DECK
    deck: Sequence[AssistantCardModel]


class DisplayCemeteryMessage(DisplayMessage, frozen=True, kw_only=True):
    """The assistants played so far in this planning phase."""

    message_type: MessageType = MessageType.DISPLAY
    object_display: ObjectDisplay | None = ObjectDisplay.CEMETERY
    cemetery: Sequence[AssistantCardModel]


class StartTurnMessage(Message, frozen=True, kw_only=True):
    """Your turn begins."""

    message_type: MessageType = MessageType.START_TURN


class EndTurnMessage(Message, frozen=True, kw_only=True):
    """Your turn is over."""

    message_type: MessageType = MessageType.END_TURN


class StudentToIslandMessage(Message, frozen=True, kw_only=True):
    """Move students to one island, or none."""

    message_type: MessageType = MessageType.REQ_ENTRANCE_TO_HALL
    entrance: Sequence[ColorPawns]
    islands: Sequence[IslandModel]


class StudentToHallMessage(Message, frozen=True, kw_only=True):
    """Move so many students to your hall."""

    message_type: MessageType = MessageType.REQ_ENTRANCE_TO_ISLAND
    number_students_to_move: int
    entrance: Sequence[ColorPawns]


class EntranceChangeMessage(Message, frozen=True, kw_only=True):
    """Your entrance after a change."""

    message_type: MessageType = MessageType.ENTRANCE_CHANGES
    student_in_entrance: Sequence[ColorPawns]


class ReqMoveMotherNatureMessage(Message, frozen=True, kw_only=True):
    """Move mother nature, at most so far."""

    message_type: MessageType = MessageType.MOVE_MOTHER_REQ
    max_movement_allowed: Byte
    player: PlayerModel


class InvalidMovementMessage(Message, frozen=True, kw_only=True):
    """That was too far."""

    message_type: MessageType = MessageType.ERROR
    movement_allowed: Byte
    movement_inserted: Byte


class ReqMoveCloudToEntranceMessage(Message, frozen=True, kw_only=True):
    """Choose one of these clouds."""

    message_type: MessageType = MessageType.MOVE_CLOUD_TO_ENTRANCE
    clouds: Sequence[CloudModel]


class TextMessage(Message, frozen=True, kw_only=True):
    """A text for the player."""

    message_type: MessageType = MessageType.TEXT
    text: str


class WinMessage(Message, frozen=True, kw_only=True):
    """The match is over; this player won."""

    message_type: MessageType = MessageType.WIN
    winner: PlayerModel


class DisconnectionMessage(Message, frozen=True, kw_only=True):
    """A player went away; the match is over."""

    message_type: MessageType = MessageType.DISCONNECTION
    message_str: str
    nickname_disconnected: str


class LobbyInfoMessage(Message, frozen=True, kw_only=True):
    """The other players, or those that remain."""

    message_type: MessageType = MessageType.LOBBY
    nickname_list: Sequence[PlayerModel]


class ReqPlayCharacterCardMessage(Message, frozen=True, kw_only=True):
    """Play a character, if you like; `exist_card` tells whether you can pay for one."""

    message_type: MessageType = MessageType.REQ_PLAY_CHAR_CARD
    exist_card: bool
    character_deck: Sequence[CharacterCardModel]
    player: PlayerModel


class AskMoveStudentFromCardToIslandMessage(Message, frozen=True, kw_only=True):
    """Monk: choose a student of the card and an island."""

    message_type: MessageType = MessageType.MOVING_ONE_STUDENT_FROM_CARD
    islands: Sequence[IslandModel]
    students_on_card: Sequence[ColorPawns]


class ReqStudentFromCardToHall(Message, frozen=True, kw_only=True):
    """Princess: choose a student of the card."""

    message_type: MessageType = MessageType.REQ_CARD_TO_HALL
    students_on_card: Sequence[ColorPawns]


class AskMoveBanCardMessage(Message, frozen=True, kw_only=True):
    """Herbalist: choose an island."""

    message_type: MessageType = MessageType.ASK_MOVE_BAN_CARD
    islands: Sequence[IslandModel]


class AskColorToIgnore(Message, frozen=True, kw_only=True):
    """Mushroom picker: choose a colour."""

    message_type: MessageType = MessageType.ASK_COLOR_TO_IGNORE


class EffectSkippingInfluenceMessage(Message, frozen=True, kw_only=True):
    """A no-entry tile was used up."""

    message_type: MessageType = MessageType.SKIPPING_INFLUENCE


class AskExtraGetInfluenceMessage(Message, frozen=True, kw_only=True):
    """Herald: choose an island."""

    message_type: MessageType = MessageType.ASK_EXTRA_GET_INFLUENCE
    islands: Sequence[IslandModel]


class AskMoveStudentsFromCardToEntrance(Message, frozen=True, kw_only=True):
    """Jester: choose what to exchange."""

    message_type: MessageType = MessageType.MOVE_FROM_CARD_TO_HALL
    entrance: Sequence[ColorPawns]
    students_on_card: Sequence[ColorPawns]


class AskStudentsChangeEntranceHall(Message, frozen=True, kw_only=True):
    """Minstrel: choose what to exchange."""

    message_type: MessageType = MessageType.ASK_CHANGE_ENTRANCE_HALL
    entrance: Sequence[ColorPawns]
    hall: Mapping[ColorPawns, int]


class AskColorRemoveFromAll(Message, frozen=True, kw_only=True):
    """Thief: choose a colour."""

    message_type: MessageType = MessageType.COLOR_REMOVE_ALL


class ErrorMessage(Message, frozen=True, kw_only=True):
    """Something is wrong for good; the client ends."""

    message_type: MessageType = MessageType.ERROR
    error: str


class InvalidNicknameMessage(Message, frozen=True, kw_only=True):
    """That name cannot be had."""

    message_type: MessageType = MessageType.ERROR


class InvalidTowerMessage(Message, frozen=True, kw_only=True):
    """That tower colour cannot be had."""

    message_type: MessageType = MessageType.ERROR
    color_tower: ColorTower


class InvalidNumberStudentsMovedMessage(Message, frozen=True, kw_only=True):
    """That was not the right number of students."""

    message_type: MessageType = MessageType.ERROR


class ErrorCardMessageResponse(Message, frozen=True, kw_only=True):
    """That assistant cannot be played."""

    message_type: MessageType = MessageType.ERROR
    card: AssistantCardModel


class OrderMessage(Message, frozen=True, kw_only=True):
    """The order of play."""

    message_type: MessageType = MessageType.ORDER
    order: Sequence[PlayerModel]
