"""Watcher of eriantys-messages: questions, replies, and the displays that follow a reply.

A connection shows every board but not the draws. So displays are judged by the player's actions and by invariants: the
numbers of students, islands, cards and coins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.finding import Rule, Side, rules_of
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.answer import ANSWER
from boardwire.dialects.eriantys_messages.model import WORDS, Model, Turn
from boardwire.errors import BoardwireError, Illegal, Objection
from boardwire.games.eriantys import Rule as GameRule
from boardwire.games.eriantys.planning import assistant_steps

_rule, _ruling = rules_of("eriantys-messages")

LOGIN: Final = _rule("login", "4.1", "LoginRequest gets LoginReply")
NICKNAME: Final = _ruling("nickname", "4.1", "a nickname has 1 to 32 printable characters and no spaces around it")
SEAT: Final = _rule(
    "seat", "4.2", "PlayerNicknameMessage seats the player, or is answered with the reason of a refusal"
)
DISPLAYS: Final = _rule("displays", "4.3", "when the table is full everything is displayed to all players")
PLANNING: Final = _rule("planning", "4.4", "each player plays one card of its hand in each round")
ASKS: Final = _rule("asks", "4.5", "in a turn students are asked for, then mother nature, then the cloud")
ASKED: Final = _rule("asked", "4", "a message of the client answers its open question")
CHANGES: Final = _rule("changes", "4.6", "after each accepted message, what has changed is displayed to all")
STUDENTS: Final = _rule("students", "6.3", "all students of a message move, and no others")
MOVES: Final = _rule(
    "moves",
    "6.3",
    "students of the entrance go to islands or to free seats of the hall, in the number that the rules require",
)
WALKS: Final = _rule("walks", "4", "mother nature moves at least 1 island and at most the number on the player's card")
TAKES: Final = _rule("takes", "6.2", "a player takes an existing cloud that has students")
PAYS: Final = _rule(
    "pays",
    "6.5",
    "a character that is used is on the table, affordable, the only one of the turn, and used as its card says",
)
CLOUD: Final = _rule("cloud", "3", "a cloud that was taken is empty")
CARDS: Final = _rule(
    "cards", "3", "a card has a value from 1 to 10, and as movement the limit that belongs to the value"
)
COINS: Final = _rule("coins", "6.5", "in expert mode each player begins with one coin")
REFUSED: Final = _ruling("refused", "6.6", "a refused message is answered with the reason")
UNREAD: Final = _ruling("unread", "6.6", "an unreadable message gets ErrorMessage")
WINNERS: Final = _rule("winners", "6.7", "WinMessage names the winners: one, a team, or all who share the win")
LAST: Final = _rule("last", "6.7", "a match ends with WinMessage, or with DisconnectionMessage if a player leaves")

_ANSWERS: Final[dict[str, tuple[type, ...]]] = {
    "assistant": (wire.PlayAssistantCardMessage,),
    "students": (wire.StudentToIslandMessage, wire.StudentToHallMessage, wire.PlayCharacterCardMessage),
    "studentsOrCloud": (
        wire.StudentToIslandMessage,
        wire.StudentToHallMessage,
        wire.PlayCharacterCardMessage,
        wire.AddStudentFromCloudToWaitingMessage,
    ),
    "motherNature": (wire.MoveMotherNatureMessage, wire.PlayCharacterCardMessage),
    "cloud": (wire.AddStudentFromCloudToWaitingMessage, wire.PlayCharacterCardMessage),
}
_MOVES: Final = (wire.StudentToIslandMessage, wire.StudentToHallMessage)
_FORBIDS: Final[dict[type, Rule]] = {
    wire.PlayAssistantCardMessage: PLANNING,
    **dict.fromkeys(_MOVES, MOVES),
    wire.MoveMotherNatureMessage: WALKS,
    wire.AddStudentFromCloudToWaitingMessage: TAKES,
    wire.PlayCharacterCardMessage: PAYS,
}
"""The rule broken by an illegal message of each class."""


class DialectWatcher(Watcher):
    """Watcher of eriantys-messages."""

    framing = _rule("framing", "1", "a message is one JSON object on one line")
    unknown = _rule("unknown", "3", "a message has a type of the specification, with its arguments")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._me = ""
        self._asked = ""
        self._sent: Any = None
        """The answer that awaits the server's reply, if it fits the question and is the only one."""
        self._moved = False
        """Whether mother nature has moved in this turn."""
        self._begun = False
        """Whether students have moved in this turn."""
        self._names: list[str] = []
        self._halls: dict[str, dict[str, int]] = {}
        self._entrances: dict[str, int] = {}
        self._islands: set[int] = set()
        self._island_count = 0
        self._clouds = False
        self._start_checked = False
        self._model = Model("")
        self._legal: bool | None = None
        """Whether the pending reply is legal; None: unknown."""
        self._followed = True
        """Whether all actions of this turn are known: answers that are sent together have indistinguishable results."""
        self.expect(Side.CLIENT, "LoginRequest")

    # --- the client ---------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        if self.over or isinstance(message, wire.PingMessage):
            return
        match message:
            case Unreadable():
                self.expect_reply(UNREAD, "ErrorMessage", "unread")
            case wire.LoginRequest(nickname=name):
                self._me = name
                self.expect_reply(LOGIN, "LoginReply", "login")
                if not (0 < len(name) <= 32 and name.isprintable() and name == name.strip()):
                    self.blame(Side.CLIENT, NICKNAME, "got {}", show(name))
            case wire.PlayerNicknameMessage(nickname=name):
                self._me = name or self._me
                self.expect_reply(SEAT, "TowerMessage or the reason of a refusal", "seat")
            case wire.EndGameMessage():
                pass
            case _:
                self._answer(message)

    def _answer(self, message: Any) -> None:
        fits = isinstance(message, _ANSWERS.get(self._asked, ()))
        alone = self._sent is None and not self.expects_reply("answer")
        if not fits and not self.crosses:
            if self._asked:
                self.blame(Side.CLIENT, ASKED, "got {}; the question was {}", type(message).__name__, self._asked)
            else:
                self.blame(Side.CLIENT, ASKED, "got {}; this player has no open question", type(message).__name__)
        self._followed = self._followed and alone
        self._legal = self._judge(message) if fits and self._followed else False if not fits else None
        self._sent = message if fits and alone else None
        self.expect_reply(CHANGES if fits else REFUSED, "the result of the answer", "answer")

    def _judge(self, message: Any) -> bool | None:
        """Return whether a reply is legal by the rules of the game, or None if it is unknown; report an illegal one."""
        model = self._model
        if not model.has_begun or self._me not in model.names:
            return None  # no position is known yet
        try:
            view, seat = model.view(WORDS[self._asked]), model.names.index(self._me)
            actions = ANSWER[type(message)](message, view)
            objection = refusals.eriantys_objection(view, seat, *actions) if actions else Objection(GameRule.NO_STUDENT)
        except Illegal as error:
            self.blame(Side.CLIENT, _FORBIDS[type(message)], "got {}, but {}", _message_text(message), str(error))
            return False
        except (BoardwireError, LookupError, ValueError):
            return None  # other servers may display an impossible position
        if objection is None:
            # of a character with choices only the use is judged, so that its choices may still be refused
            return None if len(actions) > 1 and not isinstance(message, _MOVES) else True
        why = refusals.explain("eriantys", objection)
        self.blame(Side.CLIENT, _FORBIDS[type(message)], "got {}, but {}", _message_text(message), why)
        return False

    def _apply_reply(self) -> None:
        """Apply the pending reply, which the server has accepted."""
        turn = self._model.turn
        match self._sent:
            case wire.StudentToIslandMessage(students=students) | wire.StudentToHallMessage(students=students):
                turn.moved += len(students)
            case wire.AddStudentFromCloudToWaitingMessage():
                turn.took_cloud = True
            case wire.PlayCharacterCardMessage(character=name):
                turn.used_character = wire.CHARACTERS.get(name.upper())
        self._sent = self._legal = None

    def _begin_turn(self) -> None:
        """Reset the state of a turn."""
        self._moved = self._begun = False
        self._model.turn, self._followed = Turn(), True

    # --- the server ---------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        if isinstance(message, Unreadable | wire.PingMessage) or self.lost:
            return
        self.dispatch(message)
        self._model.me = self._me
        # other servers may display an impossible position
        with suppress(BoardwireError, LookupError, ValueError, TypeError):
            self._model.apply_display(message)

    def _loginreply(self, message: wire.LoginReply) -> None:
        if self.settle_reply("login") is None:
            self.blame(Side.SERVER, LOGIN, "got LoginReply without a request")
        self.expect(Side.CLIENT, "PlayerNicknameMessage" if message.nicknameAccepted else "LoginRequest")

    def _errormessage(self, message: wire.ErrorMessage) -> None:
        if self.settle_reply("unread") is None:
            self.settle_reply("seat", "answer")
            self._sent = None
        self.expect_again()

    def _invalidnicknamemessage(self, message: Any) -> None:
        self.settle_reply("seat")

    def _invalidtowermessage(self, message: Any) -> None:
        self.settle_reply("seat")

    def _refused(self, reason: str) -> None:
        self.settle_reply("answer", "seat")
        if self._sent is not None and self._legal is None:
            form = "{} was refused: {}"
            self.blame(Side.CLIENT, _FORBIDS[type(self._sent)], form, _message_text(self._sent), reason)
        elif self._sent is None and self._legal is None and not self._followed:
            self.blame(Side.CLIENT, ASKED, "one of several messages that arrived together was refused: {}", reason)
        self._sent = self._legal = None
        self.expect_again()

    def _invalidnumberstudentsmovedmessage(self, message: Any) -> None:
        self._refused("InvalidNumberStudentsMovedMessage")

    def _invalidmovementmessage(self, message: Any) -> None:
        self._refused(f"InvalidMovementMessage, at most {message.movementAllowed}")

    def _invalidcharactercardmessage(self, message: Any) -> None:
        self._refused(message.reason)

    def _towermessage(self, message: wire.TowerMessage) -> None:
        self.settle_reply("seat")
        self._displayed()

    def _displayed(self) -> None:
        self.settle_reply("answer")

    def _assignplayerdeckresponsemessage(self, message: wire.AssignPlayerDeckResponseMessage) -> None:
        self._displayed()
        for card in message.assistantCardsModel:
            self._card(card.value, card.movement)

    def _card(self, value: int, movement: int) -> None:
        if not 0 < value <= 10 or movement != assistant_steps(value):
            actual = show({"value": value, "movement": movement})
            if 0 < value <= 10:
                self.blame(Side.SERVER, CARDS, "got {}; expected movement {}", actual, assistant_steps(value))
            else:
                self.blame(Side.SERVER, CARDS, "got {}; expected the values 1 to 10", actual)

    def _displayhallmessage(self, message: wire.DisplayHallMessage) -> None:
        self._displayed()
        before, now = self._halls.get(message.nickname), dict(message.hall)
        sent = self._sent
        if message.nickname == self._me and before is not None and isinstance(sent, wire.StudentToHallMessage):
            expected = dict(before)
            for name in sent.students:
                expected[name.upper()] = expected.get(name.upper(), 0) + 1
            if expected != now and before != now:
                self.blame(Side.SERVER, STUDENTS, "got the hall {}; expected {}", show(now), show(expected))
        self._halls[message.nickname] = now

    def _displayentrancemessage(self, message: wire.DisplayEntranceMessage) -> None:
        self._displayed()
        if message.nickname not in self._names:
            self._names.append(message.nickname)
        before, now = self._entrances.get(message.nickname), len(message.entrance)
        if message.nickname == self._me and before is not None and isinstance(self._sent, _MOVES):
            expected = before - len(self._sent.students)
            if now != expected:
                self.blame(Side.SERVER, STUDENTS, "got {} students in the entrance; expected {}", now, expected)
        self._entrances[message.nickname] = now

    def _displaycloudsmessage(self, message: wire.DisplayCloudsMessage) -> None:
        self._displayed()
        self._clouds = True
        sent = self._sent
        if isinstance(sent, wire.AddStudentFromCloudToWaitingMessage) and 0 <= sent.cloudIndex < len(message.clouds):
            took = message.clouds[sent.cloudIndex]
            size = 4 if len(self._names) == 3 else 3
            filled = all(
                len(cloud) == size for cloud in message.clouds
            )  # a new round has begun, and all clouds were refilled
            if took and not filled:
                self.blame(
                    Side.SERVER, CLOUD, "got cloud {} with {} after it was taken", sent.cloudIndex, show(list(took))
                )

    def _displayislandmessage(self, message: wire.DisplayIslandMessage) -> None:
        self._displayed()
        if not 0 <= message.islandIndex < message.numIslands <= 12:
            self.blame(Side.SERVER, DISPLAYS, "got island {} of {}", message.islandIndex, message.numIslands)
        self._islands.add(message.islandIndex)
        self._island_count = message.numIslands

    def _displaycemeterymessage(self, message: wire.DisplayCemeteryMessage) -> None:
        self._displayed()
        for card in message.cemetery:
            self._card(card.value, card.movement)

    def _charactercardsmessage(self, message: wire.CharacterCardsMessage) -> None:
        self._displayed()
        if not self._start_checked and not self._asked and set(message.coins.values()) - {1}:
            self.blame(Side.SERVER, COINS, "got {} at the start", show(message.coins))

    def _textmessage(self, message: wire.TextMessage) -> None:
        if message.ask in _ANSWERS:
            self._question(message.ask)
        elif message.ask == wire.REFUSED:
            self._refused(message.text)
        elif message.text == "Your turn is over":
            self.settle_reply("answer")
            self._asked, self._sent = "", None
            self._begin_turn()
            self.expect_nothing()

    def _question(self, ask: str) -> None:
        """Judge a question: whether it fits the state of the turn."""
        if self.over:
            self.ask(f"TextMessage {ask}", "")
            return
        self._displayed()
        if not self._start_checked:
            self._start_checked = True
            self._check_start()
        if isinstance(self._sent, wire.MoveMotherNatureMessage):
            self._moved = True
        if isinstance(self._sent, _MOVES):
            self._begun = True
        if ask == "assistant":
            self._begin_turn()
        if (
            ask == "cloud" and self._begun and not self._moved
        ):  # some tables ask for the cloud before the students [6.2]
            self.blame(
                Side.SERVER, ASKS, "got the question cloud before mother nature has moved; expected motherNature"
            )
        elif ask in ("students", "studentsOrCloud", "motherNature") and self._moved:
            self.blame(Side.SERVER, ASKS, "got the question {} after mother nature has moved; expected cloud", ask)
        self._apply_reply()
        self._asked = ask
        self.ask(f"TextMessage {ask}", "{}", " or ".join(kind.__name__ for kind in _ANSWERS[ask]))

    def _check_start(self) -> None:
        """Report displays that are missing before the first question."""
        missing = [name for name in self._names if name not in self._halls]
        if missing:
            self.blame(Side.SERVER, DISPLAYS, "the hall of {} did not arrive", show(missing))
        if not self._clouds:
            self.blame(Side.SERVER, DISPLAYS, "no clouds arrived")
        if self._islands != set(range(self._island_count or 12)):
            lost = sorted(set(range(self._island_count or 12)) - self._islands)
            self.blame(Side.SERVER, DISPLAYS, "the islands {} did not arrive; expected all of them", show(lost))
        size = 9 if len(self._names) == 3 else 7
        for name, count in self._entrances.items():
            if count != size and self._island_count == 12:
                self.blame(
                    Side.SERVER, DISPLAYS, "got {} students in the entrance of {}; expected {}", count, name, size
                )

    def _winmessage(self, message: wire.WinMessage) -> None:
        """End the match, and judge whether the winners are players of it."""
        self.over = True
        self.pending_replies.clear()
        self.withdraw()
        self.note_result()
        self.expect(Side.CLIENT, "EndGameMessage")
        if not message.winner or (self._names and set(message.winner) - set(self._names)):
            self.blame(Side.SERVER, WINNERS, "got {}; expected one or more players", show(list(message.winner)))

    def table(self) -> Iterator[Watcher]:
        names = set(self._names)
        return (
            watcher
            for watcher in self.group.present
            if isinstance(watcher, DialectWatcher) and watcher is not self and names and set(watcher._names) == names
            and watcher._me in names and watcher._me != self._me and watcher._start_checked
        )  # fmt: skip

    def _disconnectionmessage(self, message: Any) -> None:
        self.over = True
        self.pending_replies.clear()

    def server_left(self) -> None:
        if self._start_checked and not self.over and not self.lost and len(self.pending_replies) < 10:
            self.blame(Side.SERVER, LAST, "the connection was closed without WinMessage or DisconnectionMessage")


def _message_text(message: Any) -> str:
    """Return the text of a client's message."""
    return show(wire.encode(message).rstrip(b"\n"))


ITALIAN_RULES: Final = {
    "login": "LoginRequest riceve LoginReply",
    "nickname": "un nickname ha da 1 a 32 caratteri stampabili, senza spazi ai bordi",
    "seat": "PlayerNicknameMessage fa sedere il giocatore, o riceve il messaggio che dice perché no",
    "displays": "quando il tavolo è completo tutto viene mostrato a tutti",
    "planning": "ogni giocatore gioca una delle sue carte, una volta per round",
    "asks": "in un turno si chiedono gli studenti, poi madre natura, poi la nuvola",
    "asked": "un messaggio del client risponde a ciò che gli è stato chiesto",
    "changes": "dopo ogni messaggio accettato, ciò che è cambiato viene mostrato a tutti",
    "students": "tutti gli studenti di un messaggio si spostano, e nessun altro",
    "moves": (
        "gli studenti dell'ingresso vanno sulle isole o ai posti liberi della sala, quanti ne prevedono le regole"
    ),
    "walks": "madre natura va da 1 a tante isole quante ne permette la carta del giocatore",
    "takes": "una nuvola che viene presa esiste e ha studenti",
    "pays": "un personaggio è sul tavolo, si può pagare, è il solo del turno e si usa come dice la sua carta",
    "cloud": "una nuvola presa è vuota",
    "cards": "in una carta, value va da 1 a 10 e movement è quanto può andare madre natura",
    "coins": "in modalità esperto tutti cominciano con una moneta",
    "refused": "ciò che viene rifiutato riceve il motivo",
    "unread": "ciò che non si può leggere riceve ErrorMessage",
    "winners": "WinMessage nomina i vincitori: uno, una squadra, o tutti quelli che vincono insieme",
    "last": "una partita finisce con WinMessage, o con DisconnectionMessage se un giocatore esce",
    "framing": "un messaggio è un oggetto JSON su una riga",
    "unknown": "un messaggio ha un tipo della specifica, con i suoi argomenti",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "got {} at the start": "è arrivato {} all'inizio",
    "got {}; expected movement {}": "è arrivato {}; si aspettava movement {}",
    "got {}; expected one or more players": "è arrivato {}; si aspettavano uno o più giocatori",
    "got {}; expected the values 1 to 10": "è arrivato {}; si aspettavano i valori da 1 a 10",
    "got {}; this player has no open question": "è arrivato {}; a questo giocatore non si chiede niente",
    "got {}; the question was {}": "è arrivato {}; si chiede {}",
    "TowerMessage or the reason of a refusal": "TowerMessage, o perché non c'è posto",
    "got the question cloud before mother nature has moved; expected motherNature": (
        "si chiede cloud prima che madre natura si sia mossa; si aspettava motherNature"
    ),
    "got cloud {} with {} after it was taken": "è arrivata la nuvola {} con {} dopo che era stata presa",
    "got island {} of {}": "è arrivata l'isola {} di {}",
    "no clouds arrived": "non sono arrivate nuvole",
    "the hall of {} did not arrive": "non è arrivata la sala di {}",
    "the islands {} did not arrive; expected all of them": "non sono arrivate le isole {}; si aspettavano tutte",
    "got the hall {}; expected {}": "è arrivata la sala {}; si aspettava {}",
    "got the question {} after mother nature has moved; expected cloud": (
        "si chiede {} dopo che madre natura si è mossa; si aspettava cloud"
    ),
    "got {} students in the entrance; expected {}": ("sono arrivati {} studenti nell'ingresso; se ne aspettavano {}"),
    "got {} students in the entrance of {}; expected {}": (
        "sono arrivati {} studenti nell'ingresso di {}; se ne aspettavano {}"
    ),
    "one of several messages that arrived together was refused: {}": (
        "uno di più messaggi arrivati insieme è stato rifiutato: {}"
    ),
}
"""Italian forms of the details that only this watcher uses."""
