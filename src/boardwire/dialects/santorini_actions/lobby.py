"""From `addPlayer` to a seat (creation 1).

The name is claimed for the whole server, in both editions alike, and given back with the seat.  The table is the oldest
one of this size that waits, whoever opened it.  A client that is refused may ask again; everything but `addPlayer` is
passed over in silence while a client is at no table [4.1].
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from boardwire.dialects.santorini_actions.editions import DOCUMENT, Edition
from boardwire.dialects.santorini_actions.messages import replies
from boardwire.dialects.santorini_actions.messages.cards import WISH
from boardwire.dialects.santorini_actions.messages.requests import AddPlayer
from boardwire.dialects.santorini_actions.participant import Participant, spelled
from boardwire.dialects.santorini_actions.peer import Peer
from boardwire.errors import Reason
from boardwire.games.santorini import Draft, Options
from boardwire.lobby.requests import Claim, Seek, Survey, Unclaim
from boardwire.table.events import Player
from boardwire.table.guest import Claimed, Refusal, Seated, Surveyed
from boardwire.table.match import Match, Status

SIZES: Final = (2, 3)
NAME_LIMIT: Final = 64
"""The longest name of a player, in characters."""
OPTIONS: Final = Options(draft=Draft.FIRST_PROPOSES)
"""The set-up of tables that this protocol opens: the god player proposes, takes the last card and begins [4.2]."""

_NAME: Final = re.compile(r"[a-zA-Z0-9_.-]{1,15}", re.ASCII)  # [4.1]


async def join(peer: Peer, request: AddPlayer | None = None) -> Participant | None:
    """Bring the client to a table; None when it is gone.  `request` is what it has asked already."""
    insists = 0
    while True:
        heard: Any = request if request is not None else await peer.hear()
        request = None
        if heard is None:
            return None
        if type(heard) is not AddPlayer:
            continue  # [4.1] also news of a table that was left
        wanted = heard
        state, full = await _room(peer, wanted.lobbySize, wanted.lobbySize == insists)
        insists = wanted.lobbySize
        valid = is_name(wanted.playerNickname, peer.edition)
        if valid and state and not full:
            client = await _seek(peer, wanted)
            if client is not None or peer.gone:
                return client
            continue
        _answer(peer, wanted, state, valid, full)


def is_name(name: str, edition: Edition) -> bool:
    """Whether an edition allows a name: the shipped one has a pattern, the document asks only that it be unique."""
    if edition.lower:
        return _NAME.fullmatch(name) is not None
    return 0 < len(name) <= NAME_LIMIT and name.isprintable() and not name.isspace()


async def _room(peer: Peer, size: int, insists: bool) -> tuple[bool, bool]:
    """`lobbyState` and `fullLobby`: whether there is such a lobby, and whether the server is full."""
    if size in SIZES and (insists or not peer.edition.crowded):
        return True, False  # a full server [9.3] says so when it is asked for a seat
    peer.talk.do(Survey("santorini"))
    surveyed = await peer.news()
    while not isinstance(surveyed, Surveyed | None):
        surveyed = await peer.news()
    if surveyed is None or size not in SIZES:
        return size in SIZES, surveyed is not None and surveyed.full
    # (creation 1) the lobby does not exist, but another one does; who asks a second time gets it all the same
    waited = {len(match.chairs) for match in surveyed.matches if _waits(match)}
    return size in waited or not waited.intersection(SIZES), surveyed.full


def _waits(match: Match) -> bool:
    return match.status is Status.WAITING and None in match.players


async def _seek(peer: Peer, wanted: AddPlayer) -> Participant | None:
    """Claim the name and take a seat, and say so; None if that was refused, which is said too."""
    peer.talk.do(Claim(wanted.playerNickname, DOCUMENT.name))
    if not isinstance(await _verdict(peer), Claimed):
        _answer(peer, wanted, True, False, False)
        return None
    player = Player(spelled(wanted.playerNickname, peer.edition), peer.edition.name)
    seek = Seek("santorini", wanted.lobbySize, player, OPTIONS, wish=WISH)
    verdict = await _seated(peer, seek)
    if isinstance(verdict, Refusal) and not _is_taken(verdict):
        verdict = await _seated(peer, replace(seek, fresh=True))  # the oldest table has too few gods in common with us
    if isinstance(verdict, Seated):
        peer.accept()
        _answer(peer, wanted, True, True, False)
        return Participant(peer, verdict)
    peer.talk.do(Unclaim())
    if verdict is not None:
        _answer(peer, wanted, True, not _is_taken(verdict), not _is_taken(verdict))
    return None


async def _seated(peer: Peer, seek: Seek) -> Any:
    peer.talk.do(seek)
    return await _verdict(peer)


def _is_taken(refusal: Refusal) -> bool:
    """Whether it is the name that the table refuses."""
    return refusal.reason.reason is Reason.NAME_TAKEN


async def _verdict(peer: Peer) -> Any:
    """The lobby's answer; None when the client is gone."""
    while True:
        heard = await peer.news()
        if heard is None or isinstance(heard, Claimed | Seated | Refusal):
            return heard


def _answer(peer: Peer, wanted: AddPlayer, state: bool, valid: bool, full: bool) -> None:
    if peer.edition.overall:  # Quirk: any refusal has validNick:false, because it is all the program looks at [7.5]
        valid = state and valid and not full
    verdict = replies.AddPlayerResponse(wanted.playerNickname, wanted.lobbySize, state, valid, full)
    peer.say(replies.write(verdict))
