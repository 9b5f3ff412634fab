"""Server script of eriantys-objects [3].

1. The client logs in and gets a seat (`lobby`).
2. When the table is full, the match begins; each client gets clouds, islands and its own board [3.2.7].
3. The player who must decide is asked (`ask`); all players get the changes (`tell`).
4. All get WinMessage, or DisconnectionMessage if a player left; then the connection ends [3.6].

Any other message gets a text and the open request again, and has no effect (`session`).
"""

from __future__ import annotations

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.answer import answer
from boardwire.dialects.eriantys_objects.ask import ask
from boardwire.dialects.eriantys_objects.lobby import find_seat
from boardwire.dialects.eriantys_objects.participant import Participant
from boardwire.dialects.eriantys_objects.session import ClientSession
from boardwire.dialects.eriantys_objects.tell import TELL, end, show, show_again
from boardwire.dialects.participant import ScriptInput
from boardwire.table.guest import Corrected, Refusal, Seated, Step
from boardwire.talk import Talk


async def serve(talk: Talk[wire.Message | ScriptInput]) -> None:
    """Serve one client from its login to the end of its match."""
    peer = ClientSession(talk)
    seated = await find_seat(peer)
    if seated is None:
        return
    player = Participant(peer, seated)
    while player.match.outcome is None:
        if peer.over:
            return
        received = (
            peer.read_ahead.popleft()
            if peer.read_ahead
            else peer.filter_input(await player.next_input(), player.pending_act is None)
        )
        if type(received) is Step:
            player.follow(received, TELL)
            if player.match.position is not None:
                show(player, received)
                ask(player)
        elif isinstance(received, Corrected):
            show_again(player, received.match)
            ask(player)
        elif isinstance(received, wire.Message):
            answer(player, received)
        elif isinstance(received, Seated):  # moved to another waiting table, which is invisible to the client
            player.sit(received)
        elif isinstance(received, Refusal) and player.take_refusal(received):
            peer.refuse(str(received.reason))
    end(player, player.match.outcome)
