"""ASK: decisions as messages of santorini-lobby, and defaults for those it cannot express.

- All attached clients receive a question; its `user`, or the preceding events, determine who must answer.
- A question is sent when its decision is new. Other events, such as chat, do not repeat it.
- ACTION_READY asks for a turn by five kinds of action and omits actions that they cannot express. If only such actions
  remain, the first choice is taken for the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final

from boardwire.dialects.dispatch import exhaustive, no_bytes
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import IDENTIFIERS, encode
from boardwire.dialects.santorini_lobby.users import Users
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import Build, Done, Force, Move
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.match import Match

TURN: Final = frozenset({Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY})
"""Decisions that ACTION_READY asks for."""

CHOOSING_GODS: Final = frozenset({Kind.PROPOSE_GOD, Kind.PICK_GOD})
"""Decisions that GODS_AVAILABLE with a list asks for."""

UNASKABLE: Final = frozenset({Kind.NAME_START, Kind.PLACE_RAM, Kind.PREPARE, Kind.CHANCE})
"""Decisions that a player of this dialect cannot be asked: the first choice is taken."""

_MOVE, _FERRY, _BLOCK, _DOME, _PASS = (1 << n for n in range(5))
"""Bits of the action kinds, in the program's order [2]."""


def ask(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """Return the question for the pending decision; `before` is the decision that was pending before the step."""
    pending = match.pending
    if pending is None or pending is before:
        return b""
    return ASK[pending.kind](before, match, users)


def _encode_gods(gods: tuple[God, ...]) -> bytes:
    """Encode GODS_AVAILABLE, always with full descriptions, whatever the challenger sent [12.3]."""
    return encode(wire.GodsAvailable(tuple(IDENTIFIERS[god] for god in gods)))


_NO_GODS: Final = _encode_gods(())


def _ask_proposal(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """List all gods on offer once. If they are proposed one by one, the offer is sent when it is complete."""
    if match.position.setup.offer:
        return b""
    return _encode_gods(tuple(choice.god for choice in match.pending.choices)) if match.pending is not None else b""


def _ask_pick(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    return _encode_gods(match.position.setup.offer)


def second_offer(match: Match, seat: Seat) -> bytes:
    """Return a repeated offer for the first player who picks from dealt gods; b"" for any other player.

    All other players receive two lists before they pick: all gods and the challenger's, or one before and one after
    another pick. A client that waits for the second list would otherwise wait for ever [6].
    """
    pending, setup = match.pending, match.position.setup
    if pending is None or pending.kind is not Kind.PICK_GOD or seat not in pending.seats:
        return b""
    return b"" if setup.picked or setup.proposer is not None else _encode_gods(setup.offer)


def _choose_start(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    return _NO_GODS  # the empty list tells the challenger to choose [3]


def _ask_placement(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """Ask once for both pawns, even if another protocol places them one by one."""
    assert match.pending is not None
    seats = match.pending.seats
    if before is not None and before.kind is Kind.PLACE_WORKER and before.seats == seats:
        return b""
    return encode(wire.RequestPlacePawns(wire.User(users.names[seats[0]])))


def _ask_action(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """List the kinds of action that are legal and expressible. A kind without a legal target is omitted [12.8]."""
    assert match.pending is not None
    seat = match.pending.seats[0]
    kinds = _action_kinds(match.pending.choices, workers_of(match.position, seat))
    return users.ready(seat, kinds) if kinds else b""


def _action_kinds(choices: Iterable[Any], squares: tuple[int, ...]) -> int:
    """Return the kinds of the choices that the protocol can express, as a bit set."""
    kinds = 0
    for action in choices:
        kind = type(action)
        if kind is Move:
            if not kinds & _MOVE and action.frm in squares:
                kinds |= _MOVE
        elif kind is Build:
            if action.by in squares:
                kinds |= _DOME if action.dome else _BLOCK
        elif kind is Done:
            kinds |= _PASS
        elif kind is Force and ferrying_square(action) in squares:
            kinds |= _FERRY
    return kinds


def ferrying_square(action: Any) -> int:
    """Return the square of the worker that ferries, in the middle of the forced move; -1 for other actions."""
    return (action.frm + action.to) // 2 if type(action) is Force else -1


def workers_of(position: Position, seat: Seat) -> tuple[int, ...]:
    """Return the squares of a user's pawns by pawn number."""
    return position.workers[position.lineup.side(seat)]


ASK: Final[dict[StrEnum, Callable[[Decision[Any] | None, Match, Users], bytes]]] = exhaustive(
    {
        Kind.PROPOSE_GOD: _ask_proposal,
        Kind.PICK_GOD: _ask_pick,
        Kind.CHOOSE_START: _choose_start,
        Kind.PLACE_WORKER: _ask_placement,
        **dict.fromkeys(TURN, _ask_action),
    },
    Kind, no_bytes, *UNASKABLE,
)  # fmt: skip


def default(match: Match, seat: Seat) -> Any | None:
    """Return the action taken for a player whom this protocol cannot ask, or None if it can."""
    pending = match.pending
    if pending is None or seat not in pending.seats:
        return None
    first = next(iter(pending.choices))
    if pending.kind in TURN:
        squares = workers_of(match.position, seat)
        return None if _action_kinds((first,), squares) or _action_kinds(pending.choices, squares) else first
    if pending.kind is Kind.PICK_GOD:
        # The challenger sends no CHOOSE_GOD: it gets the first remaining god. Several remain if a player was eliminated
        # before picking. In a lobby of size 1 it is asked [5.5].
        return first if len(match.chairs) > 1 and match.position.setup.proposer == seat else None
    return first if pending.kind in UNASKABLE else None
