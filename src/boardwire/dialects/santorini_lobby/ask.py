"""ASK: how this protocol asks for each kind of decision, or which answer is given where it has no words.

A question is told to everybody; its `user`, or what came before, says who must answer.  It is told when the decision
is new, so a step that changes nothing about it (a line of chat) repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.gods import IDENTIFIERS
from boardwire.dialects.santorini_lobby.messages import encode
from boardwire.dialects.santorini_lobby.turn import TURN, kinds, unspoken
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.table.match import Match


def ask(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    """The question that the match has for somebody now; `before` is the decision that was pending before the step."""
    pending = match.pending
    if pending is None or pending is before:
        return b""
    return ASK[pending.kind](before, match, names)


def _gods(gods: tuple[God, ...]) -> bytes:
    """Always with full descriptions, whatever the challenger sent [8.1]."""
    return encode(wire.GodsAvailable(wire.Gods(tuple(IDENTIFIERS[god] for god in gods))))


_NO_GODS: Final = _gods(())


def _propose(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    """All gods on offer, once; where somebody proposes them one by one, the offer is told when it is complete."""
    if match.position.setup.offer:
        return b""
    return _gods(tuple(choice.god for choice in match.pending.choices)) if match.pending is not None else b""


def _pick(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    return _gods(match.position.setup.offer)


def _choose_start(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    return _NO_GODS  # the empty list is the sign for the challenger [2]


def _place(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    """Once for both pawns, also where another protocol places them one by one."""
    seat = _asked(match)
    if before is not None and before.kind is Kind.PLACE_WORKER and before.seats == (seat,):
        return b""
    return encode(wire.RequestPlacePawns(wire.OfUser(wire.User(names[seat]))))


def _act(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    listed = kinds(match)
    if not listed:
        return b""
    return _ready(names[_asked(match)], listed)


@lru_cache(maxsize=4096)  # the same few lists, over and over
def _ready(name: str, listed: tuple[str, ...]) -> bytes:
    return encode(wire.ActionReady(wire.Choices(wire.User(name), tuple(wire.ActionName(one) for one in listed))))


def _asked(match: Match) -> Seat:
    assert match.pending is not None
    return match.pending.seats[0]


def _silent(before: Decision[Any] | None, match: Match, names: tuple[str, ...]) -> bytes:
    """The protocol has no words for it: a player of this dialect gets the default answer."""
    return b""


ASK: Final[dict[StrEnum, Callable[[Decision[Any] | None, Match, tuple[str, ...]], bytes]]] = {
    Kind.PROPOSE_GOD: _propose,
    Kind.PICK_GOD: _pick,
    Kind.CHOOSE_START: _choose_start,
    Kind.PLACE_WORKER: _place,
    **dict.fromkeys((Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY), _act),
    **dict.fromkeys((Kind.NAME_START, Kind.PLACE_RAM, Kind.PREPARE, Kind.CHANCE), _silent),
}

_WORDLESS: Final = frozenset({Kind.NAME_START, Kind.PLACE_RAM, Kind.PREPARE})
"""What a player of this dialect cannot be asked: the first choice is taken."""


def default(match: Match, seat: Seat) -> Any | None:
    """The action that is taken for a player whom this protocol cannot ask; None if it can."""
    pending = match.pending
    if pending is None or seat not in pending.seats:
        return None
    if pending.kind in TURN:
        return unspoken(match)
    if pending.kind in _WORDLESS:
        return next(iter(pending.choices))
    if pending.kind is Kind.PICK_GOD:
        # The challenger has no CHOOSE_GOD: what is left is taken for it, as at our own tables (size 1 asks) [3.6].
        last = len(match.chairs) > 1 and match.position.setup.proposer == seat and len(pending.choices) == 1
        return next(iter(pending.choices)) if last else None
    return None
