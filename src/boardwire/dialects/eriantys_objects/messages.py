"""Java objects of eriantys-objects, both directions, and their encoding [1, 2].

- Enums are encoded by name. A message's type must be the one its class declares: the shipped program checks the type
  and then casts. `nickname` is the addressee of a reply and the sender of a request; the shipped client copies it from
  a question into its answer.
- A missing object is `None`: the shipped program sends null for an empty list and for "no card".
- Models are cyclic: an assistant's owner holds the assistant. Do not compare or hash them; read single fields. A list
  that may contain itself is a `list`, any other a `tuple`. Most fields may be null: the shipped client uses few.
- Of the errors, the shipped client handles only `ErrorMessage`, by ending; the others are for other clients.
- The stream has one header, then objects, with a reset after each. All players get the same displays except for the
  addressee's name, so displays are encoded once with a placeholder (`ADDRESSEE`), which `address` replaces. The
  placeholder has control characters that no name or text contains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Annotated, Final, TypeAlias, get_args

import msgspec

from boardwire.wire.javastream import Byte, Framing, Interface, Java, Reader, Schema, StreamLimits, Writer, named
from boardwire.wire.javastream.text import string_object

MessageType = Enum(
    "MessageType",
    "WIN LOSE PLAYERS_REQUEST PLAYERS_RESPONSE ERROR DISCONNECTION LOGIN_REQUEST LOGIN_REPLY GENERIC_MESSAGE "
    "DISPLAY TEXT PING MOVE ORDER ISLANDS LOBBY END_TURN START_TURN INIT PLAYERNUMBER_REQUEST "
    "PLAYERNUMBER_REPLY CHOSEN_TOWER GAMEMODE_REQUEST PLAYER_MOVED_STUDENTS_ON_HALL PLAYER_MOVED_MOTHER "
    "MOVE_MOTHER_REQ REQ_LOBBY LOBBY_PLAYERS_RES REQ_PLAYER_BOARD RES_BOARD GAMEMODE_RES "
    "PLAYED_ASSISTANT_CARD PLAYER_MOVED_STUDENTS_ON_ISLAND MOVE_CLOUD_TO_ENTRANCE MOVED_CLOUD_TO_ENTRANCE "
    "REQ_ENTRANCE_TO_HALL REQ_ENTRANCE_TO_ISLAND CHARACTER_CARD_PLAYED SKIPPING_INFLUENCE WHO_PLAY "
    "REQ_PLAY_CHAR_CARD EFFECT_CARD_PLAYED MOVING_ONE_STUDENT_FROM_CARD ASK_EXTRA_GET_INFLUENCE "
    "ASK_MOVE_BAN_CARD REQ_CARD_TO_HALL MOVE_FROM_CARD_TO_HALL ASK_COLOR_TO_IGNORE COLOR_REMOVE_ALL "
    "ASK_CHANGE_ENTRANCE_HALL ENTRANCE_CHANGES",
)
"""Purpose of a message; several classes may share one."""


ObjectDisplay = Enum("ObjectDisplay", "CEMETERY ENTRANCE HALL ISLAND CLOUDS DECK BOARD ISLANDS")
"""What a message displays."""


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
    """Base class of all messages."""

    message_type: MessageType
    nickname: str | None = None


class DisplayMessage(Message, frozen=True, kw_only=True):
    """Base class of displays.

    Quirk: its own `objectDisplay` is always null on the wire; each subclass has another field of the same name.
    """

    message_type: MessageType = MessageType.DISPLAY
    parent_display: ObjectDisplay | None = None


# --- the things of the game -----------------------------------------------------------------------------------------


class PlayerModel(msgspec.Struct, frozen=True, kw_only=True):
    """A player and its pieces; each of its assistants refers back to it."""

    coins: int = 0
    is_first: bool = False
    movement_mother_nature_current_action_phase: Byte = 0
    num_profs: int = 0
    tower_number: int = 0
    character_deck: Sequence[CharacterCardModel] | None = None
    color_tower: ColorTower | None = None
    deck_assistant_card_model: Sequence[AssistantCardModel] | None = None
    nickname: str | None = None
    profs: Sequence[ColorPawns] | None = None
    student_in_entrance: Sequence[ColorPawns] | None = None
    student_in_hall: Mapping[ColorPawns, int] | None = None


class AssistantCardModel(msgspec.Struct, frozen=True, kw_only=True):
    """Assistant card; the priority is its number."""

    is_played: bool = False
    mother_nature_movement: Byte = 0
    priority: int = 0
    owner: PlayerModel | None = None


class IslandModel(msgspec.Struct, frozen=True, kw_only=True):
    """An island, or a group of joined islands."""

    is_joined: bool = False
    mother_nature: bool = False
    prohibition: bool = False
    color_tower: ColorTower | None = None
    students: Sequence[ColorPawns] | None = None


class CloudModel(msgspec.Struct, frozen=True, kw_only=True):
    """A cloud and its students."""

    size: int = 0
    students: Sequence[ColorPawns] | None = None


class CharacterCardModel(msgspec.Struct, frozen=True, kw_only=True):
    """Character card; the effect has the price."""

    character_id: int = 0
    effect: Annotated[AnyEffect | None, Interface("it.polimi.ingsw.model.effects.Effect")] = None


class InitialConfigEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Base class of effects with students on the card."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    num_students: int = 0
    students: Sequence[ColorPawns] | None = None


class AddToIslandEffect(InitialConfigEffect, frozen=True, kw_only=True):
    """Character 0, the monk."""

    island_chosen: IslandModel | None = None
    student_chosen: ColorPawns | None = None


class AddToHallEffect(InitialConfigEffect, frozen=True, kw_only=True):
    """Character 2, the princess."""

    controller: GameController | None = None
    student_chosen: ColorPawns | None = None


class ControlProfEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 1, the farmer."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    old_association_profs: Mapping[ColorPawns, PlayerModel] | None = None
    player_with_profs: PlayerModel | None = None


class ExtraMovementMotherEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 3, the postman."""

    cost_for_effect: int = 0
    money_on_card: int = 0


class ProhibitionEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 4, the herbalist."""

    chosen_index_island: int = 0
    cost_for_effect: int = 0
    money_on_card: int = 0
    number_prohibition: int = 0


class IgnoreTowerEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 5, the centaur."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    controller: GameController | None = None


class AddInfluenceEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 6, the knight."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    game_controller: GameController | None = None


class ExcludeColorInfluenceEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 7, the mushroom picker."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    color_to_exclude: ColorPawns | None = None
    game_controller: GameController | None = None


class GameController(msgspec.Struct, frozen=True, kw_only=True):
    """The shipped server's controller, which some effects refer to; boardwire sends null."""

    activated_effect: bool = False
    consider_tower: bool = False
    game_started: bool = False
    movement: Byte = 0
    number_players_played_card: int = 0
    shuffle: bool = False
    test: int = 0
    character_card_played: CharacterCardModel | None = None
    color_to_exclude: ColorPawns | None = None
    effect_played: str | None = None
    game_instance: GameModel | None = None
    moved_students: Sequence[ColorPawns] | None = None
    old_message: Message | None = None
    old_state: MessageType | None = None
    player_active: PlayerModel | None = None
    player_with_effect_additional_influence: PlayerModel | None = None
    players_that_have_played_card: Sequence[PlayerModel] | None = None


class GameModel(msgspec.Struct, frozen=True, kw_only=True):
    """The shipped server's position, inside its controller."""

    have_player_finished_cards: bool = False
    players_number: int = 0
    bag: Sequence[ColorPawns] | None = None
    cemetery: Sequence[AssistantCardModel] | None = None
    clouds_model: Sequence[CloudModel] | None = None
    deck: Sequence[AssistantCardModel] | None = None
    island_models: Sequence[IslandModel] | None = None
    mode: GameMode | None = None
    phase_order: Sequence[PlayerModel] | None = None
    players_models: Sequence[PlayerModel] | None = None


AnyEffect: TypeAlias = (
    InitialConfigEffect
    | AddToIslandEffect
    | AddToHallEffect
    | ControlProfEffect
    | ExtraMovementMotherEffect
    | ProhibitionEffect
    | IgnoreTowerEffect
    | AddInfluenceEffect
    | ExcludeColorInfluenceEffect
)
"""Subclasses of the Java interface Effect."""


# --- what a server says ---------------------------------------------------------------------------------------------


class LoginReply(Message, frozen=True, kw_only=True):
    """Whether the name was accepted, and whether the player is in [3.2]."""

    message_type: MessageType = MessageType.LOGIN_REPLY
    connection_successful: bool
    nickname_accepted: bool


class GenericMessage(Message, frozen=True, kw_only=True):
    """A text: why a login was refused, or whose turn it is."""

    message_type: MessageType = MessageType.GENERIC_MESSAGE
    message: str


class PlayerNumberRequest(Message, frozen=True, kw_only=True):
    """Ask the first player for the number of players."""

    message_type: MessageType = MessageType.PLAYERNUMBER_REQUEST


class InitialResMessage(Message, frozen=True, kw_only=True):
    """Choose a tower colour; the mode, if it is known [3.2]."""

    message_type: MessageType = MessageType.INIT
    available_towers: Sequence[ColorTower]
    game_mode: GameMode | None = None


class GameModeReq(Message, frozen=True, kw_only=True):
    """Ask the first player for the mode."""

    message_type: MessageType = MessageType.GAMEMODE_REQUEST


class DisplayCloudsMessage(DisplayMessage, frozen=True, kw_only=True):
    """Clouds not taken yet."""

    object_display: ObjectDisplay | None = ObjectDisplay.CLOUDS
    clouds: Sequence[CloudModel]


class DisplayIslandsMessage(DisplayMessage, frozen=True, kw_only=True):
    """All islands; the index in this list is an island's number."""

    object_display: ObjectDisplay | None = ObjectDisplay.ISLANDS
    island_models: Sequence[IslandModel]


class DisplayIslandMessage(DisplayMessage, frozen=True, kw_only=True):
    """An island whose tower has changed."""

    object_display: ObjectDisplay | None = ObjectDisplay.ISLAND
    island_index: int
    island_model: IslandModel


class DisplayPlayerBoardMessage(DisplayMessage, frozen=True, kw_only=True):
    """A player's board; `towers` has one entry for each remaining tower."""

    object_display: ObjectDisplay | None = ObjectDisplay.BOARD
    is_first: bool
    entrance: Sequence[ColorPawns]
    hall: Mapping[ColorPawns, int]
    player: PlayerModel
    profs: Sequence[ColorPawns]
    towers: Sequence[ColorTower]


class DisplayDeckAndAskCardMessage(DisplayMessage, frozen=True, kw_only=True):
    """Choose one of these assistants [3.3]."""

    object_display: ObjectDisplay | None = ObjectDisplay.DECK
    deck: Sequence[AssistantCardModel]


class DisplayCemeteryMessage(DisplayMessage, frozen=True, kw_only=True):
    """Assistants played so far in this planning phase."""

    object_display: ObjectDisplay | None = ObjectDisplay.CEMETERY
    cemetery: Sequence[AssistantCardModel]


class StartTurnMessage(Message, frozen=True, kw_only=True):
    """Your turn begins."""

    message_type: MessageType = MessageType.START_TURN


class EndTurnMessage(Message, frozen=True, kw_only=True):
    """Your turn is over."""

    message_type: MessageType = MessageType.END_TURN


class StudentToIslandMessage(Message, frozen=True, kw_only=True):
    """Move students to one island, or none [3.4]."""

    message_type: MessageType = MessageType.REQ_ENTRANCE_TO_HALL
    entrance: Sequence[ColorPawns]
    islands: Sequence[IslandModel]


class StudentToHallMessage(Message, frozen=True, kw_only=True):
    """Move this number of students to your hall [3.4]."""

    message_type: MessageType = MessageType.REQ_ENTRANCE_TO_ISLAND
    number_students_to_move: int
    entrance: Sequence[ColorPawns]


class EntranceChangeMessage(Message, frozen=True, kw_only=True):
    """Your entrance after a change."""

    message_type: MessageType = MessageType.ENTRANCE_CHANGES
    student_in_entrance: Sequence[ColorPawns]


class ReqMoveMotherNatureMessage(Message, frozen=True, kw_only=True):
    """Move mother nature, at most this far [3.4]."""

    message_type: MessageType = MessageType.MOVE_MOTHER_REQ
    max_movement_allowed: Byte
    player: PlayerModel


class InvalidMovementMessage(Message, frozen=True, kw_only=True):
    """Too many steps for mother nature."""

    message_type: MessageType = MessageType.ERROR
    movement_allowed: Byte
    movement_inserted: Byte


class ReqMoveCloudToEntranceMessage(Message, frozen=True, kw_only=True):
    """Choose one of these clouds [3.4]."""

    message_type: MessageType = MessageType.MOVE_CLOUD_TO_ENTRANCE
    clouds: Sequence[CloudModel]


class TextMessage(Message, frozen=True, kw_only=True):
    """A text for the player."""

    message_type: MessageType = MessageType.TEXT
    text: str


class WinMessage(Message, frozen=True, kw_only=True):
    """The match is over; this player won [3.6]."""

    message_type: MessageType = MessageType.WIN
    winner: PlayerModel


class DisconnectionMessage(Message, frozen=True, kw_only=True):
    """A player left; the match is over [3.6]."""

    message_type: MessageType = MessageType.DISCONNECTION
    message_str: str
    nickname_disconnected: str


class LobbyInfoMessage(Message, frozen=True, kw_only=True):
    """The other players, or the remaining ones."""

    message_type: MessageType = MessageType.LOBBY
    nickname_list: Sequence[PlayerModel]


class ReqPlayCharacterCardMessage(Message, frozen=True, kw_only=True):
    """Offer to play a character; `existCard` says whether the player can afford one."""

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
    """Fatal error; the client ends."""

    message_type: MessageType = MessageType.ERROR
    error: str


class InvalidNicknameMessage(Message, frozen=True, kw_only=True):
    """The name is not available."""

    message_type: MessageType = MessageType.ERROR


class InvalidTowerMessage(Message, frozen=True, kw_only=True):
    """The tower colour is not available."""

    message_type: MessageType = MessageType.ERROR
    color_tower: ColorTower


class InvalidNumberStudentsMovedMessage(Message, frozen=True, kw_only=True):
    """Wrong number of students."""

    message_type: MessageType = MessageType.ERROR


class ErrorCardMessageResponse(Message, frozen=True, kw_only=True):
    """The assistant cannot be played."""

    message_type: MessageType = MessageType.ERROR
    card: AssistantCardModel


class OrderMessage(Message, frozen=True, kw_only=True):
    """The order of play."""

    message_type: MessageType = MessageType.ORDER
    order: Sequence[PlayerModel]


# --- what a client says ---------------------------------------------------------------------------------------------


class LoginRequest(Message, frozen=True, kw_only=True):
    """Log in under this name [3.2]."""

    message_type: MessageType = MessageType.LOGIN_REQUEST


class PlayerNumberReply(Message, frozen=True, kw_only=True):
    """Number of players: 2, 3 or 4."""

    message_type: MessageType = MessageType.PLAYERNUMBER_REPLY
    player_number: int


class ChosenTowerMessage(Message, frozen=True, kw_only=True):
    """Choose a tower colour."""

    message_type: MessageType = MessageType.CHOSEN_TOWER
    color_tower: ColorTower | None = None


class GameModeRes(Message, frozen=True, kw_only=True):
    """The mode."""

    message_type: MessageType = MessageType.GAMEMODE_RES
    game_mode: GameMode | None = None


class PingMessage(Message, frozen=True, kw_only=True):
    """Keep-alive [3.1]."""

    message_type: MessageType = MessageType.PING


class PlayAssistantCardMessage(Message, frozen=True, kw_only=True):
    """Play an assistant, by its index in the offer [3.3]."""

    message_type: MessageType = MessageType.PLAYED_ASSISTANT_CARD
    index_assistant_card_model: int
    player_model: str | None = None


class MovedStudentOnIslandMessage(Message, frozen=True, kw_only=True):
    """Move students to an island [3.4]."""

    message_type: MessageType = MessageType.PLAYER_MOVED_STUDENTS_ON_ISLAND
    index_island: int
    students: Sequence[ColorPawns] | None = None


class MovedStudentToHallMessage(Message, frozen=True, kw_only=True):
    """Move students to the hall [3.4]."""

    message_type: MessageType = MessageType.PLAYER_MOVED_STUDENTS_ON_HALL
    students: Sequence[ColorPawns] | None = None


class MovedMotherNatureMessage(Message, frozen=True, kw_only=True):
    """Move mother nature [3.4]."""

    message_type: MessageType = MessageType.PLAYER_MOVED_MOTHER
    movement: Byte
    player_model: str | None = None


class AddStudentFromCloudToEntranceMessage(Message, frozen=True, kw_only=True):
    """Take the cloud with this index [3.4]."""

    message_type: MessageType = MessageType.MOVED_CLOUD_TO_ENTRANCE
    cloud_index: int


class RequestPlayersBoard(Message, frozen=True, kw_only=True):
    """Request the other players."""

    message_type: MessageType = MessageType.REQ_LOBBY


class ReqRealPlayerBoardMessage(Message, frozen=True, kw_only=True):
    """Request a player's board."""

    message_type: MessageType = MessageType.REQ_PLAYER_BOARD
    nick_to_send: str | None = None


class PlayedCharacterCardMessage(Message, frozen=True, kw_only=True):
    """Play a character, or none."""

    message_type: MessageType = MessageType.CHARACTER_CARD_PLAYED
    card_played: CharacterCardModel | None = None


class MovedFromCardToIsland(Message, frozen=True, kw_only=True):
    """Monk: a student and an island."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    island_index: int
    student_to_move: ColorPawns | None = None


class MovedStudentFromCardToHall(Message, frozen=True, kw_only=True):
    """Princess: a student for the hall."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    picked_student: ColorPawns | None = None


class MovedBanCardMessage(Message, frozen=True, kw_only=True):
    """Herbalist: an island."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    index_island: int


class ChosenColorToIgnore(Message, frozen=True, kw_only=True):
    """Mushroom picker: a colour to ignore."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    chosen_color: ColorPawns | None = None


class ExtraGetInfluence(Message, frozen=True, kw_only=True):
    """Herald: an island."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    index_island: int


class MovedFromCardToEntrance(Message, frozen=True, kw_only=True):
    """Jester: students to exchange."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    students_from_card: Sequence[ColorPawns] | None = None
    students_from_entrance: Sequence[ColorPawns] | None = None


class ChosenChangeEntranceHall(Message, frozen=True, kw_only=True):
    """Minstrel: students to exchange."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    students_from_entrance: Sequence[ColorPawns] | None = None
    students_from_hall: Sequence[ColorPawns] | None = None


class ChosenColorRemoveForAll(Message, frozen=True, kw_only=True):
    """Thief: a colour."""

    message_type: MessageType = MessageType.EFFECT_CARD_PLAYED
    color: ColorPawns | None = None


class PlayerNicknameMessage(Message, frozen=True, kw_only=True):
    """Log in with all choices at once."""

    message_type: MessageType = MessageType.PLAYERS_REQUEST
    num_players: int
    color_tower: ColorTower | None = None
    game_mode: GameMode | None = None


class InitialReqMessage(Message, frozen=True, kw_only=True):
    """Log in with all choices at once; an older form."""

    message_type: MessageType = MessageType.INIT
    number_players: int
    color_tower: ColorTower | None = None
    game_mode: GameMode | None = None


Request: TypeAlias = (
    LoginRequest | PlayerNumberReply | ChosenTowerMessage | GameModeRes | PingMessage | PlayAssistantCardMessage
    | MovedStudentOnIslandMessage | MovedStudentToHallMessage | MovedMotherNatureMessage
    | AddStudentFromCloudToEntranceMessage | RequestPlayersBoard | ReqRealPlayerBoardMessage
    | PlayedCharacterCardMessage | MovedFromCardToIsland | MovedStudentFromCardToHall | MovedBanCardMessage
    | ChosenColorToIgnore | ExtraGetInfluence | MovedFromCardToEntrance | ChosenChangeEntranceHall
    | ChosenColorRemoveForAll | PlayerNicknameMessage | InitialReqMessage
)  # fmt: skip
"""Messages of a client."""

TYPES: Final[dict[type, MessageType]] = {
    kind: next(field.default for field in msgspec.structs.fields(kind) if field.name == "message_type")
    for kind in get_args(Request)
}
"""Messages of a client, with the type that each must have."""

# --- in Java --------------------------------------------------------------------------------------------------------

_IN: Final = "it.polimi.ingsw."
_MESSAGE: Final = _IN + "network.message."

SHIPPED: Final = Schema(
    {
        Message: Java(_MESSAGE + "Message", 6589184250663958343, abstract=True),
        DisplayMessage: Java(
            _MESSAGE + "DisplayMessage", -732631174905728965, names={"parent_display": "objectDisplay"}
        ),
        **named(
            _MESSAGE,
            {
                LoginRequest: -6343239452500134346,
                LoginReply: -1423312065079102467,
                GenericMessage: 6714385171083931318,
                PlayerNumberRequest: -5009707073097766703,
                PlayerNumberReply: -4419241297635925047,
                InitialResMessage: 4898299466144192135,
                ChosenTowerMessage: 759203857591040072,
                GameModeReq: 4978053369068882855,
                GameModeRes: 1622383409250771615,
                PingMessage: -7019523659587734169,
                DisplayCloudsMessage: 3791217817387328964,
                DisplayIslandsMessage: -3626482905376914288,
                DisplayIslandMessage: 7835538492117196101,
                DisplayPlayerBoardMessage: 1872426844665326365,
                DisplayDeckAndAskCardMessage: 5207429579324913763,
                PlayAssistantCardMessage: -7852587909172148582,
                DisplayCemeteryMessage: -7509713511298375285,
                StartTurnMessage: -1588872520077713701,
                EndTurnMessage: 1168012558305627763,
                StudentToIslandMessage: 1729951793698626264,
                MovedStudentOnIslandMessage: 3175046343207320998,
                StudentToHallMessage: -2680595509070093221,
                MovedStudentToHallMessage: 5223442775735413916,
                EntranceChangeMessage: 6149731718261769445,
                ReqMoveMotherNatureMessage: -4800360044137978922,
                MovedMotherNatureMessage: 1566360713494368537,
                InvalidMovementMessage: -7676451993818349286,
                ReqMoveCloudToEntranceMessage: -175250577233070966,
                AddStudentFromCloudToEntranceMessage: 6859183237575060635,
                TextMessage: 5073360700808368691,
                WinMessage: 4516402749630283459,
                DisconnectionMessage: -5422965079989607600,
                LobbyInfoMessage: -5041101920182206083,
                RequestPlayersBoard: -5224208291441233776,
                ReqRealPlayerBoardMessage: 2368617064380355790,
                ReqPlayCharacterCardMessage: -668254545407621488,
                PlayedCharacterCardMessage: -3805305477253299296,
                AskMoveStudentFromCardToIslandMessage: -2436545940503369104,
                MovedFromCardToIsland: 5594665525893264015,
                ReqStudentFromCardToHall: -4881307038377283680,
                MovedStudentFromCardToHall: -6569522000210948266,
                AskMoveBanCardMessage: 2849430098890890060,
                MovedBanCardMessage: -7727095324726678974,
                AskColorToIgnore: -7419976465222022178,
                ChosenColorToIgnore: -2382150187009854544,
                EffectSkippingInfluenceMessage: -6680026523707068249,
                AskExtraGetInfluenceMessage: 8524765326714118718,
                ExtraGetInfluence: 7916652247877017654,
                AskMoveStudentsFromCardToEntrance: 8920514414226827005,
                MovedFromCardToEntrance: -3022331922530053063,
                AskStudentsChangeEntranceHall: 545786380414644164,
                ChosenChangeEntranceHall: -8894935035871373037,
                AskColorRemoveFromAll: 5650419507381102124,
                ChosenColorRemoveForAll: -8490777083842367071,
                ErrorMessage: 3796309698593755714,
                InvalidNicknameMessage: -5602744464447019370,
                InvalidTowerMessage: 4245063092764274017,
                InvalidNumberStudentsMovedMessage: -1491746583143505822,
                ErrorCardMessageResponse: 5424490518304822502,
                OrderMessage: 9051276094255654184,
                PlayerNicknameMessage: -8598871481251948405,
                InitialReqMessage: -2372566173559326843,
            },
        ),
        **named(_IN + "model.player.", {PlayerModel: 530440588007500009}),
        **named(
            _IN + "model.cards.",
            {
                AssistantCardModel: -7197818777051204570,
                CharacterCardModel: -5946216226246714494,
            },
        ),
        **named(_IN + "model.islands.", {IslandModel: 2173471499023058671}),
        **named(
            _IN + "model.game.",
            {
                CloudModel: -8954335784271144048,
                GameModel: -8113521898963437960,
            },
        ),
        **named(
            _IN + "model.effects.",
            {
                InitialConfigEffect: 1760436139614445487,
                AddToIslandEffect: -872892232191009661,
                AddToHallEffect: -5901051516602737452,
                ControlProfEffect: 8743730422346855395,
                ExtraMovementMotherEffect: -5520393474357646858,
                ProhibitionEffect: -3636736011809156600,
                IgnoreTowerEffect: 2400877543729271601,
                AddInfluenceEffect: 1073341693883814645,
                ExcludeColorInfluenceEffect: 3426679041693564864,
            },
        ),
        **named(_IN + "controller.", {GameController: 5892236063958381739}),
    },
    {
        MessageType: _MESSAGE + "MessageType",
        ObjectDisplay: _MESSAGE + "ObjectDisplay",
        ColorPawns: _IN + "model.colors.ColorPawns",
        ColorTower: _IN + "model.colors.ColorTower",
        GameMode: _IN + "model.enums.GameMode",
    },
)
"""Java classes of the shipped program."""

REPLIES: Final = tuple(kind for kind in SHIPPED.types if issubclass(kind, Message) and kind not in TYPES)[2:]
"""Messages of a server: all but `Message`, `DisplayMessage` and those of a client."""

# --- as bytes -------------------------------------------------------------------------------------------------------

_WRITER: Final = Writer(SHIPPED, Framing.ONCE)

encode: Final = _WRITER.encode
"""Encode a message, including its reset."""

GREETING: Final = _WRITER.opening
"""Stream header that either end sends first [1]."""

REQUEST_LIMITS: Final = StreamLimits(size=32_768, depth=32, handles=4_096, elements=256, text=4_096, fields=32)
"""Limits for a client's messages; the largest legitimate one, an echoed card, has a few hundred bytes."""

REPLY_LIMITS: Final = StreamLimits(size=1 << 20, depth=128)
"""Limits for a server's messages; the shipped server's cards contain its whole game [2.3]."""

ADDRESSEE: Final = "\x01addressee\x01"
"""Placeholder for the addressee's name."""

_MARK: Final = string_object(ADDRESSEE)


def address(data: bytes, name: str) -> bytes:
    """Replace `ADDRESSEE` by `name` in encoded messages."""
    return string_object(name).join(data.split(_MARK))  # takes half the time of `replace`


def requests() -> Reader:
    """Return a decoder for a client's messages."""
    return Reader(SHIPPED, framing=Framing.ONCE, limits=REQUEST_LIMITS)


def replies() -> Reader:
    """Return a decoder for a server's messages."""
    return Reader(SHIPPED, framing=Framing.ONCE, limits=REPLY_LIMITS)
