"""The server's end of tris-lines.

The conversation, with the document's sections in brackets:

1. The client connects and sits down; seat 0 is the first player and gets WAIT (1).
2. When both sit, READY to both (1).
3. The player whose turn it is sends a cell (2) and gets OK, KO, W or P (3); the other gets the board (4).
4. After W, P or the last board both connections are closed (5).
5. If one leaves, the other gets DISCONNECTED and is closed (6).

What a player sends when it is not asked is dropped, not kept for later: a move that was sent before its player could
see the board would be played blind [6.2].
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.participant import Participant, Told
from boardwire.dialects.tris_lines import messages as line
from boardwire.dialects.tris_lines.tell import TELL
from boardwire.errors import Malformed
from boardwire.lobby.requests import Seek
from boardwire.table.events import Player
from boardwire.table.guest import Refusal, Seated, Step, Tie
from boardwire.talk import Strikes, Talk

STRIKE_LIMIT: Final = 500
"""How many refused lines in a row end the connection [6.8]."""

_SEEK: Final = Seek("tris", 2, Player(dialect="tris-lines"), tie=Tie.SEAT)
"""A client knows its side by WAIT, so it waits at the same seat if it is brought to another table."""


async def serve(talk: Talk[bytes | Told]) -> None:
    """Play one match with one client."""
    talk.do(_SEEK)
    seated = await talk.news()
    if not isinstance(seated, Seated):
        return
    player = Participant(talk, seated)
    if player.seat == 0:
        talk.say(line.WAIT)  # (1) also where the second player is there already: it is how a client knows its side
    strikes = Strikes(STRIKE_LIMIT)
    while True:
        heard = await talk.hear()
        if type(heard) is Step:
            player.follow(heard, TELL)
            if player.match.outcome is not None:
                return
            strikes.count = 0
            continue
        if type(heard) is bytes:
            if not player.is_asked:
                continue  # [6.2] out of turn, or before the last move is stored
            try:
                player.act(line.parse_move(heard))
            except Malformed:
                pass
            else:
                continue
        elif type(heard) is Refusal:
            if not player.was_refused(heard):
                continue
        elif type(heard) is Seated:
            player.sit(heard)  # where somebody else waits
            continue
        else:
            return  # the peer is gone, or sent what no line codec can read
        talk.say(line.KO)  # (3) no number, an index that is none, or an occupied cell
        if strikes.add():
            return
