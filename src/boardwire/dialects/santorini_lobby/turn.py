"""A turn in this protocol's words: the five kinds of action, and what a pawn, a kind and a cell mean.

A pawn is a worker by its number.  Once a worker has acted in a turn the other one is refused, also to pass [3.9].  What
the words cannot say is never listed; where nothing else is left, the first choice is taken for the player.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import Deed, square_of
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import BLOCKS, DOMES, DONE, MOVES, Build, Done, Force, Move
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.position import Position
from boardwire.table.match import Match

TURN: Final = frozenset({Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY})
"""The decisions that ACTION_READY asks for."""

_MOVE, _FERRY, _BLOCK, _DOME, _PASS = (1 << n for n in range(5))
_LISTS: Final = tuple(
    tuple(name for n, name in enumerate(wire.ACTIONS.values()) if kinds >> n & 1) for kinds in range(1 << 5)
)
"""The names of each set of kinds, in the program's order [5]."""


def kinds(match: Match) -> tuple[str, ...]:
    """The kinds of action that the pending decision allows and this protocol can say.

    A kind without any legal target is left out [10]."""
    pending = match.pending
    return () if pending is None else _LISTS[_kinds(pending.choices, _workers(match.position, pending.seats[0]))]


def _kinds(choices: Iterable[Any], mine: tuple[int, ...]) -> int:
    found = 0
    for action in choices:
        kind = type(action)
        if kind is Move:
            if not found & _MOVE and action.frm in mine:
                found |= _MOVE
        elif kind is Build:
            if action.by in mine:
                found |= _DOME if action.dome else _BLOCK
        elif kind is Done:
            found |= _PASS
        elif kind is Force and _ferryman(action) in mine:
            found |= _FERRY
    return found


def action_of(match: Match, seat: Seat, deed: Deed) -> Any | None:
    """The action that a player means, if it is one of the choices; None if not."""
    pending, position = match.pending, match.position
    if pending is None or pending.kind not in TURN or seat not in pending.seats:
        return None
    mine = _workers(position, seat)
    if not 0 <= deed.id < len(mine) or mine[deed.id] < 0:
        return None
    pawn, turn = mine[deed.id], position.turn
    name = wire.ACTIONS.get(deed.action.description.lower())
    at = square_of(deed.coordinate)
    if name is None or (at is None and (name != wire.PASS_TURN or deed.coordinate is not None)):
        return None
    if name == wire.PASS_TURN and turn.worker >= 0 and position.workers[turn.hand][turn.worker] != pawn:
        return None
    wanted = _wanted(name, pawn, 0 if at is None else at, pending.choices)
    return wanted if wanted in pending.choices else None


def _wanted(name: str, pawn: int, at: int, choices: Any) -> Any:
    if name == wire.MOVE:
        return MOVES[pawn][at]
    if name == wire.BUILD_BLOCK:
        return BLOCKS[pawn][at]
    if name == wire.BUILD_DOME:
        return DOMES[pawn][at]
    if name == wire.PASS_TURN:
        return DONE
    # Ferry names the foe's cell; the cell across, where it lands, means the same and is never occupied.
    ferries = (one for one in choices if type(one) is Force and _ferryman(one) == pawn and at in (one.frm, one.to))
    return next(ferries, None)


def _ferryman(force: Force) -> int:
    """The square between a worker and where it is put: that of the worker which throws it over."""
    return (force.frm + force.to) // 2


def _workers(position: Position, seat: Seat) -> tuple[int, ...]:
    return position.workers[position.lineup.side(seat)]


def unspoken(match: Match) -> Any | None:
    """The answer that is given in a turn where this protocol has no words for any choice."""
    pending = match.pending
    assert pending is not None
    first = next(iter(pending.choices))
    spoken = _kinds((first,), _workers(match.position, pending.seats[0])) or kinds(match)
    return None if spoken else first
