"""What the classes of eriantys-objects are called in Java (protocol page, sections 2 and 3)."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.eriantys_objects.classes import from_client, from_server, models
from boardwire.dialects.eriantys_objects.classes.message import (
    ColorPawns,
    ColorTower,
    DisplayMessage,
    GameMode,
    Message,
    MessageType,
    ObjectDisplay,
)
from boardwire.wire.javastream import Java, Schema

_GAME: Final = "it.polimi.ingsw."
_MESSAGE: Final = "it.polimi.ingsw.network.message."

SHIPPED: Final = Schema(
    {
        Message: Java(_MESSAGE + "Message", 6589184250663958343, abstract=True),
        DisplayMessage: Java(
            _MESSAGE + "DisplayMessage", -732631174905728965, names={"parent_display": "objectDisplay"}
        ),
        from_client.LoginRequest: Java(_MESSAGE + "LoginRequest", -6343239452500134346),
        from_server.LoginReply: Java(_MESSAGE + "LoginReply", -1423312065079102467),
        from_server.GenericMessage: Java(_MESSAGE + "GenericMessage", 6714385171083931318),
        from_server.PlayerNumberRequest: Java(_MESSAGE + "PlayerNumberRequest", -5009707073097766703),
        from_client.PlayerNumberReply: Java(_MESSAGE + "PlayerNumberReply", -4419241297635925047),
        from_server.InitialResMessage: Java(_MESSAGE + "InitialResMessage", 4898299466144192135),
        from_client.ChosenTowerMessage: Java(_MESSAGE + "ChosenTowerMessage", 759203857591040072),
        from_server.GameModeReq: Java(_MESSAGE + "GameModeReq", 4978053369068882855),
        from_client.GameModeRes: Java(_MESSAGE + "GameModeRes", 1622383409250771615),
        from_client.PingMessage: Java(_MESSAGE + "PingMessage", -7019523659587734169),
        from_server.DisplayCloudsMessage: Java(_MESSAGE + "DisplayCloudsMessage", 3791217817387328964),
        from_server.DisplayIslandsMessage: Java(_MESSAGE + "DisplayIslandsMessage", -3626482905376914288),
        from_server.DisplayIslandMessage: Java(_MESSAGE + "DisplayIslandMessage", 7835538492117196101),
        from_server.DisplayPlayerBoardMessage: Java(_MESSAGE + "DisplayPlayerBoardMessage", 1872426844665326365),
        from_server.DisplayDeckAndAskCardMessage: Java(_MESSAGE + "DisplayDeckAndAskCardMessage", 5207429579324913763),
        from_client.PlayAssistantCardMessage: Java(_MESSAGE + "PlayAssistantCardMessage", -7852587909172148582),
        from_server.DisplayCemeteryMessage: Java(_MESSAGE + "DisplayCemeteryMessage", -7509713511298375285),
        from_server.StartTurnMessage: Java(_MESSAGE + "StartTurnMessage", -1588872520077713701),
        from_server.EndTurnMessage: Java(_MESSAGE + "EndTurnMessage", 1168012558305627763),
        from_server.StudentToIslandMessage: Java(_MESSAGE + "StudentToIslandMessage", 1729951793698626264),
        from_client.MovedStudentOnIslandMessage: Java(_MESSAGE + "MovedStudentOnIslandMessage", 3175046343207320998),
        from_server.StudentToHallMessage: Java(_MESSAGE + "StudentToHallMessage", -2680595509070093221),
        from_client.MovedStudentToHallMessage: Java(_MESSAGE + "MovedStudentToHallMessage", 5223442775735413916),
        from_server.EntranceChangeMessage: Java(_MESSAGE + "EntranceChangeMessage", 6149731718261769445),
        from_server.ReqMoveMotherNatureMessage: Java(_MESSAGE + "ReqMoveMotherNatureMessage", -4800360044137978922),
        from_client.MovedMotherNatureMessage: Java(_MESSAGE + "MovedMotherNatureMessage", 1566360713494368537),
        from_server.InvalidMovementMessage: Java(_MESSAGE + "InvalidMovementMessage", -7676451993818349286),
        from_server.ReqMoveCloudToEntranceMessage: Java(
            _MESSAGE + "ReqMoveCloudToEntranceMessage", -175250577233070966
        ),
        from_client.AddStudentFromCloudToEntranceMessage: Java(
            _MESSAGE + "AddStudentFromCloudToEntranceMessage", 6859183237575060635
        ),
        from_server.TextMessage: Java(_MESSAGE + "TextMessage", 5073360700808368691),
        from_server.WinMessage: Java(_MESSAGE + "WinMessage", 4516402749630283459),
        from_server.DisconnectionMessage: Java(_MESSAGE + "DisconnectionMessage", -5422965079989607600),
        from_server.LobbyInfoMessage: Java(_MESSAGE + "LobbyInfoMessage", -5041101920182206083),
        from_client.RequestPlayersBoard: Java(_MESSAGE + "RequestPlayersBoard", -5224208291441233776),
        from_client.ReqRealPlayerBoardMessage: Java(_MESSAGE + "ReqRealPlayerBoardMessage", 2368617064380355790),
        from_server.ReqPlayCharacterCardMessage: Java(_MESSAGE + "ReqPlayCharacterCardMessage", -668254545407621488),
        from_client.PlayedCharacterCardMessage: Java(_MESSAGE + "PlayedCharacterCardMessage", -3805305477253299296),
        from_server.AskMoveStudentFromCardToIslandMessage: Java(
            _MESSAGE + "AskMoveStudentFromCardToIslandMessage", -2436545940503369104
        ),
        from_client.MovedFromCardToIsland: Java(_MESSAGE + "MovedFromCardToIsland", 5594665525893264015),
        from_server.ReqStudentFromCardToHall: Java(_MESSAGE + "ReqStudentFromCardToHall", -4881307038377283680),
        from_client.MovedStudentFromCardToHall: Java(_MESSAGE + "MovedStudentFromCardToHall", -6569522000210948266),
        from_server.AskMoveBanCardMessage: Java(_MESSAGE + "AskMoveBanCardMessage", 2849430098890890060),
        from_client.MovedBanCardMessage: Java(_MESSAGE + "MovedBanCardMessage", -7727095324726678974),
        from_server.AskColorToIgnore: Java(_MESSAGE + "AskColorToIgnore", -7419976465222022178),
        from_client.ChosenColorToIgnore: Java(_MESSAGE + "ChosenColorToIgnore", -2382150187009854544),
        from_server.EffectSkippingInfluenceMessage: Java(
            _MESSAGE + "EffectSkippingInfluenceMessage", -6680026523707068249
        ),
        from_server.AskExtraGetInfluenceMessage: Java(_MESSAGE + "AskExtraGetInfluenceMessage", 8524765326714118718),
        from_client.ExtraGetInfluence: Java(_MESSAGE + "ExtraGetInfluence", 7916652247877017654),
        from_server.AskMoveStudentsFromCardToEntrance: Java(
            _MESSAGE + "AskMoveStudentsFromCardToEntrance", 8920514414226827005
        ),
        from_client.MovedFromCardToEntrance: Java(_MESSAGE + "MovedFromCardToEntrance", -3022331922530053063),
        from_server.AskStudentsChangeEntranceHall: Java(_MESSAGE + "AskStudentsChangeEntranceHall", 545786380414644164),
        from_client.ChosenChangeEntranceHall: Java(_MESSAGE + "ChosenChangeEntranceHall", -8894935035871373037),
        from_server.AskColorRemoveFromAll: Java(_MESSAGE + "AskColorRemoveFromAll", 5650419507381102124),
        from_client.ChosenColorRemoveForAll: Java(_MESSAGE + "ChosenColorRemoveForAll", -8490777083842367071),
        from_server.ErrorMessage: Java(_MESSAGE + "ErrorMessage", 3796309698593755714),
        from_server.InvalidNicknameMessage: Java(_MESSAGE + "InvalidNicknameMessage", -5602744464447019370),
        from_server.InvalidTowerMessage: Java(_MESSAGE + "InvalidTowerMessage", 4245063092764274017),
        from_server.InvalidNumberStudentsMovedMessage: Java(
            _MESSAGE + "InvalidNumberStudentsMovedMessage", -1491746583143505822
        ),
        from_server.ErrorCardMessageResponse: Java(_MESSAGE + "ErrorCardMessageResponse", 5424490518304822502),
        from_server.OrderMessage: Java(_MESSAGE + "OrderMessage", 9051276094255654184),
        from_client.PlayerNicknameMessage: Java(_MESSAGE + "PlayerNicknameMessage", -8598871481251948405),
        from_client.InitialReqMessage: Java(_MESSAGE + "InitialReqMessage", -2372566173559326843),
        models.PlayerModel: Java(_GAME + "model.player.PlayerModel", 530440588007500009),
        models.AssistantCardModel: Java(_GAME + "model.cards.AssistantCardModel", -7197818777051204570),
        models.IslandModel: Java(_GAME + "model.islands.IslandModel", 2173471499023058671),
        models.CloudModel: Java(_GAME + "model.game.CloudModel", -8954335784271144048),
        models.CharacterCardModel: Java(_GAME + "model.cards.CharacterCardModel", -5946216226246714494),
        models.InitialConfigEffect: Java(_GAME + "model.effects.InitialConfigEffect", 1760436139614445487),
        models.AddToIslandEffect: Java(_GAME + "model.effects.AddToIslandEffect", -872892232191009661),
        models.AddToHallEffect: Java(_GAME + "model.effects.AddToHallEffect", -5901051516602737452),
        models.ControlProfEffect: Java(_GAME + "model.effects.ControlProfEffect", 8743730422346855395),
        models.ExtraMovementMotherEffect: Java(_GAME + "model.effects.ExtraMovementMotherEffect", -5520393474357646858),
        models.ProhibitionEffect: Java(_GAME + "model.effects.ProhibitionEffect", -3636736011809156600),
        models.IgnoreTowerEffect: Java(_GAME + "model.effects.IgnoreTowerEffect", 2400877543729271601),
        models.AddInfluenceEffect: Java(_GAME + "model.effects.AddInfluenceEffect", 1073341693883814645),
        models.ExcludeColorInfluenceEffect: Java(
            _GAME + "model.effects.ExcludeColorInfluenceEffect", 3426679041693564864
        ),
        models.GameController: Java(_GAME + "controller.GameController", 5892236063958381739),
        models.GameModel: Java(_GAME + "model.game.GameModel", -8113521898963437960),
    },
    {
        MessageType: _MESSAGE + "MessageType",
        ObjectDisplay: _MESSAGE + "ObjectDisplay",
        ColorPawns: _GAME + "model.colors.ColorPawns",
        ColorTower: _GAME + "model.colors.ColorTower",
        GameMode: _GAME + "model.enums.GameMode",
    },
)
"""The shipped program."""
