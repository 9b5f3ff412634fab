"""The users of a match, and the lines that name one of them turn after turn.

All who follow a match share its users, so such a line is encoded once for a match and not once for each turn.  A player
of another protocol who has no name is called by a number.  A file of its own, because asking and telling both go by it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import encode
from boardwire.games.game import Seat
from boardwire.table.match import Match

_ENDS_TURN: Final = b"0}}\n"
"""How a TURN_CHANGE ends whose turn is 0: the number comes last."""


class Users:
    """See the module; `names` are by seat."""

    __slots__ = ("_ready", "_turns", "names")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names: Final = names
        self._turns = tuple([encode(wire.TurnChange(wire.User(name))).removesuffix(_ENDS_TURN) for name in names])
        self._ready: dict[tuple[Seat, int], bytes] = {}

    def turn(self, seat: Seat, ply: int) -> bytes:
        """A TURN_CHANGE."""
        return b"%b%d}}\n" % (self._turns[seat], ply)

    def ready(self, seat: Seat, kinds: int) -> bytes:
        """An ACTION_READY with a set of kinds of action, as bits in the order of `wire.ACTIONS`."""
        line = self._ready.get((seat, kinds))
        if line is None:
            line = self._ready[seat, kinds] = encode(wire.ActionReady(wire.User(self.names[seat]), _listed(kinds)))
        return line


def _listed(kinds: int) -> tuple[wire.ActionName, ...]:
    return tuple([wire.ActionName(name) for n, name in enumerate(wire.ACTIONS.values()) if kinds >> n & 1])


@lru_cache(maxsize=16)
def users(names: tuple[str, ...]) -> Users:
    """The users of these names.  All at a table ask in the same step, when its match begins, and share them."""
    return Users(names)


def users_of(match: Match) -> Users:
    """The players of a match as this protocol calls them."""
    return users(names_of(match))


def names_of(match: Match) -> tuple[str, ...]:
    """What they are called, by seat; other protocols have players without a name."""
    players = [chair.player for chair in match.chairs]
    return tuple([(player and player.name) or f"player {n}" for n, player in enumerate(players, 1)])
