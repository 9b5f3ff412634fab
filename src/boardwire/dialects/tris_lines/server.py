"""Server script of tris-lines. Sections of the published document are in parentheses.

1. The client connects and gets a seat; seat 0 is the first player and gets WAIT (1).
2. When both seats are taken, both get READY (1).
3. The player to move sends a cell (2) and gets OK, KO, W or P (3); the other gets the board (4).
4. After W, P or the last board both connections are closed (5).
5. If one player leaves, the other gets DISCONNECTED and is closed (6).

Lines out of turn are dropped, not queued: their sender has not seen the board that they would be played on [6.2].
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.participant import Participant, ScriptInput
from boardwire.dialects.tris_lines import messages as line
from boardwire.dialects.tris_lines.tell import TELL
from boardwire.errors import Malformed
from boardwire.lobby.requests import Seek
from boardwire.table.events import Player
from boardwire.table.guest import Refusal, Seated, Step, Tie
from boardwire.talk import BadMessageCount, Talk

MAX_BAD_MESSAGES: Final = 500
"""Number of consecutive refused lines after which the connection is closed [6.8]."""

_SEEK: Final = Seek("tris", 2, Player(dialect="tris-lines"), tie=Tie.SEAT)
"""The client knows its side from WAIT, so it keeps its seat when it is moved to another table."""


async def serve(talk: Talk[bytes | ScriptInput]) -> None:
    """Play one match with one client."""
    talk.do(_SEEK)
    seated = await talk.notification()
    if not isinstance(seated, Seated):
        return
    player = Participant(talk, seated)
    if player.seat == 0:
        talk.say(line.WAIT)  # (1) even if the second player has connected already: WAIT determines the client's side
    bad_messages = BadMessageCount(MAX_BAD_MESSAGES)
    while True:
        received = await talk.next_input()
        if type(received) is Step:
            player.follow(received, TELL)
            if player.match.outcome is not None:
                return
            bad_messages.count = 0
            continue
        if type(received) is bytes:
            if not player.must_decide:
                continue  # [6.2] out of turn, or before the last move is stored
            try:
                player.act(line.parse_move(received))
            except Malformed:
                pass
            else:
                continue
        elif type(received) is Refusal:
            if not player.take_refusal(received):
                continue
        elif type(received) is Seated:
            player.sit(received)  # moved to a table where an opponent waits
            continue
        else:
            return  # the client is gone, or sent a line that is too long
        talk.say(line.KO)  # (3) not a number, not a cell, or an occupied cell
        if bad_messages.add():
            return
