"""eriantys-objects, watched: the fields that every object must have, what is asked, and what must follow an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from boardwire.clients.checks.shown import show
from boardwire.clinic.finding import Rule, Side
from boardwire.clinic.objects import ObjectCutter
from boardwire.clinic.watchers.watcher import Room, Unreadable, Watcher
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.wire.javastream import Framing

HEADER: Final = Rule("eriantys-objects.header", "1", "the header of the stream comes at once, before anything is said")
TYPE: Final = Rule("eriantys-objects.type", "2.1", "every message has the type of its class")
DISPLAY: Final = Rule(
    "eriantys-objects.display", "5", "a display says in its own field what it shows, and null in its parent's"
)
ADDRESS: Final = Rule(
    "eriantys-objects.address",
    "2.1",
    "a message has the nickname that the page says: its addressee's, if nothing else is said",
)
LOGIN: Final = Rule(
    "eriantys-objects.login", "3.2.1", "LoginRequest gets LoginReply, and a name that is refused the reason before it"
)
LOBBY: Final = Rule(
    "eriantys-objects.lobby", "3.2.2", "InitialResMessage offers the towers that are left, and the mode of the table"
)
START: Final = Rule("eriantys-objects.start", "3.2.7", "at the start ten islands have a student each")
CARDS: Final = Rule("eriantys-objects.cards", "3.3", "after an assistant everybody gets DisplayCemeteryMessage")
WORDS: Final = Rule("eriantys-objects.words", "3.4", "the others get GenericMessage that says who is playing")
ISLAND: Final = Rule("eriantys-objects.island", "3.4.1", "as many students as are named go to the island")
STEPS: Final = Rule("eriantys-objects.steps", "3.4.3", "mother nature goes as far as the card says")
CLOUD: Final = Rule("eriantys-objects.cloud", "3.4.4", "after the cloud the player gets EndTurnMessage")
REFUSED: Final = Rule(
    "eriantys-objects.refused", "3", "what cannot be taken gets a TextMessage with the reason, and the request again",
    ruling=True,
)  # fmt: skip
PINGS: Final = Rule("eriantys-objects.pings", "3.1", "the server never answers a ping and never pings")
LAST: Final = Rule("eriantys-objects.last", "3.6", "a match ends with WinMessage, or with DisconnectionMessage")
NAMES: Final = Rule("eriantys-objects.names", "3.6", "WinMessage and DisconnectionMessage name a player")

_OWN: Final[dict[type, str]] = {
    wire.LoginReply: "SERVER_NICKNAME", wire.PlayerNumberRequest: "SERVER_NICKNAME",
    wire.GameModeReq: "SERVER_NICKNAME", wire.GenericMessage: "SERVER_NICK", wire.WinMessage: "server",
    wire.LobbyInfoMessage: "Server_nickname",
}  # fmt: skip
_QUESTIONS: Final = (
    wire.PlayerNumberRequest, wire.GameModeReq, wire.InitialResMessage, wire.DisplayDeckAndAskCardMessage,
    wire.StudentToIslandMessage, wire.StudentToHallMessage, wire.ReqMoveMotherNatureMessage,
    wire.ReqMoveCloudToEntranceMessage, wire.ReqPlayCharacterCardMessage, wire.AskMoveStudentFromCardToIslandMessage,
    wire.ReqStudentFromCardToHall, wire.AskMoveBanCardMessage, wire.AskColorToIgnore, wire.AskExtraGetInfluenceMessage,
    wire.AskMoveStudentsFromCardToEntrance, wire.AskStudentsChangeEntranceHall, wire.AskColorRemoveFromAll,
)  # fmt: skip
"""What the server asks; the client has one of them to answer at a time [6.9]."""
_ANYBODY: Final = (wire.DisconnectionMessage, wire.DisplayPlayerBoardMessage, wire.ErrorMessage)
_ERRORS: Final = (
    wire.InvalidNicknameMessage, wire.InvalidTowerMessage, wire.InvalidMovementMessage,
    wire.InvalidNumberStudentsMovedMessage, wire.ErrorCardMessageResponse,
)  # fmt: skip
_TEXTS: Final = re.compile(r"Forbidden name\.|Nickname already taken\.|Hey .*, .* is playing\.\.\.", re.DOTALL)


class Watching(Watcher):
    """See the module."""

    page = "eriantys-objects"
    framing = Rule("eriantys-objects.framing", "1", "each direction is one Java object stream")
    unknown = Rule("eriantys-objects.unknown", "2", "an object is of a class of the page, with its fields")
    usual = "2.1"
    sections = {  # noqa: RUF012 - nobody changes it
        "header": "1", "PingMessage": "3.1", "LoginRequest": "3.2", "LoginReply": "3.2", "InitialResMessage": "3.2",
        "PlayAssistantCardMessage": "3.3", "DisplayDeckAndAskCardMessage": "3.3", "StudentToIslandMessage": "3.4",
        "MovedStudentOnIslandMessage": "3.4", "StudentToHallMessage": "3.4", "MovedStudentToHallMessage": "3.4",
        "ReqMoveMotherNatureMessage": "3.4", "MovedMotherNatureMessage": "3.4", "WinMessage": "3.6",
        "ReqMoveCloudToEntranceMessage": "3.4", "AddStudentFromCloudToEntranceMessage": "3.4",
        "DisconnectionMessage": "3.6",
    }  # fmt: skip
    beats = frozenset({"PingMessage"})
    queries = frozenset({"RequestPlayersBoard", "ReqRealPlayerBoardMessage"})

    def __init__(self, room: Room, edition: str = "") -> None:
        super().__init__(room, edition)
        self._me = ""
        self._accepted: bool | None = None
        self._reason = False
        self._first = False
        self._started = False
        self._names: set[str] = set()
        self._students: int | None = None
        self._sent: Any = None
        self._deck: tuple[int, ...] = ()
        self._card = 0
        self._character = False
        self.expect(Side.CLIENT, "LoginRequest")

    @classmethod
    def cutter(cls) -> ObjectCutter:
        """See `Watcher`."""
        return ObjectCutter(Framing.ONCE)

    def start(self) -> None:
        """See `Watcher`."""
        self.owe(HEADER, "the header", "header")

    def overhead(self, side: Side) -> None:
        """See `Watcher`."""
        if side is Side.SERVER:
            self.pay("header")

    def is_answer(self, name: str) -> bool:
        """See `Watcher`; clients repeat LoginRequest until they hear of it."""
        return super().is_answer(name) and not (name == "LoginRequest" and self._accepted)

    # --- the client -------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        """See `Watcher`."""
        if isinstance(message, Unreadable | wire.PingMessage) or self.over:
            return
        self._sent = message
        match message:
            case wire.LoginRequest(nickname=name) if not self._accepted:
                self._me = name or ""
                self.owe(LOGIN, "LoginReply", "login")
            case wire.PlayAssistantCardMessage(nickname=name, index_assistant_card_model=index):
                if name in ("", None, self._me) and 0 <= index < len(self._deck):
                    self._card = self._deck[index]
                    self.owe(CARDS, "DisplayCemeteryMessage", "card")
            case wire.AddStudentFromCloudToEntranceMessage():
                self.owe(CLOUD, "EndTurnMessage", "cloud")
            case wire.PlayedCharacterCardMessage(card_played=card):
                self._character = self._character or card is not None

    # --- the server -------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        """See `Watcher`."""
        if isinstance(message, Unreadable) or self.lost:
            return
        self._fields(message)
        if isinstance(message, wire.PingMessage):
            self.blame(Side.SERVER, PINGS, "PingMessage came")
        elif isinstance(message, _ERRORS) and self._started:
            self.blame(Side.SERVER, REFUSED, "{} came; expected TextMessage", show(message))
        if self.over and isinstance(message, _QUESTIONS):
            self.ask(type(message).__name__, "")
            return
        hear = getattr(self, f"_{type(message).__name__.lower()}", None)
        if hear is not None:
            hear(message)
        elif isinstance(message, _QUESTIONS):
            self.ask(type(message).__name__, "an answer to {}", type(message).__name__)

    def _fields(self, message: Any) -> None:
        """The fields that are the same in every object of a class."""
        kind = type(message)
        usual = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
        if message.message_type is not usual.get("message_type", message.message_type):
            self.blame(Side.SERVER, TYPE, "{} came; expected {}", show(message)[:120], usual["message_type"].name)
        if isinstance(message, wire.DisplayMessage):
            # every class that shows something has the field, with a value of its own; their common one has not
            if message.object_display is not usual.get("object_display"):  # type: ignore[attr-defined]
                self.blame(Side.SERVER, DISPLAY, "{} came without what it shows", show(message)[:120])
            if message.parent_display is not None:
                self.blame(Side.SERVER, DISPLAY, "{} came; expected null in DisplayMessage", show(message)[:120])
        wanted = _OWN.get(kind, self._me)
        if not isinstance(message, _ANYBODY) and wanted and message.nickname != wanted:
            self.blame(
                Side.SERVER, ADDRESS, "{} came in {}; expected {}", show(message.nickname), kind.__name__, wanted
            )

    def _genericmessage(self, message: wire.GenericMessage) -> None:
        self._reason = True
        if not _TEXTS.fullmatch(message.message or ""):
            self.blame(Side.SERVER, WORDS, "{} came; expected Hey X, Y is playing...", show(message.message))

    def _loginreply(self, message: wire.LoginReply) -> None:
        if self.pay("login") is None:
            self.blame(Side.SERVER, LOGIN, "LoginReply came, and nobody had asked")
        self._accepted = message.nickname_accepted
        if not message.nickname_accepted and not self._reason:
            self.blame(Side.SERVER, LOGIN, "LoginReply came with a refusal, and no GenericMessage before it")
        self._reason = False

    def _let_in(self, name: str) -> None:
        if not self._accepted:
            self.blame(Side.SERVER, LOGIN, "{} came, and no LoginReply that accepts the name before it", name)
        self._accepted = True

    def _playernumberrequest(self, message: Any) -> None:
        self._let_in("PlayerNumberRequest")
        self._first = True
        self.withdraw()  # the table that the client was asked about may be full by now
        self.ask("PlayerNumberRequest", "PlayerNumberReply")

    def _initialresmessage(self, message: wire.InitialResMessage) -> None:
        self._let_in("InitialResMessage")
        if not message.available_towers:
            self.blame(Side.SERVER, LOBBY, "no towers came; expected those that are left")
        if message.game_mode is None and not self._first:
            self.blame(Side.SERVER, LOBBY, "no gameMode came; expected that of the table")
        self.withdraw()  # the table that the client was asked about may be full by now
        self.ask("InitialResMessage", "ChosenTowerMessage")

    def _gamemodereq(self, message: Any) -> None:
        self._first = False  # from here on the table has a mode
        self.ask("GameModeReq", "GameModeRes")

    def _displayislandsmessage(self, message: wire.DisplayIslandsMessage) -> None:
        count = sum(len(island.students or ()) for island in message.island_models)
        if not self._started:
            self._started = True
            if count != 10 and len(message.island_models) == 12:
                self.blame(Side.SERVER, START, "{} students on the islands came; expected ten", count)
        elif isinstance(self._sent, wire.MovedStudentOnIslandMessage) and self._students is not None:
            wanted = self._students + len(self._sent.students or ())
            if count not in (wanted, self._students) or (count == self._students and self._sent.students):
                self.blame(Side.SERVER, ISLAND, "{} students on the islands came; expected {}", count, wanted)
            self._sent = None
        self._students = count

    def _displaydeckandaskcardmessage(self, message: wire.DisplayDeckAndAskCardMessage) -> None:
        self._deck = tuple(card.priority for card in message.deck)
        self._character = False
        self._sent = None
        self.ask("DisplayDeckAndAskCardMessage", "PlayAssistantCardMessage")

    def _displaycemeterymessage(self, message: wire.DisplayCemeteryMessage) -> None:
        self.pay("card")
        self._names |= {card.owner.nickname for card in message.cemetery if card.owner and card.owner.nickname}

    def _lobbyinfomessage(self, message: wire.LobbyInfoMessage) -> None:
        self._names |= {player.nickname for player in message.nickname_list if player.nickname}

    def _textmessage(self, message: Any) -> None:
        self.pay("card", "cloud") if self._sent is None else None
        self.expect_again()

    def _startturnmessage(self, message: Any) -> None:
        self._character = False

    def _reqmovemothernaturemessage(self, message: wire.ReqMoveMotherNatureMessage) -> None:
        wanted = (self._card + 1) // 2
        if self._card and not self._character and message.max_movement_allowed != wanted:
            self.blame(
                Side.SERVER, STEPS, "mother nature may go {} came; expected {}", message.max_movement_allowed, wanted
            )
        steps = message.max_movement_allowed
        self.ask("ReqMoveMotherNatureMessage", "MovedMotherNatureMessage, 1 to {}", steps)

    def _reqmovecloudtoentrancemessage(self, message: Any) -> None:
        self.pay("cloud")
        self.ask("ReqMoveCloudToEntranceMessage", "AddStudentFromCloudToEntranceMessage")

    def _endturnmessage(self, message: Any) -> None:
        self.pay("cloud")
        self._sent = None
        self.expect_nobody()

    def _winmessage(self, message: wire.WinMessage) -> None:
        self._end()
        self.tell_result()
        name = message.winner.nickname
        if self._names and name not in self._names | {self._me}:
            self.blame(Side.SERVER, NAMES, "{} came; expected the name of a player", show(name))

    def _disconnectionmessage(self, message: wire.DisconnectionMessage) -> None:
        self._end()
        name = message.nickname_disconnected
        if name and self._names and name not in self._names:
            self.blame(Side.SERVER, NAMES, "{} came; expected the name of a player", show(name))

    def _end(self) -> None:
        self.over = True
        self.withdraw()
        self.owed.clear()
        self.expect(Side.SERVER, "the end of the connection")

    def table(self) -> Iterator[Watcher]:
        """See `Watcher`; names come with the first assistants."""
        return (
            one
            for one in self.room.present
            if isinstance(one, Watching) and one is not self and one._started and one._me in self._names
            and self._me in one._names
        )  # fmt: skip

    def server_left(self) -> None:
        """See `Watcher`."""
        if self._started and not self.over and not self.lost:
            self.blame(Side.SERVER, LAST, "the connection was closed without WinMessage or DisconnectionMessage")
