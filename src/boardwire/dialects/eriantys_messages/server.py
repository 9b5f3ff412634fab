"""Server script of eriantys-messages.

1. LoginRequest gets LoginReply; PlayerNicknameMessage then has the table's settings and seats the client [6.1].
2. When the table is full, the match begins and the whole position is displayed to all players.
3. In the planning phase and in turns, a TextMessage asks a player, and the changes after the answer are displayed to
   all [6.4].
4. All get WinMessage; the client confirms with EndGameMessage. The connection ends then, or after 5 s [6.7].

A refused message has no effect, and only its sender gets the refusal [6.3, 6.5, 6.6].
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.answer import ANSWER, refusal
from boardwire.dialects.eriantys_messages.ask import ask
from boardwire.dialects.eriantys_messages.lobby import find_seat, log_in
from boardwire.dialects.eriantys_messages.participant import Participant
from boardwire.dialects.eriantys_messages.session import ClientSession
from boardwire.dialects.eriantys_messages.tell import show_again, tell
from boardwire.dialects.participant import ScriptInput
from boardwire.errors import Illegal, Malformed
from boardwire.games.eriantys import View
from boardwire.games.game import Outcome
from boardwire.table.guest import Corrected, Refusal, Seated, Step
from boardwire.table.termination import is_aborted
from boardwire.talk import Gone, Talk, Woke

END_MESSAGE_SECONDS: Final = 5.0  # [6.7]


async def serve(talk: Talk[bytes | ScriptInput]) -> None:
    """Serve one client from its login to the end of its match."""
    peer = ClientSession(talk)
    client = await find_seat(peer)
    if client is None:
        return
    while client.match.outcome is None:
        if peer.over:
            return
        received = peer.filter_input(await client.next_input(), messages=client.pending_act is None)
        if type(received) is Step:
            report = tell(client, received)
            if report is not None:
                ask(client, report)
        elif isinstance(received, Corrected):
            ask(client, show_again(client, received.match))
        elif isinstance(received, Seated):
            client.sit(received)  # moved to a table where others wait
        elif isinstance(received, Refusal):
            if client.take_refusal(received):
                _refuse_answer(client, client.request, str(received.reason))
        elif received is not None:
            _handle_request(client, received)
    await _end_match(client, client.match.outcome)


def _handle_request(client: Participant, request: Any) -> None:
    if type(request) in ANSWER:
        _handle_answer(client, request)
    elif isinstance(request, wire.LoginRequest):
        log_in(client.peer, request, has_seat=True)
    elif isinstance(request, wire.PlayerNicknameMessage):
        client.peer.refuse("you are already at a table")
    elif isinstance(request, wire.EndGameMessage):
        client.peer.refuse("the match is not over")


def _handle_answer(client: Participant, request: Any) -> None:
    """Handle the answer to a question, if the match has begun and the message names its sender."""
    peer = client.peer
    if client.view is None:
        peer.refuse("the match has not begun")
    elif request.nickname not in ("", peer.nickname):
        peer.refuse(f"you can play only as {peer.nickname}, not as {request.nickname[:40]}")
    else:
        try:
            _play_answer(client, request, client.view)
        except Malformed as error:
            peer.report_malformed(error)


def _play_answer(client: Participant, request: Any, view: View) -> None:
    """Play the actions of an answer, or refuse it."""
    try:
        steps = ANSWER[type(request)](request, view)
    except Illegal as reason:
        _refuse_answer(client, request, str(reason))
        return
    if steps:
        client.request = request
        client.act(*steps)
    else:
        _refuse_answer(client, request, "the message has no students")


def _refuse_answer(client: Participant, request: wire.Request | None, reason: str) -> None:
    """Send the reason of a refusal, unless it is for a default answer, which the client did not send."""
    client.request = None
    if request is not None and client.view is not None:
        client.peer.send(refusal(request, reason, client.view, client.seat, client.peer.nickname))


# --- the end [6.7] ---------------------------------------------------------------------------------------------------


async def _end_match(client: Participant, outcome: Outcome) -> None:
    """Report the end of the match; after a win, wait for `EndGameMessage` or `END_MESSAGE_SECONDS`."""
    peer, match = client.peer, client.match
    if is_aborted(outcome):
        leaver = outcome.by
        if match.position is not None:
            name = "" if leaver is None else client.names[leaver]
            peer.send(wire.DisconnectionMessage(nickname=peer.nickname, nicknameDisconnected=name))
        return
    winners = tuple(client.names[seat] for seat in outcome.winners)
    peer.send(wire.WinMessage(nickname=peer.nickname, winner=winners))
    for timer in ("ping", "silence"):
        peer.talk.wake(0, timer)
    peer.talk.wake(END_MESSAGE_SECONDS, "end")
    while True:
        match await peer.talk.next_input():
            case bytes(line) if _is_end_message(line):
                return
            case Woke() | Gone() | Malformed():
                return


def _is_end_message(line: bytes) -> bool:
    try:
        return isinstance(wire.decode_request(line), wire.EndGameMessage)
    except Malformed:
        return False
