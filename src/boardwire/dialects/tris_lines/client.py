"""Client script of tris-lines.

- WAIT determines the side: only the first player receives it.
- A board from the server replaces the client's own board.
- A move is sent only on the client's turn.
- End of file, DISCONNECTED and one program's Italian sentence all mean that the opponent has left [8].
- Deviations of known servers are tolerated [8].
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.dialect import (
    Answer,
    ClientOptions,
    Note,
    Over,
    Players,
    ProtocolViolation,
    Result,
    Show,
    question,
)
from boardwire.dialects.tris_lines import messages as line
from boardwire.errors import Malformed
from boardwire.games.game import Decision, Seat
from boardwire.games.tris import Kind, View
from boardwire.talk import Gone, Script, Talk

_LEFT: Final = (line.DISCONNECTED.strip(), b"Disconnessione di un giocatore")
_READY: Final = line.READY.strip()
_WON: Final = (line.WON.strip(), b"L")  # [8] "L" to the winner: the program that swaps the letters
_VERDICTS: Final = (line.OK.strip(), line.KO.strip(), line.DRAWN.strip(), *_WON, *_LEFT)


def play(options: ClientOptions) -> Script:
    """Return a script that plays one match; the protocol has no names and no settings."""
    return _play_match


async def _play_match(talk: Talk[Any]) -> None:
    """Play one match."""
    seat = await _await_seat(talk)
    if seat is None:
        return
    cells: tuple[Seat | None, ...] = (None,) * 9
    if seat == 0:
        next_cells = await _play_move(talk, cells, seat)
        if next_cells is None:
            return
        cells = next_cells
    while True:
        text = await _next_line(talk)
        if text is None:
            _show_end(talk, cells, "The server closed the connection; your opponent has left.", Result.BROKEN_OFF)
            return
        if text in _LEFT:
            _show_end(talk, cells, "Your opponent has left.", Result.BROKEN_OFF)
            return
        if text == line.DRAWN.strip():  # [6.4] one program sends P without a board to both players
            _show_end(talk, cells, "A draw.", Result.DRAWN)
            return
        try:
            cells, result = line.parse_board(text)
        except Malformed:
            _show_unknown(talk, text)
            continue
        if result:
            is_draw = result == line.DRAWN_MARK  # [8] otherwise a loss: one program ends the loser's board with W
            _show_end(talk, cells, "A draw." if is_draw else "You lose.", Result.DRAWN if is_draw else Result.LOST)
            return
        if None not in cells:
            continue  # a full board: the outcome must follow
        next_cells = await _play_move(talk, cells, seat)
        if next_cells is None:
            return
        cells = next_cells


async def _await_seat(talk: Talk[Any]) -> Seat | None:
    """Wait for READY and return the seat: 0 if WAIT came first. None if the connection ends before READY."""
    seat = 1
    while True:
        match await _next_line(talk):
            case b"WAIT":
                seat = 0
                talk.do(Note("Waiting for an opponent. You will move first."))
            case text if text == _READY:
                talk.do(Players(("", ""), seat))
                if seat == 0:
                    talk.do(Note("The match begins. You are X."))  # the question that follows shows the board
                else:
                    talk.do(Show(View((None,) * 9, 0), "The match begins. You are O, your opponent moves first."))
                return seat
            case text if text is None or text in _LEFT:
                talk.do(Over(None, "The server closed the connection before an opponent connected.", Result.BROKEN_OFF))
                return None
            case bytes(text):
                _show_unknown(talk, text)


async def _next_line(talk: Talk[Any]) -> bytes | None:
    """Return the next line, or None at the end; drop answers of the player to closed questions."""
    while True:
        match await talk.next_input():
            case bytes(text):
                return text.strip()
            case Gone() | Malformed():
                return None


async def _play_move(talk: Talk[Any], cells: tuple[Seat | None, ...], seat: Seat) -> tuple[Seat | None, ...] | None:
    """Ask the player until the server accepts a move; return the board after it, or None if the match is over."""
    again = ""
    free = tuple(cell for cell, owner in enumerate(cells) if owner is None)
    while True:
        talk.do(question(View(cells, seat), Decision(Kind.MARK, (seat,), free), again))
        match await talk.next_input():
            case Answer(action=cell):
                talk.say(b"%d\n" % cell)
            case bytes(text) if text.strip() not in _LEFT:
                _show_unknown(talk, text)
                continue
            case _:
                _show_end(talk, cells, "Your opponent has left.", Result.BROKEN_OFF)
                return None
        after = tuple(seat if place == cell else owner for place, owner in enumerate(cells))
        verdict = await _await_verdict(talk)
        if verdict == line.KO.strip():
            again = f"The server refused cell {cell}."
            free = tuple(place for place in free if place != cell) or free
            continue
        if verdict == line.OK.strip():
            talk.do(Show(View(after, 1 - seat), "Waiting for your opponent."))
            return after
        if verdict in _WON:
            _show_end(talk, after, "You win!", Result.WON)
        elif verdict == line.DRAWN.strip():
            _show_end(talk, after, "A draw.", Result.DRAWN)
        else:
            _show_end(talk, after, "Your opponent has left.", Result.BROKEN_OFF)
        return None


async def _await_verdict(talk: Talk[Any]) -> bytes | None:
    """Return the server's answer to a move, or None at the end."""
    while True:
        text = await _next_line(talk)
        if text is None or text in _VERDICTS:
            return text
        _show_unknown(talk, text)


def _show_unknown(talk: Talk[Any], text: bytes) -> None:
    """Show a line that the document does not define, and ignore it [8]."""
    talk.do(ProtocolViolation(f"Message from the server: {text.decode('ascii', 'replace')[:100]}"))


def _show_end(talk: Talk[Any], cells: tuple[Seat | None, ...], text: str, result: Result) -> None:
    talk.do(Over(View(cells, None), text, result))
