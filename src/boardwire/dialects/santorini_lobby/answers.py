"""What a player's request asks of the table: ANSWER gives the command, or None where it is refused out of hand.

Only what can be judged from the position is judged here; everything else the table itself refuses.  Either way the
sender gets RESULT false and nobody else hears of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.gods import OFFERED, god_called
from boardwire.dialects.santorini_lobby.messages import square_of
from boardwire.dialects.santorini_lobby.turn import action_of
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import PLACES, ChooseStart, PickGod, ProposeGod
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.wish import Wish
from boardwire.table.commands import Act
from boardwire.table.errands import Enter, Open, Seek
from boardwire.table.events import Player
from boardwire.table.guest import Tie
from boardwire.table.match import Match

NAME: Final = "santorini-lobby"
GAME: Final = "santorini"
SIZES: Final = (1, 2, 3)
NAME_LIMIT: Final = 15
"""The longest name, in UTF-16 units [8.14]."""

_OPTIONS: Final = Options(Draft.CHALLENGER, pool=OFFERED, bans=False)
"""The document lets the challenger pick any gods of the list, so no pair of them is banned."""


def speakable(match: Match) -> bool:
    """Whether this protocol has words for a table: for its size, and for the powers that it fixes beforehand."""
    if len(match.chairs) not in SIZES:
        return False
    options: Options = match.setting.options
    fixed = options.gods
    if options.draft is Draft.POSITION:
        fixed = parse_position(options.position).lineup.gods
    return all(god in OFFERED or god is God.MORTAL for god in fixed)


def open_lobby(content: wire.Size) -> Open | None:
    """A lobby of that size."""
    if content.size not in SIZES:
        return None
    return Open(Seek(GAME, content.size, Player(dialect=NAME), _OPTIONS, wish=Wish(OFFERED), tie=Tie.COMPANY))


def log_in(match: Match, content: wire.OfUser) -> Enter | None:
    """A seat in the lobby being filled, under a name that is well formed; that it is free the table knows."""
    name = content.user.username
    if not 1 <= len(name.encode("utf-16-le")) // 2 <= NAME_LIMIT or not name.isprintable():
        return None
    return Enter(match.id, Player(name, NAME), wish=Wish(OFFERED), tie=Tie.COMPANY)


def _select_gods(match: Match, seat: Seat, names: tuple[str, ...], content: wire.UserGods) -> Act | None:
    gods = [god for one in content.gods if (god := god_called(one.name)) is not None]
    if not len(gods) == len(content.gods) == len(match.chairs):
        return None
    return Act(seat, tuple(ProposeGod(god) for god in gods), match.seq)  # the game refuses one god twice [10]


def _choose_god(match: Match, seat: Seat, names: tuple[str, ...], content: wire.UserGod) -> Act | None:
    god = god_called(content.god.name)
    return None if god is None else Act(seat, (PickGod(god),), match.seq)


def _choose_first_player(match: Match, seat: Seat, names: tuple[str, ...], content: wire.First) -> Act | None:
    first = content.first.username
    return Act(seat, (ChooseStart(names.index(first)),), match.seq) if first in names else None


def _place_pawns(match: Match, seat: Seat, names: tuple[str, ...], content: wire.Pawns) -> Act | None:
    one, other = square_of(content.c1), square_of(content.c2)
    if one is None or other is None:
        return None
    return Act(seat, (PLACES[one], PLACES[other]), match.seq)


def _execute(match: Match, seat: Seat, names: tuple[str, ...], content: wire.Deed) -> Act | None:
    action = action_of(match, seat, content)
    return None if action is None else Act(seat, (action,), match.seq)


ANSWER: Final[dict[type, Callable[[Match, Seat, tuple[str, ...], Any], Act | None]]] = {
    wire.SelectGods: _select_gods,
    wire.ChooseGod: _choose_god,
    wire.ChooseFirstPlayer: _choose_first_player,
    wire.PlacePawns: _place_pawns,
    wire.CheckAction: _execute,
    wire.ExecuteAction: _execute,
}


def speaker(content: Any) -> str:
    """In whose name a request is made."""
    user: wire.User = content.chooser if isinstance(content, wire.First) else content.user
    return user.username
