"""User names of a match, and cached lines that contain a user name and recur every turn.

All readers of a match share its users, so such a line is encoded once per match. Players of other protocols without a
name are numbered.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import encode
from boardwire.games.game import Seat
from boardwire.table.match import Match

_ENDS_TURN: Final = b"0}}\n"
"""End of a TURN_CHANGE with turn 0: the number comes last."""


class Users:
    """User names by seat, with their cached lines."""

    __slots__ = ("_ready", "_turns", "names")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names: Final = names
        self._turns = tuple([encode(wire.TurnChange(wire.User(name))).removesuffix(_ENDS_TURN) for name in names])
        self._ready: dict[tuple[Seat, int], bytes] = {}

    def turn(self, seat: Seat, ply: int) -> bytes:
        """Return a TURN_CHANGE."""
        return b"%b%d}}\n" % (self._turns[seat], ply)

    def ready(self, seat: Seat, kinds: int) -> bytes:
        """Return an ACTION_READY; `kinds` is a bit set of action kinds in the order of `wire.ACTIONS`."""
        line = self._ready.get((seat, kinds))
        if line is None:
            line = self._ready[seat, kinds] = encode(
                wire.ActionReady(wire.User(self.names[seat]), _action_names(kinds))
            )
        return line


def _action_names(kinds: int) -> tuple[wire.ActionName, ...]:
    return tuple([wire.ActionName(name) for n, name in enumerate(wire.ACTIONS.values()) if kinds >> n & 1])


@lru_cache(maxsize=16)
def users(names: tuple[str, ...]) -> Users:
    """Return the users of these names, shared by all clients at a table."""
    return Users(names)


def users_of(match: Match) -> Users:
    """Return the users of a match."""
    return users(names_of(match))


def names_of(match: Match) -> tuple[str, ...]:
    """Return the user names by seat; players of other protocols may have none and are numbered."""
    players = [chair.player for chair in match.chairs]
    return tuple([(player and player.name) or f"player {n}" for n, player in enumerate(players, 1)])
