"""Login of eriantys-objects, and the way to a seat [3.2].

1. LoginRequest: an invalid or taken name gets LoginReply(false, true); the client may try another.
2. If a table waits, the client gets LoginReply, then InitialResMessage with the table's free towers and mode.
3. If no table waits, the first client chooses number of players, tower and mode, which opens a table. Clients that
   connect meanwhile are held until there is a table; after `HELD_SECONDS` they choose as well.

The right to choose is a claim, like a name. A guest has only one claim, so it releases its name while it chooses and
claims it again afterwards. Meanwhile another client may take the name. If both then meet at a table, the second one
must choose another name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import Final, TypeVar

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.messages import ADDRESSEE, encode
from boardwire.dialects.eriantys_objects.session import ClientSession, SessionInput
from boardwire.games.eriantys import Mode, Options, Tower, Wish
from boardwire.games.eriantys.options import default_towers
from boardwire.lobby.requests import Attend, Claim, Depart, Enter, Reclaim, Seek, Unclaim
from boardwire.table.events import Player
from boardwire.table.guest import Claimed, NoTable, NotHeld, Refusal, Seated, Tie, Watching
from boardwire.table.match import Match, Status
from boardwire.talk import Woke

NAME: Final = "eriantys-objects"
GAME: Final = "eriantys"
SERVER: Final = "SERVER_NICKNAME"
NAME_LIMIT: Final = 32
"""Longest player name, in characters."""
PLAYERS: Final = (2, 3, 4)
HELD_SECONDS: Final = 30
FORBIDDEN: Final = "Forbidden name."
TAKEN: Final = "Nickname already taken."

M = TypeVar("M", bound=wire.Message)
V = TypeVar("V")

_TOWER_ORDER: Final = (Tower.BLACK, Tower.WHITE, Tower.GREY)  # [3.2.3]
_CHOOSE_CLAIM: Final = Claim("first", NAME + " first")


class NextStep(Enum):
    """Next step of a client without a seat."""

    LOOK = auto()
    """Look for a table again."""
    NAME = auto()
    """Choose another name."""
    ALONE = auto()
    """Open another table, because the client cannot join the waiting one."""


async def find_seat(peer: ClientSession) -> Seated | None:
    """Log in and take a seat; return None if the connection ends first."""
    while await _log_in(peer):
        seated = await _reclaim_seat(peer)
        if seated is not None:
            return seated
        next_step: NextStep | Seated | None = NextStep.LOOK
        while next_step is NextStep.LOOK:
            next_step = await _find_table(peer)
        if next_step is NextStep.ALONE:
            next_step = await _ask_terms(peer, fresh=True)
        if next_step is not NextStep.NAME:
            return next_step if isinstance(next_step, Seated) else None
    return None


# --- the name -------------------------------------------------------------------------------------------------------


async def _log_in(peer: ClientSession) -> bool:
    """Wait for a login with a free name; return False when the connection has ended."""
    peer.is_logged_in = False
    while (received := await peer.next_input()) is not None:
        if isinstance(received, wire.LoginRequest):
            name = received.nickname or ""
            if not _is_name(name):
                _refuse_name(peer, FORBIDDEN)
                continue
            peer.talk.do(Claim(name, NAME))
            match await peer.next_notification(Claimed, Refusal):
                case Claimed():
                    peer.accept()
                    peer.name = name
                    return True
                case Refusal():
                    _refuse_name(peer, TAKEN)
        elif isinstance(received, wire.Message):
            peer.refuse("log in with a LoginRequest first")
    return False


async def _reclaim_seat(peer: ClientSession) -> Seated | None:
    """Accept the login and return the seat held for a player of this name; return None if no seat is held."""
    peer.talk.do(Reclaim(Player(peer.name, NAME)))
    seated = await peer.next_notification(Seated, NotHeld, Refusal)
    if not isinstance(seated, Seated):
        return None
    _accept_login(peer)
    return seated


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_LIMIT and name.isprintable() and name == name.strip()


def _refuse_name(peer: ClientSession, why: str) -> None:
    peer.count_bad_message()
    peer.send(
        wire.GenericMessage(nickname="SERVER_NICK", message=why),
        wire.LoginReply(nickname=SERVER, connection_successful=True, nickname_accepted=False),
    )


def _accept_login(peer: ClientSession) -> None:
    if not peer.is_logged_in:
        peer.is_logged_in = True
        peer.send(wire.LoginReply(nickname=SERVER, connection_successful=True, nickname_accepted=True))


def _refuse_unexpected(peer: ClientSession, received: SessionInput, why: str) -> None:
    """Refuse an unexpected message, except a repeated login [5.4]."""
    if isinstance(received, wire.Message) and (type(received), received.nickname) != (wire.LoginRequest, peer.name):
        peer.refuse(why)


# --- a table --------------------------------------------------------------------------------------------------------


async def _find_table(peer: ClientSession) -> NextStep | Seated | None:
    """Look for the waiting table: join it, become the first player, or look again after a second."""
    peer.talk.do(Depart())
    peer.talk.do(Attend(GAME, NAME))
    seconds, is_full = 0, False
    while (received := await peer.next_input()) is not None:
        match received:
            case Watching(match=match) if match.status is Status.WAITING:
                return await _join_table(peer)
            case Watching():
                is_full = True  # the last seat is being taken, but the table is still listed: look again after a second
            case Woke() if is_full:
                return NextStep.LOOK
            case NoTable():
                if await _claim_first_choice(peer):
                    return await _ask_terms(peer)
            case Woke():
                seconds += 1  # the heartbeat of a session beats every second
                if seconds >= HELD_SECONDS or await _claim_first_choice(peer):
                    return await _ask_terms(peer)
            case _:
                _refuse_unexpected(peer, received, "another player is choosing settings; wait for the table")
    return None


async def _claim_first_choice(peer: ClientSession) -> bool:
    """Claim the right to choose the settings of a table; return False if another client has it."""
    peer.talk.do(_CHOOSE_CLAIM)
    return isinstance(await peer.next_notification(Claimed, Refusal), Claimed)


async def _join_table(peer: ClientSession) -> NextStep | Seated | None:
    """Take a seat at the waiting table with one of the free towers."""
    if not any(peer.match.players):  # its first player is about to sit down and take a tower
        await peer.next_input(messages=False)
    if _has_player(peer.match, peer.name):
        return _request_other_name(peer)
    _accept_login(peer)
    _ask_tower(peer, towers_left(peer.match), peer.match)
    while peer.match.status is Status.WAITING:
        received = await peer.next_input()
        if received is None:
            return None
        if isinstance(received, wire.ChosenTowerMessage):
            tower = pieces.TOWER_OF.get(received.color_tower)
            if tower in towers_left(peer.match):
                next_step = await _take_seat(peer, tower)
                if next_step is not None:
                    return next_step
            else:
                peer.count_bad_message()
            _ask_tower(peer, towers_left(peer.match), peer.match)  # [3.2.5]
        else:
            _refuse_unexpected(peer, received, "choose a tower")
    return NextStep.LOOK


async def _take_seat(peer: ClientSession, tower: Tower | None) -> NextStep | Seated | None:
    """Request a seat; return it or the next step, or None if the client must choose another tower."""
    peer.talk.do(Enter(peer.match.id, Player(peer.name, NAME), wish=Wish(tower, pieces.CHARACTERS), tie=Tie.NOTHING))
    seated = await peer.next_notification(Seated, Refusal)
    if isinstance(seated, Seated):
        peer.accept()
        return seated
    match = peer.match
    if match.status is not Status.WAITING or all(match.players):
        return NextStep.LOOK
    if _has_player(match, peer.name):
        return _request_other_name(peer)
    return NextStep.ALONE if tower in towers_left(match) else None


def _request_other_name(peer: ClientSession) -> NextStep:
    """Leave the table and ask for another name, because this one is taken there."""
    peer.talk.do(Depart())
    peer.talk.do(Unclaim())
    peer.accept()
    _refuse_name(peer, TAKEN)
    return NextStep.NAME


def _has_player(match: Match, name: str) -> bool:
    return any(player is not None and player.name == name for player in match.players)


def towers_left(match: Match) -> list[Tower]:
    """Return the free towers of a waiting table, in the shipped program's order."""
    counts = Counter(default_towers(len(match.chairs)))
    counts.subtract(
        chair.wish.tower for chair in match.chairs if chair.wish is not None and chair.wish.tower is not None
    )
    return [tower for tower in _TOWER_ORDER for _ in range(counts[tower])]


def _ask_tower(peer: ClientSession, towers: list[Tower], match: Match | None) -> None:
    mode = None if match is None else pieces.MODES[match.setting.options.mode]
    available = tuple(pieces.TOWERS[tower] for tower in towers)
    peer.ask(encode(wire.InitialResMessage(nickname=ADDRESSEE, available_towers=available, game_mode=mode)))


# --- a new table ----------------------------------------------------------------------------------------------------


async def _ask_terms(peer: ClientSession, *, fresh: bool = False) -> NextStep | Seated | None:
    """Ask for number of players, tower and mode, then open the table [3.2.3]."""
    _accept_login(peer)
    peer.ask(encode(wire.PlayerNumberRequest(nickname=SERVER)))
    number = await _receive_reply(peer, wire.PlayerNumberReply, _read_number, "the game is for 2, 3 or 4 players")
    if number is None:
        return None
    towers = towers_of(number)
    _ask_tower(peer, towers, None)
    tower = await _receive_reply(
        peer, wire.ChosenTowerMessage, partial(_read_tower, towers), "choose one of the towers"
    )
    if tower is None:
        return None
    peer.ask(encode(wire.GameModeReq(nickname=SERVER)))
    mode = await _receive_reply(peer, wire.GameModeRes, _read_mode, "choose a mode")
    return None if mode is None else await _open_table(peer, number, tower, mode, fresh)


def towers_of(players: int) -> list[Tower]:
    """Return all towers of a game, in the shipped program's order."""
    return sorted(default_towers(players), key=_TOWER_ORDER.index)


def _read_number(reply: wire.PlayerNumberReply) -> int | None:
    return reply.player_number if reply.player_number in PLAYERS else None


def _read_tower(towers: list[Tower], reply: wire.ChosenTowerMessage) -> Tower | None:
    tower = pieces.TOWER_OF.get(reply.color_tower)
    return tower if tower in towers else None


def _read_mode(reply: wire.GameModeRes) -> Mode | None:
    return pieces.MODE_OF.get(reply.game_mode)


async def _receive_reply(peer: ClientSession, kind: type[M], read: Callable[[M], V | None], refusal: str) -> V | None:
    """Wait for a valid answer of this kind and return its value; None if the connection ends.

    Tables that others open meanwhile are ignored: the client may still join one with its choices.
    """
    while (received := await peer.next_input()) is not None:
        if not isinstance(received, kind):
            _refuse_unexpected(peer, received, "this message does not answer the open request")
        elif (value := read(received)) is None:
            peer.refuse(refusal)
        else:
            peer.accept()
            return value
    return None


async def _open_table(
    peer: ClientSession, seats: int, tower: Tower, mode: Mode, fresh: bool
) -> NextStep | Seated | None:
    """Take a seat at a table with these settings.

    If such a table exists, but the tower or the name is taken there, the client looks for a table again.
    """
    player, wish = Player(peer.name, NAME), Wish(tower, pieces.CHARACTERS)
    peer.talk.do(Depart())
    peer.talk.do(Seek(GAME, seats, player, Options(mode), terms=(mode.value,), wish=wish, fresh=fresh))
    seated = await peer.next_notification(Seated, Refusal)
    peer.talk.do(Claim(peer.name, NAME))
    if isinstance(await peer.next_notification(Claimed, Refusal), Refusal):
        peer.talk.do(Unclaim())  # the name was taken meanwhile: release only the right to choose
    if isinstance(seated, Refusal):
        if fresh:
            peer.send(wire.ErrorMessage(nickname=SERVER, error=str(seated.reason)))
        return None if fresh else NextStep.LOOK
    return seated if isinstance(seated, Seated) else None
