"""Login of santorini-actions: from `addPlayer` to a seat (creation 1).

- A name is claimed on the whole server, for both editions, and released with the seat.
- A client joins the oldest waiting table of its size, whichever dialect opened it.
- A refused client may try again. Without a table, everything but `addPlayer` is ignored [4.1].
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from boardwire.dialects.santorini_actions.editions import DOCUMENT, Edition
from boardwire.dialects.santorini_actions.messages import replies
from boardwire.dialects.santorini_actions.messages.cards import WISH
from boardwire.dialects.santorini_actions.messages.requests import AddPlayer
from boardwire.dialects.santorini_actions.participant import Participant, spell
from boardwire.dialects.santorini_actions.session import ClientSession
from boardwire.errors import Reason
from boardwire.games.santorini import Draft, Options
from boardwire.lobby.requests import Claim, Seek, Survey, Unclaim
from boardwire.table.events import Player
from boardwire.table.guest import Claimed, Refusal, Seated, Surveyed
from boardwire.table.match import Match, Status

SIZES: Final = (2, 3)
MAX_NAME_LENGTH: Final = 64
"""Maximum length of a player name, in characters."""
OPTIONS: Final = Options(draft=Draft.FIRST_PROPOSES)
"""Options of tables that this protocol opens: the god player proposes, takes the last card and begins [4.2]."""

_NAME: Final = re.compile(r"[a-zA-Z0-9_.-]{1,15}", re.ASCII)  # [4.1]


async def join(session: ClientSession, request: AddPlayer | None = None) -> Participant | None:
    """Handle `request` and further requests until the client has a seat; return None when the connection has ended."""
    last_size = 0
    while True:
        received: Any = request if request is not None else await session.next_input()
        request = None
        if received is None:
            return None
        if type(received) is not AddPlayer:
            continue  # [4.1] also ignore notifications of a table that the client has left
        join_request = received
        state, is_full = await _lobby_state(session, join_request.lobbySize, join_request.lobbySize == last_size)
        last_size = join_request.lobbySize
        is_valid_name = is_name(join_request.playerNickname, session.edition)
        if is_valid_name and state and not is_full:
            client = await _take_seat(session, join_request)
            if client is not None or session.gone:
                return client
            continue
        _send_response(session, join_request, state, is_valid_name, is_full)


def is_name(name: str, edition: Edition) -> bool:
    """Return whether an edition allows a name: the shipped one has a pattern, the document requires only uniqueness."""
    if edition.lower:
        return _NAME.fullmatch(name) is not None
    return 0 < len(name) <= MAX_NAME_LENGTH and name.isprintable() and not name.isspace()


async def _lobby_state(session: ClientSession, size: int, is_repeated: bool) -> tuple[bool, bool]:
    """Return `lobbyState` and `fullLobby`: whether the requested lobby exists, and whether the server is full."""
    if size in SIZES and (is_repeated or not session.edition.reports_other_size):
        return True, False  # a full server [9.3] refuses the seat later
    session.talk.do(Survey("santorini", waiting=True))
    survey = await session.next_notification()
    while not isinstance(survey, Surveyed | None):
        survey = await session.next_notification()
    if survey is None or size not in SIZES:
        return size in SIZES, survey is not None and survey.full
    # (creation 1) only a lobby of the other size is waiting; a client that repeats its request gets its size
    waiting_sizes = {len(match.chairs) for match in survey.matches if _has_free_seat(match)}
    return size in waiting_sizes or not waiting_sizes.intersection(SIZES), survey.full


def _has_free_seat(match: Match) -> bool:
    return match.status is Status.WAITING and None in match.players


async def _take_seat(session: ClientSession, join_request: AddPlayer) -> Participant | None:
    """Claim the name, take a seat and send the response; return None if one of them was refused."""
    session.talk.do(Claim(join_request.playerNickname, DOCUMENT.name))
    if not isinstance(await _await_verdict(session), Claimed):
        _send_response(session, join_request, True, False, False)
        return None
    player = Player(spell(join_request.playerNickname, session.edition), session.edition.name)
    seek = Seek("santorini", join_request.lobbySize, player, OPTIONS, wish=WISH)
    verdict = await _request_seat(session, seek)
    if isinstance(verdict, Refusal) and not _is_taken(verdict):
        # the oldest table shares too few gods with this protocol
        verdict = await _request_seat(session, replace(seek, fresh=True))
    if isinstance(verdict, Seated):
        session.accept()
        _send_response(session, join_request, True, True, False)
        return Participant(session, verdict)
    session.talk.do(Unclaim())
    if verdict is not None:
        _send_response(session, join_request, True, not _is_taken(verdict), not _is_taken(verdict))
    return None


async def _request_seat(session: ClientSession, seek: Seek) -> Any:
    session.talk.do(seek)
    return await _await_verdict(session)


def _is_taken(refusal: Refusal) -> bool:
    """Return whether the table refused the name."""
    return refusal.reason.reason is Reason.NAME_TAKEN


async def _await_verdict(session: ClientSession) -> Any:
    """Wait for the lobby's answer. Return None when the connection has ended."""
    while True:
        received = await session.next_notification()
        if received is None or isinstance(received, Claimed | Seated | Refusal):
            return received


def _send_response(
    session: ClientSession, join_request: AddPlayer, state: bool, is_valid_name: bool, is_full: bool
) -> None:
    """Send the response to a request for a seat."""
    if session.edition.nick_is_verdict:
        # Quirk: any refusal has validNick:false, because the program reads nothing else [7.5]
        is_valid_name = state and is_valid_name and not is_full
    verdict = replies.AddPlayerResponse(
        join_request.playerNickname, join_request.lobbySize, state, is_valid_name, is_full
    )
    session.say(replies.write(verdict))
