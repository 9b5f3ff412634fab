"""The server's end of santorini-actions, in both editions.

1. The client asks for a name and a number of players (creation 1); `lobby` finds it a table.
2. When all are there the god player is named, and cards and workers are chosen (creation 2 to 4).
3. Turn by turn the player whose turn it is starts it, selects a worker and plays its steps (turn 1 to 7).
4. The board goes to all after every change, and `youWin` or `youLose` at the end (finish 1).
5. The connection stays open for another `addPlayer` [4.5].  If somebody leaves, the others get `serverError` (finish 2)
   and are closed.

Tables hold it together: ASK (decisions), TELL (events), QUERIES (what may always be asked), and HEAR: which requests a
client may make where it stands.  Whatever else it sends is refused, and changes nothing.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.participant import Told
from boardwire.dialects.santorini_actions.answer import HEAR, QUERIES
from boardwire.dialects.santorini_actions.ask import put
from boardwire.dialects.santorini_actions.editions import Edition
from boardwire.dialects.santorini_actions.lobby import join
from boardwire.dialects.santorini_actions.messages.requests import TAGS, AddPlayer
from boardwire.dialects.santorini_actions.participant import OUT, WAITING, Participant
from boardwire.dialects.santorini_actions.peer import Peer
from boardwire.dialects.santorini_actions.tell import tell
from boardwire.errors import Reason, Refused
from boardwire.lobby.requests import Depart, Unclaim
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.talk import Script, Talk, Woke

AGAIN: Final = Woke("again")
AGAIN_SECONDS: Final = 1.0
"""How long a step that could not be stored waits before it is tried again."""


def serve_as(edition: Edition) -> Script:
    """The script of one edition."""

    async def serve(talk: Talk[bytes | Told]) -> None:
        peer = Peer(edition, talk)
        request: AddPlayer | None = None
        while not peer.gone:
            client = await join(peer, request)
            if client is not None:
                request = await _attend(client)

    return serve


async def _attend(client: Participant) -> AddPlayer | None:
    """One match.  Gives the request for another one, where the client has made it already."""
    peer = client.peer
    while not peer.gone:
        heard = await client.hear()
        if type(heard) is Step:
            tell(client, heard)
            if client.match.outcome is not None:
                break
            put(client)
        elif type(heard) is bytes:
            request = peer.read(heard)
            if type(request) is AddPlayer and client.phase is OUT:
                _leave(client)
                return request
            if request is not None:
                _hear(client, request)
        else:
            _learn(client, heard)
    if not peer.gone:
        _leave(client)
    return None


def _learn(client: Participant, heard: bytes | Told) -> None:
    """Anything but a step and a request."""
    if heard == AGAIN:
        client.act_again()
        return
    news = client.peer.sift(heard)
    if type(news) is Refusal:
        _refuse(client, news)
    elif type(news) is Seated:
        client.sit(news)


def _refuse(client: Participant, refusal: Refusal) -> None:
    """The table has not taken an act.  If only because it cannot be stored, the client did nothing wrong [5]."""
    act = client.acting
    if client.was_refused(refusal):
        if refusal.reason.reason is Reason.UNAVAILABLE:
            client.acting = act
            client.talk.wake(AGAIN_SECONDS, AGAIN.name)
        else:
            client.owed = None
            client.peer.refuse(str(refusal.reason))


def _leave(client: Participant) -> None:
    """[4.5] the name is free again, and the connection stays."""
    client.peer.talk.do(Depart())
    client.peer.talk.do(Unclaim())


def _hear(client: Participant, request: Any) -> None:
    phase = client.phase
    if phase is OUT or (phase is WAITING and type(request) is not AddPlayer):
        return  # [4.1, 4.5] passed over in silence
    kind = type(request)
    heard = HEAR[phase].get(kind)
    if heard is None:
        if kind in client.formal:
            client.formal.remove(kind)
            client.peer.accept()
        else:
            _answer(client, request, kind)
        return
    try:
        heard.take(client, request)
    except Refused as why:
        client.peer.refuse(str(why))
        return
    client.peer.accept()
    if client.asked is None:
        put(client)


def _answer(client: Participant, request: Any, kind: type) -> None:
    """What may be asked at any time; anything else is not what the client is asked for now."""
    answer = QUERIES.get(kind)
    if answer is None:
        client.peer.refuse(f"{TAGS[kind]} is not what you are asked for now")
    else:
        client.peer.accept()
        client.peer.say(answer(client, request))
