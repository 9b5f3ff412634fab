"""Watcher of eriantys-objects: fields of every object, questions, and what must follow a reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.finding import Phrase, Side, rules_of
from boardwire.conformance.java_objects import JavaObjectFramer
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.model import price_of
from boardwire.dialects.eriantys_objects.protocol import EFFECTS, QUESTION_OF
from boardwire.errors import Objection
from boardwire.games.eriantys import Colour
from boardwire.games.eriantys import Rule as GameRule
from boardwire.games.eriantys.places import TABLE
from boardwire.games.eriantys.planning import assistant_steps
from boardwire.wire.javastream import Framing

_rule, _ruling = rules_of("eriantys-objects")

HEADER: Final = _rule("header", "1", "the stream header comes at once, before any message")
TYPE: Final = _rule("type", "2.1", "every message has the type of its class")
DISPLAY: Final = _rule("display", "5", "a display names its content in its own field, and has null in its parent's")
ADDRESS: Final = _rule(
    "address", "2.1", "a message has the nickname of its recipient, unless the specification gives another"
)
LOGIN: Final = _rule("login", "3.2.1", "LoginRequest gets LoginReply, after the reason if the name is refused")
LOBBY: Final = _rule("lobby", "3.2.2", "InitialResMessage offers the free towers and the mode of the table")
START: Final = _rule("start", "3.2.7", "at the start ten islands have a student each")
CARDS: Final = _rule("cards", "3.3", "after an assistant all players get DisplayCemeteryMessage")
WORDS: Final = _rule("words", "3.4", "the other players get a GenericMessage that names the player to move")
ISLAND: Final = _rule("island", "3.4.1", "the named students go to the island")
STEPS: Final = _rule("steps", "3.4.3", "mother nature goes as far as the card says")
CLOUD: Final = _rule("cloud", "3.4.4", "after the cloud the player gets EndTurnMessage")
ASKED: Final = _rule(
    "asked", "3.4", "an answer is for an open request, and is one that the request and the rules allow"
)
REFUSED: Final = _ruling("refused", "3", "a refused answer gets a TextMessage with the reason, and the request again")
PINGS: Final = _rule("pings", "3.1", "the server never answers a ping and never pings")
LAST: Final = _rule("last", "3.6", "a match ends with WinMessage, or with DisconnectionMessage")
NAMES: Final = _rule("names", "3.6", "WinMessage and DisconnectionMessage name a player")

_SENDER_NAMES: Final[dict[type, str]] = {
    wire.LoginReply: "SERVER_NICKNAME", wire.PlayerNumberRequest: "SERVER_NICKNAME",
    wire.GameModeReq: "SERVER_NICKNAME", wire.GenericMessage: "SERVER_NICK", wire.WinMessage: "server",
    wire.LobbyInfoMessage: "Server_nickname",
}  # fmt: skip
_QUESTIONS: Final = (
    wire.PlayerNumberRequest, wire.GameModeReq, wire.InitialResMessage, *QUESTION_OF.values(),
    wire.AskExtraGetInfluenceMessage, wire.AskMoveStudentsFromCardToEntrance, wire.AskStudentsChangeEntranceHall,
    wire.AskColorRemoveFromAll,
)  # fmt: skip
"""Questions of the server; the client has one at a time to answer [6.9]."""
_ANY_RECIPIENT: Final = (wire.DisconnectionMessage, wire.DisplayPlayerBoardMessage, wire.ErrorMessage)
_ERRORS: Final = (
    wire.InvalidNicknameMessage, wire.InvalidTowerMessage, wire.InvalidMovementMessage,
    wire.InvalidNumberStudentsMovedMessage, wire.ErrorCardMessageResponse,
)  # fmt: skip
_ANSWER_OF: Final[dict[type, type]] = {question: answer for answer, question in QUESTION_OF.items()}
_MOVES_BY_ENTRANCE: Final = {7: 3, 9: 4, 10: 3, 13: 4}
"""Students to move in a turn, by the size of the entrance at its beginning.

The larger sizes occur if the cloud was taken first.
"""
_ALLOWED: Final = Phrase("")
"""Marks a legal reply."""
_TEXTS: Final = re.compile(r"Forbidden name\.|Nickname already taken\.|Hey .*, .* is playing\.\.\.", re.DOTALL)


class DialectWatcher(Watcher):
    """Watcher of eriantys-objects."""

    framer = partial(JavaObjectFramer, Framing.ONCE)
    framing = _rule("framing", "1", "each direction is one Java object stream")
    unknown = _rule("unknown", "2", "an object is of a class of the specification, with its fields")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._me = ""
        self._is_accepted: bool | None = None
        self._reason = False
        self._first = False
        self._has_started = False
        self._names: set[str] = set()
        self._students: int | None = None
        self._sent: Any = None
        """The client's last message, until the server replies."""
        self._deck: tuple[int, ...] = ()
        self._card = 0
        self._character = False
        self._requests: dict[type, Any] = {}
        """Open requests by the class of their reply; the shipped server has two at a time."""
        self._last_answer_class: type | None = None
        """The class of the last reply."""
        self._unjudged: tuple[type, Any] | None = None
        """The class of a request, and its reply that could not be judged: a refusal shows that it was illegal."""
        self._reason_given: str | Phrase = ""
        self._hall: Counter[wire.ColorPawns] | None = None
        self._entrance = 0
        """Size of the entrance at the beginning of the turn."""
        self.expect(Side.CLIENT, "LoginRequest")

    def start(self) -> None:
        self.expect_reply(HEADER, "the header", "header")

    def overhead(self, side: Side) -> None:
        if side is Side.SERVER:
            self.settle_reply("header")

    def is_answer(self, name: str) -> bool:
        """Also except LoginRequest, which clients repeat until they get a reply."""
        return super().is_answer(name) and not (name == "LoginRequest" and self._is_accepted)

    # --- the client ---------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        if isinstance(message, Unreadable | wire.PingMessage) or self.over:
            return
        self._sent = message
        if type(message) in _JUDGES:
            self._judge(message)
        match message:
            case wire.LoginRequest(nickname=name) if not self._is_accepted:
                self._me = name or ""
                self.expect_reply(LOGIN, "LoginReply", "login")
            case wire.PlayAssistantCardMessage(nickname=name, index_assistant_card_model=index):
                if name in ("", None, self._me) and 0 <= index < len(self._deck):
                    self._card = self._deck[index]
                    self.expect_reply(CARDS, "DisplayCemeteryMessage", "card")
            case wire.AddStudentFromCloudToEntranceMessage():
                self.expect_reply(CLOUD, "EndTurnMessage", "cloud")
            case wire.PlayedCharacterCardMessage(card_played=card):
                self._character = self._character or card is not None

    def _judge(self, message: Any) -> None:
        """Report a reply that the open request or the rules of the game do not allow."""
        kind = type(message)
        request = self._requests.pop(kind, None)
        if request is None and kind in EFFECTS:
            request = self._requests.pop(wire.PlayedCharacterCardMessage, None)  # taken right after the offer [3.4]
        if request is None:
            repeated = kind is self._last_answer_class or message == wire.PlayedCharacterCardMessage(
                nickname=message.nickname
            )
            if not (repeated or self.crosses):  # the server silently drops a repeated reply [5.4]
                self.blame(Side.CLIENT, ASKED, "got {}, which answers no question", show(message))
            return
        self._last_answer_class = kind
        fits = isinstance(request, QUESTION_OF[kind])
        why = _JUDGES[kind](self, request, message) if fits else None
        if why not in (None, _ALLOWED):
            self.blame(Side.CLIENT, ASKED, "got {}, but {}", show(message), why)
        elif why is None:
            self._unjudged, self._reason_given = (type(request), message), ""

    def _judge_card(
        self, request: wire.DisplayDeckAndAskCardMessage, message: wire.PlayAssistantCardMessage
    ) -> Phrase | None:
        owner, index = request.deck[0].owner if request.deck else None, message.index_assistant_card_model
        hand = request.deck if owner is None else owner.deck_assistant_card_model or request.deck  # [6.2]
        if not 0 <= index < len(hand):
            return Phrase("the index is 0 to {}: {}", (len(hand) - 1, _objection(GameRule.SPENT)))
        if hand[index].priority not in {card.priority for card in request.deck}:
            return _objection(GameRule.PLAYED)
        return _ALLOWED

    def _judge_island(
        self, request: wire.StudentToIslandMessage, message: wire.MovedStudentOnIslandMessage
    ) -> Phrase | None:
        students = message.students or ()
        if not students:
            return self._judge_no_island(request)
        if Counter(students) - Counter(request.entrance):
            return _objection(GameRule.NO_STUDENT)
        moves = _MOVES_BY_ENTRANCE.get(self._entrance)
        left = None if moves is None else moves - (self._entrance - len(request.entrance))
        if left is not None and len(students) > left:
            return refusals.students_left(left)
        if not 0 <= message.index_island < len(request.islands):
            return Phrase("islands are 0 to {}", (len(request.islands) - 1,))
        return _ALLOWED if left is not None else None

    def _judge_no_island(self, request: wire.StudentToIslandMessage) -> Phrase | None:
        """Check a reply without students against the rules: all go to the hall, so it must have a seat for one."""
        if self._hall is None:
            return None
        seats = any(self._hall[pawn] < TABLE for pawn in request.entrance)
        return _ALLOWED if seats else _objection(GameRule.TABLE_FULL)

    def _judge_hall(self, request: wire.StudentToHallMessage, message: wire.MovedStudentToHallMessage) -> Phrase | None:
        """Return the objection to a choice of students for the hall, `_ALLOWED`, or None if the hall is unknown."""
        students = message.students or ()
        if len(students) > request.number_students_to_move:
            return Phrase("at most {} students were asked for", (request.number_students_to_move,))
        if Counter(students) - Counter(request.entrance):
            return _objection(GameRule.NO_STUDENT)
        if self._hall is None:
            return None
        full = [pawn for pawn, count in Counter(students).items() if self._hall[pawn] + count > TABLE]
        return _objection(GameRule.TABLE_FULL) if full else _ALLOWED

    def _judge_movement(
        self, request: wire.ReqMoveMotherNatureMessage, message: wire.MovedMotherNatureMessage
    ) -> Phrase | None:
        most = request.max_movement_allowed
        fits = 1 <= message.movement <= most
        return _ALLOWED if fits else _objection(GameRule.FAR, most=most)

    def _judge_cloud(
        self, request: wire.ReqMoveCloudToEntranceMessage, message: wire.AddStudentFromCloudToEntranceMessage
    ) -> Phrase | None:
        fits = 0 <= message.cloud_index < len(request.clouds)
        return _ALLOWED if fits else Phrase("the remaining clouds are 0 to {}", (len(request.clouds) - 1,))

    def _judge_character(
        self, request: wire.ReqPlayCharacterCardMessage, message: wire.PlayedCharacterCardMessage
    ) -> Phrase | None:
        if message.card_played is None:
            return _ALLOWED
        character = pieces.character_of(message.card_played)
        card = next((offered for offered in request.character_deck if pieces.character_of(offered) is character), None)
        name = "" if character is None else character.value
        if card is None:
            return _objection(GameRule.NOT_ON_TABLE, card=name)
        coins = request.player.coins
        if price_of(card) > coins:
            return _objection(GameRule.TOO_DEAR, card=name, most=coins)
        return None

    def _judge_effect(self, request: Any, message: Any) -> Phrase | None:
        student: Any = getattr(message, "student_to_move", None) or getattr(message, "picked_student", None)
        index = getattr(message, "island_index", getattr(message, "index_island", 0))
        if hasattr(request, "students_on_card") and student not in request.students_on_card:
            return Phrase("there is no such student on the card")
        if hasattr(request, "islands") and not 0 <= index < len(request.islands):
            return Phrase("islands are 0 to {}", (len(request.islands) - 1,))
        if isinstance(request, wire.ReqStudentFromCardToHall) and (self._hall is None or self._hall[student] >= TABLE):
            return None if self._hall is None else _objection(GameRule.TABLE_FULL)
        return _ALLOWED

    # --- the server ---------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        if isinstance(message, Unreadable) or self.lost:
            return
        self._fields(message)
        self._see_refusal(message)
        if (answer := _ANSWER_OF.get(type(message))) is not None:
            self._requests[answer] = message
            if isinstance(message, wire.StudentToIslandMessage) and not self._entrance:
                self._entrance = len(message.entrance)
        if isinstance(message, wire.PingMessage):
            self.blame(Side.SERVER, PINGS, "got PingMessage")
        elif isinstance(message, _ERRORS) and self._has_started:
            self.blame(Side.SERVER, REFUSED, "got {}; expected TextMessage", show(message))
        if self.over and isinstance(message, _QUESTIONS):
            self.ask(type(message).__name__, "")
            return
        if not self.dispatch(message) and isinstance(message, _QUESTIONS):
            self.ask(type(message).__name__, "an answer to {}", type(message).__name__)

    def _see_refusal(self, message: Any) -> None:
        """Detect a refusal: a text, then the same request. Other messages show that the reply was accepted."""
        if self._unjudged is None or isinstance(
            message, wire.PingMessage | wire.GenericMessage | wire.LobbyInfoMessage
        ):
            return
        asked, answer = self._unjudged
        if isinstance(message, wire.TextMessage):
            self._reason_given = message.text or Phrase("no reason was given")
            return
        self._unjudged = None
        if type(message) is asked and self._reason_given:
            self.blame(Side.CLIENT, ASKED, "{} was refused: {}", show(answer), self._reason_given)

    def _displayplayerboardmessage(self, message: wire.DisplayPlayerBoardMessage) -> None:
        if message.player.nickname == self._me:
            counts = pieces.counts_of(message.player.student_in_hall)
            self._hall = Counter({pieces.PAWNS[colour]: counts[colour] for colour in Colour})

    def _fields(self, message: Any) -> None:
        """Report wrong values of the fields that have one value per class."""
        kind = type(message)
        usual = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
        if message.message_type is not usual.get("message_type", message.message_type):
            self.blame(Side.SERVER, TYPE, "got {}; expected {}", show(message)[:120], usual["message_type"].name)
        if isinstance(message, wire.DisplayMessage):
            # every display class sets this field; its parent class leaves it null
            if message.object_display is not usual.get("object_display"):  # type: ignore[attr-defined]  # see above
                self.blame(Side.SERVER, DISPLAY, "got {} without its content", show(message)[:120])
            if message.parent_display is not None:
                self.blame(Side.SERVER, DISPLAY, "got {}; expected null in DisplayMessage", show(message)[:120])
        expected = _SENDER_NAMES.get(kind, self._me)
        if not isinstance(message, _ANY_RECIPIENT) and expected and message.nickname != expected:
            self.blame(
                Side.SERVER, ADDRESS, "got {} in {}; expected {}", show(message.nickname), kind.__name__, expected
            )

    def _genericmessage(self, message: wire.GenericMessage) -> None:
        self._reason = True
        if not _TEXTS.fullmatch(message.message or ""):
            self.blame(Side.SERVER, WORDS, "got {}; expected Hey X, Y is playing...", show(message.message))

    def _loginreply(self, message: wire.LoginReply) -> None:
        if self.settle_reply("login") is None:
            self.blame(Side.SERVER, LOGIN, "got LoginReply without a request")
        self._is_accepted = message.nickname_accepted
        if not message.nickname_accepted and not self._reason:
            self.blame(Side.SERVER, LOGIN, "got a refusing LoginReply without GenericMessage before it")
        self._reason = False

    def _let_in(self, name: str) -> None:
        if not self._is_accepted:
            self.blame(Side.SERVER, LOGIN, "got {} before a LoginReply that accepts the name", name)
        self._is_accepted = True

    def _playernumberrequest(self, message: Any) -> None:
        self._let_in("PlayerNumberRequest")
        self._first = True
        self.withdraw()  # the table that the client was asked about may be full by now
        self.ask("PlayerNumberRequest", "PlayerNumberReply")

    def _initialresmessage(self, message: wire.InitialResMessage) -> None:
        self._let_in("InitialResMessage")
        if not message.available_towers:
            self.blame(Side.SERVER, LOBBY, "no towers arrived; expected the free ones")
        if message.game_mode is None and not self._first:
            self.blame(Side.SERVER, LOBBY, "no gameMode arrived; expected the table's")
        self.withdraw()  # the table that the client was asked about may be full by now
        self.ask("InitialResMessage", "ChosenTowerMessage")

    def _gamemodereq(self, message: Any) -> None:
        self._first = False  # after this question the table has a mode
        self.ask("GameModeReq", "GameModeRes")

    def _displayislandsmessage(self, message: wire.DisplayIslandsMessage) -> None:
        """Judge the number of students on the islands: ten at the start, then those that the client has moved there."""
        count = sum(len(island.students or ()) for island in message.island_models)
        if not self._has_started:
            self._has_started = True
            if count != 10 and len(message.island_models) == 12:
                self.blame(Side.SERVER, START, "got {} students on the islands; expected ten", count)
        elif isinstance(self._sent, wire.MovedStudentOnIslandMessage) and self._students is not None:
            expected = self._students + len(self._sent.students or ())
            if count != expected:
                self.blame(Side.SERVER, ISLAND, "got {} students on the islands; expected {}", count, expected)
            self._sent = None
        self._students = count

    def _displaydeckandaskcardmessage(self, message: wire.DisplayDeckAndAskCardMessage) -> None:
        self._deck = tuple(card.priority for card in message.deck)
        self._character = False
        self._sent = None
        self.ask("DisplayDeckAndAskCardMessage", "PlayAssistantCardMessage")

    def _displaycemeterymessage(self, message: wire.DisplayCemeteryMessage) -> None:
        self.settle_reply("card")
        self._names |= {card.owner.nickname for card in message.cemetery if card.owner and card.owner.nickname}

    def _lobbyinfomessage(self, message: wire.LobbyInfoMessage) -> None:
        self._names |= {player.nickname for player in message.nickname_list if player.nickname}

    def _textmessage(self, message: Any) -> None:
        if self._sent is None:
            self.settle_reply("card", "cloud")
        self.expect_again()

    def _startturnmessage(self, message: Any) -> None:
        self._character = False
        self._entrance = 0

    def _reqmovemothernaturemessage(self, message: wire.ReqMoveMotherNatureMessage) -> None:
        expected = assistant_steps(self._card)
        if self._card and not self._character and message.max_movement_allowed != expected:
            self.blame(
                Side.SERVER,
                STEPS,
                "got a limit of {} steps for mother nature; expected {}",
                message.max_movement_allowed,
                expected,
            )
        steps = message.max_movement_allowed
        self.ask("ReqMoveMotherNatureMessage", "MovedMotherNatureMessage, 1 to {}", steps)

    def _reqmovecloudtoentrancemessage(self, message: Any) -> None:
        self.settle_reply("cloud")
        self.ask("ReqMoveCloudToEntranceMessage", "AddStudentFromCloudToEntranceMessage")

    def _endturnmessage(self, message: Any) -> None:
        self.settle_reply("cloud")
        self._sent = None
        self._requests.clear()
        self._entrance = 0
        self.expect_nothing()

    def _winmessage(self, message: wire.WinMessage) -> None:
        self._end()
        self.note_result()
        name = message.winner.nickname
        if self._names and name not in self._names | {self._me}:
            self.blame(Side.SERVER, NAMES, "got {}; expected the name of a player", show(name))

    def _disconnectionmessage(self, message: wire.DisconnectionMessage) -> None:
        self._end()
        name = message.nickname_disconnected
        if name and self._names and name not in self._names:
            self.blame(Side.SERVER, NAMES, "got {}; expected the name of a player", show(name))

    def _end(self) -> None:
        self.over = True
        self.withdraw()
        self.pending_replies.clear()
        self.expect(Side.SERVER, "the end of the connection")

    def table(self) -> Iterator[Watcher]:
        """Yield the watchers of the other players, whose names come with the first assistants."""
        return (
            watcher
            for watcher in self.group.present
            if isinstance(watcher, DialectWatcher) and watcher is not self and watcher._has_started
            and watcher._me in self._names and self._me in watcher._names
        )  # fmt: skip

    def server_left(self) -> None:
        if self._has_started and not self.over and not self.lost:
            self.blame(Side.SERVER, LAST, "the connection was closed without WinMessage or DisconnectionMessage")


_JUDGES: Final[dict[type, Callable[[DialectWatcher, Any, Any], Phrase | None]]] = {
    wire.PlayAssistantCardMessage: DialectWatcher._judge_card,
    wire.MovedStudentOnIslandMessage: DialectWatcher._judge_island,
    wire.MovedStudentToHallMessage: DialectWatcher._judge_hall,
    wire.MovedMotherNatureMessage: DialectWatcher._judge_movement,
    wire.AddStudentFromCloudToEntranceMessage: DialectWatcher._judge_cloud,
    wire.PlayedCharacterCardMessage: DialectWatcher._judge_character,
    **dict.fromkeys(EFFECTS, DialectWatcher._judge_effect),
}
"""Functions that judge a reply.

They return the reason why it is illegal, `_ALLOWED`, or None if only the server can judge it.
"""


def _objection(rule: GameRule, card: str = "", most: int = 0) -> Phrase:
    """Return the phrase for a rule of the game."""
    return refusals.explain("eriantys", Objection(rule, card=card, most=most))


ITALIAN_RULES: Final = {
    "header": "l'intestazione del flusso arriva subito, prima di ogni messaggio",
    "type": "ogni messaggio ha il tipo della sua classe",
    "display": "un display dice nel proprio campo che cosa mostra, e null in quello del genitore",
    "address": "un messaggio ha il nickname che dice la specifica: quello del destinatario, se non dice altro",
    "login": "LoginRequest riceve LoginReply, e un nome rifiutato prima il motivo",
    "lobby": "InitialResMessage offre le torri rimaste e la modalità del tavolo",
    "start": "all'inizio dieci isole hanno uno studente ciascuna",
    "cards": "dopo un assistente tutti ricevono DisplayCemeteryMessage",
    "words": "gli altri ricevono GenericMessage, che dice chi sta giocando",
    "island": "sull'isola va il numero di studenti nominato",
    "steps": "madre natura va fin dove dice la carta",
    "cloud": "dopo la nuvola il giocatore riceve EndTurnMessage",
    "asked": "una risposta è per una richiesta aperta, ed è una di quelle che la richiesta e le regole permettono",
    "refused": "ciò che non si può accettare riceve un TextMessage con il motivo, e di nuovo la richiesta",
    "pings": "il server non risponde ai ping e non ne invia",
    "last": "una partita finisce con WinMessage o con DisconnectionMessage",
    "names": "WinMessage e DisconnectionMessage nominano un giocatore",
    "framing": "ogni direzione è un unico flusso di oggetti Java",
    "unknown": "un oggetto è di una classe della specifica, con i suoi campi",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "got {} in {}; expected {}": "è arrivato {} in {}; si aspettava {}",
    "got {} without its content": "è arrivato {} senza ciò che mostra",
    "got {} before a LoginReply that accepts the name": ("è arrivato {} senza prima un LoginReply che accetta il nome"),
    "got {}; expected Hey X, Y is playing...": "è arrivato {}; si aspettava Hey X, Y is playing...",
    "got {}; expected TextMessage": "è arrivato {}; si aspettava TextMessage",
    "got {}; expected null in DisplayMessage": "è arrivato {}; si aspettava null in DisplayMessage",
    "got {}; expected the name of a player": "è arrivato {}; si aspettava il nome di un giocatore",
    "got a refusing LoginReply without GenericMessage before it": (
        "è arrivato LoginReply con un rifiuto, senza prima GenericMessage"
    ),
    "MovedMotherNatureMessage, 1 to {}": "MovedMotherNatureMessage, da 1 a {}",
    "got PingMessage": "è arrivato PingMessage",
    "got a limit of {} steps for mother nature; expected {}": (
        "è arrivato che madre natura può andare di {}; si aspettava {}"
    ),
    "no gameMode arrived; expected the table's": "non è arrivato gameMode; si aspettava quello del tavolo",
    "no towers arrived; expected the free ones": "non sono arrivate torri; si aspettavano quelle rimaste",
    "the header": "l'intestazione",
    "got {} students on the islands; expected ten": ("sono arrivati {} studenti sulle isole; se ne aspettavano dieci"),
    "got {} students on the islands; expected {}": "sono arrivati {} studenti sulle isole; se ne aspettavano {}",
    "no reason was given": "senza spiegazioni",
    "got {}, which answers no question": "è arrivato {}, e non era stato chiesto niente a cui risponda",
    "there is no such student on the card": "sulla carta non c'è uno studente così",
    "at most {} students were asked for": "erano stati chiesti al più {} studenti",
    "islands are 0 to {}": "le isole vanno da 0 a {}",
    "the remaining clouds are 0 to {}": "le nuvole rimaste vanno da 0 a {}",
    "the index is 0 to {}: {}": "l'indice va da 0 a {}: {}",
}
"""Italian forms of the details that only this watcher uses."""
