"""Client script of forza-lines: it asks the player on its TURN, and again after NO."""

from typing import Any

from boardwire.dialects.dialect import (
    Answer,
    Ask,
    ClientOptions,
    Note,
    Over,
    Players,
    ProtocolViolation,
    Result,
    Show,
    question,
)
from boardwire.dialects.forza_lines.messages import COLOURS, FLOOR, NAME_LIMIT, parse_row, write
from boardwire.errors import Malformed, Reason
from boardwire.games.forza import Kind, View, format_action
from boardwire.games.forza.rules import COLUMNS, ROWS
from boardwire.games.game import Decision
from boardwire.table.events import Chatted, Event, Resigned
from boardwire.talk import Script, Talk


def play(options: ClientOptions) -> Script:
    """Return a script that plays one match."""
    return lambda talk: _play_match(talk, options.name[:NAME_LIMIT])


def aside(event: Event) -> bytes:
    """Encode chat and resignation [2.1]."""
    match event:
        case Chatted(text=text):
            return write("SAY", text)
        case Resigned():
            return write("RESIGN")
    return b""


def _line_of(received: object) -> str:
    """Return a received line; the end of the connection counts as a match that was broken off."""
    if isinstance(received, bytes):
        return received.decode("utf-8", "replace").strip()
    return "BROKEN_OFF the server closed the connection"


async def _play_match(talk: Talk[Any], name: str) -> None:
    """Play one match, line by line."""
    talk.say(write(name))
    players, board, ask = Players(), View((None,) * COLUMNS * ROWS, 0), None
    while True:
        received = await talk.next_input()
        if isinstance(received, Answer):
            talk.say(write(format_action(received.action)))
            continue
        line = _line_of(received)
        word, _, text = line.partition(" ")
        try:
            if word == "|":
                board = View((*board.cells[COLUMNS:], *parse_row(line)), board.turn)
            elif word == "START":
                colour, _, other = text.partition(" ")
                names = (name, other) if colour == COLOURS[0] else (other, name)
                talk.do(players := Players(names, COLOURS.index(colour)))
            elif word == "TURN":
                board, seat = View(board.cells, COLOURS.index(text)), COLOURS.index(text)
                open_columns = tuple(column for column in range(COLUMNS) if board.cells[column] is None)
                ask = question(board, Decision(Kind.DROP, (seat,), open_columns)) if seat == players.seat else None
                talk.do(ask or Show(board, f"Waiting for {players.name(seat)}."))
            elif word == "NO" and isinstance(ask, Ask):
                talk.do(Ask(ask.view, ask.decision, text.partition(" ")[2]))  # [5]
            elif word == "NO" and text.startswith(Reason.NAME_TAKEN) and len(name) < NAME_LIMIT:
                talk.say(write(name := f"{name}+"))  # [3]
            elif word == "NO" and players.names:
                talk.do(Note(text.partition(" ")[2]))  # refused after the end of the turn
            elif word == "NO" or word in Result.__members__:
                result = Result.__members__.get(word, Result.BROKEN_OFF)  # [3] NO here: the client gets no seat
                talk.do(Over(View(board.cells, None) if players.names else None, f"Over: {result} ({text}).", result))
                return
            elif word in ("WELCOME", "SAID"):
                talk.do(Note(text))
            elif word not in ("HELLO", "DROP", FLOOR):
                raise Malformed(f"the specification has no line {word[:20]!r}")
        except (Malformed, ValueError):
            talk.do(ProtocolViolation(f"Message from the server: {line[:100]}"))
