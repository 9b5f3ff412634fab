"""ASK: how this protocol asks for each kind of decision, or which answer is given where it has no words.

A question is told to everybody; its `user`, or what came before, says who must answer.  It is told when the decision
is new, so a step that changes nothing about it (a line of chat) repeats nothing.

A turn is asked for by the five kinds of action.  What they cannot say is never listed; where nothing else is left, the
first choice is taken for the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import IDENTIFIERS, encode
from boardwire.dialects.santorini_lobby.users import Users
from boardwire.dialects.tables import total, unsaid
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import Build, Done, Force, Move
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.match import Match

TURN: Final = frozenset({Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY})
"""The decisions that ACTION_READY asks for."""

CHOOSING_GODS: Final = frozenset({Kind.PROPOSE_GOD, Kind.PICK_GOD})
"""The decisions that GODS_AVAILABLE with a list asks for."""

WORDLESS: Final = frozenset({Kind.NAME_START, Kind.PLACE_RAM, Kind.PREPARE, Kind.CHANCE})
"""What a player of this dialect cannot be asked: the first choice is taken, where it is the player's."""

_MOVE, _FERRY, _BLOCK, _DOME, _PASS = (1 << n for n in range(5))
"""Kinds of action as sets, in the program's order [2]."""


def ask(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """The question that the match has for somebody now; `before` is the decision that was pending before the step."""
    pending = match.pending
    if pending is None or pending is before:
        return b""
    return ASK[pending.kind](before, match, users)


def _gods(gods: tuple[God, ...]) -> bytes:
    """Always with full descriptions, whatever the challenger sent [12.3]."""
    return encode(wire.GodsAvailable(tuple(IDENTIFIERS[god] for god in gods)))


_NO_GODS: Final = _gods(())


def _propose(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """All gods on offer, once; where somebody proposes them one by one, the offer is told when it is complete."""
    if match.position.setup.offer:
        return b""
    return _gods(tuple(choice.god for choice in match.pending.choices)) if match.pending is not None else b""


def _pick(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    return _gods(match.position.setup.offer)


def second_offer(match: Match, seat: Seat) -> bytes:
    """The offer once more, for the first player to pick of gods that were dealt; b"" for any other player.

    Everybody else has seen two lists when it is their turn to pick: of all gods and of the challenger's, or before and
    after somebody's pick.  A client that waits for the second one would wait for ever here [6].
    """
    pending, setup = match.pending, match.position.setup
    if pending is None or pending.kind is not Kind.PICK_GOD or seat not in pending.seats:
        return b""
    return b"" if setup.picked or setup.proposer is not None else _gods(setup.offer)


def _choose_start(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    return _NO_GODS  # the empty list is the sign for the challenger [3]


def _place(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """Once for both pawns, also where another protocol places them one by one."""
    assert match.pending is not None
    seats = match.pending.seats
    if before is not None and before.kind is Kind.PLACE_WORKER and before.seats == seats:
        return b""
    return encode(wire.RequestPlacePawns(wire.User(users.names[seats[0]])))


def _act(before: Decision[Any] | None, match: Match, users: Users) -> bytes:
    """The kinds of action that can be taken and said.  A kind without any legal target is left out [12.8]."""
    assert match.pending is not None
    seat = match.pending.seats[0]
    kinds = _kinds(match.pending.choices, workers_of(match.position, seat))
    return users.ready(seat, kinds) if kinds else b""


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
        elif kind is Force and ferryman(action) in mine:
            found |= _FERRY
    return found


def ferryman(action: Any) -> int:
    """The square between a worker and where it is put: that of the worker which throws it over; -1 where none does."""
    return (action.frm + action.to) // 2 if type(action) is Force else -1


def workers_of(position: Position, seat: Seat) -> tuple[int, ...]:
    """The pawns of a user, by their number."""
    return position.workers[position.lineup.side(seat)]


ASK: Final[dict[StrEnum, Callable[[Decision[Any] | None, Match, Users], bytes]]] = total(
    {
        Kind.PROPOSE_GOD: _propose,
        Kind.PICK_GOD: _pick,
        Kind.CHOOSE_START: _choose_start,
        Kind.PLACE_WORKER: _place,
        **dict.fromkeys(TURN, _act),
    },
    Kind, unsaid, *WORDLESS,
)  # fmt: skip


def default(match: Match, seat: Seat) -> Any | None:
    """The action that is taken for a player who must decide and whom this protocol cannot ask; None if it can."""
    pending = match.pending
    if pending is None or seat not in pending.seats:
        return None
    first = next(iter(pending.choices))
    if pending.kind in TURN:
        mine = workers_of(match.position, seat)
        return None if _kinds((first,), mine) or _kinds(pending.choices, mine) else first
    if pending.kind is Kind.PICK_GOD:
        # The challenger has no CHOOSE_GOD: it gets the first of what is left, which is more than one god where a
        # player who had not picked is out; size 1 is asked [5.5].
        return first if len(match.chairs) > 1 and match.position.setup.proposer == seat else None
    return first if pending.kind in WORDLESS else None
