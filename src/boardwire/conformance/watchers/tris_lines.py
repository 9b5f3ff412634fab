"""Watcher of tris-lines. One connection shows the whole match, so every line is judged by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.finding import Side, rules_of
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.tris_lines import messages as line
from boardwire.errors import Malformed, Objection
from boardwire.games import tris
from boardwire.games.game import Seat
from boardwire.games.tris.rules import LINES

_rule, _ruling = rules_of("tris-lines")

START: Final = _rule("start", "2", "the first of a pair gets WAIT, then both get READY")
ANSWER: Final = _rule("answer", "2", "a move is answered with OK, KO, W or P")
FREE: Final = _rule("free", "2", "a move is a free cell from 0 to 8")
REFUSES: Final = _rule("refuses", "5", "a cell that is taken, or input that is not a cell, gets KO")
TURN: Final = _rule("turn", "5", "a line out of turn is dropped, without an answer")
DROPPED: Final = _ruling("dropped", "6.2", "a line out of turn is dropped, and not answered")
SPELLED: Final = _ruling("spelled", "6.6", "spaces around a cell are ignored, and only ASCII digits count as digits")
BOARD: Final = _rule("board", "2", "the other player gets the board after the move")
WIN: Final = _rule("win", "3", "the player who completes a line gets W, the other the board with L")
DRAW: Final = _rule("draw", "6.4", "on a draw the mover gets P and the other the board with P")
LAST: Final = _rule("last", "5", "when a player leaves, the other gets DISCONNECTED and its connection is closed")
WORDS: Final = _rule("words", "2", "a line of the server is a word of the document, or a board")

_VERDICTS: Final = {word.strip(): word for word in (line.OK, line.KO, line.WON, line.DRAWN)}

Cells = tuple[Seat | None, ...]


class DialectWatcher(Watcher):
    """Watcher of tris-lines."""

    framing = _rule("framing", "1", "a connection carries lines of ASCII text, up to 4096 bytes each")
    unknown = WORDS

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._seat: Seat | None = None
        self._has_begun = False
        self._cells: Cells = (None,) * 9
        self._turn: Seat = 0
        self._pending_cells: list[int | None] = []
        """Moves without a verdict yet, in order; None for input that is not a free cell."""
        self._moved_out_of_turn = self._moves_crossed = False
        """`_early`: a line came out of turn; `_crossed`: then a board came, which that line may have crossed.

        Servers may take the line as the answer to the board or not, so verdicts are not judged until the next board.
        """
        self._board_before_end: Cells = ()
        """The board without the mark that ended the match."""
        self._is_plain_number = True
        """Whether the last cell was sent as in the document: an ASCII number without spaces."""
        self.expect(Side.SERVER, "WAIT or READY")

    def name(self, side: Side, message: Any) -> str:
        if side is Side.CLIENT:
            return "cell"
        text = bytes(message).strip()
        return "board" if b"," in text else text.decode("ascii", "replace")

    def client(self, message: Any) -> None:
        """Judge a line of the client."""
        if isinstance(message, Unreadable) or self.over or self.lost:
            return
        if not self._has_begun or self._turn != self._seat or self._pending_cells:
            self.blame(Side.CLIENT, TURN, "got {} while it is not this player's turn", show(message))
            self._moved_out_of_turn = True
            return
        try:
            cell = line.parse_move(message)
        except Malformed:
            cell = -1
        legal = 0 <= cell < 9 and self._cells[cell] is None
        self._is_plain_number = bytes(message).isdigit() and str(cell).encode() == bytes(message)
        if not legal:
            rule = tris.Rule.TAKEN if 0 <= cell < 9 else tris.Rule.NOWHERE
            why = refusals.explain("tris", Objection(rule))
            self.blame(Side.CLIENT, FREE, "got {}, but {}; expected one of {}", show(message), why, self._free_cells)
        self._pending_cells = [cell if legal else None]
        if self._moves_crossed:
            return
        self.expect_reply(ANSWER, "OK, KO, W or P" if legal else "KO", "verdict")
        self.expect(Side.SERVER, "{}", self._verdict(self._pending_cells[0]))

    @property
    def _free_cells(self) -> str:
        """The free cells as text."""
        return ", ".join(str(cell) for cell, owner in enumerate(self._cells) if owner is None)

    def _verdict(self, cell: int | None) -> str:
        """Return the server's correct reply to a move."""
        if cell is None or self._seat is None:
            return "KO"
        after = _with_mark(self._cells, cell, self._seat)
        return "W" if _wins(after, self._seat) else "P" if None not in after else "OK"

    def server(self, message: Any) -> None:
        if isinstance(message, Unreadable) or self.lost:
            return
        text = bytes(message)
        if self.over:
            self.lose(Side.SERVER, LAST, "got {} after the end", show(text))
        elif text != text.strip() or not text:
            self.blame(Side.SERVER, self.framing, "{} has spaces around it", show(text))
            self._server_line(text.strip())
        else:
            self._server_line(text)

    def _server_line(self, text: bytes) -> None:
        """Check a line from the server, without surrounding spaces, against the specification."""
        if text == line.DISCONNECTED.strip():
            self._end()
        elif text in (line.WAIT.strip(), line.READY.strip()):
            self._start(text)
        elif text in _VERDICTS:
            self._judge(text)
        elif b"," in text:
            self._board(text)
        else:
            self.blame(Side.SERVER, WORDS, "got {}", show(text))

    def _start(self, text: bytes) -> None:
        """Judge WAIT and READY, which also tell the player its seat."""
        if self._has_begun or (text == line.WAIT.strip() and self._seat is not None):
            self.lose(Side.SERVER, START, "got {} a second time", show(text))
        elif text == line.WAIT.strip():
            self._seat = 0
            self.expect(Side.SERVER, "READY, once the second player has connected")
        else:
            self._has_begun = True
            self._seat = 1 if self._seat is None else 0
            if self._seat == 0:
                self.expect(Side.CLIENT, "one of {}", self._free_cells)
            else:
                self.expect(Side.SERVER, "the board with a 1")

    def _judge(self, text: bytes) -> None:
        """Judge the server's verdict on a move: OK, KO, or the end of the match."""
        self.settle_reply("verdict")
        if self._moves_crossed and self._seat is not None:
            self._pending_cells = []
            self._turn = self._seat if text == line.KO.strip() else 1 - self._seat
            if text in (line.WON.strip(), line.DRAWN.strip()):
                self._end()
            return
        if not self._pending_cells and self._moved_out_of_turn and text == line.KO.strip():
            self.blame(Side.SERVER, DROPPED, "got KO in reply to a line out of turn")
            return
        if not self._pending_cells or self._seat is None:
            self.lose(Side.SERVER, TURN, "got {} without a move", show(text))
            return
        cell = self._pending_cells.pop()
        expected = self._verdict(cell)
        actual = text.decode()
        if actual != expected:
            rule = REFUSES if "KO" in (actual, expected) else WIN if "W" in (actual, expected) else DRAW
            if "KO" in (actual, expected) and not self._is_plain_number:
                rule = SPELLED
            blame = self.blame if actual == "KO" else self.lose
            if cell is None:
                blame(
                    Side.SERVER, rule, "got {} in reply to input that is not a free cell; expected {}", actual, expected
                )
            else:
                blame(Side.SERVER, rule, "got {} in reply to {}; expected {}", actual, cell, expected)
            if actual != "KO":
                return
        if actual == "KO" or cell is None:
            self.expect(Side.CLIENT, "one of {}", self._free_cells)
            return
        before = self._cells
        self._cells = _with_mark(self._cells, cell, self._seat)
        self._turn = 1 - self._seat
        self.expect(Side.SERVER, "the board with the other's mark")
        if actual in ("W", "P"):
            self._end()
            self._board_before_end = before
            self.note_result()

    def _board(self, text: bytes) -> None:
        """Judge a board: its format, and whether it is the board after the other player's move."""
        try:
            cells, outcome = line.parse_board(text)
        except Malformed as error:
            self.lose(Side.SERVER, BOARD, "got {}: {}", show(text), str(error))
            return
        if text != line.format_board(cells, outcome).strip():
            self.blame(Side.SERVER, BOARD, "got {}; expected {}", show(text), show(line.format_board(cells, outcome)))
        if self._seat is not None and self._moves_crossed:
            self._moves_crossed, self._cells, self._turn, self._pending_cells = False, cells, self._seat, []
            self.expect(Side.CLIENT, "one of {}", self._free_cells)
            if outcome:
                self._end()
            return
        if self._seat is None or not self._has_begun or self._turn == self._seat:
            self.lose(Side.SERVER, BOARD, "got {}; it is not the other player's turn", show(text))
            return
        other = 1 - self._seat
        changed = [at for at in range(9) if cells[at] != self._cells[at]]
        if len(changed) != 1 or self._cells[changed[0]] is not None or cells[changed[0]] != other:
            before = show(line.format_board(self._cells))
            self.lose(Side.SERVER, BOARD, "got {}; expected {} with one {} more", show(text), before, other + 1)
            return
        expected = "L" if _wins(cells, other) else "P" if None not in cells else ""
        if outcome != expected:
            rule = DRAW if "P" in (expected, outcome) else WIN
            self.lose(Side.SERVER, rule, "got {}; expected {}", show(text), show(line.format_board(cells, expected)))
            return
        self._cells, self._turn = cells, self._seat
        self._moves_crossed, self._moved_out_of_turn = self._moved_out_of_turn, False
        self.expect(Side.CLIENT, "one of {}", self._free_cells)
        if expected:
            self._end()

    def _end(self) -> None:
        self.over = True
        self.pending_replies.clear()
        self.expect(Side.SERVER, "the end of the connection")

    def table(self) -> Iterator[Watcher]:
        """Yield the watcher of the other player.

        The protocol has no names: it is the one with the same board before the last mark.
        """
        others = [
            watcher
            for watcher in self.group.present
            if isinstance(watcher, DialectWatcher) and watcher is not self and self._seat is not None
            and watcher._has_begun and not watcher.over
            and watcher._seat == 1 - self._seat and watcher._cells == self._board_before_end
        ]  # fmt: skip
        return iter(others if len(others) == 1 else ())

    def server_left(self) -> None:
        if self._has_begun and not self.over and not self.lost:
            self.blame(Side.SERVER, LAST, "the connection was closed without a result")


def _with_mark(cells: Cells, cell: int, seat: Seat) -> Cells:
    return tuple(seat if at == cell else owner for at, owner in enumerate(cells))


def _wins(cells: Cells, seat: Seat) -> bool:
    marks = sum(1 << at for at, owner in enumerate(cells) if owner == seat)
    return any(marks & row == row for row in LINES)


ITALIAN_RULES: Final = {
    "start": "il primo della coppia riceve WAIT, poi entrambi READY",
    "answer": "a una mossa si risponde con OK, KO, W o P",
    "free": "una mossa è una casella libera da 0 a 8",
    "refuses": "una casella occupata, o ciò che non è una casella, riceve KO",
    "turn": "una riga fuori turno viene scartata, senza risposta",
    "dropped": "una riga fuori turno viene scartata e non riceve risposta",
    "spelled": "gli spazi intorno a una casella si ignorano, e solo le cifre ASCII sono cifre",
    "board": "dopo la mossa l'altro giocatore riceve la griglia",
    "win": "chi completa una riga riceve W, l'altro la griglia con L",
    "draw": "un pareggio è P per chi ha mosso e la griglia con P per l'altro",
    "last": "se un giocatore esce, l'altro riceve DISCONNECTED e viene chiuso",
    "words": "una riga del server è una parola del documento o una griglia",
    "framing": "una connessione trasporta righe di testo ASCII, di al più 4096 byte",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "got {} a second time": "è arrivato {} una seconda volta",
    "got {} in reply to input that is not a free cell; expected {}": (
        "è arrivato {} in risposta a ciò che non è una casella libera; si aspettava {}"
    ),
    "got {} in reply to {}; expected {}": "è arrivato {} in risposta a {}; si aspettava {}",
    "got {} without a move": "è arrivato {}, e non era stata fatta nessuna mossa",
    "got {}: {}": "è arrivato {}: {}",
    "got {}; expected {} with one {} more": "è arrivato {}; si aspettava {} con un {} in più",
    "got {}; it is not the other player's turn": "è arrivato {}; non è il turno dell'altro giocatore",
    "{} has spaces around it": "{} ha spazi ai bordi",
    "got KO in reply to a line out of turn": "è arrivato KO a una riga fuori turno",
    "OK, KO, W or P": "OK, KO, W o P",
    "WAIT or READY": "WAIT o READY",
    "READY, once the second player has connected": "READY, quando è arrivato il secondo giocatore",
    "one of {}": "uno di {}",
    "the board with a 1": "la griglia con un 1",
    "the board with the other's mark": "la griglia con il segno dell'altro",
}
"""Italian forms of the details that only this watcher uses."""
