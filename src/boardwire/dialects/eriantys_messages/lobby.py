"""Login of eriantys-messages [6.1].

LoginRequest gets LoginReply; PlayerNicknameMessage then names the table's settings, and the client gets a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.participant import Participant
from boardwire.dialects.eriantys_messages.session import ClientSession
from boardwire.dialects.eriantys_messages.tell import deck
from boardwire.errors import BoardwireError, Reason
from boardwire.games.eriantys import CloudTime, Mode, Options, View, Wish
from boardwire.lobby.requests import Seek
from boardwire.table.events import Player
from boardwire.table.guest import Refusal, Seated

NICKNAME_LIMIT: Final = 32
"""Longest nickname, in characters."""
PLAYERS: Final = (2, 3, 4)
_TOWERS: Final = {2: 8, 3: 6, 4: 8}
"""Towers of a side at the start, by number of players."""


async def find_seat(peer: ClientSession) -> Participant | None:
    """Log in and take a seat; return None if the connection ends first."""
    seek: Seek | None = None
    while True:
        match await peer.next_input(messages=seek is None):
            case None:
                return None
            case wire.LoginRequest() as request:
                log_in(peer, request, has_seat=False)
            case wire.PlayerNicknameMessage() as request:
                seek = _seek_request(peer, request)
                if seek is not None:
                    peer.talk.do(seek)
            case Seated() as seated:
                return _welcome_client(peer, seated, seek)
            case Refusal(reason=reason):
                seek = None
                _send_refusal(peer, reason)
            case wire.EndGameMessage():
                peer.refuse("the match is not over")
            case _:
                peer.refuse("the match has not begun")


def log_in(peer: ClientSession, request: wire.LoginRequest, *, has_seat: bool) -> None:
    """Accept the nickname if it is valid and the client has no seat yet."""
    accepted = not has_seat and _is_name(request.nickname)
    if accepted:
        peer.nickname = request.nickname
    peer.send(wire.LoginReply(nickname=request.nickname, nicknameAccepted=accepted, connectionSuccessful=True))


def _is_name(nickname: str) -> bool:
    return 0 < len(nickname) <= NICKNAME_LIMIT and nickname.isprintable() and nickname == nickname.strip()


def _seek_request(peer: ClientSession, request: wire.PlayerNicknameMessage) -> Seek | None:
    """Return the lobby request for a client's settings; refuse invalid ones and return None."""
    nickname = request.nickname or peer.nickname
    tower = wire.TOWERS.get(request.colorTower.upper())
    mode = request.gameMode.lower()
    if not peer.nickname:
        peer.refuse("log in with a LoginRequest first")
    elif not _is_name(nickname):
        peer.send(wire.InvalidNicknameMessage(nickname=nickname))
    elif request.numPlayers not in PLAYERS or mode not in Mode._value2member_map_:
        peer.refuse("numPlayers must be 2, 3 or 4, gameMode simplified or expert")
    elif tower is None:
        peer.send(wire.InvalidTowerMessage(nickname=nickname))
    else:
        peer.nickname = nickname
        options = Options(Mode(mode), CloudTime.EITHER)  # [6.2]
        player = Player(nickname, wire.NAME)
        wish = Wish(tower)
        # [6.9] a returning player is identified by its nickname
        return Seek("eriantys", request.numPlayers, player, options, terms=(mode,), wish=wish, returns=True)
    return None


def _welcome_client(peer: ClientSession, seated: Seated, seek: Seek | None) -> Participant:
    """Send the client its tower and deck; the boards follow when the match begins.

    Tower and deck stay the same if the client is moved to another waiting table. A returning player gets those of its
    seat [6.9].
    """
    match, seat = seated.match, seated.seat
    cards: Sequence[int] = range(1, 11)
    tower = "" if seek is None else seek.wish.tower.name
    if match.position is not None:
        view: View = match.setting.game.view(match.position, seat)
        tower, cards = view.sides[view.boards[seat].side].tower.name, view.boards[seat].hand
    peer.send(
        wire.TowerMessage(nickname=peer.nickname, colorTower=tower, towerNumber=_TOWERS[len(match.chairs)]),
        wire.AssignPlayerDeckResponseMessage(nickname=peer.nickname, assistantCardsModel=deck(cards)),
    )
    return Participant(peer, seated)


def _send_refusal(peer: ClientSession, reason: BoardwireError) -> None:
    if reason.reason is Reason.NAME_TAKEN:
        peer.send(wire.InvalidNicknameMessage(nickname=peer.nickname))
    elif reason.reason is Reason.CHOICE_TAKEN:
        peer.send(wire.InvalidTowerMessage(nickname=peer.nickname))
    else:
        peer.refuse(str(reason))
