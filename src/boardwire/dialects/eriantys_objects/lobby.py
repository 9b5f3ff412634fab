"""From the first message to a seat (protocol page, 4.1, 9.6, 9.7, 9.16).

1. LoginRequest: a name that is none or is taken gets LoginReply(false, true), and may be tried again.
2. A table waits, whoever opened it: LoginReply, then InitialResMessage with the towers left and the table's mode.
3. No table waits: the first to come chooses number, tower and mode, and so opens one.  Who comes meanwhile is held
   until there is a table; not for ever, but after `HELD_SECONDS` chooses as well.

Being the first is a claim like that of a name; a guest has one claim, so the name is claimed again afterwards.
Meanwhile two may have one name: the second of them is asked for another when it comes to the same table.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto
from typing import Any, Final

from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects import models
from boardwire.dialects.eriantys_objects.line import Line
from boardwire.dialects.eriantys_objects.stream import ADDRESSEE, encode
from boardwire.games.eriantys import Mode, Options, Tower, Wish
from boardwire.games.eriantys.options import default_towers
from boardwire.table.errands import Attend, Claim, Depart, Enter, Reclaim, Seek, Unclaim
from boardwire.table.events import Player
from boardwire.table.guest import Claimed, NoTable, NotHeld, Refusal, Seated, Tie, Watching
from boardwire.table.match import Match, Status
from boardwire.talk import Woke

NAME: Final = "eriantys-objects"
GAME: Final = "eriantys"
SERVER: Final = "SERVER_NICKNAME"
NAME_LIMIT: Final = 32
"""The longest name of a player, in characters."""
PLAYERS: Final = (2, 3, 4)
HELD_SECONDS: Final = 30
FORBIDDEN: Final = "Forbidden name."
TAKEN: Final = "Nickname already taken."

_TOWER_ORDER: Final = (Tower.BLACK, Tower.WHITE, Tower.GREY)  # [4.1.3]
_FIRST: Final = Claim("first", NAME + " first")


class Way(Enum):
    """How it goes on for a client that got no seat."""

    LOOK = auto()
    """Look for a table again."""
    NAME = auto()
    """Choose another name."""
    ALONE = auto()
    """Open a table, because the one that waits cannot be shared."""


async def find_seat(line: Line) -> Seated | None:
    """Log in and sit down; None if the line is over first."""
    while await _log_in(line):
        held = await _return(line)
        if held is not None:
            return held
        way: Way | Seated | None = Way.LOOK
        while way is Way.LOOK:
            way = await _look(line)
        if way is Way.ALONE:
            way = await _choose(line, fresh=True)
        if way is not Way.NAME:
            return way if isinstance(way, Seated) else None
    return None


# --- the name -------------------------------------------------------------------------------------------------------


async def _log_in(line: Line) -> bool:
    line.welcomed = False
    while (heard := await line.hear()) is not None:
        if isinstance(heard, wire.LoginRequest):
            name = heard.nickname or ""
            if not _is_name(name):
                _deny(line, FORBIDDEN)
                continue
            line.talk.do(Claim(name, NAME))
            match await line.outcome(Claimed, Refusal):
                case Claimed():
                    line.accept()
                    line.name = name
                    return True
                case Refusal():
                    _deny(line, TAKEN)
        elif isinstance(heard, wire.Message):
            line.refuse("log in first, with a LoginRequest")
    return False


async def _return(line: Line) -> Seated | None:
    """the seat that a player of this name left in mid-play; None if there is none."""
    line.talk.do(Reclaim(Player(line.name, NAME)))
    seated = await line.outcome(Seated, NotHeld, Refusal)
    if not isinstance(seated, Seated):
        return None
    _welcome(line)
    return seated


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_LIMIT and name.isprintable() and name == name.strip()


def _deny(line: Line, why: str) -> None:
    line.strike()
    line.send(
        wire.GenericMessage(nickname="SERVER_NICK", message=why),
        wire.LoginReply(nickname=SERVER, connection_successful=True, nickname_accepted=False),
    )


def _welcome(line: Line) -> None:
    if not line.welcomed:
        line.welcomed = True
        line.send(wire.LoginReply(nickname=SERVER, connection_successful=True, nickname_accepted=True))


def _is_repeated(line: Line, heard: Any) -> bool:
    """[9.17] a client that hears nothing asks again."""
    return isinstance(heard, wire.LoginRequest) and heard.nickname == line.name


# --- a table --------------------------------------------------------------------------------------------------------


async def _look(line: Line) -> Way | Seated | None:
    line.talk.do(Depart())
    line.talk.do(Attend(GAME, NAME))
    held, full = 0, False
    while (heard := await line.hear()) is not None:
        match heard:
            case Watching(match=match) if match.status is Status.WAITING:
                return await _join(line, match)
            case Watching():
                full = True  # its last seat is being taken, and it is still on the list: look again, but not at once
            case Woke() if full:
                return Way.LOOK
            case NoTable():
                if await _is_first(line):
                    return await _choose(line)
            case Woke():
                held += 1
                if held >= HELD_SECONDS or await _is_first(line):
                    return await _choose(line)
            case wire.Message() if not _is_repeated(line, heard):
                line.refuse("somebody is choosing what to play; wait a little")
    return None


async def _is_first(line: Line) -> bool:
    line.talk.do(_FIRST)
    return isinstance(await line.outcome(Claimed, Refusal), Claimed)


async def _join(line: Line, match: Match) -> Way | Seated | None:
    """Take a seat at the table that waits, whichever tower is left."""
    if not any(match.players):  # whoever opens it is about to sit down, and takes a tower
        await line.hear(messages=False)
        match = line.match or match
    if _is_called(match, line.name):
        return _other_name(line)
    _welcome(line)
    _ask_tower(line, towers_left(match), match)
    while match.status is Status.WAITING:
        heard = await line.hear()
        match = line.match or match
        if heard is None:
            return None
        if isinstance(heard, wire.ChosenTowerMessage):
            tower = _tower(heard)
            if tower in towers_left(match):
                way = await _enter(line, match, tower)
                if way is not None:
                    return way
                match = line.match or match
            else:
                line.strike()
            _ask_tower(line, towers_left(match), match)  # [4.1.4]
        elif isinstance(heard, wire.Message) and not _is_repeated(line, heard):
            line.refuse("choose a tower")
    return Way.LOOK


async def _enter(line: Line, match: Match, tower: Tower | None) -> Way | Seated | None:
    """The seat, or how it goes on; None if only the tower is taken."""
    line.talk.do(Enter(match.id, Player(line.name, NAME), wish=Wish(tower, models.CHARACTERS), tie=Tie.NOTHING))
    seated = await line.outcome(Seated, Refusal)
    if isinstance(seated, Seated):
        line.accept()
        return seated
    now = line.match or match
    if now.status is not Status.WAITING or all(now.players):
        return Way.LOOK
    if _is_called(now, line.name):
        return _other_name(line)
    return Way.ALONE if tower in towers_left(now) else None


def _other_name(line: Line) -> Way:
    line.talk.do(Depart())
    line.talk.do(Unclaim())
    line.accept()
    _deny(line, TAKEN)
    return Way.NAME


def _is_called(match: Match, name: str) -> bool:
    return any(player is not None and player.name == name for player in match.players)


def towers_left(match: Match) -> list[Tower]:
    """The towers nobody at a waiting table asked for, in the shipped program's order."""
    left = Counter(default_towers(len(match.chairs)))
    left.subtract(chair.wish.tower for chair in match.chairs if chair.wish is not None and chair.wish.tower is not None)
    return [tower for tower in _TOWER_ORDER for _ in range(left[tower])]


def _ask_tower(line: Line, towers: list[Tower], match: Match | None) -> None:
    mode = None if match is None else models.MODES[match.setting.options.mode]
    available = tuple(models.TOWERS[tower] for tower in towers)
    line.ask(encode(wire.InitialResMessage(nickname=ADDRESSEE, available_towers=available, game_mode=mode)))


def _tower(message: wire.ChosenTowerMessage) -> Tower | None:
    return None if message.color_tower is None else models.TOWER_OF.get(message.color_tower)


# --- a table of one's own -------------------------------------------------------------------------------------------


async def _choose(line: Line, *, fresh: bool = False) -> Way | Seated | None:
    """Number, tower and mode, then the table [4.1.3 to 4.1.5]."""
    _welcome(line)
    line.ask(encode(wire.PlayerNumberRequest(nickname=SERVER)))
    number = await _reply(line, wire.PlayerNumberReply)
    if number is None:
        return None
    _ask_tower(line, towers_of(number.player_number), None)
    tower = await _reply(line, wire.ChosenTowerMessage, towers_of(number.player_number))
    if tower is None:
        return None
    line.ask(encode(wire.GameModeReq(nickname=SERVER)))
    mode = await _reply(line, wire.GameModeRes)
    if mode is None:
        return None
    return await _open(line, number.player_number, _tower(tower), models.MODE_OF[mode.game_mode], fresh)


def towers_of(players: int) -> list[Tower]:
    """All towers of a game, in the shipped program's order."""
    return sorted(default_towers(players), key=_TOWER_ORDER.index)


async def _reply(line: Line, kind: type, towers: list[Tower] | None = None) -> Any:
    """The answer to what was asked, once it is one; None: the line is over.  A table that somebody opens meanwhile does
    not matter: this client has begun to choose, and may meet it there."""
    while (heard := await line.hear()) is not None:
        if isinstance(heard, kind):
            why = _why_not(heard, towers)
            if not why:
                line.accept()
                return heard
            line.refuse(why)
        elif isinstance(heard, wire.Message) and not _is_repeated(line, heard):
            line.refuse("that is not what was asked")
    return None


def _why_not(reply: Any, towers: list[Tower] | None) -> str:
    match reply:
        case wire.PlayerNumberReply(player_number=number) if number not in PLAYERS:
            return "the game is for 2, 3 or 4 players"
        case wire.GameModeRes(game_mode=None):
            return "choose a mode"
        case wire.ChosenTowerMessage() if _tower(reply) not in (towers or ()):
            return "choose one of the towers"
    return ""


async def _open(line: Line, seats: int, tower: Tower | None, mode: Mode, fresh: bool) -> Way | Seated | None:
    """Sit down at a table like this.  If there is one by now, but not with this tower or this name, look at it."""
    player, wish = Player(line.name, NAME), Wish(tower, models.CHARACTERS)
    line.talk.do(Depart())
    line.talk.do(Seek(GAME, seats, player, Options(mode), terms=(mode.value,), wish=wish, fresh=fresh))
    seated = await line.outcome(Seated, Refusal)
    line.talk.do(Claim(line.name, NAME))
    if isinstance(await line.outcome(Claimed, Refusal), Refusal):
        line.talk.do(Unclaim())  # somebody took the name meanwhile; nobody waits for this one to choose
    if isinstance(seated, Refusal):
        if fresh:
            line.send(wire.ErrorMessage(nickname=SERVER, error=str(seated.reason)))
        return None if fresh else Way.LOOK
    return seated if isinstance(seated, Seated) else None
