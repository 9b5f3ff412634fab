"""Server script of santorini-actions, both editions.

1. The client requests a name and a number of players (creation 1); `lobby` finds a table.
2. When the table is full, the god player is announced, and cards and workers are chosen (creation 2 to 4).
3. In each turn the player starts it, selects a worker and plays its steps (turn 1 to 7).
4. All players receive the board after every change, and `youWin` or `youLose` at the end (finish 1).
5. The connection stays open for another `addPlayer` [4.5]. If a player leaves, the others receive `serverError` (finish
   2) and are disconnected.

The script is driven by tables: ASK (decisions), TELL (events), HANDLERS (requests by phase) and QUERIES (requests that
are valid in every phase). Other requests are refused and change nothing.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_actions.answer import HANDLERS, QUERIES
from boardwire.dialects.santorini_actions.ask import ask_pending
from boardwire.dialects.santorini_actions.editions import Edition
from boardwire.dialects.santorini_actions.lobby import join
from boardwire.dialects.santorini_actions.messages.requests import TAGS, AddPlayer
from boardwire.dialects.santorini_actions.participant import OUT, WAITING, Participant
from boardwire.dialects.santorini_actions.session import ClientSession
from boardwire.dialects.santorini_actions.tell import tell
from boardwire.errors import Reason, Refused
from boardwire.lobby.requests import Depart, Unclaim
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.talk import Script, Talk, Woke

RETRY_TIMER: Final = Woke("again")
RETRY_SECONDS: Final = 1.0
"""Delay before a step that could not be stored is retried."""


def serve_as(edition: Edition) -> Script:
    """Return the server script of an edition."""

    async def serve(talk: Talk[bytes | ScriptInput]) -> None:
        session = ClientSession(edition, talk)
        request: AddPlayer | None = None
        while not session.gone:
            client = await join(session, request)
            if client is not None:
                request = await _play_match(client)

    return serve


async def _play_match(client: Participant) -> AddPlayer | None:
    """Play one match; return the client's request for the next one, or None if it has not sent one."""
    session = client.session
    while not session.gone:
        received = await client.next_input()
        if type(received) is Step:
            tell(client, received)
            if client.match.outcome is not None:
                break
            ask_pending(client)
        elif type(received) is bytes:
            request = session.read(received)
            if type(request) is AddPlayer and client.phase is OUT:
                _leave_table(client)
                return request
            if request is not None:
                _handle_request(client, request)
        else:
            _handle_input(client, received)
    if not session.gone:
        _leave_table(client)
    return None


def _handle_input(client: Participant, received: bytes | ScriptInput) -> None:
    """Handle an input other than a step or a request."""
    if received == RETRY_TIMER:
        client.act_again()
        return
    notification = client.session.filter_input(received)
    if type(notification) is Refusal:
        _handle_refusal(client, notification)
    elif type(notification) is Seated:
        client.sit(notification)


def _handle_refusal(client: Participant, refusal: Refusal) -> None:
    """Handle a refused act; retry one that could not be stored, which is not the client's fault [5]."""
    act = client.pending_act
    if client.take_refusal(refusal):
        if refusal.reason.reason is Reason.UNAVAILABLE:
            client.pending_act = act
            client.talk.wake(RETRY_SECONDS, RETRY_TIMER.name)
        else:
            client.pending_response = None
            client.session.refuse(str(refusal.reason))


def _leave_table(client: Participant) -> None:
    """Leave the table and release the name; the connection stays open [4.5]."""
    client.session.talk.do(Depart())
    client.session.talk.do(Unclaim())


def _handle_request(client: Participant, request: Any) -> None:
    """Carry out a request if the phase allows it; otherwise answer a query or refuse it."""
    phase = client.phase
    if phase is OUT or (phase is WAITING and type(request) is not AddPlayer):
        return  # [4.1, 4.5] ignored
    kind = type(request)
    handler = HANDLERS[phase].get(kind)
    if handler is None:
        if kind in client.formal_requests:
            client.formal_requests.remove(kind)
            client.session.accept()
        else:
            _answer_query(client, request, kind)
        return
    try:
        handler.handle(client, request)
    except Refused as why:
        client.session.refuse(str(why))
        return
    client.session.accept()
    if client.last_decision is None:
        ask_pending(client)


def _answer_query(client: Participant, request: Any, kind: type) -> None:
    """Answer a query, or refuse a request that does not fit the phase."""
    answer = QUERIES.get(kind)
    if answer is None:
        client.session.refuse(f"{TAGS[kind]} is not expected now")
    else:
        client.session.accept()
        client.session.say(answer(client, request))
