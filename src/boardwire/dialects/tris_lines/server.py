"""The server's end of tris-lines.

The conversation, with the document's sections in brackets:

1. The client connects and sits down; seat 0 is the first player and gets WAIT (1).
2. When both sit, READY to both (1).
3. The player whose turn it is sends a cell (2) and gets OK, KO, W or P (3); the other gets the board (4).
4. After W, P or the last board both connections are closed (5).
5. If one leaves, the other gets DISCONNECTED and is closed (6).

What a player sends when it is not asked is dropped, not kept for later: a move that was sent before its player could
see the board would be played blind [8.3].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from boardwire.dialects.tris_lines import messages as line
from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.games.tris import Kind, outcome, view
from boardwire.games.tris.rules import ON_THE_BOARD
from boardwire.table.commands import Act, AnswerUndo
from boardwire.table.errands import Seek
from boardwire.table.events import (
    Acted,
    Chatted,
    Dealt,
    Ended,
    Joined,
    Left,
    Player,
    Readied,
    Resigned,
    Returned,
    Skipped,
    Started,
    Substituted,
    TimedOut,
    UndoAgreed,
    UndoDeclined,
    Undone,
    UndoOffered,
)
from boardwire.table.guest import Refusal, Seated, Step, Tie
from boardwire.table.match import Moment
from boardwire.talk import Talk

KO_LIMIT: Final = 500
"""How many refused lines in a row end the connection [8.4]."""

_SEEK: Final = Seek("tris", 2, Player(dialect="tris-lines"), tie=Tie.SEAT)
"""A client knows its side by WAIT, so it waits at the same seat if it is brought to another table."""


async def serve(talk: Talk) -> None:
    """Play one match with one client."""
    talk.do(_SEEK)
    seated = await talk.news()
    if not isinstance(seated, Seated):
        return
    seat = seated.seat
    if seat == 0:
        talk.say(line.WAIT)  # (1) also where the second player is there already: it is how a client knows its side
    asked = False
    moving = False  # its move is on its way to the journal
    refused = 0
    while True:
        heard = await talk.hear()
        if type(heard) is bytes:
            if not asked:
                continue  # [8.3] out of turn
            try:
                cell = line.parse_move(heard)
            except Malformed:
                talk.say(line.KO)
            else:
                asked, moving = False, True
                talk.do(Act(seat, (cell,)))  # only this seat can change the board now, so no move is ever stale
                continue
        elif type(heard) is Step:
            match = heard.match
            for moment in heard.moments:
                event = moment.event
                TELL[type(event)](talk, moment, seat)
                if type(event) is Acted and event.seat == seat:
                    moving = False
            if match.outcome is not None:
                return
            asked = not moving and match.pending is not None and seat in match.pending.seats
            refused = 0
            continue
        elif isinstance(heard, Refusal):
            if not isinstance(heard.command, Act):
                continue  # an undo that was declined too late
            asked, moving = True, False
            talk.say(line.KO)  # (3) an occupied cell or an index that is none
        elif isinstance(heard, Seated):
            continue  # at another table where somebody waits, and at the same seat
        else:
            return  # the peer is gone, or sent what no line codec can read
        refused += 1
        if refused >= KO_LIMIT:
            return


# --- TELL: each event in this protocol's words ----------------------------------------------------------------------


def _started(talk: Talk, moment: Moment, seat: Seat) -> None:
    talk.say(line.READY)  # (1)


def _acted(talk: Talk, moment: Moment, seat: Seat) -> None:
    position = moment.match.position
    result = None if moment.match.pending is not None else outcome(position)
    if cast("Acted", moment.event).seat == seat:
        talk.say(line.OK if result is None else line.WON if result.winners else line.DRAWN)  # (3), (5)
    else:
        mark = "" if result is None else line.LOST_MARK if result.winners else line.DRAWN_MARK
        talk.say(line.format_board(view(position, seat).cells, mark))  # (4), (5)


def _ended(talk: Talk, moment: Moment, seat: Seat) -> None:
    """The board has said it already, unless the match ended off the board: then the only word is DISCONNECTED (6)."""
    result = moment.match.outcome
    if result is None or result.termination in ON_THE_BOARD or moment.match.position is None:
        return
    if seat in result.winners or not result.winners:
        talk.say(line.DISCONNECTED)


def _undo_offered(talk: Talk, moment: Moment, seat: Seat) -> None:
    if seat not in moment.match.agreed:
        talk.do(AnswerUndo(seat, agree=False))  # the protocol has no words for it


def _silent(talk: Talk, moment: Moment, seat: Seat) -> None:
    """The protocol has no word for this event, and its players need none."""


TELL: Final[dict[type, Callable[[Talk, Moment, Seat], None]]] = {
    Started: _started,
    Acted: _acted,
    Ended: _ended,
    UndoOffered: _undo_offered,
    **dict.fromkeys((Joined, Readied, Left, Returned, Substituted, Dealt, Chatted), _silent),
    **dict.fromkeys((Resigned, TimedOut, Skipped, UndoAgreed, UndoDeclined, Undone), _silent),
}

ASK: Final = {Kind.MARK: (line.READY, "a board line")}
"""How this protocol asks for each kind of decision: with the line that tells a player that it is its turn (2)."""
