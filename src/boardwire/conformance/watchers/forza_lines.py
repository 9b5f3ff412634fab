"""Watcher of forza-lines. One connection shows the whole match, so every line is judged by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.finding import Side, rules_of
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.forza_lines.messages import COLOURS, FLOOR, NAME_LIMIT, format_board
from boardwire.errors import BoardwireError, Malformed, Objection, Reason
from boardwire.games import forza
from boardwire.games.game import Seat

_rule, _ = rules_of("forza-lines")

NAMES: Final = _rule("names", "3", "a name has 1 to 20 visible characters")
SITS: Final = _rule("sits", "3", "a name is answered with WELCOME, or NO")
START: Final = _rule("start", "3", "START tells each player its colour: one is RED, the other YELLOW")
BOARD: Final = _rule("board", "2.3", "the board shows every disc that fell, and nothing else")
DROPS: Final = _rule("drops", "4", "both players get each disc, the board and the player to move")
COLUMN: Final = _rule("column", "4", "a column is a number from 1 to 7, of a column that is not full")
TURN: Final = _rule("turn", "5", "a column out of turn gets NO not-your-turn")
REFUSES: Final = _rule("refuses", "5", "an impossible request gets NO with the reason, and nothing changes")
TALK: Final = _rule("talk", "2.1", "SAY is sent to both players as SAID")
RESIGNS: Final = _rule("resigns", "2.1", "RESIGN ends the match")
END: Final = _rule("end", "4", "four in a row win, a full board is a draw, and each player gets its own result")
LAST: Final = _rule("last", "4", "the result is the last line of a match")
WORDS: Final = _rule("words", "2.2", "a line begins with a word of the specification")


class DialectWatcher(Watcher):
    """Watcher of forza-lines."""

    framing = _rule("framing", "1", "a connection carries lines of UTF-8 text, up to 4096 bytes each")
    unknown = WORDS

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._is_seated = False
        self.seat: Seat | None = None
        self.named = ""
        self.opponent = ""
        self._position = forza.new(forza.Options(), 2)
        self._rows: list[str] = []
        self._turn: Seat | None = None
        self.expect(Side.SERVER, "HELLO")

    def read(self, side: Side, message: Any) -> Any:
        text = bytes(message).decode("utf-8", "replace").strip()
        if side is Side.SERVER and text.partition(" ")[0] not in {declared.name for declared in self.protocol.server}:
            raise Malformed("no line of a server begins with this word")
        return text

    def name(self, side: Side, message: Any) -> str:
        word = str(message).partition(" ")[0]
        if side is Side.SERVER:
            return word
        if not self._is_seated and self.seat is None:
            return "name"
        return word.upper() if word.upper() in ("SAY", "RESIGN") else "column"

    # --- the client ---------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        """Judge a line of the client."""
        if isinstance(message, Unreadable) or self.over or self.lost:
            return
        text = str(message)
        if not self._is_seated and not any(reply.tag[0] == "name" for reply in self.pending_replies):
            is_valid = text.isprintable() and 0 < len(text) <= NAME_LIMIT
            if not is_valid:
                self.blame(Side.CLIENT, NAMES, "got {}", show(text))
            self.expect_reply(
                SITS if is_valid else NAMES, "WELCOME" if is_valid else "NO malformed", ("name", text, is_valid)
            )
            return
        word = text.partition(" ")[0].upper()
        if word == "SAY":
            self.expect_reply(TALK, "SAID", ("say",))
        elif word == "RESIGN":
            self.expect_reply(RESIGNS, "the end of the match", ("resign",))
        else:
            self._column(text)

    def _column(self, text: str) -> None:
        """Judge the client's choice of a column, and expect the server's reply to it."""
        try:
            column: int | None = forza.parse_action(text)
        except BoardwireError:
            column = None
        pending = forza.pending(self._position) if self.seat is not None else None
        is_turn = (
            pending is not None
            and self._turn == self.seat
            and not any(reply.tag[0] == "drop" for reply in self.pending_replies)
        )
        if column is None:
            why = refusals.explain("forza", Objection(forza.Rule.NOWHERE))
            self.blame(Side.CLIENT, COLUMN, "got {}, but {}; expected 1 to 7", show(text), why)
            self.expect_reply(REFUSES, "NO malformed", ("drop", None, "malformed"))
        elif not is_turn:
            if not self.crosses:
                self.blame(Side.CLIENT, TURN, "got {} while it is not this player's turn", show(text))
            self.expect_reply(TURN, "NO not-your-turn", ("drop", column, "turn"))
        elif pending is not None and column not in pending.choices:
            self.blame(Side.CLIENT, COLUMN, "got {}; the column is full", show(text))
            self.expect_reply(REFUSES, "NO illegal", ("drop", column, "illegal"))
        else:
            self.expect_reply(DROPS, "DROP", ("drop", column, ""))

    # --- the server ---------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        """Judge a line of the server."""
        if isinstance(message, Unreadable) or self.lost:
            return
        word, _, text = str(message).partition(" ")
        if self.over:
            self.lose(Side.SERVER, LAST, "got {} after the end", show(message))
        elif word == "|":
            self._rows.append(str(message))
        elif word == FLOOR:
            self._board()
        elif word == "HELLO":
            if not any(
                reply.tag[0] == "name" for reply in self.pending_replies
            ):  # the client may have sent its name before HELLO
                self.expect(Side.CLIENT, "a name")
        elif word == "WELCOME":
            self._welcome()
        elif word == "START":
            self._start(text)
        elif word == "DROP":
            self._drop(text)
        elif word == "TURN":
            self._player_to_move(text)
        elif word == "SAID":
            self._said(text)
        elif word == "NO":
            self._refusal(text)
        else:
            self._result(word, text)

    def _settled_tag(self, *kinds: str) -> Any:
        """Remove the oldest pending reply of these kinds and return its tag, or None."""
        reply = self.settle_reply_where(lambda tag: tag[0] in kinds)
        return None if reply is None else reply.tag

    def _welcome(self) -> None:
        tag = self._settled_tag("name")
        if tag is None and not self._is_seated:
            self.lose(Side.SERVER, SITS, "got WELCOME before a name was sent")
            return
        if tag is not None and not tag[2]:
            self.blame(Side.SERVER, NAMES, "got WELCOME in reply to {}; expected NO malformed", show(tag[1]))
        if tag is not None:
            self.named = tag[1]
            self.group.enter(self.named, self)
        self._is_seated = True
        self.expect(Side.SERVER, "START, once an opponent has connected")

    def _start(self, text: str) -> None:
        colour, _, other = text.partition(" ")
        if colour not in COLOURS or not self._is_seated or self.seat is not None:
            self.lose(Side.SERVER, START, "got START {}", text)
            return
        self.seat, self.opponent = COLOURS.index(colour), other
        for watcher in self.group.others(self):
            if (
                isinstance(watcher, DialectWatcher)
                and (watcher.named, watcher.opponent) == (other, self.named)
                and watcher.seat == self.seat
            ):
                self.lose(Side.SERVER, START, "got START {}, and {} is {} too", text, other, colour)

    def _board(self) -> None:
        actual, self._rows = "\n".join([*self._rows, FLOOR]) + "\n", []
        expected = format_board(forza.view(self._position, None)).decode()
        if actual != expected:
            self.lose(Side.SERVER, BOARD, "got {}; expected {}", show(actual), show(expected))

    def _drop(self, text: str) -> None:
        """Judge a DROP of the server: it must be the requested column, or a legal drop of the other player."""
        colour, _, number = text.partition(" ")
        try:
            seat, column = COLOURS.index(colour), forza.parse_action(number)
        except (ValueError, BoardwireError):
            self.lose(Side.SERVER, DROPS, "got DROP {}, which is not a colour and a column", text)
            return
        if seat == self.seat:
            tag = self._settled_tag("drop")
            if tag is None or (tag[1], tag[2]) != (column, ""):
                if tag is None:
                    self.lose(Side.SERVER, REFUSES, "got DROP {}; the player had requested no drop", text)
                else:
                    asked = "?" if tag[1] is None else tag[1] + 1
                    self.lose(Side.SERVER, REFUSES, "got DROP {}; the player had requested column {}", text, asked)
                return
        try:
            self._position, _ = forza.apply(self._position, seat, column)
        except BoardwireError as error:
            self.lose(Side.SERVER, DROPS, "got DROP {}, against the rules: {}", text, str(error))

    def _player_to_move(self, text: str) -> None:
        pending = forza.pending(self._position)
        if pending is None:
            self.lose(Side.SERVER, DROPS, "got TURN {}; expected the result", text)
            return
        expected = COLOURS[pending.seats[0]]
        if text != expected:
            self.lose(Side.SERVER, DROPS, "got TURN {}; expected {}", text, expected)
            return
        self._turn = COLOURS.index(text)
        if self._turn == self.seat:
            self.ask("TURN", "a column")
        else:
            self.expect(Side.SERVER, "DROP of the other's disc")

    def _said(self, text: str) -> None:
        colour = text.partition(" ")[0]
        if self.seat is not None and colour == COLOURS[self.seat] and self._settled_tag("say") is None:
            self.blame(Side.SERVER, TALK, "got SAID {}, which the player had not said", text)

    def _refusal(self, text: str) -> None:
        """Judge a NO of the server: it answers the oldest pending request."""
        reason = text.partition(" ")[0]
        if reason not in set(Reason):
            self.blame(Side.SERVER, REFUSES, "got NO {}; expected a reason of the specification", text)
        tag = self._settled_tag("name", "say", "drop", "resign")
        if not self._is_seated or self._turn == self.seat is not None:
            self.expect_again()
        if tag is None:
            self.blame(Side.SERVER, REFUSES, "got NO {} without a request", text)
            return
        if tag[0] == "drop" and tag[2] == "turn" and reason not in (Reason.NOT_YOUR_TURN, Reason.STALE):
            if self.seat is not None:
                self.blame(Side.SERVER, TURN, "got NO {}; expected NO {}", text, Reason.NOT_YOUR_TURN)
        elif tag[0] == "drop" and not tag[2] and reason in (Reason.ILLEGAL, Reason.NOT_YOUR_TURN, Reason.MALFORMED):
            self.blame(
                Side.SERVER, REFUSES, "got NO {} in reply to column {}, which is open; expected DROP", text, tag[1] + 1
            )
        elif tag[0] == "name" and tag[2] and reason == Reason.MALFORMED:
            self.blame(Side.SERVER, SITS, "got NO {} in reply to the name {}; expected WELCOME", text, show(tag[1]))

    def _result(self, word: str, text: str) -> None:
        """Judge the result, by the board or by the way in which the match ended."""
        outcome = forza.outcome(self._position)
        self.over = True
        self.note_result()
        self.expect(Side.SERVER, "the end of the connection")
        self._settled_tag("drop", "say")
        resigned = self._settled_tag("resign") is not None
        self.pending_replies.clear()
        if outcome is None:
            board = text in set(forza.Termination) - {forza.Termination.FORFEIT}
            if board and word in ("WON", "LOST", "DRAWN"):
                self.lose(Side.SERVER, END, "got {} {}, which the board does not show", word, text)
            elif resigned and word not in ("LOST", "BROKEN_OFF"):
                self.lose(Side.SERVER, RESIGNS, "the player who resigned got {} {}; expected LOST", word, text)
            return
        expected = "WON" if self.seat in outcome.winners else "LOST" if outcome.winners else "DRAWN"
        if word != expected:
            self.lose(Side.SERVER, END, "got {} {}; expected {}", word, text, expected)

    def table(self) -> Iterator[Watcher]:
        return (
            watcher
            for watcher in self.group.others(self)
            if isinstance(watcher, DialectWatcher) and watcher.seat is not None and watcher.seat != self.seat
            and (watcher.named, watcher.opponent) == (self.opponent, self.named)
        )  # fmt: skip

    def server_left(self) -> None:
        if self.seat is not None and not self.over and not self.lost:
            self.blame(Side.SERVER, LAST, "the connection was closed without a result")


ITALIAN_RULES: Final = {
    "names": "un nome ha da 1 a 20 caratteri visibili",
    "sits": "a un nome si risponde con WELCOME o con NO",
    "start": "START dice a ogni giocatore il suo colore: uno è RED, l'altro YELLOW",
    "board": "la griglia mostra tutti i gettoni caduti, e nient'altro",
    "drops": "ogni gettone viene detto a entrambi con la griglia e con il turno",
    "column": "una colonna è un numero da 1 a 7, e la colonna non è piena",
    "turn": "una colonna fuori turno riceve NO not-your-turn",
    "refuses": "ciò che non si può fare riceve NO con il motivo, e niente cambia",
    "talk": "SAY viene detto a entrambi con SAID",
    "resigns": "RESIGN termina la partita",
    "end": "quattro in fila vincono, la griglia piena è patta, e ognuno riceve il proprio risultato",
    "last": "il risultato è l'ultima riga della partita",
    "words": "una riga comincia con una parola della specifica",
    "framing": "una connessione trasporta righe di testo UTF-8, di al più 4096 byte",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "the end of the match": "la fine della partita",
    "got {}; the column is full": "è arrivato {}; la colonna è piena",
    "a column": "una colonna",
    "DROP of the other's disc": "DROP del gettone dell'altro",
    "got DROP {}, against the rules: {}": "è arrivato DROP {}, contro le regole: {}",
    "got DROP {}, which is not a colour and a column": "è arrivato DROP {}, che non è un colore e una colonna",
    "got DROP {}; the player had requested column {}": "è arrivato DROP {}; il giocatore aveva chiesto la colonna {}",
    "got DROP {}; the player had requested no drop": "è arrivato DROP {}; il giocatore non aveva chiesto niente",
    "NO illegal": "NO illegal",
    "NO malformed": "NO malformed",
    "NO not-your-turn": "NO not-your-turn",
    "got NO {} in reply to column {}, which is open; expected DROP": (
        "è arrivato NO {} alla colonna {}, che è libera; si aspettava DROP"
    ),
    "got NO {} in reply to the name {}; expected WELCOME": "è arrivato NO {} al nome {}; si aspettava WELCOME",
    "got NO {} without a request": "è arrivato NO {}, e niente era stato chiesto",
    "got NO {}; expected NO {}": "è arrivato NO {}; si aspettava NO {}",
    "got NO {}; expected a reason of the specification": "è arrivato NO {}; si aspettava un motivo della specifica",
    "got SAID {}, which the player had not said": "è arrivato SAID {}, e il giocatore non l'aveva detto",
    "got START {}": "è arrivato START {}",
    "got START {}, and {} is {} too": "è arrivato START {}, e anche {} è {}",
    "START, once an opponent has connected": "START, quando è arrivato un avversario",
    "got TURN {}; expected the result": "è arrivato TURN {}; si aspettava il risultato",
    "got TURN {}; expected {}": "è arrivato TURN {}; si aspettava {}",
    "got WELCOME in reply to {}; expected NO malformed": "è arrivato WELCOME a {}; si aspettava NO malformed",
    "got WELCOME before a name was sent": "è arrivato WELCOME, e non era stato dato nessun nome",
    "the player who resigned got {} {}; expected LOST": "è arrivato {} {} a chi si è arreso; si aspettava LOST",
    "got {} {}; expected {}": "è arrivato {} {}; si aspettava {}",
    "got {} {}, which the board does not show": "è arrivato {} {}; la griglia non lo dice",
    "got {}, but {}; expected 1 to 7": "è arrivato {}, ma {}; si aspettava da 1 a 7",
}
"""Italian forms of the details that only this watcher uses."""
